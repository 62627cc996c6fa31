"""Deques: lists that take and give items at both ends, with a `maxlen` or without.

An item at the left moves the others by one place, which costs as many stores as there are items.
"""

from __future__ import annotations

import operator
from collections import deque
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.growing import empty, kind_of, note_change
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import growing
from palaestra.language.operations.arithmetic import is_of
from palaestra.language.operations.table import built
from palaestra.language.types import Constant, Term, Type, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NOTHING, NO_ITEMS, FIRST, LAST, ONE = constant(None), constant(()), constant(0), constant(-1), constant(1)


@built(deque, folds=False)
def _deque(front: FrontEnd, items: Term = NO_ITEMS, maxlen: Term = NOTHING) -> Term:
    most = None if maxlen == NOTHING else front.integer(maxlen, "the `maxlen` of a deque")
    if most is not None and most < 0:
        front.raise_("ValueError")
    made = empty(front, deque, Constant(most))
    _extend(front, made, items)
    return made


def _most(front: FrontEnd, x: Term) -> int | None:
    """The `maxlen`; the deque may be about to be changed."""
    if x.known:
        growing.changed(front, x)  # which raises
    kind: Type = kind_of(growing.storage(front, x)).more
    assert isinstance(kind, Constant)
    most: int | None = kind.value
    return most


@built(deque.maxlen, folds=False)
def _maxlen(front: FrontEnd, x: Term) -> Term:
    return constant(x.value.maxlen if x.known else _most(front, x))


def _is_full(front: FrontEnd, x: Term, most: int) -> Any:
    return front.compare("ge", growing.size(front, x), front.number(most))


def _added(front: FrontEnd, x: Term, item: Term, at: Term | None, dropped: Term) -> Term:
    """Add an item, and drop another where there is no room for both."""
    most = _most(front, x)
    if most == 0:
        return NOTHING
    growing.changed(front, x, item)
    if most is not None:

        def drop() -> Term:
            growing.pop(front, x, dropped)
            return NOTHING

        front.branch(_is_full(front, x, most), drop, lambda: NOTHING)
    return growing.append(front, x, item) if at is None else growing.insert(front, x, at, item)


@built(deque.append, folds=False)
def _append(front: FrontEnd, x: Term, item: Term) -> Term:
    return _added(front, x, item, None, FIRST)


@built(deque.appendleft, folds=False)
def _append_left(front: FrontEnd, x: Term, item: Term) -> Term:
    return _added(front, x, item, FIRST, LAST)


@built(deque.insert, folds=False)
def _insert(front: FrontEnd, x: Term, at: Term, item: Term) -> Term:
    most = _most(front, x)
    if most is not None:
        front.raise_if(_is_full(front, x, most), "IndexError")
    return growing.insert(front, x, at, item)


@built(deque.pop, folds=False)
def _pop(front: FrontEnd, x: Term) -> Term:
    return growing.pop(front, x, LAST)


@built(deque.popleft, folds=False)
def _pop_left(front: FrontEnd, x: Term) -> Term:
    return growing.pop(front, x, FIRST)


@built(deque.extend, folds=False)
def _extend(front: FrontEnd, x: Term, more: Term) -> Term:
    return front.call_function(_append_each, (x, _apart(front, x, more)), {})


@built(deque.extendleft, folds=False)
def _extend_left(front: FrontEnd, x: Term, more: Term) -> Term:
    return front.call_function(_append_each_left, (x, _apart(front, x, more)), {})


def _apart(front: FrontEnd, x: Term, more: Term) -> Term:
    """What a deque is extended by; a list of its items if that is itself."""
    return growing.listed(front, more) if more.type == x.type else more


def _append_each(x: Any, more: Any) -> None:
    for item in more:
        x.append(item)


def _append_each_left(x: Any, more: Any) -> None:
    for item in more:
        x.appendleft(item)


@built(deque.clear, folds=False)
def _clear(front: FrontEnd, x: Term) -> Term:
    return growing.clear(front, x)


@built(deque.remove, folds=False)
def _remove(front: FrontEnd, x: Term, item: Term) -> Term:
    growing.changed(front, x)
    return growing.remove(front, x, item)


@built(deque.rotate, folds=False)
def _rotate(front: FrontEnd, x: Term, steps: Term = ONE) -> Term:
    found = growing.changed(front, x)
    front.call_function(_turned, (x, front.operate(operator.index, steps)), {})
    note_change(front, found)
    return NOTHING


def _turned(x: Any, steps: Any) -> None:
    if len(x) > 1:
        items = list(x)
        for k in range(len(items)):
            x[(k + steps) % len(items)] = items[k]


@built(deque.reverse, folds=False)
def _reverse(front: FrontEnd, x: Term) -> Term:
    growing.changed(front, x)
    return growing.reverse(front, x)


@built(deque.index, folds=False)
def _index(front: FrontEnd, x: Term, item: Term, start: Term = FIRST, stop: Term = NOTHING) -> Term:
    return growing.index_of(front, _own(x), item, start, stop)


@built(deque.count, folds=False)
def _count(front: FrontEnd, x: Term, item: Term) -> Term:
    return growing.count_of(front, _own(x), item)


@built(deque.copy, deque.__copy__, folds=False)
def _copy(front: FrontEnd, x: Term) -> Term:
    return growing.copy(front, x) if growing.grows(front, x) else _deque(front, x, constant(_own(x).value.maxlen))


def _own(x: Term) -> Term:
    if not is_of(x, deque):
        raise Refused(f"this method of {x.type} is not in the language")
    return x
