"""`DelayObservation`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.wrappers import DelayObservation


def run(env, steps):
    return [env.reset()[0].item(), *(env.step(0)[0].item() for _ in range(steps))]


@pytest.mark.parametrize(("delay", "seen"), [(0, [0, 1, 2, 3]), (1, [0, 0, 1, 2]), (2, [0, 0, 0, 1])])
def test_an_observation_comes_late(counting, delay, seen):
    assert run(DelayObservation(counting(), delay), 3) == seen


def test_until_then_there_is_the_value_nearest_to_zero(counting):
    inner = counting()
    inner.observation_space = type(inner.observation_space)(-9, -4, (1,), np.float32)
    assert DelayObservation(inner, 1).reset()[0].tolist() == [-4]


def test_nothing_comes_from_the_last_episode(counting):
    env = DelayObservation(counting(), 1)
    run(env, 5)
    assert run(env, 2) == [0, 0, 1]


@pytest.mark.parametrize(("delay", "error"), [(1.0, TypeError), ("2", TypeError), (True, TypeError), (-1, ValueError)])
def test_a_delay_is_a_number_of_steps(counting, delay, error):
    with pytest.raises(error, match="delay"):
        DelayObservation(counting(), delay)
