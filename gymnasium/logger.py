"""Warnings and errors for the user, as Python warnings in colour.

`min_level` (settable: `gymnasium.logger.min_level = gymnasium.logger.ERROR`) silences lower levels; `INFO` shows hints.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from gymnasium.utils.colorize import colorize

INFO = 20
WARN = 30
ERROR = 40

min_level = WARN

# Outdated ids and calls are reported once per place, not at every episode.
warnings.filterwarnings("once", "", DeprecationWarning, module=r"^gymnasium\.")


def warn(msg: str, *args: object, category: type[Warning] | None = None, stacklevel: int = 1) -> None:
    """Issue a warning of `category` (`UserWarning` if None) with the text `msg % args`.

    A `%` in a message without arguments stays. `stacklevel` 1 is the caller of this function.
    """
    if min_level <= WARN:
        warnings.warn(colorize(f"WARN: {_formatted(msg, args)}", "yellow"), category, stacklevel=stacklevel + 1)


def info(msg: str, *args: object) -> None:
    """Tell something useful, as a `UserWarning`, if `min_level` is `INFO`."""
    if min_level <= INFO:
        warnings.warn(colorize(f"INFO: {_formatted(msg, args)}", "green"), stacklevel=3)


def shows_info() -> bool:
    """Returns whether `info` is shown."""
    return min_level <= INFO


def deprecation(msg: str, *args: object) -> None:
    """Issue a `DeprecationWarning`."""
    warn(msg, *args, category=DeprecationWarning, stacklevel=2)


def error(msg: str, *args: object) -> None:
    """Report an error that does not stop the program, as a `UserWarning` in red."""
    if min_level <= ERROR:
        warnings.warn(colorize(f"ERROR: {_formatted(msg, args)}", "red"), stacklevel=3)


@contextmanager
def at_level(level: int) -> Iterator[None]:
    """Within the `with` block, `min_level` is another one."""
    global min_level
    before, min_level = min_level, level
    try:
        yield
    finally:
        min_level = before


def _formatted(msg: str, args: tuple[object, ...]) -> str:
    return msg % args if args else msg
