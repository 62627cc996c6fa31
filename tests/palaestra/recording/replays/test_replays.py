"""Replays as files and as objects: what a user does with one, and what is refused."""

from __future__ import annotations

import json
import os
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium import make, make_vec, wrappers
from gymnasium.error import Error, InvalidAction, NameNotFound, VersionNotFound
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.states import files
from gymnasium.states.stacks import stacked
from palaestra import Replay
from palaestra.recording.replays import machine
from tests.wrapper_zoo import register_toys


@pytest.fixture(autouse=True)
def _toys() -> None:
    register_toys()


@pytest.mark.parametrize(
    ("entry_point", "library"),
    [("gymnasium.envs.mujoco.ant_v5:AntEnv", "mujoco"), ("llvmlite.ir:Env", "llvmlite"), (pytest.Item, "_pytest")],
)
def test_the_version_of_an_environments_library_is_noted(entry_point: Any, library: str) -> None:
    expected = "unknown" if library == "_pytest" else metadata.version(library)
    assert machine.versions(entry_point)[library] == expected


def recorded(folder: Path, env_id: str = "CartPole-v1", seed: int | None = 5, **kwargs: Any) -> Path:
    """The file of an episode of random actions."""
    env = palaestra.recording.RecordReplays(make(env_id, **{"max_episode_steps": 9, **kwargs}), folder)
    env.action_space.seed(1)
    env.reset(seed=seed)
    while not any(env.step(env.action_space.sample())[2:4]):
        pass
    env.close()
    return folder / "episode_0.replay"


def changed(path: Path, **parts: Any) -> Replay:
    """The replay in a file, with other parts."""
    return Replay({**files.read(path, "replay"), **parts})


def test_a_replay_tells_what_it_holds(tmp_path):
    replay = Replay.load(recorded(tmp_path))

    assert replay.spec.id == "CartPole-v1"
    assert replay.spec.max_episode_steps == 9
    assert (replay.seed, replay.options, len(replay)) == (5, None, 9)
    assert replay.rewards.tolist() == [1.0] * 9
    assert (replay.terminated, replay.truncated, replay.runner) == (False, True, "CartPoleEnv")
    assert replay.made_on["numpy"] == np.__version__
    assert repr(replay) == "<Replay of CartPole-v1, seed 5: 9 steps, return 9>"
    assert all(type(action) is np.int64 for action in replay.actions)


def test_a_user_steps_through_it(tmp_path):
    """By the loop of an agent, and by an iterator; both see what happened."""
    env = make("CartPole-v1", max_episode_steps=9)
    seen = [env.reset(seed=5)[0]]
    replay = Replay.load(recorded(tmp_path))
    seen += [env.step(action)[0] for action in replay.actions]

    again = replay.make(render_mode="rgb_array")
    observation, _ = replay.begin(again)
    looped = [observation] + [again.step(action)[0] for action in replay.actions]
    steps = list(replay.run())

    assert again.render().shape == (400, 600, 3)
    assert np.array_equal(seen, looped)
    assert np.array_equal(seen, [step.observation for step in steps])
    assert (steps[0].reward, steps[-1].reward, steps[-1].truncated) == (0.0, 1.0, True)


def test_options_and_reset_without_seed(tmp_path):
    env = palaestra.recording.RecordReplays(make("Pendulum-v1", max_episode_steps=4), tmp_path)
    for seed in (1, None):
        env.reset(seed=seed, options={"x_init": 0.5, "y_init": 0.25})
        for _ in range(4):
            env.step(np.array([0.5], np.float32))
    for k in range(2):
        replay = Replay.load(tmp_path / f"episode_{k}.replay")
        assert replay.options == {"x_init": 0.5, "y_init": 0.25}
        assert replay.verify()


def test_a_saved_replay_is_the_same(tmp_path):
    path = recorded(tmp_path)
    Replay.load(path).save(tmp_path / "copy.replay")
    assert files.read(tmp_path / "copy.replay", "replay").keys() == files.read(path, "replay").keys()
    assert Replay.load(tmp_path / "copy.replay").verify()


