"""Params as trees: the parts that are numbers, tuples and arrays, and the arrays that compiled code reads them from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from palaestra.language.frozen import frozen

SHORT = 8  # longer tuples become arrays, which compiled code indexes faster; shorter ones can be unpacked


@frozen
class Value:
    """A part that an array holds."""

    kind: str  # "number", "tuple", "long" (a tuple of which an array holds the numbers) or "array"
    dtype: np.dtype
    size: int = 0  # of a tuple
    ndim: int = 0  # of an array


@frozen
class Record:
    """A part with parts of its own: a NamedTuple, or a tuple of anything but numbers."""

    type: type[Any]
    parts: tuple[Node, ...]


Node = Value | Record | None  # None for None itself


def tree_of(params: object, name: str = "params") -> Node:
    """Returns the tree of params.

    Raises:
        TypeError: If a part is neither a number, an array of numbers, a tuple, a NamedTuple nor None.
    """
    if params is None:
        return None
    if isinstance(params, np.ndarray) and params.dtype.kind in "biuf":
        check_dtype(params.dtype, name)
        if not params.ndim:
            raise TypeError(
                f"To be compiled, an array of params has axes, but {name} is {params!r}: write {name}.item()"
            )
        if params.ndim > 1 and not params.flags.c_contiguous:
            raise TypeError(
                f"To be compiled, arrays of params must be in C order: write np.ascontiguousarray for {name}"
            )
        if not params.flags.c_contiguous:
            raise TypeError(f"To be compiled, an array must lie in one piece: write np.ascontiguousarray for {name}")
        return Value("array", params.dtype, ndim=params.ndim)
    if isinstance(params, _NUMBERS):
        return Value("number", _dtype(params, name))
    if not isinstance(params, tuple):
        raise TypeError(
            f"To be compiled, params must be made of NamedTuples, numbers, tuples and arrays of numbers, but {name} is "
            f"{params!r} of type {type(params)}"
        )
    if hasattr(params, "_fields"):
        parts = zip(params._fields, params, strict=True)
        return Record(type(params), tuple(tree_of(part, f"{name}.{key}") for key, part in parts))
    are_numbers = all(issubclass(kind, _NUMBERS) for kind in set(map(type, params)))
    different = dict.fromkeys(zip(map(type, params), params, strict=True)) if are_numbers else {}
    dtypes = {_dtype(part, name) for _, part in different}
    if len(dtypes) == 1:
        (dtype,) = dtypes
        return Value("tuple", dtype, len(params)) if len(params) <= SHORT else Value("long", dtype, ndim=1)
    if len(params) > 8 * SHORT:
        raise TypeError(
            f"To be compiled, a long tuple must hold numbers of one type, but {name} holds {len(params)} values of "
            "several: write 1.0 rather than 1, or use an array"
        )
    return Record(tuple, tuple(tree_of(part, f"{name}[{k}]") for k, part in enumerate(params)))


def check_dtype(dtype: np.dtype, name: str) -> None:
    """Raise if machine code does not read numbers of this type."""
    if not dtype.isnative:
        raise TypeError(
            f"To be compiled, numbers must have the machine's byte order, but {name} has {dtype.str}: write "
            f"dtype={dtype.newbyteorder('=').name!r}, or .astype({dtype.newbyteorder('=').name!r}) behind an array"
        )
    if dtype == np.float16:
        raise TypeError(
            f"To be compiled, a float has 32 or 64 bits, but {name} has float16: write dtype=np.float32, or float(...) "
            "around a number"
        )


_NUMBERS = (bool, int, float, np.bool_, np.integer, np.floating)


def _dtype(number: object, name: str) -> np.dtype:
    """Returns the type of a number in compiled code: Python's have 64 bits, NumPy's their own."""
    dtype = np.asarray(number).dtype
    check_dtype(dtype, name)
    if dtype.kind not in "bif" or dtype.itemsize > 8:
        raise TypeError(
            f"To be compiled, params must be signed numbers of at most 64 bits, but {name} is {number!r}: "
            "write int(...) or float(...)"
        )
    return dtype


def values_of(tree: Node, params: object) -> list[np.ndarray]:
    """Returns the array of each `Value` of the tree, in order: of shape () for a number.

    Raises:
        TypeError: If the params do not have this tree.
    """
    return [_array(value, part) for value, part in _paired(tree, params)]


def numpy_leaves(tree: Node, params: Sequence[Any]) -> frozenset[int] | None:
    """Returns the places of the numbers of NumPy among the values of params; None if those of some environments differ.

    A number of NumPy beside one of fewer bits is computed in other ways than one of Python.
    """
    found = {frozenset(k for k, (_, part) in enumerate(_paired(tree, one)) if _is_numpy(part)) for one in params}
    return found.pop() if len(found) == 1 else None


def _is_numpy(part: Any) -> bool:
    if isinstance(part, tuple):
        return any(issubclass(kind, np.generic) for kind in set(map(type, part)))
    return isinstance(part, np.generic)


def _paired(tree: Node, params: Any) -> Iterator[tuple[Value, Any]]:
    if isinstance(tree, Value):
        yield tree, params
    elif isinstance(tree, Record):
        if not isinstance(params, tree.type) or len(params) != len(tree.parts):
            raise TypeError(f"The params must keep their form, but in place of a {tree.type.__name__} {params!r} came")
        for part, value in zip(tree.parts, params, strict=True):
            yield from _paired(part, value)
    elif params is not None:
        raise TypeError(f"The params were None, and are {params!r} now")


_TYPES: dict[str, tuple[type[Any], ...]] = {
    "number": _NUMBERS,
    "tuple": (tuple,),
    "long": (tuple,),
    "array": (np.ndarray,),
}


def _array(value: Value, part: object) -> np.ndarray:
    array = np.asarray(part)
    wrong_size = value.kind == "tuple" and array.shape != (value.size,)
    wrong = wrong_size or not isinstance(part, _TYPES[value.kind])  # a list times 2 is no array times 2
    if wrong or array.ndim != {"number": 0, "tuple": 1, "long": 1, "array": value.ndim}[value.kind]:
        raise TypeError(f"The params must keep their form, but in place of a {value.kind} {part!r} came")
    if array.size and array.dtype != value.dtype:
        raise TypeError(
            f"A batch computes with one kind of number for each of the params, but in place of {value.dtype} {part!r} "
            "came: write 1.0 rather than 1 where others are floats"
        )
    return np.ascontiguousarray(array, value.dtype).reshape(array.shape)


def paths_in(tree: Node, path: str = "") -> Iterator[tuple[str, Value]]:
    """Yields the path and the value of each leaf of the tree, in order."""
    if isinstance(tree, Value):
        yield path, tree
    elif isinstance(tree, Record):
        keys = getattr(tree.type, "_fields", range(len(tree.parts)))
        for key, part in zip(keys, tree.parts, strict=True):
            yield from paths_in(part, f"{path}_{key}")


def values_in(tree: Node) -> list[Value]:
    """Returns the leaves of the tree, in order."""
    return [value for _, value in paths_in(tree)]


def place_of(tree: Node, name: str) -> int:
    """Returns the place of a field of params, a number, among the values of their tree."""
    assert isinstance(tree, Record)
    before = tree.parts[: tree.type._fields.index(name)]
    return sum(len(values_in(part)) for part in before)


def joined(params: Sequence[Any]) -> Sequence[Any]:
    """Returns the params of several environments, with floats where some have Python ints and others floats.

    Ints with more bits than a float has stay unchanged.
    """
    first = params[0]
    if all(isinstance(one, tuple) and len(one) == len(first) for one in params):
        columns = [joined(column) for column in zip(*params, strict=True)]
        rows = zip(params, zip(*columns, strict=True), strict=True)
        return [type(one)(*row) if hasattr(one, "_fields") else tuple(row) for one, row in rows]
    if {type(one) for one in params} == {int, float} and all(abs(one) <= 2**53 for one in params if type(one) is int):
        return [float(one) for one in params]
    return params


def record_types(tree: Node) -> Iterator[type]:
    """Yields the NamedTuples of the params' tree, in the order of the names Record0, Record1, ..."""
    if isinstance(tree, Record):
        if tree.type is not tuple:
            yield tree.type
        for part in tree.parts:
            yield from record_types(part)
