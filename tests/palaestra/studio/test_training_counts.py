"""Returns, lengths and steps are counted as they come, whatever type they have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.vector import AutoresetMode
from tests.palaestra.studio.watched import Watch, last_record, monitor_of


def test_a_single_environment_is_watched_too(watch: Watch) -> None:
    env = watch(gymnasium.make("CartPole-v1"))
    totals, total = [], 0.0
    env.reset(seed=1)
    env.action_space.seed(1)
    for _ in range(100):
        _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        total += reward
        if terminated or truncated:
            totals.append(total)
            total = 0.0
            env.reset()
    assert env.spec == env.env.spec
    record = last_record(env)
    assert record["returns"][:3] == [len(totals), pytest.approx(np.mean(totals), rel=1e-4), min(totals)]
    assert record["steps"] == 100


class Told(gymnasium.Env[Any, Any]):
    """Ends its episodes after three steps, and tells rewards and flags in some type."""

    observation_space, action_space = gymnasium.spaces.Discrete(9), gymnasium.spaces.Discrete(2)

    def __init__(self, reward: Any, flag: Any) -> None:
        self._reward, self._flag, self._steps = reward, flag, 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Begin."""
        self._steps = 0
        return 0, {}

    def step(self, action: Any) -> Any:
        """Count."""
        self._steps += 1
        return 0, self._reward, self._flag(self._steps == 3), self._flag(False), {}


@pytest.mark.parametrize("reward", [2, 2.0, np.float32(2), np.array(2.0), np.array([2]), [2.0]], ids=repr)
@pytest.mark.parametrize("flag", [bool, int, np.bool_, np.array], ids=lambda flag: flag.__name__)
def test_rewards_and_flags_of_a_single_environment_may_be_of_any_type(watch: Watch, reward: Any, flag: Any) -> None:
    env = watch(Told(reward, flag))
    for _ in range(3):
        env.reset()
        for _ in range(3):
            env.step(0)
    record = last_record(env)
    assert (record["episodes"], record["steps"], record["returns"][1], record["lengths"][1]) == (3, 9, 6.0, 3.0)


class Earning(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Earns rewards of all sizes, and tells results in some type, in new arrays or in the same ones again."""

    def __init__(self, n: int, types: tuple[Any, ...], again: bool) -> None:
        self.num_envs, self._types, self._again = n, types, again
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self._rng = np.random.default_rng(n)
        self.totals, self.ended = np.zeros(n), list[float]()
        self._told: Any = None

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        """Begin."""
        return np.zeros(self.num_envs), {}

    def step(self, actions: Any) -> Any:
        """Earn, and count."""
        rewards = self._rng.normal(size=self.num_envs) * 10.0 ** self._rng.integers(-3, 4, self.num_envs)
        over = self._rng.random(self.num_envs) < 0.05
        told = [kind(values) for kind, values in zip(self._types, (rewards, over, np.zeros_like(over)), strict=True)]
        self.totals += np.asarray(told[0], np.float64)
        self.ended += self.totals[over].tolist()
        self.totals[over] = 0.0
        if self._again and self._told is not None:
            for mine, values in zip(self._told, told, strict=True):
                mine[...] = values
        else:
            self._told = told
        return np.zeros(self.num_envs), *self._told, {}


TYPES: dict[str, tuple[Any, ...]] = {
    "usual": (np.array, np.array, np.array),
    "float32": (np.float32, np.uint8, np.int64),
    "ints": (np.int64, np.int64, np.array),
    "lists": (list, list, list),
    "flags in lists": (np.array, list, tuple),
    "big-endian": (lambda values: values.astype(">f8"), np.array, np.float64),
}


@pytest.mark.parametrize("n", [1, 3, 300])
@pytest.mark.parametrize("types", TYPES)
def test_returns_are_sums_of_rewards(watch: Watch, types: str, n: int) -> None:
    """Whatever the results are made of, and however many steps are counted at a time."""
    for again in (False, True)[: 2 if types in ("usual", "float32", "ints") else 1]:
        inner = Earning(n, TYPES[types], again)
        envs = watch(inner)
        envs.reset()
        for _ in range(500):
            envs.step(None)
        monitor = monitor_of(envs)
        monitor._catch_up()
        np.testing.assert_allclose(monitor._returns, inner.totals, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(monitor.run.ended._returns.latest(100_000), inner.ended, rtol=1e-9, atol=1e-9)


def test_steps_after_results_that_came_one_by_one(watch: Watch) -> None:
    """An episode that ended among these leaves nothing to the next one."""
    envs = watch(gymnasium.make_vec("CartPole-v1", 2))
    envs.action_space.seed(1)
    envs.reset(seed=1)
    lengths, ended, resting = np.zeros(2, np.int64), list[int](), np.zeros(2, np.bool_)
    for t in range(300):
        if t // 7 % 2:
            _, _, terminated, truncated, _ = envs.step(envs.action_space.sample())
        else:
            envs.send(envs.action_space.sample())
            _, _, terminated, truncated, _ = envs.recv(2)
        lengths = np.where(resting, 0, lengths + 1)
        resting = terminated | truncated
        ended += lengths[resting].tolist()
    monitor = monitor_of(envs)
    monitor._catch_up()
    assert monitor.run.ended._lengths.latest(1000) == ended
    assert monitor.run.ended._returns.latest(1000) == ended
    assert len(ended) > 10


def test_infinite_rewards_warn_nobody(watch: Watch) -> None:
    env = watch(Told(np.inf, bool))
    env.reset()
    env.step(0)
    env.unwrapped._reward = -np.inf
    env.step(0)
    assert last_record(env)["steps"] == 2


def test_a_forked_process_keeps_no_steps(watch: Watch) -> None:
    envs = watch(gymnasium.make_vec("CartPole-v1", 2))
    envs.reset(seed=0)
    monitor = monitor_of(envs)
    monitor.run._owner += 1  # as if this were another process
    monitor.run.due = 0.0
    for _ in range(100):
        envs.step(np.zeros(2, np.int64))
    assert not monitor._waiting
    monitor.run._owner -= 1


def test_tensors_are_counted(watch: Watch) -> None:
    torch = pytest.importorskip("torch")
    envs = watch(gymnasium.wrappers.vector.NumpyToTorch(gymnasium.make_vec("CartPole-v1", 3)))
    envs.reset(seed=1)
    for _ in range(40):
        envs.step(torch.zeros(3, dtype=torch.int64))

    record = last_record(envs)
    assert record["episodes"] > 3
    assert 5 < record["returns"][1] < 20
