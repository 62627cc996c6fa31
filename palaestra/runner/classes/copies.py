"""Environments that one function makes: whether they are alike, so that one stands for all copies of a batch."""

from __future__ import annotations

import builtins
import hashlib
import itertools
import pickle
import random
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from copy import copy, deepcopy
from dis import get_instructions
from enum import Enum
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from gymnasium._extensions import is_own_module
from gymnasium.core import Env
from gymnasium.spaces.space import Space
from palaestra.language.frontend.objects import is_of_objects
from palaestra.language.source import functions_of
from palaestra.runner.classes.own_generators import process_kept

_DRAWS = {
    *("default_rng", "RandomState", "Random", "SystemRandom", "SeedSequence", "PCG64", "MT19937", "Philox", "SFC64"),
    *("urandom", "token_bytes", "randbits", "randbelow", "uuid1", "uuid4", "time_ns", "perf_counter", "getpid"),
}
_READ = {"time", "monotonic", "now", "id"}  # which are names of attributes, too
_MAKERS = "__init__", "__new__", "__post_init__"
_TURNS = itertools.count()
SIMPLE = frozenset((int, float, bool, str, bytes, type(None), np.float64, np.float32, np.int64))
"""Classes of objects that hold no others, and never change."""
_HELD = (
    np.generic,
    int,
    float,
    str,
    bytes,
    list,
    tuple,
    dict,
    set,
    deque,
    np.ndarray,
    np.random.Generator,
    np.random.RandomState,
)


class Copies(NamedTuple):
    """Environments of one function, as a batch makes them."""

    first: Any
    others: tuple[Any, ...] = ()
    """The further copies; only one if all are alike."""
    beside: Any = None
    """An environment made beside a single copy."""
    moved: tuple[str, ...] = ()
    """The names of what making one more has changed outside of it."""


def copies_of(make: Callable[[], Any], n: int = 2, first: Any = None) -> Copies:
    """Make environments one after the other, as `SyncVectorEnv` does: n if they may differ, else two.

    The first may have been made already. A second one beside a single copy leaves generators and counters as they were.
    """
    first = make() if first is None else first
    kind = type(first)
    before = _outside(kind)
    if n == 1:
        with process_kept(), _counters_kept(kind):
            return Copies(first, (), make())
    second = make()
    after = _outside(kind)
    moved = tuple(key for key in after if before.get(key) != after[key])
    others = [second]
    if n > 2 and (moved or _may_draw(kind) or not _made_alike(first, second)):
        others += [make() for _ in range(n - 2)]
    return Copies(first, tuple(others), None, moved)


def _made_alike(a: Any, b: Any) -> bool:
    return getattr(a, "_np_random", None) is None and alike(a, b)


@contextmanager
def _counters_kept(kind: type) -> Iterator[None]:
    """Let the numbers, texts and counts of classes and modules that a constructor reaches be as they were."""
    owners: list[tuple[Any, dict[str, Any]]] = [(base, dict(vars(base))) for base in _classes_reached(kind)]
    names = [(function.__globals__, _all_names(function)) for function in _functions_reached(kind)]
    owners += [(held, {name: held[name] for name in wanted if name in held}) for held, wanted in names]
    kept = [
        (owner, name, copy(value))
        for owner, held in owners
        for name, value in held.items()
        if type(value) in SIMPLE or isinstance(value, itertools.count)
    ]
    try:
        yield
    finally:
        for owner, name, value in kept:
            held = owner if isinstance(owner, dict) else vars(owner)
            if repr(held.get(name)) != repr(value):
                held.update({name: value}) if held is owner else setattr(owner, name, value)


def _functions_reached(kind: type, names: Collection[str] = ()) -> Iterator[FunctionType]:
    """Yields the functions of a class, or those of some names, and those of modules and classes that they name."""
    waiting, seen = [one for one in functions_of(kind) if not names or one.__name__ in names], set[FunctionType]()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        yield function
        named = _all_names(function)
        for found in _values_named(function):
            if isinstance(found, type) and is_of_objects(found):
                waiting += [one for one in functions_of(found) if not names or one.__name__ in {*named, "__init__"}]
            elif isinstance(found, FunctionType) and not _is_of_package(found):
                waiting.append(found)
        waiting += [one for one in functions_of(kind) if names and one.__name__ in named]


