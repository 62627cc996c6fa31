"""Runs and tiles, kept up to date while somebody looks, and the messages about them to a page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from palaestra.studio.messages import Commands, MessageError, Seen, read_as, whole
from palaestra.studio.training.painting import WIDEST
from palaestra.studio.training.run import ABOUT
from palaestra.studio.training.runs import MOST_RUNS, Runs
from palaestra.studio.training.tile_drawer import KEPT, TileDrawer
from palaestra.studio.viewers import MAX_IN_FLIGHT, MAX_ROWS, message

_REFRESH: Final = 0.5  # s
_GLANCE: Final = 0.05  # s, until a page that asks for tiles is heard
_MOST_SHOWN: Final = 16  # runs at once
_LONGEST_ID: Final = 200
_WIDEST: Final = 2**16  # pixels of a screen


class Show(NamedTuple):
    """Send the records of these runs."""

    runs: list[str]


class Look(NamedTuple):
    """Send the tiles of this run; None for none."""

    run: str | None


class Width(NamedTuple):
    """The page shows tiles so wide, in pixels of its screen."""

    value: int


def _runs(value: Any, place: str) -> list[str]:
    if not isinstance(value, list) or len(value) > _MOST_SHOWN:
        raise MessageError(f"`{place}` is a list of {_MOST_SHOWN} runs at most")
    return [_run(one, place) for one in value]


def _run(value: Any, place: str) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_ID:
        raise MessageError(f"`{place}` is the name of a run")
    return value


_COMMANDS: Final[Commands] = {
    "show": (Show, {"runs": _runs}),
    "look": (Look, {"run": lambda value, place: None if value is None else _run(value, place)}),
    "width": (Width, {"value": whole(1, _WIDEST)}),
    "seen": (Seen, {}),
}


class Dashboard:
    """The runs of a folder, and the tiles of those whose programs run.

    Args:
        folder: The folder.

    Attributes:
        runs: The runs.
        drawers: What draws the tiles, by run.
        looked_at: When somebody last looked, by `time.monotonic`; None for never.
        reads: How often the folder has been read.
    """

    def __init__(self, folder: Path) -> None:
        self.runs = Runs(folder)
        self.drawers: dict[str, TileDrawer] = {}
        self.looked_at: float | None = None
        self.reads = 0
        self._pages: list[Page] = []
        self._wake = threading.Condition()
        self._closed = False
        loops = (self._read, self._draw)  # apart, since drawing may take long
        self._threads = [threading.Thread(target=loop, name="studio dashboard", daemon=True) for loop in loops]
        for thread in self._threads:
            thread.start()

    def contents(self) -> dict[str, Any]:
        """Returns the name of the folder and the number of its runs, as JSON."""
        return {"folder": self.runs.folder.name, "count": sum(1 for _ in self.runs.folder.glob(f"*/{ABOUT}"))}

    def follow(self, run_id: str, drawer: TileDrawer) -> None:
        """Have a run's tiles."""
        self.drawers[run_id] = drawer

    def enter(self, page: Page) -> None:
        """Let somebody look."""
        with self._wake:
            self._pages.append(page)
            self._wake.notify_all()

    def leave(self, page: Page) -> None:
        """Let somebody go."""
        with self._wake, suppress(ValueError):
            self._pages.remove(page)
            self.looked_at = time.monotonic()
            self._wake.notify_all()

    @property
    def is_watched(self) -> bool:
        """Whether anybody looks."""
        return bool(self._pages)

    def close(self) -> None:
        """End."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        for thread in self._threads:
            thread.join(5.0)
        for drawer in self.drawers.values():
            drawer.close()

    def _read(self) -> None:
        """Read runs every now and then, while somebody looks."""
        while self._wait(_REFRESH):
            self.runs.refresh()
            self.reads += 1
            self._notify()

    def _draw(self) -> None:
        """Ask for tiles and draw them, while somebody looks at them; free what nobody will look at again."""
        pause = _GLANCE
        while self._wait(pause, KEPT):
            pages = list(self._pages)
            looked = {page.looks_at for page in pages} - {None}
            news, pause = False, _GLANCE
            for run_id, drawer in list(self.drawers.items()):
                if run_id not in looked:
                    if not drawer.rest(time.monotonic()):
                        del self.drawers[run_id]
                    continue
                drawer.wanted = max((page.width for page in pages if page.looks_at == run_id), default=drawer.wanted)
                news = _polled(drawer) or news
                pause = min(pause, drawer.pause(time.monotonic()))
            if news:
                self._notify()

    def _wait(self, seconds: float, most: float | None = None) -> bool:
        """Wait for some seconds if there are pages, or else until there are some, or for `most` seconds.

        Returns:
            False at the end.
        """
        if self._pages and seconds <= _GLANCE:  # so shortly that it may sleep through all, which takes less time
            time.sleep(seconds)
            return not self._closed
        with self._wake:
            if not self._pages:
                self._wake.wait_for(lambda: self._pages or self._closed, most)
            elif not self._closed:
                self._wake.wait_for(lambda: self._closed or not self._pages, seconds)
            return not self._closed

    def _notify(self) -> None:
        for page in list(self._pages):
            page.wake()


def _polled(drawer: TileDrawer) -> bool:
    """Returns whether there is anything new, be it a mistake."""
    try:
        return drawer.poll(time.monotonic())
    except Exception as error:  # whatever it is, the page says so, and curves go on
        drawer.problem = f"{type(error).__name__}: {error}"[:_LONGEST_ID]
        return True


class Page:
    """A page that shows trainings: what it has, and its next messages. Old ones are left out.

    Args:
        dashboard: The runs.

    Attributes:
        behind: Whether the last news were not all.
        looks_at: The run whose tiles it shows, or None.
        width: How wide it shows them, pixels.
    """

    def __init__(self, dashboard: Dashboard) -> None:
        self.behind = False
        self.looks_at: str | None = None
        self.width = WIDEST
        self._dashboard = dashboard
        self._wake: Callable[[], None] = lambda: None
        self._shown: list[str] = []
        self._summaries: dict[str, Any] = {}
        self._known: dict[str, int] = {}
        self._read = 0  # of the folder, as it was when this page heard of it
        self._frame: bytes | None = None
        self._problem = ""
        self._in_flight = 0

    def enter(self, wake: Callable[[], None]) -> None:
        """Begin to look; `wake` is called when there may be news."""
        self._wake = wake
        self._dashboard.enter(self)

    def leave(self) -> None:
        """Look no longer."""
        self._dashboard.leave(self)

    def wake(self) -> None:
        """Say that there may be news."""
        self._wake()

    def late(self) -> None:
        """Returns nothing: delays here are not the studio's."""

    def receive(self, text: str) -> None:
        """Do a command of the page.

        Raises:
            MessageError: If it is no command.
        """
        match read_as(_COMMANDS, text):
            case Show(runs):
                self._shown = runs
                self._known = {run: count for run, count in self._known.items() if run in runs}
                self._read = 0
            case Look(run):
                if run != self.looks_at:
                    self.looks_at, self._frame, self._problem = run, None, ""
            case Width(value):
                self.width = value
            case Seen():
                waits = self._in_flight >= MAX_IN_FLIGHT
                self._in_flight = max(0, self._in_flight - 1)
                if not waits:  # for anything that it has not been told
                    return
        self._wake()

    def news(self) -> Iterator[str | bytes]:
        """Yields the news for this page."""
        behind, self.behind = self.behind, False
        reads = self._dashboard.reads
        if not reads:
            return
        if behind or reads != self._read:
            self._read = reads
            yield from self._new_summaries()
            for run_id in self._shown:
                yield from self._new_records(run_id)
        yield from self._new_tiles()

    def _new_summaries(self) -> Iterator[str]:
        changed = [one for one in self._dashboard.runs.listed() if self._summaries.get(one["id"]) != one]
        if changed or not self._summaries:
            self._summaries.update((one["id"], one) for one in changed)
            self._summaries.setdefault("", None)  # told that there are none
            yield message("runs", changed=changed[:MOST_RUNS], folder=self._dashboard.runs.folder.name)

    def _new_records(self, run_id: str) -> Iterator[str]:
        run = self._dashboard.runs.find(run_id)
        begin, end = self._known.get(run_id, 0), 0 if run is None else len(run.records)
        if run is not None and begin < end:
            stop = min(end, begin + MAX_ROWS)
            self.behind = self.behind or stop < end
            self._known[run_id] = stop
            yield message("records", run=run_id, begin=begin, records=run.read_again(begin, stop))

    def _new_tiles(self) -> Iterator[str | bytes]:
        drawer = None if self.looks_at is None else self._dashboard.drawers.get(self.looks_at)
        if drawer is None:
            return
        if drawer.problem != self._problem:
            self._problem = drawer.problem
            yield message("tiles", run=self.looks_at, problem=drawer.problem)
        if drawer.frame is not None and drawer.frame is not self._frame:
            if self._in_flight >= MAX_IN_FLIGHT:
                return  # `seen` wakes it
            self._frame = drawer.frame
            self._in_flight += 1
            yield drawer.frame
