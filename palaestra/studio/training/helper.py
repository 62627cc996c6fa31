"""The process beside the program, which serves the page, and the tiles on their way to it.

The program tells it of runs through its standard input, and writes tiles into a file, only when it has asked for them
by a byte in shared memory. So nothing here waits for it, whatever becomes of it.
"""

from __future__ import annotations

import atexit
import json
import mmap
import os
import pickle
import struct
import subprocess
import sys
import tempfile
from collections import deque
from contextlib import suppress
from math import inf
from pathlib import Path
from threading import Timer
from time import perf_counter
from typing import Any, Final
from weakref import finalize

import cloudpickle

from gymnasium.error import Error
from palaestra.studio.training.tile_sources import Source, pictures, scenes, source_of, states

NOTHING, STATES, PICTURES, NEITHER, SCENES = range(5)  # what the first byte asks for, or says
ASKED, OVER, STEPS, _BYTES = range(4)  # the places of these in shared memory, and their number
_SHARE: Final = 1 / 30  # of the time that tiles may take
_LATEST: Final = 3  # times that tiles were written, of which the middle one counts
FIRST_REST: Final = 0.25  # s, the longest rest of the first ones: whoever opens a page makes the machine busy
_STARTS: Final = 60.0  # s
_HEAD: Final = struct.Struct("<Q")
# So that Ctrl-C ends the program only. It is no session of its own, since Linux gives each session an equal part of the
# processors, however nice its processes are.
_APART: Final[Any] = (
    {"process_group": 0} if sys.version_info >= (3, 11) else {"preexec_fn": getattr(os, "setpgrp", None)}
)


# Nothing in the current folder, of which a program may not know, is imported in place of a library.
_SERVE: Final = (
    "import sys; sys.path = [*filter(None, sys.path)]; from palaestra.studio.training.serving import main; "
    "sys.exit(main())"
)


class Helper:
    """The process that serves the page of a folder of runs.

    Args:
        folder: The folder.
        host: The address on which it listens.
        port: The port; None for the usual one or any, 0 for any.

    Attributes:
        link: The address of the page.
        is_open: Whether other machines can connect.

    Raises:
        gymnasium.error.Error: If it cannot serve, as when the port is taken or a library is missing.
    """

    def __init__(self, folder: Path, host: str, port: int | None) -> None:
        self.folder = folder
        # As imports do, it passes over what is no text.
        path = os.pathsep.join(one or os.curdir for one in sys.path if isinstance(one, str))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            **_APART,
            env={**os.environ, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu"},
        )
        self._input: Any = self._process.stdin
        atexit.register(self.leave)
        self._send({"folder": str(folder.absolute()), "host": host, "port": port})
        output: Any = self._process.stdout
        limit = Timer(_STARTS, self._process.kill)
        limit.start()
        answer = output.readline()
        limit.cancel()
        try:
            reply = json.loads(answer)
        except ValueError:
            reply = {"error": "it ended before it began"}
        if "error" in reply:
            self._process.kill()
            raise Error(f"The studio cannot be opened: {reply['error']}")
        self.link: str = reply["link"]
        self.is_open: bool = reply["open"]

    @property
    def is_alive(self) -> bool:
        """Whether it runs, and is this process's own."""
        return self._process.poll() is None

    def follow(self, run: Path, tiles: Tiles) -> None:
        """Tell it where a run's tiles are."""
        source = tiles.source
        made_of = None
        if source is not None:
            try:
                made_of = cloudpickle.dumps(source.made_of)
            except Exception:  # as for what holds a file, or a lock
                source = None
        self._send(
            {
                "run": run.name,
                "tiles": str(tiles.folder),
                "count": tiles.count,
                "kind": source and source.kind,
                "made_of": made_of,
            }
        )

    def leave(self) -> None:
        """Say that the program has ended; it goes on for those who still look."""
        with suppress(OSError):
            self._input.close()

    def _send(self, message: dict[str, Any]) -> None:
        data = pickle.dumps(message)
        with suppress(OSError):
            self._input.write(_HEAD.pack(len(data)) + data)
            self._input.flush()


