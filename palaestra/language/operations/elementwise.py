"""Ufuncs of arrays: each item by itself, broadcast, in place, with `out=`.

NumPy itself says, by examples, what dtype, shape and layout a result has, and in which order it runs over the items.
Where an item of a ufunc is instructions, they are written; the others are calls of NumPy's inner loop as NumPy itself
would call it, since some loops have other bits for items with gaps. For lengths that are found at run time that is a
call for all items of one axis; several need a known shape there.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays, ufuncs
from palaestra.language.operations.arithmetic import UFUNCS
from palaestra.language.operations.arrays import AnyArray, DType, Index, array_type
from palaestra.language.operations.drawing import any_array, any_number, array_like, some_dtype, some_shape
from palaestra.language.operations.drawing import arrays as drawn
from palaestra.language.operations.table import built
from palaestra.language.program import ADDRESS, BEYOND, BOOL, FLOAT64, Value
from palaestra.language.types import PYTHON, Array, Bounded, Number, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, ZERO = constant(None), constant(0)
Ufunc: TypeAlias = "np.ufunc | Callable[..., Any]"


def apply(front: FrontEnd, ufunc: Ufunc, terms: Sequence[Term], out: Term | None = None) -> Term:
    """Returns a ufunc of numbers and arrays: a new array, `out`, or a number if no operand has axes."""
    operands = [term if arrays.is_number(term) else arrays.open_array(front, term) for term in terms]
    dtypes = ufuncs.resolved(ufunc, *operands)
    if len(dtypes) != len(operands) + 1:
        raise Refused(f"np.{ufunc.__name__} of arrays has two results, which is not in the language")
    if out is not None:
        _check_out(front, out, dtypes[-1])
    if any(isinstance(one.type, Bounded) for one in (*operands, *([out] if out else []))):
        return _apply_found(front, ufunc, dtypes, operands, out)
    examples = [example(operand) for operand in operands]
    made = arrays.answer(front, lambda: ufunc(*examples))
    if out is None and not isinstance(made, np.ndarray):
        return _single(front, ufunc, dtypes, operands)
    target = _target(front, np.asarray(made), out)
    result = (
        target if out is None or _can_be_written(target, operands, dtypes[-1]) else _like_target(front, target, dtypes)
    )
    _fill(front, ufunc, dtypes, operands, result)
    if result is not target:
        arrays.copy_items(front, target, result)
    return target


def _apply_found(
    front: FrontEnd, ufunc: Ufunc, dtypes: tuple[DType, ...], operands: Sequence[Term], out: Term | None
) -> Term:
    """A ufunc of arrays some of whose lengths are found at run time."""
    several = [one for one in operands if not arrays.is_number(one)]
    axes = arrays.together(front, list(map(arrays.axes_of, several)))
    if out is not None and len(axes) != len(arrays.axes_of(out)):
        front.raise_("ValueError")
    result = arrays.new_plain(front, dtypes[-1], axes)
    if has_item(front, ufunc, dtypes):
        _fill_items(front, ufunc, dtypes, operands, result)
    elif all(map(_is_row, (*several, result))):
        _fill_row(front, ufunc, dtypes, operands, result)
    else:  # whose order depends on the shape
        known = [one if arrays.is_number(one) else arrays.as_array(front, one) for one in operands]
        result = apply(front, ufunc, known)
    if out is not None:
        arrays.assign(front, out, result)
    return out or result


LONGEST = 8192  # items, which NumPy converts at once


def _is_row(array: Term) -> bool:
    """Whether NumPy gives all items to its loop at once."""
    most = arrays.kind_of(array).most
    return len(most) == 1 and not arrays.axes_of(array)[0].is_one and most[0] <= LONGEST


def example(operand: Term) -> Any:
    """Returns an object of which a ufunc makes the same as of an operand."""
    if operand.known:
        return operand.value
    if isinstance(operand.type, Array | Bounded):
        return arrays.example_of(operand.type.whole)
    assert isinstance(operand.type, Number)
    one = operand.type.dtype.type(1)
    return one.item() if operand.type.python else one


def _single(front: FrontEnd, ufunc: Ufunc, dtypes: tuple[DType, ...], operands: Sequence[Term]) -> Term:
    """A number, of arrays without axes."""
    numbers = [one if arrays.is_number(one) else arrays.item_of(front, one, ()) for one in operands]
    values = [ufuncs.operand(front, ufunc, one, dtype) for one, dtype in zip(numbers, dtypes, strict=False)]
    return Term(Number(dtypes[-1]), ufuncs.single_item(front, ufunc, dtypes, values))


def _check_out(front: FrontEnd, out: Term, dtype: DType) -> None:
    """Raise or refuse if results of a dtype do not go into an array."""
    if not isinstance(out.type, Array | Bounded):
        raise Refused(f"out={out.type} is not an array that can be written")
    arrays.check_writable(front, out)
    if not np.can_cast(dtype, out.type.dtype, "same_kind"):
        front.raise_("UFuncTypeError")


def _target(front: FrontEnd, made: AnyArray, out: Term | None) -> Term:
    """Where the results go."""
    if out is None:
        return arrays.new(front, arrays.type_like(made))
    kind = array_type(out)
    if arrays.answer(front, lambda: np.broadcast_shapes(made.shape, kind.shape)) != kind.shape:
        front.raise_("ValueError")
    return out


def _can_be_written(target: Term, operands: Sequence[Term], dtype: DType) -> bool:
    """Whether results can be written while operands are read."""
    if array_type(target).dtype != dtype:
        return False
    several = [one for one in operands if isinstance(one.type, Array)]
    return all(arrays.are_same(one, target) or arrays.are_apart(one, target) for one in several)


def _like_target(front: FrontEnd, target: Term, dtypes: Sequence[DType]) -> Term:
    example = np.empty_like(arrays.example_of(array_type(target)), dtypes[-1])
    return arrays.new(front, arrays.type_like(example))


def _fill(front: FrontEnd, ufunc: Ufunc, dtypes: tuple[DType, ...], operands: Sequence[Term], result: Term) -> None:
    if array_type(result).size == 0:
        for one, dtype in zip(operands, dtypes, strict=False):
            if arrays.is_number(one):
                ufuncs.operand(front, ufunc, one, dtype)  # which raises for an int that does not fit
        return
    of_arrays = ufunc is np.clip and any(isinstance(one.type, Array) for one in operands[1:])
    if not of_arrays and has_item(front, ufunc, dtypes):  # the loop of clip has several ways with bounds that change
        _fill_items(front, ufunc, dtypes, operands, result)
    else:
        _fill_by_loop(front, ufunc, dtypes, operands, result)


def has_item(front: FrontEnd, ufunc: Ufunc, dtypes: Sequence[DType]) -> bool:
    """Returns whether instructions give the items of a ufunc."""
    places = len(front.places)
    state = front.state
    count = len(dtypes) - 1
    with front.writing([]):
        values = [front.emit("load", dtype, front.emit("room", ADDRESS, attribute=8)) for dtype in dtypes[:count]]
        found = ufuncs.item(front, ufunc, dtypes, values)
    front.state, front.live = state, True
    del front.places[places:]
    return found is not None


def _fill_items(
    front: FrontEnd, ufunc: Ufunc, dtypes: tuple[DType, ...], operands: Sequence[Term], result: Term
) -> None:
    sources: list[Term | Value] = [
        ufuncs.operand(front, ufunc, one, dtype) if arrays.is_number(one) else one
        for one, dtype in zip(operands, dtypes, strict=False)
    ]

    def write(index: Index) -> None:
        values = [_item(front, one, index, dtype) for one, dtype in zip(sources, dtypes, strict=False)]
        value = ufuncs.item(front, ufunc, dtypes, values)
        assert value is not None, ufunc
        arrays.store(front, result, index, value)

    arrays.each(front, arrays.lengths_of(result), write)


def _item(front: FrontEnd, source: Term | Value, index: Index, dtype: DType) -> Value:
    """An item of an operand that is broadcast, converted; a number is every item."""
    if isinstance(source, Value):
        return source
    return arrays.cast(front, arrays.load(front, source, arrays.index_in(source, index)), dtype)


# By NumPy's loops.


def _fill_by_loop(
    front: FrontEnd, ufunc: Ufunc, dtypes: tuple[DType, ...], operands: Sequence[Term], result: Term
) -> None:
    """NumPy converts operands into buffers, which are contiguous."""
    sources = [_in_memory(front, ufunc, one, dtype) for one, dtype in zip(operands, dtypes, strict=False)]
    spread = _buffered(operands, dtypes, array_type(result))
    sources = [_spread(front, one, result) if k in spread else one for k, one in enumerate(sources)]
    every = [*sources, result]
    places, strides, shape = _order(front, every)
    for_each = shape[:-1]

    def call(index: Index) -> None:
        at = [
            arrays.place_of(front, Term(Array(array_type(one).dtype, shape, steps), (place,)), (*index, 0))
            for one, steps, place in zip(every, strides, places, strict=True)
        ]
        steps = [front.number(one[-1]) for one in strides]
        ufuncs.by_loop(front, ufunc, dtypes, at, steps, front.number(shape[-1]))

    arrays.each(front, for_each, call)


def _fill_row(front: FrontEnd, ufunc: Ufunc, dtypes: tuple[DType, ...], operands: Sequence[Term], result: Term) -> None:
    """One axis, whose length is found; operands of other dtypes are converted before."""
    for kind in (arrays.kind_of(one) for one in operands if not arrays.is_number(one)):
        if kind.strides != (kind.dtype.itemsize,):
            raise Refused(
                "this of an array with gaps, whose length is found, is not in the language", "write .copy() first"
            )
    every = [*(_in_memory(front, ufunc, one, dtype) for one, dtype in zip(operands, dtypes, strict=False)), result]
    strides = [front.number(sum(arrays.kind_of(one).strides)) for one in every]
    count = arrays.value_of(front, *arrays.lengths_of(result))
    ufuncs.by_loop(front, ufunc, dtypes, [one.parts[0] for one in every], strides, count)


def _buffered(operands: Sequence[Term], dtypes: Sequence[DType], result: Array) -> set[int]:
    """Returns which operands NumPy copies into a buffer, repeated items as well: some loops show the difference."""
    given: Any = [example(one) for one in operands]
    flags: Any = ["external_loop", "buffered", "grow_inner", "delay_bufalloc", "zerosize_ok"]
    uses: Any = [*[["readonly"]] * len(given), ["writeonly"]]
    given.append(arrays.example_of(result).copy("K"))
    copied: set[int] = set()
    with np.nditer(given, flags, uses, op_dtypes=list(dtypes), casting="unsafe") as iterator:
        iterator.reset()
        for parts in iterator:
            for k, (part, one) in enumerate(zip(parts, given, strict=True)):
                if part.size > 1 and part.strides[0] and not np.may_share_memory(part, np.asarray(one)):
                    copied.add(k)
    return copied - {len(operands)}


def _spread(front: FrontEnd, source: Term, result: Term) -> Term:
    """An operand with one item for each result, laid out like the results."""
    kind, shape = array_type(source), array_type(result).shape
    if kind.shape == shape:
        return source
    layout = np.empty_like(arrays.example_of(array_type(result)), kind.dtype)
    spread = arrays.new(front, arrays.type_like(layout))
    arrays.copy_items(front, spread, arrays.broadcast(front, source, shape))
    return spread


def _in_memory(front: FrontEnd, ufunc: Ufunc, operand: Term, dtype: DType) -> Term:
    """An operand as an array of the loop's dtype."""
    if not arrays.is_number(operand):
        return arrays.open_array(front, operand, dtype)
    single = arrays.new_plain(front, dtype, ())
    arrays.store(front, single, (), ufuncs.operand(front, ufunc, operand, dtype))
    return single


