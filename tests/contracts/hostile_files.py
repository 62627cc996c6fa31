"""Damages files of snapshots, replays and data sets, and reads them.

`python -m tests.contracts.hostile_files FAMILY N SEED` tries N files. Each is either refused with a documented
exception, and the environment is as it was; or it is taken. The process must survive in both cases.
"""

from __future__ import annotations

import copy
import faulthandler
import logging
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import gymnasium as gym
import palaestra
from gymnasium import wrappers
from gymnasium.error import Error
from gymnasium.states import files
from gymnasium.states.plain import Record
from gymnasium.wrappers import vector
from palaestra.recording.data_sets.reading import RecordedSet

DOCUMENTED = (OSError, ValueError, Error)
LONGEST = 60  # seconds for one file


def stacked() -> Any:
    """A single environment in wrappers with memories."""
    env = wrappers.DelayObservation(gym.make("CartPole-v1"), 2)
    return wrappers.NormalizeReward(wrappers.StickyAction(wrappers.FrameStackObservation(env, 3), 0.3))


def drawn() -> Any:
    """Params that are drawn."""
    return palaestra.randomization.RandomizeParams(
        gym.make("Pendulum-v1"), g=palaestra.randomization.Uniform(8.0, 12.0)
    )


def batch(env_id: str, mode: str | None, **kwargs: Any) -> Callable[[], Any]:
    """A vector environment of three."""
    return lambda: gym.make_vec(env_id, 3, vectorization_mode=mode, **kwargs)


