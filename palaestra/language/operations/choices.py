"""Choices, permutations and shuffles, with the numbers of NumPy's `Generator`.

Sources: Bentley and Floyd (1987), "A sample of brilliance", for choices without repetition; Durstenfeld (1964),
"Algorithm 235: random permutation"; Kahan (1965), "Further remarks on reducing truncation errors", for sums.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from palaestra.language.frontend.growing import note_written
from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.operations import arrays, distributions, growing, streams
from palaestra.language.operations.drawing import one_of
from palaestra.language.operations.draws import NONE, Generator, asked, filled, filled_as_found, found_axes, size_of
from palaestra.language.operations.integers import integer, whole
from palaestra.language.operations.table import built
from palaestra.language.program import BEYOND, FLOAT64, INT64, UINT64, Set, Slot, Value
from palaestra.language.types import Array, Bounded, Constant, Number, Reference, Term, Tuple, constant, plain

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

TRUE, FIRST_AXIS, FALSE = map(constant, (True, 0, False))
MANY = 10_000  # values, from which on a large part of them is drawn by a shuffle
PART = {True: 50, False: 20}  # the part that is large, one of so many, with a shuffle behind it or without
TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))  # of a sum of probabilities


# Primitives, and what they are in Python.


def below(rng: np.random.Generator, n: int) -> int:
    """Draws from 0..n-1, at least one number, as `integers` does."""
    return int(rng.integers(n))


def up_to(rng: np.random.Generator, highest: int) -> int:
    """Draws from 0..highest, as `shuffle` does: masked words, until one is not too large."""
    return int(rng.permutation(highest + 1)[-1])


@built(below, folds=False)
def _below(front: FrontEnd, rng: Term, n: Term) -> Term:
    if isinstance(rng.type, Reference):
        return front.operate(up_to, rng, front.operate(operator.sub, n, constant(1)))
    count = front.convert(whole(front, front.materialized(n)), UINT64)
    return integer(front.convert(streams.below(front, rng.part, count), INT64))


@built(up_to, folds=False)
def _up_to(front: FrontEnd, rng: Term, highest: Term) -> Term:
    if isinstance(rng.type, Reference):
        return front.call_function(rng.type.of.up_to, (rng, highest), {})  # type: ignore[attr-defined]  # see `Twister`
    most = front.convert(whole(front, front.materialized(highest)), UINT64)
    return integer(front.convert(streams.up_to(front, rng.part, most), INT64))


# Functions in the language.


def shuffle(rng: np.random.Generator, values: Any) -> None:
    """Shuffle numbers of one axis."""
    for turn in range(len(values) - 1):
        i = len(values) - 1 - turn
        j = up_to(rng, i)
        value = values[j]
        values[j] = values[i]
        values[i] = value


def _mix(rng: np.random.Generator, values: Any, turns: int) -> None:
    """Shuffle numbers, from the last on, as `choice` does."""
    for turn in range(turns):
        i = len(values) - 1 - turn
        j = below(rng, i + 1)
        value = values[j]
        values[j] = values[i]
        values[i] = value


def _different(rng: np.random.Generator, n: int, places: Any, is_mixed: bool) -> None:
    """Draw different numbers in 0..n-1: one that comes again stands for the highest that could come."""
    for k in range(len(places)):
        highest = n - len(places) + k
        drawn = below(rng, highest + 1)
        is_taken = False
        for before in range(k):
            is_taken = is_taken or int(places[before]) == drawn
        places[k] = highest if is_taken else drawn
    if is_mixed:
        _mix(rng, places, len(places) - 1)


def _sum_shares(p: Any, shares: Any, tolerance: float) -> None:
    """Check probabilities, and write the sums of the first ones, the last of which is 1.0."""
    exact, lost = float(p[0]), 0.0
    for k in range(1, len(p)):
        more = float(p[k]) - lost
        both = exact + more
        lost = (both - exact) - more
        exact = both
    for k in range(len(p)):
        if not float(p[k]) >= 0.0:
            raise ValueError("probabilities are not non-negative")
    if not abs(exact - 1.0) <= tolerance:
        raise ValueError("probabilities do not sum to 1")
    _accumulate(p, shares)


def _accumulate(p: Any, shares: Any) -> None:
    total = float(p[0])
    shares[0] = total
    for k in range(1, len(p)):
        total = total + float(p[k])
        shares[k] = total
    for k in range(len(p)):
        shares[k] = float(shares[k]) / total


def _weighed(rng: np.random.Generator, shares: Any) -> int:
    """Draw a place by the sums of the first probabilities."""
    return bisected(shares, rng.random(), len(shares))


def _weighed_of_found(rng: np.random.Generator, n: int, p: Any, tolerance: float) -> int:
    """Draw a place by as many probabilities as are found."""
    if n == 0 or len(p) != n:
        raise ValueError("there are not as many probabilities as values")
    shares = p * 1.0
    _sum_shares(p, shares, tolerance)
    return _weighed(rng, shares)


def bisected(sums: Any, x: float, end: int) -> int:
    """Returns `bisect.bisect(sums, x, 0, end)`."""
    low, high = 0, end
    while low < high:
        middle = (low + high) // 2
        if x < float(sums[middle]):
            high = middle
        else:
            low = middle + 1
    return low


def _weighed_different(rng: np.random.Generator, p: Any, shares: Any, places: Any) -> None:
    """Draw different places: those that come again are drawn anew, with the probabilities of the others."""
    possible = 0
    for k in range(len(p)):
        possible += float(p[k]) > 0.0
    if possible < len(places):
        raise ValueError("fewer non-zero entries in p than size")
    count = 0
    while count < len(places):
        for k in range(count):
            p[int(places[k])] = 0.0
        _accumulate(p, shares)
        for _ in range(len(places) - count):
            drawn = _weighed(rng, shares)
            is_taken = False
            for before in range(count):
                is_taken = is_taken or int(places[before]) == drawn
            if not is_taken:
                places[count] = drawn
                count += 1


# Choices.


def _indexed(rng: np.random.Generator) -> tuple[Any, ...]:
    generator = np.random.default_rng(int(rng.integers(100)))
    values = one_of(rng, 5, 1, 40, [3, 1, 2], (1.5, 2.0), np.array([4, 5, 6], np.int32), 0)
    return generator, values, one_of(rng, None, 3, (2, 2), 0, ())


def _different_ones(rng: np.random.Generator) -> tuple[Any, ...]:
    return np.random.default_rng(int(rng.integers(100))), int(rng.integers(3, 9)), int(rng.integers(5)), False


def _with_shares(rng: np.random.Generator) -> tuple[Any, ...]:
    shares = rng.random(int(rng.integers(1, 6)))
    shares = shares / shares.sum()
    generator = np.random.default_rng(int(rng.integers(100)))
    return generator, len(shares), one_of(rng, None, 3), one_of(rng, True, len(shares) < 3), shares


@built(Generator.choice, folds=False, tries=(_indexed, _different_ones, _with_shares))
def _choice(
    front: FrontEnd,
    rng: Term,
    a: Term,
    size: Term = NONE,
    replace: Term = TRUE,
    p: Term = NONE,
    axis: Term = FIRST_AXIS,
    shuffle: Term = TRUE,
) -> Term:
    if growing.grows(front, a):
        a = front.operate(np.array, a)
    texts = _texts_in(front, a) if size == NONE else None
    if texts is not None:
        drawn = front.operate(Generator.choice, rng, constant(len(texts)), size, replace, p)
        return front.operate(operator.getitem, constant(texts), drawn)
    if isinstance(a.type, Bounded):
        if p != NONE or axis != FIRST_AXIS:
            raise Refused("a choice of found items with p= or axis= is not in the language", "choose a number of them")
        return _choice_of_found(front, rng, a, size, replace, shuffle)
    repeats, is_mixed = (bool(arrays.known(one, "an argument of choice")) for one in (replace, shuffle))
    found = found_axes(front, size)
    if found is not None:
        return _choice_as_found(front, rng, a, found, repeats, p, is_mixed)
    return _choice_of_known(front, rng, a, size, repeats, p, arrays.known(axis, "axis="), is_mixed)


def _choice_of_known(
    front: FrontEnd, rng: Term, a: Term, size: Term, repeats: bool, p: Term, axes: int, is_mixed: bool
) -> Term:
    """As many choices as are known when the program is compiled."""
    shape = size_of(front, size)
    values = None if arrays.is_number(a) else arrays.as_array(front, a)
    count = int(np.prod(shape, dtype=np.int64)) if shape is not None else 1
    example = arrays.example_of(arrays.array_type(values)) if values else a.value if a.known else max(count, 1)
    made = asked(front, Generator.choice, example, shape, repeats, None, axes, is_mixed)
    n = constant(arrays.array_type(values).shape[axes]) if values else a
    if values is not None and arrays.array_type(values).shape != (n.value,) and shape is not None:
        raise Refused(
            "choices of rows of an array are not in the language", "choose their numbers: choice(len(a), ...)"
        )
    n = _checked_count(front, n, count, repeats or shape is None)
    if np.size(made) == 0 and p == NONE:
        return arrays.new(front, arrays.type_like(np.asarray(made)))
    if shape is None:
        place = _places(front, rng, n, p)()
        return _picked(front, values, place, axes)
    kind = arrays.type_like(made)
    if repeats:
        draw = _places(front, rng, n, p)
        return filled(front, kind, lambda k: _item(front, values, draw()))
    places = arrays.new(front, plain(INT64, (count,)))
    if p == NONE:
        _check_few(front, n, count, is_mixed)
        front.call_function(_different, (rng, n, places, constant(is_mixed)), {})
    else:
        _fill_weighed(front, rng, n, p, places)
    return filled(front, kind, lambda k: _item(front, values, arrays.load(front, places, (k,))))


def _texts_in(front: FrontEnd, a: Term) -> NDArray[np.str_] | None:
    """The texts that are chosen from, as the array that NumPy makes of them."""
    items = items_of(front, a) if isinstance(a.type, (Tuple, Reference, Constant)) and not arrays.is_number(a) else None
    if not items or not all(one.known and isinstance(one.value, str) for one in items):
        return None
    return np.array([one.value for one in items])


def _choice_as_found(
    front: FrontEnd, rng: Term, a: Term, axes: list[arrays.Axis], repeats: bool, p: Term, is_mixed: bool
) -> Term:
    """As many choices as are found: places, or the items of an array that are there."""
    values = None if arrays.is_number(a) else arrays.as_array(front, a)
    kind = arrays.array_type(values) if values else plain(INT64, (1,))
    if len(kind.shape) != 1 or not (repeats or (p == NONE and len(axes) == 1)):
        reason = "choices of rows, or of different items with p= or in several axes, whose number is found"
        raise Refused(f"{reason}, are not in the language", "draw their places: choice(len(a), size=n)")
    n = constant(kind.shape[0]) if values else front.operate(int, a)
    places = arrays.new_plain(front, INT64, axes)

    def begin() -> Callable[[], Value]:
        _check_enough(front, n, 1 if repeats else arrays.value_of(front, arrays.lengths_of(places)[0]), is_mixed)
        if repeats:
            draw = _places(front, rng, n, p)
            return lambda: _item(front, values, draw())
        front.call_function(_different, (rng, n, places, constant(is_mixed)), {})
        numbers = Slot(INT64, "place")
        front.region.append(Set(numbers, front.number(0)))

        def item() -> Value:
            place = front.get(numbers)
            front.region.append(Set(numbers, front.compute("add", place, front.number(1))))
            return _item(front, values, arrays.load(front, places, (place,)))

        return item

    return filled_as_found(front, kind.dtype, axes, begin)


def _check_enough(front: FrontEnd, n: Term, size: Value | int, is_mixed: bool) -> None:
    """Check that there are as many values; a large part of many is drawn in another way."""
    number, least = front.materialized(n).part, arrays.value_of(front, size)
    front.raise_if(front.compare("lt", number, least), "ValueError")
    if not isinstance(size, int):
        is_large = front.compare("lt", number, front.compute("mul", front.number(PART[is_mixed]), least))
        front.raise_if(front.compute("and", front.compare("gt", number, front.number(MANY)), is_large), BEYOND)


def _choice_of_found(front: FrontEnd, rng: Term, a: Term, size: Term, replace: Term, shuffle: Term) -> Term:
    """A choice of as many items as are found."""
    length = arrays.int_of(arrays.lengths_of(a)[0])
    if size != NONE:
        places = front.operate(Generator.choice, rng, length, size, replace, shuffle=shuffle)
        return front.operate(operator.getitem, a, places)
    count = front.materialized(length).part
    front.raise_if(front.compare("eq", count, front.number(0)), "ValueError")
    item = front.operate(operator.getitem, a, front.operate(below, rng, length))
    return item if isinstance(item.type, Number) else front.operate(np.copy, item)


def _checked_count(front: FrontEnd, n: Term, size: int, repeats: bool) -> Term:
    """The number of values, checked: an int of Python."""
    if n.known:
        return constant(int(n.value))
    number = front.operate(int, n)
    least = 1 if repeats and size else size
    front.raise_if(front.compare("lt", number.part, front.number(least)), "ValueError")
    return number


def _check_few(front: FrontEnd, n: Term, size: int, is_mixed: bool) -> None:
    """A large part of many values is drawn in another way."""
    part = PART[is_mixed]
    if n.known:
        if n.value > MANY and size > n.value // part:
            raise Refused(f"a choice of a large part of {n.value} different values is not in the language")
        return
    is_large = front.compare("lt", n.part, front.number(part * size))
    front.raise_if(front.compute("and", front.compare("gt", n.part, front.number(MANY)), is_large), BEYOND)


def _item(front: FrontEnd, values: Term | None, place: Value) -> Value:
    return place if values is None else arrays.load(front, values, (place,))


def _picked(front: FrontEnd, values: Term | None, place: Value, axis: int) -> Term:
    """The chosen value; of an array with more axes, a copy of the part."""
    if values is None:
        return integer(place)
    kind = arrays.array_type(values)
    if len(kind.shape) == 1:
        return Term(Number(kind.dtype), (_item(front, values, place),))
    moved = arrays.view(front, values, lambda one: np.moveaxis(one, axis, 0))
    kind = arrays.array_type(moved)
    start = arrays.further(front, moved.part, front.compute("mul", place, front.number(kind.strides[0])))
    row = arrays.type_like(arrays.example_of(kind)[0])
    return arrays.copied(front, Term(row, (start,)), "C")


def _places(front: FrontEnd, rng: Term, n: Term, p: Term) -> Callable[[], Value]:
    """What writes the draw of a place, of equal or given probabilities."""
    if p == NONE:
        return lambda: front.operate(below, rng, n).part
    if growing.grows(front, p):
        p = front.operate(np.array, p)
    if isinstance(p.type, Bounded):
        given = [rng, n, front.operate(np.ndarray.astype, p, constant(FLOAT64)), constant(_tolerance(p))]
        return lambda: front.materialized(front.call_function(_weighed_of_found, given, {})).part
    shares = _shares(front, n, p)
    return lambda: _weighed_place(front, rng, shares)


MOST_COMPARED = 8


def _weighed_place(front: FrontEnd, rng: Term, shares: Term) -> Value:
    """A place by the sums of the first probabilities; few of them are all compared."""
    (count,) = arrays.array_type(shares).shape
    if count > MOST_COMPARED:
        return front.materialized(front.call_function(_weighed, (rng, shares), {})).part
    drawn = front.call_function(distributions.random, (rng,), {}).part
    place = front.number(0)
    for k in range(count - 1):
        is_further = front.compare("le", arrays.load(front, shares, (k,)), drawn)
        place = front.compute("add", place, front.convert(is_further, INT64))
    return place


def _shares(front: FrontEnd, n: Term, p: Term) -> Term:
    """The sums of the first probabilities."""
    given = _known_numbers(front, p)
    if given is not None and n.known:
        asked(front, Generator.choice, n.value, None, True, given)
        sums = np.cumsum(np.asarray(given, np.float64))
        return arrays.table_of(front, sums / sums[-1])
    weights = _weights(front, n, p)
    shares = arrays.new(front, plain(FLOAT64, arrays.array_type(weights).shape))
    front.call_function(_sum_shares, (weights, shares, constant(_tolerance(p))), {})
    return shares


def _known_numbers(front: FrontEnd, term: Term) -> Any:
    """An array, or a tuple or list of numbers, that is known; else None."""
    if term.known:
        return term.value
    if not isinstance(term.type, (Tuple, Reference)):
        return None
    items = items_of(front, term)
    return [one.value for one in items] if items is not None and all(one.known for one in items) else None


def _weights(front: FrontEnd, n: Term, p: Term) -> Term:
    """The probabilities as an array of one axis, one for each value."""
    if not n.known:
        raise NeedsConstant("the number of values with probabilities must be known when the program is compiled")
    weights = arrays.as_array(front, p, FLOAT64)
    if arrays.array_type(weights).shape != (n.value,):
        front.raise_("ValueError")
    return weights


def _tolerance(p: Term) -> float:
    """How far a sum of probabilities may be from 1: further for narrow floats."""
    dtype = arrays.kind_of(p).dtype if isinstance(p.type, Array | Bounded) else FLOAT64
    if p.known and isinstance(p.value, np.ndarray):
        dtype = p.value.dtype
    return max(TOLERANCE, float(np.sqrt(np.finfo(dtype).eps))) if dtype.kind == "f" else TOLERANCE


def _fill_weighed(front: FrontEnd, rng: Term, n: Term, p: Term, places: Term) -> None:
    weights = arrays.copied(front, _weights(front, n, p))
    shares = arrays.new(front, plain(FLOAT64, arrays.array_type(weights).shape))
    front.call_function(_sum_shares, (weights, shares, constant(_tolerance(p))), {})
    if arrays.array_type(places).size:
        front.call_function(_weighed_different, (rng, weights, shares, places), {})


# Shuffles.


def _rows(rng: np.random.Generator) -> tuple[Any, ...]:
    generator = np.random.default_rng(int(rng.integers(100)))
    return generator, one_of(rng, np.arange(7), np.arange(6.0).reshape(3, 2), np.array([True, False, True]))


@built(Generator.shuffle, folds=False, tries=(_rows,))
def _shuffle(front: FrontEnd, rng: Term, x: Term, axis: Term = FIRST_AXIS) -> Term:
    if axis != FIRST_AXIS:
        raise Refused("a shuffle along another axis is not in the language", "shuffle the transpose: a.T")
    if growing.is_list(x):
        shuffle_list(front, x, lambda one: front.call_function(shuffle, (rng, one), {}))
        return NONE
    if not (arrays.is_array(x) or isinstance(x.type, Bounded)):
        raise Refused(f"a shuffle of {x.type} is not in the language")
    array = arrays.open_array(front, x)
    arrays.check_writable(front, array)
    if not arrays.kind_of(array).most:
        front.raise_("TypeError")
    _shuffle_array(front, rng, array)
    return NONE


def _shuffle_array(front: FrontEnd, rng: Term, array: Term) -> None:
    """Shuffle an array along its first axis."""
    length, *others = arrays.lengths_of(array)
    if not others:
        front.call_function(shuffle, (rng, array), {})
        return
    order = front.operate(np.arange, arrays.int_of(length))
    front.call_function(shuffle, (rng, order), {})
    arrays.assign(front, array, front.operate(operator.getitem, array, order))


def shuffle_list(front: FrontEnd, x: Term, mix: Callable[[Term], object]) -> None:
    """Shuffle a list: `mix` shuffles an array of its numbers, or the list itself, which may change its length then."""
    front.writes(x)
    if not isinstance(x.type, Reference):
        raise Refused(f"{x.type} is shuffled, which is not in the language", "make a copy: list(...)")
    items = front.state.heap[x.type.number]
    kinds = {front.materialized(one).type for one in items}
    if len(kinds) == 1 and isinstance(kind := kinds.pop(), Number):
        front.state.heap[x.type.number] = _shuffled(front, [front.materialized(one) for one in items], kind, mix)
    elif items:
        note_written(front, growing.changed(front, x))
        mix(x)


def _shuffled(front: FrontEnd, items: list[Term], kind: Number, mix: Callable[[Term], object]) -> tuple[Term, ...]:
    """Numbers of one type, shuffled in an array."""
    array = arrays.new(front, plain(kind.dtype, (len(items),)))
    for k, one in enumerate(items):
        arrays.store(front, array, (k,), one.part)
    mix(array)
    return tuple(Term(kind, (arrays.load(front, array, (k,)),)) for k in range(len(items)))


@built(Generator.permutation, folds=False, tries=(_rows, lambda rng: (np.random.default_rng(2), int(rng.integers(9)))))
def _permutation(front: FrontEnd, rng: Term, x: Term, axis: Term = FIRST_AXIS) -> Term:
    if axis != FIRST_AXIS:
        raise Refused("a permutation along another axis is not in the language", "permute the transpose: a.T")
    if arrays.is_number(x):
        length = asked(front, lambda rng: constant(len(rng.permutation(x.value)))) if x.known else x
        result = front.operate(np.arange, front.operate(int, front.operate(operator.index, length)))
    else:
        array = arrays.open_array(front, x)
        asked(front, Generator.permutation, arrays.example_of(arrays.kind_of(array).whole))
        result = arrays.copied(front, array)
    _shuffle_array(front, rng, result)
    return result


@built(Generator.permuted, folds=False, tries=(_rows,))
def _permuted(front: FrontEnd, rng: Term, x: Term, axis: Term = NONE, out: Term = NONE) -> Term:
    arrays.refuse_given(axis=axis, out=out)
    array = arrays.as_array(front, x)
    kind = arrays.array_type(array)
    if not kind.shape:
        front.raise_("TypeError")
    result = arrays.copied(front, array)
    if not arrays.array_type(result).contiguous:
        raise Refused("permuted() of an array that is not laid out row by row is not in the language")
    front.call_function(shuffle, (rng, Term(plain(kind.dtype, (kind.size,)), result.parts)), {})
    return result
