"""The methods of `np.random.Generator` that draw floats: one number, or an array of independent ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays, distributions, streams
from palaestra.language.operations.arithmetic import floating
from palaestra.language.operations.creation import MOST_COUNTED
from palaestra.language.operations.drawing import one_of
from palaestra.language.operations.table import Tries, built
from palaestra.language.program import ADDRESS, BEYOND, FLOAT64, INT64, Value
from palaestra.language.types import Array, Number, Reference, Term, Tuple, constant, plain

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

Generator = np.random.Generator
NONE, ZERO, ONE, FLOAT, ZIGGURAT = map(constant, (None, 0.0, 1.0, np.float64, "zig"))
FLOAT32 = np.dtype(np.float32)
Draw = Callable[..., Term]
"""Writes the draw of a number, given its parameters, Python's floats."""


# One and many.


def size_of(front: FrontEnd, size: Term) -> Any:
    """Returns `size=`, which must be known: None, an int, or a tuple of ints."""
    if size == NONE:
        return None
    if isinstance(size.type, (Tuple, Reference)):
        return arrays.lengths(front, size, "the size of a draw")
    if isinstance(size.type, (Number, Array)):
        return front.integer(size, "the size of a draw")
    return arrays.known(size, "the size of a draw")


def found_axes(front: FrontEnd, size: Term) -> list[arrays.Axis] | None:
    """Returns the axes of `size=` if a length of it is found when the program runs; None if it is known.

    A negative length raises ValueError, and one that is too large is left to Python.
    """
    lengths = [size] if isinstance(size.type, Number) else list(size.items()) if isinstance(size.type, Tuple) else []
    found = [one for one in lengths if isinstance(one.type, Number) and not front.is_size(one)]
    if not found or front.counted:  # a loop that can be unrolled gives known lengths
        return None
    if len(found) > 1:
        raise Refused("a draw with several lengths that are found is not in the language", "draw a row at a time")
    return [_found_axis(front, one) if one in found else arrays.known_axis(_length(front, one)) for one in lengths]


def _length(front: FrontEnd, term: Term) -> int:
    return front.integer(term, "the size of a draw")


def _found_axis(front: FrontEnd, term: Term) -> arrays.Axis:
    assert isinstance(term.type, Number)
    if term.type.dtype.kind not in "iu":
        raise Refused(f"the size of a draw is {term.type}", "write an int")
    length = front.convert(term.part, INT64)
    front.raise_if(front.compare("lt", length, front.number(0)), "ValueError")
    front.raise_if(front.compare("gt", length, front.number(MOST_COUNTED)), BEYOND)
    return arrays.Axis(length, MOST_COUNTED, None, 0)


def filled_as_found(
    front: FrontEnd, dtype: np.dtype[Any], axes: list[arrays.Axis], begin: Callable[[], Callable[[], Value]]
) -> Term:
    """Returns a new array whose lengths are found, with items that are drawn one after the other.

    Args:
        front: The front end.
        dtype: That of the items.
        axes: The axes.
        begin: Checks the parameters, if there is an item, and returns what draws one.
    """
    result = arrays.new_plain(front, dtype, axes)
    lengths = arrays.lengths_of(result)

    def fill() -> Term:
        draw = begin()
        arrays.each(front, lengths, lambda index: arrays.store(front, result, index, draw()))
        return NONE

    count = arrays.value_of(front, arrays.size_of(front, lengths))
    front.branch(front.compare("gt", count, front.number(0)), fill, lambda: NONE)
    return result


def asked(front: FrontEnd, called: Any, *terms: Any, **named: Any) -> Any:
    """Returns what NumPy's own generator draws for examples of arguments; where it raises, so does the program."""
    return arrays.answer(front, lambda: called(np.random.default_rng(0), *terms, **named))


def filled(front: FrontEnd, kind: Array, draw: Callable[[Value], Value]) -> Term:
    """Returns a new array whose items are drawn one after the other, given their numbers in C's order."""
    result = arrays.new_plain(front, kind.dtype, kind.shape)

    def write(k: Value) -> None:
        value = draw(k)
        place = front.compute("mul", k, front.number(kind.dtype.itemsize))
        front.emit("store", None, front.emit("offset", ADDRESS, result.part, place), value)

    if kind.size == 1:
        write(front.number(0))
    elif kind.size:
        arrays.count(front, kind.size, write)
    return result


def parameter(front: FrontEnd, term: Term) -> Term:
    """Returns a parameter of a distribution: a float of Python, or an array of float64 with an axis.

    Raises:
        Refused: If it is neither a number nor an array, tuple or list of them.
    """
    if arrays.is_number(term):
        return _number(front, term)
    if not (arrays.is_array(term) or isinstance(term.type, (Tuple, Reference)) or _is_known_sequence(term)):
        raise Refused(f"{term.type} is not a parameter of a distribution")
    array = arrays.as_array(front, term, FLOAT64)
    return array if arrays.array_type(array).shape else floating(arrays.load(front, array, ()))


