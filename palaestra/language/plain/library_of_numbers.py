"""Functions of numbers that translated code calls in the place of Python's own."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# ruff: noqa: SIM110  (there are no generators in machine code)

from __future__ import annotations

import numpy as np


def sum_of_few(numbers):
    """`np.sum` of fewer than eight float32."""
    total = np.float32(0.0)
    for k in range(len(numbers)):
        total += numbers[k]
    return total


def mean_of_few(numbers):
    """`np.mean` of fewer than eight float32."""
    return sum_of_few(numbers) / np.float32(float(len(numbers)))


def rounded(x, scale):
    """`round(x, digits)` of a float, with `scale` the power of ten: the nearest decimal, and the even one of two.

    Dekker (1971), "A floating-point technique for extending the available precision": the product and its error.
    """
    whole = 4503599627370496.0  # from which on floats have no fraction
    a = abs(x)
    if not a < whole or a == 0.0:
        return x
    product = a * scale
    if not product < whole:
        raise ValueError("a float with more digits than can be rounded")
    shifted, shifted_scale = 134217729.0 * a, 134217729.0 * scale
    high, high_scale = shifted - (shifted - a), shifted_scale - (shifted_scale - scale)
    low, low_scale = a - high, scale - high_scale
    rest = ((high * high_scale - product) + high * low_scale + low * high_scale) + low * low_scale
    count = np.floor(product)
    part = product - count
    if part > 0.5 or (part == 0.5 and (rest > 0.0 or (rest == 0.0 and count % 2.0 == 1.0))):
        count += 1.0
    return -(count / scale) if x < 0.0 else count / scale


def ordered(items, backwards):
    """`sorted(items)` of a list of numbers."""
    result = items.copy()
    for k in range(1, len(result)):
        x = result[k]
        if x != x:
            raise ValueError("a list with NaN is sorted")
        j = k
        while j > 0 and (result[j - 1] < x if backwards else result[j - 1] > x):
            result[j] = result[j - 1]
            j -= 1
        result[j] = x
    return result


def as_floats(items):
    """A list of ints as floats, which are exact."""
    flat = items.copy().ravel()
    result = np.zeros(flat.size, np.float64)
    for k in range(flat.size):
        result[k] = float(flat[k])
    return result.reshape(items.shape)


def is_close(a, b, relative, absolute):
    """`math.isclose(a, b, rel_tol=relative, abs_tol=absolute)`."""
    if a == b:
        return True
    if abs(a) == np.inf or abs(b) == np.inf:
        return False
    apart = abs(b - a)
    return apart <= abs(relative * b) or apart <= abs(relative * a) or apart <= absolute


def is_near(a, b, relative, absolute):
    """`np.isclose(a, b, relative, absolute)` of two numbers."""
    if a == b:
        return True
    return abs(b) < np.inf and abs(a - b) <= absolute + relative * abs(b)


def are_near(a, b, relative, absolute):
    """`np.allclose(a, b, relative, absolute)` of two arrays of one shape."""
    x, y = a.copy().ravel(), b.copy().ravel()
    if x.size != y.size:
        raise ValueError("arrays of other shapes")
    for k in range(x.size):
        if not is_near(x[k], y[k], relative, absolute):
            return False
    return True


def each_repeated(items, count):
    """`np.repeat(items, count)` of one axis."""
    result = np.zeros(items.size * count, items.dtype)
    for k in range(result.size):
        result[k] = items[k // count]
    return result


def member_of(values, key):
    """The number of a member of an IntEnum."""
    for k in range(len(values)):
        if values[k] == key:
            return int(key)
    raise ValueError("a number that is no member")
