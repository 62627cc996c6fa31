"""Containers whose length is found when the program runs: what the heap holds for them is a storage, one term.

A storage is memory: the length, and an array for each kind of the items. So nothing in the heap changes when a list
grows, and paths that meet have the same storage, unless one has made it, or one holds items of other types. The items
of a dict are its keys with their values, in their order.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.writing import root_of
from palaestra.language.program import (
    ADDRESS,
    FULL,
    INT64,
    OVERLAPS,
    If,
    Kind,
    Label,
    Leave,
    Loop,
    Place,
    Region,
    Set,
    Slot,
    Value,
)
from palaestra.language.types import (
    CONTAINERS,
    LEAST_CAPACITY,
    NONE,
    SETS,
    UNBOUND,
    Array,
    Constant,
    Contents,
    Either,
    Fixed,
    Growing,
    Iterated,
    Keys,
    Moved,
    Number,
    Placed,
    Pool,
    Reference,
    Term,
    Text,
    Tuple,
    Type,
    capacity_for,
    constant,
    grown,
    is_stored,
    joined,
    shelves_in,
    stored_form,
    tuple_of,
    widened,
)


class Unplaced(Exception):
    """Objects of a class cannot be followed, so that each needs a place in a pool; see `pools`.

    Args:
        of: The class.
    """

    def __init__(self, of: type) -> None:
        super().__init__()
        self.of = of


class Shelving(Protocol):
    """What keeps containers in others: a `shelves.Shelves`."""

    merged: Mapping[type, type]
    met: list[tuple[type, type]]
    place: Place | None

    def place_of(self, term: Term) -> Term | None:
        """Returns the place of a container on a shelf; None for other objects."""

    def open(self, pools: Mapping[type, Pool]) -> None:
        """Let the program have pools of its own, all of whose places are free."""

    def assign(self, place: Term, key: str, value: Term) -> None:
        """Assign the value of a key that a dict of known keys has."""

    def storage_at(self, place: Term) -> Term | None:
        """Returns the storage of a container on a shelf; None if it is a dict of known keys."""

    def contents_at(self, place: Term) -> list[Term]:
        """Returns what the heap would hold for a dict of known keys."""

    def storable(self, term: Term) -> Term:
        """Returns an object as a list that grows has it."""

    def type_stored(self, make: Callable[[], Term]) -> Type:
        """Returns the type of what is made, as a list that grows has it."""

    def shelved(self, term: Term, root: type | None = None) -> Term:
        """Returns the place of a container, which gets one unless it has one."""

    def note_storage(self, root: type, kind: Growing) -> None:
        """Note that places of a shelf hold storages of a type."""

    def meet(self, kind: Type) -> None:
        """Note that an object may be on one of several shelves: they become one."""


class Builder(Protocol):
    """What writes a program, so far as lists need it: a `building.Builder`."""

    region: Region
    state: Any
    existing: dict[int, object]
    can_place: Callable[[type], bool]
    capacity: int
    shelves: Shelving

    @property
    def written(self) -> list[Value]:
        """See `Lending`."""

    @property
    def lent(self) -> dict[Value, int]:
        """See `Lending`."""

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

    def materialized(self, term: Term) -> Term:
        """Returns a constant number, tuple or array as parts of the program; other objects as they are."""

    def give(self, array: Term) -> None:
        """Note that something gets a copy of an array, which must not be changed any more."""

    def operate(self, key: Any, /, *terms: Term) -> Term:
        """Returns what an operation of the table returns."""

    def allocate(self, contents: Sequence[Term], of: type) -> Term:
        """Returns a new object that can be changed."""


def storage_in(contents: Sequence[Term]) -> Term | None:
    """Returns the storage among what the heap holds for an object; None if it is no container that grows."""
    first = contents[0] if len(contents) == 1 else None
    return first if first is not None and isinstance(first.type, Growing) else None


def moved_in(contents: Sequence[Term]) -> Term | None:
    """Returns the place among what the heap holds for an object, if it is a container that has got one."""
    first = contents[0] if len(contents) == 1 else None
    return first if first is not None and isinstance(first.type, Moved) else None


def storage_of(builder: Builder, term: Term) -> Term | None:
    """Returns the storage of a container that grows; None for other objects."""
    if not isinstance(term.type, Reference | Placed) or term.type.of not in CONTAINERS:
        return None
    place = builder.shelves.place_of(term)
    if place is not None:
        return builder.shelves.storage_at(place)
    assert isinstance(term.type, Reference)
    return storage_in(builder.state.heap[term.type.number])


def fixed_in(contents: Sequence[Term]) -> Any:
    """Returns the set among what the heap holds for one whose items are known; None for other objects."""
    first = contents[0] if len(contents) == 1 else None
    return first.value.items if first is not None and first.known and isinstance(first.value, Fixed) else None


def kind_of(storage: Term) -> Growing:
    """Returns the type of a storage."""
    assert isinstance(storage.type, Growing)
    return storage.type


def contents_of(builder: Builder, term: Term) -> Sequence[Term]:
    """Returns what the heap holds for a container, or would hold for one that exists."""
    place = builder.shelves.place_of(term)
    if place is not None:
        return builder.shelves.contents_at(place)
    if isinstance(term.type, Reference):
        contents: Sequence[Term] = builder.state.heap[term.type.number]
        return contents
    value = term.value
    if type(value) is dict:
        return [constant(Keys(value)), *map(constant, value.values())]
    return [constant(Fixed(value))] if isinstance(value, SETS) else list(map(constant, value))


def described_by(contents: Sequence[Term]) -> Type:
    """Returns the type of what the heap holds for a container."""
    storage, fixed = storage_in(contents), fixed_in(contents)
    if fixed is not None:
        return of_value(fixed)
    if storage is not None:
        return storage.type
    first = contents[0] if contents else None
    if first is not None and first.known and isinstance(first.value, Keys):
        return Contents(dict, first.value, tuple(one.type for one in contents[1:]))
    return Contents(list, Keys(), tuple(one.type for one in contents))


def of_value(value: Any) -> Growing:
    """Returns the type of the storage that a container of Python would be.

    Raises:
        Refused: If there is none.
    """
    return of_items(value, list(map(Constant, value.items() if isinstance(value, dict) else value)))


def of_items(value: Any, items: Sequence[Type]) -> Growing:
    """Returns the type of the storage that a container of Python would be, given those of its items.

    Raises:
        Refused: If there is none.
    """
    kind = grown([Contents(list, Keys(), tuple(items))])
    if kind is None:
        raise _mixed(type(value), items)
    return Growing(kind.item, kind.capacity, type(value), more_of(value))


def more_of(value: Any) -> Type:
    """Returns what belongs to a container of Python beside its items, see `Growing`.

    Raises:
        Refused: If it is a defaultdict whose values for missing keys are not constant.
    """
    if isinstance(value, deque):
        return Constant(value.maxlen)
    if not isinstance(value, defaultdict):
        return NONE
    made: Any = value.default_factory
    if isinstance(made, type) and made in CONTAINERS:
        return Constant(made)
    code = getattr(made, "__code__", None)
    if isinstance(made, Default) or made in (int, float, bool) or (code and not (code.co_names or code.co_freevars)):
        default = Constant(made())
        if is_stored(widened(default)) and not isinstance(default.value, type):
            return default
    raise Refused("a defaultdict makes something else than a constant", "write defaultdict(int), or d.get(key, ...)")


def most_of(kind: Growing) -> int | None:
    """Returns how many items a deque has that is full; None if there is no such number."""
    most: int | None = kind.more.value if kind.of is deque and isinstance(kind.more, Constant) else None
    return most


class Default:
    """A function that returns a number: what a defaultdict calls for missing keys.

    Args:
        value: The number.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        """Returns the number."""
        return self.value


