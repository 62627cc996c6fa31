"""`Generator.integers`: numbers in a range, drawn as NumPy draws them for each dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays, streams
from palaestra.language.operations.drawing import one_of
from palaestra.language.operations.draws import NONE, Generator, asked, filled, filled_as_found, found_axes, size_of
from palaestra.language.operations.table import built
from palaestra.language.program import BEYOND, INT64, UINT64, Set, Slot, Value
from palaestra.language.types import PYTHON, Number, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

FALSE, INT = constant(False), constant(np.int64)


def _arguments(rng: np.random.Generator) -> tuple[Any, ...]:
    low, high = sorted(int(one) for one in rng.integers(-20, 100, 2))
    return (
        np.random.default_rng(int(rng.integers(100))),
        low,
        one_of(rng, high, high, low, -5),
        one_of(rng, None, 5, (2, 3)),
    )


@built(
    Generator.integers, folds=False, tries=(_arguments, lambda rng: (np.random.default_rng(1), int(rng.integers(9))))
)
def _integers(
    front: FrontEnd,
    rng: Term,
    low: Term,
    high: Term = NONE,
    size: Term = NONE,
    dtype: Term = INT,
    endpoint: Term = FALSE,
) -> Term:
    with_end, kind = bool(arrays.known(endpoint, "endpoint=")), arrays.known(dtype, "dtype=")
    first, last = (constant(0), low) if high == NONE else (low, high)
    axes = found_axes(front, size)
    if axes is not None:
        whole = np.asarray(asked(front, Generator.integers, 0, 1, 1, kind)).dtype
        return filled_as_found(front, whole, axes, lambda: _one(front, rng, first, last, whole, with_end))
    shape = size_of(front, size)
    if first.known and last.known:
        made = asked(front, Generator.integers, first.value, last.value, shape, kind, with_end)
    else:
        made = asked(front, Generator.integers, 0, 1, shape, kind)
    if np.size(made) == 0:
        return arrays.new(front, arrays.type_like(made))
    whole = np.asarray(made).dtype
    one = _one(front, rng, first, last, whole, with_end)
    if isinstance(made, np.ndarray):
        return filled(front, arrays.type_like(made), lambda k: one())
    return Term(PYTHON.get(type(made), Number(whole)), (one(),))


def _one(front: FrontEnd, rng: Term, first: Term, last: Term, dtype: Any, with_end: bool) -> Callable[[], Value]:
    """What writes the draw of a number."""
    if first.known and last.known:
        asked(front, Generator.integers, first.value, last.value, None, dtype, with_end)
    start, count = _range(front, first, last, dtype, with_end)
    draw = _drawing(front, rng.part, count, dtype)
    return lambda: front.convert(front.compute("add", start, draw()), dtype)


def _range(front: FrontEnd, low: Term, high: Term, dtype: Any, with_end: bool) -> tuple[Value, Value]:
    """The first number of a range and how many there are, uint64; ValueError for none, or those that do not fit."""
    if low.known and high.known:
        number = int(high.value) - int(low.value) + with_end
        return streams.word(front, int(low.value) % 2**64), streams.word(front, number % 2**64)
    start, stop = (_bound(front, one) for one in (low, high))
    front.raise_if(front.compare("gt" if with_end else "ge", start, stop), "ValueError")
    limits = np.iinfo(np.int8) if dtype.kind == "b" else np.iinfo(dtype)
    least, most = (0, 1) if dtype.kind == "b" else (int(limits.min), int(limits.max))
    if least > -(2**63):
        front.raise_if(front.compare("lt", start, front.number(least)), "ValueError")
    if most < 2**63 - 1:
        beyond = front.compare("gt", stop, front.number(most if with_end else most + 1))
        front.raise_if(beyond, "ValueError")
    first, end = (front.convert(one, UINT64) for one in (start, stop))
    count = front.compute("sub", end, first)
    return first, front.compute("add", count, streams.word(front, 1)) if with_end else count


def _bound(front: FrontEnd, term: Term) -> Value:
    number = front.materialized(term)
    if not isinstance(number.type, Number) or number.type.dtype.kind not in "iub":
        raise Refused(f"{term.type} is not a bound of integers in the language", "convert it with int()")
    if number.type.dtype == UINT64:
        front.raise_if(front.compare("ge", number.part, streams.word(front, 2**63)), BEYOND)
    return front.convert(number.part, INT64)


def _drawing(front: FrontEnd, stream: Value, count: Value, dtype: Any) -> Callable[[], Value]:
    """What writes the draw of a number below `count`, as uint64."""
    if dtype.itemsize > 2:
        return lambda: streams.below(front, stream, count)
    return _of_pieces(front, stream, count, 1 if dtype.kind == "b" else 8 * dtype.itemsize)


def _of_pieces(front: FrontEnd, stream: Value, count: Value, bits: int) -> Callable[[], Value]:
    """Draws of few bits: half a word is cut in pieces, which all numbers of an array share."""
    left, rest = Slot(INT64, "pieces"), Slot(UINT64, "rest")
    front.region += [Set(left, front.number(0)), Set(rest, streams.word(front, 0))]
    draws = 1 << bits

    def piece() -> Value:
        def fresh() -> Term:
            front.region += [Set(rest, streams.next32(front, stream)), Set(left, front.number(32 // bits - 1))]
            return NONE

        def kept() -> Term:
            front.region.append(Set(rest, front.compute("shr", front.get(rest), streams.word(front, bits))))
            front.region.append(Set(left, front.compute("sub", front.get(left), front.number(1))))
            return NONE

        front.branch(front.compare("eq", front.get(left), front.number(0)), fresh, kept)
        return front.compute("and", front.get(rest), streams.word(front, draws - 1))

    def turn() -> tuple[Value, Value]:
        product = front.compute("mul", piece(), count)
        threshold = front.compute("rem", front.compute("sub", streams.word(front, draws), count), count)
        last = front.compute("and", product, streams.word(front, draws - 1))
        return front.compute("shr", product, streams.word(front, bits)), front.compare("ge", last, threshold)

    def several() -> Value:
        return streams.until(front, turn)

    is_only = front.compare("eq", count, streams.word(front, 1))
    return lambda: streams.chosen(front, is_only, lambda: streams.word(front, 0), several)
