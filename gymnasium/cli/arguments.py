"""Arguments of the command line, each checked as it is read."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn


class Parser(ArgumentParser):
    """A parser that says in one line what is wrong, instead of repeating the usage."""

    def error(self, message: str) -> NoReturn:
        """Exit with code 2."""
        print(f"{self.prog}: error: {message}; see `{self.prog} --help`", file=sys.stderr)
        sys.exit(2)


def whole_number(least: int) -> Callable[[str], int]:
    """Returns a reader of whole numbers from `least` on."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise ArgumentTypeError(f"expected a whole number of at least {least}, got {text!r}")
        return number

    return read


def output_file(*suffixes: str) -> Callable[[str], Path]:
    """Returns a reader of paths to which a file with one of these suffixes can be written."""

    def read(text: str) -> Path:
        path = Path(text)
        folder = path.parent
        if path.suffix.lower() not in suffixes:
            raise ArgumentTypeError(f"expected a file ending in {' or '.join(suffixes)}, got {text!r}")
        if not folder.is_dir():
            raise ArgumentTypeError(f"the folder {str(folder)!r} of {text!r} does not exist; create it first")
        if path.is_dir():
            raise ArgumentTypeError(f"{text!r} is a folder; choose another name")
        if not os.access(path if path.exists() else folder, os.W_OK):
            raise ArgumentTypeError(f"{text!r} cannot be written; choose a folder that you may write to")
        return path

    return read