def _mixed(of: type, items: Sequence[Type]) -> Refused:
    kinds = ", ".join(dict.fromkeys(str(widened(one)) for one in items)) or "several things"
    changes = "changes its length" if of in (list, deque) else "changes"
    return Refused(f"a {of.__name__} that {changes} holds {kinds}", "keep numbers, tuples of numbers or texts in it")


# Memory.


def new(builder: Builder, kind: Growing, length: Value) -> Term:
    """Returns a storage whose items are not written yet."""
    parts = [builder.emit("room", ADDRESS, attribute=INT64.itemsize)]
    parts += count_of_changes(builder, kind)
    parts += [builder.emit("room", ADDRESS, attribute=kind.capacity * one.bytes) for one in kind.columns]
    storage = Term(kind, tuple(parts))
    set_length(builder, storage, length)
    return storage


def count_of_changes(builder: Builder, kind: Growing) -> list[Value]:
    """Returns the part of a new storage that counts changes, if it has one."""
    if kind.lead == 1:
        return []
    word = builder.emit("room", ADDRESS, attribute=INT64.itemsize)
    builder.emit("store", None, word, builder.number(0))
    return [word]


def changes_of(builder: Builder, storage: Term) -> Value:
    """Returns the number of the changes of a deque or a dict."""
    return builder.emit("load", INT64, storage.parts[1])


