"""Arguments of the command line, each checked as it is read."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

ID_HELP = "an id such as CartPole-v1; `module:ID` imports the module first, so that it can register the id"


class Parser(ArgumentParser):
    """A parser that says in one line what is wrong, instead of repeating the usage."""

    def error(self, message: str) -> NoReturn:
        """Exit with code 2."""
        print(f"{self.prog}: error: {message}; see `{self.prog} --help`", file=sys.stderr)
        sys.exit(2)


class _Help(RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32)
        self._action_max_length = 16  # columns at least; argparse forgets that commands are indented


def with_examples(examples: str) -> dict[str, Any]:
    """Returns a parser's arguments for a help that ends with `examples`, whose lines stay as they are."""
    return {"epilog": examples, "formatter_class": _Help}


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


def positive(text: str) -> float:
    """Reads a positive number."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise ArgumentTypeError(f"expected a positive number, got {text!r}")
    return number


def listed(read: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    """Returns a reader of what `read` reads, several times, with commas between; each is kept once."""

    def read_all(text: str) -> list[Any]:
        return list(dict.fromkeys(read(part) for part in text.split(",")))

    return read_all


def one_of(*words: str) -> Callable[[str], str]:
    """Returns a reader of one of these words."""

    def read(text: str) -> str:
        if text not in words:
            raise ArgumentTypeError(f"expected some of {', '.join(words)}, got {text!r}")
        return text

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
