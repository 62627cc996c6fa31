"""Dicts whose keys are found when the program runs, defaultdicts and Counters: keys with their values, in their order.

A key is searched among all, one by one.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.binding import LocalFunction
from palaestra.language.frontend.calling import call
from palaestra.language.frontend.growing import (
    allocated,
    check_room,
    copied,
    empty,
    grow,
    item_at,
    kind_of,
    length_of,
    more_of,
    moved,
    note_change,
    put_at,
    set_length,
)
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import growing
from palaestra.language.operations.arithmetic import is_of
from palaestra.language.operations.growing import same
from palaestra.language.operations.hashing import checked, key_of, keyed
from palaestra.language.operations.table import built
from palaestra.language.program import Value
from palaestra.language.types import (
    CONTAINERS,
    DICTS,
    PYTHON,
    UNBOUND,
    Constant,
    Contents,
    Growing,
    Keys,
    Term,
    Tuple,
    constant,
    grown,
    is_stored,
    tuple_of,
    widened,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NOTHING, ZERO, ONE = constant(None), constant(0), constant(1)
Otherwise = Callable[[], Term]


def is_table(value: Any) -> bool:
    """Returns whether a storage could hold a dict of Python, with values of one type."""
    kind = grown([Contents(dict, Keys(value), tuple(map(Constant, value.values())))])
    return kind is not None and isinstance(kind.item, Tuple) and all(len(one.kinds) for one in kind.item.items)


# Places.


def _find(d: Any, key: Any) -> Any:
    for k in range(len(d)):
        if same(keyed(_key_at(d, k)), key):
            return k
    return -1


def _key_at(d: Any, k: Any) -> Any:
    """Returns the key at a place."""


@built(_key_at, folds=False)
def _key_of_place(front: FrontEnd, d: Term, k: Term) -> Term:
    return item_at(front, growing.storage(front, d), front.materialized(k).part).item(0)


def _place(front: FrontEnd, d: Term, key: Term) -> Value | None:
    """The place of a key, -1 if it is not there; None if there never was one."""
    own = key_of(front, key)
    if kind_of(growing.storage(front, d)).item == UNBOUND:
        return None
    return front.materialized(front.call_function(_find, (d, own), {})).part


def _at(front: FrontEnd, d: Term, place: Value | None, then: Callable[[Value], Term], otherwise: Otherwise) -> Term:
    """What `then` returns for the place of a key, or `otherwise` if it is not there."""
    if place is None:
        return otherwise()
    is_there = front.compare("ge", place, front.number(0))
    return front.branch(is_there, lambda: then(place), otherwise)


def _value(front: FrontEnd, d: Term, place: Value) -> Term:
    return item_at(front, growing.storage(front, d), place).item(1)


def contains(front: FrontEnd, d: Term, key: Term) -> Term:
    """Returns whether a key is there."""
    place = _place(front, d, key)
    return constant(False) if place is None else Term(PYTHON[bool], (front.compare("ge", place, front.number(0)),))


def get(front: FrontEnd, d: Term, key: Term, otherwise: Otherwise) -> Term:
    """Returns the value of a key, or what `otherwise` returns."""
    return _at(front, d, _place(front, d, key), lambda k: _value(front, d, k), otherwise)


def item(front: FrontEnd, d: Term, key: Term) -> Term:
    """Returns the value of a key: a missing one is 0 in a Counter, and new in a defaultdict."""
    kind = kind_of(growing.storage(front, d))
    if kind.of is defaultdict and kind.more != Constant(None):
        return set_default(front, d, checked(front, key), lambda: _made_for_missing(front, kind))
    if kind.of is Counter:
        return get(front, d, key, lambda: ZERO)
    return get(front, d, key, lambda: front.raise_("KeyError"))


# Changes.


def _changed(front: FrontEnd, d: Term, *pairs: Term) -> Term:
    return growing.changed(front, d, *pairs)


def _add(front: FrontEnd, d: Term, pair: Term) -> Term:
    """Add a key that is not there."""
    found = growing.storage(front, d)
    length = length_of(front, found)
    after = front.compute("add", length, front.number(1))
    check_room(front, found, after)
    put_at(front, found, length, pair)
    set_length(front, found, after)
    note_change(front, found)
    return NOTHING


def put(front: FrontEnd, d: Term, key: Term, value: Term) -> Term:
    """Assign a value; a key that is there stays as it is, with its place."""
    place = _place(front, d, key) if growing.grows(front, d) else None
    is_new = not growing.grows(front, d)
    pair = tuple_of([key, value])
    _changed(front, d, pair)
    place = _place(front, d, key) if is_new else place

    def replace(k: Value) -> Term:
        found = growing.storage(front, d)
        put_at(front, found, k, tuple_of([item_at(front, found, k).item(0), value]))
        return NOTHING

    return _at(front, d, place, replace, lambda: _add(front, d, pair))


def _made_for_missing(front: FrontEnd, kind: Growing) -> Term:
    """What a defaultdict has for a missing key: a constant, or a new container."""
    assert isinstance(kind.more, Constant)
    is_made = kind.more.value in CONTAINERS if isinstance(kind.more.value, type) else False
    return front.operate(kind.more.value) if is_made else Term(kind.more)


def set_default(front: FrontEnd, d: Term, key: Term, default: Callable[[], Term]) -> Term:
    """Returns the value of a key, which is a default if it was not there."""
    place = _place(front, d, key)
    front.writes(d)
    grow(front, d, Tuple((widened(key.type), widened(front.shelves.type_stored(default)))))

    def add() -> Term:
        value = front.shelves.storable(default())
        _add(front, d, tuple_of([key, value]))
        return value

    return _at(front, d, place, lambda k: _value(front, d, k), add)


def pop(front: FrontEnd, d: Term, key: Term, otherwise: Otherwise) -> Term:
    """Take a key out; returns its value, or what `otherwise` returns."""
    found = _changed(front, d)

    def take(k: Value) -> Term:
        value = _value(front, d, k)
        moved(front, found, front.compute("add", k, front.number(1)), -1)
        return value

    return _at(front, d, _place(front, d, key), take, otherwise)


def pop_item(front: FrontEnd, d: Term) -> Term:
    """Take the last key out; returns it with its value."""
    found = _changed(front, d)
    if kind_of(found).item == UNBOUND:
        front.raise_("KeyError")
    length = length_of(front, found)
    front.raise_if(front.compare("eq", length, front.number(0)), "KeyError")
    last = front.compute("sub", length, front.number(1))
    pair = item_at(front, found, last)
    set_length(front, found, last)
    note_change(front, found)
    return pair


def update(front: FrontEnd, d: Term, more: Term) -> Term:
    """Assign the values of another dict, or of pairs."""
    if is_of(more, *DICTS):
        return front.call_function(_update, (d, front.operate(dict.items, more)), {})
    return front.call_function(_update_by_pairs, (d, more), {})


def _update(d: Any, items: Any) -> None:
    for key, value in items:
        dict.__setitem__(d, key, value)


def _update_by_pairs(d: Any, pairs: Any) -> None:
    for pair in pairs:
        key, value = pair
        dict.__setitem__(d, key, value)


# Comparisons.


def equal(front: FrontEnd, a: Term, b: Term) -> Term:
    """Returns whether two dicts have equal values for the same keys; those missing in a Counter are 0."""
    if is_of(a, Counter) and is_of(b, Counter):
        return front.call_function(_equal_counts, (a, b), {})
    return front.call_function(_equal, (a, b), {})


def _equal(a: Any, b: Any) -> Any:
    if len(a) != len(b):
        return False
    return all(key in b and same(dict.get(b, key), value) for key, value in a.items())


def _equal_counts(a: Any, b: Any) -> Any:
    return all(a[key] == b[key] for key in a) and all(a[key] == b[key] for key in b)


# Defaultdicts and Counters.


@built(defaultdict, folds=False)
def _defaultdict(front: FrontEnd, factory: Term = NOTHING, *terms: Term, **named: Term) -> Term:
    default = _default(front, factory)
    made = empty(front, defaultdict, default)
    for term in terms:
        update(front, made, term)
    for name, value in named.items():
        put(front, made, constant(name), value)
    return made


def _default(front: FrontEnd, factory: Term) -> Constant:
    """What a defaultdict has for missing keys: a constant."""
    if factory.known and isinstance(factory.value, LocalFunction):
        made = call(front, factory, [], {}).type
        if isinstance(made, Constant) and is_stored(widened(made)):
            return made
        raise Refused("a defaultdict makes something else than a constant", "write d.get(key, ...)")
    if not factory.known:
        raise Refused("a defaultdict makes something else than a constant", "write d.get(key, ...)")
    kind = more_of(defaultdict(factory.value))
    assert isinstance(kind, Constant)
    return kind


@built(defaultdict.copy, defaultdict.__copy__, Counter.copy, folds=False)
def _copy(front: FrontEnd, d: Term) -> Term:
    return allocated(front, copied(front, growing.storage(front, d)))


@built(Counter, folds=False)
def _counter(front: FrontEnd, *terms: Term, **named: Term) -> Term:
    made = empty(front, Counter)
    _count(front, made, *terms, **named)
    return made


@built(Counter.update, folds=False)
def _count(front: FrontEnd, d: Term, *terms: Term, **named: Term) -> Term:
    for term in terms:
        _changed(front, d)
        if is_of(term, *DICTS):
            front.call_function(_add_counts, (d, front.operate(dict.items, term)), {})
        else:
            front.call_function(_count_each, (d, term), {})
    for name, value in named.items():
        put(front, d, constant(name), value)
    return NOTHING


def _add_counts(d: Any, items: Any) -> None:
    for key, count in items:
        d[key] = count + d.get(key, 0)


def _count_each(d: Any, items: Any) -> None:
    for key in items:
        d[key] = d.get(key, 0) + 1


@built(Counter.most_common, folds=False)
def _most_common(front: FrontEnd, d: Term, n: Term = NOTHING) -> Term:
    return front.call_function(_sorted_counts, (d, n), {})


def _sorted_counts(d: Any, n: Any) -> Any:
    pairs = sorted(d.items(), key=lambda pair: pair[1], reverse=True)
    return pairs if n is None else pairs[: max(n, 0)]


@built(Counter.total, folds=False)
def _total(front: FrontEnd, d: Term) -> Term:
    return front.operate(sum, front.operate(dict.values, d))


# Operators of Counters, which keep the keys with counts above 0.


def _combined(a: Any, b: Any, count: Any) -> Any:
    made: Counter[Any] = Counter()
    for key, n in a.items():
        both = count(n, b[key])
        if both > 0:
            made[key] = both
    for key, m in b.items():
        if key not in a:
            other = count(0, m)
            if other > 0:
                made[key] = other
    return made


def _least(n: Any, m: Any) -> Any:
    return n if n < m else m


def _most(n: Any, m: Any) -> Any:
    return m if n < m else n


def _combine(called: Any, count: Any) -> None:
    """Add an operator, which computes the count of each key from those in both Counters."""

    @built((called, "counter"), folds=False)
    def build(front: FrontEnd, a: Term, b: Term) -> Term:
        return front.call_function(_combined, (a, b, constant(count)), {})


_combine(operator.and_, _least)
_combine(operator.or_, _most)
_combine(operator.add, operator.add)
_combine(operator.sub, operator.sub)
