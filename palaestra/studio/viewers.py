"""The news for a page: always the latest state, never a queue of old ones."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

from palaestra.studio.messages import Seen, read
from palaestra.studio.player_thread import PlayerThread, View

MAX_ROWS: Final = 500  # of steps, in a message
MAX_IN_FLIGHT: Final = 2  # pictures sent, but not yet drawn by the page
STALL: Final = 2.0  # s after which pages are told that the environment does not come back

_HEAD: Final = struct.Struct("<BB")
_KINDS: Final = {b"\xff\xd8": 1, b"\x89P": 2}
_TEXT: Final = 0


class Channel(Protocol):
    """The connection of a page with something that goes on."""

    behind: bool
    """Whether the last news were not all."""

    def enter(self, wake: Callable[[], None]) -> None:
        """Begin to look; `wake` is called, in any thread, when there may be news."""

    def leave(self) -> None:
        """Look no longer."""

    def news(self) -> Iterator[str | bytes]:
        """Yields the news for the page."""

    def receive(self, text: str) -> None:
        """Do a command of the page; raises `MessageError` or `Busy`."""

    def late(self) -> str | None:
        """Returns the message for a page after a while without news."""


class Viewer:
    """A page that looks at a player. Whatever it misses while it is slow is left out.

    Attributes:
        behind: Whether the last news were not all.
    """

    def __init__(self) -> None:
        self._generation = -1
        self._status: dict[str, Any] | None = None
        self._rows: dict[int, int] = {}
        self._pictures: list[bytes | None] = [None, None]
        self._in_flight = 0
        self.behind = False

    def seen(self) -> None:
        """Note that the page has drawn a picture."""
        self._in_flight = max(0, self._in_flight - 1)

    def news(self, view: View) -> Iterator[str | bytes]:
        """Yields the news for this page: texts as JSON, and pictures as bytes."""
        self.behind = False
        if not view.status:
            return  # the environment is being made
        if view.generation != self._generation:
            self._generation = view.generation
            self._rows, self._status, self._pictures = {}, None, [None, None]
            yield message("environment", description=view.description)
        for number in (view.status.get("branch"), view.status.get("compared")):
            yield from self._steps(view, number)
        status = {**view.status, "branches": [_summary(view, number) for number in view.branches]}
        if status != self._status:
            self._status = status
            yield message("status", **status)
        yield from self._new_pictures(view)

    def _steps(self, view: View, number: int | None) -> Iterator[str]:
        branch = None if number is None else view.branches.get(number)
        if branch is None or number is None:
            return
        begin, end = self._rows.get(number, 0), len(branch.steps)
        if begin < end:
            stop = min(end, begin + MAX_ROWS)
            self.behind = self.behind or stop < end
            self._rows[number] = stop
            yield message("steps", branch=number, begin=begin, rows=[step.row for step in branch.steps[begin:stop]])

    def _new_pictures(self, view: View) -> Iterator[bytes]:
        for place, picture in enumerate(view.pictures):
            if picture is None or picture is self._pictures[place]:
                if picture is None:
                    self._pictures[place] = None
                continue
            if self._in_flight >= MAX_IN_FLIGHT:
                self.behind = True
                continue
            self._pictures[place] = picture
            self._in_flight += 1
            yield _HEAD.pack(place, _KINDS.get(picture[:2], _TEXT)) + picture


class PlayerChannel:
    """Connects a page with a player.

    Args:
        player: The player.

    Attributes:
        behind: Whether the last news were not all.
    """

    def __init__(self, player: PlayerThread) -> None:
        self.behind = False
        self._player, self._viewer = player, Viewer()
        self._wake: Callable[[], None] = lambda: None

    def enter(self, wake: Callable[[], None]) -> None:
        """Begin to look."""
        self._wake = wake
        self._player.watch(wake)

    def leave(self) -> None:
        """Look no longer."""
        self._player.unwatch(self._wake)

    def news(self) -> Iterator[str | bytes]:
        """Yields the news for the page."""
        yield from self._viewer.news(self._player.view)
        self.behind = self._viewer.behind

    def receive(self, text: str) -> None:
        """Hand on a command to the player."""
        command = read(text)
        if isinstance(command, Seen):
            self._viewer.seen()
            self._wake()
        else:
            self._player.send(command)

    def late(self) -> str | None:
        """Returns the message that the environment is busy, if it is."""
        return stalled(self._player.stalled) if self._player.stalled > STALL else None


def problem(text: str) -> str:
    """Returns the answer to a message with a mistake."""
    return message("refused", text=text)


def stalled(seconds: float) -> str:
    """Returns the message that the environment has not come back for some seconds."""
    return message("stalled", seconds=round(seconds))


def _summary(view: View, number: int) -> list[Any]:
    """Number, seed, parent, fork, last step, return, flags, episode of a branch, whether it is drawn, its record."""
    branch = view.branches[number]
    last = branch.steps[-1]
    return [
        number,
        branch.seed,
        branch.parent,
        branch.fork,
        branch.last,
        last.row[1],
        last.row[2],
        branch.episode,
        branch.is_drawn,
        branch.record,
    ]


def message(kind: str, **fields: object) -> str:
    """Returns a message of a kind, as JSON."""
    return json.dumps({"kind": kind, **fields}, allow_nan=False, separators=(",", ":"))
