"""An environment's attributes: which of them change in reset and step, and their kinds."""

from __future__ import annotations

import ast
import inspect
import types
from collections import deque
from collections.abc import Iterator, Sequence
from copy import deepcopy
from enum import Enum
from time import monotonic
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces.space import Space
from palaestra.error import Reason
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sharing import Path, shared_between, shared_within
from palaestra.language.plain.sources import NoSource, source_of
from palaestra.language.plain.translation.kinds import (
    NONE,
    Array,
    Incompatible,
    Kind,
    Mapping,
    Number,
    Optional,
    Tuple,
    array_of,
    joined,
    kind_of_value,
    number_of,
    same_constant,
)
from palaestra.language.plain.translation.records import fields_of, is_record, parts_of_record

_MACHINERY = frozenset(["_np_random", "_np_random_seed", "spec", "render_mode", "metadata"])
EPISODES, STEPS, LONGEST = 3, 40, 0.3  # of the sample; the last in s
_DEEPEST = 4  # levels of objects in objects


def is_object(value: object) -> bool:
    """Returns whether a value is an object of a small class of the user's own, whose attributes are its state."""
    kind = type(value)
    if kind.__module__.partition(".")[0] in ("builtins", "numpy", "collections", "random", "threading", "logging"):
        return False
    if is_record(kind) or isinstance(value, (Enum, Space, types.ModuleType, type, tuple, list, dict, set, deque, Env)):
        return False
    return hasattr(value, "__dict__") and not callable(value)


class Model:
    """The attributes of an environment, as far as they are known.

    Args:
        env: The environment, which is stepped for a sample.
        other: Another one, made alike.

    Attributes:
        env: The environment as it was made.
        kind: Its class.
        changing: The paths of the attributes that change, so far as is known.
        places: The classes of the environment and of the objects in it, by path.
        same_objects: The paths that lead to an object that has another path too.
        twins: The pairs of attributes that share an array, a list or a dict when the environment is made.
        common: Those that share one with the other environment.
        observed: The observations of the sample's steps.
    """

    def __init__(self, env: Env, other: Env | None = None) -> None:
        self.env, self.kind = deepcopy_of(env), type(env)
        self.changing: set[Path] = set()
        self._kinds: dict[Path, Kind | None] = {}  # of the values after resets and steps
        self._examples: dict[Path, Any] = {}
        self._first: dict[Path, Any] = {}  # the values before the first reset
        self.places: dict[Path, type] = {(): type(env)}
        self.observed: list[Any] = []
        self.same_objects: dict[Path, Path] = {}
        attributes = list(self._walked(env))
        self.twins = shared_within(attributes)
        self.common = shared_between(attributes, dict(self._walked(other)) if other is not None else {})
        self._sample(env)

    def _sample(self, env: Env) -> None:
        """Play some short episodes, and note the values of each attribute between the calls."""
        before = self._first = {path: _kept(value) for path, value in self._walked(env)}
        space = deepcopy(env.action_space)
        space.seed(0)
        end = monotonic() + LONGEST
        for episode in range(EPISODES):
            env.reset(seed=episode)
            before = self._seen(env, before)
            for _ in range(STEPS):
                observation, _, terminated, truncated, _ = env.step(space.sample())
                self.observed.append(observation)
                before = self._seen(env, before)
                if terminated or truncated or monotonic() > end:
                    break
        for path, value in self._first.items():
            self._kinds.setdefault(path, kind_of_value(value))
            self._examples.setdefault(path, value)

    def _seen(self, env: Env, before: dict[Path, Any]) -> dict[Path, Any]:
        now = dict(self._walked(env))
        for path, value in now.items():
            kind = kind_of_value(value)
            self._examples.setdefault(path, value)
            if path not in self._kinds:
                self._kinds[path] = kind
            elif kind != self._kinds[path]:
                self._kinds[path] = _widened(self._kinds[path], kind)
                self._examples[path] = value
            if not (path in before and same_constant(before[path], value)):
                self.changing.add(path)
        return {path: _kept(value) for path, value in now.items()}

    def _walked(
        self, owner: object, path: Path = (), seen: dict[int, Path] | None = None
    ) -> Iterator[tuple[Path, Any]]:
        seen = {} if seen is None else seen
        seen[id(owner)] = path
        for name, value in vars(owner).items():
            if not path and name in _MACHINERY:
                continue
            if id(value) in seen:
                self.same_objects[(*path, name)] = seen[id(value)]
            elif is_object(value) and len(path) < _DEEPEST:
                self.places[(*path, name)] = type(value)
                yield from self._walked(value, (*path, name), seen)
            else:
                yield (*path, name), value

    def value(self, path: Path) -> Any:
        """Returns an attribute as it was when the environment was made.

        Raises:
            AttributeError: If it had none yet.
        """
        owner: Any = self.env
        for one in path:
            owner = getattr(owner, one)
        return owner

    def is_assigned(self, name: str) -> bool:
        """Returns whether a method of the class, or of an object's in it, assigns an attribute of this name."""
        members = (one for kind in self.places.values() for base in kind.__mro__ for one in vars(base).values())
        for member in members:
            function = getattr(member, "fget", None) or getattr(member, "__func__", member)
            if isinstance(function, types.FunctionType) and name in function.__code__.co_names:
                try:
                    tree = source_of(function).tree
                except NoSource:
                    continue
                stores = (
                    one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
                )
                if any(one.attr == name for one in stores) or "setattr" in function.__code__.co_names:
                    return True
        return False

    def has(self, path: Path) -> bool:
        """Returns whether an instance has, or gets in an episode, this attribute."""
        return path in self._kinds

    def state_kind(self, path: Path) -> Kind:
        """Returns the kind of an attribute that changes.

        Raises:
            Refused: If it can be no state.
        """
        kind = self._kinds.get(path)
        name, example = ".".join(path), self._examples.get(path)
        if kind is None:
            raise Refused(*_unkept(f"self.{name}", example))
        if kind == NONE:
            raise Refused(f"self.{name} was None at each moment of a few episodes", "give it a number at first")
        if not _is_shaped(kind):
            raise Refused(f"self.{name} changes its length or shape", "keep a fixed-size array and a counter")
        return kind

    def widen(self, path: Path, kind: Kind) -> bool:
        """Let an attribute change, and hold another kind too; returns whether that is new."""
        is_new = path not in self.changing
        self.changing.add(path)
        before = self._kinds.get(path)
        if path not in self._kinds:
            self._kinds[path] = kind
            return True
        after = _widened(before, kind)
        if after is not None and after != before:
            self._kinds[path] = after
            return True
        return is_new and after is not None

    def widen_by_first(self, path: Path) -> bool:
        """Let an attribute hold also what it held before the first reset; returns whether that is new."""
        if path not in self._first or self._kinds.get(path) is None:
            return False
        before, value = self._kinds[path], self._first[path]
        self._kinds[path] = _widened(before, kind_of_value(value))
        if self._kinds[path] is None:
            self._examples[path] = value
        return self._kinds[path] != before

    def place_of(self, path: Path) -> Reason:
        """Returns where the class assigns an attribute, without a reason."""
        for name, member in ((name, one) for base in self.kind.__mro__ for name, one in vars(base).items()):
            if name in ("reset", "step", "__init__") and isinstance(member, types.FunctionType):
                found = _assignment_in(member, path[-1])
                if found is not None:
                    return found
        return Reason(*place_of_class(self.kind), "", "", "")


