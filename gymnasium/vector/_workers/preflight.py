"""Pickles the arguments of a worker process, or names the part that does not pickle."""

from __future__ import annotations

import functools
import inspect
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any


def pickled_functions(functions: Sequence[Callable[[], Any]], first: int) -> bytes:
    """Returns the functions `env_fns[first:]` pickled.

    Raises:
        pickle.PicklingError: If one does not pickle; it names the responsible variable or attribute.
    """
    import cloudpickle  # here, because only workers that are not forked need it

    try:
        pickled: bytes = cloudpickle.dumps(list(functions))
        return pickled
    except Exception as error:
        culprits = (_culprit(make, f"env_fns[{first + i}]", set()) for i, make in enumerate(functions))
        culprit = next(filter(None, culprits), "env_fns")
        raise pickle.PicklingError(
            f"Worker processes that are not forked get their functions pickled, but {culprit} does not pickle "
            f"({type(error).__name__}: {error}). Make it inside the function, or choose context='fork' where the "
            "system has it"
        ) from error


def _culprit(value: object, path: str, seen: set[int]) -> str | None:
    """Returns the path to the innermost part of `value` that does not pickle; None if it does."""
    if id(value) in seen or _pickles(value):
        return None
    seen.add(id(value))
    for name, part in _parts(value):
        inner = _culprit(part, f"{path}{name}", seen)
        if inner is not None:
            return inner
    return f"{path}, a {type(value).__name__},"


def _pickles(value: object) -> bool:
    import cloudpickle

    try:
        cloudpickle.dumps(value)
    except Exception:
        return False
    return True


def _parts(value: object) -> Iterator[tuple[str, Any]]:
    if isinstance(value, functools.partial):
        yield " -> func", value.func
        yield from ((f" -> argument {i}", part) for i, part in enumerate(value.args))
        yield from ((f" -> argument {name!r}", part) for name, part in value.keywords.items())
    elif inspect.ismethod(value):
        yield " -> self", value.__self__
    elif inspect.isfunction(value):
        found = inspect.getclosurevars(value)
        yield from ((f" -> variable {name!r}", part) for name, part in {**found.globals, **found.nonlocals}.items())
    elif isinstance(value, Mapping):
        yield from ((f"[{key!r}]", part) for key, part in value.items())
    elif isinstance(value, (list, tuple, set)):
        yield from ((f"[{i}]", part) for i, part in enumerate(value))
    elif not isinstance(value, type):
        yield from ((f".{name}", part) for name, part in getattr(value, "__dict__", {}).items())
