"""Recorded episodes to choose from: data sets in Minari's format, and folders of replays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Final, Protocol

from gymnasium.core import Env
from gymnasium.error import Error
from gymnasium.specs import EnvSpec
from palaestra.error import CannotSnapshot
from palaestra.recording.data_sets.data_set import checked_path
from palaestra.recording.data_sets.reading import RecordedSet
from palaestra.recording.replays import Replay
from palaestra.snapshots import Snapshot, restore, snapshot
from palaestra.studio.making import drawing
from palaestra.studio.session import Begin, Episode, Session, StudioError
from palaestra.studio.values import number, numbers

MOST_LISTED: Final = 5000  # episodes
_MOST_KEPT: Final = 256  # moments
_MOST_SETS: Final = 200
_LONGEST_WAY: Final = 200_000  # steps from a seeded episode to one after it

Facts = tuple[float, int, "int | None", int]
"""Return, length, seed and flags of an episode."""


class Recordings(Protocol):
    """Where recorded episodes are.

    Attributes:
        name: Its name on the page.
        spec: The spec of their environment.
        remark: The remark of the page about them, or "".
    """

    name: str
    spec: EnvSpec
    remark: str

    def facts(self) -> Sequence[Facts]:
        """Returns the facts about each episode."""

    def episode(self, k: int, env: Env) -> Episode:
        """Returns an episode for an environment of the spec; raises `StudioError` if it cannot be read."""


class Recorded:
    """The environment of recorded episodes.

    Args:
        recordings: The episodes.

    Raises:
        StudioError: If there are none.
    """

    def __init__(self, recordings: Recordings) -> None:
        self._recordings, self._facts = recordings, recordings.facts()
        if not self._facts:
            raise StudioError(f"{recordings.name} holds no episode")
        self._env: Env | None = None

    def listed(self) -> dict[str, Any]:
        """Returns the list of the episodes, as JSON."""
        rows = [[number(total), length, seed, flags] for total, length, seed, flags in self._facts]
        return {"name": self._recordings.name, "remark": self._recordings.remark, "rows": rows}

    def episode(self, k: int) -> Episode:
        """Returns an episode.

        Raises:
            StudioError: If there is none of this number, or it cannot be read.
        """
        if self._env is None or not 0 <= k < len(self._facts):
            raise StudioError(f"There is no episode {k}")
        return self._recordings.episode(k, self._env)

    def fields(self) -> list[dict[str, Any]]:
        """Returns no fields: other arguments would give other episodes."""
        return []

    def made(self, arguments: Mapping[str, Any]) -> Env:
        """Returns the environment of the episodes."""
        self._env = self._recordings.spec.make(**drawing(self._recordings.spec))
        return self._env

    def kwargs(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the recorded arguments."""
        return {name: value for name, value in self._recordings.spec.kwargs.items() if name != "render_mode"}

    def prepare(self, session: Session) -> None:
        """Begin with the first episode."""
        session.record(self.episode(0))
        session.forget(1)
        session.seek(0)

    def begins_with_seed(self) -> bool:
        """Returns True: this is so for what is not recorded."""
        return True

    def takes_constants(self) -> bool:
        """Returns False: others would give other episodes."""
        return False


class ReplayFolder:
    """The replays in a folder; those of another environment than the first one's are left out.

    Args:
        folder: The folder.
        trusted: Whether they come from a trusted source: see `EnvSpec.from_json`.

    Raises:
        StudioError: If there are none.
        OSError, ValueError, gymnasium.error.Error: If the first cannot be read.
    """

    def __init__(self, folder: Path, trusted: bool = False) -> None:
        paths = sorted(folder.glob("*.replay"), key=lambda path: (len(path.name), path.name))
        if not paths:
            raise StudioError(f"There are no replays, files that end with .replay, in {folder}")
        first = Replay.load(paths[0], trusted=trusted)
        self.name, self.spec = folder.name, first.spec
        others = (_loaded(path, trusted) for path in paths[1:MOST_LISTED])
        found = [first, *(replay for replay in others if replay is not None)]
        self._replays = [replay for replay in found if replay.spec == first.spec]
        missing = len(paths) - len(self._replays)
        self.remark = f"{missing} other files are not shown." if missing else ""

    def facts(self) -> list[Facts]:
        """Returns the facts about each episode."""
        return [(float(one.rewards.sum()), len(one), one.seed, _flags(one)) for one in self._replays]

    def episode(self, k: int, env: Env) -> Episode:
        """Returns an episode."""
        replay = self._replays[k]
        return Episode(k, replay.seed, replay.begin, replay.actions, replay.rewards.tolist(), None, _flags(replay))