def _is_known_sequence(term: Term) -> bool:
    return term.known and isinstance(term.value, (list, tuple))


def _number(front: FrontEnd, term: Term) -> Term:
    if term.known:
        return constant(arrays.answer(front, lambda: float(term.value)))
    return floating(front.convert(term.part, FLOAT64))


def drawn(
    front: FrontEnd,
    parameters: Sequence[Term],
    size: Term,
    check: Callable[..., None],
    draw: Draw,
    dtype: np.dtype[Any] = FLOAT64,
) -> Term:
    """Returns a draw, or an array of draws whose parameters are broadcast.

    Args:
        front: The front end.
        parameters: What `parameter` returned.
        size: `size=`.
        check: Raises what NumPy raises for parameters, before anything is drawn.
        draw: The draw of one number.
        dtype: That of the numbers.
    """
    axes = found_axes(front, size)
    if axes is not None:
        return _drawn_as_found(front, parameters, axes, check, draw, dtype)
    examples = [arrays.example_of(one.type) if isinstance(one.type, Array) else 0.0 for one in parameters]
    example = arrays.answer(front, lambda: sum(np.broadcast_arrays(*examples), 0.0))
    made = asked(front, Generator.normal, example, size=size_of(front, size))
    several = [one for one in parameters if isinstance(one.type, Array)]
    if not several:
        check(front, *parameters)
    if not isinstance(made, np.ndarray):
        return draw(*parameters)
    kind = arrays.type_like(made.astype(dtype))
    if several:
        _check_each(front, parameters, check)
    flat = [_flat(front, one, kind.shape) if isinstance(one.type, Array) else one for one in parameters]

    def of_item(k: Value) -> Value:
        return front.materialized(draw(*[_item(front, one, k) for one in flat])).part

    return filled(front, kind, of_item)


def _drawn_as_found(
    front: FrontEnd,
    parameters: Sequence[Term],
    axes: list[arrays.Axis],
    check: Callable[..., None],
    draw: Draw,
    dtype: np.dtype[Any],
) -> Term:
    if any(isinstance(one.type, Array) for one in parameters):
        reason = "a draw whose length is found has an array as a parameter"
        raise Refused(reason, "draw with numbers, and then add and multiply arrays")
    check(front, *parameters)
    return filled_as_found(front, dtype, axes, lambda: lambda: front.materialized(draw(*parameters)).part)


def _check_each(front: FrontEnd, parameters: Sequence[Term], check: Callable[..., None]) -> None:
    shape = np.broadcast_shapes(*[one.type.shape for one in parameters if isinstance(one.type, Array)])
    flat = [_flat(front, one, shape) if isinstance(one.type, Array) else one for one in parameters]
    arrays.each(
        front, (int(np.prod(shape)),), lambda index: check(front, *[_item(front, one, index[0]) for one in flat])
    )


def _flat(front: FrontEnd, array: Term, shape: tuple[int, ...]) -> Term:
    """The items of a broadcast array, one behind the other."""
    wide = arrays.broadcast(front, array, shape)
    if not arrays.array_type(wide).contiguous:
        wide = arrays.copied(front, wide, "C")
    return Term(plain(FLOAT64, (arrays.array_type(wide).size,)), wide.parts)


def _item(front: FrontEnd, term: Term, k: Value | int) -> Term:
    return floating(arrays.load(front, term, (k,))) if isinstance(term.type, Array) else term


# Checks.


def has_sign(front: FrontEnd, x: Value) -> Value:
    """Returns whether a float is negative, or the negative zero; no NaN is."""
    bits = front.emit("bits", INT64, x)
    return front.compute("and", front.compare("lt", bits, front.number(0)), front.compare("eq", x, x))


def raise_where(front: FrontEnd, condition: Value | bool, error: str) -> None:
    """Raise an exception if a condition holds, which may be known."""
    if isinstance(condition, bool):
        if condition:
            front.raise_(error)
        return
    front.raise_if(condition, error)


def check_scale(front: FrontEnd, scale: Term) -> None:
    """Raise ValueError for a negative scale."""
    if scale.known:
        raise_where(front, bool(np.signbit(scale.value) and scale.value == scale.value), "ValueError")
    else:
        raise_where(front, has_sign(front, scale.part), "ValueError")


def _check_normal(front: FrontEnd, loc: Term, scale: Term) -> None:
    check_scale(front, scale)


def _check_span(front: FrontEnd, low: Term, span: Term) -> None:
    if span.known:
        raise_where(front, not np.isfinite(span.value), "OverflowError")
        raise_where(front, bool(np.signbit(span.value)), "ValueError")
        return
    size = front.compute("fabs", span.part)
    is_finite = front.compare("lt", size, front.number(np.inf, FLOAT64))
    raise_where(front, front.compute("not", is_finite), "OverflowError")
    raise_where(front, has_sign(front, span.part), "ValueError")


