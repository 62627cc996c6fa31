"""Which attributes may hold one list, dict, array or object: what is written by one name is seen by the other.

States keep each attribute apart. So an attribute whose list, say, a step changes must not share it: with another
attribute, with itself, or with other environments. Objects in Python show what is shared at some moments; programs show
what they share at their ends. Attributes of objects, and values of dicts, have names of their own: `dict.key`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from palaestra.language.frontend.building import keys_of
from palaestra.language.frontend.placing import attributes_of, objects_in
from palaestra.language.frontend.pools import pool_key
from palaestra.language.frontend.stand_ins import GENERATORS
from palaestra.language.frontend.writing import roots_of, sets_of
from palaestra.language.operations.arrays import bounds_of, rooted
from palaestra.language.program import Value
from palaestra.language.types import CONTAINERS, Array, Either, Reference, Term, Tuple
from palaestra.runner.classes.copies import SIMPLE, is_object

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

Pairs = set[tuple[str, str]]
ITEMS = ".items"
"""Ends the name of the arrays and containers in a list or a tuple, or of those of the objects in a pool."""
_ALL = 1 << 60


def is_within(name: str, owner: str) -> bool:
    """Returns whether a name is that of an attribute or of something in it."""
    return name == owner or name.startswith(f"{owner}.")


class Bytes(NamedTuple):
    """Bytes from an address on; those of constants have the root None and addresses of Python's memory."""

    root: Any
    low: int
    high: int

    def meets(self, other: Bytes) -> bool:
        """Returns whether some are those of another."""
        return self.root == other.root and self.low < other.high and other.low < self.high


class Held(NamedTuple):
    """A list, a dict or an object of Python, by its `id`, or of a program, by its number."""

    kind: str
    number: int


def shared_of(pieces: Iterable[tuple[str, Any]]) -> Pairs:
    """Returns the pairs of names that hold one thing; a name twice if it holds one thing twice."""
    pairs: Pairs = set()
    names: dict[Any, str] = {}
    arrays: list[tuple[str, Bytes]] = []
    for name, piece in pieces:
        if isinstance(piece, Bytes):
            pairs |= {(other, name) for other, one in arrays if one.meets(piece)}
            arrays.append((name, piece))
        elif piece in names:
            pairs.add((names[piece], name))
        else:
            names[piece] = name
    return pairs


# In Python.


def pieces_of(owner: Any, skipped: Collection[str], placed: tuple[type, ...] = ()) -> list[tuple[str, Any]]:
    """Returns what the attributes of an environment hold, except for some, each with its name.

    Objects of the classes `placed` may be anywhere: they have the name of their pool, and their arrays another one.
    """
    held = {key: one for key, one in vars(owner).items() if key not in skipped}
    found = list(_walked(held, "", {id(owner), id(owner._np_random)}, placed))
    for one in objects_in(owner, placed) if placed else ():
        name = pool_key(next(root for root in placed if isinstance(one, root)))
        found.append((name, Held("python", id(one))))
        inner = {piece for value in attributes_of(one).values() for piece in contents_of(value, (), placed)}
        found += [(f"{name}{ITEMS}", piece) for piece in inner]  # which no program changes there
    return found


def _walked(held: dict[Any, Any], path: str, seen: set[int], placed: tuple[type, ...]) -> Iterator[tuple[str, Any]]:
    for key, value in held.items():
        if type(value) in SIMPLE or isinstance(value, placed):
            continue
        name = f"{path}{key}"
        if not (type(value) is dict or is_object(value)):
            for one in contents_of(value, seen, placed):
                is_own = isinstance(value, np.ndarray) or one == Held("python", id(value))
                yield name if is_own else f"{name}{ITEMS}", one
            continue
        yield name, Held("python", id(value))
        if id(value) not in seen:
            inside = value if type(value) is dict else vars(value)
            yield from _walked(inside, f"{name}.", seen | {id(value)}, placed)


def contents_of(value: Any, seen: Collection[int] = (), placed: tuple[type, ...] = ()) -> Iterator[Any]:
    """Yields the lists, dicts, arrays and objects in a value, itself included, without objects of some classes."""
    if isinstance(value, placed):
        return
    if isinstance(value, np.ndarray):
        yield Bytes(None, *np.lib.array_utils.byte_bounds(value))
        return
    if isinstance(value, CONTAINERS) or is_object(value):
        yield Held("python", id(value))
    elif type(value) in GENERATORS and id(value) not in seen:
        yield Held("python", id(value))
        return
    elif not isinstance(value, tuple):
        return
    if id(value) in seen:
        return
    inner: Any = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    for one in vars(value).values() if is_object(value) else inner:
        yield from contents_of(one, {*seen, id(value)}, placed)