def next_message(stream: Any) -> dict[str, Any] | None:
    """Returns the next message of the program; None after its end."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    size = _HEAD.unpack(head)[0]
    data = stream.read(size)
    if len(data) < size:
        return None
    message: dict[str, Any] = pickle.loads(data)  # of the program that started this process
    return message


class Tiles:
    """The tiles of a run, for the process beside.

    Args:
        env: The environment or batch.
        count: The number of tiles.

    Attributes:
        source: Where they come from; None if there are no states.
        folder: Where they are written.
        asked: Shared memory of three bytes: what is asked for, whether the run is over, and a count that goes on while
            the program steps, as told by `ASKED`, `OVER` and `STEPS`.
        rests_until: When tiles may be written again, by `perf_counter`.
        end: Says that there are no more; so does the end of this object.
    """

    def __init__(self, env: Any, count: int) -> None:
        self._env, self.count = env, count
        self.source: Source | None = source_of(env, count) if count else None
        self.folder = Path(tempfile.mkdtemp(prefix="gymnasium-studio-"))
        self.asked = asking(self.folder, fresh=True)
        self.rests_until = 0.0
        self._took: deque[float] = deque(maxlen=_LATEST)
        self._spent = 0.0  # on those that are on their way
        self._gathered: tuple[int, Any] = NOTHING, None  # what they are, and they
        self._file: Any = open(tiles_in(self.folder), "wb")  # noqa: SIM115  (see `_mark_over`)
        self.end = finalize(self, _mark_over, self.asked, self._file, os.getpid())
        self.end.atexit = False  # the end of the program is noticed too

    def gather(self) -> bool:
        """Gather the tiles that are asked for. Returns whether there are any to show, or none ever.

        There are not while the last ones have taken too much time for that, or while scenes are on their way.
        """
        began = perf_counter()
        if began < self.rests_until:
            return False
        wanted = self.asked[ASKED]
        found: Any = None
        if wanted == SCENES:
            found = scenes(self._env, self.count)
        elif wanted == STATES:
            found = None if self.source is None else states(self.source)
        elif wanted == PICTURES:
            found = pictures(self._env, self.count)
        self._gathered = wanted, found
        self._spent += perf_counter() - began
        return found is None or len(found) > 0

    def show(self, returns: list[float], lengths: list[int]) -> None:
        """Write the tiles that have come.

        Args:
            returns: The returns so far, of each tile.
            lengths: The steps so far.
        """
        began = perf_counter()
        kind, found = self._gathered
        if found is not None:
            data = {"kind": kind, "tiles": list(found), "returns": returns, "lengths": lengths}
            self._file.seek(0)  # nobody reads it before `asked` says that it is written
            pickle.dump(data, self._file)
            self._file.flush()
        self.asked[ASKED] = NOTHING if found is not None else NEITHER
        now = perf_counter()
        self._took.append(self._spent + now - began)
        self._spent = 0.0
        self.rests_until = now + self._rest()

    def _rest(self) -> float:
        """Returns for how many seconds to rest: by the usual time, as one may have waited long for a processor."""
        usual = sorted(self._took)[(len(self._took) - 1) // 2]
        return min(usual / _SHARE, FIRST_REST if len(self._took) < _LATEST else inf)


def _mark_over(asked: mmap.mmap, file: Any, owner: int) -> None:
    with suppress(OSError):
        file.close()
    if os.getpid() == owner:  # not in a process that was forked from the program
        asked[OVER] = True


def asking(folder: Path, fresh: bool = False) -> mmap.mmap:
    """Returns the bytes `ASKED`, `OVER` and `STEPS`, shared by both processes."""
    path = folder / "asked"
    if fresh:
        path.write_bytes(bytes(_BYTES))
    with open(path, "r+b") as file:
        return mmap.mmap(file.fileno(), _BYTES)


def tiles_in(folder: Path) -> Path:
    """Returns the file of the tiles."""
    return folder / "tiles"