def _check_nothing(front: FrontEnd, *parameters: Term) -> None:
    pass


# Methods.


def sizes(*draws: Callable[[np.random.Generator], Any]) -> tuple[Tries, ...]:
    """Returns what draws arguments of a distribution: a generator, parameters, and perhaps a size."""

    def one(rng: np.random.Generator) -> tuple[Any, ...]:
        return (np.random.default_rng(int(rng.integers(100))), *(draw(rng) for draw in draws))

    return (one, lambda rng: (*one(rng), one_of(rng, 3, (2, 2), 0, (), 20)))


def _float(rng: np.random.Generator) -> float:
    return float(one_of(rng, 0.0, 1.0, -1.5, 1e300, -0.0, np.inf, np.nan, rng.normal()))


def _draw(front: FrontEnd, function: Any, rng: Term) -> Draw:
    return lambda *parameters: front.call_function(function, (rng, *parameters), {})


def _only_float64(front: FrontEnd, dtype: Term, out: Term) -> None:
    arrays.refuse_given(out=out)
    if arrays.given_dtype(front, dtype) != FLOAT64:
        raise Refused("a draw of another dtype than float64 is not in the language", "convert it: astype(np.float32)")


def _standard(called: Any, function: Any) -> None:
    """A distribution without parameters."""

    @built(called, folds=False, tries=sizes())
    def build(front: FrontEnd, rng: Term, size: Term = NONE, dtype: Term = FLOAT, out: Term = NONE) -> Term:
        _only_float64(front, dtype, out)
        return drawn(front, (), size, _check_nothing, _draw(front, function, rng))


@built(Generator.random, folds=False, tries=sizes())
def _random(front: FrontEnd, rng: Term, size: Term = NONE, dtype: Term = FLOAT, out: Term = NONE) -> Term:
    if arrays.given_dtype(front, dtype) != FLOAT32:
        _only_float64(front, dtype, out)
        return drawn(front, (), size, _check_nothing, _draw(front, distributions.random, rng))
    arrays.refuse_given(out=out)
    made = asked(front, Generator.random, size=size_of(front, size), dtype=np.float32)

    def draw() -> Value:
        return streams.unit32(front, streams.next32(front, rng.part))

    if isinstance(made, np.ndarray):
        return filled(front, arrays.type_like(made), lambda k: draw())
    return floating(front.convert(draw(), FLOAT64))


_standard(Generator.standard_normal, distributions.standard_normal)


@built(Generator.standard_exponential, folds=False, tries=sizes())
def _standard_exponential(
    front: FrontEnd, rng: Term, size: Term = NONE, dtype: Term = FLOAT, method: Term = ZIGGURAT, out: Term = NONE
) -> Term:
    _only_float64(front, dtype, out)
    if method != ZIGGURAT:
        raise Refused("method= of standard_exponential is not in the language", "leave it out")
    draw = _draw(front, distributions.standard_exponential, rng)
    return drawn(front, (), size, _check_nothing, draw)


@built(Generator.uniform, folds=False, tries=sizes(_float, _float))
def _uniform(front: FrontEnd, rng: Term, low: Term = ZERO, high: Term = ONE, size: Term = NONE) -> Term:
    first, end = parameter(front, low), parameter(front, high)
    span = span_of(front, end, first)
    return drawn(front, (first, span), size, _check_span, _draw(front, distributions.uniform, rng))


def span_of(front: FrontEnd, high: Term, low: Term) -> Term:
    """Returns `high - low`, of floats or arrays of them."""
    several = [one for one in (high, low) if isinstance(one.type, Array)]
    if not several:
        if high.known and low.known:
            return constant(high.value - low.value)
        return floating(front.compute("sub", *[front.materialized(one).part for one in (high, low)]))
    shapes = [arrays.array_type(one).shape for one in several]
    shape = arrays.answer(front, lambda: np.broadcast_shapes(*shapes))
    flat = [_flat(front, one, shape) if isinstance(one.type, Array) else one for one in (high, low)]

    def item(k: Value) -> Value:
        return front.compute("sub", *[front.materialized(_item(front, one, k)).part for one in flat])

    return filled(front, plain(FLOAT64, shape), item)


@built(Generator.normal, folds=False, tries=sizes(_float, _float))
def _normal(front: FrontEnd, rng: Term, loc: Term = ZERO, scale: Term = ONE, size: Term = NONE) -> Term:
    parameters = parameter(front, loc), parameter(front, scale)
    draw = _draw(front, distributions.normal, rng)
    return drawn(front, parameters, size, _check_normal, draw)


@built(Generator.exponential, folds=False, tries=sizes(_float))
def _exponential(front: FrontEnd, rng: Term, scale: Term = ONE, size: Term = NONE) -> Term:
    draw = _draw(front, distributions.exponential, rng)
    return drawn(front, (parameter(front, scale),), size, check_scale, draw)
