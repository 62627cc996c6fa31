"""Random draws that translated code calls in the place of NumPy's own; each gives its numbers."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np


def _below(top, rng):
    """A number of 0 to `top`, as NumPy draws it for a shuffle: some bits, until they are few enough."""
    mask = top
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    value = rng.integers(0, 4294967296) & mask
    while value > top:
        value = rng.integers(0, 4294967296) & mask
    return value


def swapped(array, rng):
    """`rng.shuffle(array)` of one axis."""
    for k in range(len(array) - 1, 0, -1):
        j = _below(k, rng)
        kept = array[k]
        array[k] = array[j]
        array[j] = kept


def swapped_rows(array, rng):
    """`rng.shuffle(array)` of two axes."""
    for k in range(len(array) - 1, 0, -1):
        j = _below(k, rng)
        for m in range(array.shape[1]):
            kept = array[k, m]
            array[k, m] = array[j, m]
            array[j, m] = kept


def permuted(count, rng):
    """`rng.permutation(count)`."""
    array = np.arange(count)
    swapped(array, rng)
    return array


def permuted_items(items, rng):
    """`rng.permutation(items)` of one axis."""
    array = items.copy()
    swapped(array, rng)
    return array


def chosen_apart(count, size, rng):
    """`rng.choice(count, size, replace=False)` of at most 10,000: Floyd's algorithm, then a shuffle."""
    if size > count or size < 0:
        raise ValueError("a sample larger than the population")
    if count > 10000:
        raise ValueError("a population above 10,000 is drawn otherwise")
    chosen = np.zeros(size, np.int64)
    for j in range(count - size, count):
        value = rng.integers(0, j + 1)
        for k in range(j - count + size):
            if chosen[k] == value:
                value = j
                break
        chosen[j - count + size] = value
    for k in range(size - 1, 0, -1):
        j = rng.integers(0, k + 1)
        kept = chosen[k]
        chosen[k] = chosen[j]
        chosen[j] = kept
    return chosen


def chosen_by(weights, rng):
    """The index that `rng.choice(n, p=weights)` draws."""
    sums = np.zeros(len(weights), np.float64)
    total = 0.0
    for k in range(len(weights)):
        if not weights[k] >= 0.0:
            raise ValueError("probabilities are not negative")
        total += weights[k]
        sums[k] = total
    if abs(total - 1.0) > 1e-8:
        raise ValueError("probabilities do not sum to 1")
    draw = rng.random()
    for k in range(len(weights)):
        if draw < sums[k] / total:
            return k
    raise ValueError("a draw beyond the probabilities")


def short_integers(low, high, array, bits, rng):
    """`rng.integers(low, high, size, dtype)` of 8, 16 or 32 bits, into an array of int64.

    Lemire (2019), "Fast random integer generation in an interval", on the parts of words of 32 bits.
    """
    if low >= high:
        raise ValueError("low >= high")
    n = high - low
    flat = array.ravel()
    whole = 1 << bits
    left, word = 0, 0
    for k in range(flat.size):
        if n == 1:
            flat[k] = low
            continue
        while True:
            if left == 0:
                word = rng.integers(0, 4294967296)
                left = 32 // bits
            part = word & (whole - 1)
            word = word >> bits
            left -= 1
            product = part * n
            if (product & (whole - 1)) >= n or (product & (whole - 1)) >= (whole - n) % n:
                break
        flat[k] = low + (product >> bits)
    return array


def short_float(rng):
    """`rng.random(dtype=np.float32)`: the upper 24 bits of a word of 32."""
    return np.float32((rng.integers(0, 4294967296) >> 8) / 16777216.0)


def short_floats(array, rng):
    """`rng.random(size, dtype=np.float32)`, into an array."""
    flat = array.ravel()
    for k in range(flat.size):
        flat[k] = short_float(rng)
    return array