class DataSet:
    """The episodes of a data set.

    An episode without a seed is begun by way of those before it, back to one with a seed. If what it observes first is
    not what was recorded, as for a batch whose episodes are mixed, it is shown by its values alone.

    Args:
        path: Its folder or file.
        trusted: As of `ReplayFolder`.

    Raises:
        StudioError: If it does not say which environment it is of.
        OSError, ValueError, gymnasium.error.Error: If it cannot be read.
    """

    def __init__(self, path: Path, trusted: bool = False) -> None:
        self._set = RecordedSet(path, trusted)
        self.name = self._set.name
        if self._set.spec is None:
            raise StudioError(f"{self.name} does not say which environment it is of")
        self.spec = self._set.spec
        self._facts = self._set.facts(MOST_LISTED)
        more = len(self._set) - len(self._facts)
        self.remark = f"{more:,} later episodes are not listed." if more else ""
        self._known: dict[int, tuple[Snapshot, Any, dict[str, Any]]] = {}
        self._lost: set[int] = set()
        self._home: Env | None = None  # the environment whose moments are kept

    def facts(self) -> list[Facts]:
        """Returns the facts about each episode."""
        return [(one.total, one.length, one.seed, one.terminated + 2 * one.truncated) for one in self._facts]

    def episode(self, k: int, env: Env) -> Episode:
        """Returns an episode."""
        self._home = env
        facts, values = self._facts[k], self._values(k, env)
        begin = self._beginning(k, env)
        flags = facts.terminated + 2 * facts.truncated
        return Episode(k, facts.seed, begin, values.actions, values.rewards.tolist(), values.observations, flags)

    def _values(self, k: int, env: Env) -> Any:
        try:
            return self._set.values(k, env.observation_space, env.action_space)
        except (OSError, ValueError, Error) as error:
            raise StudioError(f"Episode {k} cannot be read: {error}") from error

    def _beginning(self, k: int, env: Env) -> Begin | None:
        """Returns the way to bring an environment to the beginning of an episode; None if that cannot be found."""
        try:
            observation, _ = self._begin(k, env)
        except StudioError:
            return None
        recorded = self._values(k, env).observations[0]
        space = env.observation_space
        if numbers(space, observation) != numbers(space, recorded):
            self._lost.add(k)
            return None
        return lambda around: self._begin(k, around)

    def _begin(self, k: int, env: Env) -> tuple[Any, dict[str, Any]]:
        way = self._way(k)
        near = next((j for j in reversed(way) if j in self._known), None) if env is self._home else None
        if near is None:
            near = way[0]
            observation, info = self._reset(near, env)
        else:
            moment, observation, info = self._known[near]
            restore(env, moment)
        for before, after in pairwise(range(near, k + 1)):
            for action in self._values(before, env).actions:
                env.step(action)
            observation, info = self._reset(after, env)
        self._keep(k, env, observation, info)
        return deepcopy(observation), info

    def _keep(self, k: int, env: Env, observation: object, info: dict[str, Any]) -> None:
        """Keep the moment at the beginning of an episode, if the environment can return it."""
        if env is not self._home:
            return
        with suppress(CannotSnapshot):
            self._known[k] = snapshot(env), deepcopy(observation), info
        while len(self._known) > _MOST_KEPT:
            del self._known[next(iter(self._known))]

    def _reset(self, k: int, env: Env) -> tuple[Any, dict[str, Any]]:
        observation, info = env.reset(seed=self._facts[k].seed, options=self._values(k, env).options)
        return observation, info

    def _way(self, k: int) -> range:
        """Returns the episodes from one with a seed to episode k."""
        first, steps = k, 0
        while self._facts[first].seed is None:
            if first == 0 or first in self._lost or steps > _LONGEST_WAY:
                raise StudioError("It is not known how this episode began")
            first -= 1
            steps += self._facts[first].length
        return range(first, k + 1)


def opened(path: Path, trusted: bool = False) -> Recordings:
    """Returns the recorded episodes in a folder or file; for `trusted` and the errors see the classes."""
    if path.is_dir() and any(path.glob("*.replay")):
        return ReplayFolder(path, trusted)
    return DataSet(path, trusted)


def local_sets() -> dict[str, Path]:
    """Returns the data sets of this user, by name."""
    try:
        folder = checked_path("any", None).parent
    except RuntimeError:  # the user has no home
        return {}
    found = islice(folder.rglob("data/main_data.hdf5"), _MOST_SETS)
    return {path.relative_to(folder).as_posix(): path for path in sorted(file.parent.parent for file in found)}


def _loaded(path: Path, trusted: bool) -> Replay | None:
    try:
        return Replay.load(path, trusted=trusted)
    except (OSError, ValueError, Error):
        return None


def _flags(replay: Replay) -> int:
    return int(replay.terminated) + 2 * int(replay.truncated)
