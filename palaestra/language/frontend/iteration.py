"""What loops run over: items that are known one by one, or that are computed from their number."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from enum import EnumMeta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from palaestra.language.frontend.choosing import counted_in, items_in
from palaestra.language.frontend.growing import (
    changes_of,
    fixed_in,
    item_at,
    kind_of,
    length_of,
    moved_in,
    storage_in,
    storage_of,
)
from palaestra.language.frontend.records import check_record
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.program import BEYOND, Value
from palaestra.language.types import (
    CONTAINERS,
    DICTS,
    PYTHON,
    SETS,
    UNBOUND,
    Array,
    Bounded,
    Chosen,
    Iterated,
    Number,
    Packed,
    Placed,
    Range,
    Reference,
    Term,
    Tuple,
    constant,
    tuple_of,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


class ChangesLength(Refused):
    """A list of known length that gets another one while a loop runs over it."""

    def __init__(self) -> None:
        super().__init__("a list gets another length while a loop runs over it", "run over a copy of it")


class Numbered(NamedTuple):
    """Items that are computed from their number: how many there are, an int64, and each.

    A list that grows may have another length in each turn of a loop over it: `now` reads it.
    """

    length: Value
    item: Callable[[Value], Term]
    now: Callable[[], Value] | None = None

    @property
    def reads(self) -> Callable[[], Value]:
        """What reads the length in a turn of a loop."""
        return self.now or (lambda: self.length)


Read = Callable[[], Term]
"""Reads an item when it is called."""


class Iterator(NamedTuple):
    """How the items of an iterator of `itertools` are read, given what it was made of.

    Attributes:
        reads: Returns what reads each item, to be called in their order; None if their number is not known.
        numbered: Returns the items by their number, or None.
    """

    reads: Callable[[FrontEnd, list[Term]], Sequence[Read] | None]
    numbered: Callable[[FrontEnd, list[Term]], Numbered | None]


ITERATORS: dict[str, Iterator] = {}
"""Maps names of iterators to how they are read: `operations.iterators` has them."""


def items_of(front: FrontEnd, term: Term) -> list[Term] | None:
    """Returns the items of an object one by one; None if their number is not known."""
    if term.known and _is_plain(term.value):
        return [constant(item) for item in term.value]
    match term.type:
        case Tuple(of=of):
            check_record(of)
            return list(term.items())
        case Reference(number=number, of=of):
            contents = list(front.state.heap[number])
            if storage_in(contents) or moved_in(contents):
                return _keys_of_place(front, term)
            if of in SETS:
                return [constant(item) for item in fixed_in(contents)]
            if of is list:
                return contents
            return items_of(front, front.operate((dict.keys, "now"), term)) if of is dict else None
        case Placed():
            return _keys_of_place(front, term)
        case Array(shape=(length, *_)) | Packed(length=length):
            return [front.operate(operator.getitem, term, constant(k)) for k in range(length)]
        case Iterated():
            return _iterated_items(front, term)
        case Chosen():
            return items_in(front, term)
    return None


def _keys_of_place(front: FrontEnd, term: Term) -> list[Term] | None:
    """The keys of a dict on a shelf, if they are known; None for what grows."""
    place = front.shelves.place_of(term)
    if place is None or front.shelves.storage_at(place) is not None:
        return None
    return items_of(front, front.operate((dict.keys, "now"), term))


def _is_plain(value: object) -> bool:
    """Whether an object is a container whose class is Python's own, a NamedTuple, or the class of an Enum."""
    if isinstance(value, EnumMeta):
        return type(value) is EnumMeta
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        check_record(type(value))
        return True
    return type(value) in (tuple, range, str, *CONTAINERS)


def read_in_turn(front: FrontEnd, term: Term) -> list[Read]:
    """Returns what reads each item of an object when it is called: a loop may have changed the next ones.

    Raises:
        Refused: If the number of items is not known.
    """
    match term.type:
        case Reference(number=number, of=of) if of is list and not storage_of(front, term):
            length = len(front.state.heap[number])
            return [partial(_item_of_list, front, number, k, length) for k in range(length)]
        case Array(shape=(length, *_)):
            return [partial(front.operate, operator.getitem, term, constant(k)) for k in range(length)]
        case Iterated(by=by) if by in VIEWS:
            length = len(unpacked(front, term))
            return [partial(_item_of_view, front, term, k, length) for k in range(length)]
        case Iterated(by=by) if by in ITERATORS:
            reads = ITERATORS[by].reads(front, list(term.items()))
            if reads is not None:
                return list(reads)
        case Iterated(by=by) if by not in ("generator", "tolist") and items_of(front, term) is not None:
            sources = [read_in_turn(front, one) for one in list(term.items())[: 1 if by == "enumerate" else None]]
            if by == "reversed":
                return sources[0][::-1]
            if by == "enumerate":
                start = list(term.items())[1]
                sources.insert(0, [partial(_further, front, start, k) for k in range(len(sources[0]))])
            return [partial(_tuple_of_items, reads) for reads in zip(*sources, strict=False)]
    return [partial(_itself, item) for item in unpacked(front, term)]


