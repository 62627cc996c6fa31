"""Specs as JSON text, and back."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from gymnasium.error import Error
from gymnasium.specs import data

T = TypeVar("T")

_NONE = type(None)
Types = dict[str, tuple[type, ...]]
"""The JSON types allowed for each field of a spec."""

WRAPPER_TYPES: Types = {"name": (str,), "entry_point": (str,), "kwargs": (dict, _NONE)}
ENV_TYPES: Types = {
    "id": (str,),
    "entry_point": (str, _NONE),
    "reward_threshold": (int, float, _NONE),
    "nondeterministic": (bool,),
    "max_episode_steps": (int, _NONE),
    "order_enforce": (bool,),
    "disable_env_checker": (bool,),
    "kwargs": (dict,),
    "vector_entry_point": (str, _NONE),
}


def dumped(env_id: str, values: dict[str, Any]) -> str:
    """Returns the values of the fields of the spec `env_id` as JSON text.

    Raises:
        ValueError: If JSON cannot represent one of them.
    """
    import json

    try:
        return json.dumps({name: _written(value, name) for name, value in values.items()})
    except data.NotPlainError as error:
        what = "a callable, which" if callable(error.value) else f"of {type(error.value)}, which"
        raise ValueError(
            f"The spec of {env_id!r} has no JSON: {error.path} is {error.value!r}, {what} cannot be serialised; "
            'name an entry point as "package.module:attribute", and keep arguments to numbers, strings, arrays of '
            "numbers, tuples, lists and dictionaries"
        ) from None


def _written(value: Any, path: str) -> Any:
    """Returns a field's value in a form for `json.dumps`: only arguments may contain marked values."""
    if path == "additional_wrappers":
        return [{**wrapper, "kwargs": _written(wrapper["kwargs"], f"{path}[{i}]")} for i, wrapper in enumerate(value)]
    if isinstance(value, dict):
        return data.written(value, path if path == "kwargs" else f"{path}['kwargs']")
    if isinstance(value, np.generic):  # a limit or a threshold, of which only the number matters
        value = value.item()
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise data.NotPlainError(path, value)


def loaded(text: str, trusted: bool) -> dict[str, Any]:
    """Returns the object in a JSON text, with its additional wrappers, if any, as a list.

    Raises:
        ValueError: If the text is not JSON, or describes no such object.
        gymnasium.error.Error: If it names an enumeration that is not allowed.
    """
    import json

    try:
        values = json.loads(text)
        if isinstance(values, dict):
            values = _with_arguments(values, trusted)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"Expected the JSON text of an EnvSpec, but it cannot be read: {error}") from error
    if not isinstance(values, dict):
        raise ValueError(f"Expected the JSON text of an EnvSpec, an object, but it holds a {type(values).__name__}")
    if not isinstance(values.get("additional_wrappers", []), list):
        raise ValueError(f"Expected a list of WrapperSpec as additional_wrappers of the EnvSpec, but {values!r} came")
    return values


def _with_arguments(values: dict[str, Any], trusted: bool) -> dict[str, Any]:
    """Returns the object with its arguments, and those of its wrappers, decoded."""
    if "kwargs" in values:
        values = {**values, "kwargs": data.read(values["kwargs"], trusted)}
    wrappers = values.get("additional_wrappers")
    if isinstance(wrappers, list):
        read = [_with_arguments(each, trusted) if isinstance(each, dict) else each for each in wrappers]
        values = {**values, "additional_wrappers": read}
    return values


def built(kind: type[T], values: Any, types: Types) -> T:
    """Returns a `kind`, the class of a spec, from the field values in JSON.

    Raises:
        ValueError: If a field is missing, unknown, or of the wrong type.
    """
    try:
        spec = kind(**values)
    except (TypeError, Error) as error:
        raise ValueError(f"No {kind.__name__} can be made from {values!r}: {error}") from error
    for name, value in values.items():
        allowed = types[name]
        if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
            expected = " or ".join("null" if t is _NONE else t.__name__ for t in allowed)
            raise ValueError(
                f"No {kind.__name__} can be made from {values!r}: expected {expected} as {name}, but {value!r} came"
            )
    return spec