def test_a_change_is_found_and_named(tmp_path):
    path = recorded(tmp_path)
    data = files.read(path, "replay")
    digests, rewards, ends = data["digests"].copy(), data["rewards"].copy(), data["terminated"].copy()
    digests[4, 0] ^= np.uint64(1)
    rewards[6] = 2.5
    ends[2] = True
    cases = [
        ({"digests": digests}, 4, "observation"),
        ({"rewards": rewards}, 7, "reward"),
        ({"terminated": ends}, 3, "terminated"),
        ({"names": ["observation['x']"]}, 0, "the space of observations"),
    ]
    for parts, step, value in cases:
        verification = changed(path, **parts).verify()
        assert not verification
        assert (verification.steps, verification.step, verification.value) == (step, step, value)
        assert str(verification).startswith(f"{value} differs at ")
    assert "2.5 was recorded, 1.0 came" in str(changed(path, rewards=rewards).verify())


def test_the_bits_of_a_reward_are_compared(tmp_path):
    path = recorded(tmp_path, "FrozenLake-v1", is_slippery=False)
    minus_zero = -np.zeros_like(files.read(path, "replay")["rewards"])
    assert changed(path, rewards=minus_zero).verify().value == "reward"


def test_other_dynamics_are_found(tmp_path):
    """Gravity is no part of a spec: a run with another one is another run."""
    replay = Replay.load(recorded(tmp_path, "Pendulum-v1"))
    other = replay.make(g=9.0)
    verification = replay.verify(other)
    assert (verification.step, verification.value) == (1, "observation")
    assert replay.verify()


def test_a_part_of_an_observation_is_named(tmp_path):
    path = recorded(tmp_path, "zoo/Parts-v0")
    replay = Replay.load(path)
    data = files.read(path, "replay")
    k = data["names"].index("observation['pair'][1]")
    digests = data["digests"].copy()
    digests[2, k] += np.uint64(1)
    assert replay.verify()
    assert changed(path, digests=digests).verify().value == "observation['pair'][1]"


def test_versions_that_changed_are_named(tmp_path):
    path = recorded(tmp_path)
    data = files.read(path, "replay")
    rewards = data["rewards"] + 1
    verification = changed(path, rewards=rewards, made_on={**data["made_on"], "numpy": "1.0"}).verify()
    assert verification.changes == {"numpy": ("1.0", np.__version__)}
    assert f"numpy 1.0 -> {np.__version__}" in str(verification)


