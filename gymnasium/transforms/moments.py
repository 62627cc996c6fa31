"""Mean and variance of what has been seen, and values in their units.

Source: Chan, Golub & LeVeque (1983), The American Statistician 37(3), "Algorithms for computing the sample variance":
equation 2.1 merges the moments of two samples without looking at either again.
"""

from __future__ import annotations

from math import gcd, prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating[Any]]

# Values in a row over which NumPy's inner loops run at full speed.
_ROW = 1024
# Values in a batch from which on memory is what costs, and looking at it less often pays.
_LARGE = 1 << 14


class Moments(NamedTuple):
    """Mean and variance (of the population) of `n` values, entry by entry."""

    mean: Floats
    var: Floats
    n: float


def of_batch(batch: NDArray[Any]) -> Moments:
    """Returns the moments of a batch of shape (n, ...), n > 0.

    They have its own precision where it holds floats, but never less than single.
    """
    if batch.dtype.kind != "f":
        batch = batch.astype(np.float64)
    elif batch.dtype.itemsize < 4:
        batch = batch.astype(np.float32)
    n, shape = len(batch), batch.shape[1:]
    mean = (_column_sums(batch) / n).reshape(shape)
    rows, folds = _rows(batch)
    deviations = rows - _repeated(mean, folds)
    deviations *= deviations
    return Moments(mean, (_column_sums(deviations.reshape(batch.shape)) / n).reshape(shape), n)


def merged(a: Moments, b: Moments) -> Moments:
    """Returns the moments of both samples together."""
    n = a.n + b.n
    delta = b.mean - a.mean
    mean = a.mean + delta * b.n / n
    squares = a.var * a.n + b.var * b.n + delta**2 * a.n * b.n / n
    return Moments(mean, squares / n, n)


def normalized(batch: NDArray[Any], mean: Floats, var: Floats, epsilon: float) -> NDArray[np.float32]:
    """Returns `(batch - mean) / sqrt(var + epsilon)` for a batch of shape (n, ...)."""
    rows, folds = _rows(batch)
    centred = rows - _repeated(mean, folds)
    scale = _repeated(np.sqrt(var + epsilon), folds)
    out = centred if centred.dtype == scale.dtype == np.float32 else np.empty(rows.shape, np.float32)
    np.divide(centred, scale, out=out, casting="same_kind")
    return out.reshape(batch.shape)


def counted_and_normalized(batch: NDArray[Any], before: Moments, epsilon: float) -> tuple[Moments, NDArray[np.float32]]:
    """Returns the moments with a batch of shape (n, ...) counted, n > 0, and the batch normalized by these.

    For large batches in half the time of the two calls one after the other, and the same up to rounding: the deviations
    from the new mean, which are needed for the second, give the new variance too (by the parallel axis theorem).
    """
    if batch.size < _LARGE:
        now = merged(before, of_batch(batch))
        return now, normalized(batch, now.mean, now.var, epsilon)
    n, total, shape = len(batch), before.n + len(batch), batch.shape[1:]
    sums = _column_sums(batch.astype(np.float32) if batch.dtype == np.float16 else batch).reshape(shape)
    shift = (sums / n - before.mean) * (n / total)
    mean = before.mean + shift

    # Rounded to single precision only after the difference, so that values far from zero do not suffer.
    out = np.empty(batch.shape, np.float32)
    rows, folds = _rows(out, 4 * _ROW)
    np.subtract(batch.reshape(rows.shape), _repeated(mean, folds), out=rows, casting="same_kind")
    squares = _column_sums(out * out).reshape(shape)
    var = ((before.var + shift * shift) * before.n + squares) / total
    rows *= _repeated((1 / np.sqrt(var + epsilon)).astype(np.float32), folds)
    return Moments(mean, var, total), out


def _rows(batch: NDArray[Any], least: int = _ROW) -> tuple[NDArray[Any], int]:
    """Returns a batch with several of its members side by side in each row, and how many they are.

    So many that a row has `least` values, but a power of two, of which most batch sizes are a multiple; one where not.
    """
    width = prod(batch.shape[1:])
    folds = gcd(len(batch), 1 << (least // max(width, 1)).bit_length())
    return batch.reshape(len(batch) // folds, folds * width), folds


def _repeated(value: Floats, folds: int) -> Floats:
    """Returns a value's entries `folds` times in a row: `np.tile` in a fifth of its time."""
    row = np.empty((folds, value.size), value.dtype)
    row[:] = value.ravel()
    return row.ravel()


def _column_sums(batch: NDArray[Any]) -> Floats:
    """Returns the sum of each entry over a batch, as a vector."""
    rows, folds = _rows(batch)
    sums: NDArray[Any] = np.add.reduce(rows, axis=0)
    return np.add.reduce(sums.reshape(folds, -1), axis=0)  # type: ignore[no-any-return]  # an array
