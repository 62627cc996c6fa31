"""Lists whose length is found when the program runs: what the heap holds for them is a storage, one term.

A storage is memory: the length, and an array for each kind of the items. So nothing in the heap changes when a list
grows, and paths that meet have the same storage, unless one has made it, or one holds items of other types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.writing import root_of
from palaestra.language.program import ADDRESS, FULL, INT64, If, Kind, Label, Leave, Loop, Region, Set, Slot, Value
from palaestra.language.types import (
    UNBOUND,
    Contents,
    Growing,
    Iterated,
    Keys,
    Reference,
    Term,
    Type,
    capacity_for,
    grown,
    widened,
)


class Builder(Protocol):
    """What writes a program, so far as lists need it: a `building.Builder`."""

    region: Region
    state: Any
    written: list[Value]
    capacity: int

    def emit(self, operation: str, kind: Kind | None, *arguments: Value, attribute: Any = None) -> Value:
        """See `Writer.emit`."""

    def number(self, value: Any, dtype: np.dtype[Any] = INT64) -> Value:
        """See `Writer.number`."""

    def compute(self, operation: str, *arguments: Value, kind: Kind | None = None) -> Value:
        """See `Writer.compute`."""

    def compare(self, operation: str, a: Value, b: Value) -> Value:
        """See `Writer.compare`."""

    def get(self, slot: Slot) -> Value:
        """See `Writer.get`."""

    def writing(self, region: Region) -> AbstractContextManager[None]:
        """See `Writer.writing`."""

    def raise_if(self, condition: Value, error: str) -> None:
        """Raise an exception if a condition holds."""

    def converted(self, term: Term, kind: Type) -> Term:
        """Returns an object as another type."""

    def allocate(self, contents: Sequence[Term], of: type) -> Term:
        """Returns a new object that can be changed."""


def storage_in(contents: Sequence[Term]) -> Term | None:
    """Returns the storage among what the heap holds for an object; None if it is no list that grows."""
    first = contents[0] if len(contents) == 1 else None
    return first if first is not None and isinstance(first.type, Growing) else None


def storage_of(builder: Builder, term: Term) -> Term | None:
    """Returns the storage of a list that grows; None for other objects."""
    if not isinstance(term.type, Reference) or term.type.of is not list:
        return None
    return storage_in(builder.state.heap[term.type.number])


def kind_of(storage: Term) -> Growing:
    """Returns the type of a storage."""
    assert isinstance(storage.type, Growing)
    return storage.type


def described_by(contents: Sequence[Term]) -> Type:
    """Returns the type of what the heap holds for a list."""
    storage = storage_in(contents)
    return storage.type if storage else Contents(list, Keys(), tuple(one.type for one in contents))


# Memory.


def new(builder: Builder, kind: Growing, length: Value) -> Term:
    """Returns a storage whose items are not written yet."""
    parts = [builder.emit("room", ADDRESS, attribute=INT64.itemsize)]
    parts += [builder.emit("room", ADDRESS, attribute=kind.capacity * one.itemsize) for one in kind.item.kinds]
    storage = Term(kind, tuple(parts))
    set_length(builder, storage, length)
    return storage


def length_of(builder: Builder, storage: Term) -> Value:
    """Returns the number of items."""
    return builder.emit("load", INT64, storage.parts[0])


def set_length(builder: Builder, storage: Term, length: Value) -> None:
    """Let a storage have so many items."""
    builder.emit("store", None, storage.parts[0], length)


def check_room(builder: Builder, storage: Term, length: Value) -> None:
    """Raise if there is no room for so many items."""
    builder.raise_if(builder.compare("gt", length, builder.number(kind_of(storage).capacity)), FULL)


def item_at(builder: Builder, storage: Term, k: Value) -> Term:
    """Returns the item of a number."""
    item = kind_of(storage).item
    places = _places(builder, storage, k)
    return Term(item, tuple(builder.emit("load", one, place) for one, place in zip(item.kinds, places, strict=True)))


def put_at(builder: Builder, storage: Term, k: Value, item: Term) -> None:
    """Write an item, which is of the storage's type, or of one of them."""
    parts = builder.converted(item, kind_of(storage).item).parts
    for part, place in zip(parts, _places(builder, storage, k), strict=True):
        builder.emit("store", None, place, part)


def _places(builder: Builder, storage: Term, k: Value) -> list[Value]:
    kinds = kind_of(storage).item.kinds
    steps = {size: builder.compute("mul", k, builder.number(size)) for size in {one.itemsize for one in kinds}}
    pairs = zip(storage.parts[1:], kinds, strict=True)
    return [builder.emit("offset", ADDRESS, start, steps[one.itemsize]) for start, one in pairs]


