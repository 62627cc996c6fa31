"""The statistics of the last episodes, in queues that are filled on access."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

# The maximum number of waiting batches: little memory, and little work on access.
_BATCHES = 64


class RecentEpisodes:
    """Queues of the returns, lengths and durations of the last `maxlen` episodes.

    A step of a large batch may end more episodes than the queues hold, so its results wait as arrays.

    Args:
        maxlen: The number of episodes kept; None for all.
    """

    def __init__(self, maxlen: int | None) -> None:
        self._maxlen = maxlen
        self._returns: deque[float] = deque(maxlen=maxlen)
        self._lengths: deque[int] = deque(maxlen=maxlen)
        self._durations: deque[float] = deque(maxlen=maxlen)
        self._waiting: list[tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]] = []

    def add(self, returns: NDArray[np.float64], lengths: NDArray[np.int64], durations: NDArray[np.float64]) -> None:
        """Add episodes: arrays of shape (k,), which must not change afterwards."""
        if self._maxlen is not None and len(returns) >= self._maxlen:
            self._waiting.clear()  # these episodes displace all earlier ones
        elif len(self._waiting) == _BATCHES:
            self._fill()
        self._waiting.append((returns, lengths, durations))

    @property
    def returns(self) -> deque[float]:
        """The sums of the rewards."""
        self._fill()
        return self._returns

    @returns.setter
    def returns(self, queue: deque[float]) -> None:
        self._fill()
        self._returns = queue
        self._maxlen = _longest(self._returns.maxlen, self._lengths.maxlen, self._durations.maxlen)

    @property
    def lengths(self) -> deque[int]:
        """The numbers of steps."""
        self._fill()
        return self._lengths

    @lengths.setter
    def lengths(self, queue: deque[int]) -> None:
        self._fill()
        self._lengths = queue
        self._maxlen = _longest(self._returns.maxlen, self._lengths.maxlen, self._durations.maxlen)

    @property
    def durations(self) -> deque[float]:
        """The seconds between reset and end."""
        self._fill()
        return self._durations

    @durations.setter
    def durations(self, queue: deque[float]) -> None:
        self._fill()
        self._durations = queue
        self._maxlen = _longest(self._returns.maxlen, self._lengths.maxlen, self._durations.maxlen)

    def _fill(self) -> None:
        for returns, lengths, durations in self._waiting:
            self._returns.extend(returns.tolist())
            self._lengths.extend(lengths.tolist())
            self._durations.extend(durations.tolist())
        self._waiting.clear()


def _longest(*lengths: int | None) -> int | None:
    known = [length for length in lengths if length is not None]
    return max(known) if len(known) == len(lengths) else None