def note_change(builder: Builder, storage: Term) -> None:
    """Let no loop over a deque or a dict go on."""
    if kind_of(storage).lead > 1:
        after = builder.compute("add", changes_of(builder, storage), builder.number(1))
        builder.emit("store", None, storage.parts[1], after)


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
    columns = zip(kind_of(storage).columns, _places(builder, storage, k), strict=True)
    return Term(item, tuple(_loaded(builder, one, place) for one, place in columns))


def _loaded(builder: Builder, kind: Array, place: Value) -> Value:
    """A number, or a copy of an array, in the place of which the list may get another one."""
    if not kind.shape:
        return builder.emit("load", kind.dtype, place)
    room = builder.emit("room", ADDRESS, attribute=kind.bytes)
    builder.emit("copy", None, room, place, builder.number(kind.bytes))
    builder.lent[room] = 0
    return room


def put_at(builder: Builder, storage: Term, k: Value, item: Term) -> None:
    """Write an item, which is of the storage's type, or of one of them."""
    kind = kind_of(storage)
    parts = builder.converted(with_own_arrays(builder, builder.shelves.storable(item)), kind.item).parts
    for one, part, place in zip(kind.columns, parts, _places(builder, storage, k), strict=True):
        if one.shape:
            builder.emit("copy", None, place, part, builder.number(one.bytes))
        else:
            builder.emit("store", None, place, part)


def with_own_arrays(builder: Builder, item: Term) -> Term:
    """Returns an item whose arrays are contiguous; as a list has copies of them, they are not changed any more."""
    item = builder.materialized(item)
    match item.type:
        case Array():
            builder.give(item)
            return item if item.type.contiguous else builder.operate(np.ndarray.copy, item)
        case Tuple(of=of) if not item.known:
            return tuple_of([with_own_arrays(builder, one) for one in item.items()], of)
    return item


def _places(builder: Builder, storage: Term, k: Value) -> list[Value]:
    columns = kind_of(storage).columns
    steps = {size: builder.compute("mul", k, builder.number(size)) for size in {one.bytes for one in columns}}
    pairs = zip(storage.parts[kind_of(storage).lead :], columns, strict=True)
    return [builder.emit("offset", ADDRESS, start, steps[one.bytes]) for start, one in pairs]


def _bytes_of(builder: Builder, kind: Array, count: Value) -> Value:
    return builder.compute("mul", count, builder.number(kind.bytes))


def copy_items(builder: Builder, target: Term, storage: Term, first: Value, count: Value) -> None:
    """Copy items of a storage to the begin of a new one, which has the same type of items."""
    places = _places(builder, storage, first)
    for one, end, start in zip(kind_of(storage).columns, target.parts[kind_of(target).lead :], places, strict=True):
        builder.emit("copy", None, end, start, _bytes_of(builder, one, count))


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
    source, target = (
        _places(builder, storage, k),
        _places(builder, storage, builder.compute("add", k, builder.number(by))),
    )
    count = builder.compute("sub", length, k)
    for one, start, end in zip(kind_of(storage).columns, source, target, strict=True):
        builder.emit("copy", None, end, start, _bytes_of(builder, one, count), attribute=OVERLAPS)
    set_length(builder, storage, after)
    note_change(builder, storage)


# Storages of other types.


def spilled(builder: Builder, contents: Sequence[Term], *others: Type) -> Term:
    """Returns a storage of what the heap holds for a container, which may also hold the items of others.

    Raises:
        Refused: If no storage holds them.
    """
    if storage_in(contents) is None and fixed_in(contents) is None:
        contents = [builder.shelves.storable(one) for one in contents]
    own, fixed = described_by(contents), fixed_in(contents)
    kind = grown([own, *others])
    if kind is None:
        check_placed(builder, [own, *others])
        raise _mixed(list if isinstance(own, Contents) and own.of is list else dict, _types_in(own))
    builder.shelves.meet(kind)
    items = _items_in(contents) if fixed is None else [constant(one) for one in fixed]
    storage = new(builder, _roomy(builder, kind, len(items)), builder.number(len(items)))
    for k, item in enumerate(items):
        put_at(builder, storage, builder.number(k), item)
    return storage


