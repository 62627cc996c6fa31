"""Functions of arrays of floats with NumPy's bits, from its own inner loops, including sums in NumPy's order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from palaestra.language.jit.backend import (
    Builder,
    CPUContext,
    Signature,
    Type,
    Typed,
    TypingContext,
    Value,
    Values,
    compiled,
    intrinsic,
    named,
)
from palaestra.language.jit.exact import numbers
from palaestra.language.jit.exact.loops import loop_of
from palaestra.language.jit.exact.mathematics import LOOPS
from palaestra.language.jit.symbols import is_readable

# How many numbers NumPy adds up in one call of its loop: before 2.3, no more than its buffer holds.
_AT_ONCE = 1 << 62 if np.lib.NumpyVersion(np.__version__) >= "2.3.0" else 8192


@intrinsic
def held(typing_context: TypingContext, result: Type, other: Type) -> Typed:
    """Returns the result. The other array stays alive until here, because only its address was used before."""

    def generate(context: CPUContext, builder: Builder, signature: Signature, arguments: Values) -> Value:
        context.nrt.incref(builder, signature.return_type, arguments[0])
        return arguments[0]

    return result(result, other), generate


@compiled
def mod_by_array(a: np.ndarray, b: Any) -> Any:
    """`a % b` for integers; where b is -1, the processor would raise a signal for the lowest a."""
    return a % (b + (b == -1) * 2)


@compiled
def mod_by_number(a: np.ndarray, b: Any) -> Any:
    """`a % b` for an array of integers and an integer; see `mod_by_array`."""
    return a % (1 if b == -1 else b)


@compiled
def floor_by_array(a: np.ndarray, b: Any) -> Any:
    """`a // b` for integers; see `mod_by_array`."""
    back = b == -1
    return a // (b + back * 2) * (1 - back * 2)


@compiled
def floor_by_number(a: np.ndarray, b: Any) -> Any:
    """`a // b` for an array of integers and an integer; see `mod_by_array`."""
    return 0 - a if b == -1 else a // b


@compiled
def integers_squared(a: np.ndarray, n: Any) -> Any:
    """`a ** 2` for an array of integers."""
    return a * a


@compiled
def shifted_left(a: np.ndarray, n: Any) -> Any:
    """`a << n` for an array of integers, and n from 0 to 62."""
    return a * (1 << n)


@compiled
def shifted_right(a: np.ndarray, n: Any) -> Any:
    """`a >> n` for an array of integers, and n from 0 to 62."""
    return a // (1 << n)


@compiled
def masked(a: np.ndarray, mask: np.ndarray) -> Any:
    """`a[mask]`, of one axis."""
    if a.size != mask.size:
        raise IndexError("a mask of another length than the array")
    return a[mask]


@compiled
def copied(a: np.ndarray) -> Any:
    """`a.copy()`."""
    return a.copy()


@compiled
def put_masked(a: np.ndarray, mask: np.ndarray, value: Any) -> None:
    """`a[mask] = value` for a number."""
    if a.shape != mask.shape:
        raise IndexError("a mask of another length than the array")
    for k in range(a.size):
        if mask.flat[k]:
            a.flat[k] = value


@compiled
def put_masked_row(a: np.ndarray, mask: np.ndarray, values: Any) -> None:
    """`a[mask] = values` for an array of one axis, which may be a part of the other."""
    if a.shape != mask.shape:
        raise IndexError("a mask of another length than the array")
    count = np.sum(mask)
    if values.size != count and values.size != 1:
        raise ValueError("cannot assign values of another number than the mask's")
    kept = values.copy()
    place = 0
    for k in range(a.size):
        if mask.flat[k]:
            a.flat[k] = kept[place if values.size > 1 else 0]
            place += 1


@compiled
def _extent(a: np.ndarray) -> Any:
    """The addresses of an array's bytes: the first, and the one behind the last."""
    low, high = a.ctypes.data, a.ctypes.data + a.itemsize
    for k in range(a.ndim):
        low += min(0, a.strides[k] * (a.shape[k] - 1))
        high += max(0, a.strides[k] * (a.shape[k] - 1))
    return low, high


