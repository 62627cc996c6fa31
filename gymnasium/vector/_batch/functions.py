"""The functions that make the environments of a batch, checked before any is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gymnasium.core import Env
from gymnasium.logger import warn

_NEEDED = "A vector environment needs functions that make environments, [lambda: gymnasium.make(...)] * n, but "


def checked_functions(env_fns: object) -> list[Callable[[], Env]]:
    """Returns the functions as a list.

    Raises:
        TypeError: If `env_fns` is no iterable of functions.
        ValueError: If it is empty.
    """
    if isinstance(env_fns, str):
        raise TypeError(f"{_NEEDED}the id {env_fns!r} came: gymnasium.make_vec({env_fns!r}, n) takes ids")
    if not isinstance(env_fns, Iterable):
        raise TypeError(f"{_NEEDED}a {type(env_fns).__name__} came instead of a list of them")
    functions = list(env_fns)
    if not functions:
        raise ValueError("A vector environment needs one environment at least, but env_fns is empty")
    for i, one in enumerate(functions):
        if not callable(one):
            raise TypeError(f"{_NEEDED}env_fns[{i}] is {_described(one)}")
    return functions


def _described(given: object) -> str:
    if isinstance(given, Env):
        return f"an environment already, {given}: put `lambda:` before the call that made it"
    if isinstance(given, str):
        return f"the id {given!r}: gymnasium.make_vec(id, n) takes ids"
    return f"a {type(given).__name__}"


def check_made(env: Any, i: int) -> None:
    """Raises `TypeError` if `env_fns[i]` returned no environment."""
    if env is None or isinstance(env, type):
        what = "nothing: let it return the environment" if env is None else f"the class {env.__name__}: call it"
        raise TypeError(f"env_fns[{i}] returned {what}")


def warn_of_shared(envs: Sequence[Any]) -> None:
    """Warn if one environment is used for several places of a batch, which then step it several times."""
    first: dict[int, int] = {}
    for i, env in enumerate(envs):
        other = first.setdefault(id(env), i)
        if other != i:
            warn(
                f"env_fns[{other}] and env_fns[{i}] returned the same environment, which steps once for each of them: "
                "let each call of a function make a new one (a lambda in a loop reads the loop's last value)"
            )
            return