def test_torn_and_foreign_files_are_refused(tmp_path):
    path, torn = recorded(tmp_path), tmp_path / "torn"
    whole = path.read_bytes()
    for content in (b"", whole[:100], whole[: len(whole) // 2], b"no archive" * 99, whole[:-1]):
        torn.write_bytes(content)
        with pytest.raises(ValueError, match="no replay, or not a whole one"):
            Replay.load(torn)
    env = make("CartPole-v1")
    env.reset(seed=1)
    palaestra.snapshot(env).save(torn)
    with pytest.raises(ValueError, match="it is a gymnasium snapshot"):
        Replay.load(torn)
    with pytest.raises(ValueError, match="it is a gymnasium replay"):
        palaestra.Snapshot.load(path)
    for data in ({}, {"spec": 3}, [], {**files.read(path, "replay"), "rewards": np.zeros(2)}):
        files.write(torn, "replay", data)
        with pytest.raises(ValueError, match="no replay"):
            Replay.load(torn)
    with pytest.raises(OSError):
        Replay.load(tmp_path / "missing")
    with pytest.raises(OSError):
        Replay.load(tmp_path)


def test_damaged_bits_are_refused_or_do_no_harm(tmp_path):
    path, torn = recorded(tmp_path), tmp_path / "torn"
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[rng.integers(len(whole))] ^= 1 << int(rng.integers(8))
        torn.write_bytes(damaged)
        try:
            assert len(Replay.load(torn)) == 9
        except ValueError as error:
            assert str(torn) in str(error)


@pytest.mark.parametrize(
    "env_id, kind", [("Nowhere-v0", NameNotFound), ("CartPole-v9", VersionNotFound), ("os:CartPole-v1", ValueError)]
)
def test_ids_that_are_not_registered_are_refused(env_id, kind, tmp_path):
    path = recorded(tmp_path)
    data = files.read(path, "replay")
    spec = {**json.loads(data["spec"]), "id": env_id}
    files.write(path, "replay", {**data, "spec": json.dumps(spec), "module": "somewhere.else"})
    with pytest.raises(kind) as refused:
        Replay.load(path)
    assert kind is ValueError or "import that first" in str(refused.value)


def test_a_spec_that_names_code_is_refused(tmp_path):
    path = recorded(tmp_path)
    data = files.read(path, "replay")
    spec = {**json.loads(data["spec"]), "entry_point": "os:system"}
    files.write(path, "replay", {**data, "spec": json.dumps(spec)})
    with pytest.raises((ValueError, Error), match="os:system"):
        Replay.load(path)


@pytest.mark.parametrize("env_id, actions", [("CartPole-v1", [7]), ("CartPole-v1", ["left"]), ("Pendulum-v1", [0.5])])
def test_actions_outside_the_space_are_refused_before_anything_runs(env_id, actions, tmp_path):
    path = recorded(tmp_path, env_id)
    length = len(Replay.load(path))
    replay = changed(path, actions=stacked(Replay.load(path).actions[:-1] + actions))
    for run in (replay.verify, lambda: list(replay.run())):
        with pytest.raises(InvalidAction, match=f"Action {length} of the replay"):
            run()


def test_environments_that_cannot_be_made_again_are_refused(tmp_path):
    class Unknown(gymnasium.Wrapper[Any, Any, Any, Any]):
        pass

    bare = gymnasium.envs.classic_control.CartPoleEnv()
    for env, said in ((bare, "has none"), (Unknown(make("CartPole-v1")), "Unknown")):
        with pytest.raises(ValueError, match=said):
            palaestra.recording.RecordReplays(env, tmp_path / "new")
    envs = wrappers.vector.NormalizeObservation(make_vec("CartPole-v1", 2))
    with pytest.raises(ValueError, match="NormalizeObservation"):
        palaestra.recording.vector.RecordReplays(envs, tmp_path / "new")
    assert not list(tmp_path.iterdir())


def test_folders_that_cannot_be_written_are_refused(tmp_path):
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "inside"):
        with pytest.raises(OSError):
            palaestra.recording.RecordReplays(make("CartPole-v1"), folder)
        with pytest.raises(OSError):
            palaestra.recording.vector.RecordReplays(make_vec("CartPole-v1", 2), folder)
    with pytest.raises(ValueError, match="name_prefix"):
        palaestra.recording.RecordReplays(make("CartPole-v1"), tmp_path, "a/b")
    if os.geteuid():
        tmp_path.chmod(0o500)
        with pytest.raises(PermissionError):
            palaestra.recording.RecordReplays(make("CartPole-v1"), tmp_path)


def test_numbers_go_on_and_nothing_is_overwritten(tmp_path):
    one, other = (
        palaestra.recording.RecordReplays(make("CartPole-v1", max_episode_steps=2), tmp_path) for _ in range(2)
    )
    for env in (one, other, one):
        env.reset(seed=1)
        env.step(0), env.step(1)
    assert recorded(tmp_path).exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"episode_{k}.replay" for k in range(4)]
    assert (one.recorded_episodes, other.recorded_episodes) == (2, 1)


def test_a_trigger_chooses_episodes(tmp_path):
    env = make("CartPole-v1", max_episode_steps=2)
    env = palaestra.recording.RecordReplays(env, tmp_path, "some", episode_trigger=lambda episode: episode % 3 == 1)
    for k in range(7):
        env.reset(seed=k)
        env.step(0), env.step(1)
    found = sorted(tmp_path.iterdir())
    assert [path.name for path in found] == ["some_0.replay", "some_1.replay"]
    assert [Replay.load(path).seed for path in found] == [1, 4]


@pytest.mark.parametrize("keep", [False, True])
def test_interrupted_episodes(keep, tmp_path):
    env = palaestra.recording.RecordReplays(make("CartPole-v1"), tmp_path, keep_unfinished=keep)
    for k in range(3):
        env.reset(seed=k)
        if k != 1:  # an episode without a step is none
            env.step(0)
    env.close()
    envs = palaestra.recording.vector.RecordReplays(make_vec("CartPole-v1", 2), tmp_path, keep_unfinished=keep)
    envs.reset(seed=1)
    envs.step([0, 1])
    envs.close()
    found = [Replay.load(path) for path in tmp_path.iterdir()]
    assert len(found) == (4 if keep else 0)
    assert all(replay.verify() and not (replay.terminated or replay.truncated) for replay in found)