def _item_of_list(front: FrontEnd, number: int, k: int, length: int) -> Term:
    contents = front.state.heap[number]
    if len(contents) != length or storage_in(contents):
        raise ChangesLength
    return contents[k]


VIEWS = {"keys": dict.keys, "values": dict.values, "items": dict.items}
"""Maps the views of dicts, which show what is in the dict when they are read, to the methods that give them."""


def _item_of_view(front: FrontEnd, view: Term, k: int, length: int) -> Term:
    items = unpacked(front, view)
    if len(items) != length:
        raise Refused("a dict gets other keys while a loop runs over it", "run over a copy of it")
    return items[k]


def _further(front: FrontEnd, start: Term, k: int) -> Term:
    """A number of `enumerate`."""
    return front.operate(operator.add, start, constant(k)) if k else start


def _tuple_of_items(reads: Sequence[Callable[[], Term]]) -> Term:
    return tuple_of([read() for read in reads])


def _itself(term: Term) -> Term:
    return term


def unpacked(front: FrontEnd, term: Term, count: int | None = None) -> list[Term]:
    """Returns the items of an object that is written behind a star, or assigned to several names.

    Args:
        front: The front end.
        term: The object.
        count: The number of the names; None if any number will do.

    Raises:
        Refused: If their number is not known.
    """
    items = items_of(front, term)
    storage = storage_of(front, term)
    if storage is not None and count is not None:
        front.raise_if(front.compare("ne", length_of(front, storage), front.number(count)), "ValueError")
        read = numbered(front, term)
        return [read.item(front.number(k)) for k in range(count)] if read else []
    if isinstance(term.type, Number) or term == constant(None):  # before a reset has assigned it, say
        front.raise_("TypeError")
    if items is None:
        reason = f"the number of items of {term.type} is not known when the program is compiled"
        raise NeedsConstant(reason, "write a loop, or use a number that never changes")
    return items


def _iterated_items(front: FrontEnd, term: Term) -> list[Term] | None:
    assert isinstance(term.type, Iterated)
    if term.type.by in ITERATORS:
        reads = ITERATORS[term.type.by].reads(front, list(term.items()))
        return None if reads is None else [read() for read in reads]
    if term.type.by in VIEWS:
        (source,) = term.items()
        return (
            None if storage_of(front, source) else items_of(front, front.operate((VIEWS[term.type.by], "now"), source))
        )
    if term.type.by == "enumerate":
        counted, start = term.items()
        items = items_of(front, counted)
        return items and [tuple_of([_further(front, start, k), item]) for k, item in enumerate(items)]
    sources = [items_of(front, one) for one in term.items()]
    if any(one is None for one in sources):
        return None
    known = [one for one in sources if one is not None]
    match term.type.by:
        case "generator":
            return known[0]
        case "reversed":
            return known[0][::-1]
    return [tuple_of(items) for items in zip(*known, strict=False)]


def numbered(front: FrontEnd, term: Term) -> Numbered | None:
    """Returns the items of a range or array, or of an `enumerate` or `zip` over one; None for other objects."""
    if isinstance(term.type, Iterated) and any(_is_unordered(front, one) for one in term.items()):
        raise refused_order()
    if term.known and isinstance(term.value, range):
        ends = tuple(map(front.number, (term.value.start, term.value.stop)))
        return _of_range(front, ends, term.value.step, len(term.value))
    match term.type:
        case Range(step=step):
            return _of_range(front, term.parts, step, None)
        case Reference(of=of) | Placed(of=of) if storage_of(front, term):
            if of in SETS:
                _note_order(front)
            return _of_container(front, term, (lambda pair: pair.item(0)) if of in DICTS else _itself)
        case Array(shape=(length, *_)) | Packed(length=length):
            return Numbered(front.number(length), lambda k: front.operate(operator.getitem, term, _int(k)))
        case Bounded(most=(length, *_), open=axes):
            count = term.parts[1] if axes[0] == 0 else front.number(length)
            return Numbered(count, lambda k: front.operate(operator.getitem, term, _int(k)))
        case Chosen():
            counted = counted_in(front, term)
            return Numbered(*counted) if counted else None
        case Iterated(by="enumerate"):
            return _of_enumerate(front, *term.items())
        case Iterated(by=by) if by in ITERATORS:
            return ITERATORS[by].numbered(front, list(term.items()))
        case Iterated(by=by, sources=(Reference() | Placed(), *_)) if by in VIEWS and storage_of(
            front, next(term.items())
        ):
            return _of_container(front, next(term.items()), _SHOWN[by])
        case Iterated(by=by) if by not in VIEWS:
            return _of_iterated(front, by, [numbered(front, one) for one in term.items()])
    return None


