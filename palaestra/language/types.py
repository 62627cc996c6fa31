"""What is known of an object before anything runs: its type, and the numbers and addresses that the rest of it takes.

A `Term` is an object in the program: a type with its parts, one value of the program for each kind of `Type.kinds`. A
number has one part and a tuple those of its items; a constant has none, because the object itself is known.
"""

from __future__ import annotations

import copyreg
import struct
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cache, cached_property
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, ClassVar, Final

import numpy as np

from palaestra.language.frozen import frozen
from palaestra.language.program import ADDRESS, INT64, Kind, Value

__all__ = [
    "CONTAINERS",
    "DICTS",
    "HEAD",
    "IN_SHELF",
    "LEAST_CAPACITY",
    "NONE",
    "PYTHON",
    "SETS",
    "UNBOUND",
    "WORD",
    "Array",
    "Bounded",
    "Chosen",
    "Column",
    "Constant",
    "Contents",
    "Either",
    "Fixed",
    "Former",
    "Given",
    "Growing",
    "Iterated",
    "Keys",
    "Method",
    "Moved",
    "Number",
    "Packed",
    "Placed",
    "Pool",
    "Range",
    "Reference",
    "Seed",
    "Shelf",
    "Stream",
    "Super",
    "Term",
    "Text",
    "Tuple",
    "Type",
    "Words",
    "capacity_for",
    "chosen_from",
    "constant",
    "family_of",
    "grown",
    "is_choosable",
    "is_stored",
    "joined",
    "kept",
    "loosened",
    "pairs_of",
    "plain",
    "shelf_for",
    "shelf_key",
    "shelf_of",
    "shelves_in",
    "storage_like",
    "stored_form",
    "tuple_of",
    "type_of",
    "united",
    "widened",
]


class Type:
    """The base class of types; equal types are interchangeable."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of the parts of an object of this type."""
        return ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the objects that can be changed which it is, or has in it."""
        return ()


class _Unbound:
    """The object of a name that has none."""

    def __repr__(self) -> str:
        return "unbound"


@frozen
class Number(Type):
    """A number: of Python (`bool`, `int` within 64 bits, `float`) or of NumPy."""

    dtype: np.dtype[Any]
    python: bool = False

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (self.dtype,)

    def __str__(self) -> str:
        return {"b": "bool", "i": "int", "f": "float"}[self.dtype.kind] if self.python else f"np.{self.dtype}"


PYTHON: Final = {
    bool: Number(np.dtype(np.bool_), python=True),
    int: Number(np.dtype(np.int64), python=True),
    float: Number(np.dtype(np.float64), python=True),
}
"""Maps Python's numbers to their types."""


def kept(dtype: np.dtype[Any]) -> Number:
    """Returns the type of a number that is kept between steps: Python's where it has 64 bits or is a bool."""
    return next((kind for kind in PYTHON.values() if kind.dtype == dtype), Number(dtype))


