"""States as plain data for files, and back.

Plain data are None, bools, numbers, strings, bytes, arrays without objects, and lists, tuples and dicts of these. A
NamedTuple becomes a `Record`. Its class is not part of the data: `rebuilt` takes it from a state of the environment,
except for the graphs of `Graph`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.error import Error
from gymnasium.spaces.graph import GraphInstance
from gymnasium.specs import load_env_creator

_SIMULATION = "MjData"
_SIMULATIONS = "gymnasium.envs.mujoco.saving"  # where they become plain data
_PLAIN = frozenset((type(None), bool, int, float, str, bytes))


class CannotSnapshot(Error):
    """A moment cannot be kept, since the state of a layer of the environment cannot be read."""


class Record(NamedTuple):
    """The fields of a NamedTuple, by their names."""

    name: str
    fields: dict[str, Any]


def plain(value: Any, place: str) -> Any:
    """Returns a value as plain data, which shares no memory with it.

    Args:
        value: The value.
        place: Its position, for the error.

    Raises:
        CannotSnapshot: If a part of it is not plain.
    """
    return _plain(value, (place,))


def _plain(value: Any, place: tuple[Any, ...]) -> Any:
    # The place is only told in an error: (place outside, how to tell the part, its name). This function is much used.
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        return {_key(key, place): _plain(part, (place, "[{!r}]", key)) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise CannotSnapshot(f"{_named(place)} holds an array of Python objects: let `get_state` return numbers")
        return np.array(value)
    if isinstance(value, np.generic):
        return value
    if isinstance(value, Record):
        return Record(value.name, {name: _plain(part, (place, ".{}", name)) for name, part in value.fields.items()})
    if _is_foreign(value):
        return np.asarray(value).copy()
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        parts = zip(value._fields, value, strict=True)
        return Record(kind.__name__, {name: _plain(part, (place, ".{}", name)) for name, part in parts})
    if isinstance(value, (list, tuple)):
        items = [_plain(part, (place, "[{}]", k)) for k, part in enumerate(value)]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, Mapping):
        return _plain(dict(value), place)
    if kind.__name__ == _SIMULATION and kind.__module__.startswith("mujoco"):
        return Record(_SIMULATION, load_env_creator(f"{_SIMULATIONS}:fields_of")(value))
    raise CannotSnapshot(
        f"{_named(place)} is a {kind}, which is no plain data: let `get_state` return numbers, strings, arrays, and "
        "lists, tuples and dicts of them"
    )


def _named(place: tuple[Any, ...]) -> str:
    outside, *part = place
    if not part:
        return str(outside)
    form, name = part
    return _named(outside) + str(form).format(name)


def _is_foreign(value: Any) -> bool:
    """Whether a value is an array of another library, such as an observation under JAX."""
    return hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray)


def _of_library(value: NDArray[Any], like: Any) -> Any:
    """Returns an array in the library of another array."""
    library = type(like).__module__.partition(".")[0]
    return import_module({"jax": "jax.numpy", "jaxlib": "jax.numpy"}.get(library, library)).asarray(value)


def _key(key: Any, place: tuple[Any, ...]) -> Any:
    if type(key) in (str, int):
        return key
    raise CannotSnapshot(
        f"{_named(place)} has the key {key!r}: let `get_state` return dicts whose keys are strings or integers"
    )


def rebuilt(value: Any, like: Any) -> Any:
    """Returns a copy of plain data with the types of a state of the environment, if there is one.

    Args:
        value: Plain data.
        like: The present result of `get_state`.

    Raises:
        ValueError: If a record has other fields than the one in its place.
    """
    if isinstance(value, Record):
        return _rebuilt_record(value, like)
    if isinstance(value, np.ndarray):
        return _of_library(value.copy(), like) if _is_foreign(like) else value.copy()
    if isinstance(value, (list, tuple)):
        items = [rebuilt(part, other) for part, other in zip(value, counterparts(value, like), strict=True)]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict):
        parts = like if isinstance(like, Mapping) else {}
        return {key: rebuilt(part, parts.get(key)) for key, part in value.items()}
    return value


def counterparts(value: list[Any] | tuple[Any, ...], like: Any) -> list[Any]:
    """Returns what stands in `like` for each item: in lists of layers the one of the same name, else the one there."""
    if not isinstance(like, (list, tuple)) or not like:
        return [None] * len(value)
    if _are_layers(value) and _are_layers(like):
        named = dict(like)
        return [(name, named.get(name)) for name, _ in value]
    return [like[min(k, len(like) - 1)] for k in range(len(value))]


def _are_layers(items: list[Any] | tuple[Any, ...]) -> bool:
    return all(isinstance(one, (list, tuple)) and len(one) == 2 and isinstance(one[0], str) for one in items)


def _rebuilt_record(value: Record, like: Any) -> Any:
    if value.name == _SIMULATION and type(like).__name__ == _SIMULATION:
        return load_env_creator(f"{_SIMULATIONS}:simulation_of")(value.fields, like)
    if isinstance(like, Record):
        return Record(value.name, {name: rebuilt(part, like.fields.get(name)) for name, part in value.fields.items()})
    if value.name == GraphInstance.__name__ and set(value.fields) == set(GraphInstance._fields):
        return GraphInstance(**{name: rebuilt(part, None) for name, part in value.fields.items()})
    fields = getattr(like, "_fields", ())
    later = set(fields[len(value.fields) :])  # fields that did not exist when the snapshot was taken
    if tuple(value.fields) != fields[: len(value.fields)] or not later <= getattr(like, "_field_defaults", {}).keys():
        raise ValueError(f"The snapshot holds a {value.name} where the environment's state has {like!r:.200}")
    return type(like)(*(rebuilt(part, getattr(like, name)) for name, part in value.fields.items()))


def equal(one: Any, other: Any) -> bool:
    """Whether plain data are the same, including types and bits."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return bool(one.dtype == other.dtype) and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, Record):
        return one.name == other.name and equal(one.fields, other.fields)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, (float, np.generic)):
        return np.asarray(one).tobytes() == np.asarray(other).tobytes()
    return bool(one == other)


def size_of(value: Any) -> int:
    """Returns the size of the arrays, strings and numbers of plain data, in bytes."""
    if isinstance(value, (np.ndarray, np.generic)):
        return int(value.nbytes)
    if isinstance(value, Record):
        return size_of(value.fields)
    if isinstance(value, (list, tuple)):
        return sum(map(size_of, value))
    if isinstance(value, dict):
        return sum(map(size_of, value.values()))
    return len(value) if isinstance(value, (str, bytes)) else 8
