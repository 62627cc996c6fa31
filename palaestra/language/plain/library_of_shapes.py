"""Functions that translated code calls in the place of those of NumPy that move the elements of an array."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np


def rolled_rows(array, shift):
    """`np.roll(array, shift, axis=0)` of two axes."""
    result = np.zeros_like(array)
    rows = array.shape[0]
    for i in range(rows):
        result[(i + shift) % rows] = array[i]
    return result


def rolled_columns(array, shift):
    """`np.roll(array, shift, axis=1)` of two axes."""
    result = np.zeros_like(array)
    columns = array.shape[1]
    for i in range(array.shape[0]):
        for j in range(columns):
            result[i, (j + shift) % columns] = array[i, j]
    return result


def turned_0(array):
    """`np.rot90(array, 0)`."""
    return array[:, :]


def turned_1(array):
    """`np.rot90(array, 1)`."""
    return array[:, ::-1].T


def turned_2(array):
    """`np.rot90(array, 2)`."""
    return array[::-1, ::-1]


def turned_3(array):
    """`np.rot90(array, 3)`."""
    return array.T[:, ::-1]


def padded(array, before, after, value):
    """`np.pad(array, ((before, after),), constant_values=value)`."""
    result = np.zeros(before + array.shape[0] + after, array.dtype)
    result[:] = value
    for k in range(array.shape[0]):
        result[before + k] = array[k]
    return result


def padded2(array, above, below, left, right, value):
    """`np.pad(array, ((above, below), (left, right)), constant_values=value)`."""
    result = np.zeros((above + array.shape[0] + below, left + array.shape[1] + right), array.dtype)
    result[:] = value
    for i in range(array.shape[0]):
        for j in range(array.shape[1]):
            result[above + i, left + j] = array[i, j]
    return result
