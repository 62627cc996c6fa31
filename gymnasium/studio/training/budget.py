"""How often pictures may be drawn: often on a processor that nobody wants, and seldom while others want all of them.

Steps of a batch in worker processes end when the last worker is done, so what drawing takes from one worker delays all.
And a worker that is delayed does not show that: it may stay awake while it waits. So drawing looks for idle processors.
"""

from __future__ import annotations

import os
import time
from collections import deque
from pathlib import Path
from typing import Final, NamedTuple

SHARE: Final = 0.04  # of a processor, which drawing may take from others that want it
_UNUSED: Final = 0.75  # of a processor that nobody but this process uses: enough for it
_IDLE: Final = 0.15  # of a processor that this process leaves too, or else it may be in the way
_WINDOW: Final = 0.25  # s, the least to look back
_TICK: Final = 0.01  # s, of the system's counters
_COUNTERS: Final = Path("/proc/stat")
_LATEST: Final = 3  # pictures, of which the cheapest counts: some also load or compile something


class _Moment(NamedTuple):
    now: float
    idle: float  # seconds of all processors so far
    own: float  # seconds that this process has used


class Budget:
    """What pictures cost, and how long to rest after each."""

    def __init__(self) -> None:
        self._costs: deque[float] = deque(maxlen=_LATEST)
        self._own = time.process_time()
        self._before = _moment()
        self._plenty = False

    def begin(self) -> None:
        """Count from now on."""
        self._own = time.process_time()
        self._before, self._plenty = _moment(), False

    def rest(self, took: float, worked: float) -> float:
        """Returns for how many seconds to rest.

        Args:
            took: How long drawing the last picture took, s.
            worked: For how much of that it had a processor, s.
        """
        own, before = time.process_time(), self._own
        self._own = own
        self._costs.append(own - before)
        if self._before is not None and not self._has_plenty(self._before):
            return min(self._costs) / SHARE
        return worked * max(0.0, 1.0 - worked / took) / SHARE  # it had to wait for a processor: others want it too

    def _has_plenty(self, before: _Moment) -> bool:
        """Whether a processor has been free lately, as far as is known."""
        moment = _moment()
        assert moment is not None  # as before
        seconds = moment.now - before.now
        if seconds >= _WINDOW:
            idle, own = (moment.idle - before.idle) / seconds, (moment.own - before.own) / seconds
            self._plenty = idle >= _IDLE and idle + own >= _UNUSED
            self._before = moment
        return self._plenty


def _moment() -> _Moment | None:
    """Returns the counters of the processors that this process may use; None if the system does not tell."""
    try:
        usable = {f"cpu{k}" for k in os.sched_getaffinity(0)}
        rows = [line.split() for line in _COUNTERS.read_text().splitlines() if line.startswith("cpu")]
        idle = sum(int(row[4]) + int(row[5]) for row in rows if row[0] in usable)
    except (AttributeError, OSError, ValueError, IndexError):
        return None
    return _Moment(time.monotonic(), idle * _TICK, time.process_time())
