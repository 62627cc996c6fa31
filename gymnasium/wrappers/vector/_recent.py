"""The statistics of the last episodes, in queues that are filled when somebody looks."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

# So many batches wait at most: little memory, and little to do for whoever looks.
_BATCHES = 64


class RecentEpisodes:
    """Queues of the returns, lengths and durations of the last `maxlen` episodes.

    A step of a large batch ends more episodes than the queues hold, so what it adds waits as arrays.

    Args:
        maxlen: How many episodes are kept; None for all.
    """

    def __init__(self, maxlen: int | None) -> None:
        self._maxlen = maxlen
        self._returns: deque[float] = deque(maxlen=maxlen)
        self._lengths: deque[int] = deque(maxlen=maxlen)
        self._durations: deque[float] = deque(maxlen=maxlen)
        self._waiting: list[tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]] = []

    def add(self, returns: NDArray[np.float64], lengths: NDArray[np.int64], durations: NDArray[np.float64]) -> None:
        """Add episodes: arrays of shape (k,), which must not change hereafter."""
        if self._maxlen is not None and len(returns) >= self._maxlen:
            self._waiting.clear()  # of what came before, nothing stays
        elif len(self._waiting) == _BATCHES:
            self._fill()
        self._waiting.append((returns, lengths, durations))

    @property
    def returns(self) -> deque[float]:
        """The sums of the rewards."""
        self._fill()
        return self._returns

    @property
    def lengths(self) -> deque[int]:
        """The numbers of steps."""
        self._fill()
        return self._lengths

    @property
    def durations(self) -> deque[float]:
        """The seconds between reset and end."""
        self._fill()
        return self._durations

    def _fill(self) -> None:
        for returns, lengths, durations in self._waiting:
            self._returns.extend(returns.tolist())
            self._lengths.extend(lengths.tolist())
            self._durations.extend(durations.tolist())
        self._waiting.clear()
