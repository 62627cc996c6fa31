"""Replacements of NumPy's functions of numbers and of arrays, element by element."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from palaestra.language.jit.backend import Type, compiled, types
from palaestra.language.jit.exact import arrays, numbers
from palaestra.language.jit.exact.kinds import in_words, is_array, is_long_tuple, kind_of, parts_of
from palaestra.language.jit.exact.mathematics import LOOPS
from palaestra.language.jit.exact.operators import Function, Unsupported
from palaestra.language.jit.exact.selection import larger, smaller

Rule = Callable[[Sequence[Any], Sequence[Any]], Function]


_WITH_INT_LOOPS = (
    np.floor_divide,
    np.remainder,
    np.square,
    np.floor,
    np.ceil,
    np.trunc,
    np.fmod,
    np.reciprocal,
    np.rint,
)


def of_ufunc(function: np.ufunc) -> Rule:
    """Returns the rule of a ufunc."""
    count, of_numbers, _ = LOOPS[function]
    for_ints = function in (np.absolute, np.sign, np.minimum, np.maximum)

    def rule(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
        if len(kinds) != count:
            raise Unsupported(f"np.{function.__name__} takes {count} arguments here")
        found = [kind_of(kind) for kind in kinds]
        elements = [kind_of(kind.dtype) if is_array(kind) else kind_of(kind) for kind in kinds]
        if not set(elements) <= {"i", "f"} or any(map(is_long_tuple, kinds)):
            raise Unsupported(f"np.{function.__name__} takes numbers and arrays of int64 and float64 here: use astype")
        if "i" in elements and function in _WITH_INT_LOOPS:
            raise Unsupported(
                f"np.{function.__name__} of integers has a loop of its own: write float(...), or astype(np.float64)"
            )
        if for_ints or function is np.power:
            if set(elements) == {"i"}:
                return _of_ints(function, found)
            if function is np.power and "i" in elements[:1]:
                raise Unsupported("np.power of an integer has another type by its exponent: write float(...)")
        if all(found):
            return of_numbers  # type: ignore[no-any-return]
        for kind in kinds:
            check_laid_out(kind)
            if is_array(kind) and kind_of(kind.dtype) == "i":
                raise Unsupported("NumPy makes floats of these integers first: write astype(np.float64)")
        if count == 1:
            return arrays.UNARY[function]
        if count == 2 and {kind.ndim for kind in kinds if is_array(kind)} and _one_shape(kinds):
            return arrays.BINARY[function]["".join("n" if k else "a" for k in found)]
        raise Unsupported(f"np.{function.__name__} takes arrays of one shape here")

    return rule


def _of_ints(function: np.ufunc, found: list[str | None]) -> Function:
    if all(found) and function is np.absolute:
        return numbers.int_abs
    if all(found) and function in (np.minimum, np.maximum):
        return (smaller if function is np.minimum else larger)[2]  # type: ignore[no-any-return]
    if not all(found) and function in (np.absolute, np.sign, np.minimum, np.maximum):
        return None
    raise Unsupported(f"np.{function.__name__} of integers is not supported: write float(...)")


def _one_shape(kinds: Sequence[Any]) -> bool:
    return len({kind.ndim for kind in kinds if is_array(kind)}) == 1


def check_laid_out(kind: Type) -> None:
    """Raise if the elements of an array may be in an order from which NumPy chooses its own."""
    parts = parts_of(kind) if isinstance(kind, types.BaseTuple) else (kind,)
    if any(is_array(part) and part.ndim > 1 and part.layout != "C" for part in parts):
        raise Unsupported(
            "NumPy lays out its result like this transposed or cut array, and iterates in that order: write "
            ".copy() first"
        )


_OPERATIONS = frozenset(
    [
        *(
            "__init__",
            "__getattribute__",
            "__getattr__",
            "__getitem__",
            "__len__",
            "__iter__",
            "__contains__",
            "__bool__",
        ),
        *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__radd__", "__mul__", "__rmul__"),
    ]
)
"""Methods of a NamedTuple in whose place machine code does what a tuple does."""


def check_record(kind: Any) -> None:
    """Raise where a NamedTuple has methods of its own in the place of those of tuples."""
    record = kind.instance_class
    for one in record.__mro__[: record.__mro__.index(tuple)]:
        own = _OPERATIONS & vars(one).keys()
        code = getattr(one.__new__, "__code__", None)
        if "__new__" in vars(one) and "_tuple_new" not in getattr(code, "co_names", ()):
            own |= {"__new__"}  # not the one that namedtuple makes
        if own:
            raise Unsupported(
                f"{record.__name__} defines {min(own)}, which machine code does not call: write a function"
            )


def check_index(owner: Any, index: Any) -> None:
    """Raise if an index of an array, a tuple or a list has another meaning in NumPy."""
    parts = parts_of(index) if isinstance(index, types.BaseTuple) else (index,)
    if isinstance(owner, types.BaseTuple) and kind_of(index) == "i" and len({*map(kind_of, parts_of(owner))}) == 1:
        return
    if (is_long_tuple(owner) or isinstance(owner, types.List)) and kind_of(index) == "i":
        return
    if is_array(owner) and not is_long_tuple(owner):
        for part in parts:
            is_list = is_array(part) and owner.ndim == part.ndim == 1 and kind_of(part.dtype) in ("i", "b")
            if is_array(part) and kind_of(part.dtype) == "b" and not is_list:
                raise Unsupported("a mask reads from an array of one axis here: write a loop")
            if not (kind_of(part) in ("i", "n") or isinstance(part, types.SliceType) or is_list):
                raise Unsupported(f"{in_words(part)} is not supported as an index: write int(...)")
            if kind_of(part) == "n" and part == types.uint64:
                raise Unsupported("write int(...) around an index of uint64")
        return
    raise Unsupported(f"{in_words(index)} is not supported as an index of {in_words(owner)}")


_CLIP: Any = next((one for count, one, _ in LOOPS.values() if count == 3), None)
_MAXIMUM: Any = LOOPS[np.maximum][1] if np.maximum in LOOPS else None
_MINIMUM: Any = LOOPS[np.minimum][1] if np.minimum in LOOPS else None


def clipped(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    """Returns the replacement of `np.clip`."""
    found = [kind_of(kind) for kind in kinds]
    if len(kinds) == 3 and all(k in ("i", "f") for k in found) and "f" in found and _CLIP is not None:
        if found == ["i", "f", "i"]:
            return int_clip_from
        return int_clip_to if found == ["i", "i", "f"] else _CLIP
    if len(kinds) == 3 and set(found) == {"i"}:
        return int_clip
    if len(kinds) == 3 and is_array(kinds[0]) and kind_of(kinds[0].dtype) == "f" and arrays.CLIPPED is not None:
        check_laid_out(kinds[0])
        if all(k in ("i", "f") for k in found[1:]) and not is_long_tuple(kinds[0]):
            return arrays.CLIPPED
    if len(kinds) == 3 and is_array(kinds[0]) and kind_of(kinds[0].dtype) == "i" and found[1:] == ["i", "i"]:
        return int_clip_array
    raise Unsupported(
        "np.clip takes numbers, or an array and two numbers of its kind: write np.minimum(np.maximum(...))"
    )


@compiled
def int_clip_array(a: int, low: int, high: int) -> Any:
    """`np.clip` of an array of integers."""
    return np.minimum(np.maximum(a, low), high)


@compiled
def int_clip(a: int, low: int, high: int) -> Any:
    """`np.clip` of integers."""
    return min(max(a, low), high)


@compiled
def int_clip_from(a: int, low: float, high: int) -> Any:
    """`np.clip` of an integer from a float to an integer."""
    result = _CLIP(a, low, high)
    return _bounded(result, _MAXIMUM(a, low)) if high == 9223372036854775807 else result


@compiled
def int_clip_to(a: int, low: int, high: float) -> Any:
    """`np.clip` of an integer from an integer to a float."""
    result = _CLIP(a, low, high)
    return _bounded(result, _MINIMUM(a, high)) if low == -9223372036854775808 else result


@compiled
def _bounded(result: float, by_one: float) -> float:
    """What both bounds give, if one gives the same: NumPy leaves out the other if it is an int of Python's."""
    if (result == by_one and math.copysign(1.0, result) == math.copysign(1.0, by_one)) or result != result:
        return result
    raise OverflowError("an integer beyond 53 bits as a bound of np.clip, which NumPy may leave out")


def is_static(index: object) -> bool:
    """Returns whether an index is made of ints and slices that are constants."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(isinstance(part, (int, slice)) and not isinstance(part, bool) for part in parts)