ENVS: dict[str, Callable[[], Any]] = {
    "classic": lambda: gym.make("CartPole-v1"),
    "toy": lambda: gym.make("Taxi-v4"),
    "cards": lambda: gym.make("Blackjack-v1"),
    "box2d": lambda: gym.make("LunarLander-v3", continuous=True),
    "mujoco": lambda: gym.make("Hopper-v5"),
    "robots": batch("Hopper-v5", None),
    "wrappers": stacked,
    "params": drawn,
    "sync": batch("FrozenLake-v1", "sync"),
    "async": batch("CartPole-v1", "async"),
    "compiled": batch("Taxi-v4", None),
    "vector wrappers": lambda: vector.NormalizeReward(vector.FrameStackObservation(batch("Pendulum-v1", None)(), 3)),
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the paths to all parts of plain data."""
    yield path
    if isinstance(value, Record):
        yield from places(value.fields, (*path, "fields"))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, (list, tuple)):
        for k, part in enumerate(value):
            yield from places(part, (*path, k))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    """Returns a part of plain data."""
    for key in path:
        value = getattr(value, key) if isinstance(value, Record) else value[key]
    return value


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Returns plain data with another part."""
    if not path:
        return new
    key, *rest = path
    if isinstance(value, Record):
        return value._replace(fields=put(value.fields, tuple(rest), new))
    if isinstance(value, dict):
        return {**value, key: put(value[key], tuple(rest), new)}
    parts = list(value)
    parts[key] = put(parts[key], tuple(rest), new)
    return type(value)(parts)


def numbers(rng: Random) -> Any:
    """Returns a number that may be out of range."""
    large = [-1, 0, 1, 7, 2**31, -(2**31), 10**9, 2**62, 2**63, -(2**63), 2**64, 2**130, -(2**70)]
    return rng.choice([*large, 0.5, -0.0, 1e308, 1e12, float("nan"), float("inf"), float("-inf"), True])


def replacement(old: Any, rng: Random, whole: Any) -> Any:
    """Returns something in the place of a part."""
    if isinstance(old, np.ndarray) and old.dtype.kind in "biuf" and rng.random() < 0.6:
        return damaged_array(old, rng)
    if isinstance(old, (int, float, np.generic)) and rng.random() < 0.6:
        return numbers(rng)
    if isinstance(old, dict) and old and rng.random() < 0.5:
        name = rng.choice(list(old))
        rest = {key: part for key, part in old.items() if key != name}
        return rest if rng.random() < 0.5 else {**rest, rng.choice(["_start", "x", 3, "unwrapped"]): old[name]}
    if isinstance(old, (list, tuple)) and not isinstance(old, Record) and old and rng.random() < 0.5:
        return rng.choice([old[:-1], old + old[:1], old * 3, type(old)(reversed(old))])
    if isinstance(old, Record) and rng.random() < 0.3:
        return Record(rng.choice(["MjData", "GraphInstance", "State"]), old.fields)
    values = [None, "", "x" * 50, "os:system", b"", b"\xff" * 40, {}, [], (), [[[]]], {"bit_generator": "MT19937"}]
    arrays = [np.zeros(0), np.zeros((0, 2**40)), np.zeros(8, np.int8), np.array("x"), np.full((2, 3), np.nan)]
    generators = [np.random.MT19937(1).state, {**np.random.SFC64(1).state, "state": {"state": np.zeros(3, np.uint64)}}]
    found = copy.deepcopy(at(whole, rng.choice(list(places(whole)))))
    return rng.choice([numbers(rng), *values, *arrays, *generators, Record("State", {"x": 1}), found, found, found])


def damaged_array(old: np.ndarray, rng: Random) -> Any:
    """Returns an array of another shape, dtype or with another number."""
    if rng.random() < 0.5 and old.size:
        new = old.copy()
        extremes = [np.nan, np.inf, 1e30] if new.dtype.kind == "f" else [0, 1, 127, -1, 255, 10**9, 2**62]
        with np.errstate(all="ignore"):
            new.reshape(-1)[rng.randrange(new.size)] = np.array(rng.choice(extremes)).astype(new.dtype)
        return new
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rng.choice([old[None], old.ravel()[:-1], old.astype(">f8"), old.astype(np.int8), old.astype(str)[()]])


def damaged(data: Any, rng: Random) -> Any:
    """Returns plain data with one to three other parts."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        path = rng.choice(list(places(data)))
        data = put(data, path, replacement(at(data, path), rng, data))
    return data


def torn(content: bytes, rng: Random) -> bytes:
    """Returns bytes that are cut off, or of which some differ."""
    if rng.random() < 0.3:
        return content[: rng.randrange(len(content))]
    new = bytearray(content)
    for _ in range(rng.choice([1, 2, 8])):
        first = rng.randrange(len(new))
        new[first : first + 4] = rng.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", rng.randbytes(1)])
    return bytes(new)


def written(path: Path, kind: str, data: Any, rng: Random) -> None:
    """Write data that are damaged, as data or as bytes."""
    files.write(path, kind, data if rng.random() < 0.15 else damaged(data, rng))
    if rng.random() < 0.1:
        path.write_bytes(torn(path.read_bytes(), rng))


def begun(make: Callable[[], Any]) -> Any:
    """An environment that has begun."""
    env = make()
    env.reset(seed=0)
    env.action_space.seed(1)
    for _ in range(4):
        env.step(env.action_space.sample())
    return env


def snapshots(name: str, count: int, rng: Random, folder: Path) -> Counter[str]:
    """Restore damaged snapshots."""
    env, outcomes = begun(ENVS[name]), Counter[str]()
    good, path = palaestra.snapshot(env), folder / "moment.npz"
    good.save(path)
    data = files.read(path, "snapshot")
    action = env.action_space.sample()
    expected = repr(env.step(action)[:4])
    palaestra.restore(env, good)
    for _ in range(count):
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        written(path, "snapshot", data, rng)
        try:
            palaestra.restore(env, palaestra.Snapshot.load(path))
        except DOCUMENTED as error:
            assert str(error)
            outcomes["refused"] += 1
            assert palaestra.snapshot(env) == good, str(error)
            assert repr(env.step(action)[:4]) == expected
        else:
            outcomes["taken"] += 1
            env = outlived(env, name)
        palaestra.restore(env, good)
    faulthandler.cancel_dump_traceback_later()
    return outcomes


def outlived(env: Any, name: str) -> Any:
    """Returns the environment after some steps; another one if they raised."""
    try:
        for _ in range(3):
            env.step(env.action_space.sample())
    except Exception:  # what it raises for such a state in Python, too
        env.close()
        return begun(ENVS[name])
    return env


def replays(make: Callable[[], Any], count: int, rng: Random, folder: Path) -> Counter[str]:
    """Run damaged replays."""
    env, outcomes = palaestra.recording.RecordReplays(make(), folder), Counter[str]()
    env.reset(seed=1)
    env.reset()
    while not any(env.step(env.action_space.sample())[2:4]):
        pass
    env.close()
    path = next(folder.glob("*.replay"))
    data = files.read(path, "replay")
    before = sorted(folder.rglob("*"))
    for _ in range(count):
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        written(path, "replay", data, rng)
        try:
            palaestra.Replay.load(path).verify()
            outcomes["taken"] += 1
        except DOCUMENTED as error:
            assert str(error)
            outcomes["refused"] += 1
    faulthandler.cancel_dump_traceback_later()
    assert sorted(folder.rglob("*")) == before
    return outcomes


def data_sets(count: int, rng: Random, folder: Path) -> Counter[str]:
    """Read torn data sets."""
    env, outcomes = palaestra.recording.RecordTrajectories(stacked(), "torn/set-v0", folder=folder), Counter[str]()
    for seed in range(2):
        env.reset(seed=seed)
        while not any(env.step(env.action_space.sample())[2:4]):
            pass
    env.close()
    spaces = env.observation_space, env.action_space
    path = next(folder.rglob("*.hdf5"))
    content = path.read_bytes()
    for _ in range(count):
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        path.write_bytes(torn(content, rng))
        try:
            found = RecordedSet(path)
            found.facts(5)
            found.values(0, *spaces)
            outcomes["taken"] += 1
        except DOCUMENTED as error:
            assert str(error)
            outcomes["refused"] += 1
    faulthandler.cancel_dump_traceback_later()
    return outcomes


def main(families: list[str], count: int, seed: int = 0) -> None:
    """Try damaged files of each family, and print how many were refused and taken."""
    warnings.simplefilter("ignore")
    logging.disable()
    print({name: dict(tried(name, count, Random(seed))) for name in families})


def tried(name: str, count: int, rng: Random) -> Counter[str]:
    """Returns how many damaged files of a family were refused and taken."""
    with tempfile.TemporaryDirectory() as folder:
        if name == "replay":
            return replays(ENVS["classic"], count, rng, Path(folder))
        if name == "replay of robots":
            return replays(ENVS["mujoco"], count, rng, Path(folder))
        if name == "data set":
            return data_sets(count, rng, Path(folder))
        return snapshots(name, count, rng, Path(folder))


if __name__ == "__main__":
    main([sys.argv[1]], *map(int, sys.argv[2:]))
