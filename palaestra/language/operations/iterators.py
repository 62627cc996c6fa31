"""`itertools`: items that are read one by one when a loop comes to them, or chosen from pools that are read at once."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.attributes import COUNT
from palaestra.language.frontend.calling import call
from palaestra.language.frontend.iteration import (
    ITERATORS,
    Iterator,
    Numbered,
    Read,
    items_of,
    numbered,
    read_in_turn,
)
from palaestra.language.frontend.refusals import ONCE, NeedsConstant, Refused
from palaestra.language.operations import arrays, growing
from palaestra.language.operations.table import REFUSED, built
from palaestra.language.program import BEYOND, EFFECTS, Value, statements_of
from palaestra.language.types import PYTHON, Array, Iterated, Range, Reference, Term, Tuple, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NONE, ONE = constant(None), constant(1)


def _iterated(by: str, sources: Sequence[Term]) -> Term:
    parts = tuple(part for source in sources for part in source.parts)
    return Term(Iterated(by, tuple(source.type for source in sources)), parts)


def _reads_of(front: FrontEnd, source: Term) -> list[Read] | None:
    """What reads each item of a source; None if their number is not known."""
    try:
        return read_in_turn(front, source)
    except NeedsConstant:
        return None


def _unnumbered(front: FrontEnd, sources: list[Term]) -> Numbered | None:
    return None


# One source after the other.


@built(itertools.chain, folds=False)
def _chain(front: FrontEnd, *iterables: Term) -> Term:
    return _iterated("chain", iterables)


@built(itertools.chain.from_iterable, folds=False)
def _chain_from_iterable(front: FrontEnd, iterable: Term) -> Term:
    items = items_of(front, iterable)
    if items is None:
        raise Refused("chain.from_iterable() of a list whose length is found is not in the language", "write two loops")
    return _iterated("chain", items)


def _chained(front: FrontEnd, sources: list[Term]) -> Sequence[Read] | None:
    several = [_reads_of(front, one) for one in sources]
    return None if None in several else [read for reads in several for read in reads or ()]


def _chained_numbers(front: FrontEnd, sources: list[Term]) -> Numbered | None:
    """The items of several lists that grow, which must not get another length meanwhile."""
    several = [numbered(front, one) for one in sources]
    if not any(several):
        return None
    known = [one or _listed(front, source) for one, source in zip(several, sources, strict=True)]
    begins = [front.number(0)]
    for one in known:
        begins.append(front.compute("add", begins[-1], one.length))

    def item(k: Value, at: int = 0) -> Term:
        one, place = known[at], front.compute("sub", k, begins[at])
        if at == len(known) - 1:
            return one.item(place)
        return front.branch(front.compare("lt", k, begins[at + 1]), lambda: one.item(place), lambda: item(k, at + 1))

    def now() -> Value:
        for one in known:
            if one.now:
                front.raise_if(front.compare("ne", one.now(), one.length), BEYOND)
        return begins[-1]

    return Numbered(begins[-1], item, now if any(one.now for one in known) else None)


def _listed(front: FrontEnd, source: Term) -> Numbered:
    """The items of a tuple or list of known length, by their number."""
    if not isinstance(source.type, Tuple | Reference) and not source.known:
        raise NeedsConstant(f"chain() of {source.type} and of items whose number is not known", "make a list of it")
    length = front.materialized(front.operate(len, source)).part

    def now() -> Value:
        return front.materialized(front.operate(len, source)).part

    return Numbered(length, lambda k: front.operate(operator.getitem, source, Term(PYTHON[int], (k,))), now)


@built(iter, folds=False)
def _iter(front: FrontEnd, iterable: Term) -> Term:
    if _reads_of(front, iterable) is None and numbered(front, iterable) is None:
        raise Refused(f"{iterable.type} has no items to run over")
    return _iterated("chain", (iterable,))


@built(next, folds=False)
def _next(front: FrontEnd, iterator: Term, *default: Term) -> Term:
    """The first item: an iterator has no name, so that nothing has been read."""
    if not isinstance(iterator.type, Iterated) or iterator.type.by not in ONCE:
        if iterator.known and not isinstance(iterator.value, (list, tuple, dict, set)):
            name = type(iterator.value).__name__
            raise Refused(f"the next item of a {name} is taken, which all environments share", COUNT)
        raise Refused("next() of this is not in the language", "keep a number, and take items[k]")

    def otherwise() -> Term:
        if not default:
            front.raise_("StopIteration")
        return default[0]

    reads = _reads_of(front, iterator)
    if reads is not None:
        return reads[0]() if reads else otherwise()
    items = numbered(front, iterator)
    assert items is not None
    zero = front.number(0)
    return front.branch(front.compare("gt", items.length, zero), lambda: items.item(zero), otherwise)


# A part of a source.


@built(itertools.islice, folds=False)
def _islice(front: FrontEnd, iterable: Term, *bounds: Term) -> Term:
    start, stop, step = {1: (constant(0), *bounds, ONE), 2: (*bounds, ONE)}.get(len(bounds), bounds)
    ends = [constant(None) if one == NONE else constant(front.integer(one, "a bound")) for one in (start, stop, step)]
    if any(one.value is not None and one.value < 0 for one in ends) or ends[2].value == 0:
        front.raise_("ValueError")
    return _iterated("islice", (iterable, *ends))


def _sliced(front: FrontEnd, sources: list[Term]) -> Sequence[Read] | None:
    reads = _reads_of(front, sources[0])
    return None if reads is None else reads[slice(*[one.value for one in sources[1:]])]


def _sliced_numbers(front: FrontEnd, sources: list[Term]) -> Numbered | None:
    items = numbered(front, sources[0])
    start, stop, step = (one.value for one in sources[1:])
    if items is None or stop is None or step not in (None, 1):
        return None
    first = start or 0

    def cut(length: Value) -> Value:
        ends = [Term(PYTHON[int], (length,)), constant(stop)]
        count = front.operate(operator.sub, front.operate(min, *ends), constant(first))
        return front.materialized(front.operate(max, count, constant(0))).part

    def now() -> Value:
        return cut(items.reads())

    return Numbered(
        cut(items.length), lambda k: items.item(front.compute("add", k, front.number(first))), items.now and now
    )


# Pairs.


@built(itertools.pairwise, folds=False)
def _pairwise(front: FrontEnd, iterable: Term) -> Term:
    return _iterated("pairwise", (iterable,))


def _paired(front: FrontEnd, sources: list[Term]) -> Sequence[Read] | None:
    reads = _reads_of(front, sources[0])
    held: list[Term] = []

    def read(k: int) -> Term:
        if not held:
            held.append(reads[0]())  # type: ignore[index]
        held.append(reads[k + 1]())  # type: ignore[index]
        return tuple_of(held[-2:])

    return None if reads is None else [partial(read, k) for k in range(len(reads) - 1)]


def _paired_numbers(front: FrontEnd, sources: list[Term]) -> Numbered | None:
    items = numbered(front, sources[0])
    if items is None or growing.grows(front, sources[0]):
        return None
    less = front.compute("sub", items.length, front.number(1))
    return Numbered(less, lambda k: tuple_of([items.item(k), items.item(front.compute("add", k, front.number(1)))]))


@built(itertools.zip_longest, folds=False)
def _zip_longest(front: FrontEnd, *iterables: Term, fillvalue: Term = NONE) -> Term:
    return _iterated("zip_longest", (fillvalue, *iterables))


def _zipped(front: FrontEnd, sources: list[Term]) -> Sequence[Read] | None:
    fill, *others = sources
    several = [_reads_of(front, one) for one in others]
    if None in several:
        return None
    rows = itertools.zip_longest(*(one for one in several if one is not None), fillvalue=lambda: fill)
    return [partial(_tuple_of, row) for row in rows]


def _zipped_numbers(front: FrontEnd, sources: list[Term]) -> Numbered | None:
    fill, *others = sources
    several = [numbered(front, one) for one in others]
    if None in several:
        return None
    known = [one for one in several if one is not None]

    def longest(lengths: list[Value]) -> Value:
        return reduce(lambda a, b: front.emit("select", a.kind, front.compare("lt", a, b), b, a), lengths)

    def item(k: Value) -> Term:
        is_there = [front.compare("lt", k, one.reads()) for one in known]
        pairs = zip(is_there, known, strict=True)
        return tuple_of([front.branch(there, partial(one.item, k), lambda: fill) for there, one in pairs])

    now = (lambda: longest([one.reads() for one in known])) if any(one.now for one in known) else None
    return Numbered(longest([one.length for one in known]), item, now)


def _tuple_of(reads: Sequence[Read]) -> Term:
    return tuple_of([read() for read in reads])


# Totals, and one item again and again.


@built(itertools.accumulate, folds=False)
def _accumulate(front: FrontEnd, iterable: Term, func: Term = NONE, *, initial: Term | None = None) -> Term:
    function = constant(operator.add) if func == NONE else func
    made = _iterated("accumulate", (iterable, function, *([] if initial is None else [initial])))
    mark = front.mark()
    items_of(front, made)
    written = [one for one in statements_of(front.region[mark.length :]) if isinstance(one, Value)]
    if front.region is not mark.region or any(one.operation in EFFECTS for one in written):
        raise Refused("accumulate() with a function that draws or changes something", "write a loop")
    front.reset(mark)
    return made


def _accumulated(front: FrontEnd, sources: list[Term]) -> Sequence[Read] | None:
    iterable, function, *initial = sources
    reads = _reads_of(front, iterable)
    if reads is None:
        return None
    held: list[Term] = []
    begin: list[Read] = [partial(_itself, first) for first in initial]

    def read(each: Read) -> Term:
        held.append(call(front, function, [held[-1], each()], {}) if held else each())
        return held[-1]

    return [partial(read, one) for one in [*begin, *reads]]


def _itself(term: Term) -> Term:
    return term


@built(itertools.repeat, folds=False)
def _repeat(front: FrontEnd, object: Term, times: Term = NONE) -> Term:
    if times == NONE:
        raise Refused("repeat() without an end is not in the language", "say how often: repeat(x, n)")
    return _iterated("repeat", (object, front.operate(operator.index, times)))


def _repeated(front: FrontEnd, sources: list[Term]) -> Sequence[Read] | None:
    item, times = sources
    if not (times.known or front.is_size(times)):
        return None
    return [partial(_itself, item)] * front.integer(times, "how often an item is repeated")


def _repeated_numbers(front: FrontEnd, sources: list[Term]) -> Numbered | None:
    item, times = sources
    return None if times.known else Numbered(times.part, lambda k: item)


# The items of an array one by one.


@built(vars(np.ndarray)["flat"], folds=False)
def _flat(front: FrontEnd, a: Term) -> Term:
    array = arrays.as_array(front, a)
    if not arrays.array_type(array).contiguous:
        raise Refused(
            "the items of an array with gaps one by one are not in the language", "write .copy() before .flat"
        )
    return _iterated("flat", (front.operate(np.ravel, array),))


def _flat_items(front: FrontEnd, sources: list[Term]) -> Sequence[Read] | None:
    return _reads_of(front, sources[0])


def _flat_numbers(front: FrontEnd, sources: list[Term]) -> Numbered | None:
    return numbered(front, sources[0])


# Items of pools, which are read at once.


def _pool(front: FrontEnd, iterable: Term) -> Term:
    """What an iterable holds now."""
    if isinstance(iterable.type, Range) or (iterable.known and isinstance(iterable.value, range)):
        return iterable
    if isinstance(iterable.type, Array) and len(iterable.type.shape) == 1:
        return arrays.copied(front, iterable)
    items = items_of(front, iterable)
    return growing.listed(front, iterable) if items is None else tuple_of(items)


def _length(front: FrontEnd, pool: Term) -> int | None:
    """The number of items of a pool, if it is known."""
    found = front.operate(len, pool)
    return front.integer(found, "a length") if found.known or front.is_size(found) else None


@built(itertools.product, folds=False)
def _product(front: FrontEnd, *iterables: Term, repeat: Term = ONE) -> Term:
    pools = [_pool(front, one) for one in iterables] * front.integer(repeat, "repeat=")
    return _iterated("product", pools)


def _products(front: FrontEnd, pools: list[Term]) -> Sequence[Read] | None:
    lengths = [_length(front, one) for one in pools]
    known = [one for one in lengths if one is not None]
    if len(known) < len(lengths) or math.prod(known) > MOST_ITEMS:
        return None
    return [partial(_row, front, pools, row) for row in itertools.product(*map(range, known))]


MOST_ITEMS = 4096


def _row(front: FrontEnd, pools: Sequence[Term], row: Sequence[int]) -> Term:
    return tuple_of([_item(front, pool, constant(k)) for pool, k in zip(pools, row, strict=True)])


def _item(front: FrontEnd, pool: Term, k: Term) -> Term:
    items = numbered(front, pool) if isinstance(pool.type, Range) or pool.known else None
    if items is None or (k.known and pool.known):
        return front.operate(operator.getitem, pool, k)
    return items.item(front.materialized(k).part)


def _product_numbers(front: FrontEnd, pools: list[Term]) -> Numbered:
    lengths = [front.materialized(front.operate(len, one)).part for one in pools]
    total = front.number(1)
    for one in lengths:
        total = front.compute("mul", total, one)

    def item(k: Value) -> Term:
        found: list[Term] = []
        for pool, length in zip(reversed(pools), reversed(lengths), strict=True):
            found.insert(0, _item(front, pool, Term(PYTHON[int], (front.compute("rem", k, length),))))
            k = front.compute("div", k, length)
        return tuple_of(found)

    return Numbered(total, item)


@built(np.ndindex, folds=False)
def _ndindex(front: FrontEnd, *shape: Term) -> Term:
    given = items_of(front, shape[0]) if len(shape) == 1 and not arrays.is_number(shape[0]) else shape
    if given is None:
        raise Refused(f"np.ndindex of {shape[0].type} is not in the language")
    return _iterated("product", [_pool(front, front.operate(range, one)) for one in given])


@built(np.ndenumerate, folds=False)
def _ndenumerate(front: FrontEnd, arr: Term) -> Term:
    array = arrays.as_array(front, arr)
    return _iterated("ndenumerate", [array, *(constant(range(length)) for length in arrays.array_type(array).shape)])


def _indexed(front: FrontEnd, sources: list[Term]) -> Sequence[Read] | None:
    array, *ranges = sources
    reads = _products(front, ranges)
    return reads and [partial(_with_item, front, array, read) for read in reads]


def _with_item(front: FrontEnd, array: Term, read: Read) -> Term:
    index = read()
    return tuple_of([index, front.operate(operator.getitem, array, index)])


def _indexed_numbers(front: FrontEnd, sources: list[Term]) -> Numbered | None:
    array, *ranges = sources
    items = _product_numbers(front, ranges)
    return Numbered(items.length, lambda k: _with_item(front, array, lambda: items.item(k)))


def _chosen(called: Any) -> None:
    """A function that chooses some items of a pool, by their places: those are a table, if its length is known."""

    @built(called, folds=False)
    def build(front: FrontEnd, iterable: Term, r: Term | None = None) -> Term:
        pool = _pool(front, iterable)
        length = _length(front, pool)
        if r is None and called is not itertools.permutations:
            front.raise_("TypeError")
        count = None if r in (None, NONE) else front.integer(r, "the number of items")
        if length is None:
            if count != 2 or not growing.grows(front, pool):
                raise Refused(
                    f"{called.__name__}() of items whose number is not known takes two of a list", "write loops"
                )
            return front.call_function(_PAIRS[called], (pool,), {})
        rows = arrays.answer(front, lambda: list(itertools.islice(called(range(length), count), MOST_ITEMS + 1)))
        if len(rows) > MOST_ITEMS:
            raise Refused(f"{called.__name__}() gives more than {MOST_ITEMS} items", "write loops")
        return _iterated("chosen", (constant(tuple(rows)), pool))


def _chosen_rows(front: FrontEnd, sources: list[Term]) -> Sequence[Read] | None:
    rows, pool = sources
    return [partial(_row, front, [pool] * len(row), row) for row in rows.value]


def _chosen_numbers(front: FrontEnd, sources: list[Term]) -> Numbered | None:
    rows, pool = sources
    if not rows.value or not rows.value[0]:
        return None
    table = arrays.table_of(front, np.array(rows.value, np.int64))

    def item(k: Value) -> Term:
        places = [Term(PYTHON[int], (arrays.load(front, table, (k, j)),)) for j in range(len(rows.value[0]))]
        return tuple_of([_item(front, pool, place) for place in places])

    return Numbered(front.number(len(rows.value)), item)


def _two_of(x: Any) -> Any:
    return [(x[i], x[j]) for i in range(len(x)) for j in range(i + 1, len(x))]


def _two_or_same_of(x: Any) -> Any:
    return [(x[i], x[j]) for i in range(len(x)) for j in range(i, len(x))]


def _two_in_any_order_of(x: Any) -> Any:
    return [(x[i], x[j]) for i in range(len(x)) for j in range(len(x)) if i != j]


_PAIRS: dict[Any, Any] = {
    itertools.combinations: _two_of,
    itertools.combinations_with_replacement: _two_or_same_of,
    itertools.permutations: _two_in_any_order_of,
}
for _called in _PAIRS:
    _chosen(_called)


ITERATORS.update(
    chain=Iterator(_chained, _chained_numbers),
    islice=Iterator(_sliced, _sliced_numbers),
    pairwise=Iterator(_paired, _paired_numbers),
    zip_longest=Iterator(_zipped, _zipped_numbers),
    accumulate=Iterator(_accumulated, _unnumbered),
    repeat=Iterator(_repeated, _repeated_numbers),
    product=Iterator(_products, _product_numbers),
    flat=Iterator(_flat_items, _flat_numbers),
    ndenumerate=Iterator(_indexed, _indexed_numbers),
    chosen=Iterator(_chosen_rows, _chosen_numbers),
)


def _refuse(called: Any, reason: str, remedy: str) -> None:
    @built(called, folds=False, note=REFUSED)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        raise Refused(reason, remedy)


_refuse(itertools.count, "count() has no end", "use enumerate(), or a number that the loop changes")
_refuse(itertools.cycle, "cycle() has no end", "keep a number and take items[k % len(items)]")
_refuse(itertools.groupby, "groupby() is not in the language", "write a loop that compares each item with that before")
_refuse(itertools.tee, "tee() is not in the language", "keep a list: list(...)")
for _lazy in (itertools.takewhile, itertools.dropwhile, itertools.filterfalse, itertools.compress, itertools.starmap):
    _refuse(_lazy, f"{_lazy.__name__}() is not in the language", "write a list: [... for ... if ...]")