def common(pieces: Iterable[tuple[str, Any]], others: Iterable[Any]) -> set[str]:
    """Returns the names of pieces that are among others, too."""
    others = set(others)
    arrays = [one for one in others if isinstance(one, Bytes)]
    return {name for name, one in pieces if one in others or (isinstance(one, Bytes) and any(map(one.meets, arrays)))}


# In programs.


class Sharing:
    """What the attributes of an object hold at the end of a program.

    Args:
        front: The front end that has written it.
    """

    def __init__(self, front: FrontEnd) -> None:
        self._front = front
        self._sets = sets_of(front.body)

    def pieces(self, term: Term, path: str = "", seen: frozenset[int] = frozenset()) -> Iterator[tuple[str, Any]]:
        """Yields what an object holds, each with its name."""
        assert isinstance(term.type, Reference)
        seen |= {term.type.number}
        contents = self._front.state.heap[term.type.number]
        for key, one in zip(keys_of(contents) or (), contents[1:], strict=True):
            name = f"{path}{key}"
            if self._front.shelves.place_of(one) is not None:
                continue
            if isinstance(one.type, Reference) and (one.type.of is dict or one.type.of not in CONTAINERS):
                yield name, Held("program", one.type.number)
                yield from self.pieces(one, f"{name}.", seen) if one.type.number not in seen else ()
            else:
                own = Held("program", one.type.number) if isinstance(one.type, Reference) else None
                for piece in self.parts(one):
                    yield name if isinstance(one.type, Array) or piece == own else f"{name}{ITEMS}", piece

    def parts(self, term: Term, seen: frozenset[int] = frozenset()) -> list[Any]:
        """Returns the lists, dicts, arrays and objects that a term may be, or hold."""
        match term.type:
            case Reference() if self._front.shelves.place_of(term) is not None:
                return []
            case Reference(number=number):
                inner = () if number in seen else self._front.state.heap[number]
                return [Held("program", number), *(p for one in inner for p in self.parts(one, seen | {number}))]
            case Array():
                return list(dict.fromkeys(self._bytes_of(term.part, term.type)))
            case Tuple():
                return [piece for item in term.items() for piece in self.parts(item, seen)]
            case Either():  # it is one of them
                return list({piece: None for item in term.items() for piece in self.parts(item, seen)})
        return list(contents_of(term.value)) if term.known else []

    def _bytes_of(self, address: Value, kind: Array) -> Iterator[Bytes]:
        """The bytes that an array may have: all of an address, if it is not known which."""
        root, offset = rooted(address)
        low, high = bounds_of(kind)
        if root.operation in ("select", "get") or offset is None:
            for one in roots_of(root, self._sets):
                yield _bytes_from(one, -_ALL, _ALL)
        else:
            yield _bytes_from(root, offset + low, offset + high)


def _bytes_from(root: Value, low: int, high: int) -> Bytes:
    if root.operation != "table":
        return Bytes(root, low, high)
    return Bytes(None, *np.lib.array_utils.byte_bounds(root.attribute))


def lent_of(front: FrontEnd, pieces: Iterable[tuple[str, Any]]) -> Pairs:
    """Returns the names of arrays of which objects in pools have copies, each as a pair with itself."""
    roots = set(front.lent)
    return {(name, name) for name, one in pieces if isinstance(one, Bytes) and one.root in roots}


def outer(pieces: Iterable[tuple[str, Any]], own: Collection[Any]) -> set[str]:
    """Returns the names of pieces that existed before the program and are not those of the environment."""
    found = set()
    for name, piece in pieces:
        existed = piece.kind == "python" if isinstance(piece, Held) else piece.root is None
        if existed and piece not in own and not any(_covers(one, piece) for one in own):
            found.add(name)
    return found


def _covers(one: Any, piece: Any) -> bool:
    both = isinstance(one, Bytes) and isinstance(piece, Bytes)
    return both and one.low <= piece.low and piece.high <= one.high
