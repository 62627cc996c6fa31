"""States between steps: what objects hold, as fields that columns keep, and as it is read from them.

The state of an object is described by a type: `Contents`, with a type for each attribute. An attribute that is a
constant has no field; a number or an array has one; a tuple, list, dict or object has those of its items; an object of
several types has a tag, and then the fields of each option. A list that grows has its length, and the fields of an
item, each with an axis for the items.

Arrays are read into rooms, in which a step may write. Those that no step writes are read where they are: `settle`
removes their rooms from the program when that is known.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import reduce
from itertools import islice
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from palaestra.language.frontend import growing
from palaestra.language.frontend.building import keys_of
from palaestra.language.frontend.choosing import texts_in
from palaestra.language.frontend.hidden import STREAM
from palaestra.language.frontend.placing import Made, Places
from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.stand_ins import StandIn, as_held
from palaestra.language.frontend.writing import root_of, roots_of, sets_of
from palaestra.language.program import ADDRESS, FULL, INT64, Region, Value
from palaestra.language.types import (
    CONTAINERS,
    IN_SHELF,
    LEAST_CAPACITY,
    PYTHON,
    UNBOUND,
    WORD,
    Array,
    Bounded,
    Chosen,
    Constant,
    Contents,
    Either,
    Former,
    Given,
    Growing,
    Keys,
    Layout,
    Method,
    Number,
    Packed,
    Placed,
    Pool,
    Reference,
    Stream,
    Term,
    Text,
    Tuple,
    Type,
    constant,
    grown,
    joined,
    pairs_of,
    plain,
    tuple_of,
    widened,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


class Field(NamedTuple):
    """A number or an array of a state, or the memory of a pool."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    is_numpy: bool
    pool: Pool | None = None


def fields_of(kind: Type, name: str) -> Iterator[Field]:
    """Yields the fields that keep an object of a type.

    Raises:
        Refused: If the type is that of no state.
    """
    match kind:
        case Number(dtype=dtype, python=python):
            yield Field(name, dtype, (), not python)
        case Chosen() | Placed():
            yield Field(name, INT64, (), False)
        case Pool(words=words):
            yield Field(f"{kind.root.__name__}_places", INT64, (words,), False, kind)
        case Array(shape=()):
            raise Refused(f"self.{name} is an array without axes, which is not kept between steps", "keep a number")
        case Array(dtype=dtype, shape=shape):
            yield Field(name, dtype, shape, False)
        case Tuple(items=items):
            for k, item in enumerate(items):
                yield from fields_of(item, f"{name}_{kind.fields[k] if kind.fields else k}")
        case Text(items=items):
            for item in items:
                yield from fields_of(item, name)
        case Contents(keys=keys, items=items):
            for k, item in enumerate(items):
                yield from fields_of(item, f"{name}_{keys[k] if keys else k}".lstrip("_") or "_")
        case Either(options=options):
            yield Field(f"{name}_type", INT64, (), False)
            for k, option in enumerate(options):
                yield from fields_of(option, f"{name}_{k}" if k else name)
        case Growing(item=item, capacity=capacity):
            yield Field(f"{name}_length", INT64, (), False)
            for one in fields_of(item, name):
                yield Field(one.name, one.dtype, (capacity, *one.shape), False)
        case Constant() | Stream() | Given():
            return
        case _:
            raise Refused(f"self.{name} is {kind}, which is not kept between steps", "keep numbers and arrays")


def described(front: FrontEnd, term: Term, name: str = "") -> Type:
    """Returns the type that describes what an object holds."""
    given = front.given.get(term.parts[0]) if len(term.parts) == 1 else None
    if given is not None and name == f".{given.name}":
        return given
    match term.type:
        case Reference(number=number) if name and number in front.existing:
            return Constant(front.existing[number])
        case Reference(number=number, of=of):
            contents = front.state.heap[number]
            if (place := front.shelves.place_of(term)) is not None:
                return place.type
            if growing.storage_in(contents) or growing.fixed_in(contents) is not None:
                found = growing.described_by(contents)
                assert isinstance(found, Growing)
                return growing.with_capacity(found, LEAST_CAPACITY)
            keys = keys_of(contents)
            items = contents if keys is None else contents[1:]
            keys = Keys() if keys is None else keys
            names = [f"{name}.{key}" for key in keys] or [name] * len(items)
            kinds = (described(front, one, each) for one, each in zip(items, names, strict=True))
            return Contents(of, keys, tuple(kinds))
        case Tuple(of=of):
            return Tuple(tuple(described(front, one, name) for one in term.items()), of)
        case Text() if name.startswith(".") and (chosen := texts_in(term.type)) is not None:
            return chosen
        case Text(template=str(template)) if not name.startswith("."):
            return Text(template, tuple(described(front, one, name) for one in term.items()))
        case Packed(item=item, length=length):
            return Tuple((item,) * length)
        case Array(writable=False) if term.part in front.read_only:
            raise Refused(f"self{name} is a view that NumPy makes read-only", "keep a copy: np.diag(a).copy(), say")
        case Array(dtype=dtype, shape=shape):
            return plain(dtype, shape)
        case Either():
            kinds = (described(front, one, name) for one in term.items())
            found = reduce(lambda a, b: merged(a, b) if a else None, kinds)  # type: ignore[arg-type,return-value]
            if found is None:
                raise Refused(f"self{name} has too many types", "let it hold one type")
            return found
        case Constant() | Number() | Stream() | Chosen() | Placed() | Pool():
            return term.type
        case Former():
            reason = f"self{name} keeps the generator from before the reset, and a reset with a seed makes another"
            raise Refused(reason, "assign self.np_random again, behind super().reset(seed=seed)")
    raise Refused(f"self{name} is {term.type}, which is not kept between steps", "keep numbers, arrays and tuples")