class Order(NamedTuple):
    """How NumPy runs over the items of some arrays: the addresses where it begins, the strides of each, the lengths."""

    places: list[Value]
    strides: list[tuple[int, ...]]
    shape: tuple[int, ...]


def _order(front: FrontEnd, every: Sequence[Term]) -> Order:
    """Arrays of one axis, or of one contiguous layout, are run over as they lie; others as an `nditer` does it."""
    examples = [example(one) for one in every]
    shape = examples[-1].shape
    parts = [one.part for one in every]
    if len(shape) <= 1 and all(one.shape in (shape, ()) for one in examples):
        size = shape or (1,)
        return Order(parts, [one.strides or (0,) for one in examples], size)
    for layout in ("c_contiguous", "f_contiguous"):
        if all(one.shape == () or (one.shape == shape and getattr(one.flags, layout)) for one in examples):
            strides: list[tuple[int, ...]] = [(one.itemsize if one.shape else 0,) for one in examples]
            return Order(parts, strides, (examples[-1].size,))
    return iterated(front, every, np.nditer(examples, ["external_loop"], [["readonly"]] * len(examples)))


def iterated(front: FrontEnd, every: Sequence[Term], iterator: Any) -> Order:
    """Returns how an `nditer` runs over the items of examples of some arrays."""
    places, strides = [], []
    for one, example, seen in zip(every, iterator.operands, iterator.itviews, strict=True):
        offset = seen.__array_interface__["data"][0] - example.__array_interface__["data"][0]
        places.append(arrays.further(front, one.part, offset))
        strides.append(tuple(seen.strides) or (0,))
    return Order(places, strides, tuple(iterator.itviews[-1].shape) or (1,))


