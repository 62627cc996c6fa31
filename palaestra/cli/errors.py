"""The errors that stop a command."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Final

from gymnasium._extensions import is_own_file

INTERRUPTED: Final = 130  # exit code after Ctrl-C: 128 + SIGINT, as in shells

_STANDARD_LIBRARY: Final = Path(traceback.__file__).parent


class CommandError(Exception):
    """A command cannot continue; the user sees only the text.

    Args:
        message: The expected value, the actual one, and a remedy.
        exit_code: 2 for a wrong command line, 1 for a failure.
    """

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def one_line(reason: object) -> str:
    """Returns a message as one line."""
    return " ".join(str(reason).split())


def described(error: BaseException) -> str:
    """Returns the type and text of an error, and the responsible line of the user's code, if any."""
    places = [
        f" ({Path(frame.filename).name}, line {frame.lineno})"
        for frame in traceback.extract_tb(error.__traceback__)
        if _is_of_users(Path(frame.filename))
    ]
    return f"{type(error).__name__}: {one_line(error)}{places[-1] if places else ''}"


def _is_of_users(file: Path) -> bool:
    if not file.is_absolute() or is_own_file(file):  # not absolute: code without a file
        return False
    return _STANDARD_LIBRARY not in file.parents or "site-packages" in file.parts