def _assignment_in(function: types.FunctionType, name: str) -> Reason | None:
    """Returns where a function assigns an attribute, without a reason; None if it does not."""
    try:
        source = source_of(function)
    except NoSource:
        return None
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr == name:
            return Reason(source.file, node.lineno, ast.unparse(node), "", "")
    return None


def place_of_class(kind: type) -> tuple[str, int]:
    """Returns the file and the line of a class."""
    try:
        return inspect.getsourcefile(kind) or "", inspect.getsourcelines(kind)[1]
    except (OSError, TypeError):
        return "", 0


class NotCopyable(TypeError):
    """An attribute that cannot be copied.

    Args:
        name: Its name.
        value: It.
    """

    def __init__(self, name: str, value: object) -> None:
        super().__init__(f"self.{name}, a {type(value).__name__}, cannot be copied")
        self.name = name


def deepcopy_of(env: Env) -> Env:
    """Returns a copy of an environment.

    Raises:
        NotCopyable: If it holds something that cannot be copied.
    """
    try:
        return deepcopy(env)
    except Exception as error:
        for name, value in vars(env).items():
            try:
                deepcopy(value)
            except Exception:
                raise NotCopyable(name, value) from error
        raise


def _kept(value: object) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple, dict, set, deque)):
        try:
            return deepcopy(value)
        except Exception:  # it holds what cannot be copied: identity decides
            return value
    return value


def _widened(a: Kind | None, b: Kind | None) -> Kind | None:
    if a is None or b is None:
        return None
    try:
        return joined(a, b)
    except Incompatible:
        return None


def _is_shaped(kind: Kind) -> bool:
    if isinstance(kind, Array):
        return kind.shape is not None
    if isinstance(kind, (Tuple, Mapping)):
        return all(map(_is_shaped, kind.items))
    return _is_shaped(kind.kind) if isinstance(kind, Optional) else isinstance(kind, Number)


_TEXT = "a text changes while the environment runs", "keep a number, a constant of the class"
_SIZED = "keep a fixed-size array and a counter"