# Entries.


def _tries(count: int) -> tuple[Callable[[np.random.Generator], tuple[Any, ...]], ...]:
    def mixed(rng: np.random.Generator) -> tuple[Any, ...]:
        return (any_array(rng), *(any_number(rng) for _ in range(count - 1)))

    def same(rng: np.random.Generator) -> tuple[Any, ...]:
        dtype, shape = some_dtype(rng), some_shape(rng)
        return tuple(array_like(rng, dtype, shape) for _ in range(count))

    return (same, mixed) if count > 1 else (same,)


def _add(ufunc: np.ufunc) -> None:
    note = "no sign of NaN" if ufunc in (np.copysign, np.signbit) else ""

    @built((ufunc, "array"), folds=False, tries=_tries(ufunc.nin), note=note)
    def build(front: FrontEnd, *terms: Term, out: Term = NONE, **named: Term) -> Term:
        arrays.refuse_given(**named)
        if len(terms) == ufunc.nin + 1:
            *terms_in, out = terms
            return build(front, *terms_in, out=out)
        if len(terms) != ufunc.nin:
            front.raise_("TypeError")
        return apply(front, ufunc, terms, None if out == NONE else out)

    if ufunc not in UFUNCS.values() or ufunc.nin != 2:
        return

    @built((ufunc, "in place"), folds=False, tries=(drawn("f", 2), drawn("iu", 2)))
    def build_in_place(front: FrontEnd, a: Term, b: Term) -> Term:
        arrays.check_writable(front, a)
        return apply(front, ufunc, (a, b), a)