@compiled
def _check_mask(a: np.ndarray, mask: np.ndarray) -> None:
    """Raise if a mask may be a part of the array, of which NumPy reads as many as it likes before it writes."""
    if a.size == 0 or (a.ctypes.data == mask.ctypes.data and a.strides == mask.strides):
        return
    first, end = _extent(a)
    low, high = _extent(mask)
    if low < end and first < high:
        raise ValueError("a mask is a part of the array that it changes: write .copy() behind it")


@compiled
def put_masked_flags(a: np.ndarray, mask: np.ndarray, value: Any) -> None:
    """`a[mask] = value` for an array of bools."""
    _check_mask(a, mask)
    put_masked(a, mask, value)


@compiled
def put_masked_row_of_flags(a: np.ndarray, mask: np.ndarray, values: Any) -> None:
    """`a[mask] = values` for an array of bools."""
    _check_mask(a, mask)
    put_masked_row(a, mask, values)


@compiled
def check_fits(a: np.ndarray, b: np.ndarray) -> None:
    """Raise if `a += b` reads beyond b."""
    for k in range(1, b.ndim + 1):
        if b.shape[b.ndim - k] != a.shape[a.ndim - k] and b.shape[b.ndim - k] != 1:
            raise ValueError("operands could not be broadcast together")


@compiled
def rolled(a: np.ndarray, shift: Any) -> Any:
    """`np.roll`, whose shift may be any integer."""
    return np.roll(a, shift % a.size) if a.size else a.copy()


@compiled
def reshaped(a: np.ndarray, shape: Any) -> Any:
    """`a.reshape(shape)`: NumPy does not tell a length that is left out, where any would do."""
    rest, left_out = 1, False
    for length in shape:
        if length < 0:
            left_out = True
        else:
            rest *= length
    if left_out and not rest:
        raise ValueError("cannot reshape an array to a shape with a length of 0 and one that is left out")
    return a.reshape(shape)


@compiled
def reshaped_to_lengths(a: np.ndarray, *shape: Any) -> Any:
    """`a.reshape(*shape)`; see `reshaped`."""
    return reshaped(a, shape)


@compiled
def stride_of(a: np.ndarray) -> Any:
    """The distance of elements in memory; of an axis of one element, as in `a[:, None]`, NumPy may keep any stride."""
    return a.strides[0] if a.ndim == 1 else 8


@compiled
def transposed(a: np.ndarray, axes: Any) -> Any:
    """`np.transpose(a, axes)`: Numba takes 0 and -2 of two axes for different ones."""
    for i in range(len(axes)):
        for j in range(i):
            if axes[i] % a.ndim == axes[j] % a.ndim:
                raise ValueError("repeated axis in transpose")
    return np.transpose(a, axes)


@compiled
def transposed_to_axes(a: np.ndarray, *axes: Any) -> Any:
    """`a.transpose(*axes)`."""
    return transposed(a, axes)


@compiled
def ranged(start: Any, stop: Any) -> Any:
    """`np.arange(start, stop)` of integers."""
    result = np.empty(numbers.int_sub(stop, start) if start < stop else 0, np.int64)
    for k in range(result.size):
        result[k] = start + k
    return result