def _unkept(name: str, example: object) -> tuple[str, str]:
    """Returns why an attribute can be no state, and the remedy."""
    if isinstance(example, str):
        return f"{name} is a text that changes while the environment runs", "keep a number instead"
    if isinstance(example, list) and example and all(hasattr(one, "__dict__") for one in example):
        return f"{name} is a list of objects", "keep an array for each of their attributes"
    kinds = sorted({type(one).__name__ for one in _numbers_in(example)}) if isinstance(example, list) else []
    if len(kinds) > 1:
        kind = "int" if all(one in ("int", "int64") for one in kinds) else "float"
        return f"{name} is a list that holds {' and '.join(kinds)}", f"write {kind}(...) around what is put into it"
    if isinstance(example, (list, deque)):
        what = "a deque" if isinstance(example, deque) else "a list"
        return f"{name} is {what} that changes its length, or holds values of several kinds", _SIZED
    if isinstance(example, set):
        return f"{name} is a set that changes", "keep an array of flags"
    if isinstance(example, dict):
        return f"{name} is a dict that changes, with keys or values of several kinds", "keep arrays"
    if isinstance(example, np.random.Generator):
        return f"{name} is a random generator of its own", "use self.np_random, which the batch seeds"
    if isinstance(example, Enum):
        return f"{name} is a member of an Enum that changes", "derive it from IntEnum, and compare with =="
    if example is not None and number_of(example) is None and array_of(example) is None:
        return f"{name} changes, and holds a {type(example).__name__}", "keep numbers and arrays of fixed shape"
    return f"{name} holds values of several kinds or shapes", "let it always hold the same kind, of the same shape"


def _numbers_in(example: Any) -> Iterator[Any]:
    """Yields the numbers of a list, and of the lists in it."""
    for one in example:
        if isinstance(one, list):
            yield from _numbers_in(one)
        elif number_of(one) is not None:
            yield one


class Leaf:
    """A column of the state: its name, type and shape."""

    def __init__(self, name: str, dtype: np.dtype, shape: tuple[int, ...]) -> None:
        self.name, self.dtype, self.shape = name, dtype, shape


def leaves_of(kind: Kind, name: str) -> Iterator[Leaf]:
    """Yields the columns that hold a value."""
    if isinstance(kind, Number):
        yield Leaf(name, kind.dtype, ())
    elif isinstance(kind, Array):
        assert kind.shape is not None
        yield Leaf(name, kind.dtype, kind.shape)
    elif isinstance(kind, Optional):
        yield Leaf(f"{name}_none", np.dtype(np.bool_), ())
        yield from leaves_of(kind.kind, name)
    elif isinstance(kind, (Tuple, Mapping)):
        keys: Sequence[Any] = kind.keys if isinstance(kind, Mapping) else fields_of(kind.record)
        for k, item in enumerate(kind.items):
            yield from leaves_of(item, f"{name}_{keys[k] if keys else k}")


def flattened(kind: Kind, value: object) -> Iterator[Any]:
    """Yields the numbers and arrays of the columns that hold a value.

    Raises:
        TypeError: If it is of another kind.
    """
    if isinstance(kind, Optional):
        yield value is None
        yield from flattened(kind.kind, zero_of(kind.kind) if value is None else value)
    elif isinstance(kind, Mapping) and isinstance(value, dict) and tuple(value) == kind.keys:
        for item, part in zip(kind.items, value.values(), strict=True):
            yield from flattened(item, part)
    elif isinstance(kind, Tuple) and len(parts := _items_of(kind, value)) == len(kind.items):
        for item, part in zip(kind.items, parts, strict=True):
            yield from flattened(item, part)
    elif isinstance(kind, (Number, Array)):
        array = np.asarray(value)
        if array.dtype.kind not in "biuf" or not np.can_cast(array.dtype, kind.dtype):
            raise TypeError(f"{kind.dtype} is held here, but {value!r} came")
        if array.shape != (kind.shape if isinstance(kind, Array) else ()):
            raise TypeError(f"a value of another shape came: {value!r}")
        yield array.astype(kind.dtype)[()]
    else:
        raise TypeError(f"{value!r} does not fit here")


def _items_of(kind: Tuple, value: Any) -> Sequence[Any]:
    parts = parts_of_record(value)
    return parts if parts is not None else value if kind.loose else ()


def rebuilt(kind: Kind, parts: Iterator[Any]) -> Any:
    """Returns the value that columns hold, as Python has it."""
    if isinstance(kind, Optional):
        absent, value = bool(next(parts)), rebuilt(kind.kind, parts)
        return None if absent else value
    if isinstance(kind, Mapping):
        return {key: rebuilt(item, parts) for key, item in zip(kind.keys, kind.items, strict=True)}
    if isinstance(kind, Tuple):
        values = [rebuilt(item, parts) for item in kind.items]
        if kind.record is None:
            return tuple(values)
        return kind.record(**dict(zip(fields_of(kind.record), values, strict=True)))
    part = next(parts)
    if isinstance(kind, Array):
        array = np.array(part, kind.dtype)
        return array.tolist() if kind.listed else array
    assert isinstance(kind, Number)
    number = kind.dtype.type(part)
    return number if kind.weak is False else number.item()


def zero_of(kind: Kind) -> Any:
    """Returns a value of a kind, all of zeros."""
    return rebuilt(kind, (np.zeros(leaf.shape, leaf.dtype)[()] for leaf in leaves_of(kind, "")))
