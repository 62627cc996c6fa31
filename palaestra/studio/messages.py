"""Messages of the page: each becomes a typed command, or an error that names the mistake."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, NoReturn

MAX_CHARACTERS: Final = 16_384  # of a message


Reader = Callable[[Any, str], Any]
Commands = Mapping[str, tuple[Callable[..., Any], Mapping[str, Reader]]]


class MessageError(ValueError):
    """A message is no command."""


class Play(NamedTuple):
    """Run at the present speed."""


class Pause(NamedTuple):
    """Stop running."""


class Next(NamedTuple):
    """Take one step with the present source of actions, or look at the next step if it is known."""


class Fork(NamedTuple):
    """Open a branch at the step looked at."""


class Speed(NamedTuple):
    """Run so many times as fast as the environment's own pace; 0 for as fast as possible."""

    value: float


class Source(NamedTuple):
    """Take the actions from `"you"`, `"random"` or `"policy"`."""

    value: str


class Loop(NamedTuple):
    """Whether to begin another episode where one ends."""

    value: bool


class Act(NamedTuple):
    """Take this action once, as JSON."""

    action: Any


class Hold(NamedTuple):
    """Take this action, as JSON, in each step of your own; None for the one that does least."""

    action: Any


class Reset(NamedTuple):
    """Begin an episode with this seed; None for the next seed."""

    seed: int | None


class Seek(NamedTuple):
    """Look at a step of the branch."""

    step: int


class Choose(NamedTuple):
    """Look at another branch, at this step; None for the last."""

    branch: int
    step: int | None


class Compare(NamedTuple):
    """Show another branch beside this one; None for no more."""

    branch: int | None


class Episode(NamedTuple):
    """Look at a recorded episode, or compare with it."""

    number: int
    compare: bool


class Remake(NamedTuple):
    """Make the environment again, with these arguments."""

    arguments: dict[str, Any]


class Seen(NamedTuple):
    """The page has drawn a picture."""


Command = (
    Play
    | Pause
    | Next
    | Fork
    | Speed
    | Source
    | Loop
    | Act
    | Hold
    | Reset
    | Seek
    | Choose
    | Compare
    | Episode
    | Remake
    | Seen
)


def read(text: str) -> Command:
    """Returns the command of a message to a player; raises `MessageError` if it is none."""
    command: Command = read_as(_COMMANDS, text)
    return command


def read_as(commands: Commands, text: str) -> Any:
    """Returns the command of a message.

    Args:
        commands: The commands by name, with a reader for each of their fields.
        text: The message.

    Raises:
        MessageError: If it is none.
    """
    if len(text) > MAX_CHARACTERS:
        raise MessageError(f"A message has at most {MAX_CHARACTERS} characters, but {len(text)} came")
    try:
        message = parsed(text)
    except ValueError as error:
        raise MessageError(f"A message is JSON: {error}") from error
    if not isinstance(message, dict):
        raise MessageError("A message is a JSON object")
    name = message.pop("do", None)
    if not isinstance(name, str) or name not in commands:
        raise MessageError(f"`do` is one of {', '.join(commands)}")
    command, readers = commands[name]
    if set(message) != set(readers):
        raise MessageError(
            f"`{name}` takes {', '.join(readers) or 'nothing'}, but {', '.join(message) or 'nothing'} came"
        )
    return command(**{key: reader(message[key], f"{name}.{key}") for key, reader in readers.items()})


def parsed(text: str | bytes) -> Any:
    """Returns the value of JSON, which can be written as JSON again: numbers are finite.

    Raises:
        ValueError: If it is none, or nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def whole(least: int, most: int) -> Reader:
    """Returns the reader of a whole number."""

    def take(value: object, place: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise MessageError(f"`{place}` is a whole number from {least} to {most}")
        return value

    return take


def _or_none(take: Reader) -> Reader:
    return lambda value, place: None if value is None else take(value, place)


def _speed(value: object, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1000:
        raise MessageError(f"`{place}` is a number from 0 to 1000")
    return float(value)


def _flag(value: object, place: str) -> bool:
    if not isinstance(value, bool):
        raise MessageError(f"`{place}` is true or false")
    return value


def _source(value: object, place: str) -> str:
    if value not in ("you", "random", "policy"):
        raise MessageError(f"`{place}` is you, random or policy")
    return str(value)


def _anything(value: object, place: str) -> Any:
    return value


def _arguments(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MessageError(f"`{place}` is a JSON object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):  # 1e999
        raise ValueError(f"{text} is no finite number")
    return value


_STEP = whole(0, 10**9)
_COMMANDS: Commands = {
    "play": (Play, {}),
    "pause": (Pause, {}),
    "next": (Next, {}),
    "fork": (Fork, {}),
    "seen": (Seen, {}),
    "speed": (Speed, {"value": _speed}),
    "source": (Source, {"value": _source}),
    "loop": (Loop, {"value": _flag}),
    "act": (Act, {"action": _anything}),
    "hold": (Hold, {"action": _anything}),
    "reset": (Reset, {"seed": _or_none(whole(0, 2**32 - 1))}),
    "seek": (Seek, {"step": _STEP}),
    "choose": (Choose, {"branch": _STEP, "step": _or_none(_STEP)}),
    "compare": (Compare, {"branch": _or_none(_STEP)}),
    "episode": (Episode, {"number": _STEP, "compare": _flag}),
    "remake": (Remake, {"arguments": _arguments}),
}
