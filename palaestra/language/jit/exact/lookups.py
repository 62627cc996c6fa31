"""Global dicts, and members of an IntEnum by their values, as functions of the key."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from palaestra.language.jit.backend import compiled

_functions: dict[tuple[Any, ...], Callable[..., Any]] = {}

LONGEST = 256  # keys of a dict that is gone through


def lookup_of(table: dict[Any, Any]) -> Callable[..., Any] | None:
    """Returns the function that looks a number, or a tuple of numbers, up in a dict; None for another dict.

    All its values must be alike, and all its keys ints, or tuples of as many ints.
    """
    keys, values = list(table), list(table.values())
    sizes = {len(key) if isinstance(key, tuple) else 0 for key in keys}
    if len(sizes) != 1 or len(keys) > LONGEST or len({_form(value) for value in values}) != 1:
        return None
    if not all(type(part) is int for key in keys for part in (key if isinstance(key, tuple) else (key,))):
        return None
    if None in {_form(value) for value in values}:
        return None
    lines = [f"    if {_test(key)}:\n        return value{k}\n" for k, key in enumerate(keys)]
    text = f"def lookup(key):\n{''.join(lines)}    raise KeyError\n"
    return _made("dict", text, {f"value{k}": value for k, value in enumerate(values)})


def membership_of(table: dict[Any, Any]) -> Callable[..., Any] | None:
    """Returns the function that says whether a number is a key of a dict; None for a dict with other keys."""
    if len(table) > LONGEST or not all(type(key) is int for key in table):
        return None
    tests = " or ".join(_test(key) for key in table) or "False"
    return _made("keys", f"def membership(key):\n    return {tests}\n", {})


def member_of(kind: type[IntEnum]) -> Callable[..., Any]:
    """Returns the function that makes a member of an IntEnum, which is an int here, of its value."""
    tests = " or ".join(f"number == {int(member)}" for member in kind)
    text = f"def member(number):\n    if {tests}:\n        return int(number)\n    raise ValueError('no member')\n"
    return _made("member", text, {})


def _form(value: object) -> Any:
    """What values have in common that one variable may hold; None for values that have no place in dynamics."""
    if isinstance(value, tuple):
        forms = tuple(map(_form, value))
        return None if None in forms else (type(value), forms)
    return type(value) if type(value) in (bool, int, float) else None


def _test(key: object) -> str:
    if isinstance(key, tuple):
        return " and ".join(f"key[{k}] == {part}" for k, part in enumerate(key)) or "True"
    return f"key == {key}"


def _made(name: str, text: str, values: dict[str, Any]) -> Callable[..., Any]:
    """Returns the compiled function of a text, the same one for the same text and values."""
    key = (name, text, repr(values))
    if key not in _functions:
        names = dict(values)
        exec(text, names)
        _functions[key] = compiled(names[text[4 : text.index("(")]])
    return _functions[key]
