"""Sums and moments of the columns of a batch: `gymnasium.transforms.moments` in the language, with its order of sums.

A batch is an address, the dtype of its floats, a width, and a count of rows. NumPy adds rows one after the other, but
numbers side by side in pairs, which its own loop does here, too. `trial.py` compares with NumPy.
"""

from __future__ import annotations

from typing import Any

from gymnasium.transforms import moments
from palaestra.language.operations.memory import column_at, copy_at, row_at, sum_at

ROW = moments._ROW


def most_folds(width: int) -> int:
    """Returns the most rows that `moments` takes side by side, each of so many numbers."""
    return 1 << (ROW // max(width, 1)).bit_length()


def numbers_at(address: int, kind: Any) -> Any:
    """Returns a column of numbers of NumPy."""
    return column_at(address, kind, (), numpy=True)


def column_sums(kind: Any, width: int, batch_at: int, count: int, partial_at: int, sums_at: int) -> None:
    """Write the sum of each column: `moments._column_sums`."""
    folds = min(most_folds(width), count & -count)
    if width == 1 and folds == 1:
        numbers_at(sums_at, kind)[0] = sum_at(batch_at, kind, count)
        return
    side, partial = folds * width, numbers_at(partial_at, kind)
    clear(kind, partial, side)
    for k in range(count // folds):
        row = numbers_at(row_at(batch_at, kind.itemsize * side, k), kind)
        for j in range(side):
            partial[j] = partial[j] + row[j]
    add_folds(kind, width, folds, partial_at, sums_at)


def column_squares(
    kind: Any, width: int, batch_at: int, count: int, center: Any, partial_at: int, squares_at: int, sums_at: int
) -> None:
    """Write the sum of the squares of each column's deviations from `center`, see `repeat`, or from zero for None."""
    folds = min(most_folds(width), count & -count)
    if width == 1 and folds == 1:
        write_squares(kind, batch_at, count, center, squares_at)
        numbers_at(sums_at, kind)[0] = sum_at(squares_at, kind, count)
        return
    side, partial = folds * width, numbers_at(partial_at, kind)
    clear(kind, partial, side)
    for k in range(count // folds):
        row = numbers_at(row_at(batch_at, kind.itemsize * side, k), kind)
        for j in range(side):
            deviation = row[j] if center is None else row[j] - center[j]
            partial[j] = partial[j] + deviation * deviation
    add_folds(kind, width, folds, partial_at, sums_at)


def write_squares(kind: Any, batch_at: int, count: int, center: Any, squares_at: int) -> None:
    """Write the squares of the deviations of single numbers from the first of `center`."""
    batch, squares = numbers_at(batch_at, kind), numbers_at(squares_at, kind)
    for i in range(count):
        deviation = batch[i] if center is None else batch[i] - center[0]
        squares[i] = deviation * deviation


def clear(kind: Any, numbers: Any, count: int) -> None:
    """Write zeros, which NumPy begins its sums with."""
    for j in range(count):
        numbers[j] = kind.type(0)


def add_folds(kind: Any, width: int, folds: int, partial_at: int, sums_at: int) -> None:
    """Write the sum of each column of a few rows."""
    sums = numbers_at(sums_at, kind)
    if width == 1:
        sums[0] = sum_at(partial_at, kind, folds)
        return
    clear(kind, sums, width)
    for k in range(folds):
        row = numbers_at(row_at(partial_at, kind.itemsize * width, k), kind)
        for j in range(width):
            sums[j] = sums[j] + row[j]


def repeat(kind: Any, width: int, values_at: int, side_at: int, count: int) -> None:
    """Write numbers, one for each column, several times side by side, but not more often than there are rows."""
    done = kind.itemsize * width
    size = done * min(most_folds(width), count)
    copy_at(side_at, values_at, done)
    while done < size:
        more = min(done, size - done)
        copy_at(side_at + done, side_at, more)
        done += more


def moments_of(
    kind: Any, width: int, batch_at: int, count: int, side_at: int, partial_at: int, squares_at: int, moments_at: Any
) -> None:
    """Write the moments of a batch, `moments.of_batch`: to a pair of addresses, of the means and of the variances."""
    mean_at, var_at = moments_at
    mean, var, number = numbers_at(mean_at, kind), numbers_at(var_at, kind), kind.type(count)
    column_sums(kind, width, batch_at, count, partial_at, mean_at)
    for j in range(width):
        mean[j] = mean[j] / number
    repeat(kind, width, mean_at, side_at, count)
    column_squares(kind, width, batch_at, count, numbers_at(side_at, kind), partial_at, squares_at, var_at)
    for j in range(width):
        var[j] = var[j] / number