def _is_of_numbers(ufunc: np.ufunc) -> bool:
    """Whether a ufunc takes numbers one by one, and gives one for them."""
    return (
        ufunc.signature is None and ufunc.nout == 1 and any(set(types) <= set("?bhilBHILfd->") for types in ufunc.types)
    )


OF_NUMBERS = (*dict.fromkeys(one for one in vars(np).values() if isinstance(one, np.ufunc) and _is_of_numbers(one)),)
for _ufunc in OF_NUMBERS:
    _add(_ufunc)


class _Spy(np.ndarray[Any, Any]):
    """An array that notes which ufunc an operator calls, with how many operands."""

    called: tuple[np.ufunc, int] | None = None

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        self.called = ufunc, len(operands)
        return self


def of_power(dtype: DType, exponent: Any) -> tuple[np.ufunc, int]:
    """Returns the ufunc that `a ** exponent` calls, and whether with the exponent: `a ** 2` is a square."""
    spy = np.ones(1, dtype).view(_Spy)
    _ = spy**exponent
    return spy.called or (np.power, 2)


def _power(front: FrontEnd, a: Term, b: Term, out: Term | None) -> Term:
    if arrays.is_number(a):
        return apply(front, np.power, (a, b), out)
    base = arrays.open_array(front, a)
    dtype = arrays.kind_of(base).dtype
    if b.known and arrays.is_number(b):
        ufunc, count = of_power(dtype, b.value)
        return apply(front, ufunc, (base, b)[:count], out)
    if isinstance(b.type, Number) and b.type.python and dtype.kind == "f":
        for special in (-1, 2) if b.type == PYTHON[int] else (0.5,):
            front.raise_if(front.compare("eq", b.part, front.number(special, b.type.dtype)), BEYOND)
    return apply(front, np.power, (base, b), out)


