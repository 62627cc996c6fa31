"""Episodes as they are recorded, and written to files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces import Space
from gymnasium.specs import EnvSpec
from gymnasium.states import files
from gymnasium.states.stacks import stacked
from palaestra.recording.replays.beginnings import Beginning, with_params
from palaestra.recording.replays.digests import Digester
from palaestra.recording.replays.machine import module_of, versions
from palaestra.recording.replays.replay import KIND
from palaestra.recording.replays.specs import fixed, text_of

SUFFIX = ".replay"


class Episode:
    """An episode under way; `params` are those that were set for it, by name."""

    __slots__ = (
        *("_beginning", "_digests", "_options", "_seed"),
        *("actions", "params", "rewards", "terminated", "truncated"),
    )

    def __init__(
        self, seed: int | None, options: object, beginning: Beginning, digests: bytes, params: dict[str, Any]
    ) -> None:
        self._seed, self._options, self._beginning = seed, options, with_params(beginning, params)
        self.params = params
        self._digests = bytearray(digests)
        self.actions: list[Any] = []
        self.rewards: list[float] = []
        self.terminated: list[bool] = []
        self.truncated: list[bool] = []

    def step(self, action: Any, digests: bytes, reward: Any, terminated: Any, truncated: Any) -> None:
        """Add a step; `action` shares no memory with anything."""
        self.actions.append(action)
        self._digests += digests
        self.rewards.append(reward)
        self.terminated.append(terminated)
        self.truncated.append(truncated)

    def data(self, digester: Digester) -> dict[str, Any]:
        """Returns the episode as plain data."""
        return {
            "seed": self._seed,
            "options": self._options,
            "beginning": self._beginning,
            "actions": stacked(self.actions),
            "rewards": np.array(self.rewards, np.float64),
            "terminated": np.array(self.terminated, np.bool_),
            "truncated": np.array(self.truncated, np.bool_),
            "names": digester.names,
            "digests": digester.table(self._digests),
        }


class Folder:
    """A folder of replays.

    Args:
        path: The folder; it is made if there is none.
        prefix: The beginning of the files' names, before their numbers, which go on from those in the folder.
        trigger: Whether to record the episode of a number, counted from 0 by their beginnings; None for all.

    Attributes:
        written: The number of episodes written.

    Raises:
        ValueError: If the prefix is no part of a file's name.
        OSError: If the folder cannot be made or written to.
    """

    def __init__(self, path: str | os.PathLike[str], prefix: str, trigger: Callable[[int], bool] | None) -> None:
        if not isinstance(prefix, str) or not prefix or Path(prefix).name != prefix:
            raise ValueError(f"name_prefix is the beginning of a file's name, but {prefix!r} came")
        self._path = checked_folder(path)
        self._prefix, self._trigger = prefix, trigger
        pattern = re.compile(rf"{re.escape(prefix)}_(\d+){re.escape(SUFFIX)}")
        found = [match for name in os.listdir(self._path) if (match := pattern.fullmatch(name))]
        self._next = max((int(match.group(1)) + 1 for match in found), default=0)
        self._begun = 0
        self.written = 0

    def takes_next(self) -> bool:
        """Count an episode that begins; returns whether it is to be recorded."""
        number, self._begun = self._begun, self._begun + 1
        return self._trigger is None or bool(self._trigger(number))

    def write(self, data: dict[str, Any]) -> None:
        """Write an episode.

        Raises:
            OSError: If it cannot be written.
        """
        while True:
            path = self._path / f"{self._prefix}_{self._next}{SUFFIX}"
            self._next += 1
            try:
                files.write(path, KIND, data, fresh=True, flush=False)
            except FileExistsError:  # of another recorder
                continue
            self.written += 1
            return


def checked_folder(path: str | os.PathLike[str]) -> Path:
    """Returns a folder, which is made if there is none.

    Raises:
        OSError: If it cannot be made or written to.
    """
    folder = Path(path).absolute()
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"Replays are written into a folder, but {path} is a file")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"Replays cannot be written into {path}: choose a folder that you may write to")
    return folder


class Source:
    """The environment of the recorded episodes.

    Args:
        spec: Its spec.
        space: The space of its observations.
        runner: The environment or batch that runs it.

    Attributes:
        digester: Makes the digests of its observations.

    Raises:
        ValueError: If it cannot be made again from its spec.
    """

    def __init__(self, spec: EnvSpec | None, space: Space, runner: object) -> None:
        self.digester = Digester(space)
        self._spec = spec
        self._head = {
            "spec": text_of(fixed(spec, {}), runner),
            "made_on": versions(None if spec is None else spec.entry_point),
            "module": module_of(None if spec is None else spec.entry_point),
            "runner": type(runner.unwrapped if isinstance(runner, Env) else runner).__name__,
        }

    def data(self, episode: Episode) -> dict[str, Any]:
        """Returns an episode as the data of its file."""
        head = {"spec": text_of(fixed(self._spec, episode.params), self)} if episode.params else {}
        return {**self._head, **head, **episode.data(self.digester)}
