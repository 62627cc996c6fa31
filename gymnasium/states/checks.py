"""Checks of plain data that may be a stranger's, before a layer takes them for its state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from gymnasium.error import Error
from gymnasium.spaces.batching import concatenate, create_empty_array
from gymnasium.spaces.space import Space
from gymnasium.states.plain import Record, counterparts, rebuilt
from gymnasium.utils._generators import checked_generator

_VARIED: Final = frozenset(
    {"actions", "infos", "layers", "log", "observation", "options", "params", "state", "teacher", "values"}
)
"""Names of parts whose kinds depend on more than the layer; it checks them itself."""
_OF_VALUES: Final = (
    *(TypeError, LookupError, AttributeError, ArithmeticError, AssertionError, RecursionError, BufferError),
    SystemError,  # of ale-py
)


@contextmanager
def refusing(what: str) -> Iterator[None]:
    """Within the block, the errors that come of wrong values are ValueErrors.

    Args:
        what: What is refused then.
    """
    try:
        yield
    except Error:
        raise
    except _OF_VALUES as error:
        raise ValueError(f"{what} is refused: {type(error).__name__}: {error}") from error


def check_generators(value: object) -> None:
    """Check all states of generators in plain data.

    Raises:
        ValueError: If NumPy would read beyond a buffer in one.
    """
    if isinstance(value, Record):
        value = value.fields
    if isinstance(value, dict):
        if isinstance(value.get("bit_generator"), str):
            checked_generator(value)
            return
        for part in value.values():
            if isinstance(part, (dict, list, tuple)):
                check_generators(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            if isinstance(part, (dict, list, tuple)):
                check_generators(part)


def check_observation(space: Space, observation: object) -> None:
    """Check that an observation fits into a batch of a space; its bounds do not matter.

    Raises:
        ValueError: If it does not.
    """
    with refusing("an observation"):
        concatenate(space, [rebuilt(observation, None)], create_empty_array(space, 1))


def check_kinds(value: object, like: Any, place: str) -> None:
    """Check that plain data have the kinds of a layer's present state, as far as that has values in the same places.

    Args:
        value: The data.
        like: The present result of `get_state`.
        place: Its position, for the error.

    Raises:
        ValueError: If there is a string for a number, an array of other axes, and so on.
    """
    if value is None or like is None:  # what may be missing is a matter of the layer
        return
    kind, expected = _kind(value), _kind(like)
    if isinstance(value, Record) and value.name == expected:  # a simulation, which is checked when it is made
        return
    if kind != expected:
        raise ValueError(f"{place} is a {kind} in the snapshot, but a {expected} in the environment")
    if kind == "record":
        fields = like.fields if isinstance(like, Record) else _fields(like)
        _check_parts(value.fields if isinstance(value, Record) else _fields(value), fields, place)
    elif kind == "dict":
        _check_parts(value, like, place)  # type: ignore[arg-type]  # it is one
    elif kind == "list":
        for k, (part, other) in enumerate(zip(value, counterparts(value, like), strict=True)):  # type: ignore[call-overload, arg-type]  # it is one
            check_kinds(part, other, f"{place}[{k}]")


def _check_parts(value: Mapping[str, Any], like: Mapping[str, Any], place: str) -> None:
    for name, part in value.items():
        if name not in _VARIED:
            check_kinds(part, like.get(name), f"{place}[{name!r:.40}]")


def _fields(like: Any) -> dict[str, Any]:
    return {name: getattr(like, name) for name in getattr(like, "_fields", ())}


def _kind(value: Any) -> str:
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.kind not in "biuf":
            return f"value of the dtype kind {value.dtype.kind!r}"
        return f"array of {value.ndim} axes" if value.ndim else "number"
    if isinstance(value, (bool, int, float)):
        return "number"
    if isinstance(value, Record) or hasattr(value, "_fields"):
        return "record"
    if isinstance(value, (list, tuple)):
        return "list"
    if isinstance(value, Mapping):
        return "dict"
    if hasattr(value, "__dlpack__"):  # an array of another library
        return f"array of {value.ndim} axes" if value.ndim else "number"
    return type(value).__name__
