"""How often pictures may be drawn: often on a processor that nobody wants, and seldom while others want all of them.

Steps of a batch in worker processes end when the last worker is done, so what drawing takes from one worker delays all.
And a worker that is delayed does not show that: it may stay awake while it waits. So drawing looks for idle processors.
"""

from __future__ import annotations

import os
import time
from collections import deque
from math import inf
from pathlib import Path
from typing import Final, NamedTuple

from palaestra.studio.training.helper import FIRST_REST

SHARE: Final = 0.04  # of a processor, which drawing may take from others that want it
OF_UNUSED: Final = 0.25  # of the processors that nobody uses while this process rests, which it may take instead
_PLENTY: Final = 0.75  # of a processor that nobody uses: enough for all pictures
_WINDOW: Final = 0.25  # s of rest, the least to tell
_AGAIN: Final = 1.0  # s, until it looks again: that takes a tenth as long as a picture
_TICK: Final = 0.01  # s, of the system's counters
_COUNTERS: Final = Path("/proc/stat")
_LATEST: Final = 3  # pictures, of which the cheapest counts: some also load or compile something


class _Moment(NamedTuple):
    now: float
    idle: float  # seconds of all processors so far
    own: float  # seconds that this process has used


class Budget:
    """The cost of pictures, and the rest after each."""

    def __init__(self) -> None:
        self._costs: deque[float] = deque(maxlen=_LATEST)
        self.begin()

    def begin(self) -> None:
        """Count from now on."""
        self._own = time.process_time()
        self._rested = _moment()
        self._can_look = self._rested is not None
        self._looks_at = self._seconds = self._idle = 0.0
        self._unused = 0.0  # processors that nobody used lately

    def draws(self) -> None:
        """Note that a rest is over; what nobody used meanwhile is free, while drawing may push others aside."""
        before, self._rested = self._rested, None
        now = before and _moment()
        if before is None or now is None:
            return
        self._seconds += now.now - before.now
        self._idle += now.idle - before.idle + now.own - before.own
        if self._seconds >= _WINDOW:
            self._unused = self._idle / self._seconds
            self._seconds = self._idle = 0.0
            self._looks_at = now.now + _AGAIN

    def rest(self, took: float, worked: float, pictures: int = 1) -> float:
        """Returns for how many seconds to rest for each picture.

        Args:
            took: How long drawing the last pictures took, s.
            worked: For how much of that it had a processor, s.
            pictures: Their number.
        """
        own, before = time.process_time(), self._own
        self._own, self._rested = own, _moment() if time.monotonic() >= self._looks_at else None
        self._costs.append((own - before) / pictures)
        if self._can_look and self._unused < _PLENTY:
            share = max(SHARE, OF_UNUSED * self._unused)
            return min(min(self._costs) / share, FIRST_REST if len(self._costs) < _LATEST else inf)
        waited = max(0.0, 1.0 - worked / took)  # for a processor, as a share: others want it too
        return worked / pictures * waited / SHARE


def _moment() -> _Moment | None:
    """Returns the counters of the processors that this process may use; None if the system does not tell."""
    try:
        usable = {f"cpu{k}" for k in os.sched_getaffinity(0)}
        rows = [line.split() for line in _COUNTERS.read_text().splitlines() if line.startswith("cpu")]
        idle = sum(int(row[4]) + int(row[5]) for row in rows if row[0] in usable)
    except (AttributeError, OSError, ValueError, IndexError):
        return None
    return _Moment(time.monotonic(), idle * _TICK, time.process_time())
