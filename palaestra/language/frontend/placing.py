"""Objects in pools, in Python: an environment's objects as words of memory, and made again from them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palaestra.language.frontend.objects import is_of_objects
from palaestra.language.types import (
    CONTAINERS,
    HEAD,
    IN_SHELF,
    UNBOUND,
    WORD,
    Array,
    Contents,
    Either,
    Growing,
    Layout,
    Placed,
    Pool,
    Shelf,
    Tuple,
    Type,
    shelves_in,
    words_of,
)

_ABSENT = UNBOUND.value


def attributes_of(value: Any) -> dict[str, Any]:
    """Returns what an object holds, by the names of its attributes, slots among them."""
    found = dict(getattr(value, "__dict__", {}))
    for base in type(value).__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                found[name] = getattr(value, name)
    return found


def objects_in(value: Any, roots: tuple[type, ...]) -> Iterator[Any]:
    """Yields the objects of some classes that an object holds, and that these hold, each once."""
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, (str, bytes, int, float, np.ndarray, np.generic, type)):
            continue
        seen.add(id(one))
        if isinstance(one, dict):
            waiting += [*one.values()]
        elif isinstance(one, (tuple, *CONTAINERS)):
            waiting += [*one]
        elif one is value or is_of_objects(type(one)):
            if isinstance(one, roots):
                yield one
            waiting += [*attributes_of(one).values()]


Flatten = Callable[[Type, Any, "Places"], Iterator[Any]]


class Places:
    """The places that an environment's objects get in pools.

    Args:
        kind: The type of the environment.
        env: The environment.
        flatten: Returns the values of the fields that keep an object of a type, see `keeping`.
        fits: Returns whether a value is of a type.
    """

    def __init__(self, kind: Contents, env: Any, flatten: Flatten, fits: Callable[[Type, Any], bool]) -> None:
        self._flatten, self._fits = flatten, fits
        self._pools = {one.root: one for one in kind.items if isinstance(one, Pool)}
        self._objects: dict[type, list[Any]] = {root: [] for root in self._pools}
        self._numbers: dict[int, int] = {}
        for one in objects_in(env, tuple(self._objects)):
            same = next(objects for root, objects in self._objects.items() if isinstance(one, root))
            self._numbers[id(one)] = len(same)
            same.append(one)
        if any(issubclass(root, Shelf) for root in self._pools):
            self._find(kind, env)
            for root, objects in list(self._objects.items()):
                for one in [] if issubclass(root, Shelf) else objects:
                    self._find_in(root, one)

    def number(self, root: type, value: Any) -> int:
        """Returns the place of an object in the pool of a class.

        Raises:
            TypeError: If it has none.
        """
        if id(value) not in self._numbers:
            raise TypeError(f"{value!r} does not fit here")
        return self._numbers[id(value)]

    def words(self, kind: Pool) -> NDArray[np.int64]:
        """Returns the memory of a pool: no place is free in it, so that a program finds those that are.

        Raises:
            TypeError: If it has no room for the objects, or attributes are of other types.
        """
        objects = self._objects.get(kind.root, [])
        if len(objects) > kind.capacity:
            raise TypeError(f"{len(objects)} objects of {kind.root.__name__} do not fit here")
        words = np.zeros(kind.words, np.int64)
        for k, one in enumerate(objects):
            layout = kind.layouts[0] if issubclass(kind.root, Shelf) else kind.layout(type(one))
            if layout is None:
                raise TypeError(f"{one!r} does not fit here")
            start = HEAD + k * kind.size
            words[start] = kind.tag(layout.of)
            for key, item, parts in self._flattened(layout, one):
                at = start + kind.at(key, item)
                words[at : at + words_of(item)] = np.concatenate([np.zeros(0, np.int64), *map(_as_words, parts)])
        return words

    def _flattened(self, layout: Layout, value: Any) -> Iterator[tuple[Any, Type, list[Any]]]:
        """Yields the keys and types of what an object holds, with the values of their fields."""
        held = _held(layout, value)
        for key, item in zip(layout.keys, layout.items, strict=True):
            parts = list(self._flatten(item, held.get(key, _ABSENT), self))
            if isinstance(item, Growing):
                parts[1:1] = [0] * (item.lead - 1)
            yield key, item, parts

    def _find(self, kind: Type, value: Any) -> None:
        """Give places to the containers on shelves that a value of a type refers to."""
        match kind:
            case Placed(root=root) if root in self._pools:
                if kind.is_container and self._fits(kind, value) and id(value) not in self._numbers:
                    self._numbers[id(value)] = len(self._objects[root])
                    self._objects[root].append(value)
                    self._find_in(root, value)
            case Growing(item=item) if isinstance(value, CONTAINERS) and shelves_in(item):
                for one in value.items() if isinstance(value, dict) else value:
                    self._find(item, one)
            case Tuple(items=items) if isinstance(value, tuple):
                for item, one in zip(items, value, strict=False):
                    self._find(item, one)
            case Contents(of=of, keys=keys, items=items) if type(value) is of:
                values: Any = value
                if of is not list:
                    held: Any = value if of is dict else attributes_of(value)
                    values = [held.get(key, _ABSENT) for key in keys]
                for item, one in zip(items, values, strict=False):
                    self._find(item, one)
            case Either(options=options):
                option = next((one for one in options if self._fits(one, value)), None)
                if option is not None:
                    self._find(option, value)

    def _find_in(self, root: type, value: Any) -> None:
        pool = self._pools[root]
        layout = pool.layouts[0] if issubclass(root, Shelf) else pool.layout(type(value))
        if layout is not None:
            held = _held(layout, value)
            for key, item in zip(layout.keys, layout.items, strict=True):
                self._find(item, held.get(key, _ABSENT))

    def needs(self, root: type) -> tuple[int, int]:
        """Returns how many objects are in a pool, and how many items the longest container among them has."""
        objects = self._objects[root]
        return len(objects), max([len(one) for one in objects if issubclass(root, Shelf)], default=0)


def _held(layout: Layout, value: Any) -> dict[Any, Any]:
    """What an object holds, or a container on a shelf."""
    if not issubclass(layout.of, Shelf):
        return attributes_of(value)
    if layout.keys == IN_SHELF:
        return {layout.keys[0]: value}
    if [*value] != [*layout.keys]:
        raise TypeError(f"a dict with the keys {layout.keys} is held here, not {value!r}")
    return dict(value)


def _as_words(part: Any) -> NDArray[np.int64]:
    data = np.ascontiguousarray(part).tobytes()
    return np.frombuffer(data + bytes(-len(data) % WORD), np.int64)


Rebuild = Callable[[Type, Iterator[Any], Any, "Made"], Any]


class Made:
    """The objects that are made again from pools, each once.

    Args:
        kind: The type of the environment.
        values: The values of its fields.
        count: Returns the number of a type's fields.
        rebuild: Returns the object of a type that values keep, see `keeping`.
    """

    def __init__(self, kind: Type, values: list[Any], count: Callable[[Type], int], rebuild: Rebuild) -> None:
        self._rebuild = rebuild
        self._pools: dict[type, tuple[Pool, Any]] = {}
        self._made: dict[tuple[type, int], Any] = {}
        at = 0
        for one in kind.items if isinstance(kind, Contents) else ():
            if isinstance(one, Pool):
                self._pools[one.root] = one, values[at]
            at += count(one)

    def object(self, root: type, k: int) -> Any:
        """Returns the object at a place of the pool of a class."""
        if (root, k) not in self._made:
            kind, words = self._pools[root]
            start = HEAD + k * kind.size
            layout = kind.layouts[int(words[start])]
            made = self._made[root, k] = self._empty(layout)
            for key, item in zip(layout.keys, layout.items, strict=True):
                at = start + kind.at(key, item)
                values = iter(list(_values_of(item, words[at : at + words_of(item)])))
                value = self._rebuild(item, values, None, self)
                if layout.keys == IN_SHELF:
                    (made.extend if isinstance(made, list | deque) else made.update)(value)
                elif issubclass(root, Shelf):
                    made[key] = value
                elif value is not _ABSENT:
                    object.__setattr__(made, key, value)
        return self._made[root, k]

    def _empty(self, layout: Layout) -> Any:
        """An object of a class without attributes, or a container without items."""
        if layout.keys != IN_SHELF:
            return {} if issubclass(layout.of, Shelf) else object.__new__(layout.of)
        kind = layout.items[0]
        return self._rebuild(kind, iter([0, *[()] * len(kind.kinds)]), None, self)


def _values_of(kind: Type, words: NDArray[np.int64]) -> Iterator[Any]:
    """Yields the values of the fields of an attribute, from its words."""
    match kind:
        case Array(dtype=dtype, shape=shape):
            yield np.frombuffer(words.tobytes(), dtype, kind.size).reshape(shape)
        case Tuple(items=kinds) | Either(options=kinds):
            if isinstance(kind, Either):
                yield words[0]
                words = words[1:]
            for one in kinds:
                yield from _values_of(one, words[: words_of(one)])
                words = words[words_of(one) :]
        case Placed():
            yield words[0]
        case Growing(capacity=capacity):
            yield words[0]
            at = kind.lead
            for one in kind.columns:
                end = at - (-capacity * one.bytes // WORD)
                column = np.frombuffer(words[at:end].tobytes(), one.dtype, capacity * one.size)
                yield column.reshape(capacity, *one.shape)
                at = end
        case _:
            for word, single in zip(words, kind.kinds, strict=True):
                assert isinstance(single, np.dtype)
                yield np.frombuffer(np.int64(word).tobytes(), single, 1)[0]


def repacked(kind: Pool, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the memory of pools, one in each row, as it is with as much room as `kind` has, which is more."""
    made = np.zeros((len(rows), kind.words), np.int64)
    before = _smaller(kind, rows.shape[1])
    if before is None or before.size == kind.size:
        made[:, : rows.shape[1]] = rows
        return made
    made[:, :HEAD] = rows[:, :HEAD]
    old = rows[:, HEAD:].reshape(len(rows), before.capacity, before.size)
    new = made[:, HEAD:].reshape(len(rows), kind.capacity, kind.size)[:, : before.capacity]
    (one,), (other,) = before.layouts[0].items, kind.layouts[0].items
    assert isinstance(one, Growing) and isinstance(other, Growing)
    start = source = target = 1 + one.lead
    new[..., :start] = old[..., :start]
    for column in one.columns:
        size = -(-one.capacity * column.bytes // WORD)
        new[..., target : target + size] = old[..., source : source + size]
        source, target = source + size, target - (-other.capacity * column.bytes // WORD)
    return made


def _smaller(kind: Pool, length: int) -> Pool | None:
    """The pool of a length from which another one was made: its places, or what each holds, have been doubled."""
    (layout, *others) = kind.layouts
    while kind.words >= length:
        least = kind
        while least.words > length and least.capacity > 1:
            least = Pool(kind.root, kind.layouts, least.capacity // 2)
        if least.words == length:
            return least
        one = layout.items[0] if layout.keys == IN_SHELF and not others else None
        if not isinstance(one, Growing) or one.capacity < 2:
            return None
        layout = Layout(layout.of, layout.keys, (Growing(one.item, one.capacity // 2, one.of, one.more),))
        kind = Pool(kind.root, (layout,), kind.capacity)
    return None