def structural(kind: Type) -> Type:
    """Returns the type of a constant list, dict or array that is a state after all; others as they are."""
    if not isinstance(kind, Constant):
        return kind
    value = kind.value
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return plain(value.dtype, value.shape)
    if type(value) in CONTAINERS and type(value) not in (list, dict):
        with suppress(Refused):
            return growing.with_capacity(growing.of_items(value, _structural_items(value)), LEAST_CAPACITY)
        return kind
    if type(value) is list:
        return Contents(list, Keys(), tuple(structural(Constant(one)) for one in value))
    if type(value) is dict:
        return Contents(dict, Keys(value), tuple(structural(Constant(one)) for one in value.values()))
    if isinstance(value, tuple) and (type(value) is tuple or hasattr(value, "_fields")):
        return Tuple(tuple(structural(Constant(one)) for one in value), type(value))
    return widened(kind)


def _structural_items(value: Any) -> list[Type]:
    items = value.items() if isinstance(value, dict) else value
    return [structural(Constant(one)) for one in items]


def merged(a: Type, b: Type) -> Type | None:
    """Returns the type of a state that is described by one type at one time, and by the other at another."""
    if a == b:
        return a
    if isinstance(a, Contents) and isinstance(b, Contents) and a.of is b.of:
        return _merged_contents(a, b)
    if isinstance(a, Tuple) and isinstance(b, Tuple) and a.of is b.of and len(a.items) == len(b.items):
        items = [merged(x, y) for x, y in zip(a.items, b.items, strict=True)]
        return Tuple(tuple(one for one in items if one), a.of) if all(items) else None
    x, y = structural(a), structural(b)
    if (x, y) != (a, b):
        return merged(x, y)
    return None if _changes(a) and _changes(b) else joined(a, b)


def _merged_contents(a: Contents, b: Contents) -> Type | None:
    if a.of is list and len(a.items) != len(b.items):
        return joined(a, b)
    if a.of is dict and {*a.keys} != {*b.keys}:
        kind = grown([a, b])
        if kind is not None and isinstance(kind.item, Tuple) and not isinstance(kind.item.items[1], Either):
            return kind
    keys, pairs = (a.keys, list(zip(a.items, b.items, strict=True))) if a.of is list else pairs_of(a, b)
    items = [merged(x, y) for x, y in pairs]
    return Contents(a.of, keys, tuple(one for one in items if one)) if all(items) else None


def _changes(kind: Type) -> bool:
    """Whether a constant is an object that may be changed, of which no column keeps another."""
    if not isinstance(kind, Constant) or kind == UNBOUND:
        return False
    value = kind.value
    single = bool, int, float, complex, str, bytes, type(None), Enum, type, FunctionType, np.generic
    return not isinstance(value, single) and kind != UNBOUND


# Reading.


class Room(NamedTuple):
    """The room of an array: the number of its field, the copy from the column, and a zero for `settle`.

    That of the length of a list has no zero: the length is a number, which is stored.
    """

    field: int
    copy: Value
    zero: Value | None


@dataclass
class Loaded:
    """What was read from fields.

    Attributes:
        term: The object.
        rooms: The rooms of arrays.
        fields: The fields of the columns.
        names: The attribute that each field which was read belongs to.
        objects: The numbers of lists, dicts and objects, with the name of the attribute that they belong to.
    """

    term: Term
    rooms: dict[Value, Room]
    fields: list[Term]
    names: dict[int, str]
    objects: dict[int, str]