@compiled
def ranged_by(start: Any, stop: Any, step: Any) -> Any:
    """`np.arange(start, stop, step)` of integers."""
    if step > 0:
        count = -(-numbers.int_sub(stop, start) // step) if start < stop else 0
    else:
        count = -(-numbers.int_sub(start, stop) // -step) if start > stop else 0
    result = np.empty(count, np.int64)
    for k in range(count):
        result[k] = start + k * step
    return result


ranges: dict[Any, Callable[..., Any]] = {numbers.int_range: ranged, numbers.int_range_by: ranged_by}
"""Maps ranges of integers to arrays of them."""


def _unary(name: str, loop: Any) -> Any:
    @compiled
    def function(a: np.ndarray) -> Any:
        result = np.empty(a.shape, np.float64)
        if a.size:
            loop(a.ctypes.data, result.ctypes.data, stride_of(a), 8, a.size)
        return result

    named(function, f"{name}_of_array")
    return function


def _binary(name: str, loop: Any) -> dict[str, Any]:
    """Returns the functions of two arrays, of an array and a number, and of a number and an array."""

    @compiled
    def of_arrays(a: np.ndarray, b: Any) -> Any:
        if a.shape != b.shape:
            raise ValueError("arrays of different shapes")
        result = np.empty(a.shape, np.float64)
        if a.size:
            loop(a.ctypes.data, b.ctypes.data, result.ctypes.data, stride_of(a), stride_of(b), 8, a.size)
        return result

    @compiled
    def with_number(a: np.ndarray, b: Any) -> Any:
        result = np.empty(a.shape, np.float64)
        one = np.array([b], np.float64)
        if a.size:
            loop(a.ctypes.data, one.ctypes.data, result.ctypes.data, stride_of(a), 0, 8, a.size)
        return held(result, one)

    @compiled
    def of_number(a: np.ndarray, b: Any) -> Any:
        result = np.empty(b.shape, np.float64)
        one = np.array([a], np.float64)
        if b.size:
            loop(one.ctypes.data, b.ctypes.data, result.ctypes.data, 0, stride_of(b), 8, b.size)
        return held(result, one)

    made = {"aa": of_arrays, "an": with_number, "na": of_number}
    for key, function in made.items():
        named(function, f"{name}_{key}")
    return made


def _clipped(loop: Any) -> Any:
    @compiled
    def function(a: np.ndarray, low: Any, high: Any) -> Any:
        result = np.empty(a.shape, np.float64)
        bounds = np.array([low, high], np.float64)
        if a.size:
            at = bounds.ctypes.data
            loop(a.ctypes.data, at, at + 8, result.ctypes.data, stride_of(a), 0, 0, 8, a.size)
        return held(result, bounds)

    return function


def _reduced(name: str, loop: Any, first: float | None) -> Any:
    """Returns a reduction that starts with a number, or with the first element."""
    has_first, begin = first is not None, 0.0 if first is None else first

    @compiled
    def function(a: np.ndarray) -> Any:
        result = np.full(1, begin)
        at, stride, n = a.ctypes.data, stride_of(a), a.size
        if not has_first:
            if n == 0:
                raise ValueError("zero-size array to a reduction that has no identity")
            flat = np.ravel(a)
            result[0] = flat[0]
            at, n = at + stride, n - 1
        for k in range(0, n, _AT_ONCE):
            loop(result.ctypes.data, at + k * stride, result.ctypes.data, 0, stride, 0, min(n - k, _AT_ONCE))
        return result[0]

    named(function, f"{name}_of_all")
    return function


UNARY: dict[Any, Callable[..., Any]] = {}
"""Maps a ufunc of one float to its version for an array."""
BINARY: dict[Any, dict[str, Callable[..., Any]]] = {}
"""Maps a ufunc of two floats to its versions for arrays ("a") and numbers ("n")."""
REDUCED: dict[Any, Callable[..., Any]] = {}
"""Maps a NumPy function to its version for an array of floats in contiguous memory, or of one axis."""
CLIPPED: Callable[..., Any] | None = None
"""`np.clip` of an array of floats with two numbers."""

SQUARE: Any = None
"""`a ** 2`, for which NumPy has a separate loop."""

for _ufunc, (_count, _, _loop) in LOOPS.items():
    if _count == 1:
        UNARY[_ufunc] = _unary(_ufunc.__name__, _loop)
    elif _count == 2:
        BINARY[_ufunc] = _binary(_ufunc.__name__, _loop)
    else:
        CLIPPED = _clipped(_loop)

if is_readable():
    _square = UNARY[np.square]

    @compiled
    def square(a: np.ndarray, n: Any) -> Any:
        """`a ** 2`."""
        return _square(a)

    SQUARE = square
    for _function, _ufunc, _first in (
        (np.sum, np.add, 0.0),
        (np.prod, np.multiply, 1.0),
        (np.max, np.maximum, None),
        (np.min, np.minimum, None),
    ):
        REDUCED[_function] = _reduced(_ufunc.__name__, loop_of(_ufunc, 2)[1], _first)
    _sum = REDUCED[np.sum]

    @compiled
    def mean_of_all(a: np.ndarray) -> Any:
        """`np.mean`."""
        return _sum(a) / a.size

    REDUCED[np.mean] = mean_of_all