def fill(builder: Builder, target: Term, contents: Sequence[Term]) -> None:
    """Write the items of what the heap holds for a container into a storage."""
    source = storage_in(contents) or spilled(builder, contents)
    length = length_of(builder, source)
    check_room(builder, target, length)
    set_length(builder, target, length)
    if kind_of(target).lead > 1:
        builder.emit("store", None, target.parts[1], changes_of(builder, source))
    if kind_of(source).item != UNBOUND:
        each_number(builder, length, lambda k: put_at(builder, target, k, item_at(builder, source, k)))


def _types_in(kind: Type) -> Sequence[Type]:
    return kind.items if isinstance(kind, Contents) else (kind.item,) if isinstance(kind, Growing) else ()


def _items_in(contents: Sequence[Term]) -> list[Term]:
    """The items of a list, or the keys of a dict with their values."""
    first = contents[0] if contents else None
    if first is None or not (first.known and isinstance(first.value, Keys)):
        return list(contents)
    if any(one.type == UNBOUND or (isinstance(one.type, Either) and UNBOUND in one.type.options) for one in contents):
        reason = "a dict gets other keys of which some are missing, or at another place, on some paths"
        raise Refused(reason, "give it the same keys in the same order on each path")
    return [tuple_of([constant(key), one]) for key, one in zip(first.value, contents[1:], strict=True)]


def check_placed(builder: Builder, kinds: Iterable[Type]) -> None:
    """Check that none of some types is an object that has no place of its own, but could have one.

    Raises:
        Unplaced: If one is.
    """
    for kind in kinds:
        match kind:
            case Reference(of=of, number=number) if of not in CONTAINERS and number not in builder.existing:
                if builder.can_place(of):
                    raise Unplaced(of)
            case Tuple(items=inner) | Contents(items=inner) | Either(options=inner):
                check_placed(builder, inner)
            case Growing(item=item):
                check_placed(builder, [item])


def _roomy(builder: Builder, kind: Growing, length: int) -> Growing:
    capacity = builder.capacity if length <= builder.capacity else capacity_for(length)
    return with_capacity(kind, max(capacity, kind.capacity))


def with_capacity(kind: Growing, capacity: int) -> Growing:
    """Returns a type of storages with other room."""
    return Growing(kind.item, capacity, kind.of, kind.more)


def empty(builder: Builder, of: type, more: Type = NONE) -> Term:
    """Returns a new container without items."""
    kind = Growing(UNBOUND, LEAST_CAPACITY, of, more)
    return allocated(builder, new(builder, _roomy(builder, kind, 0), builder.number(0)))


def retyped(builder: Builder, storage: Term, kind: Growing) -> Term:
    """Returns a storage of another type, with the same items."""
    before = kind_of(storage)
    if before.item == kind.item and before.capacity >= kind.capacity:
        return Term(kind, storage.parts)
    length = length_of(builder, storage)
    made = new(builder, kind, length)
    if kind.lead > 1:  # a loop over it may be running
        builder.emit("store", None, made.parts[1], changes_of(builder, storage))
    if before.item != UNBOUND:
        each_number(builder, length, lambda k: put_at(builder, made, k, item_at(builder, storage, k)))
    return made


def copied(builder: Builder, storage: Term) -> Term:
    """Returns a new storage with the same items."""
    kind = kind_of(storage)
    return as_other(builder, storage, kind.of, kind.more)


def tabled(builder: Builder, value: Any) -> Term:
    """Returns a container that is never changed, of the items of one that exists; they are in tables.

    Raises:
        Refused: If no storage holds them.
    """
    kind = of_value(value)
    items = list(value.items() if isinstance(value, dict) else value)
    rows = [[*_numbers_of(kind.item, one)] for one in items]
    columns = [np.array([row[k] for row in rows], one.dtype) for k, one in enumerate(kind.columns)]
    tables = [np.array([len(items)]), *[np.zeros(1, np.int64)] * (kind.lead - 1), *columns]
    parts = [builder.emit("table", ADDRESS, attribute=one) for one in tables]
    return builder.allocate([Term(kind, tuple(parts))], kind.of)


