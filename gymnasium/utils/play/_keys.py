"""The keys of each action.

A key is a character, or a pygame key code. Several keys, as a tuple or as a string of several characters, are a
combination to be pressed at once. The empty tuple stands for no key at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from gymnasium.core import Env

Keys: TypeAlias = tuple[str | int, ...] | str | int
KeyCodes: TypeAlias = tuple[int, ...]


class MissingKeysToAction(Exception):
    """The environment defines no keys for its actions."""


def keys_of(env: Env) -> Any:
    """Returns the keys that the environment suggests.

    Raises:
        MissingKeysToAction: If it suggests none.
    """
    if env.has_wrapper_attr("get_keys_to_action"):
        return env.get_wrapper_attr("get_keys_to_action")()
    name = type(env.unwrapped).__name__ if env.spec is None else env.spec.id
    raise MissingKeysToAction(
        f"{name} does not define the keys of its actions; give `keys_to_action`, for instance {{'a': 0, 'd': 1}}"
    )


def key_codes(keys: Keys) -> KeyCodes:
    """Returns the codes of the keys to be pressed at once, sorted; none for `()`.

    Raises:
        TypeError: If a key is neither a str nor an int.
        ValueError: If it is an empty str.
    """
    parts = tuple(keys) if isinstance(keys, (tuple, str)) else (keys,)
    if keys == "":
        raise ValueError(f"A key of keys_to_action must be one key at least, but {keys!r} came")
    codes: list[int] = []
    for part in parts:
        if isinstance(part, str):
            codes.extend(map(ord, part))
        elif isinstance(part, int):
            codes.append(part)
        else:
            raise TypeError(
                f"A key of keys_to_action must be a str, an int or a tuple of these, but {part!r}, a "
                f"{type(part).__name__}, came in {keys!r}"
            )
    return tuple(sorted(codes))


def checked_mapping(keys_to_action: object) -> Mapping[Keys, Any]:
    """Raises `TypeError` if this is no dict."""
    if not isinstance(keys_to_action, dict):
        raise TypeError(f"keys_to_action must be a dict of keys to actions, but a {type(keys_to_action).__name__} came")
    return keys_to_action


def actions_by_codes(env: Env, keys_to_action: object) -> dict[KeyCodes, Any]:
    """Returns the action of each combination.

    Raises:
        TypeError: If it is not a dict, or a key is of another type.
        ValueError: If a combination is an empty str, or an action is not in the action space.
    """
    actions: dict[KeyCodes, Any] = {}
    for keys, action in checked_mapping(keys_to_action).items():
        codes = key_codes(keys)
        if action not in env.action_space:
            raise ValueError(f"The action of {keys!r} must be in {env.action_space}, but {action!r} is not")
        actions[codes] = action
    return actions
