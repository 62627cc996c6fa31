"""Why a command stops."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Final

INTERRUPTED: Final = 130  # exit code after Ctrl-C: 128 + SIGINT, as shells have it


class CommandError(Exception):
    """A command cannot go on; the text is what the user sees of it.

    Args:
        message: What was expected, what came, what to do.
        exit_code: 2 if the command was asked wrongly, 1 if it could not do what it was asked.
    """

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def one_line(reason: object) -> str:
    """Returns a message as one line."""
    return " ".join(str(reason).split())


def described(error: BaseException) -> str:
    """Returns the type and text of an error, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {one_line(error)}{where}"