@built((operator.pow, "array"), folds=False, tries=(lambda rng: (any_array(rng, "f"), 2),), note="known exponents")
def _pow(front: FrontEnd, a: Term, b: Term) -> Term:
    return _power(front, a, b, None)


@built((np.power, "in place"), folds=False, tries=(lambda rng: (any_array(rng, "f"), 2),), note="known exponents")
def _pow_in_place(front: FrontEnd, a: Term, b: Term) -> Term:
    arrays.check_writable(front, a)
    return _power(front, a, b, a)


# Clipping.


@built((np.clip, "array"), np.ndarray.clip, folds=False, tries=(lambda rng: (any_array(rng, "f"), -1.0, 1.0),))
def _clip(
    front: FrontEnd,
    a: Term,
    a_min: Term = NONE,
    a_max: Term = NONE,
    out: Term = NONE,
    *,
    min: Term = NONE,
    max: Term = NONE,
) -> Term:
    low, high = (a_min if min == NONE else min), (a_max if max == NONE else max)
    into = None if out == NONE else out
    array = a if arrays.is_number(a) else arrays.open_array(front, a)
    kind = FLOAT64 if arrays.is_number(array) else arrays.kind_of(array).dtype
    if isinstance(array.type, Bounded) and not all(one == NONE or arrays.is_number(one) for one in (low, high)):
        raise Refused("np.clip of found items with bounds that are arrays is not in the language", "write np.minimum")
    ufunc, bounds = _clipping(front, kind, low, high)
    return apply(front, ufunc, (array, *bounds), into)


def _clipping(front: FrontEnd, dtype: DType, low: Term, high: Term) -> tuple[Ufunc, list[Term]]:
    """The ufunc that clips items of a dtype, and the bounds that are its other operands."""
    if dtype.kind in "iu":
        low, high = _bound(front, low, np.iinfo(dtype), True), _bound(front, high, np.iinfo(dtype), False)
    if low == NONE and high == NONE:
        return np.positive, []
    if low == NONE:
        return np.minimum, [high]
    if high == NONE:
        return np.maximum, [low]
    return np.clip, [low, high]


