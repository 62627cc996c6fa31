"""An episode that was recorded, by any runner, runs again as a single environment: the same bits at every step."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import palaestra
from docs._tools.atari import register as register_games
from gymnasium import Env, make, make_vec, register, wrappers
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode
from palaestra import Replay, restore, snapshot
from tests.contracts.test_states import IDS
from tests.spaces_zoo import SPACES
from tests.wrapper_zoo import CASES, Case, make_env, register_toys

STEPS = 12  # of an episode at most

every_mode = pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
old_versions = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*out of date", "ignore:.*Overriding")


@pytest.fixture(autouse=True)
def _toys() -> None:
    register_toys()


def play_alone(env: Any, episodes: int, seed: int = 3) -> None:
    """Episodes of random actions; only the first is seeded."""
    env.action_space.seed(1)
    for k in range(episodes):
        env.reset(seed=None if k else seed)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            over = terminated or truncated


def play_batch(envs: Any, steps: int, seed: Any = 3) -> None:
    """Random actions in all environments."""
    envs.action_space.seed(1)
    envs.reset(seed=seed)
    for _ in range(steps):
        _, _, terminated, truncated, _ = envs.step(envs.action_space.sample())
        over = np.logical_or(terminated, truncated)
        if envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED and over.any():
            envs.reset(options={"reset_mask": over})


def replays(folder: Path, trusted: bool = False) -> list[Replay]:
    return [Replay.load(path, trusted=trusted) for path in sorted(folder.iterdir())]


def assert_equal(folder: Path, episodes: int, trusted: bool = False) -> None:
    """There are so many replays, and each runs as it did: in one environment, and the last in its own."""
    found = replays(folder, trusted)
    assert len(found) >= episodes
    env = found[0].make()
    for replay in found:
        verification = replay.verify(env if replay.spec == found[0].spec and replay is not found[-1] else None)
        assert verification, f"{replay!r}: {verification}"
        assert verification.steps == len(replay) == len(replay.actions) == len(replay.rewards)
    env.close()


@old_versions
@pytest.mark.parametrize("env_id", IDS)
def test_single_environments(env_id: str, tmp_path: Path) -> None:
    env = palaestra.recording.RecordReplays(make(env_id, max_episode_steps=STEPS), tmp_path)
    play_alone(env, 3)
    env.close()
    assert_equal(tmp_path, 3)
    assert sorted(replay.seed is None for replay in replays(tmp_path)) == [False, True, True]


def test_atari(tmp_path: Path) -> None:
    pytest.importorskip("ale_py")
    register_games()
    env = make("ALE/Breakout-v5", repeat_action_probability=0.25, max_episode_steps=STEPS)
    play_alone(palaestra.recording.RecordReplays(env, tmp_path), 3)
    assert_equal(tmp_path, 3)


@pytest.mark.usefixtures("here_little_optimised")
@pytest.mark.parametrize("env_id", ["tabular/Blackjack-v0", "phys2d/Pendulum-v0"])
def test_jax(env_id: str, tmp_path: Path) -> None:
    """Single environments, and batches of them; a batch with one key for all has no episodes of its own."""
    pytest.importorskip("jax")
    play_alone(palaestra.recording.RecordReplays(make(env_id, max_episode_steps=STEPS), tmp_path), 3)
    envs = make_vec(env_id, 2, vectorization_mode="sync", max_episode_steps=STEPS)
    play_batch(palaestra.recording.vector.RecordReplays(envs, tmp_path), 2 * STEPS)
    assert_equal(tmp_path, 5)


def test_a_batch_with_one_key_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    with pytest.raises(ValueError, match="one source of random numbers"):
        palaestra.recording.vector.RecordReplays(make_vec("phys2d/CartPole-v1", 2), tmp_path / "new")
    assert not list(tmp_path.iterdir())


# Functions have no JSON. A game has no state, and is recorded below.
REMADE = [case for case in CASES if "func" not in case.kwargs and not case.env_id.startswith("zoo/Game")]


@pytest.mark.parametrize("case", REMADE, ids=str)
def test_wrappers(case: Case, tmp_path: Path) -> None:
    """What a wrapper remembers of earlier episodes is part of the beginning of the next."""
    env = getattr(wrappers, case.name)(case.env(), **case.kwargs)
    recorded = palaestra.recording.RecordReplays(env, tmp_path)
    recorded.action_space.seed(1)
    for k in range(3):
        recorded.reset(seed=k if k != 1 else None)
        for _ in range(60):
            if any(recorded.step(recorded.action_space.sample())[2:4]):
                break
    assert_equal(tmp_path, 3, trusted=case.name not in wrappers.IN_FILES)


def test_wrappers_with_functions_are_refused(tmp_path: Path) -> None:
    env = wrappers.TransformReward(make("CartPole-v1"), lambda reward: -reward)
    with pytest.raises(ValueError, match="has no JSON"):
        palaestra.recording.RecordReplays(env, tmp_path / "new")
    assert not list(tmp_path.iterdir())


RUNNERS = {"CartPole-v1": [None, "sync", "async"], "Pendulum-v1": [None, "sync"], "Blackjack-v1": [None, "sync"]}
RUNNERS |= {"FrozenLake-v1": [None], "Taxi-v4": [None], "Acrobot-v1": [None], "MountainCarContinuous-v0": [None]}
RUNNERS |= {"Hopper-v5": [None, "sync"], "Reacher-v5": [None], "Ant-v4": [None], "LunarLander-v3": ["sync", "async"]}


@every_mode
@pytest.mark.parametrize("env_id, runner", [(env_id, one) for env_id, all in RUNNERS.items() for one in all])
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*out of date")
def test_batches(env_id: str, runner: str | None, mode: AutoresetMode, tmp_path: Path) -> None:
    kwargs: dict[str, Any] = {"vector_kwargs": {"autoreset_mode": mode}, "max_episode_steps": STEPS}
    for seed in (3, [7, None, 8], None):
        envs = make_vec(env_id, 3, vectorization_mode=runner, **kwargs)
        envs = palaestra.recording.vector.RecordReplays(envs, tmp_path)
        play_batch(envs, 2 * STEPS + 5, seed)
        envs.close()
    assert_equal(tmp_path, 3 * 3 * 2)


@every_mode
def test_wrappers_around_each_environment_of_a_batch(mode: AutoresetMode, tmp_path: Path) -> None:
    envs = make_vec(
        "Pendulum-v1",
        2,
        vectorization_mode="sync",
        wrappers=[wrappers.NormalizeReward, wrappers.FlattenObservation],
        vector_kwargs={"autoreset_mode": mode},
        max_episode_steps=STEPS,
    )
    envs = wrappers.vector.RecordEpisodeStatistics(palaestra.recording.vector.RecordReplays(envs, tmp_path))
    play_batch(envs, 3 * STEPS)
    assert_equal(tmp_path, 4)


@every_mode
@pytest.mark.parametrize("env_id", ["zoo/Parts-v0", "zoo/Words-v0", "zoo/Flags-v0"])
def test_observations_of_several_parts(env_id: str, mode: AutoresetMode, tmp_path: Path) -> None:
    envs = make_vec(env_id, 3, vectorization_mode="sync", max_episode_steps=7, vector_kwargs={"autoreset_mode": mode})
    play_batch(palaestra.recording.vector.RecordReplays(envs, tmp_path), 30)
    play_alone(palaestra.recording.RecordReplays(make_env(env_id), tmp_path), 3)
    assert_equal(tmp_path, 10)


class Hashing(Env[Any, Any]):
    """Takes actions of a space of the zoo; its rewards depend on all of them."""

    observation_space = Discrete(20)

    def __init__(self, k: int) -> None:
        self.action_space = deepcopy(SPACES[k])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self.t, self.sum = 0, int(self.np_random.integers(99))
        return 0, {}

    def step(self, action: Any) -> tuple[int, float, bool, bool, dict[str, Any]]:
        assert action in self.action_space
        self.t, self.sum = self.t + 1, crc32(repr(action).encode(), self.sum)
        return self.t, float(self.sum), self.t == 5, False, {}


@pytest.mark.parametrize("k", range(len(SPACES)), ids=[str(space)[:40] for space in SPACES])
def test_actions_of_every_space(k: int, tmp_path: Path) -> None:
    """In replays, and in the logs of `RecordActions`."""
    register("Hashing-v0", Hashing, kwargs={"k": k}, disable_env_checker=True)
    env: Any = palaestra.recording.RecordReplays(make("Hashing-v0"), tmp_path)
    play_alone(env, 2)
    env.close()
    assert_equal(tmp_path, 2)

    env = palaestra.recording.RecordActions(Hashing(k))
    env.action_space.seed(1)
    env.reset(seed=1)
    for _ in range(3):
        env.step(env.action_space.sample())
    moment, action = snapshot(env, fallback="replay"), env.action_space.sample()
    results = [env.step(action)]
    env.reset(seed=2)
    restore(env, moment)
    results.append(env.step(action))
    assert results[0] == results[1]


def test_actions_as_lists_and_in_other_dtypes(tmp_path: Path) -> None:
    """A replay gives an environment what its program gave it."""
    for runner in (None, "sync"):
        envs = make_vec("Pendulum-v1", 2, vectorization_mode=runner, max_episode_steps=3)
        envs = palaestra.recording.vector.RecordReplays(envs, tmp_path)
        envs.reset(seed=1)
        for actions in ([[0.1], [0.7]], np.array([[0.1], [0.3]]), np.array([[1], [-1]], np.int8)):
            envs.step(actions)
    env = palaestra.recording.RecordReplays(make("CartPole-v1", max_episode_steps=3), tmp_path)
    env.reset(seed=2)
    for action in (1, np.int8(0), np.array(1)):
        env.step(action)
    assert_equal(tmp_path, 5)


def test_a_spec_with_wrong_arguments_is_refused_when_it_runs(tmp_path: Path) -> None:
    env = palaestra.recording.RecordReplays(make("CartPole-v1"), tmp_path)
    play_alone(env, 1)
    env.close()
    data = deepcopy(replays(tmp_path)[0]._data)
    data["spec"] = data["spec"].replace('"kwargs": {}', '"kwargs": {"unheard_of": 1}', 1)
    with pytest.raises(ValueError, match=r"the spec of .* is refused"):
        Replay(data).verify()
