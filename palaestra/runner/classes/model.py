"""The attributes of an environment: what each holds at first, and after resets and steps, as types.

Types are found in two ways. A sample, a few short episodes in Python, shows what attributes hold at some moments. Then
the front end writes the programs of `reset` and `step` with these types, and finds what attributes hold at their ends;
if that is more than was known, it writes them again. So the sample only saves turns: a type that it misses is found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from time import monotonic
from types import MethodType
from typing import Any

import numpy as np

from gymnasium.core import Env
from palaestra.language.frontend.growing import more_of
from palaestra.language.frontend.hidden import HIDDEN, STREAM
from palaestra.language.frontend.keeping import apart, fields_of, fits, merged, replaced, structural, with_places
from palaestra.language.frontend.libraries import is_of_library
from palaestra.language.frontend.placing import attributes_of
from palaestra.language.frontend.pools import Widened, check_placeable, pool_key
from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.shelves import meetings, renamed, renamed_pools, unified
from palaestra.language.frontend.stand_ins import GENERATORS, StandIn
from palaestra.language.operations.sequences import FAR
from palaestra.language.operations.twister import Twister
from palaestra.language.types import (
    CONTAINERS,
    IN_SHELF,
    LEAST_CAPACITY,
    UNBOUND,
    Chosen,
    Constant,
    Contents,
    Either,
    Given,
    Growing,
    Keys,
    Layout,
    Placed,
    Pool,
    Shelf,
    Stream,
    Tuple,
    Type,
    capacity_for,
    grown,
    joined,
    pairs_of,
    shelf_for,
    shelves_in,
    storage_like,
    stored_form,
    type_of,
)
from palaestra.runner.classes.copies import SIMPLE, alike, deepcopy_of, is_object
from palaestra.runner.classes.own_generators import new, process_kept, seed_process
from palaestra.runner.classes.sharing import common, pieces_of, shared_of

EPISODES, STEPS, LONGEST = 3, 40, 0.3  # of the sample; the last in s
MACHINERY = frozenset(
    (
        *(STREAM, "_np_random_seed", "spec", "metadata", "_own_stream", "_whole", "_arrays", "_reports", "_pack"),
        *("_pack_own", "_read_action", "_space_read", "_render_state", "_own_window", "_lent", "isopen", *HIDDEN),
        "steps_beyond_terminated",
    )
)
"""Attributes of environments that a batch keeps itself."""


class TooManyTypes(Exception):
    """An attribute holds values of too many types, or one that no column keeps.

    Args:
        name: The attribute; "" if it is not known.
        kinds: Two of the types.
    """

    def __init__(self, name: str, *kinds: Type) -> None:
        super().__init__(name)
        self.name, self.kinds = name, kinds


class Model:
    """The attributes of an environment.

    Args:
        env: The environment, which is stepped for a sample.
        others: Others, made alike.
        placed: The classes of objects that are in pools.
        shelved: The attributes whose containers are on shelves, as others share them.

    Attributes:
        env: The environment as it was made.
        first: What it held then, and other copies did.
        made: What it alone held then.
        differing: The names of the attributes that differ between copies.
        kinds_of: The copies that hold attributes of other types than those before.
        is_alone: Whether another environment would differ from the only copy.
        apart: The paths of those of which no column holds what copies do, each with two of its types.
        later: What it holds after a reset or a step, so far as is known.
        shared: Pairs of attributes that held one list, dict, array or object at a moment of the sample.
        outer: The attributes that held one then which another environment holds, too.
        hidden: Those of `HIDDEN` that it needs.
        at_first: Both for the moment before the first reset.
    """

    def __init__(
        self,
        env: Env[Any, Any],
        others: Sequence[Env[Any, Any]] = (),
        placed: tuple[type, ...] = (),
        beside: Env[Any, Any] | None = None,
        shelved: frozenset[str] = frozenset(),
    ) -> None:
        self.env, self.kind = deepcopy_of(env), type(env)
        self.placed, self.shelved = placed, shelved
        self._pools = {root: Pool(root, (), LEAST_CAPACITY) for root in placed}
        self.merged: dict[type, type] = {}
        self._shelves: dict[type, Pool] = {}
        self._noted = set[tuple[Type, bool]]()
        self.opened: set[int] = set()
        self.hidden: list[str] = []
        self.shared: set[tuple[str, str]] = set()
        self.outer = set[str]()
        near = others[:1] if beside is None else [beside]
        self._of_others = [piece for one in near for _, piece in self._pieces_of(one)]
        self.is_alone = beside is not None and not alike(env, beside)
        self._values: dict[int, Any] = {}  # that are alive as long as their ids count
        self._runs = False
        self.first = self.made = self._described(self.env, self.env)
        self.differing: set[str] = set()
        self.apart: dict[tuple[str, ...], tuple[Type, ...]] = {}
        self.kinds_of = [one for one in others if self._vary(one)]
        self.later = self.first
        self._runs = True
        self._look(env)
        self.at_first = self.shared, self.outer
        self.shared, self.outer = set(), set()

    @property
    def owned(self) -> dict[int, object]:
        """The lists, dicts and arrays among the constants, by their `id`."""
        found: dict[int, object] = {}
        for value in _constants(self.first):
            for part in _containers(value):
                found[id(part)] = value
        return found

    @property
    def in_place(self) -> frozenset[str]:
        """The names of the arrays that a step changes where they are: words, which are the same if made again."""
        return frozenset((*_words_in(self.first), *_words_in(self.later)))

    def open(self, key: int) -> None:
        """Let the constant that owns a list, dict or array be a state."""
        self.opened.add(id(self.owned[key]))
        opened = self.opened
        self.first = _with_opened(self.first, opened)
        self.later = _with_opened(self.later, opened)

    def want(self, name: str) -> None:
        """Let the environment have one of `HIDDEN`."""
        self.hidden.append(name)
        setattr(self.env, name, new(name))
        self.first, self.later = (_with_hidden(kind, name) for kind in (self.first, self.later))

    def give(self, given: Mapping[str, Type]) -> None:
        """Let a batch pass some of the constants, by their names, with these types."""
        self.first = _with_given(self.first, self.env, given)
        self.later = _with_given(self.later, self.env, given)

    def widen(self, kind: Type) -> bool:
        """Let a state after a reset or step be of another type too; returns whether that is new.

        Raises:
            TooManyTypes: If an attribute is of too many.
        """
        both = merged(self.later, kind)
        if not isinstance(both, Contents):
            raise TooManyTypes(*(apart(self.later, kind) or ("",)))
        before = self.later
        self.later = both
        self._note(kind)
        self._settle()
        return before != self.later

    def sample(self, env: Env[Any, Any]) -> None:
        """Play some short episodes in an environment as it was made, and describe the attributes between the calls."""
        space = deepcopy(env.action_space)
        space.seed(0)
        end = monotonic() + LONGEST
        first = True
        with process_kept():
            for episode in range(EPISODES):
                seed_process(episode)
                env.reset(seed=episode)
                first = self._see(env, first)
                for _ in range(STEPS):
                    _, _, terminated, truncated, _ = env.step(space.sample())
                    self._see(env, False)
                    if terminated or truncated or monotonic() > end:
                        break
        self._settle()

    def _see(self, env: Env[Any, Any], first: bool) -> bool:
        """Describe what an environment holds now; returns False."""
        self._look(env)
        kind = self._described(env, self.env)
        if first:
            varied = _varied(kind, self.made, self.first)
            assert isinstance(varied, Contents)
            self.later = varied
            self._settle()
        else:
            self.widen(kind)
        self.take_pools(with_places(self.later, env))
        return False

    def _vary(self, other: Env[Any, Any]) -> bool:
        """Let attributes hold what they do in another copy; returns whether that is new."""
        held, made = vars(other), vars(self.env)
        kinds = dict(zip(self.first.keys, self.first.items, strict=True))
        found = {name for name in {*held, *made} - MACHINERY if not alike(held.get(name, _NONE), made.get(name, _NONE))}
        self.differing |= found
        new = [
            name
            for name in found
            if (name,) not in self.apart and not fits(kinds.get(name, UNBOUND), held.get(name, UNBOUND.value))
        ]
        if not new and not self.placed:
            return False
        before = dict(self._values)
        both = self._of_both(self.first, self._described(other, self.env), ())
        if both == self.first:
            self._values = before  # what is described already needs no others
            return False
        assert isinstance(both, Contents)
        self.first = both
        return True

    def _of_both(self, a: Type, b: Type, path: tuple[str, ...]) -> Type:
        """The type of what two copies hold; where nothing holds both, that of the first."""
        if a == b or path in self.apart:
            return a
        if isinstance(a, Contents) and isinstance(b, Contents) and a.of is b.of and a.of not in (list, dict):
            keys, pairs = pairs_of(a, b)
            items = [self._of_both(x, y, (*path, str(key))) for key, (x, y) in zip(keys, pairs, strict=True)]
            return Contents(a.of, keys, tuple(items))
        both = merged(a, b)
        if isinstance(both, Either):  # in the same order, whichever copy was first
            both = Either(tuple(sorted(both.options, key=told)))
        try:
            if both is not None and all(True for _ in fields_of(both, ".".join(path))):
                return both
        except Refused:
            pass
        self.apart[path] = a, b
        return _found_at(self.made, path)

    def _pieces_of(self, env: Env[Any, Any]) -> list[tuple[str, Any]]:
        return pieces_of(env, MACHINERY, self.placed)

    def _look(self, env: Env[Any, Any]) -> None:
        """Find what attributes share now."""
        pieces = self._pieces_of(env)
        self.shared |= shared_of(pieces)
        self.outer |= common(pieces, self._of_others)

    def _described(self, value: Any, original: Any) -> Contents:
        """The type of an object, whose attributes are constants if they are as those of the original."""
        seen: dict[int, Any] = {id(value): original}
        self._placing = set[int]()
        self._alive_now: list[Any] = []
        kind = self._of_object(value, original, seen, value._np_random)
        assert isinstance(kind, Contents)
        return self._with_pools(kind)

    def _with_pools(self, kind: Contents) -> Contents:
        """The type of an environment with the pools of its objects."""
        for root, pool in self._pools.items():
            count = sum(isinstance(one, root) for one in self._alive_now)
            self._pools[root] = replaced(pool, max(pool.capacity, capacity_for(2 * count)))
        return self._ended_by_pools(kind)

    def _ended_by_pools(self, kind: Contents) -> Contents:
        """The type of an environment with all pools at the end, behind what refers to them."""
        held = [pair for pair in zip(kind.keys, kind.items, strict=True) if not isinstance(pair[1], Pool)]
        held += [(pool_key(root), pool) for root, pool in self._pools.items()]
        return Contents(kind.of, Keys(key for key, _ in held), tuple(item for _, item in held))

    def widen_pools(self, found: Widened) -> None:
        """Let objects in pools hold what a program has found in them, too."""
        for pool in found.pools:
            self._pools[pool.root] = pool
        unified(self.merged, found.met)
        self._settle()

    # Containers on shelves.

    def _note(self, kind: Type, is_inside: bool = False) -> None:
        """Note what containers hold that are in others, for the case that these grow."""
        match kind:
            case Contents(of=of, items=items) if of in CONTAINERS:
                if (kind, is_inside) in self._noted:
                    return
                self._noted.add((kind, is_inside))
                for one in items:
                    self._note(one, True)
                if is_inside:
                    self._note_shelf(kind)
            case Growing(item=item):
                self._note(item, True)
                if is_inside:
                    self._note_shelf(kind)
            case Contents(items=items):
                for one in items:
                    self._note(one)
            case Tuple(items=items) | Either(options=items):
                for one in items:
                    self._note(one, is_inside)

    def _with_shelved(self, kind: Contents) -> Contents:
        """A type in which the containers of some attributes are on shelves."""
        items = list(kind.items)
        for k, (key, item) in enumerate(zip(kind.keys, kind.items, strict=True)):
            if key in self.shelved and shelves_in(stored_form(item)):
                self._note(item, True)
                items[k] = stored_form(item)
        return Contents(kind.of, kind.keys, tuple(items))

    def take_pools(self, kind: Contents) -> None:
        """Let later states be of a type, and all pools have the room that they have there."""
        self._pools = {one.root: one for one in kind.items if isinstance(one, Pool)}
        self.first, self.later = self._ended_by_pools(self.first), self._ended_by_pools(kind)

    def _note_shelf(self, kind: Type) -> None:
        form, place = storage_like(kind), shelf_for(kind)
        if form is None or not isinstance(place, Placed):
            return
        layout = (form.keys, form.items) if isinstance(form, Contents) else (IN_SHELF, (form,))
        own = Pool(place.root, (Layout(place.root, *layout),), LEAST_CAPACITY)
        both = joined(self._shelves.get(place.root, own), own)
        if isinstance(both, Pool):
            self._shelves[place.root] = both

    def _note_items(self, value: Any) -> None:
        """Note what the containers in a deque, set or dict hold, which its own type does not tell."""
        for one in (*value, *value.values()) if isinstance(value, dict) else value:
            for inner in one if isinstance(one, tuple) else (one,):
                if isinstance(inner, CONTAINERS):
                    self._note(structural(Constant(inner)), True)
                    self._note_items(inner)

    def _settle(self) -> None:
        """Let shelves that meet be one, and have the pools that attributes, and objects in pools, refer to."""
        self._note(self.first)
        self._note(self.later)
        self.first, self.later = self._with_shelved(self.first), self._with_shelved(self.later)
        while True:
            first, later = (renamed(kind, self.merged) for kind in (self.first, self.later))
            assert isinstance(first, Contents) and isinstance(later, Contents)
            self._pools = renamed_pools(self._pools, self.merged)
            self._shelves = renamed_pools(self._shelves, self.merged)
            self.first, self.later = (self._ended_by_pools(kind) for kind in (first, later))
            met = [pair for kind in (self.first, self.later) for pair in meetings(kind)]
            missing = {root for kind in (self.first, self.later) for root in shelves_in(kind)} - {*self._pools}
            if not met and not missing:
                return
            unified(self.merged, met)
            for root in sorted(missing, key=lambda one: one.__qualname__):
                self._pools[root] = self._shelves.get(root) or _empty_shelf(root)

    def _of_placed(self, value: Any, root: type, seen: dict[int, Any], stream: Any) -> Placed:
        """The type of an object in a pool, which learns what it holds."""
        if id(value) not in self._placing:
            self._placing.add(id(value))
            self._alive_now.append(value)
            held = attributes_of(value)
            kinds = [self._of_value(one, _NONE, seen, stream) for one in held.values()]
            before, of = self._pools[root], type(value)
            for name, kind in zip(held, kinds, strict=True):
                check_placeable(of, name, kind)
                self._note(kind, True)
            kinds = [stored_form(kind) if _is_of_container(kind) else kind for kind in kinds]
            after = joined(before, Pool(root, (Layout(of, Keys(held), tuple(kinds)),), LEAST_CAPACITY))
            if not isinstance(after, Pool):
                raise TooManyTypes(pool_key(root), before)
            self._pools[root] = after
        return Placed(root, (type(value),))

    def _of_object(self, value: Any, original: Any, seen: dict[int, Any], stream: Any) -> Type:
        names = [name for name in vars(value) if not (isinstance(value, Env) and name in MACHINERY)]
        held = vars(original) if type(original) is type(value) else {}
        items = [self._of_value(vars(value)[name], held.get(name, _NONE), seen, stream) for name in names]
        if isinstance(value, Env):
            names, items = [STREAM, *names], [Stream(), *items]
        return Contents(type(value), Keys(names), tuple(items))

    def _of_value(self, value: Any, original: Any, seen: dict[int, Any], stream: Any) -> Type:
        if type(value) in SIMPLE:
            return self._of_simple(value, original)
        if isinstance(value, np.random.Generator) and value is stream:
            return Stream()
        owned = _stand_in_of(value) if type(value) in GENERATORS else None
        if owned is not None:
            return _of_stand_in(owned)
        for root in self.placed:
            if isinstance(value, root):
                return self._of_placed(value, root, seen, stream)
        if id(value) in seen:
            return Constant(seen[id(value)])
        if isinstance(value, MethodType) and id(value.__self__) in seen:
            return self._alive(MethodType(value.__func__, seen[id(value.__self__)]), original)
        if is_object(value):
            seen[id(value)] = original if type(original) is type(value) else value
            return self._of_object(value, original, seen, stream)
        if self._holds_objects(value):
            return self._of_items(value, original, seen, stream)
        if original is not _NONE and id(original) not in self.opened and self._is_as_made(value, original):
            return self._alive(original, original)
        if not _is_container(value):
            return Constant(value)
        if isinstance(value, CONTAINERS) and type(value) is not list:
            self._note_items(value)
        return structural(self._alive(deepcopy(value), original))

    def _is_as_made(self, value: Any, original: Any) -> bool:
        """Whether a value of an environment that runs is as it was: objects of libraries are, which no program uses."""
        is_unused = self._runs and type(value) is type(original) and is_of_library(type(value))
        return is_unused or alike(value, original)

    def _holds_objects(self, value: Any) -> bool:
        if self.placed and self._holds_placed(value):
            return True
        if type(value) not in (list, dict) and not isinstance(value, tuple):
            return False
        items = value.values() if type(value) is dict else value
        return any(_is_described(one) or self._holds_objects(one) for one in items)

    def _holds_placed(self, value: Any) -> bool:
        """Whether a container has objects in it that are in pools, or as keys."""
        if type(value) not in CONTAINERS and not isinstance(value, tuple):
            return isinstance(value, self.placed)
        return any(map(self._holds_placed, (*value, *value.values()) if isinstance(value, dict) else value))

    def _of_simple(self, value: Any, original: Any) -> Type:
        is_constant = id(original) not in self.opened and alike(value, original)
        return self._alive(original, original) if is_constant else Constant(value)

    def _of_items(self, value: Any, original: Any, seen: dict[int, Any], stream: Any) -> Type:
        """The type of a list, tuple, dict or deque with objects in it."""
        if not isinstance(value, (list, tuple)) and (type(value) is not dict or any(map(self._holds_placed, value))):
            return self._of_deque(value, seen, stream)
        keys = [*value] if isinstance(value, dict) else range(len(value))
        is_like = type(original) is type(value) and len(original) == len(value)
        before = [
            original[key] if is_like and (not isinstance(value, dict) or key in original) else _NONE for key in keys
        ]
        items = [self._of_value(value[key], one, seen, stream) for key, one in zip(keys, before, strict=True)]
        if isinstance(value, tuple):
            return Tuple(tuple(items), type(value))
        kind = Contents(type(value), Keys(value) if isinstance(value, dict) else Keys(), tuple(items))
        storage = grown([kind]) if type(value) is list and len(items) >= FAR else None
        return storage or kind

    def _of_deque(self, value: Any, seen: dict[int, Any], stream: Any) -> Growing:
        """The type of a deque with objects in it that are in pools."""
        if type(value) is not deque:
            raise Refused(f"a {type(value).__name__} has objects as keys, or in it", "keep them in a list")
        items = tuple(self._of_value(one, _NONE, seen, stream) for one in value)
        for item in items:
            self._note(item, True)
            check_placeable(deque, "an item", item)
        kind = grown([Contents(list, Keys(), items)])
        if kind is None:
            raise Refused("a deque holds objects and others", "keep objects in it, or tuples of numbers and objects")
        return Growing(kind.item, kind.capacity, deque, more_of(value))

    def _alive(self, value: Any, original: Any) -> Constant:
        if isinstance(value, MethodType) and isinstance(original, MethodType) and value == original:
            value = original
        self._values[id(value)] = value
        return Constant(value)


_NONE = object()


def _found_at(kind: Type, path: tuple[str, ...]) -> Type:
    """The type of an attribute of an object, of several names where it is one of an object in it."""
    for key in path:
        assert isinstance(kind, Contents)
        kind = dict(zip(kind.keys, kind.items, strict=True)).get(key, UNBOUND)
    return kind


def told(kind: Type) -> str:
    """Returns a description in which constants and the order of options count."""
    match kind:
        case Constant(value=value):
            return repr(value) if isinstance(value, (bool, int, float, str, bytes, np.ndarray, np.generic)) else ""
        case Chosen(options=options):
            return f"one of {options}"
        case Either(options=items) | Contents(items=items) | Tuple(items=items):
            return f"({', '.join(map(told, items))})"
        case Growing(item=item):
            return f"[{told(item)}]"
    return str(kind)


def _varied(kind: Type, made: Type, first: Type) -> Type:
    """The type of an environment in which attributes that are as they were made are as those of any copy."""
    if isinstance(kind, Contents) and isinstance(first, Contents) and isinstance(made, Contents) and kind.of is made.of:
        if kind.of in (list, dict):
            return kind
        before, wider = (dict(zip(one.keys, one.items, strict=True)) for one in (made, first))
        items = [
            _varied(item, before.get(key, UNBOUND), wider.get(key, item))
            for key, item in zip(kind.keys, kind.items, strict=True)
        ]
        return Contents(kind.of, kind.keys, tuple(items))
    return first if kind == made else kind


def _is_described(value: Any) -> bool:
    return is_object(value) or type(value) in GENERATORS


def _stand_in_of(value: Any) -> StandIn | None:
    from palaestra.language.operations.generators import stand_in_of  # late, as it is rarely needed

    return stand_in_of(value)


def _is_of_container(kind: Type) -> bool:
    return isinstance(kind, Contents | Growing) and kind.of in CONTAINERS


def _empty_shelf(root: type[Shelf]) -> Pool:
    """The pool of a shelf of which nothing is known but that its containers have been empty."""
    kind = grown([Contents(list, Keys(), ())])
    assert kind is not None
    return Pool(root, (Layout(root, IN_SHELF, (Growing(kind.item, kind.capacity, root.of),)),), LEAST_CAPACITY)


def _is_container(value: Any) -> bool:
    return isinstance(value, (np.ndarray, tuple, *CONTAINERS))


def _constants(kind: Type) -> Iterator[Any]:
    match kind:
        case Contents(items=items):
            for item in items:
                yield from _constants(item)
        case Constant(value=value):
            yield value


def _containers(value: Any) -> Iterator[Any]:
    """Yields the lists, dicts and arrays in a value."""
    if isinstance(value, (*CONTAINERS, np.ndarray)):
        yield value
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from _containers(one)
    if isinstance(value, dict):
        for one in value.values():
            yield from _containers(one)


def _with_opened(kind: Contents, opened: set[int]) -> Contents:
    items: list[Type] = []
    for item in kind.items:
        if isinstance(item, Contents):
            items.append(_with_opened(item, opened))
        else:
            is_opened = isinstance(item, Constant) and id(item.value) in opened
            items.append(structural(item) if is_opened else item)
    return Contents(kind.of, kind.keys, tuple(items))


def _with_hidden(kind: Contents, name: str) -> Contents:
    return Contents(kind.of, Keys((*kind.keys, name)), (*kind.items, _of_stand_in(new(name))))


def _of_stand_in(value: Any) -> Type:
    """The type of what stands for a generator, or is in it."""
    if not isinstance(value, Twister | StandIn):
        return type_of(value)
    return Contents(type(value), Keys(vars(value)), tuple(map(_of_stand_in, vars(value).values())))


def _words_in(kind: Type, path: str = "") -> Iterator[str]:
    """Yields the names of the words of each `Twister` in an object, as columns are named."""
    items = kind.options if isinstance(kind, Either) else kind.items if isinstance(kind, Contents | Tuple) else ()
    keys = kind.keys if isinstance(kind, Contents) and kind.keys else [""] * len(items)
    for key, item in zip(keys, items, strict=True):
        name = f"{path}.{key}" if path and key else path or str(key)
        if key == "words" and isinstance(kind, Contents) and issubclass(kind.of, Twister):
            yield name
        yield from _words_in(item, name)


def _with_given(kind: Contents, env: Any, given: Mapping[str, Type]) -> Contents:
    items: list[Type] = []
    for name, item in zip(kind.keys, kind.items, strict=True):
        if name in given:
            items.append(Given(name, given[name]))
        else:
            items.append(Constant(getattr(env, name)) if isinstance(item, Given) else item)
    return Contents(kind.of, kind.keys, tuple(items))
