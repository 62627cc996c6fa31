"""Functions of several numbers, in a tuple, a list or an array: `sum`, `min`, `max`, and arrays made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from palaestra.language.jit.backend import Type, compiled, meaning_of, types
from palaestra.language.jit.exact import numbers
from palaestra.language.jit.exact.kinds import is_array, is_long_tuple, kind_of, parts_of
from palaestra.language.jit.exact.operators import Function, Unsupported


def elements_of(kind: Any) -> str | None:
    """Returns the kind of the elements of a tuple, a list or an array of one axis; None for others, or for several."""
    if isinstance(kind, types.BaseTuple):
        found = {kind_of(part) for part in parts_of(kind)}
        return found.pop() if len(found) == 1 else None
    if isinstance(kind, types.List) or (is_array(kind) and kind.ndim == 1):
        return kind_of(kind.dtype)
    return None


def summed(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    """Returns the replacement of `sum`."""
    found = elements_of(kinds[0]) if len(kinds) == 1 else None
    if found in ("i", "b"):
        return int_sum
    if found == "f" and is_array(kinds[0]) and not is_long_tuple(kinds[0]):
        return float_sum
    raise Unsupported(
        "sum() takes ints or bools here, or an array of floats of one axis: Python's sum of floats depends on its "
        "version. Write x[0] + x[1] + x[2], a loop, or np.sum of an array"
    )


@compiled
def int_sum(values: Any) -> Any:
    """`sum` of integers or bools."""
    total = 0
    for one in values:
        total = numbers.int_add(total, types.int64(one))
    return total


@compiled
def float_sum(values: Any) -> Any:
    """`sum` of an array of floats, whose elements are added as NumPy's numbers, one after the other."""
    if len(values) == 0:
        raise ValueError("the sum of no floats is an int")
    total = 0.0
    for one in values:
        total += one
    return total


def best(larger: bool) -> Callable[[Any], Function]:
    """Returns the rule of `max`, or of `min`, of one argument."""

    def rule(kind: Type) -> Function:
        if elements_of(kind) in ("i", "f", "b"):
            return largest if larger else smallest
        raise Unsupported(
            "min() and max() take two to eight ints or floats here, or a tuple, list or array of one kind of them"
        )

    return rule


@compiled
def largest(values: Any) -> Any:
    """`max` of a container: the first of equal ones."""
    if len(values) == 0:
        raise ValueError("max() iterable argument is empty")
    found = values[0]
    for one in values:
        if one > found:
            found = one
    return found


@compiled
def smallest(values: Any) -> Any:
    """`min` of a container: the first of equal ones."""
    if len(values) == 0:
        raise ValueError("min() iterable argument is empty")
    found = values[0]
    for one in values:
        if one < found:
            found = one
    return found


@compiled
def of_list(values: Any) -> Any:
    """`np.array` of a list of integers or bools, which must not be empty: NumPy would make an array of floats."""
    if len(values) == 0:
        raise ValueError("of an empty list NumPy makes an array of floats")
    return np.array(values)


def _narrow_list(kind: Any) -> Any:
    convert = numbers.NARROWED[kind]

    @compiled
    def made(values: Any, dtype: Any) -> Any:
        result = np.empty(len(values), kind)
        for k in range(len(values)):
            result[k] = convert(values[k])
        return result

    return made


def _narrow_full(kind: Type) -> Any:
    convert = numbers.NARROWED[kind]

    @compiled
    def made(shape: Any, value: Any, dtype: Any) -> Any:
        return np.full(shape, convert(value), kind)

    return made


NARROW_LISTS: dict[Any, Any] = {kind: _narrow_list(kind) for kind in numbers.NARROWED}
"""By a type of short integers, `np.array` of a list or a tuple of integers, which must fit."""
NARROW_FULL: dict[Any, Any] = {kind: _narrow_full(kind) for kind in numbers.NARROWED}
"""By a type of short integers, `np.full`."""


@compiled
def of_long_tuple(values: Any) -> Any:
    """`np.array` of a long tuple of the params."""
    result = np.empty(len(values), values.dtype)
    for k in range(len(values)):
        result[k] = values[k]
    return result


tables: set[Callable[..., Any]] = set()
"""The functions of `table_of`."""


@cache
def table_of(rows: int) -> Callable[..., Any]:
    """Returns a function of a tuple of numbers, which makes an array of two axes with so many rows."""

    def table(values: object) -> Any:
        return np.array(values).reshape(rows, -1)

    @meaning_of(table)
    def _table(values: Type) -> Any:
        kinds = {kind_of(part) for part in parts_of(values)} if isinstance(values, types.BaseTuple) else {None}
        if not (kinds <= {"i", "f"} or kinds == {"b"}):
            return None
        dtype = np.float64 if "f" in kinds else np.int64 if "i" in kinds else np.bool_
        size = len(parts_of(values))
        columns = size // rows
        places = "".join(f"    made[{k // columns}, {k % columns}] = values[{k}]\n" for k in range(size))
        begin = f"def implementation(values):\n    made = np.empty(({rows}, {columns}), dtype)\n"
        text = f"{begin}{places}    return made\n"
        names: dict[str, Any] = {"np": np, "dtype": dtype}
        exec(text, names)
        return names["implementation"]

    tables.add(table)
    return table
