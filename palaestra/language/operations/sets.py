"""Sets: their items are searched one by one, and read only where their order cannot be seen.

As long as a set is not changed, and its items are known, it is one of Python's.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.growing import (
    allocated,
    as_other,
    copied,
    empty,
    fixed_in,
    grow,
    kind_of,
    length_of,
    put_at,
    set_length,
    tabled,
)
from palaestra.language.frontend.growing import item_at as item_of
from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import growing
from palaestra.language.operations.arithmetic import is_of
from palaestra.language.operations.hashing import checked, keyed
from palaestra.language.operations.searching import equal, found
from palaestra.language.operations.table import REFUSED, built
from palaestra.language.program import BEYOND
from palaestra.language.types import (
    PYTHON,
    SETS,
    UNBOUND,
    Constant,
    Either,
    Fixed,
    Number,
    Reference,
    Term,
    Tuple,
    Type,
    constant,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

NOTHING, NO_ITEMS = constant(None), constant(())


def is_set(x: Term) -> bool:
    """Returns whether an object is a set, of the program or a constant."""
    return is_of(x, *SETS)


def _own(x: Term) -> Term:
    if not is_set(x):
        raise Refused(f"this method of {x.type} is not in the language")
    return x


def known(front: FrontEnd, x: Term) -> Any:
    """Returns the set that an object is, if its items are known; None for others."""
    if x.known:
        return x.value
    return fixed_in(front.state.heap[x.type.number]) if isinstance(x.type, Reference) else None


def fixed(front: FrontEnd, value: Any) -> Term:
    """Returns a new set of known items: the object itself, whose order is that of Python's."""
    return front.allocate([constant(Fixed(value))], type(value))


@built((set, "fixed"), folds=False)
def _fixed(front: FrontEnd, value: Term) -> Term:
    return fixed(front, value.value)


# Items.


def _is_in(x: Any, item: Any) -> Any:
    own = keyed(item)
    return any(growing.same(keyed(one), own) for one in x)


@built((operator.contains, "set"), folds=False)
def _contains(front: FrontEnd, x: Term, item: Term) -> Term:
    own = front.operate(keyed, item)
    if growing.grows(front, x):
        return front.call_function(_is_in, (x, own), {}, unordered=True)
    return found(front, items_of(front, x) or [], lambda one: equal(front, one, own), True)


def _changed(front: FrontEnd, x: Term, *items: Term) -> Term:
    growing.changed(front, x, *items)
    return x


def put_in(x: Any, item: Any) -> None:
    """Add an item to a set, also to a new frozenset."""


@built(set.add, put_in, folds=False)
def _add(front: FrontEnd, x: Term, item: Term) -> Term:
    _changed(front, x, checked(front, item))

    def add() -> Term:
        return growing.append(front, x, item)

    is_there = front.truth(_contains(front, x, item))
    if isinstance(is_there, bool):
        return NOTHING if is_there else add()
    front.branch(is_there, lambda: NOTHING, add)
    return NOTHING


@built(set.discard, folds=False)
def _discard(front: FrontEnd, x: Term, item: Term) -> Term:
    front.call_function(_dropped, (_changed(front, x), checked(front, item)), {})
    return NOTHING


@built(set.remove, folds=False)
def _remove(front: FrontEnd, x: Term, item: Term) -> Term:
    return front.call_function(_removed, (_changed(front, x), checked(front, item)), {})


def _removed(x: Any, item: Any) -> None:
    if not _dropped(x, item):
        raise KeyError


def _dropped(x: Any, item: Any) -> Any:
    """Take an item out; returns whether it was there."""
    own = keyed(item)
    for k in range(len(x)):
        if growing.same(keyed(_at(x, k)), own):
            _take_out(x, k)
            return True
    return False


def _at(x: Any, k: Any) -> Any:
    """Returns the item at a place."""


@built(_at, folds=False)
def _item_at(front: FrontEnd, x: Term, k: Term) -> Term:
    storage = growing.storage(front, x)
    if kind_of(storage).item == UNBOUND:  # there never was one
        front.raise_(BEYOND)
    return item_of(front, storage, front.materialized(k).part)


def _take_out(x: Any, k: Any) -> None:
    """Put the last item in the place of another."""


@built(_take_out, folds=False)
def _last_to(front: FrontEnd, x: Term, k: Term) -> Term:
    storage = growing.storage(front, x)
    last = front.compute("sub", length_of(front, storage), front.number(1))
    put_at(front, storage, front.materialized(k).part, item_of(front, storage, last))
    set_length(front, storage, last)
    return NOTHING


@built(set.clear, folds=False)
def _clear(front: FrontEnd, x: Term) -> Term:
    return growing.clear(front, x)


