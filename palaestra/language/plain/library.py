"""Functions that translated code calls in the place of Python's and NumPy's own; each gives their results.

They run as they are in Python, and follow the rules of `palaestra.language.jit.exact`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# ruff: noqa: SIM110  (there are no generators in machine code)
from __future__ import annotations

import sys
from typing import Any

import numpy as np


def present(pair):
    """The value of a pair (whether it is None, the value)."""
    if pair[0]:
        raise TypeError("None came where a value is needed")
    return pair[1]


def same_or_none(a, b):
    """`a == b` of two pairs (whether it is None, the value)."""
    if a[0] or b[0]:
        return a[0] and b[0]
    return a[1] == b[1]


def keyed(table, key):
    """A row of a dict's table, whose keys are 0, 1, 2, ..."""
    if key < 0 or key >= len(table):
        raise KeyError("a key that the dict does not have")
    return table[key]


def _place(items, item):
    """The place of an item; -1 if there is none."""
    for k in range(len(items)):
        if items[k] == item:
            return k
    return -1


def has_key(keys, key):
    """Whether one of the numbers is equal."""
    return _place(keys, key) >= 0


def place_in(items, item):
    """`items.index(item)`, or the place of a dict's key."""
    k = _place(items, item)
    if k < 0:
        raise ValueError("an item that the list does not have")
    return k


def _place_of_row(rows, key):
    """The place of the row that is equal to a tuple; -1 if there is none."""
    for i in range(rows.shape[0]):
        same = True
        for j in range(rows.shape[1]):
            if rows[i, j] != key[j]:
                same = False
                break
        if same:
            return i
    return -1


def has_row(rows, key):
    """Whether a tuple is equal to one of the rows."""
    return _place_of_row(rows, key) >= 0


def place_of_row(rows, key):
    """`items.index(key)` of a list of tuples, the rows."""
    i = _place_of_row(rows, key)
    if i < 0:
        raise ValueError("an item that the list does not have")
    return i


def count_of(items, item):
    """`items.count(item)`."""
    count = 0
    for k in range(len(items)):
        if items[k] == item:
            count += 1
    return count


def same_items(a, b):
    """`a == b` of two lists."""
    if len(a) != len(b):
        return False
    for k in range(len(a)):
        if a[k] != b[k]:
            return False
    return True


def of_size(array, size):
    """An array of one axis, which has a size."""
    if array.shape[0] != size:
        raise ValueError("an array of another length than the variables on the left")
    return array


def whole_power(base, exponent):
    """`base ** exponent` of ints."""
    if exponent < 0:
        raise ValueError("a negative exponent of an int")
    result = 1
    for _ in range(exponent):
        result *= base
    return result


def sum_of_ints(items):
    """`sum(items)`."""
    total = 0
    for k in range(len(items)):
        total += items[k]
    return total


def sum_of_flags(items):
    """`sum(items)` of bools."""
    total = 0
    for k in range(len(items)):
        total += int(items[k])
    return total


def _sum_plainly(items):
    total = 0.0
    for k in range(len(items)):
        total += items[k]
    return total


def _sum_with_rests(items):
    """Neumaier (1974), "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen".

    Python's own since 3.12.
    """
    total, rest = 0.0, 0.0
    for k in range(len(items)):
        x = items[k]
        t = total + x
        if abs(total) >= abs(x):
            rest += (total - t) + x
        else:
            rest += (x - t) + total
        total = t
    if rest != 0.0 and rest - rest == 0.0:
        return total + rest
    return total


sum_of_floats: Any = _sum_plainly if sys.version_info < (3, 12) else _sum_with_rests


def least(items):
    """`min(items)`."""
    if len(items) == 0:
        raise ValueError("min() of nothing")
    best = items[0]
    for k in range(1, len(items)):
        if items[k] < best:
            best = items[k]
    return best


def greatest(items):
    """`max(items)`."""
    if len(items) == 0:
        raise ValueError("max() of nothing")
    best = items[0]
    for k in range(1, len(items)):
        if items[k] > best:
            best = items[k]
    return best


def any_of(items):
    """`any(items)`."""
    for k in range(len(items)):
        if items[k]:
            return True
    return False


def all_of(items):
    """`all(items)`."""
    for k in range(len(items)):
        if not items[k]:
            return False
    return True


def to_int64(array):
    """`array.astype(np.int64)` of floats, cut off towards zero; those beyond 64 bits raise."""
    flat = array.copy().ravel()
    result = np.zeros(flat.size, np.int64)
    for k in range(flat.size):
        result[k] = int(float(flat[k]))
    return result.reshape(array.shape)


