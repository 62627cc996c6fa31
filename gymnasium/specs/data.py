"""Arguments as JSON: plain data as JSON writes it, and the rest as objects with one marked key.

    (1, 2)                        {"__tuple__": [1, 2]}
    {0: "a"}                      {"__dict__": [[0, "a"]]}
    np.array([1, 2], np.int8)     {"__array__": ["|i1", [2], [1, 2]]}       dtype, shape, entries
    np.float32(0.5)               {"__scalar__": ["<f4", 0.5]}
    np.dtype("float32")           {"__dtype__": "<f4"}
    np.float32, float             {"__type__": "<f4"}, {"__type__": "float"}
    AutoresetMode.DISABLED        {"__enum__": ["gymnasium.vector.vector_env:AutoresetMode", "DISABLED"]}
    pathlib.Path("videos")        {"__path__": "videos"}

A text without marks, as other implementations write it, is read unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final

import numpy as np

from gymnasium.specs import trust

_BUILTIN: Final[dict[str, type]] = {"bool": bool, "int": int, "float": float}
_NUMBERS: Final = frozenset(np.dtype(code).type for code in "?bBhHiIlLefd")


class NotPlainError(Exception):
    """A part of the arguments, at `path`, that JSON cannot represent."""

    def __init__(self, path: str, value: object) -> None:
        super().__init__(path)
        self.path, self.value = path, value


def written(value: object, path: str) -> Any:
    """Returns an argument in a form for `json.dumps`.

    Raises:
        NotPlainError: If it, or something in it, is not data.
    """
    if isinstance(value, (Enum, np.generic, np.ndarray, np.dtype, type, Path)):
        mark, content = _marked(value, path)
        return {mark: content}
    if isinstance(value, Mapping):
        return _written_mapping(value, path)
    if isinstance(value, (list, tuple)):
        entries = [written(entry, f"{path}[{i}]") for i, entry in enumerate(value)]
        return entries if isinstance(value, list) else {"__tuple__": entries}
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise NotPlainError(path, value)


def _written_mapping(value: Mapping[Any, Any], path: str) -> dict[str, Any]:
    written_values = {key: written(entry, f"{path}[{key!r}]") for key, entry in value.items()}
    if all(type(key) is str for key in value) and not (len(value) == 1 and value.keys() <= _READERS.keys()):
        return written_values
    return {"__dict__": [[written(key, f"a key of {path}"), entry] for key, entry in written_values.items()]}


def _marked(value: object, path: str) -> tuple[str, Any]:
    if isinstance(value, Enum):
        module, name = type(value).__module__, type(value).__name__
        if trust.loaded_attribute(module, name) is type(value) and value.name in type(value).__members__:
            return "__enum__", [f"{module}:{name}", value.name]
    elif isinstance(value, np.generic) and _is_number(value.dtype):
        return "__scalar__", [value.dtype.str, value.item()]
    elif type(value) is np.ndarray and _is_number(value.dtype):
        return "__array__", [value.dtype.str, list(value.shape), value.ravel().tolist()]
    elif isinstance(value, np.dtype) and _is_number(value):
        return "__dtype__", value.str
    elif isinstance(value, type) and value in _BUILTIN.values():
        return "__type__", value.__name__
    elif isinstance(value, type) and value in _NUMBERS:
        return "__type__", np.dtype(value).str
    elif isinstance(value, Path):
        return "__path__", str(value)
    raise NotPlainError(path, value)


def _is_number(dtype: np.dtype) -> bool:
    """Whether JSON can represent the digits of such a number; it cannot for one of 16 bytes."""
    return dtype.kind in "biuf" and dtype.itemsize <= 8


def equal(a: Any, b: Any) -> bool:
    """Whether two arguments are equal, including containers of arrays, on which `==` fails."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return type(a) is type(b) and a.dtype == b.dtype and bool(np.array_equal(a, b))
    if type(a) is not type(b) or not isinstance(a, (dict, list, tuple)):
        return a is b or bool(a == b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return len(a) == len(b) and all(map(equal, a, b))


def read(value: object, trusted: bool) -> Any:
    """Returns the argument that was passed to `written`.

    Args:
        value: The result of `json.loads`.
        trusted: Whether a module may be imported for an enumeration.

    Raises:
        ValueError: If a marked object has invalid contents.
        gymnasium.error.Error: If it names an enumeration that is not allowed.
    """
    if isinstance(value, list):
        return [read(entry, trusted) for entry in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((mark, content),) = value.items()
        if mark == "__enum__":
            return _read_enum(content, trusted)
        if mark in _READERS:
            return _read_marked(mark, content, trusted)
    return {key: read(entry, trusted) for key, entry in value.items()}


def _read_marked(mark: str, content: object, trusted: bool) -> Any:
    try:
        with np.errstate(all="raise"):  # for a number that is too large
            return _READERS[mark](read(content, trusted))
    except (TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(f"Cannot read {mark!r} in the JSON text of an EnvSpec from {content!r}: {error}") from error


def _read_enum(content: Any, trusted: bool) -> Enum:
    try:
        entry_point, name = content
    except (TypeError, ValueError):
        entry_point = name = None
    if not (isinstance(entry_point, str) and isinstance(name, str)):
        raise ValueError(f'Expected ["module:Class", "MEMBER"] in "__enum__" of an EnvSpec, but {content!r} came')
    members = trust.checked_enum(entry_point, trusted).__members__
    if name not in members:
        raise ValueError(f"{entry_point!r} has the members {list(members)}, but {name!r} came")
    return members[name]


def _tuple(content: object) -> tuple[Any, ...]:
    if not isinstance(content, list):
        raise TypeError("expected a list")
    return tuple(content)


def _dict(content: object) -> dict[Any, Any]:
    return {key: entry for key, entry in _tuple(content)}


def _dtype(content: object) -> np.dtype:
    if not isinstance(content, str) or not re.fullmatch("[<>|][biuf][1248]", content):
        raise TypeError("expected the dtype of a number")
    return np.dtype(content)


def _array(content: object) -> Any:
    dtype, shape, entries = _tuple(content)
    if not all(isinstance(entry, (int, float)) for entry in _tuple(entries)):
        raise TypeError("expected numbers")
    return np.array(entries, _dtype(dtype)).reshape(_tuple(shape))


def _scalar(content: object) -> Any:
    dtype, number = _tuple(content)
    return _array([dtype, [], [number]])[()]


def _type(content: object) -> type:
    return _BUILTIN[content] if isinstance(content, str) and content in _BUILTIN else _dtype(content).type


_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "__tuple__": _tuple,
    "__dict__": _dict,
    "__array__": _array,
    "__scalar__": _scalar,
    "__dtype__": _dtype,
    "__type__": _type,
    "__path__": Path,
    "__enum__": _tuple,
}