@dataclass
class Loader:
    """Reads an object from fields.

    Args:
        front: The front end.
        fields: The fields of the columns, one behind the other.
        root: The object of the user's that the description is of; constants that hold it refer to what is read.
        stream: The environment's random stream.
        held: What other attributes hold that held this before.
        given: The constants that the batch passes, by name.
        in_place: The names of arrays that are changed where they are.
    """

    front: FrontEnd
    fields: list[Term]
    root: object
    stream: Term
    held: Term
    given: Mapping[str, Term] = field(default_factory=dict)
    in_place: frozenset[str] = frozenset()
    rooms: dict[Value, Room] = field(default_factory=dict)
    objects: dict[int, str] = field(default_factory=dict)

    names: dict[int, str] = field(default_factory=dict)

    def load(self, columns: Contents, kind: Contents) -> Loaded:
        """Read an object of a class.

        Args:
            columns: The type that the columns hold.
            kind: The type that it is of, which may have fewer options.
        """
        self._numbers = iter(selection(columns, kind))
        self._root = self.front.allocate([], kind.of)
        assert isinstance(self._root.type, Reference)
        self.front.existing[self._root.type.number] = self.root
        self.front.pools = {}
        self._fill(self._root, kind, "")
        assert next(self._numbers, None) is None
        self.front.loaded = max(self.front.state.heap)
        return Loaded(self._root, self.rooms, self.fields, self.names, self.objects)

    def _next(self, name: str) -> int:
        k = next(self._numbers)
        self.names[k] = name
        return k

    def _fill(self, reference: Term, kind: Contents, name: str) -> None:
        assert isinstance(reference.type, Reference)
        names = [f"{name}.{key}" if name else str(key) for key in kind.keys] or [name] * len(kind.items)
        items = [self._read(one, each) for one, each in zip(kind.items, names, strict=True)]
        contents = items if kind.of is list else [constant(kind.keys), *items]
        self.front.state.heap[reference.type.number] = tuple(contents)
        self.objects[reference.type.number] = name

    def _read(self, kind: Type, name: str) -> Term:
        match kind:
            case Number():
                term = self.fields[self._next(name)]
                term.part.called(name)
                return term
            case Chosen() | Placed():
                return Term(kind, self.fields[self._next(name)].parts)
            case Pool(words=words):
                pool = Term(kind, (self._room(name, WORD * words, WORD * words),))
                self.front.pools[kind.root] = pool
                return pool
            case Array():
                return self._array(kind, name)
            case Tuple(items=items, of=of):
                return tuple_of([self._read(one, name) for one in items], of)
            case Growing():
                return self._list(kind, name)
            case Contents():
                reference = self.front.allocate([], kind.of)
                self._fill(reference, kind, name)
                return reference
            case Either(options=options):
                tag = self.fields[self._next(name)]
                terms = [self._read(one, name) for one in options]
                parts = [part for term in terms for part in term.parts]
                return Term(Either(tuple(term.type for term in terms)), (tag.part, *parts))
            case Stream():
                return self.stream if name == STREAM else self.held
            case Given():
                self.front.given[self.given[kind.name].part] = kind
                return self.given[kind.name]
        return self._constant(kind)

    def _constant(self, kind: Type) -> Term:
        assert isinstance(kind, Constant)
        if kind.value is self.root:
            return self._root
        if isinstance(kind.value, MethodType) and kind.value.__self__ is self.root:
            return Term(Method(self._root.type, kind.value.__func__))
        return Term(kind)

    def _array(self, kind: Array, name: str) -> Term:
        if name in self.in_place:
            return Term(plain(kind.dtype, kind.shape), (self.fields[self._next(name)].part,))
        size = kind.size * kind.dtype.itemsize
        return Term(plain(kind.dtype, kind.shape), (self._room(name, size, size),))

    def _room(self, name: str, size: int | Value, bytes_of_room: int) -> Value:
        """A room with what a column of arrays holds."""
        k, front = self._next(name), self.front
        source = self.fields[k].part
        zero = front.number(0)
        room = front.emit("room", ADDRESS, attribute=max(bytes_of_room, 1))
        room.called(name)
        copy = front.emit("copy", None, room, source, size if isinstance(size, Value) else front.number(size))
        self.rooms[room] = Room(k, copy, zero)
        return room

    def _list(self, kind: Growing, name: str) -> Term:
        """A list that grows, with more room than the columns have: what does not fit there is found in the end."""
        k, front = self._next(name), self.front
        capacity = max(kind.capacity, front.capacity)
        room = front.emit("room", ADDRESS, attribute=INT64.itemsize)
        self.rooms[room] = Room(k, front.emit("store", None, room, self.fields[k].part), None)
        length = self.fields[k].part
        rooms = [self._room(name, _bytes_of(front, kind, one, length), capacity * one.bytes) for one in kind.columns]
        parts = (room, *growing.count_of_changes(front, kind), *rooms)
        made = growing.allocated(front, Term(growing.with_capacity(kind, capacity), parts))
        assert isinstance(made.type, Reference)
        self.objects[made.type.number] = name
        return made


SHORT = 256
"""The bytes of a list that are copied as they are: more only so far as there are items."""


def _bytes_of(front: FrontEnd, kind: Growing, one: Array, length: Value) -> Value | int:
    """The bytes of the items in one of a list's fields, or of all that it has room for, if these are few."""
    size = kind.capacity * one.bytes
    return size if size <= SHORT else front.compute("mul", length, front.number(one.bytes))


def selection(columns: Type, kind: Type) -> list[int]:
    """Returns the numbers of the fields of `columns` that hold an object of `kind`, of as many options or one."""
    return list(_selected(columns, kind, 0))


def _selected(columns: Type, kind: Type, start: int) -> Iterator[int]:
    size = len(list(fields_of(columns, "")))
    if isinstance(columns, Either) and columns != kind:
        k = option_of(columns, kind)
        start += 1 + sum(len(list(fields_of(one, ""))) for one in columns.options[:k])
        yield from _selected(columns.options[k], kind, start)
    elif isinstance(columns, (Tuple, Contents)) and isinstance(kind, (Tuple, Contents)):
        for one, other in zip(columns.items, _items_of(columns, kind), strict=True):
            yield from _selected(one, other, start)
            start += len(list(fields_of(one, "")))
    elif kind == columns:
        yield from range(start, start + size)


