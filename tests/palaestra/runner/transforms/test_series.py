"""Rewards of several steps, in Python and in machine code, have the bits of the wrappers' arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.transforms.moments import Moments, merged, of_batch
from gymnasium.transforms.returns import discounted
from palaestra.runner.transforms import series
from palaestra.runner.transforms.series import Rewards, accounted, scaled

GAMMA, EPSILON, STEPS = 0.97, 1e-8, 6


@pytest.fixture(params=["in Python", "in machine code"])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the kernels in Python, or leaves them."""
    if request.param == "in Python":
        monkeypatch.setattr(series, "address_of", lambda kernel, form, count: kernel)
        monkeypatch.setattr(series, "caller", lambda kernel, count: lambda task: kernel(None, task.ctypes.data))


def rewards_of(n: int, waits: bool, over: Any) -> Rewards:
    rng = np.random.default_rng(n)
    terminated, truncated = rng.random((2, STEPS, n)) < 0.2
    return Rewards(rng.normal(1.0, 2.0, (STEPS, n)), terminated, truncated, waits, over)


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("waits", [True, False])
def test_returns_and_lengths_are_those_of_each_episode(waits: bool) -> None:
    """With `waits`, the step after an episode counts for none; it may be the first."""
    n = 11
    over = np.arange(n) % 3 == 0 if waits else np.zeros(n, np.bool_)
    rewards = rewards_of(n, waits, over.copy())
    returns, lengths = np.arange(n, dtype=np.float64), np.arange(n)
    expected_returns, expected_lengths, was_over = returns.copy(), lengths.copy(), over.copy()
    ended_returns, ended_lengths = accounted(rewards, returns, lengths)
    for t in range(STEPS):
        ends = rewards.terminated[t] | rewards.truncated[t]
        expected_returns += rewards.rewards[t]
        expected_lengths += 1
        assert ended_returns[t][ends].tobytes() == expected_returns[ends].tobytes()
        assert ended_lengths[t][ends].tolist() == expected_lengths[ends].tolist()
        restarts = was_over | (ends & (not waits))
        expected_returns[restarts], expected_lengths[restarts] = 0.0, 0
        was_over = ends & waits
    assert returns.tobytes() == expected_returns.tobytes()
    assert lengths.tolist() == expected_lengths.tolist()
    assert rewards.over.tolist() == was_over.tolist()


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize("counting", [True, False])
@pytest.mark.parametrize("n", [1, 2, 8, 75])
def test_rewards_are_scaled(n: int, waits: bool, counting: bool) -> None:
    check_scaled(n, waits, counting)


@pytest.mark.parametrize("n", [1031, 1032, 2048, 16385])
def test_rewards_of_many_are_scaled(n: int) -> None:
    check_scaled(n, True, True)


def check_scaled(n: int, waits: bool, counting: bool) -> None:
    rewards = rewards_of(n, waits, np.arange(n) % 3 == 1 if waits else np.zeros(n, np.bool_))
    given, over = rewards.rewards.copy(), rewards.over.copy()
    sums, expected = (np.full(n, 0.5, np.float32) for _ in range(2))
    known = Moments(np.array(0.25), np.array(1.5), 3.0)
    found = scaled(rewards, sums, known, GAMMA, EPSILON, counting)
    for t in range(STEPS):
        counts = ~over
        expected[counts] = discounted(expected[counts], given[t][counts], GAMMA)
        if counts.any() and counting:
            known = merged(known, of_batch(expected[counts]))
        assert rewards.rewards[t].tobytes() == (given[t] / np.sqrt(known.var + EPSILON)).tobytes()
        ends = rewards.terminated[t] | rewards.truncated[t]
        expected[ends] = 0.0
        over = ends & waits
    assert sums.tobytes() == expected.tobytes()
    assert rewards.over.tolist() == over.tolist()
    assert [float(number) for number in found] == [float(number) for number in known]
