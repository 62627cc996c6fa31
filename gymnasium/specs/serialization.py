"""Specs as JSON text, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from gymnasium.error import Error

T = TypeVar("T")

_NONE = type(None)
Types = dict[str, tuple[type, ...]]
"""What JSON may hold for each field of a spec."""

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
        ValueError: If one of them holds what JSON cannot.
    """
    import json

    for name, value in values.items():
        _check_plain(env_id, name, value)
    return json.dumps(values)


def _check_plain(env_id: str, path: str, value: object) -> None:
    if isinstance(value, Mapping):
        children = [(f"{path}[{key!r}]", child) for key, child in value.items()]
    elif isinstance(value, (list, tuple)):
        children = [(f"{path}[{i}]", child) for i, child in enumerate(value)]
    elif value is None or isinstance(value, (str, int, float)):
        return
    else:
        what = "a callable, which" if callable(value) else f"of {type(value)}, which"
        raise ValueError(
            f"The spec of {env_id!r} has no JSON: {path} is {value!r}, {what} cannot be serialised; "
            'name code as "package.module:attribute" and keep data to numbers, strings, lists and dictionaries'
        )
    for child_path, child in children:
        _check_plain(env_id, child_path, child)


def loaded(text: str) -> dict[str, Any]:
    """Returns the object that JSON text describes, its additional wrappers a list if there are any.

    Raises:
        ValueError: If the text is no JSON, or describes no such object.
    """
    import json

    try:
        values = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"Expected the JSON text of an EnvSpec, but it cannot be read: {error}") from error
    if not isinstance(values, dict):
        raise ValueError(f"Expected the JSON text of an EnvSpec, an object, but it holds a {type(values).__name__}")
    if not isinstance(values.get("additional_wrappers", []), list):
        raise ValueError(f"Expected a list of WrapperSpec as additional_wrappers of the EnvSpec, but {values!r} came")
    return values


def built(kind: type[T], values: Any, types: Types) -> T:
    """Returns a `kind`, the class of a spec, with the field values that JSON held.

    Raises:
        ValueError: If a field is missing, unknown, or of the wrong type.
    """
    try:
        spec = kind(**values)
    except (TypeError, Error) as error:
        raise ValueError(f"Cannot make a {kind.__name__} from {values!r}: {error}") from error
    for name, value in values.items():
        allowed = types[name]
        if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
            expected = " or ".join("null" if t is _NONE else t.__name__ for t in allowed)
            raise ValueError(
                f"Cannot make a {kind.__name__} from {values!r}: expected {expected} as {name}, but {value!r} came"
            )
    return spec
