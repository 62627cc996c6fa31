"""Ctrl-C as a request instead of an exception at an arbitrary point."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType


class StopRequest:
    """Within its context, the first SIGINT sets `made`, and a second one raises `KeyboardInterrupt`."""

    def __init__(self) -> None:
        self.made = False

    def __enter__(self) -> StopRequest:
        """Returns itself."""
        self._previous = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Restores the previous handler of SIGINT."""
        signal.signal(signal.SIGINT, self._previous)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.made = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
