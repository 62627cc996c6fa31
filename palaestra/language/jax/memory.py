"""Rooms and addresses: what a row has in memory, as arrays of JAX.

A room holds items of one kind, in one array, and beside it those that were stored at known places: short arrays with
known indices never become arrays of JAX. An address is a room, or one of several that a number chooses, and an offset.
Nothing here changes: to store is to make new items.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gymnasium.envs._jax.library import jax, jnp, lax
from palaestra.language.jax.numbers import (
    NotUnderJax,
    Number,
    as_array,
    bits,
    choose,
    compute,
    is_known,
    kind_of,
)

INT64 = np.dtype(np.int64)
LONG = 1024
"""The number of items from which on a store at a place that is not known writes one item instead of choosing all."""


@dataclass(frozen=True, eq=False)
class Room:
    """Memory of a row.

    Attributes:
        number: Its number in the program.
        kind: The kind of its items; None if they are of several kinds: then all places must be known.
        size: The number of its bytes.
    """

    number: int
    kind: np.dtype[Any] | None
    size: int

    @property
    def count(self) -> int:
        """The number of its items."""
        return self.size // self._kind.itemsize

    @property
    def _kind(self) -> np.dtype[Any]:
        if self.kind is None:
            raise NotUnderJax("memory with numbers of several kinds at places that are found at run time")
        return self.kind

    def index(self, offset: Number) -> Number:
        """Returns the index of the item at an offset in bytes."""
        if is_known(offset):
            return INT64.type(int(offset) // self._kind.itemsize)
        return lax.div(offset, np.int64(self._kind.itemsize))


class Address:
    """An address.

    Args:
        rooms: The rooms that it may lie in; none for a null address.
        number: The number of the one that it does.
        offset: The bytes from there.
    """

    __slots__ = ("number", "offset", "rooms")

    def __init__(self, rooms: tuple[Room, ...], number: Number, offset: Number) -> None:
        self.rooms, self.number, self.offset = rooms, number, offset

    def further(self, offset: Number) -> Address:
        """Returns the address of bytes further."""
        return Address(self.rooms, self.number, compute("add", INT64, [self.offset, offset]))

    def word(self) -> Number:
        """Returns a number by which addresses of one room are as far from each other as they are."""
        far = compute("mul", INT64, [self.number, np.int64(_FAR)])
        return compute("add", INT64, [far, self.offset])

    def options(self) -> list[tuple[Room, Number | None]]:
        """Returns the rooms that it may lie in, each with whether it does; None if that is sure."""
        if is_known(self.number):
            return [(room, None) for room in self.rooms if room.number == self.number]
        return [(room, lax.eq(self.number, np.int64(room.number))) for room in self.rooms]


_FAR = 1 << 40
NULL = Address((), np.int64(-1), np.int64(0))


def chosen(condition: Number, one: Address, other: Address) -> Address:
    """Returns one of two addresses."""
    if is_known(condition):
        return one if condition else other
    if not one.rooms or not other.rooms:  # a null address is not used
        return one if one.rooms else other
    rooms = tuple({room: None for room in (*one.rooms, *other.rooms)})
    return Address(rooms, choose(condition, one.number, other.number), choose(condition, one.offset, other.offset))


class Items:
    """What a room holds.

    Args:
        room: The room.
        whole: All items, an array; None if they are zeros, or not set.
        placed: By offset in bytes, those that stand for what `whole` has there.
    """

    __slots__ = ("_array", "placed", "room", "whole")

    def __init__(self, room: Room, whole: Any = None, placed: dict[int, Number] | None = None) -> None:
        self.room, self.whole, self.placed = room, whole, placed or {}
        self._array: Any = None

    def apart(self) -> Items:
        """Returns the same items, which remember nothing of what is read from them there."""
        same = Items(self.room, self.whole, self.placed.copy())
        same._array = self._array
        return same

    def array(self) -> Any:
        """Returns all items as one array."""
        if self._array is None:
            self._array = self._made()
        return self._array

    def _made(self) -> Any:
        room, whole = self.room, self.whole
        kind = room._kind
        if not self.placed:
            return jnp.zeros(room.count, kind) if whole is None else whole
        places = {offset // kind.itemsize: bits(kind, value) for offset, value in self.placed.items()}
        if is_known(*places.values()) and (whole is None or isinstance(whole, np.ndarray)):
            known = np.zeros(room.count, kind) if whole is None else np.array(whole)
            known[[*places]] = [*places.values()]
            return known
        if len(places) * 2 > room.count:
            zero = kind.type(0)
            rest = [zero] * room.count if whole is None else whole
            return jnp.stack([as_array(places[k] if k in places else _at(rest, k)) for k in range(room.count)])
        whole = jnp.zeros(room.count, kind) if whole is None else jnp.asarray(whole)
        return whole.at[np.array([*places])].set(jnp.stack([as_array(one) for one in places.values()]))

    def load(self, kind: np.dtype[Any], offset: Number) -> Number:
        """Returns the number at an offset."""
        if not is_known(offset):
            array = self.array()
            if isinstance(array, np.ndarray):
                array = jnp.asarray(array)
            return bits(kind, array.at[self.room.index(offset)].get(mode="clip"))
        place = int(offset)
        if place in self.placed:
            return _as_kind(kind, self.placed[place])
        if self.whole is None or not 0 <= place < self.room.size:
            return kind.type(0)
        found = self.placed[place] = _at(self.whole, place // self.room._kind.itemsize)  # the same number each time
        return bits(kind, found)

    def store(self, offset: Number, value: Number) -> Items:
        """Returns the items with a number at an offset."""
        if is_known(offset):
            placed = dict(self.placed)
            placed[int(offset)] = value
            return Items(self.room, self.whole, placed)
        array, index = jnp.asarray(self.array()), self.room.index(offset)
        number = bits(self.room._kind, value)
        if self.room.count >= LONG:
            return Items(self.room, array.at[index].set(number, mode="drop"))
        return Items(self.room, jnp.where(np.arange(self.room.count) == index, number, array))


def _at(whole: Any, k: int) -> Number:
    return lax.index_in_dim(whole, k, keepdims=False) if isinstance(whole, jax.Array) else whole[k]


def _as_kind(kind: np.dtype[Any], number: Number) -> Number:
    if kind_of(number).itemsize != kind.itemsize:
        raise NotUnderJax("a number whose bytes are read as numbers of another size")
    return bits(kind, number)


def merged(condition: Number, one: Items, other: Items) -> Items:
    """Returns one of two items of a room."""
    if one is other:
        return one
    if one.whole is other.whole:
        placed = {}
        for place in {**one.placed, **other.placed}:
            kind = kind_of(one.placed[place] if place in one.placed else other.placed[place])
            placed[place] = choose(condition, one.load(kind, np.int64(place)), other.load(kind, np.int64(place)))
        return Items(one.room, one.whole, placed)
    return Items(one.room, jnp.where(condition, one.array(), other.array()))


def copied(target: Items, to: Number, source: Items, start: Number, size: Number) -> Items:
    """Returns items with some bytes of others.

    Args:
        target: The items.
        to: The offset of the first byte that is written.
        source: The others.
        start: The offset of the first byte that is read.
        size: The number of bytes.
    """
    if is_known(to, start, size):
        if not to and not start and size == target.room.size == source.room.size:
            return Items(target.room, source.whole, source.placed)
        places = range(0, int(size), _itemsize(target.room, source.room))
        if len(places) <= 16 or target.room.kind is None or source.room.kind is None:
            kind = source.room.kind or target.room._kind
            placed = {int(to) + k: source.load(kind, np.int64(int(start) + k)) for k in places}
            return Items(target.room, target.whole, {**target.placed, **placed})
    first, begin = target.room.index(to), source.room.index(start)
    index = np.arange(target.room.count)
    from_first = index - first
    there = bits_of(source, target).at[from_first + begin].get(mode="clip")
    inside = (from_first >= 0) & (from_first < target.room.index(size))
    return Items(target.room, jnp.where(inside, there, target.array()))


def bits_of(source: Items, target: Items) -> Any:
    """Returns all items of a room as those of another's kind."""
    array, kind = jnp.asarray(source.array()), target.room._kind
    if array.dtype.itemsize != kind.itemsize:
        raise NotUnderJax("bytes that are copied to numbers of another size")
    return array if array.dtype == kind else lax.bitcast_convert_type(array, kind)


def _itemsize(*rooms: Room) -> int:
    return min(room.kind.itemsize if room.kind is not None else 8 for room in rooms)


def vector(items: Iterable[tuple[Items, Number | None]], offset: Number, steps: Any) -> Any:
    """Returns the numbers at an offset and at some bytes further, an array.

    Args:
        items: The items of the rooms that they may be in, each with whether they are.
        offset: The offset of the first in its room.
        steps: The bytes from there to each, int64.
    """
    found: Any = None
    for one, condition in items:
        array = jnp.asarray(one.array())
        size = one.room._kind.itemsize
        if is_known(offset):
            places = (int(offset) + np.asarray(steps)) // size
            values = array if _is_all(places, one.room.count) else array[places]
        else:
            values = array.at[lax.div(offset, np.int64(size)) + np.asarray(steps) // size].get(mode="clip")
        found = values if condition is None or found is None else jnp.where(condition, values, found)
    return found


def _is_all(places: Any, count: int) -> bool:
    return places.shape == (count,) and bool(np.array_equal(places, np.arange(count)))
