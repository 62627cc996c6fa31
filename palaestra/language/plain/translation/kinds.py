"""Kinds of values in a plain environment's code, as far as they are known before it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palaestra.language.plain.translation.records import is_record, overrides, parts_of_record

DType = np.dtype[Any]

DTypes = np.dtype[Any]
FLOAT64, INT64, FLAG = np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.bool_)


class Kind:
    """The knowledge of a value before anything runs."""


@dataclass(frozen=True)
class Number(Kind):
    """One number or bool.

    Attributes:
        dtype: Its type; a Python number has that of 64 bits.
        weak: Whether it is Python's, which gives way to NumPy's types; None if it may be either.
        mixed: Whether a float may be an int in Python, of the same value.
    """

    dtype: DType
    weak: bool | None = True
    mixed: bool = False


@dataclass(frozen=True)
class Array(Kind):
    """An array of numbers, or a list of fixed length (of such lists), which is kept as an array.

    Attributes:
        dtype: The type of its numbers.
        ndim: The number of its axes.
        shape: Its shape, if it is known.
        listed: Whether it is a list in Python.
        mixed: Whether it is a list whose floats may be ints in Python, of the same value.
    """

    dtype: DType
    ndim: int
    shape: tuple[int, ...] | None = None
    listed: bool = False
    mixed: bool = False


@dataclass(frozen=True)
class Packed(Kind):
    """A new array of a few numbers, which machine code keeps as a tuple as long as it is only handed on.

    Attributes:
        dtype: The type of its numbers.
        count: Their number.
    """

    dtype: DType
    count: int

    @property
    def array(self) -> Array:
        """The array that it is in Python."""
        return Array(self.dtype, 1, (self.count,))


@dataclass(frozen=True)
class Tuple(Kind):
    """A tuple.

    Attributes:
        items: The kinds of its items.
        record: Its class if it is a NamedTuple, or a frozen dataclass.
        loose: Whether it may be an array or a list in Python, so that only its items can be used.
        forms: What it may be then, in words.
    """

    items: tuple[Kind, ...]
    record: type[Any] | None = None
    loose: bool = False
    forms: frozenset[str] = field(default=frozenset(), compare=False)


@dataclass(frozen=True)
class Mapping(Kind):
    """A dict with known texts as keys; machine code has the tuple of its values."""

    keys: tuple[str, ...]
    items: tuple[Kind, ...]


@dataclass(frozen=True)
class Partial(Kind):
    """A dict whose keys are there on some paths only; machine code has the pairs (whether it is missing, the value).

    Attributes:
        sure: The keys that are there on each path.
    """

    keys: tuple[str, ...]
    items: tuple[Kind, ...]
    sure: frozenset[str]


@dataclass(frozen=True)
class Optional(Kind):
    """A value or None; machine code has the pair (whether it is None, the value)."""

    kind: Kind


@dataclass(frozen=True)
class Place(Kind):
    """An object with attributes: the environment, of path (), or one of its attributes."""

    path: tuple[str, ...]


class Constant(Kind):
    """A value that is known before anything runs: a text, a function, a module, None."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and same_constant(self.value, other.value)

    def __hash__(self) -> int:
        return hash(type(self.value))


@dataclass(frozen=True)
class Growing(Kind):
    """A list of a function's own, which may grow; its items are of one kind, None as long as it is unknown."""

    item: Kind | None


@dataclass(frozen=True)
class Generator(Kind):
    """The environment's `np_random`."""


@dataclass(frozen=True)
class Seed(Kind):
    """The seed of a reset, or None."""


@dataclass(frozen=True)
class SeedTest(Kind):
    """Whether a reset got a seed."""


@dataclass(frozen=True)
class Text(Kind):
    """A text that is made while the environment runs: it can be thrown away, or be the message of an exception."""


@dataclass(frozen=True)
class Opaque(Kind):
    """A value that only the compiler knows."""


@dataclass(frozen=True)
class Unknown(Kind):
    """The result of a refused expression; whatever is computed from it is unknown too."""


@dataclass(frozen=True)
class MixedKinds(Unknown):
    """A variable that holds values of several kinds; a use of it is refused with this text."""

    text: str


class Incompatible(Exception):
    """Two kinds that no variable can hold both."""


FLOAT, INT, BOOL = Number(np.dtype(np.float64)), Number(np.dtype(np.int64)), Number(np.dtype(np.bool_))
NONE = Constant(None)