def refused_order() -> Refused:
    """Returns the refusal of what the order of the items of a set decides."""
    return Refused("the items of a set are read in an order of their hashes", "run over sorted(...) of it")


def _is_unordered(front: FrontEnd, term: Term) -> bool:
    storage = storage_of(front, term)
    return storage is not None and kind_of(storage).of in SETS


def _note_order(front: FrontEnd) -> None:
    """Note that the items of a set are read.

    Raises:
        Refused: Where their order matters.
    """
    if not front.activations[-1].unordered:
        raise refused_order()
    front.sets_read += 1


_SHOWN: dict[str, Callable[[Term], Term]] = {
    "keys": lambda pair: pair.item(0),
    "values": lambda pair: pair.item(1),
    "items": lambda pair: pair,
}
"""Maps the views of dicts to what they show of a key with its value."""


def _of_container(front: FrontEnd, term: Term, shown: Callable[[Term], Term]) -> Numbered:
    """The items of a container that grows, which a turn of a loop may change for the next ones.

    As in Python, a loop over a deque or a dict ends by an exception once it has got or lost an item; if a dict has as
    many as before then, it is left to Python.
    """

    def storage() -> Term:
        found = storage_of(front, term)
        assert found is not None
        return found

    first = storage()
    counts = kind_of(first).lead > 1
    before, changes = length_of(front, first), changes_of(front, first) if counts else None

    def now() -> Value:
        found = storage()
        length = length_of(front, found)
        if changes is not None:
            is_changed = front.compare("ne", changes_of(front, found), changes)
            if kind_of(found).of in DICTS:
                front.raise_if(front.compare("ne", length, before), "RuntimeError")
            front.raise_if(is_changed, BEYOND if kind_of(found).of in DICTS else "RuntimeError")
        return length

    def item(k: Value) -> Term:
        found = storage()
        if kind_of(found).item == UNBOUND:  # there never was one
            front.raise_(BEYOND)
        return shown(item_at(front, found, k))

    return Numbered(before, item, now)


def _of_enumerate(front: FrontEnd, counted: Term, start: Term) -> Numbered | None:
    source = numbered(front, counted)
    if source is None:
        return None

    def number(k: Value) -> Term:
        return _int(k) if start == constant(0) else front.operate(operator.add, start, _int(k))

    return Numbered(source.length, lambda k: tuple_of([number(k), source.item(k)]), source.now)


def _of_python(front: FrontEnd, number: Term) -> Term:
    """A number of NumPy as one of Python."""
    assert isinstance(number.type, Number)
    return front.operate({"b": bool, "f": float}.get(number.type.dtype.kind, int), number)


def _int(value: Value) -> Term:
    return Term(PYTHON[int], (value,))


def _of_range(front: FrontEnd, ends: tuple[Value, ...], step: int, length: int | None) -> Numbered:
    start, stop = ends
    size = front.number(step)

    def item(k: Value) -> Term:
        return _int(front.compute("add", start, front.compute("mul", k, size)))

    return Numbered(front.number(length) if length is not None else _length(front, start, stop, step), item)


def _length(front: FrontEnd, start: Value, stop: Value, size: int) -> Value:
    """The number of integers from `start` on, before `stop`, each `size` further."""
    first, last = (start, stop) if size > 0 else (stop, start)
    if abs(size) == 1:
        apart = front.compute("sub", last, first)
    else:
        apart = front.compute("sub", last, first)
        apart = front.compute("add", apart, front.number(abs(size) - 1))
        apart = front.compute("div", apart, front.number(abs(size)))
    is_empty = front.compare("le", last, first)
    return front.emit("select", apart.kind, is_empty, front.number(0), apart)


def _of_iterated(front: FrontEnd, by: str, sources: list[Numbered | None]) -> Numbered | None:
    if any(one is None for one in sources):
        return None
    known = [one for one in sources if one is not None]
    first = known[0]
    if by == "tolist":
        return Numbered(first.length, lambda k: _of_python(front, first.item(k)))
    if by == "reversed":
        return _reversed(front, first)

    def shortest(lengths: list[Value]) -> Value:
        length = lengths[0]
        for other in lengths[1:]:
            shorter = front.compare("lt", other, length)
            length = front.emit("select", length.kind, shorter, other, length)
        return length

    def now() -> Value:
        return shortest([one.reads() for one in known])

    grows = any(one.now for one in known)
    length = shortest([one.length for one in known])
    return Numbered(length, lambda k: tuple_of([one.item(k) for one in known]), now if grows else None)


def _reversed(front: FrontEnd, items: Numbered) -> Numbered:
    last = front.compute("sub", items.length, front.number(1))

    def item(k: Value) -> Term:
        at = front.compute("sub", last, k)
        if items.now:  # what is behind the end of a list that has got shorter is left to Python
            front.raise_if(front.compare("ge", at, items.now()), BEYOND)
        return items.item(at)

    return Numbered(items.length, item)