def _items_of(columns: Tuple | Contents, kind: Tuple | Contents) -> Sequence[Type]:
    if isinstance(columns, Contents) and isinstance(kind, Contents) and columns.keys != kind.keys:
        held = dict(zip(kind.keys, kind.items, strict=True))
        return [held.get(key, UNBOUND) for key in columns.keys]
    return kind.items


def narrowed(columns: Type, kind: Type) -> Type:
    """Returns the type of objects that `columns` hold and that are of `kind`: with one option, or with all of them."""
    if isinstance(columns, Either):
        if isinstance(kind, Either) or columns == kind:
            return columns
        option = columns.options[option_of(columns, kind)]
        return narrowed(option, kind)
    if isinstance(columns, Tuple) and isinstance(kind, Tuple):
        return Tuple(tuple(map(narrowed, columns.items, kind.items)), columns.of)
    if isinstance(columns, Contents) and isinstance(kind, Contents):
        items = _items_of(columns, kind)
        return Contents(columns.of, columns.keys, tuple(map(narrowed, columns.items, items)))
    return columns


def written_rooms(front: FrontEnd, loaded: Loaded, body: Region) -> set[Value]:
    """Returns the rooms in which the program writes."""
    sets = sets_of(body)
    found = {root for address in front.written for root in roots_of(address, sets)}
    return {room for room in loaded.rooms if room in found}


def settle(loaded: Loaded, written: set[Value]) -> None:
    """Let arrays that are not written be read where their columns are, in the program as it stands."""
    for room, (_, copy, zero) in loaded.rooms.items():
        if room not in written and zero is not None:
            source = copy.arguments[1]
            room.operation, room.arguments, room.attribute = "offset", (source, zero), None
            copy.operation, copy.kind, copy.arguments = "word", INT64, (source,)


# Writing.


def shelve_as(front: FrontEnd, kind: Type, term: Term) -> None:
    """Put those containers on shelves that a description has there, at the end of a program."""
    if isinstance(term.type, Either):
        for one in term.items():
            shelve_as(front, kind, one)
        return
    match kind:
        case Placed(root=root) if kind.is_container:
            if isinstance(term.type, Reference) and term.type.of is kind.of:
                front.shelves.shelved(term, root)
        case Either(options=options):
            for option in options:
                shelve_as(front, option, term)
        case Growing() if isinstance(term.type, Reference) and _holds_shelves(kind.item):
            storage = growing.storage_of(front, term)
            if storage is None or growing.kind_of(storage).item != kind.item:
                front.state.heap[term.type.number] = (_storage_like(front, kind, term),)
        case Contents() if isinstance(term.type, Reference) and front.shelves.place_of(term) is None:
            if growing.storage_of(front, term) is None and _holds_shelves(kind):
                for item, one in zip(kind.items, _items_like(front, kind, term), strict=True):
                    shelve_as(front, item, one)
        case Tuple(items=items) if isinstance(term.type, Tuple):
            for item, one in zip(items, term.items(), strict=True):
                shelve_as(front, item, one)


def _holds_shelves(kind: Type) -> bool:
    match kind:
        case Placed():
            return kind.is_container
        case Tuple(items=items) | Either(options=items) | Contents(items=items):
            return any(map(_holds_shelves, items))
        case Growing(item=item):
            return _holds_shelves(item)
    return False


def kept(front: FrontEnd, kind: Type, term: Term, loaded: Loaded, written: set[Value]) -> list[Term | None]:
    """Returns the fields that keep an object; None for those that are as they were.

    Args:
        front: The front end.
        kind: The type that describes the state.
        term: The object, whose description fits it.
        loaded: What was read.
        written: The rooms that are written.
    """
    numbers = iter(range(len(loaded.fields)))
    return list(_kept(front, kind, term, loaded, written, numbers))


def _kept(
    front: FrontEnd, kind: Type, term: Term, loaded: Loaded, written: set[Value], numbers: Iterator[int]
) -> Iterator[Term | None]:
    if isinstance(term.type, Either) and not isinstance(kind, Either):
        yield from _kept_each(front, kind, term, loaded, written, numbers)
        return
    match kind:
        case Chosen():
            before, value = loaded.fields[next(numbers)], Term(PYTHON[int], front.converted(term, kind).parts)
            yield None if value.part is before.part else value
        case Number():
            before, value = loaded.fields[next(numbers)], front.materialized(term)
            yield None if value.part is before.part else value
        case Placed():
            before, place = loaded.fields[next(numbers)], front.shelves.place_of(term) or term
            yield None if place.part is before.part else Term(PYTHON[int], place.parts)
        case Pool(words=words):
            yield _kept_array(
                front, Term(plain(INT64, (words,)), term.parts), loaded.fields[next(numbers)], loaded, written
            )
        case Array():
            yield _kept_array(front, term, loaded.fields[next(numbers)], loaded, written)
        case Tuple(items=items) | Text(items=items):
            terms = [constant(one) for one in term.value] if term.known else list(term.items())
            for item, one in zip(items, terms, strict=True):
                yield from _kept(front, item, one, loaded, written, numbers)
        case Growing():
            yield from _kept_list(front, kind, term, loaded, written, numbers)
        case Contents():
            for item, one in zip(kind.items, _items_like(front, kind, term), strict=True):
                yield from _kept(front, item, one, loaded, written, numbers)
        case Either():
            yield from _kept_option(front, kind, term, loaded, written, numbers)