def _numbers_of(kind: Type, value: Any) -> Iterator[Any]:
    """Yields the numbers of an object, as `Term` has them for its type."""
    match kind:
        case Number() | Array():
            yield value
        case Tuple(items=items):
            for item, one in zip(items, value, strict=True):
                yield from _numbers_of(item, one)
        case Either(options=options):
            chosen = next(k for k, one in enumerate(options) if joined(one, Constant(value)) == one)
            yield chosen
            for k, one in enumerate(options):
                yield from _numbers_of(one, value) if k == chosen else [0] * len(one.kinds)


def as_other(builder: Builder, storage: Term, of: type, more: Type = NONE) -> Term:
    """Returns a new storage of another class with the same items."""
    kind, length = kind_of(storage), length_of(builder, storage)
    made = new(builder, Growing(kind.item, kind.capacity, of, more), length)
    copy_items(builder, made, storage, builder.number(0), length)
    return made


def inlined(builder: Builder, storage: Term) -> Term:
    """Returns a new storage of lists whose items are these lists, rather than their places.

    Raises:
        Refused: If there are other containers in it, or lists in those lists.
    """
    kind, length = kind_of(storage), length_of(builder, storage)
    inner = storage_of(builder, item_at(builder, storage, builder.number(0)))
    if not isinstance(kind.item, Placed) or inner is None or kind_of(inner).lead > 1 or shelves_in(kind_of(inner)):
        raise Refused("containers in containers are no info")
    made = new(builder, Growing(kind_of(inner), kind.capacity, kind.of, kind.more), length)

    def write(k: Value) -> None:
        item = storage_of(builder, item_at(builder, storage, k))
        assert item is not None
        count, (first, *rest) = length_of(builder, item), _places(builder, made, k)
        builder.emit("store", None, first, count)
        for column, source, place in zip(kind_of(item).columns, item.parts[1:], rest, strict=True):
            builder.emit("copy", None, place, source, _bytes_of(builder, column, count))

    each_number(builder, length, write)
    return made


# Containers.


def containers_in(term: Term) -> list[Term]:
    """Returns the containers that an object is, or whose items it reads."""
    if isinstance(term.type, Iterated):
        return [one for source in term.items() for one in containers_in(source)]
    return [term] if isinstance(term.type, Reference | Placed) and term.type.of in CONTAINERS else []


def _has_text(kind: Type) -> bool:
    """Whether a type is that of a text that is made, or of a tuple with one."""
    return isinstance(kind, Text) or (isinstance(kind, Tuple) and any(map(_has_text, kind.items)))


def grow(builder: Builder, x: Term, *items: Type) -> Term:
    """Let a container be one that grows, and may hold items of some types; returns its storage. It is changed then."""
    place = builder.shelves.place_of(x)
    storage = storage_of(builder, x)
    if storage is None:
        if place is not None:
            raise Refused("a dict in a list changes its keys", "give all dicts in it the same keys")
        assert isinstance(x.type, Reference)
        contents = builder.state.heap[x.type.number]
        storage = spilled(builder, contents, *_holding(described_by(contents), items))
    else:
        own = kind_of(storage)
        kind = grown([own, *_holding(own, items)])
        if kind is None:
            check_placed(builder, items)
            is_text = any(_has_text(one) for one in items)
            remedy = "keep its parts, and write the text in render" if is_text else "let all its items be of one type"
            raise Refused(f"{own} gets {', '.join(map(str, items))}", remedy)
        builder.shelves.meet(kind)
        if kind.item != own.item and place is not None:
            assert isinstance(place.type, Placed)
            builder.shelves.note_storage(place.type.root, with_capacity(kind, own.capacity))
            storage = storage_of(builder, x) or storage
        elif kind.item != own.item:
            storage = retyped(builder, storage, with_capacity(kind, own.capacity))
    if place is None:
        assert isinstance(x.type, Reference)
        builder.state.heap[x.type.number] = (storage,)
    note_written(builder, storage)
    return storage


def _holding(own: Type, items: Sequence[Type]) -> list[Type]:
    """The types of containers like one, each of which holds an item."""
    of, more = (own.of, own.more) if isinstance(own, Growing) else (getattr(own, "of", list), NONE)
    return [Growing(stored_form(one), LEAST_CAPACITY, of, more) for one in items]


def note_written(builder: Builder, storage: Term) -> None:
    """Note that a storage is written."""
    builder.written.extend(map(root_of, storage.parts))


def allocated(builder: Builder, storage: Term) -> Term:
    """Returns a new container with a storage."""
    return builder.allocate([storage], kind_of(storage).of)
