"""Runs as they are read from their folder, while they are written and afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from gymnasium.studio.training.run import ABOUT, RECORDS, lock

MOST_RUNS: Final = 200  # the latest ones
_MOST_RECORDS: Final = 50_000
_MOST_BYTES: Final = 4 * 2**20  # read at once
_TOLD: Final = ("name", "env", "envs", "tiles", "began", "program", "made_of")


class Recorded:
    """A run in its folder.

    Args:
        path: The folder.

    Attributes:
        id: Its name among the others.
        about: Its description, as JSON.
        records: Its records so far, as lines of JSON, which take a fifth of the memory.

    Raises:
        OSError, ValueError: If this is no run.
    """

    def __init__(self, path: Path) -> None:
        about = json.loads((path / ABOUT).read_text(encoding="utf-8"))
        if not isinstance(about, dict):
            raise ValueError(f"{path / ABOUT} describes no run")
        self.id, self.about = path.name, {name: about.get(name) for name in _TOLD}
        self.records: list[bytes] = []
        self._last: dict[str, Any] = {}
        self._path, self._at, self._over = path / RECORDS, 0, False

    def read(self) -> bool:
        """Read on; returns whether there is anything new. Lines that are none are left out."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._at)
                data = file.read(_MOST_BYTES)
        except OSError:
            return False
        whole = data[: data.rfind(b"\n") + 1]
        self._at += len(whole)
        for line in whole.splitlines():
            record = _parsed(line)
            if record is not None and len(self.records) < _MOST_RECORDS:
                self.records.append(line)
                self._last = record
        return bool(whole)

    def read_again(self, begin: int, stop: int) -> list[dict[str, Any] | None]:
        """Returns some of its records, as JSON."""
        return [_parsed(line) for line in self.records[begin:stop]]

    def state(self) -> str:
        """Returns how it ended, "running", or "lost" if its program is gone without a word."""
        end = self._last.get("end")
        if end is not None:
            return str(end)
        if not self._over:
            try:
                with open(self._path, "rb") as file:
                    self._over = lock(file)
            except OSError:
                self._over = True
            if self._over:
                self.read()  # what came in between
                return self.state()
        return "lost" if self._over else "running"

    def summary(self) -> dict[str, Any]:
        """Returns the list of runs, as JSON."""
        numbers = {name: self._last.get(name) for name in ("t", "steps", "episodes", "mean")}
        return {"id": self.id, **self.about, **numbers, "state": self.state()}


class Runs:
    """The runs of a folder.

    Args:
        folder: The folder.
        opened: Called with the path of each run that is found.
    """

    def __init__(self, folder: Path, opened: Callable[[Path], None] = lambda path: None) -> None:
        self.folder = folder
        self._runs: dict[str, Recorded] = {}
        self._broken: set[str] = set()
        self._opened = opened

    def refresh(self) -> bool:
        """Look for new runs and records; returns whether there are some."""
        news = False
        try:
            paths = sorted((path for path in self.folder.iterdir() if path.is_dir()), reverse=True)[:MOST_RUNS]
        except OSError:
            return False
        for run_id in self._runs.keys() - {path.name for path in paths}:
            del self._runs[run_id]
        for path in paths:
            if path.name not in self._runs and path.name not in self._broken:
                news = self._open(path) or news
        for run in self._runs.values():
            news = run.read() or news
        return news

    def find(self, run_id: str) -> Recorded | None:
        """Returns a run by its id, or None."""
        return self._runs.get(run_id)

    def listed(self) -> list[dict[str, Any]]:
        """Returns the summaries of all runs, the latest first."""
        runs = sorted(list(self._runs.values()), key=lambda run: run.id, reverse=True)  # others may open more meanwhile
        return [run.summary() for run in runs]

    def _open(self, path: Path) -> bool:
        try:
            self._runs[path.name] = Recorded(path)
        except FileNotFoundError:  # nothing of ours, or not yet
            return False
        except (OSError, ValueError):
            self._broken.add(path.name)
            return False
        self._opened(path)
        return True


def _parsed(line: bytes) -> dict[str, Any] | None:
    """Returns a record with the numbers that every record has, or None."""
    try:
        record = json.loads(line, parse_constant=lambda name: None)
    except ValueError:
        return None
    if not isinstance(record, dict) or not all(isinstance(record.get(name), (int, float)) for name in ("t", "steps")):
        return None
    return record
