"""Explains why a constructor did not take the arguments of `make` or `make_vec`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any, Final

_UNEXPECTED: Final = re.compile(r"unexpected keyword argument '(\w+)'")
_BY_MAKE: Final = ("max_episode_steps", "disable_env_checker", "render_mode")
_OTHER_NAMES: Final = {"max_steps": "max_episode_steps", "time_limit": "max_episode_steps", "n_envs": "num_envs"}


def unexpected(error: TypeError) -> str | None:
    """Returns the name of the argument that a constructor did not take, or None for any other error."""
    found = _UNEXPECTED.search(str(error))
    return found.group(1) if found else None


def refusal(error: TypeError, creator: Callable[..., Any], env_id: str, kwargs: dict[str, Any]) -> str:
    """Returns the message for an error of the constructor of one environment.

    Its own message stays, because programs look for `unexpected keyword argument 'NAME'` in it and then leave NAME out.

    Args:
        error: The error.
        creator: The constructor.
        env_id: The environment's id.
        kwargs: The arguments.
    """
    arguments = _arguments(creator)
    name = unexpected(error)
    text = f"{error}; raised while making {env_id!r}"
    listed = f"{text} with {kwargs!r}, whose constructor takes {_listed(arguments)}"
    if name not in kwargs:  # it is one that the constructor passes on itself
        return listed
    if is_attribute(creator, name):
        return (
            f"{text}: set {name!r} afterwards, `env.unwrapped.{name} = {kwargs[name]!r}`, "
            f"or in a batch with `make_vec({env_id!r}, n, params={{{name!r}: {kwargs[name]!r}}})`"
        )
    meant = meant_by(name, [one.name for one in arguments])
    return f"{text}; did you mean {meant!r}?" if meant else listed


def meant_by(name: str, known: Iterable[str]) -> str | None:
    """Returns the argument, one of these or of `make`, that a misspelt name stands for; None if none is close."""
    if name in _BY_MAKE:  # spelt right: `make` passes `render_mode` on, and the constructor lacks it
        return None
    if name in _OTHER_NAMES:
        return _OTHER_NAMES[name]
    # A vector class of another package may lack one of `make`.
    others = [one for one in (*known, *_BY_MAKE) if one != name]
    from difflib import get_close_matches  # late, as it is rarely needed

    close = get_close_matches(name, others, n=1, cutoff=0.7)
    return close[0] if close else None


def is_attribute(creator: Any, name: str) -> bool:
    """Whether the environments of a class have an attribute that is one of their params."""
    if not isinstance(creator, type):
        return False
    found = next((vars(cls)[name] for cls in creator.__mro__ if name in vars(cls)), None)
    return hasattr(found, "__set__")


def _arguments(creator: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(creator).parameters.values())
    except (TypeError, ValueError):
        return []


def _listed(arguments: list[inspect.Parameter]) -> str:
    """Returns the arguments as the source has them: an annotation that is a text, without its quotes."""
    shown = []
    for one in arguments:
        kind = one.annotation if isinstance(one.annotation, str) else None
        plain = str(one) if kind is None else str(one).replace(repr(kind), kind, 1)
        shown.append(plain)
    return ", ".join(shown) or "none"