@built(set.pop, folds=False, note=REFUSED)
def _pop(front: FrontEnd, x: Term) -> Term:
    raise Refused(
        "which item a set pops depends on an order of hashes", "take one that you choose: min(...), and remove it"
    )


# Making.


@built(set, folds=False)
def _set(front: FrontEnd, items: Term = NO_ITEMS) -> Term:
    return _made(front, set, items)


@built(frozenset, folds=False)
def _frozenset(front: FrontEnd, items: Term = NO_ITEMS) -> Term:
    return _made(front, frozenset, items)


def _made(front: FrontEnd, of: Any, items: Term) -> Term:
    value = known(front, items) if is_set(items) else None
    if value is not None:
        return fixed(front, of(value))
    if is_set(items):
        return allocated(front, as_other(front, growing.storage(front, items), of))
    terms = items_of(front, items)
    if terms is not None and all(one.known for one in terms):
        for one in terms:
            checked(front, one)
        is_plain = items.known and isinstance(items.value, (list, tuple, range, str, dict))
        return fixed(front, of(items.value if is_plain else [one.value for one in terms]))
    made = empty(front, set)
    _update(front, made, items)
    return made if of is set else allocated(front, as_other(front, growing.storage(front, made), of))


@built(set.update, (operator.or_, "set", "in place"), folds=False)
def _update(front: FrontEnd, x: Term, *several: Term) -> Term:
    for items in several:
        growing.changed(front, x)
        if items.type != x.type:
            front.call_function(_added, (x, _read(front, items)), {}, unordered=True)
    return NOTHING


def _added(x: Any, items: Any) -> None:
    for item in items:
        put_in(x, item)


def _read(front: FrontEnd, items: Term) -> Term:
    """What is read item by item; a constant set that is long lies in tables."""
    value = known(front, items) if is_set(items) else None
    return tabled(front, value) if value is not None and len(value) > FEW else items


FEW = 8


@built(set.copy, frozenset.copy, folds=False)
def _copy(front: FrontEnd, x: Term) -> Term:
    value = known(front, _own(x))
    return (
        fixed(front, value.copy()) if value is not None else allocated(front, copied(front, growing.storage(front, x)))
    )


# Two sets. Of items that are equal, the result has the one that Python keeps.


@built((operator.or_, "set"), folds=False)
def _union(front: FrontEnd, a: Term, b: Term) -> Term:
    one, other = known(front, a), known(front, b)
    if one is not None and other is not None:
        return fixed(front, one | other)
    made = _grown(front, a)
    _update(front, made, b)
    return made


@built((operator.and_, "set"), folds=False)
def _intersection(front: FrontEnd, a: Term, b: Term) -> Term:
    one, other = known(front, a), known(front, b)
    if one is not None and other is not None:
        return fixed(front, one & other)
    made = _empty_like(front, a)
    front.call_function(_both, (made, _read(front, a), _read(front, b)), {})
    return made


def _both(made: Any, a: Any, b: Any) -> None:
    if len(b) > len(a):
        _add_those(made, a, b, True)
    else:
        _add_those(made, b, a, True)


@built((operator.sub, "set"), folds=False)
def _difference(front: FrontEnd, a: Term, b: Term) -> Term:
    one, other = known(front, a), known(front, b)
    if one is not None and other is not None:
        return fixed(front, one - other)
    made = _empty_like(front, a)
    front.operate(_add_those, made, _read(front, a), _read(front, b), constant(False))
    return made


@built((operator.xor, "set"), folds=False)
def _either(front: FrontEnd, a: Term, b: Term) -> Term:
    one, other = known(front, a), known(front, b)
    if one is not None and other is not None:
        return fixed(front, one ^ other)
    made = _empty_like(front, a)
    front.call_function(_only_one, (made, _read(front, a), _read(front, b)), {})
    return made


def _only_one(made: Any, a: Any, b: Any) -> None:
    _add_those(made, a, b, False)
    _add_those(made, b, a, False)


def _add_those(made: Any, items: Any, others: Any, wanted: Any) -> None:
    """Add the items that are in others, or that are not."""


@built(_add_those, folds=False)
def _add_those_items(front: FrontEnd, made: Term, items: Term, others: Term, wanted: Term) -> Term:
    return front.call_function(_those_added, (made, items, others, wanted), {}, unordered=True)


def _those_added(made: Any, items: Any, others: Any, wanted: Any) -> None:
    for item in items:
        if (item in others) == wanted:
            put_in(made, item)


def _grown(front: FrontEnd, x: Term) -> Term:
    """A new set of the items of one, which grows."""
    made = _copy(front, x)
    grow(front, made)
    return made


def _empty_like(front: FrontEnd, x: Term) -> Term:
    """A new set of the class of one."""
    of = growing.class_of(x)
    assert of is not None
    return empty(front, of)


