"""Replacements of functions in compiled code, by the types of their arguments. All other functions are refused.

A rule gets the types, and the literal numbers among the arguments. Like those of `operators` it returns a replacement
function, or None if Numba's own gives Python's result, or raises `Unsupported`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gymnasium.functional import ops
from palaestra.language.jit.backend import Type, types
from palaestra.language.jit.exact import along, arrays, containers, numbers
from palaestra.language.jit.exact.conversions import to_float, to_int
from palaestra.language.jit.exact.elementwise import Rule, check_laid_out, clipped, of_ufunc
from palaestra.language.jit.exact.kinds import in_words, is_array, is_long_tuple, kind_of, parts_of
from palaestra.language.jit.exact.mathematics import LOOPS, OF_FLOATS, math_copysign, math_log_to
from palaestra.language.jit.exact.operators import Function, Unsupported
from palaestra.language.jit.exact.products import DOT, NORM
from palaestra.language.jit.exact.selection import larger, smaller


def _one(kinds: Sequence[Type]) -> str | None:
    return kind_of(kinds[0]) if len(kinds) == 1 else None


def _abs(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    k = _one(kinds)
    if k == "i":
        return numbers.int_abs
    if k in ("f", "s", "l"):
        return None
    if len(kinds) == 1 and is_array(kinds[0]) and kind_of(kinds[0].dtype) in ("i", "f"):
        return None
    raise Unsupported(
        f"abs() takes an int, a float or an array of them here, not {in_words(kinds[0])}: write int(...) inside"
    )


def _whole(of_float: Any) -> Rule:
    def rule(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
        k = _one(kinds)
        if k == "f":
            return of_float  # type: ignore[no-any-return]
        if k == "i" and of_float is numbers.float_round:
            return numbers.same
        if k == "i" and of_float is not numbers.float_int:
            return numbers.int_near
        if k == "l" and of_float is numbers.float_floor:
            return None
        raise Unsupported(
            "this takes one int or float here: Python's round to digits and NumPy's differ, write np.round(x, 2)"
        )

    return rule


def _chosen(select: dict[int, Any]) -> Rule:
    of_container = containers.best(larger=select is larger)

    def rule(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
        if len(kinds) == 1:
            return of_container(kinds[0])
        found = {kind_of(kind) for kind in kinds}
        if len(kinds) in select and (found <= {"i", "f"} or found == {"b"}):
            return select[len(kinds)]  # type: ignore[no-any-return]
        raise Unsupported("min() and max() take two to eight ints or floats here")

    return rule


def _len(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    if len(kinds) == 1 and (is_array(kinds[0]) or isinstance(kinds[0], (types.BaseTuple, types.List))):
        return None
    raise Unsupported("len() takes a tuple, an array or a list here")


def _tuple(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    if len(kinds) == 1 and isinstance(kinds[0], types.BaseTuple):
        return None
    raise Unsupported("tuple() takes a tuple here")


def _range(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    step = literals[2] if len(kinds) == 3 else 1
    if all(kind_of(kind) == "i" for kind in kinds) and isinstance(step, int) and 0 < abs(step) < 1 << 31:
        if len(kinds) == 1 or all(isinstance(literal, int) for literal in literals[:2]):
            return None
        return numbers.int_range if len(kinds) == 2 else numbers.int_range_by
    raise Unsupported("this takes ints here, the third of which is a literal")


def _arange(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    return arrays.ranges.get(_range(kinds, literals))


def _left_to_numba(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    return None


def _math(function: Any) -> Rule:
    exact = OF_FLOATS[function]
    count = 2 if function in (math.atan2, math.fmod, math.pow) else 1

    def rule(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
        found = {kind_of(kind) for kind in kinds}
        if "l" in found:
            return None
        if len(kinds) == count and found <= {"b", "i", "f"}:
            return exact
        raise Unsupported(f"math.{function.__name__} takes {count} numbers of 64 bits here: write float(...)")

    return rule


def _log(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    if len(kinds) == 2 and {kind_of(kind) for kind in kinds} <= {"i", "f"}:
        return math_log_to
    return _log_to_e(kinds, literals)


def _divmod(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    found = {kind_of(kind) for kind in kinds}
    if len(kinds) == 2 and found <= {"i", "f"}:
        return numbers.float_divmod if "f" in found else numbers.int_divmod
    raise Unsupported("divmod takes two ints or floats here")


def _dot(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    if len(kinds) == 2 and all(is_array(kind) and kind.ndim == 1 and _has_floats(kind) for kind in kinds) and DOT:
        return DOT  # type: ignore[no-any-return]
    raise Unsupported("np.dot takes two arrays of float64 with one axis here: write a @ b for matrices")


def _norm(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    if len(kinds) == 1 and is_array(kinds[0]) and _has_floats(kinds[0]) and NORM is not None:
        check_laid_out(kinds[0])
        return NORM  # type: ignore[no-any-return]
    raise Unsupported("np.linalg.norm takes one array of float64 here: write np.sqrt(np.sum(a ** 2)) along an axis")


def _has_floats(kind: Any) -> bool:
    return kind_of(kind.dtype) == "f" and not is_long_tuple(kind)


def _one_of(*allowed: str) -> Rule:
    def rule(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
        if _one(kinds) in allowed:
            return None
        raise Unsupported("this takes one number here")

    return rule


def _copysign(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    if len(kinds) == 2 and {kind_of(kind) for kind in kinds} <= {"i", "f"}:
        return math_copysign
    raise Unsupported("math.copysign takes two numbers here")


def _reduction(function: object) -> Rule:
    def rule(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
        if len(kinds) != 1 or not is_array(kinds[0]) or is_long_tuple(kinds[0]):
            raise Unsupported("this takes one array here, and nothing else")
        e = kind_of(kinds[0].dtype)
        if e == "f" and function in arrays.REDUCED:
            check_laid_out(kinds[0])
            return arrays.REDUCED[function]
        if e == "i" and function in (np.sum, np.max, np.min, np.prod):
            return None
        if function is np.sum and (e == "b" or (e == "n" and kinds[0].dtype.signed)):
            return None
        if e == "n" and function in (np.max, np.min):
            return None
        raise Unsupported(f"this is not supported for {in_words(kinds[0])}: use astype(np.float64) or astype(np.int64)")

    return rule


_TAKEN = (
    *(types.BaseTuple, types.List, types.DType, types.NumberClass, types.Omitted, types.NoneType, types.Function),
)


def _of_elements(*allowed: str) -> Rule:
    def rule(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
        for kind in kinds:
            if is_long_tuple(kind):
                raise Unsupported("a long tuple of the params is not an array here: make it one")
            if is_array(kind) and kind_of(kind.dtype) not in allowed:
                remedy = "use astype first" if "f" in allowed else "write a loop, or use it for an array of int64"
                raise Unsupported(f"this is not supported for {in_words(kind)}: {remedy}")
            if not (is_array(kind) or kind_of(kind) or isinstance(kind, _TAKEN)):
                raise Unsupported(f"this does not take {in_words(kind)} here")
        return None

    return rule


def _of_int_arrays(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    if len(kinds) == 1 and is_array(kinds[0]):
        return _of_elements("i")(kinds, literals)
    raise Unsupported("this takes an array of int64 here, and nothing else")


def _transposed(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    _of_any(kinds, literals)
    if len(kinds) == 2 and not kind_of(kinds[1]) and not isinstance(kinds[1], types.NoneType):
        return arrays.transposed
    return arrays.transposed_to_axes if len(kinds) > 2 else None


def _differences(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    if len(kinds) == 2 and not (type(literals[1]) is int and literals[1] > 0):
        raise Unsupported("np.diff takes a literal number above 0 here")
    return _of_elements("i", "f")(kinds, literals)


def _same_dtypes(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    if len(kinds) != 1:
        raise Unsupported("this takes a tuple of arrays here, and no axis")
    (first,) = kinds
    parts = list(parts_of(first)) if isinstance(first, types.BaseTuple) else list(kinds)
    if len({str(part.dtype) if is_array(part) else in_words(part) for part in parts}) == 1 and all(
        map(is_array, parts)
    ):
        return None
    raise Unsupported("this takes arrays of one dtype here: use astype")


def _appended(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    found = [kind_of(kind.dtype) if is_array(kind) else kind_of(kind) for kind in kinds]
    if len(kinds) == 2 and found in (["f", "f"], ["f", "i"], ["i", "i"]) and not any(map(is_long_tuple, kinds)):
        return None
    raise Unsupported("np.append takes an array of int64 or float64, and a number or an array of its kind: use astype")


def _where(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    if len(kinds) == 3 and is_array(kinds[0]) and kind_of(kinds[0].dtype) == "b":
        found = [kind_of(kind.dtype) if is_array(kind) else kind_of(kind) for kind in kinds[1:]]
        if found in (["f", "f"], ["i", "i"]):
            return None
        whole = found.index("i") + 1 if set(found) == {"i", "f"} else 0
        if whole and type(literals[whole]) is int and abs(literals[whole]) <= numbers.WHOLE:
            return None
    if len(kinds) == 1:
        raise Unsupported("np.where of one argument is not supported: write np.flatnonzero(...)")
    raise Unsupported(
        "np.where takes an array of bools and two of float64, or two of int64, here: for numbers write "
        "gymnasium.functional.ops.where, or `a if condition else b`"
    )


def _ops_of(count: int) -> Rule:
    def rule(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
        found = {kind_of(kind) for kind in kinds}
        if (
            len(kinds) == count
            and None not in found
            and not found & ({"n", "s"} if count > 1 else {"n", "s", "i", "b"})
        ):
            return None
        raise Unsupported(
            "the functions of ops take ints and floats: write int(...) or float(...) around other numbers"
        )

    return rule


def _ops_where(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    if len(kinds) == 3 and kind_of(kinds[0]):
        found = [kind_of(kind) for kind in kinds[1:]]
        if None not in found or str(kinds[1]) == str(kinds[2]):
            return None
    raise Unsupported("ops.where takes a condition and two values of one type here")


_of_any = _of_elements("b", "i", "f", "n", "s")


def _raveled(kinds: Sequence[Any], literals: Sequence[Any]) -> Function:
    if is_array(kinds[0]) and kinds[0].layout != "C":
        raise Unsupported("np.ravel of an array with gaps is a view or a copy, as it comes: write .flatten()")
    return _of_any(kinds, literals)


def _rolled(kinds: Sequence[Type], literals: Sequence[object]) -> Function:
    if len(kinds) != 2 or kind_of(kinds[1]) != "i":
        raise Unsupported("np.roll takes an array and an int here")
    _of_any(kinds[:1], literals)
    return arrays.rolled


_log_to_e = _math(math.log)

CALLS: dict[Any, Rule] = {
    to_int: _left_to_numba,
    to_float: _left_to_numba,
    bool: _one_of("b", "i", "f", "n", "s"),
    abs: _abs,
    round: _whole(numbers.float_round),
    min: _chosen(smaller),
    max: _chosen(larger),
    sum: containers.summed,
    len: _len,
    range: _range,
    tuple: _tuple,
    enumerate: _left_to_numba,
    slice: _left_to_numba,
    zip: _left_to_numba,
    math.floor: _whole(numbers.float_floor),
    math.ceil: _whole(numbers.float_ceil),
    math.trunc: _whole(numbers.float_int),
    math.isnan: _one_of("b", "i", "f", "s"),
    math.isinf: _one_of("b", "i", "f", "s"),
    math.isfinite: _one_of("b", "i", "f", "s"),
    math.copysign: _copysign,
    math.fabs: _one_of("i", "f"),
    **{function: _math(function) for function in OF_FLOATS},
    math.log: _log,
    divmod: _divmod,
    np.dot: _dot,
    np.linalg.norm: _norm,
    **{ufunc: of_ufunc(ufunc) for ufunc, (count, _, _) in LOOPS.items() if count < 3},
    np.clip: clipped,
    np.sum: _reduction(np.sum),
    np.mean: _reduction(np.mean),
    np.prod: _reduction(np.prod),
    np.max: _reduction(np.max),
    np.min: _reduction(np.min),
    np.amax: _reduction(np.max),
    np.amin: _reduction(np.min),
    np.where: _where,
    **{
        function: _left_to_numba
        for function in (
            *(np.zeros, np.ones, np.full, np.zeros_like, np.ones_like, np.full_like, np.eye, np.identity, np.array),
        )
    },
    np.arange: _arange,
    **{function: _of_any for function in (np.asarray, np.copy, np.any, np.all, np.count_nonzero, np.flatnonzero)},
    np.transpose: _transposed,
    **{function: _of_elements("i", "f", "n", "b") for function in (np.argmax, np.argmin)},
    np.outer: _of_elements("i", "f"),
    np.diff: _differences,
    **{function: _of_int_arrays for function in (np.cumsum, np.sort, np.unique)},
    **{function: _of_elements("i", "f", "s") for function in (np.isnan, np.isinf, np.isfinite)},
    np.append: _appended,
    np.ravel: _raveled,
    np.round: along.rounding,
    np.around: along.rounding,
    np.linspace: along.spacing,
    np.roll: _rolled,
    np.array_equal: _of_elements("i", "f", "b", "n"),
    np.concatenate: _same_dtypes,
    np.stack: _same_dtypes,
    np.hstack: _same_dtypes,
    ops.where: _ops_where,
    ops.clip: _ops_of(3),
    ops.minimum: _ops_of(2),
    ops.maximum: _ops_of(2),
    ops.float32: _ops_of(1),
    ops.pow2: _ops_of(1),
    ops.pow2f: _ops_of(1),
}
"""Maps functions to rules."""

IN_ANY_ORDER = frozenset([len, np.transpose, np.any, np.all, np.count_nonzero, np.flatnonzero, np.array_equal])
"""Functions whose result does not depend on the memory layout of an array."""

ANY_ORDER_METHODS = frozenset(["copy", "ravel", "flatten", "transpose", "any", "all", "fill", "reshape"])

ARRAY_METHODS: dict[str, Any] = {
    "sum": np.sum,
    "mean": np.mean,
    "prod": np.prod,
    "max": np.max,
    "min": np.min,
    "any": np.any,
    "all": np.all,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "copy": np.copy,
    "ravel": np.ravel,
    "flatten": np.copy,
    "transpose": np.transpose,
    "cumsum": np.cumsum,
    "reshape": np.ravel,
    "fill": np.copy,
    "astype": np.copy,
}
"""Maps methods of arrays to functions with the same rules."""
