"""Methods of lists and tuples; `growing` has those of lists whose length is found when the program runs."""

from __future__ import annotations

import operator
from collections import Counter, deque
from typing import TYPE_CHECKING

from palaestra.language.frontend.iteration import items_of, unpacked
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.operations import growing
from palaestra.language.operations.arithmetic import is_of
from palaestra.language.operations.dictionaries import is_dict
from palaestra.language.operations.searching import equal
from palaestra.language.operations.table import built
from palaestra.language.types import NONE, SETS, Constant, Placed, Reference, Term, Tuple, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

START, NO_STOP, LAST, NOT_REVERSED = constant(0), Term(NONE), constant(-1), constant(False)


def contents(front: FrontEnd, x: Term) -> list[Term]:
    """Returns what a list of the program holds, which is about to be changed.

    Raises:
        Refused: If it is another object.
    """
    front.writes(x)
    if not isinstance(x.type, Reference) or x.type.of is not list:
        raise Refused(f"{x.type} is changed, which is not in the language", "make a copy: list(...)")
    assert not growing.grows(front, x)
    return list(front.state.heap[x.type.number])


def put(front: FrontEnd, x: Term, items: list[Term]) -> Term:
    """Let a list hold other items; returns None of the program."""
    assert isinstance(x.type, Reference)
    front.state.heap[x.type.number] = tuple(items)
    return constant(None)


@built(list.index, tuple.index, folds=False)
def _index(front: FrontEnd, x: Term, value: Term, start: Term = START, stop: Term = NO_STOP) -> Term:
    if growing.grows(front, x) or not (start.known and stop.known):
        return growing.index_of(front, x, value, start, stop)
    items = _items(front, x)
    first, *_ = bounds = slice(start.value, stop.value).indices(len(items))

    def rest(k: int) -> Term:
        if k >= bounds[1]:
            front.raise_("ValueError")
        truth = front.truth(equal(front, items[k], value))
        if isinstance(truth, bool):
            return constant(k) if truth else rest(k + 1)
        return front.branch(truth, lambda: constant(k), lambda: rest(k + 1))

    return rest(first)


@built(list.count, tuple.count, folds=False)
def _count(front: FrontEnd, x: Term, value: Term) -> Term:
    if growing.grows(front, x):
        return growing.count_of(front, x, value)
    total = constant(0)
    for item in _items(front, x):
        total = front.operate(operator.add, total, front.operate(int, equal(front, item, value)))
    return total


def _items(front: FrontEnd, x: Term) -> list[Term]:
    is_sequence = isinstance(x.type, Tuple | Reference | Placed | Constant)
    items = items_of(front, x) if is_sequence else None
    if items is None:
        raise Refused(f"this method of {x.type} is not in the language")
    return items


@built(list.copy, folds=False)
def _copy(front: FrontEnd, x: Term) -> Term:
    return growing.copy(front, x) if growing.grows(front, x) else front.allocate(_items(front, x), list)


@built(list.append, folds=False)
def _append(front: FrontEnd, x: Term, item: Term) -> Term:
    if growing.grows(front, x):
        return growing.append(front, x, item)
    return put(front, x, [*contents(front, x), item])


@built(list.extend, folds=False)
def _extend(front: FrontEnd, x: Term, more: Term) -> Term:
    if growing.grows(front, x) or (items_of(front, more) is None and growing.may_grow(front)):
        return growing.extend(front, x, more)
    return put(front, x, [*contents(front, x), *unpacked(front, more)])


@built((operator.add, "in place"), folds=False)
def _extended(front: FrontEnd, x: Term, more: Term) -> Term:
    if is_of(x, Counter):
        raise Refused("a sum of Counters is not in the language", "write c.update(...)")
    if not is_of(x, list, deque):
        front.raise_("TypeError")
    front.operate(deque.extend if is_of(x, deque) else list.extend, x, more)
    return x


@built((operator.mul, "in place"), folds=False)
def _repeated(front: FrontEnd, x: Term, times: Term) -> Term:
    if not is_of(x, list):
        raise Refused(f"a product of {x.type} and {times.type} is not in the language")
    if growing.grows(front, x) or (not times.known and growing.may_grow(front)):
        growing.repeat(front, x, times)
        return x
    put(front, x, contents(front, x) * front.integer(times, "how often a list is repeated"))
    return x


@built(list.insert, folds=False)
def _insert(front: FrontEnd, x: Term, at: Term, item: Term) -> Term:
    if growing.grows(front, x) or (not at.known and growing.may_grow(front)):
        return growing.insert(front, x, at, item)
    items = contents(front, x)
    items.insert(front.integer(at, "the place of an item"), item)
    return put(front, x, items)


@built(list.pop, folds=False)
def _pop(front: FrontEnd, x: Term, at: Term = LAST) -> Term:
    if growing.grows(front, x) or (not at.known and growing.may_grow(front)):
        return growing.pop(front, x, at)
    items, k = contents(front, x), front.integer(at, "the place of an item")
    if not -len(items) <= k < len(items):
        front.raise_("IndexError")
    taken = items.pop(k)
    put(front, x, items)
    return taken


@built(list.clear, folds=False)
def _clear(front: FrontEnd, x: Term) -> Term:
    if growing.grows(front, x):
        return growing.clear(front, x)
    contents(front, x)
    return put(front, x, [])


@built(list.remove, folds=False)
def _remove(front: FrontEnd, x: Term, item: Term) -> Term:
    if not growing.grows(front, x):
        items = contents(front, x)
        truths = [front.truth(equal(front, one, item)) for one in items]
        if not any(truths):
            front.raise_("ValueError")
        known = next(k for k, truth in enumerate(truths) if truth is not False)
        if truths[known] is True:
            return put(front, x, [*items[:known], *items[known + 1 :]])
        if not growing.may_grow(front):
            raise NeedsConstant("the item that is removed must be known when the program is compiled")
        growing.changed(front, x)
    return growing.remove(front, x, item)


@built(operator.delitem, folds=False)
def _delete(front: FrontEnd, x: Term, index: Term) -> Term:
    if is_dict(x):
        front.operate(dict.pop, x, index, *([NO_STOP] if is_of(x, Counter) else []))
        return constant(None)
    if is_of(x, *SETS):
        front.raise_("TypeError")
    if growing.grows(front, x) or (not index.known and growing.may_grow(front)):
        growing.delete(front, x, index)
        return constant(None)
    items = contents(front, x)
    if not (index.known and isinstance(index.value, slice)):
        _pop(front, x, index)
        return constant(None)
    del items[index.value]
    return put(front, x, items)


@built(list.reverse, folds=False)
def _reverse(front: FrontEnd, x: Term) -> Term:
    if growing.grows(front, x):
        return growing.reverse(front, x)
    return put(front, x, contents(front, x)[::-1])


@built(list.sort, folds=False)
def _sort(front: FrontEnd, x: Term, *, key: Term = NO_STOP, reverse: Term = NOT_REVERSED) -> Term:
    if growing.grows(front, x):
        front.writes(x)
        return growing.sort(front, x, key, reverse)
    before = contents(front, x)
    sorted_items = front.operate(sorted, front.allocate(before, list), key=key, reverse=reverse)
    return put(front, x, _items(front, sorted_items))
