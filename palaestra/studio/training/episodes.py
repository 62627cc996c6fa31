"""Episodes that have ended, and their summary."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

RECENT: Final = 100  # episodes of the moving mean and the histogram
BINS: Final = 20
_MOST: Final = 20_000  # episodes that wait for a summary; of more, the quantiles are those of the latest

Numbers = np.ndarray | Sequence[float]


class Ended:
    """The episodes that have ended since the last summary, and the last hundred.

    Attributes:
        count: All that ever ended.
    """

    def __init__(self) -> None:
        self.count = 0
        self._returns, self._lengths = _Waiting(), _Waiting()
        self._recent: deque[float] = deque(maxlen=RECENT)

    def add(self, returns: Numbers, lengths: Numbers) -> None:
        """Add episodes: k returns and k lengths, which must not change afterwards."""
        self.count += len(returns)
        self._returns.add(returns)
        self._lengths.add(lengths)

    def summary(self) -> dict[str, Any]:
        """Returns the episodes since the last call, as the page shows them, as JSON, and begins anew.

        `returns` and `lengths` are number, mean, minimum, the quantiles 0.1, 0.5 and 0.9, and maximum; None if no
        episode ended. `recent` is the same of the last hundred returns, without their number; `mean` and `histogram`
        are theirs too.
        """
        returns, lengths = self._returns.taken(), self._lengths.taken()
        self._recent.extend(returns.latest(RECENT))
        recent = np.array([one for one in self._recent if np.isfinite(one)])
        return {
            "episodes": self.count,
            "returns": returns.summary(),
            "lengths": lengths.summary(),
            "mean": rounded(recent.mean()) if len(recent) else None,
            "recent": [*map(rounded, _spread(recent, recent.mean()))] if len(recent) else None,
            "histogram": _histogram(recent) if len(recent) else None,
        }


class _Waiting:
    """Numbers in the order in which they came; of very many only the latest, and what the others amount to."""

    def __init__(self) -> None:
        self._parts: list[Numbers] = []
        self._count = self._kept = 0
        self._sum, self._low, self._high = 0.0, np.inf, -np.inf

    def add(self, numbers: Numbers) -> None:
        self._parts.append(numbers)
        self._kept += len(numbers)
        if self._kept > 2 * _MOST:
            self._fold()

    def taken(self) -> _Waiting:
        """Returns these numbers, which are forgotten here."""
        taken = _Waiting()
        self.__dict__, taken.__dict__ = taken.__dict__, self.__dict__
        return taken

    def latest(self, count: int) -> list[float]:
        """Returns the last numbers, at most so many."""
        found: list[float] = []
        for part in reversed(self._parts):
            found[:0] = [float(number) for number in part[-(count - len(found)) :]]
            if len(found) >= count:
                break
        return found

    def summary(self) -> list[float | None] | None:
        """Returns number, mean, minimum, three quantiles and maximum; None if there are none."""
        if not self._parts:
            return None
        numbers = self._joined()
        with np.errstate(all="ignore"):  # of infinite rewards, too
            count, total = self._count + len(numbers), self._sum + float(numbers.sum())
            mean, low, *quantiles, high = _spread(numbers, total / count)
            found = [mean, min(low, self._low), *quantiles, max(high, self._high)]
        return [count, *map(rounded, found)]

    def _joined(self) -> NDArray[np.float64]:
        joined: NDArray[np.float64] = np.concatenate([np.asarray(part, np.float64) for part in self._parts])
        return joined

    def _fold(self) -> None:
        numbers = self._joined()
        old, new = numbers[:-_MOST], numbers[-_MOST:]
        self._count += len(old)
        self._sum += float(old.sum())
        self._low, self._high = min(self._low, old.min()), max(self._high, old.max())
        self._parts, self._kept = [new], len(new)


def rounded(value: Any) -> float | None:
    """Returns a number with six digits; None if it is not finite."""
    plain = float(value)
    return float(f"{plain:.6g}") if np.isfinite(plain) else None


def _spread(numbers: NDArray[np.float64], mean: float) -> list[float]:
    """Returns the mean, minimum, the quantiles 0.1, 0.5 and 0.9, and maximum."""
    return [float(mean), *map(float, np.quantile(numbers, [0, 0.1, 0.5, 0.9, 1]))]


def _histogram(numbers: NDArray[np.float64]) -> list[Any]:
    """Returns lowest edge, highest edge, and the numbers in between, in equal bins; one bin for equal numbers."""
    if numbers.min() == numbers.max():
        return [rounded(numbers[0]), rounded(numbers[0]), [len(numbers)]]
    counts, edges = np.histogram(numbers, BINS)
    return [rounded(edges[0]), rounded(edges[-1]), counts.tolist()]