def _kept_array(front: FrontEnd, term: Term, before: Term, loaded: Loaded, written: set[Value]) -> Term | None:
    """An array apart from the columns; None if it is that of its own column, unwritten."""
    value = front.materialized(term)
    kind = value.type
    assert isinstance(kind, Array | Bounded)
    if value.parts[0] is before.part:
        return None
    root = root_of(value.parts[0])
    is_read = root in loaded.rooms and root not in written
    is_in_order = isinstance(kind, Bounded) or kind.contiguous  # not transposed
    if is_read and is_in_order and value.parts[0] is root and loaded.rooms[root].copy.arguments[1] is before.part:
        return None
    is_apart = root.operation in ("room", "room_each", "table") and not is_read
    return value if is_apart and is_in_order else front.operate(np.ndarray.copy, value)


def _kept_list(
    front: FrontEnd, kind: Growing, term: Term, loaded: Loaded, written: set[Value], numbers: Iterator[int]
) -> Iterator[Term | None]:
    """The length and the items of a list that grows; those are as they were if it is the same, unwritten."""
    places = list(islice(numbers, 1 + len(kind.columns)))
    storage = _storage_like(front, kind, term)
    root = storage.parts[0]
    if root in loaded.rooms and root not in written and loaded.rooms[root].field == places[0]:
        yield from [None] * len(places)
        return
    length = growing.length_of(front, storage)
    front.raise_if(front.compare("gt", length, front.number(kind.capacity)), FULL)
    yield Term(PYTHON[int], (length,))
    for place, one, part in zip(places[1:], kind.columns, storage.parts[kind.lead :], strict=True):
        whole = plain(one.dtype, (kind.capacity, *one.shape))
        if whole.bytes <= SHORT and root_of(part) in loaded.rooms:
            array = Term(whole, (part,))
        else:  # what is behind the items was never written
            array = Term(Bounded(one.dtype, whole.shape, whole.strides, (0,), (None,)), (part, length))
        yield _kept_array(front, array, loaded.fields[place], loaded, written)


def _storage_like(front: FrontEnd, kind: Growing, term: Term) -> Term:
    """The storage of a container, with items as a description has them."""
    storage = growing.storage_of(front, term)
    if storage is None:
        storage = growing.spilled(front, growing.contents_of(front, term), kind)
    return growing.retyped(front, storage, growing.with_capacity(kind, growing.kind_of(storage).capacity))


def _items_of_list(front: FrontEnd, term: Term) -> Sequence[Term]:
    if term.known:
        return [constant(one) for one in term.value]
    assert isinstance(term.type, Reference)
    return front.state.heap[term.type.number]


def _items_like(front: FrontEnd, kind: Contents, term: Term) -> list[Term]:
    """What a list, dict or object holds, in the order of a description."""
    if kind.of is list:
        return list(_items_of_list(front, term))
    if term.known:
        value = term.value
        return [constant(value[key]) if key in value else Term(UNBOUND) for key in kind.keys]
    assert isinstance(term.type, Reference)
    contents = front.state.heap[term.type.number]
    held = dict(zip(keys_of(contents) or (), contents[1:], strict=True))
    return [held.get(key, Term(UNBOUND)) for key in kind.keys]


def _kept_option(
    front: FrontEnd, kind: Either, term: Term, loaded: Loaded, written: set[Value], numbers: Iterator[int]
) -> Iterator[Term | None]:
    """The tag and the fields of every option; those of options that it is not stay as they were."""
    counts = [len(list(fields_of(option, ""))) for option in kind.options]
    first, *_ = places = list(islice(numbers, 1 + sum(counts)))

    def fields(one: Term) -> list[Term | None]:
        k = option_of(kind, described(front, one))
        found: list[Term | None] = [None] * len(places)
        found[0] = front.materialized(constant(k))
        start = 1 + sum(counts[:k])
        own = _kept(front, kind.options[k], one, loaded, written, iter(places[start : start + counts[k]]))
        found[start : start + counts[k]] = own
        return found

    yield from _of_each(front, term, fields, loaded.fields[first : first + len(places)])


def _kept_each(
    front: FrontEnd, kind: Type, term: Term, loaded: Loaded, written: set[Value], numbers: Iterator[int]
) -> Iterator[Term | None]:
    """The fields of an object that is one of several lists, say, all of one type."""
    places = list(islice(numbers, len(list(fields_of(kind, "")))))

    def fields(one: Term) -> list[Term | None]:
        return list(_kept(front, kind, one, loaded, written, iter(places)))

    yield from _of_each(front, term, fields, [loaded.fields[k] for k in places])


