"""Runs as they are read from their folder, while they are written and afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from palaestra.studio.messages import parsed
from palaestra.studio.training.run import ABOUT, RECORDS, lock

MOST_RUNS: Final = 200  # the latest ones
_MOST_RECORDS: Final = 50_000
_MOST_BYTES: Final = 4 * 2**20  # read at once
_MOST_LETTERS: Final = 10_000  # of a text
_LARGEST: Final = 1e300  # beyond, browsers read infinity


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
        about = parsed(_beginning(path / ABOUT))
        if not isinstance(about, dict):
            raise ValueError(f"{path / ABOUT} describes no run")
        self.id, self.about = path.name, {"name": path.name} | _fitting(about, _ABOUT_RUN)
        self.records: list[bytes] = []
        self._last: dict[str, Any] = {}
        self._path, self._at, self._over = path / RECORDS, 0, False

    def read(self) -> bool:
        """Read on; returns whether there is anything new. Lines that are none are left out."""
        try:
            data = _beginning(self._path, self._at)
        except OSError:
            return False
        whole = data[: data.rfind(b"\n") + 1]
        self._at += (
            len(whole) if len(data) < _MOST_BYTES else len(whole) or len(data)
        )  # a line without end is passed over
        for line in whole.splitlines():
            record = _record(line)
            if record is not None and len(self.records) < _MOST_RECORDS:
                self.records.append(line)
                self._last = record
        return bool(whole)

    def read_again(self, begin: int, stop: int) -> list[dict[str, Any] | None]:
        """Returns some of its records, as JSON."""
        return [_record(line) for line in self.records[begin:stop]]

    def state(self) -> str:
        """Returns how it ended, "running", or "lost" if its program is gone without a word."""
        end = self._last.get("end")
        if end is not None:
            return str(end)
        if not self._over:
            try:
                self._over = not self._path.is_file()  # a pipe would have to be waited for
                if not self._over:
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


def _beginning(path: Path, at: int = 0) -> bytes:
    """Returns bytes of a file from a place on; raises `OSError` for what is no file, such as a pipe."""
    if not path.is_file():
        raise FileNotFoundError(path)
    with open(path, "rb") as file:
        file.seek(at)
        return file.read(_MOST_BYTES)


def _record(line: bytes) -> dict[str, Any] | None:
    """Returns a record with the numbers that every record has, or None."""
    try:
        record = parsed(line)
    except ValueError:
        return None
    fitting = _fitting(record, _OF_RECORD) if isinstance(record, dict) else {}
    return fitting if {"t", "steps"} <= fitting.keys() else None


def _fitting(found: Mapping[str, Any], fits: Mapping[str, Callable[[Any], bool]]) -> dict[str, Any]:
    """Returns the entries that are what the page expects: a folder may hold anything."""
    return {name: found[name] for name, fit in fits.items() if name in found and fit(found[name])}


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and abs(value) <= _LARGEST


def _is_number_or_none(value: object) -> bool:
    return value is None or _is_number(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _MOST_LETTERS


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_number_or_none, value))


def _is_list_or_none(value: object) -> bool:
    return value is None or _is_list(value)


def _is_histogram(value: object) -> bool:
    return value is None or (
        isinstance(value, list) and len(value) == 3 and _is_list(value[:2]) and _is_list(value[2]) and any(value[2])
    )


def _is_own(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_number_or_none, value.values()))


def _is_counted(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(one, dict) and all(_is_number_or_none(number) or _is_list(number) for number in one.values())
        for one in value.values()
    )


def _is_config(value: object) -> bool:
    return isinstance(value, dict) and all(_is_text(one) or _is_number_or_none(one) for one in value.values())


_ABOUT_RUN: Final[Mapping[str, Callable[[Any], bool]]] = {
    "name": _is_text,
    "env": _is_text,
    "envs": _is_number,
    "tiles": _is_number,
    "began": _is_number,
    "program": _is_text,
    "made_of": _is_text,
    "config": _is_config,
}
_OF_RECORD: Final[Mapping[str, Callable[[Any], bool]]] = {
    "t": _is_number,
    "steps": _is_number,
    "episodes": _is_number,
    "returns": _is_list_or_none,
    "lengths": _is_list_or_none,
    "recent": _is_list_or_none,
    "mean": _is_number_or_none,
    "histogram": _is_histogram,
    "spent": _is_list,
    "own": _is_own,
    "wrappers": _is_counted,
    "end": _is_text,
}