def _values_named(function: FunctionType) -> list[Any]:
    """Returns the globals, and what is in modules of the user's, that a function names."""
    named, visible = _all_names(function), _names_in(function)
    found = [visible[name] for name in named & visible.keys()]
    modules = [one for one in found if isinstance(one, ModuleType) and not _is_of_library(one)]
    return found + [vars(one)[name] for one in modules for name in named & vars(one).keys()]


def _is_of_library(module: ModuleType) -> bool:
    top = module.__name__.partition(".")[0]
    is_installed = "site-packages" in (getattr(module, "__file__", None) or "")
    return is_installed or top in sys.stdlib_module_names or top == "numpy" or is_own_module(module.__name__)


def _classes_reached(kind: type) -> Iterator[type]:
    """Yields a class with its bases, and the classes that its functions name, but for those of libraries."""
    found = {one: None for one in kind.__mro__}
    for function in _functions_reached(kind):
        named = _values_named(function)
        found |= {base: None for one in named if isinstance(one, type) and is_of_objects(one) for base in one.__mro__}
    yield from (one for one in found if not is_own_module(one.__module__) and not hasattr(builtins, one.__name__))


def read_of(moved: Collection[str], kind: type) -> str:
    """Returns the first of the names of `Copies.moved` that reset or step may read; "" if they read none."""
    reached = {name for one in _functions_reached(kind, ("reset", "step")) for name in _all_names(one)}
    return next((key for key in moved if key.startswith("`") and key.strip("`").split(".")[-1] in reached), "")


def _all_names(function: FunctionType) -> set[str]:
    """Returns the names that a function uses and does not assign."""
    codes = list(_codes(function.__code__))
    return {*function.__code__.co_freevars, *(name for code in codes for name in code.co_names)}


def _names_in(function: FunctionType) -> dict[str, Any]:
    """Returns the globals and closed-over variables that a function sees."""
    names = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # it is empty yet
            names[name] = cell.cell_contents
    return names


def _is_of_package(function: FunctionType) -> bool:
    name = function.__module__ or ""
    return is_own_module(name) or name.startswith("numpy")


def _may_draw(kind: type) -> bool:
    """Returns whether a constructor names what draws random numbers, or reads a clock."""
    codes = [code for function in _functions_reached(kind, _MAKERS) for code in _codes(function.__code__)]
    if any(_DRAWS.intersection(code.co_names) for code in codes):
        return True
    read = (one for code in codes for one in get_instructions(code))
    return any(one.argval in _READ and one.opname.startswith("LOAD") for one in read)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yields code, and that of comprehensions and functions within."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _outside(kind: type) -> dict[str, bytes]:
    """Returns digests of what a constructor may change outside of the environment, by its name in words."""
    found: dict[str, Any] = {
        "NumPy's global generator": np.random.get_state(),
        "the generator of `random`": random.getstate(),
    }
    for function in _functions_reached(kind):
        names = _names_in(function)
        wanted = _all_names(function)
        found |= {f"`{name}`": names[name] for name in sorted(wanted & names.keys())}
    for base in _classes_reached(kind):
        found |= {f"`{base.__name__}.{name}`": value for name, value in vars(base).items()}
    return {key: digest for key, value in found.items() if (digest := _digest(value))}


def _digest(value: object) -> bytes:
    """Returns a digest of a value that may be drawn from, counted or filled; empty for others."""
    if isinstance(value, itertools.count):
        return repr(value).encode()
    if isinstance(value, Iterator):  # whose place in its values cannot be seen
        return repr(next(_TURNS)).encode()
    held = value if isinstance(value, (*_HELD, random.Random)) else vars(value) if is_object(value) else None
    if held is None:
        return b""
    try:
        return hashlib.sha256(pickle.dumps(held)).digest()
    except Exception:  # it holds what cannot be pickled
        return b""


