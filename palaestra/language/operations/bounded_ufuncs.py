"""Ufuncs of arrays whose lengths are found at run time, and copies of such arrays.

Items that are instructions are written in loops; others are calls of NumPy's inner loop, for arrays of one axis. Those
of several need a known shape there.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays, bounded_arrays, ufuncs
from palaestra.language.operations.arithmetic import UFUNCS
from palaestra.language.operations.arrays import DType, Index
from palaestra.language.operations.bounded_arrays import Axis, axes_of, broadcast, dtype_of, index_in, whole
from palaestra.language.operations.drawing import any_array, any_number, array_like, one_of, some_dtype
from palaestra.language.operations.elementwise import OF_NUMBERS, clipping, example, has_item, of_power, where_number
from palaestra.language.operations.elementwise import apply as apply_known
from palaestra.language.operations.table import built
from palaestra.language.program import BOOL, FLOAT64, Value
from palaestra.language.types import Bounded, Iterated, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, TRUE, KEEP = constant(None), constant(True), constant("K")


def apply(front: FrontEnd, ufunc: Any, terms: Sequence[Term]) -> Term:
    """Returns a ufunc of numbers and arrays: a new array."""
    operands = [term if arrays.is_number(term) else bounded_arrays.as_array(front, term) for term in terms]
    dtypes = ufuncs.resolved(ufunc, *map(whole, operands))
    if len(dtypes) != len(operands) + 1:
        raise Refused(f"np.{ufunc.__name__} of arrays has two results, which is not in the language")
    axes = broadcast(front, [axes_of(one) for one in operands if not arrays.is_number(one)])
    result = bounded_arrays.new(front, dtypes[-1], axes)
    if has_item(front, ufunc, dtypes):
        _fill(front, ufunc, dtypes, operands, result)
    elif _is_row(axes) and all(arrays.is_number(one) or _is_row(axes_of(one)) for one in operands):
        _fill_by_loop(front, ufunc, dtypes, operands, result)
    else:  # whose order depends on the shape
        return apply_known(
            front, ufunc, [one if arrays.is_number(one) else arrays.as_array(front, one) for one in operands]
        )
    return result


LONGEST = 8192  # items, which NumPy converts at once


def _is_row(axes: Sequence[Axis]) -> bool:
    """Whether NumPy gives all items to its loop at once."""
    return len(axes) == 1 and axes[0].length != 1 and axes[0].most <= LONGEST


def _fill(front: FrontEnd, ufunc: Any, dtypes: Sequence[DType], operands: Sequence[Term], result: Term) -> None:
    sources = [
        ufuncs.operand(front, ufunc, one, dtype) if arrays.is_number(one) else one
        for one, dtype in zip(operands, dtypes, strict=False)
    ]

    def item(index: Index) -> None:
        values = [_item(front, one, index, dtype) for one, dtype in zip(sources, dtypes, strict=False)]
        value = ufuncs.item(front, ufunc, dtypes, values)
        assert value is not None, ufunc
        bounded_arrays.store(front, result, index, value)

    bounded_arrays.each(front, axes_of(result), item)


def _item(front: FrontEnd, source: Term | Value, index: Index, dtype: DType) -> Value:
    """An item of an operand, converted."""
    if isinstance(source, Value):
        return source
    return arrays.cast(front, bounded_arrays.load(front, source, index_in(axes_of(source), index)), dtype)


def _fill_by_loop(front: FrontEnd, ufunc: Any, dtypes: Sequence[DType], operands: Sequence[Term], result: Term) -> None:
    """Call NumPy's loop; operands of other dtypes are converted before."""
    (axis,) = axes_of(result)
    places, strides = [], []
    for one, dtype in zip(operands, dtypes, strict=False):
        place, stride = _in_memory(front, ufunc, one, dtype)
        places.append(place)
        strides.append(front.number(stride))
    places.append(result.parts[0])
    strides.append(front.number(dtypes[-1].itemsize))
    ufuncs.by_loop(front, ufunc, dtypes, places, strides, bounded_arrays.length_value(front, axis))


def _in_memory(front: FrontEnd, ufunc: Any, operand: Term, dtype: DType) -> tuple[Value, int]:
    """The address of an operand's first item, and the bytes to the next: none for what repeats."""
    if arrays.is_number(operand):
        single = arrays.new_plain(front, dtype, ())
        arrays.store(front, single, (), ufuncs.operand(front, ufunc, operand, dtype))
        return single.part, 0
    (axis,) = axes_of(operand)
    if axis.stride != dtype_of(operand).itemsize:
        raise Refused(
            "this of an array with gaps, whose length is found, is not in the language", "write .copy() first"
        )
    converted = operand if dtype_of(operand) == dtype else bounded_arrays.copied(front, operand, dtype)
    return converted.parts[0], dtype.itemsize


# Entries.


def _shortened(rng: np.random.Generator) -> tuple[Any, ...]:
    """Draws an array, and where a slice of it ends."""
    return any_array(rng, shape=(9,)), int(rng.integers(-10, 12))


def _tries(count: int) -> tuple[Callable[[np.random.Generator], tuple[Any, ...]], ...]:
    def alike(rng: np.random.Generator) -> tuple[Any, ...]:
        dtype = some_dtype(rng)
        return (array_like(rng, dtype, (7,)), int(rng.integers(0, 8)), *[any_number(rng) for _ in range(count - 1)])

    return (alike,)


