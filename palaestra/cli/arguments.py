"""Arguments of the command line, each checked as it is read."""

from __future__ import annotations

import os
import sys
from argparse import (
    Action,
    ArgumentError,
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
    _SubParsersAction,
)
from ast import literal_eval
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from palaestra.cli.lines import folded

_WIDE = 100  # columns of a terminal, from which the descriptions of options begin farther right

Commands: TypeAlias = "_SubParsersAction[Parser]"

ID_HELP = (
    "an id such as CartPole-v1; `module:ID` imports the module first, so that it can register the id; "
    "`module:Class` is a class without an id"
)


class Parser(ArgumentParser):
    """A parser that explains an error in one line, instead of repeating the usage."""

    def _check_value(self, action: Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            close = get_close_matches(str(value), map(str, action.choices), n=1)
            meant = f"did you mean {close[0]!r}?" if close else f"choose from {', '.join(map(str, action.choices))}"
            raise ArgumentError(action, f"there is no {value!r}; {meant}")

    def error(self, message: str) -> NoReturn:
        """Exit with code 2."""
        end = "" if message.endswith("?") else "."
        print(folded(f"{self.prog}: error: {message}{end} See `{self.prog} --help`", sys.stderr), file=sys.stderr)
        sys.exit(2)


class _Help(RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        wide = get_terminal_size().columns >= _WIDE
        super().__init__(prog, max_help_position=32 if wide else 24)
        self._action_max_length = 16  # columns at least; argparse forgets that commands are indented

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Wraps paragraphs, but not examples, which are indented below a line that ends in a colon."""
        parts = text.rstrip().split("\n\n")
        return "\n\n".join(part if "\n  " in part else fill(" ".join(part.split()), width) for part in parts)


def with_examples(examples: str) -> dict[str, Any]:
    """Returns a parser's arguments for a help that ends with `examples`, whose lines are not wrapped."""
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


class WrapperName(NamedTuple):
    """A wrapper given as an option: `[module:]Class[:name=value,...]`."""

    module: str
    name: str
    kwargs: dict[str, Any]


def argument(text: str) -> tuple[str, Any]:
    """Reads `name=value`; the value is a Python literal, or otherwise text."""
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise ArgumentTypeError(f"expected name=value, got {text!r}")
    return name, _value(value)


_RECORDING: Final = ("RecordActions", "RecordReplays", "RecordTrajectories")  # of a package that is slow to import
_BOOLS: Final = {"true": True, "false": False}


def varied(text: str) -> tuple[str, tuple[float, float] | list[Any]]:
    """Reads `name=low:high`, the bounds of a range; or `name=a,b,c`, values."""
    name, equals, value = text.partition("=")
    low, colon, high = value.partition(":")
    values = [_BOOLS.get(part, _value(part)) for part in ([low, high] if colon else _apart(value))]
    numbers = all(isinstance(one, (int, float)) for one in values)
    if not name or not equals or not values or (colon and not numbers):
        raise ArgumentTypeError(f"expected name=low:high or name=a,b,c, got {text!r}")
    if colon and values[0] > values[1]:
        raise ArgumentTypeError(f"expected the lower bound first, got {text!r}")
    return name, (values[0], values[1]) if colon else values


def wrapper(text: str) -> WrapperName:
    """Reads `[module:]Class[:name=value,...]`; without a module the class is one of our wrappers."""
    parts = text.split(":")
    path = [part for part in parts[:2] if "=" not in part]
    arguments = ":".join(parts[len(path) :])
    module, name = path if len(path) == 2 else [_home(*path), *path] if path else ["", ""]
    if not all(part.isidentifier() for part in [*module.split("."), name]):
        raise ArgumentTypeError(f"expected [module:]Class[:name=value,...], got {text!r}")
    return WrapperName(module, name, dict(argument(part) for part in _apart(arguments)))


def _home(name: str) -> str:
    return "palaestra.recording" if name in _RECORDING else "gymnasium.wrappers"


def _apart(text: str) -> list[str]:
    """Returns the parts between commas outside of brackets: `a=(1,2),b=3` has two."""
    parts: list[str] = []
    for piece in filter(None, text.split(",")):
        if parts and _is_open(parts[-1]):
            parts[-1] += f",{piece}"
        else:
            parts.append(piece)
    return parts


def _is_open(text: str) -> bool:
    return any(text.count(left) > text.count(right) for left, right in ("()", "[]", "{}"))


def _value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


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
    """Returns a reader of several values of `read`, with commas between; each is kept once."""

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


def add_environment(command: ArgumentParser, optional: bool = False) -> None:
    """Add the id of an environment, its arguments and the wrappers around it."""
    command.add_argument("id", metavar="ID", help=ID_HELP, **({"nargs": "?"} if optional else {}))  # type: ignore[arg-type]
    command.add_argument(
        "-k",
        dest="kwargs",
        metavar="NAME=VALUE",
        type=argument,
        action="append",
        default=[],
        help="an argument of the environment, such as is_slippery=False; may be repeated",
    )
    command.add_argument(
        "--wrapper",
        dest="wrappers",
        metavar="[MODULE:]CLASS[:NAME=VALUE,..]",
        type=wrapper,
        action="append",
        default=[],
        help="a wrapper to put around it, such as TimeLimit:max_episode_steps=50; may be repeated, inside first",
    )


def add_episodes(command: ArgumentParser, default: int) -> None:
    """Add the options of a run: the policy, the number of episodes, the seed."""
    command.add_argument(
        "--policy",
        metavar="random|module:function",
        default="random",
        help="the policy that chooses the actions (random)",
    )
    command.add_argument(
        "--episodes", metavar="N", type=whole_number(1), default=default, help=f"number of episodes ({default})"
    )
    command.add_argument("--seed", metavar="S", type=whole_number(0), help="seed of the environment and random actions")
    command.add_argument(
        "--max-steps", metavar="T", type=whole_number(1), help="end an episode after T steps, instead of its own limit"
    )


def add_video_limit(command: ArgumentParser) -> None:
    """Add the length at which a video ends, to limit the videos of slow environments."""
    command.add_argument(
        "--video-limit", metavar="S", type=positive, default=120.0, help="seconds of video at most (120)"
    )


def add_record(command: ArgumentParser) -> None:
    """Add the folder of replays."""
    command.add_argument(
        "--record", metavar="DIR", type=output_folder, help="write each episode into DIR, for `palaestra replay`"
    )


def options_of(arguments: Namespace) -> dict[str, Any]:
    """Returns the parsed arguments, by name."""
    return {name: value for name, value in vars(arguments).items() if name != "command"}


def add_json(command: ArgumentParser) -> None:
    """Add the option to print a command's output for programs."""
    command.add_argument("--json", action="store_true", help="print the result as JSON")


def output_folder(text: str) -> Path:
    """Reads a path to a writable folder, which may not exist yet."""
    path = Path(text)
    above = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    if not above.is_dir():
        raise ArgumentTypeError(f"{str(above)!r} is a file, but a folder is needed; choose another name")
    if not os.access(above, os.W_OK):
        raise ArgumentTypeError(f"{text!r} cannot be written; choose a folder that you may write to")
    return path


def output_file(*suffixes: str) -> Callable[[str], Path]:
    """Returns a reader of writable paths to files with one of these suffixes."""

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