def _of_each(
    front: FrontEnd, term: Term, fields: Callable[[Term], list[Term | None]], before: list[Term]
) -> Iterator[Term | None]:
    """The fields of the option that an object is."""

    def terms(one: Term) -> Term:
        found = [value or old for value, old in zip(fields(one), before, strict=True)]
        return Term(Tuple(tuple(one.type for one in found)), tuple(part for one in found for part in one.parts))

    yield from front.each_option(term, terms).items() if isinstance(term.type, Either) else fields(term)


def option_of(kind: Either, found: Type) -> int:
    """Returns the number of the option that an object of a type is."""
    for k, option in enumerate(kind.options):
        if merged(option, found) == option:
            return k
    raise Refused(f"an attribute holds {found} on a path, and {kind} on others", "let it hold one type")


# In Python.


def flattened(kind: Type, value: Any, stream: object = None, places: Places | None = None) -> Iterator[Any]:
    """Yields the values of the fields that keep an object.

    Args:
        kind: Its type.
        value: The object.
        stream: The environment's generator; None if it does not matter.
        places: The places of the environment's objects in pools; None if it has no pools.

    Raises:
        TypeError: If it does not fit the type.
    """
    match kind:
        case Number(dtype=dtype):
            yield _fitting(value, dtype, ())
        case Chosen():
            if kind.number_of(value) is None:
                raise TypeError(f"one of {len(kind.options)} constants is held here, not {value!r}")
            yield kind.number_of(value)
        case Array(dtype=dtype, shape=shape):
            yield _fitting(value, dtype, shape)
        case Tuple(items=items):
            if not isinstance(value, tuple) or len(value) != len(items):
                raise TypeError(f"{value!r} does not fit here")
            for item, one in zip(items, value, strict=True):
                yield from flattened(item, one, stream, places)
        case Placed(root=root):
            if places is None or not fits(kind, value):
                raise TypeError(f"{value!r} does not fit here")
            yield places.number(root, value)
        case Pool(root=root):
            yield np.zeros(kind.words, np.int64) if places is None else places.words(kind)
        case Growing():
            yield from _flattened_list(kind, value, stream, places)
        case Contents():
            for item, one in zip(kind.items, _values_like(kind, as_held(kind.of, value)), strict=True):
                yield from flattened(item, one, stream, places)
        case Stream() if stream is not None and value is not stream:
            raise TypeError(f"self.np_random is held here, not {value!r}")
        case Either(options=options):
            k = next((k for k, option in enumerate(options) if fits(option, value)), None)
            if k is None:
                raise TypeError(f"{value!r} does not fit here")
            yield k
            for number, option in enumerate(options):
                yield from flattened(option, value, stream, places) if number == k else zeros(option)


def _flattened_list(kind: Growing, value: Any, stream: object, places: Places | None) -> Iterator[Any]:
    if not _fits_in(kind, value):
        raise TypeError(f"a {kind.of.__name__} of up to {kind.capacity} items is held here, not {value!r}")
    yield len(value)
    rows = [tuple(flattened(kind.item, one, stream, places)) for one in items_of_value(value)]
    for k, one in enumerate(kind.columns):
        column = np.zeros((kind.capacity, *one.shape), one.dtype)
        column[: len(rows)] = [row[k] for row in rows] or np.zeros((0, *one.shape))
        yield column


def _fits_in(kind: Growing, value: Any) -> bool:
    if not isinstance(value, CONTAINERS) or type(value) is not kind.of or len(value) > kind.capacity:
        return False
    with suppress(Refused):
        return growing.more_of(value) == kind.more
    return False


def items_of_value(value: Any) -> Iterable[Any]:
    """Returns the items of a container of Python; those of a dict are its keys with their values."""
    return value.items() if isinstance(value, dict) else value


