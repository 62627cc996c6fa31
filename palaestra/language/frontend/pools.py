"""Objects that have no place of their own in a program: they are in a pool, and what refers to one is its number.

An object that a program can follow has its attributes in the heap of the front end, as values. Objects that a list
holds which grows, that take each other's place, or that two attributes share, cannot be followed. Those of such a
class are in memory: the pool of the class is an array, in which each has a place for its attributes. So a reference is
a number, as those in Python are addresses: it may be kept, compared and chosen, and what is changed by one is seen by
all. The types of attributes are known before a program is written; one that finds another is written again.

A place is taken from a chain of free ones. What nothing refers to is found at the begin of a program, see `collecting`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.building import NOTHING, keys_of
from palaestra.language.frontend.choosing import texts_in
from palaestra.language.frontend.groups import groups_of, kind_of, pool_of, word_at
from palaestra.language.frontend.growing import Unplaced
from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.stand_ins import StandIn
from palaestra.language.frontend.writing import root_of
from palaestra.language.program import ADDRESS, FULL, INT64, Value
from palaestra.language.types import (
    CONTAINERS,
    UNBOUND,
    WORD,
    Array,
    Chosen,
    Constant,
    Contents,
    Either,
    Growing,
    Keys,
    Layout,
    Number,
    Placed,
    Pool,
    Reference,
    Term,
    Text,
    Tuple,
    Type,
    constant,
    joined,
    plain,
    storage_like,
    words_of,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

_REMEDY = "keep numbers, texts, tuples of them, arrays and other objects in it"


class Widened(Exception):
    """Attributes of objects in pools hold something of other types.

    Args:
        pools: The types of the pools that hold it.
        met: The shelves that are one, see `shelves`.
    """

    def __init__(self, pools: Sequence[Pool], met: Sequence[tuple[type, type]] = ()) -> None:
        super().__init__()
        self.pools, self.met = pools, met


def pool_key(root: type) -> str:
    """Returns the name under which an environment has the pool of a class."""
    return f"<{root.__module__}.{root.__qualname__}>"


# Places.


def _load(front: FrontEnd, address: Value) -> Value:
    return front.emit("load", INT64, address)


def _head(front: FrontEnd, pool: Term, at: int) -> Value:
    return front.emit("offset", ADDRESS, pool.part, front.number(WORD * at))


def free_count(front: FrontEnd, pool: Term) -> Value:
    """Returns the number of free places."""
    return _load(front, _head(front, pool, 1))


def set_free(front: FrontEnd, pool: Term, first: Value, count: Value) -> None:
    """Let a place be the first of so many free ones."""
    front.emit("store", None, _head(front, pool, 0), first)
    front.emit("store", None, _head(front, pool, 1), count)


def attribute_at(front: FrontEnd, pool: Term, k: Value, key: str, kind: Type) -> Term:
    """Returns what the object at a place has as an attribute of a type."""
    return _loaded(front, pool, k, kind_of(pool).at(key, kind), kind)


def take(front: FrontEnd, pool: Term) -> Value:
    """Returns the number of a free place, which is free no longer."""
    front.written.append(root_of(pool.part))
    front.taken.add(kind_of(pool).root)
    left = free_count(front, pool)
    front.raise_if(front.compare("le", left, front.number(0)), FULL)
    k = _load(front, pool.part)
    set_free(front, pool, _load(front, word_at(front, pool, k, 0)), front.compute("sub", left, front.number(1)))
    return k


def is_placed(front: FrontEnd, of: type) -> bool:
    """Returns whether the objects of a class are in a pool."""
    return any(issubclass(of, root) for root in front.pools)


def placed(front: FrontEnd, owner: Term) -> Term:
    """Returns an object, which has just been made, in its pool.

    Raises:
        Refused: If something refers to it already.
        Widened: If the pool has not expected objects of its class.
    """
    assert isinstance(owner.type, Reference)
    number, of = owner.type.number, owner.type.of
    root = next(root for root in front.pools if issubclass(of, root))
    pool = front.pools[root]
    contents = front.state.heap[number]
    if any(number in one.type.numbers for each in front.state.heap.values() for one in each):
        reason = f"an object of {of.__name__} is kept elsewhere before it is complete"
        raise Refused(reason, "keep it behind the call that makes it")
    keys, items = keys_of(contents) or Keys(), contents[1:]
    layout = kind_of(pool).layout(of)
    found = Layout(
        of, keys, tuple(_kind_of_attribute(front, of, key, one) for key, one in zip(keys, items, strict=True))
    )
    is_held = _check(front, pool, found)
    if layout is None:
        raise Widened([*front.widened.values()])
    held = dict(zip(keys, items, strict=True))
    k = take(front, pool)
    front.emit("store", None, word_at(front, pool, k, 0), front.number(kind_of(pool).tag(of)))
    for key, kind in zip(layout.keys, layout.items, strict=True) if is_held else ():
        _store(front, pool, k, kind_of(pool).at(key, kind), kind, held.get(key, Term(UNBOUND)))
    del front.state.heap[number]
    return Term(Placed(root, (of,)), (k,))


def _check(front: FrontEnd, pool: Term, found: Layout) -> bool:
    """Returns whether a pool holds what was found; if not, the program is written again, once all is found."""
    kind = front.widened.get(kind_of(pool).root, kind_of(pool))
    after = joined(kind, Pool(kind.root, (found,), kind.capacity))
    if after is None:
        raise Refused(f"an attribute of {found.of.__name__} holds values of too many types", "let each hold one type")
    assert isinstance(after, Pool)
    for layout in after.layouts:
        for one in layout.items:
            front.shelves.meet(one)
    if after != kind:
        front.widened[kind.root] = after
    return after == kind_of(pool)


def _kind_of_attribute(front: FrontEnd, of: type, name: str, term: Term) -> Type:
    """The type of what an attribute holds, as a pool keeps it."""
    match term.type:
        case Constant(value=value) if isinstance(value, tuple(front.pools)):
            raise Refused(f"{name} of a {of.__name__} is an object that exists already", "make it in reset")
        case Number() | Chosen() | Placed() | Constant():
            return term.type
        case Text() if (found := texts_in(term.type)) is not None:
            return found
        case Array(dtype=dtype, shape=shape) if shape:
            return plain(dtype, shape)
        case Tuple(of=kind):
            return Tuple(tuple(_kind_of_attribute(front, of, name, one) for one in term.items()), kind)
        case Either():
            kinds = [_kind_of_attribute(front, of, name, one) for one in term.items()]
            both: Type | None = kinds[0]
            for one in kinds[1:]:
                both = joined(both, one) if both is not None else None
            if both is not None:
                return both
        case Reference(number=number) if number in front.existing:
            return Constant(front.existing[number])
        case Reference(of=held) if held in CONTAINERS:
            return front.shelves.shelved(term).type
        case Reference(of=held) if held not in CONTAINERS and front.can_place(held):
            raise Unplaced(held)
    raise Refused(f"{name} of a {of.__name__}, which has no place of its own, holds {term.type}", _REMEDY)


def check_placeable(of: type, name: str, kind: Type) -> None:
    """Check that an attribute of objects of a class may be of a type if they are in a pool.

    Raises:
        Unplaced: If it is an object that may be in a pool, too.
        Refused: If it is a list, say.
    """
    match kind:
        case Number() | Chosen() | Placed() | Constant():
            return
        case Array(shape=shape) if shape:
            return
        case Contents(of=held) | Growing(of=held) if held in CONTAINERS and storage_like(kind) is not None:
            return
        case Tuple(items=items) | Either(options=items):
            for one in items:
                check_placeable(of, name, one)
            return
        case Contents(of=held) if held not in (list, dict) and not issubclass(held, StandIn):
            raise Unplaced(held)
    raise Refused(f"{name} of a {of.__name__}, which has no place of its own, holds {kind}", _REMEDY)


# Attributes.


def held(front: FrontEnd, owner: Term, name: str) -> Term | None:
    """Returns what an object in a pool holds under a name; None if it has none there."""
    assert isinstance(owner.type, Placed)
    pool = pool_of(front, owner)
    kind = _kind_held(pool, owner.type.classes[0], name)
    return None if kind is None else attribute_at(front, pool, owner.part, name, kind)


def _kind_held(pool: Term, of: type, name: str) -> Type | None:
    layout = kind_of(pool).layout(of)
    if layout is None or name not in layout.keys:
        return None
    return layout.items[layout.keys.index(name)]


def names_held(front: FrontEnd, owner: Term) -> Keys:
    """Returns the names of what an object in a pool holds."""
    assert isinstance(owner.type, Placed)
    layout = kind_of(pool_of(front, owner)).layout(owner.type.of)
    return layout.keys if layout else Keys()


def set_held(front: FrontEnd, owner: Term, name: str, term: Term) -> None:
    """Let an object in a pool hold something under a name; if it is of another type there, the program starts anew."""
    assert isinstance(owner.type, Placed)
    pool, of = pool_of(front, owner), owner.type.classes[0]
    layout = kind_of(pool).layout(of)
    assert layout is not None
    before = dict(zip(layout.keys, layout.items, strict=True))
    kind = _kind_of_attribute(front, of, name, term)
    if name in before and before[name] == kind:
        after = kind
    else:
        both = joined(before.get(name, UNBOUND), kind)
        if both is None:
            raise Refused(f"{name} of a {of.__name__} holds values of too many types", "let it hold one type")
        after = both
        keys = Keys((*(key for key in layout.keys if key != name), name))
        items = [before.get(key, UNBOUND) if key != name else after for key in keys]
        if not _check(front, pool, Layout(of, keys, tuple(items))):
            return
    front.written.append(root_of(pool.part))
    _store(front, pool, owner.part, kind_of(pool).at(name, after), after, term)


def _has_array(kind: Type) -> bool:
    match kind:
        case Array():
            return True
        case Tuple(items=items) | Either(options=items):
            return any(map(_has_array, items))
    return False


def _store(front: FrontEnd, pool: Term, k: Value, at: int, kind: Type, term: Term) -> None:
    """Write an object of a type into the words of a place from `at` on."""
    match kind:
        case Constant():
            return
        case Array():
            _store_array(front, pool, k, at, kind, term)
        case Tuple(items=kinds) if not isinstance(term.type, Either):
            items = [constant(one) for one in term.value] if term.known else term.items()
            for one, item in zip(kinds, items, strict=True):
                _store(front, pool, k, at, one, item)
                at += words_of(one)
        case Either() if _has_array(kind):
            front.split(term, lambda one: _store_option(front, pool, k, at, kind, one))
        case _:
            for n, part in enumerate(front.converted(_as_constant(front, term), kind).parts):
                front.emit("store", None, word_at(front, pool, k, at + n), part)


def _as_constant(front: FrontEnd, term: Term) -> Term:
    """A reference to the environment as the constant that it is."""
    if isinstance(term.type, Reference) and term.type.number in front.existing:
        return constant(front.existing[term.type.number])
    return term


def _store_option(front: FrontEnd, pool: Term, k: Value, at: int, kind: Either, term: Term) -> Term:
    own = joined(kind, term.type if not isinstance(term.type, Array) else plain(term.type.dtype, term.type.shape))
    assert own == kind
    place = at + 1
    for n, option in enumerate(kind.options):
        single = term.type if not isinstance(term.type, Array) else plain(term.type.dtype, term.type.shape)
        if joined(option, single) == option:
            front.emit("store", None, word_at(front, pool, k, at), front.number(n))
            _store(front, pool, k, place, option, term)
            break
        place += words_of(option)
    return NOTHING


def _store_array(front: FrontEnd, pool: Term, k: Value, at: int, kind: Array, term: Term) -> None:
    """Write a copy of an array; neither it nor the original may be changed by another name then."""
    value = front.materialized(term)
    assert isinstance(value.type, Array)
    front.give(value)
    if not value.type.contiguous:
        value = front.operate(np.ndarray.copy, value)
    size = front.number(kind.size * kind.dtype.itemsize)
    front.emit("copy", None, word_at(front, pool, k, at), value.part, size)


def _loaded(front: FrontEnd, pool: Term, k: Value, at: int, kind: Type) -> Term:
    """What is in the words of a place from `at` on."""
    match kind:
        case Constant(value=value):
            number = next((number for number, one in front.existing.items() if one is value), None)
            return Term(kind) if number is None else Term(Reference(number, type(value)))
        case Array():
            return _loaded_array(front, pool, k, at, kind)
        case Growing():
            return _storage(front, pool, k, at, kind)
        case Tuple(items=kinds) | Either(options=kinds) if _has_array(kind):
            parts: list[Value] = []
            if isinstance(kind, Either):
                parts, at = [_load(front, word_at(front, pool, k, at))], at + 1
            for one in kinds:
                parts += _loaded(front, pool, k, at, one).parts
                at += words_of(one)
            return Term(kind, tuple(parts))
    places = (word_at(front, pool, k, at + n) for n in range(len(kind.kinds)))
    return Term(kind, tuple(front.emit("load", one, place) for one, place in zip(kind.kinds, places, strict=True)))


def _storage(front: FrontEnd, pool: Term, k: Value, at: int, kind: Growing) -> Term:
    """The storage in the words of a place from `at` on."""
    parts = [word_at(front, pool, k, at + n) for n in range(kind.lead)]
    at += kind.lead
    for one in kind.columns:
        parts.append(word_at(front, pool, k, at))
        at += -(-kind.capacity * one.bytes // WORD)
    return Term(kind, tuple(parts))


def _loaded_array(front: FrontEnd, pool: Term, k: Value, at: int, kind: Array) -> Term:
    """A copy of an array, since the object may hold another one later."""
    size = kind.size * kind.dtype.itemsize
    room = front.emit("room", ADDRESS, attribute=max(size, 1))
    front.emit("copy", None, room, word_at(front, pool, k, at), front.number(size))
    front.lent[room] = 0
    return Term(kind, (room,))


# Classes.


def alike_by(front: FrontEnd, term: Term, name: str, static: Callable[[type, str], Any]) -> list[Placed]:
    """Returns the classes that an object may be of, those together for which an attribute is the same thing."""
    pool = pool_of(front, term)

    def alike(of: type) -> Any:
        return id(static(of, name)), _kind_held(pool, of, name)

    return groups_of(term, alike)


def refers(kind: Type) -> bool:
    """Returns whether objects of a type may refer to one in a pool."""
    match kind:
        case Placed():
            return True
        case Tuple(items=items) | Either(options=items):
            return any(map(refers, items))
        case Growing(item=item):
            return refers(item)
    return False


def may_refer(front: FrontEnd, term: Term) -> bool:
    """Returns whether an object in a pool may refer to others."""
    assert isinstance(term.type, Placed)
    layouts = [kind_of(pool_of(front, term)).layout(of) for of in term.type.classes]
    return any(refers(kind) for layout in layouts if layout for kind in layout.items)


def copied(front: FrontEnd, term: Term) -> Term:
    """Returns a new object with the same attributes as another, of one class, in its pool."""
    pool = pool_of(front, term)
    k = take(front, pool)
    size = front.number(WORD * kind_of(pool).size)
    front.emit("copy", None, word_at(front, pool, k, 0), word_at(front, pool, term.part, 0), size)
    return Term(term.type, (k,))
