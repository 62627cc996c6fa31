"""Where the time of a training goes."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Final

_PAUSE: Final = 10.0  # times as long as usual is a pause between steps in which something is learned
_SLOWLY: Final = 0.05  # share of a new pause in what is usual


class Clock:
    """Divides the time into that of the environments, of the policy, of both at once, and of learning.

    What lies between two steps is the policy's. Only pauses that are much longer than usual count as learning, and so
    does all between two rollouts, and what `learning` encloses.

    Attributes:
        ended: When the last call of the environments ended.
    """

    def __init__(self) -> None:
        self.ended = perf_counter()
        self._environment = self._policy = self._together = self._learning = 0.0
        self._usual: float | None = None
        self._collecting = False
        self._told = 0.0

    def note_step(self, began: float, ended: float) -> None:
        """Note a call of the environments."""
        self.note_steps((began,), (ended,))

    def note_steps(self, began: Sequence[float], ended: Sequence[float]) -> None:
        """Note calls of the environments."""
        last, told, usual, collecting = self.ended, self._told, self._usual, self._collecting
        environment = policy = learning = 0.0
        for begin, end in zip(began, ended, strict=True):
            pause = begin - last - told
            told = 0.0
            environment += end - begin
            last = end
            if collecting:
                policy += pause
            elif usual is None or pause < _PAUSE * usual:
                policy += pause
                usual = pause if usual is None else usual + _SLOWLY * (pause - usual)
            else:
                learning += pause - usual
                policy += usual
        self.ended, self._told, self._usual = last, told, usual
        self._environment += environment
        self._policy += policy
        self._learning += learning

    def note_learning(self, seconds: float) -> None:
        """Note some time of learning, since the last call of the environments."""
        self._learning += seconds
        self._told += seconds

    def begin_rollout(self) -> None:
        """Note that only steps and the policy's work follow."""
        now = perf_counter()
        self._learning += now - self.ended - self._told
        self.ended, self._told, self._collecting = now, 0.0, True

    def end_rollout(self, together: bool) -> None:
        """Note the end of a rollout, whose time was not divided if environments and policy worked together."""
        now = perf_counter()
        if together:
            self._together += now - self.ended
        else:
            self._policy += now - self.ended
        self.ended, self._told, self._collecting = now, 0.0, False

    def taken(self) -> list[float]:
        """Returns the seconds of environments, policy, both and learning since the last call."""
        spent = [self._environment, self._policy, self._together, self._learning]
        self._environment = self._policy = self._together = self._learning = 0.0
        return [round(max(0.0, seconds), 4) for seconds in spent]