def _fitting(value: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Any:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf" or not np.can_cast(array.dtype, dtype):
        raise TypeError(f"{dtype} is held here, not {value!r}")
    if array.shape != shape:
        raise TypeError(f"an array of shape {shape} is held here, not {value!r}")
    return array.astype(dtype)[()]


_ABSENT = UNBOUND.value


def _values_like(kind: Contents, value: Any) -> list[Any]:
    if kind.of is list:
        if not isinstance(value, list) or len(value) != len(kind.items):
            raise TypeError(f"a list of {len(kind.items)} items is held here, not {value!r}")
        return value
    held = value if kind.of is dict else getattr(value, "__dict__", None)
    if held is None or (kind.of is dict and (type(value) is not dict or not {*value} <= {*kind.keys})):
        raise TypeError(f"{value!r} does not fit here")
    return [held.get(key, _ABSENT) for key in kind.keys]


def fits(kind: Type, value: Any) -> bool:
    """Returns whether a value is of a type."""
    match kind:
        case Constant():
            return kind == Constant(value)
        case Chosen():
            return kind.number_of(value) is not None
        case Number(dtype=dtype, python=True):
            is_kept = type(value) is not int or -(2**63) <= value < 2**63
            return is_kept and type(value) is next(one for one, other in PYTHON.items() if other.dtype == dtype)
        case Number(dtype=dtype):
            return isinstance(value, np.generic) and value.dtype == dtype
        case Array(dtype=dtype, shape=shape):
            return isinstance(value, np.ndarray) and (value.dtype, value.shape) == (dtype, shape)
        case Tuple(items=items, of=of):
            return isinstance(value, tuple) and type(value) is of and _all_fit(items, value)
        case Growing(item=item):
            return _fits_in(kind, value) and all(fits(item, one) for one in items_of_value(value))
        case Contents():
            if issubclass(kind.of, StandIn):
                return type(value) is kind.of.of
            if type(value) is not kind.of:
                return False
            try:
                values = _values_like(kind, value)
            except TypeError:
                return False
            return all(map(fits, kind.items, values))
        case Either(options=options):
            return any(fits(option, value) for option in options)
        case Stream():
            return isinstance(value, np.random.Generator)
        case Placed(classes=classes):
            return type(value) is kind.of if kind.is_container else type(value) in classes
    return False


def _all_fit(kinds: tuple[Type, ...], values: tuple[Any, ...]) -> bool:
    return len(kinds) == len(values) and all(map(fits, kinds, values))


def with_places(kind: Contents, env: Any) -> Contents:
    """Returns the type of an environment whose pools have room for twice its objects, and for the items of each."""
    places = places_of(kind, env)
    if places is None:
        return kind
    items = (_roomy_pool(one, *places.needs(one.root)) if isinstance(one, Pool) else one for one in kind.items)
    return Contents(kind.of, kind.keys, tuple(items))


def places_of(kind: Contents, env: Any, stream: object = None) -> Places | None:
    """Returns the places of an environment's objects in pools, if it has any; the stream is as that of `flattened`."""
    if not any(isinstance(one, Pool) for one in kind.items):
        return None
    return Places(kind, env, lambda one, value, places: flattened(one, value, stream, places), fits)


def _roomy_pool(pool: Pool, count: int, longest: int) -> Pool:
    capacity = pool.capacity
    while capacity < 2 * count:
        capacity *= 2
    return Pool(pool.root, tuple(_roomy_layout(one, longest) for one in pool.layouts), capacity)


def _roomy_layout(layout: Layout, longest: int) -> Layout:
    """A layout that has room for so many items of a list."""
    if layout.keys != IN_SHELF:
        return layout
    (kind,) = layout.items
    assert isinstance(kind, Growing)
    capacity = kind.capacity
    while capacity < longest:
        capacity *= 2
    return Layout(layout.of, layout.keys, (growing.with_capacity(kind, capacity),))


def doubled(kind: Contents) -> Contents:
    """Returns the type of an environment whose pools have twice as much room."""
    items = (replaced(one, 2 * one.capacity) if isinstance(one, Pool) else one for one in kind.items)
    return Contents(kind.of, kind.keys, tuple(items))


def replaced(pool: Pool, capacity: int) -> Pool:
    """Returns the type of a pool with other room."""
    return Pool(pool.root, pool.layouts, capacity)


def lengthened(kind: Type, value: Any) -> Type:
    """Returns a type with as much room for lists as a value needs, doubled as often as that takes."""
    match kind:
        case Growing(capacity=capacity, of=of) if isinstance(value, CONTAINERS) and type(value) is of:
            while capacity < len(value):
                capacity *= 2
            return growing.with_capacity(kind, capacity)
        case Tuple(items=items) if isinstance(value, tuple) and len(value) == len(items):
            return Tuple(tuple(map(lengthened, items, value)), kind.of)
        case Contents():
            try:
                values = _values_like(kind, value)
            except TypeError:
                return kind
            return Contents(kind.of, kind.keys, tuple(map(lengthened, kind.items, values)))
        case Either(options=options):
            return Either(tuple(lengthened(option, value) for option in options))
    return kind


def with_room(kind: Type, shapes: Iterator[tuple[int, ...]]) -> Type:
    """Returns a type with as much room for lists as fields of some shapes have, if that is more."""
    match kind:
        case Growing(capacity=capacity):
            given = [next(shapes) for _ in fields_of(kind, "")]
            return growing.with_capacity(kind, max([capacity, *(shape[0] for shape in given if shape)]))
        case Pool():
            ((length, *_),) = (next(shapes) or (0,) for _ in fields_of(kind, ""))
            return _pool_of_length(kind, length)
        case Tuple(items=items):
            return Tuple(tuple(with_room(one, shapes) for one in items), kind.of)
        case Contents(items=items):
            return Contents(kind.of, kind.keys, tuple(with_room(one, shapes) for one in items))
        case Either(options=options):
            next(shapes)
            return Either(tuple(with_room(one, shapes) for one in options))
    for _ in fields_of(kind, ""):
        next(shapes)
    return kind


def _pool_of_length(pool: Pool, length: int) -> Pool:
    """A pool as it is once its places, or what is in each list of a shelf, have been doubled, so that it is as long."""
    grown_lists = pool
    while grown_lists.words <= length:
        grown_places = grown_lists
        while grown_places.words < length:
            grown_places = replaced(grown_places, 2 * grown_places.capacity)
        if grown_places.words == length:
            return grown_places
        most = max(
            [one.capacity for each in grown_lists.layouts for one in each.items if isinstance(one, Growing)] or [0]
        )
        if not most:
            break
        layouts = tuple(_roomy_layout(one, most + 1) for one in grown_lists.layouts)
        grown_lists = Pool(pool.root, layouts, pool.capacity)
    return pool


def most_room(kind: Type) -> int:
    """Returns the room of the list in a state that has most; 0 if none grows."""
    match kind:
        case Growing(capacity=capacity):
            return capacity
        case Pool():
            return 1
        case Tuple(items=items) | Contents(items=items) | Either(options=items):
            return max(map(most_room, items), default=0)
    return 0


def zeros(kind: Type) -> Iterator[Any]:
    """Yields zeros for the fields of a type."""
    for one in fields_of(kind, ""):
        yield np.zeros(one.shape, one.dtype)[()]


def rebuilt(kind: Type, parts: Iterator[Any], old: Any = None, root: Any = None, made: Made | None = None) -> Any:
    """Returns the object that fields keep, as Python has it; an object of a class is `old`, changed."""
    if made is None:
        values = list(parts)
        parts, made = iter(values), _made_again(kind, values, root)
    match kind:
        case Placed(root=of):
            return made.object(of, int(next(parts)))
        case Pool():
            next(parts)
            return _ABSENT
        case Number(dtype=dtype, python=python):
            number = dtype.type(next(parts))
            return number.item() if python else number
        case Chosen(options=options):
            return options[int(next(parts))]
        case Array(dtype=dtype):
            return np.array(next(parts), dtype)
        case Growing(item=item):
            length, *columns = (next(parts) for _ in range(1 + len(kind.columns)))
            rows = (iter([column[k] for column in columns]) for k in range(int(length)))
            return _container(kind, [rebuilt(item, row, None, root, made) for row in rows], old)
        case Tuple(items=items, of=of):
            values = [rebuilt(item, parts, None, root, made) for item in items]
            return tuple(values) if of is tuple else of(*values)
        case Contents(of=of, keys=keys, items=items) if of in (list, dict):
            values = [rebuilt(item, parts, None, root, made) for item in items]
            if of is list:
                return values
            return {key: value for key, value in zip(keys, values, strict=True) if value is not _ABSENT}
        case Contents():
            return _rebuilt_object(kind, parts, old, root, made)
        case Either(options=options):
            chosen = int(next(parts))
            found = [
                _skipped(option, parts) if k != chosen else rebuilt(option, parts, old, root, made)
                for k, option in enumerate(options)
            ]
            return found[chosen]
        case Stream():
            return root.np_random
        case Given():  # a batch keeps it in its params
            return old
    assert isinstance(kind, Constant)
    return kind.value


def _container(kind: Growing, items: list[Any], old: Any) -> Any:
    """A container of Python; what a defaultdict calls for missing keys is that of the old one."""
    if kind.of is deque:
        assert isinstance(kind.more, Constant)
        return deque(items, kind.more.value)
    if kind.of is defaultdict:
        assert isinstance(kind.more, Constant)
        made = kind.more.value if isinstance(kind.more.value, type) else growing.Default(kind.more.value)
        own = old.default_factory if type(old) is defaultdict else made
        return defaultdict(own, items)
    return Counter(dict(items)) if kind.of is Counter else kind.of(items)


def _made_again(kind: Type, values: list[Any], root: Any) -> Made:
    def again(item: Type, parts: Iterator[Any], old: Any, made: Made) -> Any:
        return rebuilt(item, parts, old, root, made)

    return Made(kind, values, lambda one: len(list(fields_of(one, ""))), again)


def _skipped(kind: Type, parts: Iterator[Any]) -> Any:
    """Read the fields of an option that an object is not; returns None."""
    for _ in fields_of(kind, ""):
        next(parts)
    return None


def _rebuilt_object(kind: Contents, parts: Iterator[Any], old: Any, root: Any, objects: Made) -> Any:
    made = old if type(old) is kind.of else object.__new__(kind.of)
    root = made if root is None else root
    for name, item in zip(kind.keys, kind.items, strict=True):
        if isinstance(item, Constant) and item != UNBOUND and name in vars(made):
            continue  # a constant of its own: a copy of the one that is known here
        value = rebuilt(item, parts, getattr(made, name, None), root, objects)
        if value is not _ABSENT:
            object.__setattr__(made, name, value)
        elif name in vars(made):
            object.__delattr__(made, name)
    return made.original() if isinstance(made, StandIn) else made


def apart(a: Type, b: Type, path: str = "") -> tuple[str, Type, Type] | None:
    """Returns the attribute for which two descriptions cannot be merged, and what it is in each; None if they can."""
    if merged(a, b) is not None:
        return None
    if isinstance(a, Contents) and isinstance(b, Contents) and a.of is b.of and a.of not in (list, dict):
        one, other = (dict(zip(each.keys, each.items, strict=True)) for each in (a, b))
        for key in [key for key in one if key in other]:
            found = apart(one[key], other[key], f"{path}.{key}" if path else str(key))
            if found is not None:
                return found
    return path, a, b
