"""Running mean and variance, and values normalized by them.

Source: Chan, Golub & LeVeque (1983), The American Statistician 37(3), "Algorithms for computing the sample variance":
equation 2.1 merges the moments of two samples without a second pass.
"""

from __future__ import annotations

from math import gcd, prod
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating]

# Values per row at which NumPy's inner loops run at full speed.
_ROW = 1024
# The batch size above which memory access dominates, so that fewer passes pay.
_LARGE = 1 << 14


class Moments(NamedTuple):
    """Mean and variance (of the population) of `n` values, entry by entry."""

    mean: Floats
    var: Floats
    n: float


def of_batch(batch: np.ndarray) -> Moments:
    """Returns the moments of a batch of shape (n, ...), n > 0.

    They have the batch's float precision, but at least single precision.
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


def normalized(batch: np.ndarray, mean: Floats, var: Floats, epsilon: float) -> NDArray[np.float32]:
    """Returns `(batch - mean) / sqrt(var + epsilon)` for a batch of shape (n, ...)."""
    rows, folds = _rows(batch)
    centred = rows - _repeated(mean, folds)
    scale = _repeated(np.sqrt(var + epsilon), folds)
    out = centred if centred.dtype == scale.dtype == np.float32 else np.empty(rows.shape, np.float32)
    np.divide(centred, scale, out=out, casting="same_kind")
    return out.reshape(batch.shape)


def counted_and_normalized(batch: np.ndarray, before: Moments, epsilon: float) -> tuple[Moments, NDArray[np.float32]]:
    """Returns the moments updated with a batch of shape (n, ...), n > 0, and the batch normalized by them.

    For large batches this takes half the time of the two separate calls, with the same result up to rounding: the
    deviations from the new mean, needed to normalize, also give the new variance (by the parallel axis theorem).
    """
    if batch.size < _LARGE:
        now = merged(before, of_batch(batch))
        return now, normalized(batch, now.mean, now.var, epsilon)
    n, total, shape = len(batch), before.n + len(batch), batch.shape[1:]
    sums = _column_sums(batch.astype(np.float32) if batch.dtype == np.float16 else batch).reshape(shape)
    shift = (sums / n - before.mean) * (n / total)
    mean = before.mean + shift

    # Rounded to single precision only after the difference, to keep the precision of values far from zero.
    out = np.empty(batch.shape, np.float32)
    rows, folds = _rows(out, 4 * _ROW)
    np.subtract(batch.reshape(rows.shape), _repeated(mean, folds), out=rows, casting="same_kind")
    squares = _column_sums(out * out).reshape(shape)
    var = ((before.var + shift * shift) * before.n + squares) / total
    rows *= _repeated((1 / np.sqrt(var + epsilon)).astype(np.float32), folds)
    return Moments(mean, var, total), out


def _rows(batch: np.ndarray, least: int = _ROW) -> tuple[np.ndarray, int]:
    """Returns a batch with several of its members side by side in each row, and their number.

    A row has at least `least` values. The number is a power of two, which divides most batch sizes, and otherwise one.
    """
    width = prod(batch.shape[1:])
    folds = gcd(len(batch), 1 << (least // max(width, 1)).bit_length())
    return batch.reshape(len(batch) // folds, folds * width), folds


def _repeated(value: Floats, folds: int) -> Floats:
    """Returns a value's entries repeated `folds` times: `np.tile` in a fifth of its time."""
    row = np.empty((folds, value.size), value.dtype)
    row[:] = value.ravel()
    return row.ravel()


def _column_sums(batch: np.ndarray) -> Floats:
    """Returns the sum of each entry over a batch, as a vector."""
    rows, folds = _rows(batch)
    sums: np.ndarray = np.add.reduce(rows, axis=0)
    return np.add.reduce(sums.reshape(folds, -1), axis=0)  # type: ignore[no-any-return]  # an array
