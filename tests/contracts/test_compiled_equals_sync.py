"""The law of the compiled runner: its trajectories are those of `SyncVectorEnv`, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium import make_vec
from gymnasium.vector import AutoresetMode
from palaestra.language.program import WIDTH
from palaestra.runner.kernels import pool, runner
from tests.contracts.compiled_law import IDS, MODES, assert_same, assert_same_streams, pair


@pytest.fixture(params=[1, 2])
def num_threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """With two threads, chunks are so small that few environments are shared too: eight in lanes, and some more."""
    monkeypatch.setattr(runner, "SHARED_FROM", 2)
    monkeypatch.setattr(pool, "ROWS_TOGETHER", WIDTH)
    return int(request.param)


def assert_same_episodes(ours: Any, sync: Any, mode: AutoresetMode, steps: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sync.action_space.seed(seed)
    assert_same(ours.reset(seed=seed), sync.reset(seed=seed), "reset")
    for t in range(steps):
        actions = sync.action_space.sample()
        result = sync.step(actions)
        assert_same(ours.step(actions), result, f"step {t}")
        done = result[2] | result[3]
        mask = done if mode is AutoresetMode.DISABLED else rng.random(len(done)) < 0.02
        if mask.any():
            options = {"reset_mask": mask}
            assert_same(ours.reset(options=options), sync.reset(options=options), f"reset after step {t}")
    assert_same_streams(ours, sync)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("env_id", IDS)
def test_compiled_is_sync(env_id: str, mode: AutoresetMode, num_threads: int) -> None:
    ours, sync = pair(env_id, 20, mode, num_threads=num_threads)
    for seed in (0, 2**31, 2**64 + 5):
        assert_same_episodes(ours, sync, mode, 80, seed)
    ours.close()


def test_a_large_batch_is_shared_between_threads_and_the_same() -> None:
    ours, sync = pair("CartPole-v1", 2_000, AutoresetMode.NEXT_STEP, num_threads=3)
    assert_same_episodes(ours, sync, AutoresetMode.NEXT_STEP, 60, 1)
    ours.close()


def test_episodes_of_full_length_end_at_the_limit_of_the_spec() -> None:
    ours, sync = pair("Pendulum-v1", 3, AutoresetMode.SAME_STEP, limit=200)
    assert_same_episodes(ours, sync, AutoresetMode.SAME_STEP, 450, 2)


@pytest.mark.parametrize("seeds", [[3, None, 1, 4], np.array([9, 8, 7, 6]), [2**130, 0, 2**128 - 1, 2**32]])
def test_seeds_of_each_environment(seeds: Any) -> None:
    ours, sync = pair("Taxi-v4", 4, AutoresetMode.NEXT_STEP)
    ours.reset(seed=0)
    sync.reset(seed=0)
    assert_same(ours.reset(seed=seeds), sync.reset(seed=seeds), "reset")
    assert_same_streams(ours, sync)


@pytest.mark.parametrize(
    ("env_id", "options"),
    [
        ("MountainCar-v0", {"low": -0.5, "high": -0.45}),
        ("Acrobot-v1", {"low": 0.5, "high": 2.0}),
        ("Pendulum-v1", {"x_init": 0.1, "y_init": 0.0}),
        ("CartPole-v1", [{"low": 0.0}, None, {"high": 0.2}]),
        ("MountainCarContinuous-v0", [None, {"low": -0.5}, None]),
    ],
)
def test_options_of_a_reset(env_id: str, options: Any) -> None:
    ours, sync = pair(env_id, 3, AutoresetMode.DISABLED)
    assert_same(ours.reset(seed=3, options=options), sync.reset(seed=3, options=options), "reset")
    actions = sync.action_space.sample()
    assert_same(ours.step(actions), sync.step(actions), "step")
    assert_same(ours.reset(), sync.reset(), "reset without options")


@pytest.mark.parametrize(
    ("env_id", "name", "values"),
    [
        ("CartPole-v1", "gravity", 3.7),
        ("CartPole-v1", "length", [0.5, 0.6, 0.7]),
        ("CartPole-v1", "kinematics_integrator", ["euler", "semi-implicit euler", "euler"]),
        ("Acrobot-v1", "AVAIL_TORQUE", (np.array([-2.0, 0.0, 2.0]),) * 3),
        ("Acrobot-v1", "torque_noise_max", 0.5),
        ("Acrobot-v1", "book_or_nips", "nips"),
        ("Pendulum-v1", "m", [1, 2, 3]),
        ("Blackjack-v1", "natural", True),
        ("Taxi-v4", "fickle_passenger", True),
        ("CartPole-v1", "state", [[0.0, 1.0, 0.1, -1.0]] * 3),
        ("FrozenLake-v1", "s", [5, 6, 14]),
    ],
)
def test_attributes_set_on_the_environments(env_id: str, name: str, values: Any) -> None:
    ours, sync = pair(env_id, 3, AutoresetMode.NEXT_STEP)
    for envs in (ours, sync):
        envs.reset(seed=3)
        envs.set_attr(name, values)
    assert_same(ours.get_attr(name), sync.get_attr(name), name)
    sync.action_space.seed(0)
    for t in range(60):
        actions = sync.action_space.sample()
        assert_same(ours.step(actions), sync.step(actions), f"step {t}")


def test_a_table_with_other_kinds_of_numbers_can_be_set() -> None:
    ours, sync = pair("FrozenLake-v1", 2, AutoresetMode.NEXT_STEP)
    transitions = sync.envs[0].unwrapped.P
    halves = {
        s: {action: [(p, to, reward / 2, end) for p, to, reward, end in row] for action, row in rows.items()}
        for s, rows in transitions.items()
    }
    for envs in (ours, sync):
        envs.reset(seed=3)
        envs.set_attr("P", [halves, transitions])
    sync.action_space.seed(0)
    for t in range(200):
        actions = sync.action_space.sample()
        assert_same(ours.step(actions), sync.step(actions), f"step {t}")


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP], ids=lambda mode: mode.name)
def test_send_and_recv(mode: AutoresetMode) -> None:
    ours, sync = pair("Taxi-v4", 5, mode, limit=6)
    assert_same(ours.reset(seed=1), sync.reset(seed=1), "reset")
    rng = np.random.default_rng(0)
    for t in range(40):
        ids = rng.permutation(5)[: rng.integers(1, 6)]
        actions = rng.integers(0, 6, len(ids))
        for envs in (ours, sync):
            envs.send(actions, ids)
        assert_same(ours.recv(len(ids)), sync.recv(len(ids)), f"recv {t}")
    actions = sync.action_space.sample()
    assert_same(ours.step(actions), sync.step(actions), "step")


def test_pictures_and_texts() -> None:
    for mode in ("rgb_array", "ansi"):
        ours, sync = (make_vec("Taxi-v4", 2, kind, render_mode=mode) for kind in ("vector_entry_point", "sync"))
        for envs in (ours, sync):
            envs.reset(seed=4)
            envs.step(np.array([0, 3]))
        assert_same(ours.render(), sync.render(), mode)
        assert_same(ours.render_one(1), sync.render()[1], mode)
        ours.close()