def same_constant(a: Any, b: Any) -> bool:
    """Returns whether two constants are the same in every respect."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same_constant, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same_constant(a[key], b[key]) for key in a)
    try:
        return bool(a == b)
    except Exception:  # what cannot be compared is another
        return False


def number_of(value: Any) -> Number | None:
    """Returns the kind of a number; None for other values."""
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return Number(value.dtype, weak=False) if type(value) is value.dtype.type else None
    if isinstance(value, bool):
        return BOOL
    if type(value) is int or (isinstance(value, IntEnum) and _is_plain_member(value)):
        return INT
    return FLOAT if type(value) is float else None


def _is_plain_member(value: IntEnum) -> bool:
    """Returns whether a member of an enumeration is nothing but its number."""
    return type(value.value) is int and int(value) == value.value and not overrides(type(value))


def array_of(value: Any) -> NDArray[Any] | None:
    """Returns the array of a list of numbers, or of such lists of one length; None for other values."""
    if isinstance(value, np.ndarray):
        plain = type(value) is np.ndarray and value.dtype.kind in "biuf" and value.dtype.isnative
        return value if plain else None
    if type(value) is not list or not value:
        return None
    kinds = {one for one in map(number_of, _flat(value))}
    if len(kinds) != 1 or None in kinds:
        return None
    try:
        array = np.array(value)
    except (ValueError, OverflowError):
        return None
    return array if array.dtype.kind in "bif" else None


def _mixed_list(value: Any) -> Array | None:
    """Returns the kind of a list of ints and floats; None for other values."""
    if type(value) is not list or {*map(number_of, _flat(value))} != {INT, FLOAT}:
        return None
    try:
        array = np.array(value, np.float64)
    except (ValueError, OverflowError):
        return None
    return Array(FLOAT64, array.ndim, array.shape, True, True)


def _flat(value: Any) -> list[Any]:
    return [part for one in value for part in _flat(one)] if type(value) is list else [value]


def kind_of_value(value: Any) -> Kind | None:
    """Returns the kind of a value that changes while an environment runs; None if it can be no state."""
    number = number_of(value)
    if number is not None:
        return number
    if value is None:
        return NONE
    array = array_of(value)
    if array is not None:
        return Array(array.dtype, array.ndim, array.shape, isinstance(value, list))
    parts = parts_of_record(value)
    if parts is not None:
        items = [kind_of_value(one) for one in parts]
        if any(one is None or isinstance(one, Constant) for one in items):
            return None
        record = type(value) if is_record(type(value)) else None
        return Tuple(tuple(one for one in items if one is not None), record)
    if type(value) is list:
        return _mixed_list(value)
    if type(value) is dict and value and all(isinstance(key, str) for key in value):
        items = [kind_of_value(one) for one in value.values()]
        if any(one is None or isinstance(one, Constant) for one in items):
            return None
        return Mapping(tuple(value), tuple(one for one in items if one is not None))
    return None


def joined(a: Kind, b: Kind) -> Kind:
    """Returns the kind of a variable that holds either.

    Raises:
        Incompatible: If there is none.
    """
    if a == b:
        return a
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return next((one for one in (a, b) if isinstance(one, MixedKinds)), Unknown())
    if isinstance(a, Packed) or isinstance(b, Packed):
        return joined(*(one.array if isinstance(one, Packed) else one for one in (a, b)))
    if NONE in (a, b):
        return _with_none(b if a == NONE else a)
    if isinstance(a, Optional) or isinstance(b, Optional):
        return Optional(joined(*(one.kind if isinstance(one, Optional) else one for one in (a, b))))
    first, second = partial_of(a), partial_of(b)
    if first is not None and second is not None:
        return _joined_dicts(first, second)
    if isinstance(a, Constant) or isinstance(b, Constant):
        plain = [_of_constant(one) for one in (a, b)]
        if None in plain:
            raise Incompatible
        return joined(*[one for one in plain if one is not None])
    if isinstance(a, Number) and isinstance(b, Number):
        return _joined_numbers(a, b)
    if isinstance(a, Array) and isinstance(b, Array) and (a.dtype, a.ndim, a.listed) == (b.dtype, b.ndim, b.listed):
        return Array(a.dtype, a.ndim, a.shape if a.shape == b.shape else None, a.listed, a.mixed or b.mixed)
    if (
        isinstance(a, Array)
        and isinstance(b, Array)
        and a.listed
        and b.listed
        and a.ndim == b.ndim
        and ({a.dtype, b.dtype} == {FLOAT64, INT64})
    ):
        return Array(FLOAT64, a.ndim, a.shape if a.shape == b.shape else None, True, True)
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items) and a.record is b.record:
        forms = a.forms | b.forms
        if a.loose != b.loose:
            forms |= {"a tuple"}
        return Tuple(tuple(map(joined, a.items, b.items)), a.record, a.loose or b.loose, forms)
    if isinstance(a, (Array, Tuple)) and isinstance(b, (Array, Tuple)):
        x, y = _loosened(a), _loosened(b)
        if x is not None and y is not None and len(x.items) == len(y.items):
            return joined(x, y)
    if isinstance(a, Growing) and isinstance(b, Growing) and (a.item is None or b.item is None):
        return b if a.item is None else a
    if isinstance(a, Opaque) or isinstance(b, Opaque):
        other = b if isinstance(a, Opaque) else a
        if isinstance(other, (Number, Array, Tuple, Growing)):
            return Opaque()
    raise Incompatible


def partial_of(kind: Kind) -> Partial | None:
    """Returns a dict with known texts as keys as one that may lack some; None for anything else."""
    found: Kind | None = kind
    if isinstance(kind, Constant) and type(kind.value) is dict:
        found = kind_of_value(kind.value) if kind.value else Mapping((), ())
    if isinstance(found, Mapping):
        return Partial(found.keys, found.items, frozenset(found.keys))
    return found if isinstance(found, Partial) else None


def holds_dicts(kind: Kind) -> bool:
    """Returns whether a value of a kind is a dict, or holds one."""
    if isinstance(kind, Optional):
        return holds_dicts(kind.kind)
    return isinstance(kind, (Mapping, Partial)) or (isinstance(kind, Tuple) and any(map(holds_dicts, kind.items)))


def _joined_dicts(a: Partial, b: Partial) -> Mapping | Partial:
    whole = a.sure == {*a.keys} and b.sure == {*b.keys}
    if whole and a.keys == b.keys:
        return Mapping(a.keys, tuple(map(joined, a.items, b.items)))
    if whole and a.sure == b.sure:
        raise Incompatible  # the order of the keys is another
    mine, others = dict(zip(a.keys, a.items, strict=True)), dict(zip(b.keys, b.items, strict=True))
    found = {key: joined(mine.get(key, kind), others.get(key, kind)) for key, kind in (mine | others).items()}
    return Partial(tuple(found), tuple(map(_variable, found.values())), a.sure & b.sure)


def _variable(kind: Kind) -> Kind:
    """Returns the kind of a value of this one in machine code."""
    plain = _of_constant(kind)
    if plain is None or isinstance(plain, Constant):
        raise Incompatible
    return plain.array if isinstance(plain, Packed) else plain


def _loosened(kind: Array | Tuple) -> Tuple | None:
    """Returns a short array or list as a tuple of its numbers, of which nothing but the items can be used."""
    if isinstance(kind, Tuple):
        return Tuple(kind.items, None, True, kind.forms or frozenset(["a tuple"])) if kind.record is None else None
    if kind.ndim != 1 or kind.shape is None or kind.shape[0] > _LOOSE or kind.dtype.itemsize < 8:
        return None
    weak = True if kind.listed and kind.dtype.kind == "i" else None if kind.listed else False
    form = f"{'a list' if kind.listed else 'an array'} of {kind.dtype}"
    return Tuple((Number(kind.dtype, weak, kind.mixed),) * kind.shape[0], None, True, frozenset([form]))


_LOOSE = 16


def _with_none(kind: Kind) -> Kind:
    if isinstance(kind, (Optional, Unknown)):
        return kind
    if isinstance(kind, Constant):
        plain = _of_constant(kind)
        if plain is None:
            raise Incompatible
        return Optional(plain)
    if isinstance(kind, (Number, Array, Tuple, Mapping)):
        return Optional(kind)
    raise Incompatible


def _of_constant(kind: Kind) -> Kind | None:
    return kind_of_value(kind.value) if isinstance(kind, Constant) and kind != NONE else kind


def _joined_numbers(a: Number, b: Number) -> Number:
    weak = a.weak if a.weak == b.weak else None
    if a.dtype == b.dtype:
        return Number(a.dtype, weak, a.mixed or b.mixed)
    if {a.dtype.kind, b.dtype.kind} == {"i", "f"} and a.dtype.itemsize == b.dtype.itemsize == 8:
        return Number(np.dtype(np.float64), weak, mixed=True)
    if {a.dtype.kind, b.dtype.kind} <= {"i", "u"} and np.dtype(np.uint64) not in (a.dtype, b.dtype):
        return Number(np.dtype(np.int64), None, mixed=True)  # how NumPy computes with it is not known
    raise Incompatible
