"""Values as JSON for the page, and actions from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, OneOf, Space, Tuple

MAX_NUMBERS: Final = 512
"""Components of an observation, above which it is no list of numbers but, for example, a picture."""

_LONGEST: Final = 64  # items of a list or a dict
_LONGEST_TEXT: Final = 200  # letters
_DEEPEST: Final = 4


def numbers(space: Space, value: object) -> list[float | None] | None:
    """Returns the components of a value of a space, in the order of `components`; None if there are too many, or none.

    Components without a finite value are None, since JSON has no others.
    """
    names = components(space)
    if names is None:
        return None
    try:
        flat = [number(part) for part in _flat(space, value)]
    except (TypeError, ValueError, KeyError, IndexError):  # the value is not in its space
        return None
    return flat if len(flat) == len(names) else None


def components(space: Space, name: str = "") -> list[str] | None:
    """Returns the names of the components of a space; None if it has too many, or a number of them that varies."""
    names = _components(space, name)
    return names if names is not None and 0 < len(names) <= MAX_NUMBERS else None


def number(value: Any) -> float | None:
    """Returns a number with six digits, or None."""
    plain = float(value)
    return float(f"{plain:.6g}") if math.isfinite(plain) else None


def shown(value: object, depth: int = 0) -> Any:
    """Returns a value as JSON to be read by people: shortened where it is long."""
    if value is None or isinstance(value, (bool, np.bool_)):
        return None if value is None else bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value) if abs(int(value)) < 2**53 else str(value)
    if isinstance(value, (float, np.floating)):
        return number(value) if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_TEXT else value[:_LONGEST_TEXT] + "…"
    if depth >= _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        return {str(key): shown(part, depth + 1) for key, part in list(value.items())[:_LONGEST]}
    if isinstance(value, (list, tuple)) and len(value) <= _LONGEST:
        return [shown(part, depth + 1) for part in value]
    if hasattr(value, "__array__"):
        array = np.asarray(value)
        if array.size <= _LONGEST and array.dtype.kind in "biuf":
            return shown(array.tolist(), depth)
        return f"array of shape {array.shape}, {array.dtype}"
    return shown(str(value), depth)


def action_of(space: Space, value: object) -> Any:
    """Returns the action that JSON from the page stands for.

    Raises:
        ValueError: If it is not in the space.
    """
    try:
        action = _parsed(space, value)
        valid = action in space
    except Exception as error:  # a space may raise anything for what it never expected
        raise ValueError(f"{str(value)[:80]} is no action of {space}") from error
    if not valid:
        raise ValueError(f"{str(value)[:80]} is no action of {space}")
    return action


def _parsed(space: Space, value: Any) -> Any:
    if isinstance(space, Discrete):
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError("a whole number is needed")
        return space.dtype.type(value)
    if isinstance(space, Box):
        array = np.asarray(value, np.float64).reshape(space.shape)
        return np.clip(array, space.low, space.high).astype(space.dtype)
    if isinstance(space, (MultiDiscrete, MultiBinary)):
        return np.asarray(value).reshape(space.shape).astype(space.dtype, casting="same_kind")
    if isinstance(space, Tuple):
        return tuple(_parsed(part, one) for part, one in zip(space.spaces, value, strict=True))
    if isinstance(space, Dict):
        if set(value) != set(map(str, space.spaces)):
            raise ValueError("other keys are needed")
        return {key: _parsed(part, value[str(key)]) for key, part in space.spaces.items()}
    if isinstance(space, OneOf):
        index, part = value
        return np.int64(index), _parsed(space.spaces[index], part)
    return space.from_jsonable([value])[0]


def _flat(space: Space, value: Any) -> list[Any]:
    if isinstance(space, Tuple):
        return [one for part, inner in zip(space.spaces, value, strict=True) for one in _flat(part, inner)]
    if isinstance(space, Dict):
        return [one for key, part in space.spaces.items() for one in _flat(part, value[key])]
    return np.asarray(value).ravel().tolist()


def _components(space: Space, name: str) -> list[str] | None:
    if isinstance(space, (Tuple, Dict)):
        parts = enumerate(space.spaces) if isinstance(space, Tuple) else space.spaces.items()
        found: list[str] = []
        for key, part in parts:
            inner = _components(part, f"{name}.{key}" if name else str(key))
            if inner is None:
                return None
            found += inner
        return found
    if isinstance(space, Discrete):
        return [name or "value"]
    if not isinstance(space, (Box, MultiDiscrete, MultiBinary)) or math.prod(space.shape) > MAX_NUMBERS:
        return None
    if math.prod(space.shape) == 1:
        return [name or "0"]
    return [
        f"{name}[{','.join(map(str, place))}]" if name else ",".join(map(str, place))
        for place in np.ndindex(space.shape)
    ]