def _bound(front: FrontEnd, bound: Term, limits: Any, is_low: bool) -> Term:
    """A bound of integers; NumPy leaves one out that is an int of Python and no bound."""
    end = int(limits.min if is_low else limits.max)
    if bound.known:
        no_bound = type(bound.value) is int and (bound.value <= end if is_low else bound.value >= end)
        return NONE if no_bound else bound
    if bound.type == PYTHON[int] and -(2**63) <= end < 2**63:
        front.raise_if(front.compare("le" if is_low else "ge", bound.part, front.number(end)), BEYOND)
    return bound


# Choosing.


@built(np.where, tries=(lambda rng: (any_array(rng, "b", (3, 2)), any_array(rng, shape=(2,)), any_number(rng)),))
def _where(front: FrontEnd, condition: Term, x: Term | None = None, y: Term | None = None) -> Term:
    if x is None or y is None:
        return front.operate(np.nonzero, condition)
    operands = [one if arrays.is_number(one) else arrays.open_array(front, one) for one in (x, y)]
    mask = arrays.open_array(front, condition)
    axes = arrays.together(front, [arrays.axes_of(one) for one in (mask, *operands) if not arrays.is_number(one)])
    examples = [example(one) for one in operands]
    alike = [np.empty(0, one.dtype) if isinstance(one, np.ndarray) else one for one in examples]
    dtype = np.asarray(np.where(True, *alike)).dtype
    result = arrays.new_like(front, dtype, axes, lambda: np.where(example(mask), *examples))
    sources = [_where_number(front, one, dtype) if arrays.is_number(one) else one for one in operands]

    def write(index: Index) -> None:
        a, b = (_item(front, one, index, dtype) for one in sources)
        arrays.store(front, result, index, front.emit("select", dtype, _item(front, mask, index, BOOL), a, b))

    arrays.each(front, arrays.lengths_of(result), write)
    return result


def _where_number(front: FrontEnd, number: Term, dtype: DType) -> Value:
    """A number beside arrays; one of Python is an array of its own first: ints that do not fit are cut off."""
    if number.known:
        return front.number(np.asarray(number.value).astype(dtype)[()], dtype)
    return arrays.cast(front, number.part, dtype)


# Truth, and rounding to digits.


@built((bool, "array"), tries=(lambda rng: (any_array(rng, shape=(1,)),), drawn()))
def _truth(front: FrontEnd, x: Term) -> Term:
    size = arrays.size_of(front, arrays.lengths_of(x))
    if isinstance(size, Value):
        front.raise_if(front.compare("ne", size, front.number(1)), "ValueError")
    elif size != 1:
        front.raise_("ValueError")
    value = arrays.cast(front, arrays.load(front, x, [0] * len(arrays.axes_of(x))), BOOL)
    return Term(PYTHON[bool], (value,))


@built((operator.contains, "array"), tries=(lambda rng: (any_array(rng, "iu", (5,)), int(rng.integers(9))),))
def _contains(front: FrontEnd, array: Term, item: Term) -> Term:
    found = front.operate(np.any, front.operate(operator.eq, array, item))
    return front.operate(bool, found)


@built((np.round, "array"), (np.around, "array"), np.ndarray.round, folds=False)
def _round(front: FrontEnd, a: Term, decimals: Term = ZERO, out: Term = NONE) -> Term:
    array = arrays.open_array(front, a)
    kind, digits = arrays.kind_of(array), front.integer(decimals, "the digits")
    into = None if out == NONE else out
    if kind.dtype.kind != "f":
        if digits < 0 or into is not None or kind.dtype.kind == "b":
            raise Refused("np.round of integers to tens is not in the language", "write float(...), or astype")
        return arrays.copied(front, array)
    if digits == 0:
        return apply(front, np.rint, (array,), into)
    scale = constant(10.0 ** abs(digits))
    there, back = (np.multiply, np.divide) if digits > 0 else (np.divide, np.multiply)
    scaled = apply(front, there, (array, scale), into)
    rounded = apply(front, np.rint, (scaled,), None if arrays.is_number(scaled) else scaled)
    return apply(front, back, (rounded, scale), None if arrays.is_number(rounded) else rounded)