def test_a_restored_environment_records_the_next_episode(tmp_path):
    env = palaestra.recording.RecordReplays(make("CartPole-v1", max_episode_steps=4), tmp_path)
    env.reset(seed=1)
    moment = palaestra.snapshot(env)
    env.step(0)
    palaestra.restore(env, moment)
    for _ in range(4):
        env.step(1)
    assert not list(tmp_path.iterdir())
    env.reset()
    for _ in range(4):
        env.step(1)
    assert Replay.load(tmp_path / "episode_0.replay").verify()


def test_recorders_and_films_inside_are_no_part_of_a_replay(tmp_path):
    env = wrappers.RecordVideo(make("CartPole-v1", max_episode_steps=3, render_mode="rgb_array"), tmp_path / "films")
    env = palaestra.recording.RecordReplays(wrappers.FrameStackObservation(env, 2), tmp_path / "replays")
    for seed in (1, None):
        env.reset(seed=seed)
        for _ in range(3):
            env.step(1)
    env.close()
    before = sorted((tmp_path / "films").iterdir())
    for path in (tmp_path / "replays").iterdir():
        replay = Replay.load(path)
        assert [wrapper.name for wrapper in replay.spec.additional_wrappers] == ["FrameStackObservation"]
        assert replay.verify()
    assert sorted((tmp_path / "films").iterdir()) == before


class Walk(gymnasium.Env[Any, Any]):
    """Somebody's environment, which cannot return its state."""

    observation_space = Dict(place=Box(-np.inf, np.inf, (), np.float64))
    action_space = Discrete(3)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.place = self.np_random.normal()
        return {"place": np.array(self.place)}, {}

    def step(self, action: Any) -> Any:
        self.place += action * self.np_random.normal()
        return {"place": np.array(self.place)}, self.place, self.place > 2, False, {}


def test_a_class_without_a_state_begins_from_its_generator(tmp_path):
    gymnasium.register("Walk-v0", Walk, max_episode_steps=20)
    env = palaestra.recording.RecordReplays(make("Walk-v0"), tmp_path)
    for k in range(5):
        env.reset(seed=None if k else 1)
        while not any(env.step(2)[2:4]):
            pass
    envs = make_vec("Walk-v0", 2, wrappers=[lambda env: palaestra.recording.RecordReplays(env, tmp_path)])
    envs.reset(seed=1)
    for _ in range(50):
        envs.step([2, 1])
    found = [Replay.load(path) for path in tmp_path.iterdir()]
    assert len(found) > 8
    assert all(replay.verify() for replay in found)


def test_an_error_of_the_environment_is_a_difference(tmp_path):
    gymnasium.register("Walk-v0", Walk, max_episode_steps=3)
    env = palaestra.recording.RecordReplays(make("Walk-v0"), tmp_path)
    env.reset(seed=1)
    for _ in range(3):
        env.step(0)

    class Broken(gymnasium.Wrapper[Any, Any, Any, Any]):
        def step(self, action: Any) -> Any:
            raise RuntimeError("no idea")

    replay = Replay.load(tmp_path / "episode_0.replay")
    verification = replay.verify(Broken(replay.make()))
    assert (verification.step, verification.found) == (1, "RuntimeError: no idea")


def test_a_full_disk_loses_one_episode_and_no_other(tmp_path, monkeypatch):
    env = palaestra.recording.RecordReplays(make("CartPole-v1", max_episode_steps=1), tmp_path)
    env.reset(seed=1)
    env.step(0)
    with monkeypatch.context() as patched:
        patched.setattr(np, "savez_compressed", _full)
        env.reset()
        with pytest.raises(OSError, match=r"the disk is full: .*episode_1\.replay"):
            env.step(0)
    env.reset()
    env.step(0)
    assert [Replay.load(path).verify().step for path in tmp_path.iterdir()] == [None, None]


def _full(*_: Any, **__: Any) -> None:
    raise OSError(28, "the disk is full")
