"""A `VecEnv` around any batch does what Stable-Baselines3's `DummyVecEnv` does with the same environments."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import gymnasium as gym
from gymnasium.spaces.batching import batch_space
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers
from tests.palaestra.adapters.toys import Bits, Rooms

pytest.importorskip("stable_baselines3")
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

from palaestra.adapters.stable_baselines3 import VecEnv

N = 3
COMPILED = ("CartPole-v1", "Pendulum-v1", "FrozenLake-v1", "Blackjack-v1")
# Steps until something ends.
STEPS = {"Pendulum-v1": 202, "Hopper-v5": 60}


def same(ours, theirs):
    """Also in dtypes and shapes; numbers may be NumPy's."""
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for key in theirs:
            same(ours[key], theirs[key])
    elif isinstance(theirs, tuple):
        for one, other in zip(ours, theirs, strict=True):
            same(one, other)
    else:
        assert (np.asarray(ours).dtype, np.shape(ours)) == (np.asarray(theirs).dtype, np.shape(theirs))
        assert np.array_equal(ours, theirs)


def same_infos(ours, theirs, subset=False):
    """`"TimeLimit.truncated"` may be left out where no episode ends; with `subset`, ours may report more."""
    for one, other in zip(ours, theirs, strict=True):
        other = {key: value for key, value in other.items() if "terminal_observation" in other or "." not in key}
        kept = {key: one[key] for key in other} if subset else one
        assert kept.keys() == other.keys()
        for key, value in other.items():
            if key == "terminal_observation":
                same(kept[key], value)
            else:
                np.testing.assert_equal(kept[key], value)


def compare(envs, make, steps=60, subset=False):
    """Take the same random actions in both, from the same seeds."""
    ours, theirs = VecEnv(envs), DummyVecEnv([make] * N)
    ends = 0
    try:
        assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
        assert ours.seed(5) == theirs.seed(5)
        kept = ours.reset(), theirs.reset()
        same(*kept)
        same_infos(ours.reset_infos, theirs.reset_infos)
        space = batch_space(theirs.action_space, N)
        space.seed(0)
        for _ in range(steps):
            actions = space.sample()
            result, expected = ours.step(actions), theirs.step(actions)
            for one, other in zip(result[:3], expected[:3], strict=True):
                same(one, other)
            same(*kept)  # agents look at an observation again after the step
            kept = result[0], expected[0]
            same_infos(result[3], expected[3], subset)
            same_infos(ours.reset_infos, theirs.reset_infos, subset)
            ends += int(result[2].sum())
    finally:
        ours.close()
        theirs.close()
    assert ends > 0


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("env_id", COMPILED)
def test_compiled(env_id, mode):
    envs = gym.make_vec(env_id, N, "vector_entry_point", vector_kwargs={"autoreset_mode": mode})
    compare(envs, partial(gym.make, env_id), STEPS.get(env_id, 60))


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("make", [partial(gym.make, "CartPole-v1"), partial(gym.make, "FrozenLake-v1"), Rooms, Bits])
def test_sync(make, mode, copy):
    """Dicts of observations too. In the mode SAME_STEP the info of a last step has the keys of the reset besides."""
    envs = SyncVectorEnv([make] * N, copy=copy, autoreset_mode=mode)
    compare(envs, make, subset=mode is AutoresetMode.SAME_STEP)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_async(mode):
    envs = AsyncVectorEnv([Rooms] * N, autoreset_mode=mode, num_workers=2)
    compare(envs, Rooms, subset=mode is AutoresetMode.SAME_STEP)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_memory_that_a_compiled_batch_reuses(mode):
    envs = gym.make_vec("CartPole-v1", N, vector_kwargs={"autoreset_mode": mode, "copy": False})
    compare(envs, partial(gym.make, "CartPole-v1"))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_robots(mode):
    envs = gym.make_vec("Hopper-v5", N, "vector_entry_point", vector_kwargs={"autoreset_mode": mode})
    compare(envs, partial(gym.make, "Hopper-v5"), STEPS["Hopper-v5"])


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("kind", ["sync", "vector_entry_point"])
def test_vector_wrappers(kind, mode):
    """The twins of wrappers for one environment: last observations are changed too."""

    def single():
        stacked = gym.wrappers.FrameStackObservation(gym.make("CartPole-v1"), 2)
        return gym.wrappers.ClipReward(gym.wrappers.FlattenObservation(stacked), 0, 0.5)

    envs = gym.make_vec("CartPole-v1", N, kind, vector_kwargs={"autoreset_mode": mode})
    envs = wrappers.FlattenObservation(wrappers.FrameStackObservation(envs, 2))
    compare(wrappers.ClipReward(envs, 0, 0.5), single)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_statistics_of_every_environment_alone(mode):
    """Of the wrapper that normalises by its own environment's moments only, and so differs in every row."""

    def make():
        return gym.wrappers.NormalizeObservation(gym.make("CartPole-v1"))

    compare(SyncVectorEnv([make] * N, autoreset_mode=mode), make)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_monitors_inside(mode):
    """Their returns and lengths come in the infos, as Stable-Baselines3 reads them."""

    def make():
        return Monitor(gym.make("CartPole-v1"))

    ours = VecEnv(SyncVectorEnv([make] * N, autoreset_mode=mode))
    theirs = DummyVecEnv([make] * N)
    found = []
    for envs in (ours, theirs):
        envs.seed(5)
        envs.reset()
        infos = [info for t in range(60) for info in envs.step(np.full(N, t % 3 == 0, int))[3]]
        found.append([(info["episode"]["r"], info["episode"]["l"]) for info in infos if "episode" in info])
    assert found[0] == found[1] != []


def test_tensors_come_as_arrays():
    pytest.importorskip("torch")
    envs = gym.make_vec("CartPole-v1", N, vector_kwargs={"autoreset_mode": "SameStep"})
    ours = VecEnv(wrappers.NumpyToTorch(envs))
    ours.reset()
    for _ in range(40):
        observations, rewards, dones, infos = ours.step(np.ones(N, int))
        assert (type(observations), rewards.dtype, dones.dtype) == (np.ndarray, np.float32, bool)
        assert all(type(infos[i]["terminal_observation"]) is np.ndarray for i in np.flatnonzero(dones))


def test_batches_of_jax():
    """They know of no seeds but one for all, and come in the mode SAME_STEP."""
    pytest.importorskip("jax")
    ours = VecEnv(gym.make_vec("CartPole-v1", N, "jax", vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP}))
    seen = []
    for _ in range(2):
        ours.seed(3)
        seen.append([ours.reset(), *(ours.step(np.ones(N, int)) for _ in range(15))])
    assert np.array_equal(seen[0][0], seen[1][0])
    ended = [step for step in seen[0][1:] if step[2].any()]
    assert ended
    for observations, rewards, dones, infos in ended:
        i = int(dones.argmax())
        assert abs(infos[i]["terminal_observation"][2]) > 0.2 > abs(observations[i][2])  # rad
        assert infos[i]["TimeLimit.truncated"] is False
        assert rewards.dtype == np.float32
