"""Sums over a batch in the order of NumPy, and the moments of `gymnasium.transforms.moments`, compiled.

NumPy adds rows one after the other, but numbers side by side in pairs: it halves them down to 128 numbers, of which
every eighth goes into a sum of its own. `trial.py` compares with NumPy's own.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from palaestra.language.jit.addresses import rows_at
from palaestra.language.jit.backend import compiled
from palaestra.runner.policies.registers import reserved

BLOCK, SUMS = 128, 8
DEPTH = 60  # of the tree of halves, at most

inlined = partial(compiled, forceinline=True)


@inlined
def block_sum(numbers: np.ndarray, count: int) -> Any:
    """Returns the sum of the first numbers, a block at most."""
    if count < SUMS:
        total = numbers[0]
        for k in range(1, count):
            total += numbers[k]
        return total
    a, b, c, d = numbers[0], numbers[1], numbers[2], numbers[3]
    e, f, g, h = numbers[4], numbers[5], numbers[6], numbers[7]
    whole = count - count % SUMS
    for k in range(SUMS, whole, SUMS):
        a += numbers[k]
        b += numbers[k + 1]
        c += numbers[k + 2]
        d += numbers[k + 3]
        e += numbers[k + 4]
        f += numbers[k + 5]
        g += numbers[k + 6]
        h += numbers[k + 7]
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for k in range(whole, count):
        total += numbers[k]
    return total


@inlined
def sum_at(address: int, count: int, size: int) -> Any:
    """Returns the sum of a block at an address, as float64."""
    if size == 8:
        return block_sum(rows_at(address, (count,), np.float64), count)
    return np.float64(block_sum(rows_at(address, (count,), np.float32), count))


@compiled
def pairwise_at(address: int, count: int, size: int) -> Any:
    """Returns the sum of numbers of 8 or 4 bytes at an address.

    It goes through the tree of halves from left to right; machine code on the disk knows no recursion.
    """
    counts, rests = rows_at(reserved(8 * DEPTH), (DEPTH,), np.int64), rows_at(reserved(8 * DEPTH), (DEPTH,), np.int64)
    sums = rows_at(reserved(8 * DEPTH), (DEPTH,), np.float64)
    depth, counts[0] = 0, count
    while True:
        while counts[depth] > BLOCK:
            half = counts[depth] // 2
            half -= half % SUMS
            rests[depth] = counts[depth] - half
            depth += 1
            counts[depth] = half
        total = sum_at(address, counts[depth], size)
        address += size * counts[depth]
        while depth > 0 and not rests[depth - 1]:
            depth -= 1
            total += sums[depth]
            if size == 4:
                total = np.float64(np.float32(total))
        if depth == 0:
            return total
        sums[depth - 1], counts[depth], rests[depth - 1] = total, rests[depth - 1], 0


@inlined
def column_sums(
    batch: np.ndarray, count: int, width: int, most_folds: int, partial: np.ndarray, sums: np.ndarray
) -> None:
    """Write the sum of each column of a flat batch of `count` rows into `sums`, folded as by `moments._rows`."""
    folds = min(most_folds, count & -count)
    side = folds * width
    for j in range(side):
        partial[j] = batch[j]
    if side == 1:
        sums[0] = pairwise_at(batch.ctypes.data, count, batch.itemsize)
        return
    for row in range(1, count // folds):
        for j in range(side):
            partial[j] += batch[row * side + j]
    if width == 1:
        sums[0] = pairwise_at(partial.ctypes.data, folds, partial.itemsize)
        return
    for j in range(width):
        sums[j] = partial[j]
    for fold in range(1, folds):
        for j in range(width):
            sums[j] += partial[fold * width + j]


@compiled
def column_sums_at(
    batch_at: int,
    count: int,
    width: int,
    most_folds: int,
    partial_at: int,
    sums_at: int,
    size: int,
) -> None:
    """Write the sum of each column of a flat batch at an address, of numbers of 8 or 4 bytes, to another one."""
    if size == 8:
        wide, parts = rows_at(batch_at, (count * width,), np.float64), rows_at(partial_at, (most_folds,), np.float64)
        column_sums(wide, count, width, most_folds, parts, rows_at(sums_at, (width,), np.float64))
    else:
        batch, partial = rows_at(batch_at, (count * width,), np.float32), rows_at(partial_at, (most_folds,), np.float32)
        column_sums(batch, count, width, most_folds, partial, rows_at(sums_at, (width,), np.float32))


@inlined
def moments_of(
    batch: np.ndarray,
    count: int,
    width: int,
    most_folds: int,
    squares: np.ndarray,
    partial: np.ndarray,
    mean: np.ndarray,
    var: np.ndarray,
) -> None:
    """Write the moments of the first rows of a flat batch, `moments.of_batch`, into `mean` and `var`."""
    number, size, partial_at = batch.dtype.type(count), batch.itemsize, partial.ctypes.data
    column_sums_at(batch.ctypes.data, count, width, most_folds, partial_at, mean.ctypes.data, size)
    for j in range(width):
        mean[j] /= number
    for i in range(count):
        for j in range(width):
            deviation = batch[i * width + j] - mean[j]
            squares[i * width + j] = deviation * deviation
    column_sums_at(squares.ctypes.data, count, width, most_folds, partial_at, var.ctypes.data, size)
    for j in range(width):
        var[j] /= number
