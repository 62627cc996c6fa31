"""Snapshots by seed and actions, of classes that cannot return their state: they go on with the same bits."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

import gymnasium
import palaestra
from gymnasium import make, wrappers
from gymnasium.error import Error, ResetNeeded
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from palaestra import Snapshot, restore, snapshot
from palaestra.error import CannotSnapshot
from tests.contracts.stateless import Own
from tests.contracts.test_snapshots import assert_same, every_mode, played

kept = functools.partial(snapshot, fallback="replay")


def single() -> Any:
    """With wrappers inside and outside of the record."""
    inside = palaestra.recording.RecordActions(wrappers.TimeLimit(Own(), 6))
    return wrappers.NormalizeReward(wrappers.FrameStackObservation(inside, 2))


def batch(kind: Any, mode: AutoresetMode) -> Any:
    envs = kind([Own, Own, Own], autoreset_mode=mode)
    return wrappers.vector.NormalizeReward(palaestra.recording.vector.RecordActions(envs))


def assert_goes_on(make_one: Any, path: Path) -> None:
    first, second = make_one(), make_one()
    first.reset(seed=3, options={"offset": 0.5})
    played(first, 1, 29)
    moment = kept(first)
    moment.save(path)
    expected = played(first, 2, 25)

    for env in (first, second):
        loaded = Snapshot.load(path)
        assert loaded == moment
        restore(env, loaded)
        assert kept(env) == moment
        assert_same(played(env, 2, 25), expected, ())
    first.close(), second.close()


def test_single_environments(tmp_path: Path) -> None:
    assert_goes_on(single, tmp_path / "moment.npz")


@every_mode
@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
def test_batches(kind: Any, mode: AutoresetMode, tmp_path: Path) -> None:
    assert_goes_on(lambda: batch(kind, mode), tmp_path / "moment.npz")


@pytest.mark.parametrize("log", [5, [[1, None, {"kind": "x"}]], [["no seed", None, {"kind": "list", "values": []}]]])
def test_a_refused_log_changes_nothing(log: Any) -> None:
    env = single()
    env.reset(seed=3)
    moment = kept(env)
    played(env, 1, 5)
    before = kept(env)
    moment._data["played"]["log"] = log
    with pytest.raises((ValueError, Error)):
        restore(env, moment)
    assert kept(env) == before


def test_states_are_kept_where_they_are_known() -> None:
    env = palaestra.recording.RecordActions(make("CartPole-v1"))
    env.reset(seed=1)
    played(env, 1, 9)
    moment = kept(env)
    assert moment == snapshot(env)
    expected = played(env, 2, 9)
    restore(env, moment)
    assert_same(played(env, 2, 9), expected, ())


def test_a_seed_begins_the_record_anew() -> None:
    env = palaestra.recording.RecordActions(Own())
    env.reset(seed=1)
    played(env, 1, 200)
    long = kept(env).nbytes
    env.reset(seed=1)
    assert kept(env).nbytes < long / 5


@pytest.mark.parametrize(
    ("make_one", "seed", "remedy"),
    [
        (Own, 1, "palaestra.recording.RecordActions"),
        (lambda: palaestra.recording.RecordActions(Own()), None, "reset.seed=0."),
        (lambda: wrappers.NormalizeReward(Own()), 1, "palaestra.recording.RecordActions"),
        (lambda: SyncVectorEnv([Own]), 1, "palaestra.recording.RecordActions"),
        (
            lambda: SyncVectorEnv([lambda: palaestra.recording.RecordActions(Own())]),
            1,
            "palaestra.recording.RecordActions",
        ),
        (lambda: palaestra.recording.vector.RecordActions(SyncVectorEnv([Own, Own])), [1, None], "reset.seed=0."),
    ],
)
def test_the_error_says_how_to_get_a_record(make_one: Any, seed: Any, remedy: str) -> None:
    env = make_one()
    env.reset(seed=seed)
    with pytest.raises(CannotSnapshot, match=remedy):
        kept(env)


def test_an_unknown_layer_around_the_record_is_named() -> None:
    class Forgetful(gymnasium.Wrapper[Any, Any, Any, Any]):
        pass

    env = Forgetful(palaestra.recording.RecordActions(Own()))
    env.reset(seed=1)
    with pytest.raises(CannotSnapshot, match="Forgetful"):
        kept(env)


def test_snapshots_of_other_environments_are_refused() -> None:
    env = single()
    env.reset(seed=1)
    played(env, 1, 5)
    moment = kept(env)
    others = [
        palaestra.recording.RecordActions(Own()),
        wrappers.NormalizeReward(Own()),
        make("CartPole-v1"),
        wrappers.NormalizeReward(palaestra.recording.RecordActions(wrappers.TimeLimit(Own(), 6))),
    ]
    for other in others:
        other.reset(seed=2)
        with pytest.raises(ValueError):
            restore(other, moment)
    with pytest.raises(ValueError, match="fallback"):
        snapshot(env, fallback="again")  # type: ignore[arg-type]
    with pytest.raises(ResetNeeded):
        kept(make("CartPole-v1"))
    assert "actions in" in repr(moment)


def test_objects_as_actions_are_refused_before_anything_moves() -> None:
    env = palaestra.recording.RecordActions(Own())
    env.reset(seed=1)
    place = env.unwrapped.place
    with pytest.raises(TypeError, match="the action"):
        env.step(object())
    assert env.unwrapped.place == place


def test_a_failing_replay_leaves_the_environment_where_it_was() -> None:
    class Breaking(Own):
        broken = False

        def step(self, action: Any) -> Any:
            if self.broken and action == 2:
                raise RuntimeError("no idea")
            return super().step(action)

    env = palaestra.recording.RecordActions(Breaking())
    env.reset(seed=1)
    env.step(2)
    moment = kept(env)
    env.reset(seed=5)
    env.step(0)
    env.unwrapped.broken = True
    place = env.unwrapped.place
    with pytest.raises(RuntimeError, match="no idea"):
        restore(env, moment)
    assert env.unwrapped.place == place
