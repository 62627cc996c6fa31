"""What a call does, counted instead of timed: the same on a busy machine as on an idle one."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

REPEATS = 40


class Count(NamedTuple):
    """What one call does at least, of many.

    Attributes:
        lines: Lines of Python that it runs.
        calls: Functions that it calls, those written in C included.
        peak: Bytes that it holds at most, beyond what was held before.
    """

    lines: int
    calls: int
    peak: int

    def beyond(self, bound: Count) -> dict[str, str]:
        """Returns what exceeds a bound, and by how much."""
        each = zip(self._fields, self, bound, strict=True)
        return {name: f"{mine}, but at most {most}" for name, mine, most in each if mine > most}


class Moves:
    """Counts the lines and calls of this thread, from `start` to `stop`."""

    def __init__(self) -> None:
        self._lines = self._calls = 0

    def start(self) -> None:
        """Begin to count, also in the functions that are running already."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            frame.f_trace = self._trace
            frame = frame.f_back
        self._lines = self._calls = 0
        sys.setprofile(self._profile)
        sys.settrace(self._trace)

    def stop(self) -> tuple[int, int]:
        """Returns how many lines and calls there were, those of stopping included, which are always as many."""
        sys.settrace(None)
        sys.setprofile(None)
        return self._lines, self._calls

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self._lines += 1
        return self._trace

    def _profile(self, frame: FrameType, event: str, arg: Any) -> None:
        if event in ("call", "c_call"):
            self._calls += 1


class Memory:
    """Measures what this process holds at most, from `start` to `stop`."""

    def __init__(self) -> None:
        self._before = 0

    def start(self) -> None:
        """Begin to measure."""
        if not tracemalloc.is_tracing():
            tracemalloc.start()
        tracemalloc.reset_peak()
        self._before, _ = tracemalloc.get_traced_memory()

    def stop(self) -> int:
        """Returns the bytes beyond those held at the start."""
        _, peak = tracemalloc.get_traced_memory()
        return peak - self._before


def counted(act: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> Count:
    """Returns what one call of `act` does at least, `prepare` being called before each."""
    moves, memory = Moves(), Memory()
    walked, held = [], []
    for _ in range(REPEATS):
        prepare()
        moves.start()
        act()
        walked.append(moves.stop())
    try:
        for _ in range(REPEATS):
            prepare()
            memory.start()
            act()
            held.append(memory.stop())
    finally:
        tracemalloc.stop()
    return Count(*min(walked), min(held))