def _add(ufunc: np.ufunc) -> None:
    note = "no sign of NaN" if ufunc in (np.copysign, np.signbit) else ""

    @built((ufunc, "array", "bounded"), folds=False, tries=_tries(ufunc.nin), note=note)
    def build(front: FrontEnd, *terms: Term, out: Term = NONE, **named: Term) -> Term:
        arrays.refuse_given(out=out, **named)
        if len(terms) != ufunc.nin:
            raise Refused(f"np.{ufunc.__name__} with an array for the result is not in the language here")
        return apply(front, ufunc, terms)

    if ufunc not in UFUNCS.values() or ufunc.nin != 2 or ufunc is np.power:
        return

    @built((ufunc, "in place", "bounded"), folds=False, tries=_tries(2), note="floats within the integers")
    def build_in_place(front: FrontEnd, a: Term, b: Term) -> Term:
        target = bounded_arrays.as_array(front, a)
        arrays.check_writable(front, whole(target))
        other = b if arrays.is_number(b) else bounded_arrays.as_array(front, b)
        if not np.can_cast(ufuncs.resolved(ufunc, *map(whole, (target, other)))[-1], dtype_of(target), "same_kind"):
            front.raise_("UFuncTypeError")
        made = apply(front, ufunc, (target, other))
        if len(axes_of(made)) != len(axes_of(target)):
            front.raise_("ValueError")
        bounded_arrays.write(front, bounded_arrays.places_of(front, target), made, target)
        return target


for _ufunc in OF_NUMBERS:
    _add(_ufunc)


def _has_number(rng: np.random.Generator) -> tuple[Any, ...]:
    return *_shortened(rng), one_of(rng, 2, -1, 0, 3, 0.5)


@built((operator.pow, "array", "bounded"), folds=False, tries=(_has_number,), note="known exponents")
def _pow(front: FrontEnd, a: Term, b: Term) -> Term:
    if not isinstance(a.type, Bounded) or not (b.known and arrays.is_number(b)):
        raise Refused("a power with an exponent that is not known is not in the language here", "write np.power")
    ufunc, count = of_power(dtype_of(a), b.value)
    return apply(front, ufunc, (a, b)[:count])


@built(
    *((np.clip, "array", "bounded"), (np.ndarray.clip, "bounded")),
    folds=False,
    tries=(lambda rng: (any_array(rng, "if", (9,)), int(rng.integers(9)), -1, 2),),
)
def _clip(
    front: FrontEnd, a: Term, a_min: Term = NONE, a_max: Term = NONE, *, min: Term = NONE, max: Term = NONE
) -> Term:
    low, high = (a_min if min == NONE else min), (a_max if max == NONE else max)
    if not isinstance(a.type, Bounded) or not all(one == NONE or arrays.is_number(one) for one in (low, high)):
        raise Refused("np.clip with bounds that are found arrays is not in the language", "write np.minimum")
    ufunc, bounds = clipping(front, dtype_of(a), low, high)
    return apply(front, ufunc, (a, *bounds))


@built(
    (np.where, "bounded"), folds=False, tries=(lambda rng: (any_array(rng, "b", (9,)), int(rng.integers(9)), 1, 0.5),)
)
def _where(front: FrontEnd, condition: Term, x: Term | None = None, y: Term | None = None) -> Term:
    if x is None or y is None:
        return front.operate(np.nonzero, condition)
    operands = [one if arrays.is_number(one) else bounded_arrays.as_array(front, one) for one in (x, y)]
    mask = bounded_arrays.as_array(front, condition)
    dtype = np.asarray(np.where(True, *(example(whole(one)) for one in operands))).dtype
    axes = broadcast(front, [axes_of(one) for one in (mask, *operands) if not arrays.is_number(one)])
    result = bounded_arrays.new(front, dtype, axes)
    sources = [where_number(front, one, dtype) if arrays.is_number(one) else one for one in operands]

    def item(index: Index) -> None:
        values = [_item(front, one, index, dtype) for one in sources]
        chosen = front.emit("select", dtype, _item(front, mask, index, BOOL), *values)
        bounded_arrays.store(front, result, index, chosen)

    bounded_arrays.each(front, axes, item)
    return result


# Copies.


@built(
    *((one, "bounded") for one in (np.array, np.copy, np.ndarray.copy, np.ndarray.flatten)),
    folds=False,
    tries=(_shortened,),
)
def _copy(front: FrontEnd, a: Term) -> Term:
    return bounded_arrays.copied(front, a)


@built(*((one, "bounded") for one in (np.asarray, np.ravel, np.ndarray.ravel)), folds=False, tries=(_shortened,))
def _itself(front: FrontEnd, a: Term) -> Term:
    if len(axes_of(a)) != 1:
        raise Refused(f"{a.type} has several axes, and is made flat", "write a loop")
    return a


@built((np.ndarray.tolist, "bounded"), folds=False)
def _tolist(front: FrontEnd, a: Term) -> Term:
    """What can be run over: a list has a known length in the language."""
    if len(axes_of(a)) != 1:
        raise Refused(f"tolist() of {a.type}, which has several axes, is not in the language", "run over the array")
    source = bounded_arrays.copied(front, a)
    return Term(Iterated("tolist", (source.type,)), source.parts)


@built(
    (np.ndarray.astype, "bounded"),
    folds=False,
    tries=(lambda rng: (*_shortened(rng), some_dtype(rng)),),
    note="floats within the integers",
)
def _astype(front: FrontEnd, a: Term, dtype: Term, *, copy: Term = TRUE) -> Term:
    kind = arrays.dtype_of(front, dtype) or FLOAT64
    if not arrays.known(copy, "copy=") and kind == dtype_of(a):
        return a
    return bounded_arrays.copied(front, a, kind)