def _with_others(called: Any) -> Any:
    """Returns the operation of a set with several objects, one after the other."""

    def build(front: FrontEnd, x: Term, *several: Term) -> Term:
        made = _copy(front, x)
        for items in several:
            made = front.operate(called, made, items if is_set(items) else _set(front, items))
        return made

    return build


for _name, _called in (("union", operator.or_), ("difference", operator.sub)):
    built(getattr(set, _name), getattr(frozenset, _name), folds=False)(_with_others((_called, "set")))


@built(set.intersection, frozenset.intersection, folds=False)
def _intersection_with(front: FrontEnd, x: Term, *several: Term) -> Term:
    """Of an object that is no set, Python takes its own items rather than those of the set."""
    made = _copy(front, x)
    for items in several:
        other = items if is_set(items) else _set(front, items)
        before, made = made, _empty_like(front, x)
        called = _both if is_set(items) else _second
        front.call_function(called, (made, _read(front, before), _read(front, other)), {})
    return made


def _second(made: Any, a: Any, b: Any) -> None:
    _add_those(made, b, a, True)


@built(set.symmetric_difference, frozenset.symmetric_difference, folds=False)
def _symmetric_difference(front: FrontEnd, x: Term, items: Term) -> Term:
    return _either(front, x, items if is_set(items) else _set(front, items))


def _in_place(called: Any, name: str, *methods: Any) -> None:
    @built((called, "set", "in place"), *methods, folds=False)
    def build(front: FrontEnd, x: Term, *several: Term) -> Term:
        for items in several:
            other = items if is_set(items) else _set(front, items)
            result = front.operate((called, "set"), _grown(front, _own(x)), other)
            front.writes(x)
            grow(front, x)
            _replace(front, x, result)
        return NOTHING


def _replace(front: FrontEnd, x: Term, result: Term) -> None:
    """Let a set hold the items of a new one."""
    growing.clear(front, x)
    front.call_function(_added, (x, result), {}, unordered=True)


_in_place(operator.and_, "intersection", set.intersection_update)
_in_place(operator.sub, "difference", set.difference_update)
_in_place(operator.xor, "symmetric_difference", set.symmetric_difference_update)


# Comparisons.


@built((operator.le, "set"), set.issubset, frozenset.issubset, folds=False)
def _is_subset(front: FrontEnd, a: Term, b: Term) -> Term:
    other = b if is_set(b) else _set(front, b)
    return front.call_function(_all_in, (_read(front, a), _read(front, other)), {}, unordered=True)


def _all_in(a: Any, b: Any) -> Any:
    return all(item in b for item in a)


@built((operator.ge, "set"), set.issuperset, frozenset.issuperset, folds=False)
def _is_superset(front: FrontEnd, a: Term, b: Term) -> Term:
    return _is_subset(front, b if is_set(b) else _set(front, b), a)


@built((operator.lt, "set"), folds=False)
def _is_less(front: FrontEnd, a: Term, b: Term) -> Term:
    return front.call_function(_less, (a, b), {})


def _less(a: Any, b: Any) -> Any:
    return len(a) < len(b) and a <= b


@built((operator.gt, "set"), folds=False)
def _is_greater(front: FrontEnd, a: Term, b: Term) -> Term:
    return _is_less(front, b, a)


@built((operator.eq, "set"), folds=False)
def _are_equal(front: FrontEnd, a: Term, b: Term) -> Term:
    return front.call_function(_equal, (a, b), {})


def _equal(a: Any, b: Any) -> Any:
    return len(a) == len(b) and a <= b


@built((operator.ne, "set"), folds=False)
def _differ(front: FrontEnd, a: Term, b: Term) -> Term:
    return front.operate(operator.not_, _are_equal(front, a, b))


@built(set.isdisjoint, frozenset.isdisjoint, folds=False)
def _is_disjoint(front: FrontEnd, a: Term, b: Term) -> Term:
    other = b if is_set(b) else _set(front, b)
    return front.call_function(_none_in, (_read(front, a), _read(front, other)), {}, unordered=True)


def _none_in(a: Any, b: Any) -> Any:
    return not any(item in b for item in a)


@built((set, "exact"), folds=False, takes_options=True)
def _is_exact(front: FrontEnd, term: Term) -> Term:
    """Whether an answer, or each item of a list, is the same in whatever order it was found."""
    storage = growing.storage(front, term) if growing.grows(front, term) else None
    return constant(is_exact(kind_of(storage).item if storage is not None else term.type))


def is_exact(kind: Type) -> bool:
    """Returns whether equal items of a type are the same: ints, texts, and tuples of them."""
    match kind:
        case Number():
            return kind in (PYTHON[int], PYTHON[bool])
        case Tuple(items=kinds):
            return all(map(is_exact, kinds))
        case Either(options=kinds):
            return all(isinstance(one, Constant) for one in kinds)
    return isinstance(kind, Constant)
