"""The thread in which an environment runs, so that no page waits for a slow step.

Commands come in by `send`. Pages get a `View`; only the latest counts.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from palaestra.studio.making import Origin
from palaestra.studio.messages import Command, Hold, Seek, Speed
from palaestra.studio.pictures import drawn
from palaestra.studio.player import Player
from palaestra.studio.saving import SAVERS, Saved, code
from palaestra.studio.session import Branch, StudioError

_MOST_WAITING: Final = 256  # commands
_FRAME: Final = 1 / 30  # s between pictures while it plays
_CLOSING: Final = 5.0  # s to wait for the environment's last step
_BY_SEED: Final = ("code", "replay")  # what repeats an episode from its seed
_LATEST_COUNTS: Final = (Hold, Seek, Speed)

Policy = Callable[[Any], Any]


class Save(NamedTuple):
    """A file that somebody waits for."""

    kind: str
    file: Future[Saved]


Task = Command | Save


class Busy(Exception):
    """The environment does not keep up with the commands."""


@dataclass(frozen=True)
class View:
    """The latest picture and values.

    Attributes:
        generation: Counts the environments that were made; branches belong to one of them.
        description: The description of the environment; None if it could not be made.
        status: The state of playing, as JSON.
        branches: The branches by their numbers, with their steps so far.
        pictures: The picture looked at, and the one to compare it with.
    """

    generation: int = 0
    description: dict[str, Any] | None = None
    status: dict[str, Any] = field(default_factory=dict)
    branches: dict[int, Branch] = field(default_factory=dict)
    pictures: tuple[bytes | None, bytes | None] = (None, None)


class PlayerThread:
    """Plays an environment in a thread.

    Args:
        origin: Where the environment comes from.
        seed: The seed of the first episode.
        policy: A function from observation to action, or None.
        policy_name: Its name for the page.

    Attributes:
        view: The latest view.
    """

    def __init__(self, origin: Origin, seed: int = 0, policy: Policy | None = None, policy_name: str = "") -> None:
        self.view = View()
        self._player = Player(origin, seed, policy, policy_name)
        self._tasks: deque[Task] = deque()
        self._wake = threading.Condition()
        self._watchers: list[Callable[[], None]] = []
        self._closed = False
        self._working_since: float | None = None
        self._drawn_at = 0.0
        self._thread = threading.Thread(target=self._run, name="studio", daemon=True)
        self._thread.start()

    def send(self, command: Command) -> None:
        """Hand in a command, without waiting.

        Raises:
            Busy: If too many are waiting.
        """
        with self._wake:
            if self._tasks and type(self._tasks[-1]) is type(command) and isinstance(command, _LATEST_COUNTS):
                self._tasks[-1] = command
            elif len(self._tasks) >= _MOST_WAITING:
                raise Busy("The environment is busy: the command was dropped")
            else:
                self._tasks.append(command)
            self._wake.notify()

    def save(self, kind: str) -> Future[Saved]:
        """Returns the file to come: `"mp4"`, `"gif"`, `"replay"`, `"snapshot"` or `"code"`, of the step looked at.

        Raises:
            Busy: If too many tasks are waiting.
        """
        task = Save(kind, Future())
        with self._wake:
            if len(self._tasks) >= _MOST_WAITING:
                raise Busy("The environment is busy: try again later")
            self._tasks.append(task)
            self._wake.notify()
        return task.file

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call `watcher` in the thread after each change, until `unwatch`."""
        with self._wake:
            self._watchers.append(watcher)

    def unwatch(self, watcher: Callable[[], None]) -> None:
        """Stop calling it; nothing plays while nobody watches."""
        with self._wake:
            self._watchers.remove(watcher)
            if not self._watchers:
                self._player.playing = False

    @property
    def is_watched(self) -> bool:
        """Whether anybody watches."""
        return bool(self._watchers)

    @property
    def stalled(self) -> float:
        """The seconds for which the environment has not come back from its latest task."""
        since = self._working_since
        return 0.0 if since is None else time.monotonic() - since

    def close(self) -> None:
        """End the thread after the present step, and close the environment."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join(_CLOSING)

    def _run(self) -> None:
        self._working_since = time.monotonic()
        self._guarded(self._player.remake)
        self._show(hurry=False)
        self._working_since = None
        due = time.monotonic()
        while not self._closed:
            task = self._next_task(due)
            if task is None and not self._player.playing:
                continue
            self._working_since = time.monotonic()
            if task is None:
                due = max(due + self._player.interval, self._working_since - self._player.interval)
                self._guarded(self._player.tick)
                self._show(hurry=self._player.playing)
            else:
                was_playing = self._player.playing
                self._do(task)
                if self._player.playing and not was_playing:
                    due = time.monotonic()
            self._working_since = None
        with suppress(Exception):  # nobody is left to tell
            self._player.close()

    def _next_task(self, due: float) -> Task | None:
        with self._wake:
            if not self._tasks and not self._closed:
                wait = max(0.0, due - time.monotonic()) if self._player.playing else None
                if wait is None or wait > 0:
                    self._wake.wait(wait)
            return self._tasks.popleft() if self._tasks else None

    def _do(self, task: Task) -> None:
        if isinstance(task, Save):
            if task.file.set_running_or_notify_cancel():
                try:
                    task.file.set_result(self._saved(task.kind))
                except Exception as error:  # of the environment
                    task.file.set_exception(error)
            return
        command = task
        self._guarded(lambda: self._player.do(command))
        self._show(hurry=self._player.playing)

    def _saved(self, kind: str) -> Saved:
        session = self._player.session
        if session is None:
            raise StudioError("There is no environment to save anything of")
        seeded = self._player.begins_with_seed() and session.branch.begin is None and session.branch.is_drawn
        if kind in _BY_SEED and not seeded:
            raise StudioError("This episode did not begin with a seed alone, so save a snapshot of the step instead")
        constants = self._player.constants
        if kind == "replay" and constants:
            raise StudioError(f"A replay cannot hold changed constants ({', '.join(constants)}): copy the code instead")
        return code(session, self._player.kwargs(), constants) if kind == "code" else SAVERS[kind](session)

    def _guarded(self, act: Callable[[], None]) -> None:
        """Do something with the environment; exceptions are shown."""
        try:
            act()
        except StudioError as error:
            self._player.refuse(error)
        except Exception as error:  # environments and policies raise what they like
            self._player.fail(error)

    def _show(self, hurry: bool) -> None:
        """Publish a view; while it plays, pictures are drawn only as often as they can be seen."""
        now = time.monotonic()
        pictures = self.view.pictures
        if not hurry or now - self._drawn_at >= _FRAME:
            self._drawn_at = now
            pictures = self._pictures()
        player, session = self._player, self._player.session
        branches = {} if session is None else dict(session.branches)
        self.view = View(player.generation, player.description, player.status(), branches, pictures)
        for watcher in list(self._watchers):
            watcher()

    def _pictures(self) -> tuple[bytes | None, bytes | None]:
        found: list[bytes | None] = [None, None]

        def draw() -> None:
            session, other = self._player.session, self._player.compared
            if session is None:
                return
            if other is not None:
                found[1] = session.picture(other, min(session.cursor, other.last), drawn)
            found[0] = session.picture(session.branch, session.cursor, drawn)

        self._guarded(draw)
        return found[0], found[1]
