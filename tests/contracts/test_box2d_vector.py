"""Many copies of a Box2D environment: in worker processes where that pays, with the bits of one after the other."""

from __future__ import annotations

import os

import numpy as np
import pytest

import gymnasium
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from palaestra.cli import main

IDS = [
    env_id for env_id, spec in gymnasium.registry.items() if str(spec.entry_point).startswith("gymnasium.envs.box2d.")
]
NEWEST = [env_id for env_id in IDS if env_id.endswith("-v3")]


def _rollout(envs, steps):
    envs.action_space.seed(0)
    found = [envs.reset(seed=3)[0].tobytes()]
    for _ in range(steps):
        observations, rewards, terminated, *_ = envs.step(envs.action_space.sample())
        found.append((observations.tobytes(), rewards.tobytes(), terminated.tobytes()))
    envs.close()
    return found


@pytest.mark.parametrize("env_id", NEWEST)
def test_workers_and_sync_agree_to_the_bit(env_id) -> None:
    steps = 25 if env_id.startswith("Car") else 120
    workers, sync = (gymnasium.make_vec(env_id, 3, mode) for mode in ("async", "sync"))
    assert _rollout(workers, steps) == _rollout(sync, steps)


@pytest.mark.parametrize("env_id", NEWEST)
def test_a_batch_draws_what_a_single_environment_draws(env_id) -> None:
    singles = [gymnasium.make(env_id, render_mode="rgb_array") for _ in range(2)]
    batches = [gymnasium.make_vec(env_id, 2, mode, render_mode="rgb_array") for mode in ("async", "sync")]
    for i, env in enumerate(singles):
        env.reset(seed=3 + i)
    for batch in batches:
        batch.reset(seed=3)
    batches[0].action_space.seed(0)
    for _ in range(12):
        actions = batches[0].action_space.sample()
        for env, action in zip(singles, actions, strict=True):
            env.step(action)
        for batch in batches:
            batch.step(actions)
        frames = [env.render() for env in singles]
        for batch in batches:
            assert np.array_equal(batch.render(), frames)
    for envs in (*singles, *batches):
        envs.close()


@pytest.mark.parametrize(("cores", "n", "kind"), [(2, 2, AsyncVectorEnv), (1, 2, SyncVectorEnv), (2, 1, SyncVectorEnv)])
def test_the_default_is_workers_where_there_are_cores(monkeypatch, cores, n, kind) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    envs = gymnasium.make_vec("LunarLander-v3", n)
    assert type(envs.unwrapped) is kind
    envs.close()


def test_show_says_how_make_vec_runs_it(monkeypatch, capsys) -> None:
    for cores, words in ((2, "in worker processes"), (1, "one after the other")):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, cores=cores: set(range(cores)), raising=False)
        assert main(["show", "LunarLander-v3"]) == 0
        assert words in capsys.readouterr().out


def test_every_id_is_there() -> None:
    assert np.unique(IDS).tolist() == [
        "BipedalWalker-v3",
        "BipedalWalkerHardcore-v3",
        "CarRacing-v3",
        "LunarLander-v2",
        "LunarLander-v3",
        "LunarLanderContinuous-v2",
        "LunarLanderContinuous-v3",
    ]
