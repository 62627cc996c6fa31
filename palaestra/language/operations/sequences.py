"""Tuples and lists whose length is known."""

from __future__ import annotations

import functools
import operator
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.building import common_type
from palaestra.language.frontend.iteration import items_of, unpacked
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import growing
from palaestra.language.operations.dictionaries import is_dict
from palaestra.language.operations.slices import Slice
from palaestra.language.operations.table import built, written
from palaestra.language.program import ADDRESS, Value
from palaestra.language.types import (
    SETS,
    UNBOUND,
    Array,
    Bounded,
    Column,
    Either,
    Iterated,
    Number,
    Packed,
    Placed,
    Reference,
    Term,
    Tuple,
    Type,
    constant,
    is_stored,
    joined,
    tuple_of,
    widened,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


@built(slice)
def _slice(front: FrontEnd, *terms: Term) -> Term:
    start, stop, step = terms if len(terms) == 3 else (*((constant(None), *terms)[-2:]), constant(None))
    return tuple_of([start, stop, step], Slice)


@built(operator.getitem, tries=(lambda rng: ((1.5, 2, int(rng.integers(9))), int(rng.integers(-4, 4))),))
def _getitem(front: FrontEnd, container: Term, index: Term) -> Term:
    container = _flat(container)
    if isinstance(container.type, Column):
        return front.operate((operator.getitem, "column"), container, index)
    if is_dict(container):
        return front.operate((operator.getitem, "dict"), container, index)
    if container.known and any(container.value is one for one in (np.c_, np.r_)):
        return front.operate((operator.getitem, "joined"), container, index)
    if isinstance(container.type, Packed) and not (index.known and isinstance(index.value, slice)):
        return _packed_item(front, container, container.type, index)
    if isinstance(front.materialized(container).type, (Array, Bounded, Number)):
        return front.operate((operator.getitem, "array"), container, index)
    if isinstance(container.type, Reference | Placed) and container.type.of in SETS:
        front.raise_("TypeError")
    if growing.grows(front, container):
        return growing.get(front, container, index)
    if growing.is_list(container) and isinstance(index.type, Tuple) and index.type.of is Slice:
        made = front.operate(list, container)
        growing.changed(front, made)
        return growing.get(front, made, index)
    items = items_of(front, container)
    if not index.known and items is not None and len(items) >= FAR and _may_be_storage(front, container):
        growing.changed(front, container)
        return growing.get(front, container, index)
    if items is None or (container.known and isinstance(container.value, dict)):
        raise Refused(f"{container.type} has no items in the language")
    if index.known and isinstance(index.value, slice):
        chosen = items[index.value]
        return front.allocate(chosen, list) if growing.is_list(container) else tuple_of(chosen)
    return _item(front, items, index)


def _item(front: FrontEnd, items: list[Term], index: Term) -> Term:
    if index.known:
        k = front.integer(index, "an index")
        if not -len(items) <= k < len(items):
            front.raise_("IndexError")
        return items[k]
    kind = common_type([item.type for item in items]) if len(items) > 1 else None
    if kind is None or not _is_selected(kind, items):
        return _chosen(front, items, _from_begin(front, index, len(items)))
    at = _place(front, index, len(items))
    if len(items) >= LONG and all(item.known for item in items):
        return _in_table(front, items, widened(kind), at)
    found = front.converted(items[-1], kind)
    for k in range(len(items) - 2, -1, -1):
        found = _selected(front, front.compare("eq", at, front.number(k)), front.converted(items[k], kind), found)
    return found


def _is_selected(kind: Type, items: list[Term]) -> bool:
    """Whether objects become one of a type by computing alone, so that one of them can be selected."""
    return is_stored(kind, arrays=False) and all(
        item.type == kind or not isinstance(item.type, Either) for item in items
    )


def _may_be_storage(front: FrontEnd, container: Term) -> bool:
    """Whether a list of objects, or of nothing yet, is better kept in memory; lists of numbers are values."""
    if not front.pools or not isinstance(container.type, Reference) or container.type.of is not list:
        return False
    items = front.state.heap[container.type.number]
    return all(isinstance(one.type, Placed | Either) or one == constant(None) for one in items) and is_stored(
        common_type([one.type for one in items]) or UNBOUND
    )


FAR = 16
"""The items from which on a list of objects in pools is kept in memory."""
LONG = 12
"""The known items from which on one is loaded from a table, in the place of a chain of choices."""


def _selected(front: FrontEnd, condition: Value, a: Term, b: Term) -> Term:
    """One of two objects of a type."""
    pairs = zip(a.parts, b.parts, strict=True)
    return Term(a.type, tuple(x if x is y else front.emit("select", x.kind, condition, x, y) for x, y in pairs))


def _in_table(front: FrontEnd, items: list[Term], kind: Type, at: Value) -> Term:
    """An item of known ones, loaded from a table for each number in them."""
    rows = [front.converted(item, kind).parts for item in items]
    parts = []
    for k, dtype in enumerate(kind.kinds):
        assert isinstance(dtype, np.dtype)
        table = front.emit("table", ADDRESS, attribute=np.array([row[k].attribute for row in rows], dtype))
        offset = front.compute("mul", at, front.number(dtype.itemsize))
        parts.append(front.emit("load", dtype, front.emit("offset", ADDRESS, table, offset)))
    return Term(kind, tuple(parts))


def _packed_item(front: FrontEnd, container: Term, kind: Packed, index: Term) -> Term:
    """The item of a tuple in memory."""
    at = _place(front, index, kind.length)
    offset = front.compute("mul", at, front.number(kind.dtype.itemsize))
    place = front.emit("offset", ADDRESS, container.part, offset)
    return Term(kind.item, (front.emit("load", kind.dtype, place),))


def _chosen(front: FrontEnd, items: list[Term], at: object) -> Term:
    """The item at a number that is not known: a chain of choices."""

    def rest(k: int) -> Term:
        if k == len(items):
            front.raise_("IndexError")
        is_k = front.compare("eq", at, front.number(k))  # type: ignore[arg-type]
        return front.branch(is_k, lambda: items[k], lambda: rest(k + 1))

    return rest(0)


def _flat(container: Term) -> Term:
    """The array that `a.flat` runs over."""
    is_flat = isinstance(container.type, Iterated) and container.type.by == "flat"
    return next(container.items()) if is_flat else container


@built(operator.setitem, folds=False)
def _setitem(front: FrontEnd, container: Term, index: Term, term: Term) -> Term:
    container = _flat(container)
    if isinstance(container.type, Column):
        return front.operate((operator.setitem, "column"), container, index, term)
    if isinstance(front.materialized(container).type, (Array, Bounded)):
        return front.operate((operator.setitem, "array"), container, index, term)
    if is_dict(container):
        return front.operate((operator.setitem, "dict"), container, index, term)
    if not isinstance(container.type, Reference | Placed):
        front.writes(container)
        raise Refused(f"{container.type} takes no assignment of an item", "make a copy: list(...)")
    if container.type.of in SETS:
        front.raise_("TypeError")
    if growing.grows(front, container) or (isinstance(index.type, Tuple) and container.type.of is list):
        return growing.put(front, container, index, term)
    assert isinstance(container.type, Reference)
    items = list(front.state.heap[container.type.number])
    if not index.known and len(items) >= FAR and _may_be_storage(front, container):
        return growing.put(front, container, index, term)
    front.writes(container)
    if index.known and isinstance(index.value, slice):
        more = unpacked(front, term)
        if index.value.step not in (None, 1) and len(items[index.value]) != len(more):
            front.raise_("ValueError")
        items[index.value] = more
        front.state.heap[container.type.number] = tuple(items)
        return constant(None)
    if not index.known:
        at = _place(front, index, len(items))
        items = [_replaced(front, item, term, front.compare("eq", at, front.number(k))) for k, item in enumerate(items)]
        front.state.heap[container.type.number] = tuple(items)
        return constant(None)
    k = front.integer(index, "the index of an assignment to a list")
    if not -len(items) <= k < len(items):
        front.raise_("IndexError")
    items[k] = term
    front.state.heap[container.type.number] = tuple(items)
    return constant(None)


def _replaced(front: FrontEnd, item: Term, term: Term, is_here: Value) -> Term:
    kind = joined(item.type, term.type)
    if kind is None or not _is_selected(kind, [item, term]):
        return front.branch(is_here, lambda: term, lambda: item)
    return _selected(front, is_here, front.converted(term, kind), front.converted(item, kind))


def _place(front: FrontEnd, index: Term, length: int) -> Value:
    """An index that is not known, counted from the begin of a list; it raises if there is no such item."""
    at = _from_begin(front, index, length)
    outside = front.compute(
        "or", front.compare("lt", at, front.number(0)), front.compare("ge", at, front.number(length))
    )
    front.raise_if(outside, "IndexError")
    return at


def _from_begin(front: FrontEnd, index: Term, length: int) -> Value:
    at = front.materialized(front.operate(operator.index, index)).part
    from_end = front.compare("lt", at, front.number(0))
    return front.compute("add", at, front.emit("select", at.kind, from_end, front.number(length), front.number(0)))


@built((operator.mul, "sequences"), tries=(lambda rng: ((1, float(rng.random())), int(rng.integers(-1, 4))),))
def _repeated(front: FrontEnd, a: Term, b: Term) -> Term:
    container, times = (b, a) if isinstance(front.materialized(a).type, Number) else (a, b)
    if isinstance(container.type, Reference | Placed) and container.type.of is not list:
        raise Refused(f"a product of {a.type} and {b.type} is not in the language")
    if growing.grows(front, container) or (growing.is_list(container) and _is_found(front, times)):
        made = front.operate(list.copy, container)
        growing.repeat(front, made, times)
        return made
    items, count = items_of(front, container), front.integer(times, "how often a list is repeated")
    if items is None:
        raise Refused(f"a product of {a.type} and {b.type} is not in the language")
    repeated = items * count
    return front.allocate(repeated, list) if growing.is_list(container) else tuple_of(repeated)


def _is_found(front: FrontEnd, times: Term) -> bool:
    """Whether how often a list is repeated is found when the program runs."""
    if times.known or not isinstance(times.type, Number) or not growing.may_grow(front):
        return False
    return not front.is_size(times)


@built((operator.add, "sequences"), tries=(lambda rng: ((1, float(rng.random())), (int(rng.integers(9)),)),))
def _joined(front: FrontEnd, a: Term, b: Term) -> Term:
    if growing.grows(front, a) or growing.grows(front, b):
        of = growing.class_of(a)
        if of is Counter:
            raise Refused("a sum of Counters is not in the language", "write c.update(...)")
        if of not in (list, deque) or growing.class_of(b) is not of:
            front.raise_("TypeError")
        made = front.operate(of.copy, a)
        front.operate(of.extend, made, b)
        return made
    one, other = items_of(front, a), items_of(front, b)
    if one is None or other is None:
        raise Refused(f"a sum of {a.type} and {b.type} is not in the language")
    if growing.is_list(a) != growing.is_list(b):
        front.raise_("TypeError")
    return front.allocate([*one, *other], list) if growing.is_list(a) else tuple_of([*one, *other])


@written(functools.reduce, tries=(lambda rng: (operator.xor, _ints(rng)), lambda rng: (max, _ints(rng), 3)))
def _reduce(function: Any, iterable: Any, *initial: Any) -> Any:
    items = list(iterable)
    if len(initial):
        result = initial[0]
        for item in items:
            result = function(result, item)
        return result
    if not len(items):
        raise TypeError
    result = items[0]
    for item in items[1:]:
        result = function(result, item)
    return result


def _ints(rng: np.random.Generator) -> list[int]:
    return [int(one) for one in rng.integers(9, size=int(rng.integers(1, 5)))]
