"""Policies that keep a state are refused, whatever the batch."""

from __future__ import annotations

import numpy as np
import pytest

import gymnasium
import palaestra
from palaestra.policies import FuncPolicy
from tests.contracts.test_async_equality import same

COUNT = 0


class Counting(FuncPolicy[None]):
    @staticmethod
    def act(params, observation, rng):
        global COUNT
        COUNT += 1
        return COUNT % 2


class Remembering(FuncPolicy[None]):
    def act(self, params, observation, rng):
        self.last = observation
        return 0


class Marking(FuncPolicy[None]):
    @staticmethod
    def act(params, observation, rng):
        Marking.last = observation
        return 0


class Guessing(FuncPolicy[None]):
    @staticmethod
    def act(params, observation, rng):
        return int(np.random.rand() < 0.5)


class Blind(FuncPolicy[None]):
    @staticmethod
    def act(params, rng):
        return 0


def enclosed():
    count = 0

    class Enclosed(FuncPolicy[None]):
        @staticmethod
        def act(params, observation, rng):
            nonlocal count
            count += 1
            return count % 2

    return Enclosed()


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (
            Counting(),
            r"Counting\.act, line \d+ of .* \(`COUNT \+= 1`\): it changes 'COUNT', but a policy keeps no state",
        ),
        (Marking(), "it changes 'last', but a policy keeps no state"),
        (enclosed(), "it changes 'count', but a policy keeps no state"),
        (Remembering(), "a policy keeps no state: write `def act.params, observation, rng.` under @staticmethod"),
        (Guessing(), "random numbers must come from `rng`"),
        (Blind(), r"it takes \(params, rng\): write `def act"),
    ],
)
@pytest.mark.parametrize("n", [1, 9])
def test_a_policy_that_keeps_state_is_refused_before_anything_moves(policy, message, n):
    envs = gymnasium.make_vec("CartPole-v1", n)
    envs.reset(seed=1)
    before = envs.get_state()
    with pytest.raises(TypeError, match=message):
        palaestra.rollout(envs, policy, 5)
    assert same(before, envs.get_state())