def alike(a: Any, b: Any, seen: frozenset[tuple[int, int]] = frozenset()) -> bool:
    """Returns whether two values are the same in type and bits, with all that they hold."""
    if a is b or (id(a), id(b)) in seen:
        return True
    if type(a) is not type(b):
        return False
    if type(a) in (int, bool, str):
        return bool(a == b)
    seen |= {(id(a), id(b))}
    if isinstance(a, np.ndarray) and a.dtype != object:
        return (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())
    if isinstance(a, (float, complex, np.generic)):
        return repr(a) == repr(b)
    if isinstance(a, (np.random.Generator, np.random.RandomState, random.Random)):
        return alike(_state(a), _state(b), seen)
    first, second = _parts(a), _parts(b)
    if first is not None and second is not None:
        return len(first) == len(second) and all(map(partial(alike, seen=seen), first, second))
    try:
        return bool(a == b)
    except Exception:  # what cannot be compared is another
        return False


def _state(generator: Any) -> Any:
    if isinstance(generator, random.Random):
        return generator.getstate()
    return generator.get_state() if isinstance(generator, np.random.RandomState) else generator.bit_generator.state


_MADE_LATER = "_np_random", "low_repr", "high_repr"  # of spaces, when they are first sampled or printed


def _parts(value: Any) -> list[Any] | None:
    """Returns what a value is made of; None if it is compared as a whole."""
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        return [value.__code__, value.__defaults__, value.__kwdefaults__, *cells]
    if isinstance(value, MethodType):
        return [value.__func__, value.__self__]
    if isinstance(value, partial):
        return [value.func, value.args, value.keywords]
    if isinstance(value, (list, tuple, deque, np.ndarray)):
        return [*value]
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, Space):
        return [value.dtype, *[one for name, one in sorted(vars(value).items()) if name not in _MADE_LATER]]
    if not isinstance(value, (type, Enum)) and hasattr(value, "__dict__"):
        return [*vars(value).keys(), *vars(value).values()]
    return None


def structure_of(env: Env[Any, Any]) -> dict[str, Any]:
    """Returns what the copies of a batch have in common: which names are one object, and what holds several containers.

    By the path of the first name: the other paths, and the places of the containers.
    """
    paths: dict[int, list[str]] = {}
    found: dict[str, Any] = {}

    def walk(value: Any, path: str) -> None:
        if not (isinstance(value, (*_CONTAINERS, tuple, np.ndarray)) or is_object(value)):
            return
        if not isinstance(value, tuple):
            paths.setdefault(id(value), []).append(path)
            if len(paths[id(value)]) > 1:
                return
        held = dict(_items_of(value))
        if any(map(_holds_containers, held.values())) and not is_object(value):
            found[path] = [*held]
        for key, one in held.items():
            walk(one, f"{path}.{key}")

    for name, value in vars(env).items():
        walk(value, name)
    return found | {first: others for first, *others in paths.values() if others}


_CONTAINERS = list, dict, set, deque


def _items_of(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, (list, tuple, deque)):
        return enumerate(value)
    return vars(value).items() if is_object(value) else ()


def _holds_containers(value: Any) -> bool:
    """Whether a value is a container, or a tuple or an object with one."""
    inner = isinstance(value, tuple) or is_object(value)
    return isinstance(value, _CONTAINERS) or (inner and any(_holds_containers(one) for _, one in _items_of(value)))


MISSING = object()


def found_in(env: Env[Any, Any], path: tuple[str, ...]) -> Any:
    """Returns an attribute of an environment; `MISSING` if it has none."""
    value: Any = env
    for name in path:
        try:
            value = getattr(value, name)
        except AttributeError:
            return MISSING
    return value


def is_object(value: object) -> bool:
    """Returns whether a value is an object of a small class of the user's own, whose attributes are its state."""
    return not isinstance(value, type) and is_of_objects(type(value)) and type(value).__dictoffset__ != 0


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