class Constant(Type):
    """An object that exists already: a module, a function, a class, a number that is written out."""

    __slots__ = ("_key", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self._key = _key(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        """Numbers and names of code are shown; texts and containers may hold what should not be."""
        value = self.value
        if value is None or isinstance(value, (bool, int, float, np.generic, Enum, FunctionType, type)):
            return f"the constant {getattr(value, '__qualname__', repr(value))}"
        return f"a constant {type(value).__name__}"


def _key(value: Any) -> Any:
    """What two constants share only if no program can distinguish them: 0, 0.0, -0.0 and False are four."""
    kind = type(value)
    if kind is float:
        return kind, struct.pack("d", value)
    if kind in (int, bool, str, bytes, type(None)):
        return kind, value
    if isinstance(value, np.generic):
        return kind, value.dtype, value.tobytes()
    if kind in (tuple, Keys) or (isinstance(value, tuple) and hasattr(value, "_fields")):
        return kind, tuple(map(_key, value))
    return kind, id(value)


class Chosen(Type):
    """One of some objects that exist already, such as texts or constant lists: its part is the object's number."""

    __slots__ = ("_key", "options")

    def __init__(self, options: Iterable[Any]) -> None:
        self.options = tuple(options)
        self._key = tuple(map(_key, self.options))

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (INT64,)

    def number_of(self, value: Any) -> int | None:
        """Returns the number of an object, or of its equal in another copy of an environment; None if there is none."""
        key = _key(value)
        if key in self._key:
            return self._key.index(key)
        alike = (k for k, one in enumerate(self.options) if type(one) is type(value) and one == value)
        return next(alike, None) if is_choosable(value) else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chosen) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        names = sorted({type(one).__name__ for one in self.options})
        return f"one of {len(self.options)} constants ({', '.join(names)})"


def is_choosable(value: Any) -> bool:
    """Returns whether an object may be one that is chosen by number: a text, a member of an Enum, or a container."""
    if isinstance(value, Enum) and not isinstance(value, (int, float)):
        return True
    return type(value) in (str, bytes, np.str_, np.bytes_, tuple, list, dict, range, frozenset)


def chosen_from(values: Sequence[Any]) -> tuple[Chosen, list[int]]:
    """Returns the type of one of some objects, and the number of each."""
    numbers: dict[Any, int] = {}
    kept: list[Any] = []
    for value in values:
        if _key(value) not in numbers:
            numbers[_key(value)] = len(kept)
            kept.append(value)
    return Chosen(kept), [numbers[_key(value)] for value in values]


@frozen
class Tuple(Type):
    """A tuple; with `fields` a NamedTuple of the class `of`."""

    items: tuple[Type, ...]
    of: type = tuple

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return tuple(kind for item in self.items for kind in item.kinds)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """See `Type`."""
        return tuple(number for one in self.items for number in one.numbers)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the items; () for a plain tuple."""
        return tuple(getattr(self.of, "_fields", ()))

    def __str__(self) -> str:
        return f"{self.of.__name__}({', '.join(map(str, self.items))})"


@frozen
class Array(Type):
    """An array of numbers in memory; shape and strides (bytes) are known. Its part is the first item's address."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    writable: bool = True

    @property
    def most(self) -> tuple[int, ...]:
        """The largest lengths."""
        return self.shape

    @property
    def whole(self) -> Array:
        """The type of an array of these lengths."""
        return self

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (ADDRESS,)

    @property
    def size(self) -> int:
        """The number of items."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def bytes(self) -> int:
        """The bytes of the items."""
        return self.size * self.dtype.itemsize

    @property
    def contiguous(self) -> bool:
        """Whether the items lie one behind the other, in C's order."""
        return self == plain(self.dtype, self.shape, self.writable)

    def __str__(self) -> str:
        return f"an array of {self.dtype} of shape {self.shape}"


def plain(dtype: np.dtype[Any], shape: Iterable[int], writable: bool = True) -> Array:
    """Returns the type of a contiguous array."""
    lengths = tuple(shape)
    strides: list[int] = []
    step = dtype.itemsize
    for length in reversed(lengths):
        strides.insert(0, step)
        step *= max(length, 1)
    return Array(dtype, lengths, tuple(strides), writable)


@frozen
class Bounded(Type):
    """An array of numbers in memory, of which some lengths are found when the program runs.

    Its parts are the address of the first item, and the length of each axis of `open`.

    Attributes:
        dtype: The dtype of the items.
        most: The lengths; of an axis of `open`, the largest that it may have.
        strides: The bytes from one item to the next, along each axis.
        open: The axes whose lengths are found, in their order.
        usual: For each of these, its length unless the end of an array cuts it, or None.
        writable: Whether the items may be changed.
    """

    dtype: np.dtype[Any]
    most: tuple[int, ...]
    strides: tuple[int, ...]
    open: tuple[int, ...]
    usual: tuple[int | None, ...]
    writable: bool = True

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (ADDRESS, *[INT64] * len(self.open))

    @property
    def whole(self) -> Array:
        """The type of the array of the largest lengths at the same place, whose items need not all be there."""
        return Array(self.dtype, self.most, self.strides, self.writable)

    def __str__(self) -> str:
        lengths = ["?" if axis in self.open else str(length) for axis, length in enumerate(self.most)]
        return f"an array of {self.dtype} of shape ({', '.join(lengths)}), found at run time"


@frozen
class Column(Type):
    """A number or a contiguous array of every row, one behind the other. Its part is the address of the first.

    Items are read as Python's numbers where they have 64 bits or are bools, and arrays as read-only ones, or as tuples
    if they are `packed`; numbers of NumPy stay so in a column of `numpy`.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...] = ()
    packed: bool = False
    numpy: bool = False

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (ADDRESS,)

    @property
    def item(self) -> Type:
        """The type of an item."""
        if self.packed:
            return Packed(self.dtype, *self.shape)
        if self.shape:
            return plain(self.dtype, self.shape, writable=False)
        return Number(self.dtype) if self.numpy else kept(self.dtype)

    @property
    def size(self) -> int:
        """The bytes of an item."""
        return plain(self.dtype, self.shape).size * self.dtype.itemsize

    def __str__(self) -> str:
        return f"a column of {self.item}"


@frozen
class Packed(Type):
    """A tuple of numbers of Python, of one kind, in memory. Its part is the address of the first."""

    dtype: np.dtype[Any]
    length: int

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (ADDRESS,)

    @property
    def item(self) -> Number:
        """The type of an item."""
        return kept(self.dtype)

    def __str__(self) -> str:
        return f"a tuple of {self.length} {self.item}s"


@frozen
class Words(Type):
    """Words of memory, each an int with a name and a place. Its part is the address of the first."""

    places: tuple[tuple[str, int], ...]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (ADDRESS,)

    def place(self, name: str) -> int | None:
        """Returns the place of a word; None if there is none of this name."""
        return dict(self.places).get(name)

    def __str__(self) -> str:
        return "words of memory"


@frozen
class Stream(Type):
    """A generator of random numbers, PCG64 as in `np.random.default_rng`. Its part is the address of five words."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (ADDRESS,)

    def __str__(self) -> str:
        return "a random generator"


@frozen
class Former(Type):
    """The generator that an environment had before a reset: one that gets a seed makes another."""

    def __str__(self) -> str:
        return "the generator from before the reset"


@frozen
class Range(Type):
    """A `range` with a known step; its parts are start and stop."""

    step: int = 1

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (INT64,) * 2

    def __str__(self) -> str:
        return "a range"


@frozen
class Iterated(Type):
    """The items of others: `enumerate`, `zip` or `reversed`."""

    by: str
    sources: tuple[Type, ...]

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return tuple(kind for source in self.sources for kind in source.kinds)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """See `Type`."""
        return tuple(number for one in self.sources for number in one.numbers)

    def __str__(self) -> str:
        return f"{self.by}({', '.join(map(str, self.sources))})"


@frozen
class Reference(Type):
    """An object that can be changed, such as a list: its contents are in the front end's heap, at `number`."""

    number: int
    of: type

    @property
    def numbers(self) -> tuple[int, ...]:
        """See `Type`."""
        return (self.number,)

    def __str__(self) -> str:
        return f"a {self.of.__name__}"


class Keys(tuple[Any, ...]):
    """The keys of a dict, or the names of an object's attributes: in the heap they stand before the values.

    Keys that may be missing stand where they are if they are there. So if keys have no common order, they count as keys
    that may be missing: then no dict is read as a whole whose order is not known.
    """


def united(several: Sequence[Keys]) -> tuple[Keys, frozenset[Any]]:
    """Returns the keys of several dicts in an order that is that of each, and those that have no such order."""
    waiting = [list(dict.fromkeys(one)) for one in several]
    found: list[Any] = []
    loose: set[Any] = set()
    while any(waiting):
        heads = [one[0] for one in waiting if one]
        key = next((head for head in heads if not any(head in one[1:] for one in waiting)), None)
        if key is None:
            loose |= {one for each in waiting for one in each}
            key = heads[0]
        found.append(key)
        waiting = [[one for one in each if one != key] for each in waiting]
    return Keys(found), frozenset(loose)


@frozen
class Contents(Type):
    """What a list, a dict or an object holds, in the description of a state: no term has this type.

    `keys` are those of a dict, or the names of an object's attributes; an item that some have and others do not may be
    `UNBOUND`.
    """

    of: type
    keys: Keys
    items: tuple[Type, ...]

    def __str__(self) -> str:
        return (
            f"a {self.of.__name__} of {len(self.items)} items" if self.of in (list, dict) else f"a {self.of.__name__}"
        )


class Fixed:
    """The items of a set that are known: what the heap holds for one, as a constant, as long as it is not changed."""

    __slots__ = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items


@frozen
class Growing(Type):
    """The storage of a list whose length is found when the program runs: what the heap holds instead of its items.

    Its parts are the address of the length, an int64, and that of an array for each kind of the items. Deques and
    dicts have a word more behind the length: the number of the changes after which no loop over them goes on.

    Attributes:
        item: The type of an item, in a dict a key and its value; `UNBOUND` if there never was one.
        capacity: The number of items that there is room for.
        of: The class: one of `CONTAINERS`.
        more: What belongs to it beside items: the `maxlen` of a deque, or what a defaultdict has for missing keys.
    """

    item: Type
    capacity: int
    of: type = list
    more: Type = Constant(None)

    @property
    def lead(self) -> int:
        """The number of parts before those of the items."""
        return 2 if self.of in (deque, *DICTS) else 1

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (ADDRESS,) * (self.lead + len(self.columns))

    @cached_property
    def columns(self) -> tuple[Array, ...]:
        """What memory has of each item, for each part of it: a number, or the numbers of an array."""
        return tuple(_columns_of(self.item))

    def __str__(self) -> str:
        if self.of in DICTS and isinstance(self.item, Tuple):
            return f"a {self.of.__name__} of {' to '.join(map(str, self.item.items))}"
        return f"a {self.of.__name__} of {self.item}" if self.item != UNBOUND else f"a {self.of.__name__}"


def _columns_of(kind: Type) -> Iterator[Array]:
    match kind:
        case Array():
            yield kind
        case Tuple(items=items) | Either(options=items):
            if isinstance(kind, Either):
                yield plain(TAG, ())
            for one in items:
                yield from _columns_of(one)
        case Growing(capacity=capacity):  # of an info: its items lie in that of the list around
            yield plain(INT64, ())
            yield from (plain(one.dtype, (capacity, *one.shape)) for one in kind.columns)
        case _:
            yield from (plain(one, ()) for one in kind.kinds if isinstance(one, np.dtype))


DICTS: Final = dict, defaultdict, Counter
SETS: Final = set, frozenset
CONTAINERS: Final = (list, deque, *SETS, *DICTS)
"""The classes whose objects may be a storage."""


class _Shelves(type):
    """The class of shelves, which are pickled by what they are made of."""

    of: type
    key: Any


class Shelf(metaclass=_Shelves):
    """The class of a pool of containers, in the place of a class of the user's; see `shelf_of`."""

    of: ClassVar[type]
    key: ClassVar[Any]


@cache
def shelf_of(of: type, key: Any) -> type[Shelf]:
    """Returns the shelf of containers of a class.

    Args:
        of: The class: one of `CONTAINERS`.
        key: What they have in common: the keys of dicts, if these are known, or what kind of items they hold.
    """
    made: Any = _Shelves(f"{of.__name__} of {key}", (Shelf,), {"of": of, "key": key, "__module__": "shelves"})
    return made  # type: ignore[no-any-return]  # its metaclass is that of shelves


copyreg.pickle(_Shelves, lambda shelf: "Shelf" if shelf is Shelf else (shelf_of, (shelf.of, shelf.key)))


@frozen
class Placed(Type):
    """An object of a class of the user's, or a container, in a pool. Its part is the number of its place there.

    Attributes:
        root: The class of the pool: all its objects are of this class, or of one derived from it.
        classes: The classes that the object may be of, in the order of `ordered_classes`.
    """

    root: type
    classes: tuple[type, ...]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (INT64,)

    @property
    def of(self) -> type:
        """The class; one of them, for what they have in common."""
        return self.root.of if issubclass(self.root, Shelf) else self.classes[0]

    @property
    def is_container(self) -> bool:
        """Whether it is a container."""
        return issubclass(self.root, Shelf)

    def __str__(self) -> str:
        return (
            f"a {self.of.__name__}" if self.is_container else f"a {' or '.join(one.__name__ for one in self.classes)}"
        )


@frozen
class Moved(Type):
    """What the heap holds for a container that has got a place in a pool: that place."""

    to: Placed

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return self.to.kinds

    def __str__(self) -> str:
        return str(self.to)


def ordered_classes(classes: Iterable[type]) -> tuple[type, ...]:
    """Returns classes in an order that is the same each time."""
    return tuple(sorted(set(classes), key=lambda one: (one.__module__, one.__qualname__, id(one))))


@frozen
class Layout:
    """The attributes of the objects of one class in a pool, with their types."""

    of: type
    keys: Keys
    items: tuple[Type, ...]


IN_SHELF = Keys(("items",))
"""The name of what a place of a shelf holds, unless it is a dict of known keys: its values have names of their own."""
WORD = 8
"""The bytes of a number in a pool."""


@frozen
class Pool(Type):
    """The memory of the objects of a class, and of classes derived from it. Its part is the address of an array.

    The array is of int64: the number of the first free place and how many are free, then the places, each of `size`
    words: the number of the object's class or, if the place is free, that of the next free one; then the attributes.

    Attributes:
        root: The class.
        layouts: What the objects of each class hold, in the order of `ordered_classes`.
        capacity: The number of places.
    """

    root: type
    layouts: tuple[Layout, ...]
    capacity: int

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (ADDRESS,)

    @cached_property
    def _places(self) -> tuple[dict[tuple[str, Type], int], int]:
        """Where each attribute of each type begins, in words; and the size of a place."""
        owners: dict[tuple[str, Type], list[type]] = {}
        for layout in self.layouts:
            for pair in zip(layout.keys, layout.items, strict=True):
                owners.setdefault(pair, []).append(layout.of)
        used: dict[type, set[int]] = {layout.of: {0} for layout in self.layouts}
        found: dict[tuple[str, Type], int] = {}
        for pair, classes in owners.items():  # one place for all classes that have it, beside what these have
            count, at = words_of(pair[1]), 1
            while any(not used[of].isdisjoint(range(at, at + count)) for of in classes):
                at += 1
            found[pair] = at
            for of in classes:
                used[of].update(range(at, at + count))
        return found, 1 + max([0, *(max(words) for words in used.values())])

    @property
    def size(self) -> int:
        """The words of a place."""
        return self._places[1]

    @property
    def words(self) -> int:
        """The words of the array."""
        return HEAD + self.capacity * self.size

    def at(self, key: str, kind: Type) -> int:
        """Returns where in a place an attribute of a type begins, in words."""
        return self._places[0][key, kind]

    def layout(self, of: type) -> Layout | None:
        """Returns what objects of a class hold; None if there is none."""
        return next((one for one in self.layouts if one.of is of), None)

    def tag(self, of: type) -> int:
        """Returns the number of a class."""
        return [one.of for one in self.layouts].index(of)

    def __str__(self) -> str:
        return f"objects of {self.root.__name__}"


HEAD = 2
"""The words before the places of a pool."""


def words_of(kind: Type) -> int:
    """Returns how many words of a pool an attribute of a type takes."""
    match kind:
        case Array():
            return -(-kind.bytes // WORD)
        case Growing(capacity=capacity):
            return kind.lead + sum(-(-capacity * one.bytes // WORD) for one in kind.columns)
        case Tuple(items=items):
            return sum(map(words_of, items))
        case Either(options=options):
            return 1 + sum(map(words_of, options))
    return 0 if isinstance(kind, Stream) else len(kind.kinds)


@frozen
class Given(Type):
    """A constant of an object with a state that a batch passes to each step, since its environments may differ in it.

    It stands in the description of a state only: no term has this type.
    """

    name: str
    kind: Type

    def __str__(self) -> str:
        return str(self.kind)


@frozen
class Text(Type):
    """A text that is made of what changes: the message of an exception, or what a step reports.

    Attributes:
        template: The text for `str.format`; None if the items are more than numbers, so that Python cannot make it.
        items: The types of the items.
    """

    template: str | None = None
    items: tuple[Type, ...] = ()

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return tuple(kind for item in self.items for kind in item.kinds)

    def __str__(self) -> str:
        return "a text that is made here"


@frozen
class Seed(Type):
    """The seed that a reset gets, or None if it gets none; only an int where it is `given`."""

    given: bool = False

    def __str__(self) -> str:
        return "the seed"


class Bound(Type):
    """What belongs to an object, the receiver, and has its parts."""

    receiver: Type

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return self.receiver.kinds

    @property
    def numbers(self) -> tuple[int, ...]:
        """See `Type`."""
        return self.receiver.numbers


@frozen
class Super(Bound):
    """What `super()` returns for a receiver, in a method of the class `after`."""

    receiver: Type
    after: type

    def __str__(self) -> str:
        return "super()"


@frozen
class Method(Bound):
    """A method of an object: the function `name` of the table for its type, or a function of its class."""

    receiver: Type
    function: Any

    def __str__(self) -> str:
        return f"the method {getattr(self.function, '__name__', self.function)} of {self.receiver}"


TAG: Final = np.dtype(np.int64)


@frozen
class Either(Type):
    """An object of one of several types. Its parts are the number of its option, then the parts of every option."""

    options: tuple[Type, ...]

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """See `Type`."""
        return (TAG, *(kind for option in self.options for kind in option.kinds))

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """See `Type`."""
        return tuple(number for one in self.options for number in one.numbers)

    def __str__(self) -> str:
        words: dict[Type, str] = {NONE: "None", UNBOUND: "nothing"}
        return " or ".join(dict.fromkeys(words.get(one, str(one)) for one in self.options))


UNBOUND: Final = Constant(_Unbound())
NONE: Final = Constant(None)


@frozen
class Term:
    """An object in a program."""

    type: Type
    parts: tuple[Value, ...] = ()

    def __post_init__(self) -> None:
        assert len(self.parts) == len(self.type.kinds), self

    @property
    def part(self) -> Value:
        """The only part."""
        (part,) = self.parts
        return part

    def items(self) -> Iterator[Term]:
        """Yields the items of a tuple or a text, the sources of items, or the options of an `Either`."""
        match self.type:
            case Tuple(items=types) | Iterated(sources=types) | Text(items=types):
                at = 0
            case Either(options=types):
                at = 1
            case _:
                raise TypeError(f"{self.type} has no items")
        for kind in types:
            yield Term(kind, self.parts[at : at + len(kind.kinds)])
            at += len(kind.kinds)

    def item(self, k: int) -> Term:
        """Returns an item of a tuple."""
        assert isinstance(self.type, Tuple)
        at = sum([len(kind.kinds) for kind in self.type.items[:k]])
        kind = self.type.items[k]
        return Term(kind, self.parts[at : at + len(kind.kinds)])

    @property
    def known(self) -> bool:
        """Whether the object exists already."""
        return isinstance(self.type, Constant)

    @property
    def value(self) -> Any:
        """The object of a constant."""
        assert isinstance(self.type, Constant), self.type
        return self.type.value


def type_of(value: Any) -> Type:
    """Returns the type of objects like this one: numbers are not constants, and arrays contiguous."""
    if isinstance(value, np.random.Generator):
        return Stream()
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return plain(value.dtype, value.shape, value.flags.writeable)
    if isinstance(value, tuple) and (type(value) is tuple or hasattr(value, "_fields")):
        return Tuple(tuple(map(type_of, value)), type(value))
    return widened(Constant(value))


def constant(value: Any) -> Term:
    """Returns the term of an object that exists."""
    return Term(Constant(value))


def unwrapped(term: Term, operator: str) -> Term:
    """Returns a constant int or float of a class of its own, such as an IntEnum, as Python's, if they act alike."""
    value = term.value if term.known else None
    for base in (int, float):
        if isinstance(value, base) and type(value) not in (base, bool) and not isinstance(value, np.generic):
            names = f"__{operator}__", f"__r{operator}__"
            if all(getattr(type(value), name, None) is getattr(base, name, None) for name in names):
                return constant(base(value))
    return term


def tuple_of(items: Iterable[Term], of: type = tuple) -> Term:
    """Returns the term of a tuple, or of a NamedTuple of the class `of`; of constants it is a constant."""
    terms = list(items)
    if all(term.known for term in terms):
        values = [term.value for term in terms]
        return constant(tuple(values) if of is tuple else of(*values))
    return Term(Tuple(tuple(term.type for term in terms), of), tuple(part for term in terms for part in term.parts))


def widened(kind: Type) -> Type:
    """Returns the type of a variable that begins as an object of `kind`: constant numbers become numbers."""
    if isinstance(kind, Constant):
        value = kind.value
        if type(value) in PYTHON and not (type(value) is int and not -(2**63) <= value < 2**63):
            return PYTHON[type(value)]
        if isinstance(value, np.generic) and value.dtype.kind in "biuf":
            return Number(value.dtype)
        if isinstance(value, tuple) and (type(value) is tuple or hasattr(value, "_fields")):
            return Tuple(tuple(widened(Constant(item)) for item in value), type(value))
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            return plain(value.dtype, value.shape, writable=False)
    if isinstance(kind, Tuple):
        return Tuple(tuple(map(widened, kind.items)), kind.of)
    return kind


MOST_OPTIONS = 16


def joined(one: Type, other: Type) -> Type | None:
    """Returns the type of a variable that is of either type; None if it may be of too many."""
    both = _merged(one, other)
    if both is not None:
        return both
    options: list[Type] = []
    kinds = *_options(one), *_options(other)
    for kind in sorted(kinds, key=lambda one: not isinstance(one, Chosen)):  # which constants may be among
        _add_option(options, kind)
    if len(options) == 1:
        return options[0]
    return Either(tuple(options)) if len(options) <= MOST_OPTIONS else None


def _merged(one: Type, other: Type) -> Type | None:
    """The type of both, if it is of one class of objects."""
    if one == other:
        return one
    a, b = widened(one), widened(other)
    if a == b:
        return a
    if isinstance(a, Tuple) and isinstance(b, Tuple) and a.of is b.of and len(a.items) == len(b.items):
        items = [joined(x, y) for x, y in zip(a.items, b.items, strict=True)]
        return Tuple(tuple(item for item in items if item), a.of) if all(items) else None
    if isinstance(a, Text) and isinstance(b, Text) and a.template == b.template:
        items = [joined(x, y) for x, y in zip(a.items, b.items, strict=True)]
        return Text(a.template, tuple(item for item in items if item)) if all(items) else None
    if isinstance(a, Array) and isinstance(b, Array) and (a.dtype, a.shape, a.strides) == (b.dtype, b.shape, b.strides):
        return Array(a.dtype, a.shape, a.strides, writable=False)
    if isinstance(a, Array | Bounded) and isinstance(b, Array | Bounded):
        return _merged_arrays(a, b)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Placed) and isinstance(other, Contents | Growing) and one.of is other.of in CONTAINERS:
            return one
    if isinstance(a, Growing) or isinstance(b, Growing):
        return grown([a, b])
    if isinstance(a, Contents) and isinstance(b, Contents) and a.of is b.of:
        return _merged_contents(a, b)
    if isinstance(a, Chosen) or isinstance(b, Chosen):
        return _merged_choices(a, b)
    if isinstance(a, Placed) and isinstance(b, Placed) and a.root is b.root:
        return Placed(a.root, ordered_classes((*a.classes, *b.classes)))
    if isinstance(a, Pool) and isinstance(b, Pool) and a.root is b.root:
        return _merged_pools(a, b)
    return None


def _merged_choices(a: Type, b: Type) -> Type | None:
    values: list[Any] = []
    for one in (a, b):
        if isinstance(one, Chosen):
            values += one.options
        elif isinstance(one, Constant) and is_choosable(one.value):
            values.append(one.value)
        else:
            return None
    return chosen_from(values)[0]


def _merged_pools(a: Pool, b: Pool) -> Pool | None:
    layouts: list[Layout] = []
    for of in ordered_classes(one.of for one in (*a.layouts, *b.layouts)):
        one, other = a.layout(of), b.layout(of)
        if one is None or other is None:
            layouts += [each for each in (one, other) if each]
            continue
        keys, pairs = pairs_of(*(Contents(of, each.keys, each.items) for each in (one, other)))
        items = [joined(x, y) for x, y in pairs]
        if not all(items):
            return None
        layouts.append(Layout(of, keys, tuple(item for item in items if item)))
    return Pool(a.root, tuple(layouts), max(a.capacity, b.capacity))


LEAST_CAPACITY = 16


def capacity_for(length: int) -> int:
    """Returns the room of lists that have been so long: a power of two, twice as much at least."""
    return max(LEAST_CAPACITY, 1 << (2 * length - 1).bit_length())


def grown(kinds: Sequence[Type]) -> Growing | None:
    """Returns the type of lists that are of any of these types, or of other containers; None if nothing holds them."""
    item: Type = UNBOUND
    capacity = LEAST_CAPACITY
    own = {_own_class(kind) for kind in kinds}
    if len(own) > 1 or None in own:
        return None
    for kind in kinds:
        items = (kind.item,) if isinstance(kind, Growing) else _items_of(kind)
        for one in (stored_form(one) for one in items if one != UNBOUND):
            both = one if item == UNBOUND else joined(item, one)
            if both is None:
                return None
            item = both
        capacity = max(capacity, kind.capacity if isinstance(kind, Growing) else capacity_for(len(items)))
    of, more = own.pop() or (list, NONE)
    return Growing(item, capacity, of, more) if item == UNBOUND or is_stored(item) else None


def _own_class(kind: Type) -> tuple[type, Type] | None:
    """The class of a container, and what belongs to it beside its items; None for others."""
    if isinstance(kind, Growing):
        return kind.of, kind.more
    return (kind.of, NONE) if isinstance(kind, Contents) and kind.of in (list, dict) else None


def _items_of(kind: Type) -> Sequence[Type]:
    """The types of the items of a list, or of the keys of a dict with their values."""
    assert isinstance(kind, Contents)
    if kind.of is list:
        return kind.items
    return [Tuple((Constant(key), one)) for key, one in zip(kind.keys, kind.items, strict=True)]


def stored_form(kind: Type) -> Type:
    """Returns the type that a list has of objects of a type: arrays are copies, so that they are contiguous."""
    kind = widened(kind)
    match kind:
        case Array(dtype=dtype, shape=shape):
            return plain(dtype, shape)
        case Tuple(items=items, of=of):
            return Tuple(tuple(map(stored_form, items)), of)
        case Either(options=options):
            return Either(tuple(map(stored_form, options)))
        case Contents(of=of) | Growing(of=of) if of in CONTAINERS:
            return shelf_for(kind)
    return kind


def shelf_for(kind: Type) -> Type:
    """Returns the type of a container in a list, or the type itself if there is no shelf for it."""
    form = storage_like(kind)
    if form is None:
        return kind
    root = shelf_of(form.of, shelf_key(form))
    return Placed(root, (root,))


def shelf_key(form: Growing | Contents) -> Any:
    """Returns what containers on a shelf have in common: keys, or a name for items; "empty" if there never were any."""
    if isinstance(form, Contents):
        return tuple(form.keys)
    more = "" if form.more == NONE else f" {form.more}"
    return (family_of(form.item) or "empty") + more


def storage_like(kind: Type) -> Growing | Contents | None:
    """Returns the type of a container as a shelf holds it: one that grows, or a dict of known keys."""
    if isinstance(kind, Contents) and kind.of is dict and kind.keys:
        items = tuple(map(stored_form, kind.items))
        is_known = all(isinstance(key, str) for key in kind.keys) and all(map(is_stored, items))
        return Contents(dict, kind.keys, items) if is_known else None
    return grown([kind])


def shelves_in(kind: Type) -> set[type[Shelf]]:
    """Returns the shelves that objects of a type refer to."""
    match kind:
        case Placed(root=root) if kind.is_container:
            return {root}
        case Tuple(items=items) | Either(options=items) | Contents(items=items):
            return {root for one in items for root in shelves_in(one)}
        case Growing(item=item):
            return shelves_in(item)
        case Pool(layouts=layouts):
            return {root for layout in layouts for one in layout.items for root in shelves_in(one)}
    return set()


def family_of(kind: Type) -> str:
    """Returns a name of what items of a type have in common; "" if there never was one."""
    match kind:
        case Number(dtype=dtype, python=python):
            return f"{dtype}" if python else f"np.{dtype}"
        case Array(dtype=dtype, shape=shape):
            return f"{dtype}{shape}"
        case Tuple(items=items, of=of):
            return f"{of.__name__}({', '.join(map(family_of, items))})"
        case Either(options=options):
            return " or ".join(sorted(map(family_of, options)))
        case Placed(root=root):
            return root.__qualname__
        case Chosen(options=options):
            return type(options[0]).__name__
        case Constant(value=value):
            return "" if kind == UNBOUND else type(value).__name__
    return str(kind)


_STORED = bool, int, float, complex, str, bytes, type(None), Enum, type, np.dtype
_STORED_TOO = FunctionType, BuiltinFunctionType, ModuleType


def is_stored(kind: Type, arrays: bool = True) -> bool:
    """Returns whether a list that grows may have items of a type: numbers, arrays, tuples, constants without parts."""
    match kind:
        case Number() | Chosen() | Placed():
            return True
        case Array(size=size, shape=shape):
            return arrays and bool(shape) and size > 0
        case Tuple(items=kinds):
            return all(is_stored(one, arrays) for one in kinds)
        case Either(options=kinds):
            return all(is_stored(one, arrays=False) for one in kinds)
        case Constant(value=value):
            return kind != UNBOUND and (isinstance(value, (*_STORED, *_STORED_TOO)) or type(value) is object)
    return False


def _merged_arrays(one: Array | Bounded, other: Array | Bounded) -> Type | None:
    """Arrays of one layout, of which one at least has a length that is found at run time."""
    (most, open_of_one), (most_of_other, open_of_other) = _lengths_of(one), _lengths_of(other)
    found = sorted({*open_of_one, *open_of_other})
    if not found or (one.dtype, one.strides, len(most)) != (other.dtype, other.strides, len(most_of_other)):
        return None
    if any(axis not in found and length != most_of_other[axis] for axis, length in enumerate(most)):
        return None
    pairs = [(open_of_one.get(axis, most[axis]), open_of_other.get(axis, most_of_other[axis])) for axis in found]
    usual = tuple(a if a == b else None for a, b in pairs)
    writable = one.writable and other.writable
    return Bounded(one.dtype, tuple(map(max, most, most_of_other)), one.strides, tuple(found), usual, writable)


def _lengths_of(kind: Array | Bounded) -> tuple[tuple[int, ...], dict[int, int | None]]:
    """The largest lengths of an array, and the usual length of each axis whose length is found at run time."""
    if isinstance(kind, Array):
        return kind.shape, {}
    return kind.most, dict(zip(kind.open, kind.usual, strict=True))


def _merged_contents(a: Contents, b: Contents) -> Type | None:
    if a.of is list and len(a.items) != len(b.items):
        return grown([a, b])
    keys, pairs = pairs_of(a, b)
    items = [joined(x, y) for x, y in pairs]
    return Contents(a.of, keys, tuple(item for item in items if item)) if all(items) else None


def pairs_of(a: Contents, b: Contents) -> tuple[Keys, list[tuple[Type, Type]]]:
    """Returns all keys of two dicts or objects, with what both hold; `UNBOUND` is what one has not."""
    if a.keys == b.keys:
        return a.keys, list(zip(a.items, b.items, strict=True))
    keys, loose = united([a.keys, b.keys])
    one, other = (dict(zip(each.keys, each.items, strict=True)) for each in (a, b))
    if a.of is not dict:
        loose = frozenset()  # the order of attributes means nothing
    held = {key: loosened(kind) if key in loose else kind for key, kind in one.items()}
    return keys, [(held.get(key, UNBOUND), other.get(key, UNBOUND)) for key in keys]


def loosened(kind: Type) -> Type:
    """Returns the type of what is of a type, or missing."""
    return joined(kind, UNBOUND) or Either((*_options(kind), UNBOUND))


def _options(kind: Type) -> tuple[Type, ...]:
    return kind.options if isinstance(kind, Either) else (kind,)


def _add_option(options: list[Type], kind: Type) -> None:
    for k, option in enumerate(options):
        both = _merged(option, kind)
        if both is not None:
            options[k] = both
            return
    options.append(kind)
