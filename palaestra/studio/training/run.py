"""A run: the notes of a training, written to a folder, one line of JSON for each moment.

`run.json` says what it is; `records.jsonl` grows. Its records come every half second at first, and less often the
longer the training lasts, so that a week of it is some thousand lines. While the program lives, the file is locked.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from time import perf_counter, time
from typing import Any, Final

from gymnasium.logger import warn
from palaestra.studio.training.clock import Clock
from palaestra.studio.training.episodes import Ended, rounded

ABOUT, RECORDS = "run.json", "records.jsonl"
EVERY: Final = 0.5  # s
_SHARE: Final = 1 / 1000  # of the time so far, to which the time between records grows
_MOST_NAMES: Final = 256  # of one's own numbers


class Run:
    """Takes notes of a training, and writes it down every now and then.

    Args:
        folder: The folder of all runs.
        name: Its name on the page.
        about: More entries of `run.json`.

    Attributes:
        path: Its own folder.
        ended: The episodes.
        clock: Where the time goes.
        steps: The steps of all environments so far.
        due: When the next record is due, by `perf_counter`.
        is_dropped: Whether it has been closed.

    Raises:
        OSError: If the folder cannot be written to.
    """

    def __init__(self, folder: str | os.PathLike[str], name: str, about: Mapping[str, object]) -> None:
        self.path = _fresh(Path(folder), name)
        self._file: Any = open(self.path / RECORDS, "ab", buffering=0)  # noqa: SIM115  (see `close`)
        lock(self._file)  # before anybody can find it
        entries = {"name": name, "began": time(), "program": " ".join(map(str, sys.argv))[:400], **about}
        part = self.path / "part"
        part.write_text(json.dumps(entries), encoding="utf-8")
        os.replace(part, self.path / ABOUT)
        self._owner = os.getpid()
        self.ended, self.clock, self.steps, self.is_dropped = Ended(), Clock(), 0, False
        self._began = perf_counter()
        self.due = self._began + EVERY
        self._own: dict[str, tuple[float, int]] = {}

    @property
    def is_open(self) -> bool:
        """Whether it still notes anything; a process that was forked from the program does not."""
        return self._file is not None and os.getpid() == self._owner

    def note(self, scalars: Mapping[str, float]) -> None:
        """Note numbers of one's own; the record has the means of those noted since the last one."""
        for name, value in scalars.items():
            total, count = self._own.get(name, (0.0, 0))
            if count or len(self._own) < _MOST_NAMES:
                self._own[name] = total + value, count + 1

    def write(self, wrappers: Mapping[str, Any], end: str | None = None) -> None:
        """Write a record; `end` says why it is the last one. If this fails, a warning says so, and nothing follows."""
        now = perf_counter()
        seconds = now - self._began
        own = {name: rounded(total / count) for name, (total, count) in self._own.items()}
        record = {"t": round(seconds, 3), "steps": self.steps, **self.ended.summary(), "spent": self.clock.taken()}
        record |= {"own": own, "wrappers": wrappers} | ({} if end is None else {"end": end})
        self._own = {}
        self.due = now + max(EVERY, seconds * _SHARE)
        try:
            self._file.write(json.dumps(record, allow_nan=False, separators=(",", ":")).encode() + b"\n")
        except (OSError, ValueError) as error:
            warn(f"The run in {self.path} is no longer written: {error}")
            self.drop()

    def close(self, wrappers: Mapping[str, Any], end: str) -> None:
        """Write the last record."""
        if self.is_open:
            self.write(wrappers, end)
            self.drop()

    def drop(self) -> None:
        """Close the file as it is."""
        file, self._file, self.is_dropped = self._file, None, True
        if file is not None:
            file.close()


def lock(file: Any) -> bool:
    """Lock a file for as long as it is open; returns False if another process has done so."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _fresh(folder: Path, name: str) -> Path:
    """Returns a new folder for a run, with the time in its name."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = re.sub(r"[^\w.-]+", "-", name).strip("-.")[:60] or "run"
    stem = f"{datetime.now():%Y%m%d-%H%M%S}-{plain}"
    for k in range(1000):
        path = folder / (stem if k == 0 else f"{stem}-{k}")
        try:
            path.mkdir()
        except FileExistsError:
            continue
        return path
    raise FileExistsError(f"{folder / stem} and a thousand others exist")