def _narrow(kind: Any) -> Any:
    namespace: dict[str, Any] = {"np": np, "__name__": __name__}
    text = (
        "def narrow(array):\n"
        "    flat = array.copy().ravel()\n"
        f"    result = np.zeros(flat.size, np.{kind})\n"
        "    for k in range(flat.size):\n"
        f"        result[k] = np.{kind}(int(flat[k]))\n"
        "    return result.reshape(array.shape)\n"
    )
    exec(text, namespace)
    namespace["narrow"].__name__ = f"to_{kind}"
    return namespace["narrow"]


NARROW = {kind: _narrow(kind) for kind in ("int8", "int16", "int32", "uint8", "uint16", "uint32")}
"""`array.astype(...)` of integers of fewer bits; numbers beyond these bits raise."""


def inside(array, low, high):
    """Whether each number of an array is within its bounds."""
    return np.all(array >= low) and np.all(array <= high)


def any_along(flags, axis):
    """`np.any(flags, axis=axis)` of two axes."""
    rows, columns = flags.shape
    result = np.zeros(columns if axis == 0 else rows, np.bool_)
    for i in range(rows):
        for j in range(columns):
            if flags[i, j]:
                result[j if axis == 0 else i] = True
    return result


def all_along(flags, axis):
    """`np.all(flags, axis=axis)` of two axes."""
    rows, columns = flags.shape
    result = np.ones(columns if axis == 0 else rows, np.bool_)
    for i in range(rows):
        for j in range(columns):
            if not flags[i, j]:
                result[j if axis == 0 else i] = False
    return result


def sum_along(numbers, axis):
    """`np.sum(numbers, axis=axis)` of two axes of integers."""
    rows, columns = numbers.shape
    result = np.zeros(columns if axis == 0 else rows, np.int64)
    for i in range(rows):
        for j in range(columns):
            result[j if axis == 0 else i] += int(numbers[i, j])
    return result


def sum_of_shorts(numbers):
    """`np.sum` of integers of fewer than 64 bits, or of bools."""
    total = 0
    flat = numbers.copy().ravel()
    for k in range(flat.size):
        total += int(flat[k])
    return np.int64(total)


def argwhere2(flags):
    """`np.argwhere` of two axes."""
    count = 0
    for i in range(flags.shape[0]):
        for j in range(flags.shape[1]):
            if flags[i, j]:
                count += 1
    result = np.zeros((count, 2), np.int64)
    count = 0
    for i in range(flags.shape[0]):
        for j in range(flags.shape[1]):
            if flags[i, j]:
                result[count, 0] = i
                result[count, 1] = j
                count += 1
    return result


def put_where(array, mask, value):
    """`array[mask] = value` of one axis."""
    if array.size != mask.size:
        raise IndexError("a mask of another length than the array")
    for k in range(array.size):
        if mask[k]:
            array[k] = value


def put_where2(array, mask, value):
    """`array[mask] = value` of two axes."""
    if array.shape != mask.shape:
        raise IndexError("a mask of another shape than the array")
    for i in range(array.shape[0]):
        for j in range(array.shape[1]):
            if mask[i, j]:
                array[i, j] = value


def range_length(start, stop, step):
    """`len(range(start, stop, step))`."""
    if step > 0:
        return (stop - start + step - 1) // step if stop > start else 0
    return (start - stop - step - 1) // -step if start > stop else 0


def put_each_where(array, mask, values):
    """`array[mask] = values` of one axis."""
    if array.size != mask.size:
        raise IndexError("a mask of another length than the array")
    count = 0
    for k in range(array.size):
        if mask[k]:
            count += 1
    if count != values.size:
        raise ValueError("as many values as places are needed")
    count = 0
    for k in range(array.size):
        if mask[k]:
            array[k] = values[count]
            count += 1


def sign_of_int(x):
    """`np.sign` of an integer."""
    return 1 if x > 0 else -1 if x < 0 else 0


def repeated(items, count):
    """`items * count` of a list."""
    size = len(items)
    result = np.zeros(size * max(count, 0), items.dtype)
    for k in range(size * max(count, 0)):
        result[k] = items[k % size]
    return result


def unpacked_float32(items):
    """An array of a tuple's numbers."""
    result = np.zeros(len(items), np.float32)
    for k in range(len(items)):
        result[k] = items[k]
    return result


def unpacked_float64(items):
    """An array of a tuple's numbers."""
    result = np.zeros(len(items), np.float64)
    for k in range(len(items)):
        result[k] = items[k]
    return result


def unpacked_int64(items):
    """An array of a tuple's numbers."""
    result = np.zeros(len(items), np.int64)
    for k in range(len(items)):
        result[k] = items[k]
    return result
