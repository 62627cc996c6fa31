"""Warnings and errors for the user, as Python warnings in colour.

`min_level` (settable: `gymnasium.logger.min_level = gymnasium.logger.ERROR`) silences lower levels; `INFO` shows hints.

A warning of the package belongs to the public module that issues it, so that `module="gymnasium"` in a filter finds it.
Its text ends with the line of the program that led to it.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from gymnasium._extensions import is_own_module
from gymnasium.utils.colorize import colorize

__all__ = ["ERROR", "WARN", "deprecation", "error", "min_level", "warn"]

INFO = 20
WARN = 30
ERROR = 40

min_level = WARN

# Outdated ids and calls are reported once per place, not at every episode.
warnings.filterwarnings("once", "", DeprecationWarning, module=r"^gymnasium\.")

# Filters of programs name modules of the interface; other private parts belong to the package that contains them.
_PUBLIC = {
    "gymnasium.envs._registry": "gymnasium.envs.registration",
    "gymnasium.spaces.bounds": "gymnasium.spaces.box",
    "gymnasium.wrappers._film": "gymnasium.wrappers.rendering",
    "gymnasium.wrappers._record_video": "gymnasium.wrappers.rendering",
}
# They run worker processes, and are run by a line of Python's own, `<string>:1`.
_STARTERS = ("multiprocessing.spawn", "multiprocessing.forkserver")
_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_LEVEL_OR_LINE = re.compile(r"^(WARN|INFO|ERROR): | \([^()]+:\d+\)$")


def warn(msg: str, *args: object, category: type[Warning] | None = None, stacklevel: int = 1) -> None:
    """Issue a warning of `category` (`UserWarning` if None) with the text `msg % args`.

    A `%` in a message without arguments stays. `stacklevel` 1 is the caller of this function.
    """
    if min_level <= WARN:
        _issue("WARN", "yellow", _formatted(msg, args), category or UserWarning, stacklevel)


def info(msg: str, *args: object) -> None:
    """Tell something useful, as a `UserWarning`, if `min_level` is `INFO`."""
    if min_level <= INFO:
        _issue("INFO", "green", _formatted(msg, args), UserWarning, 2)


def shows_info() -> bool:
    """Returns whether `info` is shown."""
    return min_level <= INFO


def deprecation(msg: str, *args: object) -> None:
    """Issue a `DeprecationWarning`."""
    if min_level <= WARN:
        _issue("WARN", "yellow", _formatted(msg, args), DeprecationWarning, 1)


def error(msg: str, *args: object) -> None:
    """Report an error that does not stop the program, as a `UserWarning` in red."""
    if min_level <= ERROR:
        _issue("ERROR", "red", _formatted(msg, args), UserWarning, 2)


def undressed(text: str) -> str:
    """Returns the text of a warning without colours, level and line."""
    return _LEVEL_OR_LINE.sub("", _COLORS.sub("", text))


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


def _issue(level: str, color: str, text: str, category: type[Warning], stacklevel: int) -> None:
    """Issue a warning of the caller's caller; of other people's code as Python does, `stacklevel` frames above."""
    caller = _outer(_outer(inspect.currentframe()))
    module = "" if caller is None else caller.f_globals.get("__name__") or ""
    if caller is None or not is_own_module(module):
        warnings.warn(_colored(f"{level}: {text}", color), category, stacklevel + 2)
        return
    public = next((public for private, public in _PUBLIC.items() if module.startswith(private)), module.split("._")[0])
    registry = caller.f_globals.setdefault("__warningregistry__", {})
    message = _colored(f"{level}: {text}{_line_of_the_program(caller)}", color)
    # A module in place of a file: Python would add a line of the package's source, which says nothing to the user.
    warnings.warn_explicit(message, category, public, 1, public, registry)


def _outer(frame: FrameType | None) -> FrameType | None:
    return None if frame is None else frame.f_back


def _line_of_the_program(frame: FrameType | None) -> str:
    """Returns the first line outside of this package and Python's library, in brackets; "" if there is none."""
    while frame is not None:
        module = frame.f_globals.get("__name__") or ""
        if module in _STARTERS:
            return ""
        if not is_own_module(module) and module.partition(".")[0] not in sys.stdlib_module_names:
            path = frame.f_code.co_filename
            with suppress(OSError):  # the folder may have been deleted
                path = path.removeprefix(os.getcwd() + os.sep)
            return f" ({path}:{frame.f_lineno})"
        frame = frame.f_back
    return ""


def _colored(text: str, color: str) -> str:
    """Returns the text in colour if warnings go to a terminal that may show it."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if plain or sys.stderr is None or not sys.stderr.isatty():
        return text
    return colorize(text, color)