def each_number(builder: Builder, count: Value, write: Callable[[Value], None]) -> None:
    """Write a loop over the numbers below `count`; what it writes changes memory alone."""
    counter, label = Slot(INT64, "item"), Label("items")
    builder.region.append(Set(counter, builder.number(0)))
    loop = Loop(label)
    builder.region.append(loop)
    with builder.writing(loop.body):
        k = builder.get(counter)
        goes_on = If(builder.compare("lt", k, count))
        goes_on.otherwise.append(Leave(label))
        builder.region.append(goes_on)
        write(k)
        builder.region.append(Set(counter, builder.compute("add", k, builder.number(1))))


def moved(builder: Builder, storage: Term, k: Value, by: int) -> None:
    """Move the items from the number k on by one place, up or down, and change the length."""
    length = length_of(builder, storage)
    after = builder.compute("add", length, builder.number(by))
    if by > 0:
        check_room(builder, storage, after)
    count = builder.compute("sub", length, k)
    last = builder.compute("sub", length, builder.number(1))

    def move(j: Value) -> None:
        source = builder.compute("sub", last, j) if by > 0 else builder.compute("add", k, j)
        put_at(builder, storage, builder.compute("add", source, builder.number(by)), item_at(builder, storage, source))

    each_number(builder, count, move)
    set_length(builder, storage, after)


# Storages of other types.


def spilled(builder: Builder, items: Sequence[Term], *others: Type) -> Term:
    """Returns a storage of the items of a list of known length, which may also hold those of other types of lists.

    Raises:
        Refused: If no storage holds them.
    """
    own = Contents(list, Keys(), tuple(one.type for one in items))
    kind = grown([own, *others])
    if kind is None:
        kinds = ", ".join(dict.fromkeys(str(widened(one.type)) for one in items)) or "several things"
        raise Refused(f"a list that changes its length holds {kinds}", "keep numbers, tuples of numbers or texts in it")
    storage = new(builder, _roomy(builder, kind, len(items)), builder.number(len(items)))
    for k, item in enumerate(items):
        put_at(builder, storage, builder.number(k), item)
    return storage


def _roomy(builder: Builder, kind: Growing, length: int) -> Growing:
    capacity = builder.capacity if length <= builder.capacity else capacity_for(length)
    return Growing(kind.item, max(capacity, kind.capacity))


def retyped(builder: Builder, storage: Term, kind: Growing) -> Term:
    """Returns a storage of another type, with the same items."""
    before = kind_of(storage)
    if before.item == kind.item and before.capacity >= kind.capacity:
        return Term(kind, storage.parts)
    length = length_of(builder, storage)
    made = new(builder, kind, length)
    if before.item != UNBOUND:
        each_number(builder, length, lambda k: put_at(builder, made, k, item_at(builder, storage, k)))
    return made


def copied(builder: Builder, storage: Term) -> Term:
    """Returns a new storage with the same items."""
    length = length_of(builder, storage)
    made = new(builder, kind_of(storage), length)
    each_number(builder, length, lambda k: put_at(builder, made, k, item_at(builder, storage, k)))
    return made


# Lists.


def lists_in(term: Term) -> list[Term]:
    """Returns the lists that an object is, or whose items it reads."""
    if isinstance(term.type, Iterated):
        return [one for source in term.items() for one in lists_in(source)]
    return [term] if isinstance(term.type, Reference) and term.type.of is list else []


def grow(builder: Builder, x: Term, *items: Type) -> Term:
    """Let a list be one that grows, and may hold items of some types; returns its storage. It is changed then."""
    assert isinstance(x.type, Reference)
    contents = builder.state.heap[x.type.number]
    more = Contents(list, Keys(), items)
    storage = storage_in(contents)
    if storage is None:
        storage = spilled(builder, contents, more)
    else:
        kind = grown([storage.type, more])
        if kind is None:
            raise Refused(f"{storage.type} gets {', '.join(map(str, items))}", "let all its items be of one type")
        if kind.item != kind_of(storage).item:
            storage = retyped(builder, storage, Growing(kind.item, kind_of(storage).capacity))
    builder.state.heap[x.type.number] = (storage,)
    note_written(builder, storage)
    return storage


def note_written(builder: Builder, storage: Term) -> None:
    """Note that a storage is written."""
    builder.written += map(root_of, storage.parts)


def allocated(builder: Builder, storage: Term) -> Term:
    """Returns a new list with a storage."""
    return builder.allocate([storage], list)
