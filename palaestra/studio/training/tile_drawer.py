"""The tiles of one run, as they come from its program.

While a program steps environments in worker processes, it uses all processors, and while it learns perhaps only one. So
moments that have come wait for a pause between the steps, though not for long. Those that are drawn together are shown
one after the other.
"""

from __future__ import annotations

import ctypes
import gc
import json
import pickle
import shutil
import struct
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from palaestra.studio.training.budget import Budget
from palaestra.studio.training.helper import (
    ASKED,
    NEITHER,
    NOTHING,
    OVER,
    PICTURES,
    SCENES,
    STATES,
    STEPS,
    asking,
    tiles_in,
)
from palaestra.studio.training.painting import WIDEST, Painter, of_scenes, painted, painter
from palaestra.studio.training.tile_sources import FUNCTIONAL

FPS: Final = 20  # at most
_EVERY: Final = 1 / FPS  # s
_SOON: Final = 0.006  # s, after which a program that steps has answered
_POLL: Final = 0.0125  # s, after which it looks again, and less often while the program takes its time
_SHORTLY: Final = 0.001  # s, at least
_GLANCE: Final = 0.05  # s, at most
_PAUSE: Final = 0.01  # s without a step
_WAITS: Final = 0.15  # s, for which a moment waits for a pause of the program
_AHEAD: Final = 0.2  # s, which moments and pictures that wait last, at most
_BEHIND: Final = 0.15  # s, for which pictures that could not be had are made up for
_APART: Final = _EVERY / 4  # s, between moments, at least
KEPT: Final = 10.0  # s that the environments which draw are kept for somebody who looks again
_MISSES: Final = 20  # in a row, after which a way of drawing that has worked is given up
_HEAD: Final = struct.Struct("<I")
_NO_PICTURES: Final = (
    'These environments cannot be drawn from their states. Make them with render_mode="rgb_array" to see them.'
)


class TileDrawer:
    """Asks for tiles, and draws them.

    Args:
        run_id: The run.
        folder: Where its program writes tiles.
        count: The number of tiles.
        kind: The kind of their states; None if there are none.
        made_of: The environment that draws them, pickled.

    Attributes:
        frame: The latest tiles: the length of a JSON object, that object, and a JPEG; None before the first.
        problem: Why there are none, or "".
        is_over: Whether there will be no more.
        wanted: The width at which tiles are shown, pixels.
    """

    def __init__(self, run_id: str, folder: Path, count: int, kind: str | None, made_of: bytes | None) -> None:
        self.frame: bytes | None = None
        self.problem = "" if count else "This run shows no tiles."
        self.is_over, self.wanted = False, WIDEST
        self._run_id, self._folder, self._count = run_id, folder, count
        self._kind, self._made_of = kind, made_of
        self._painter: Painter | None = None
        self._drawn_by: tuple[Painter | None, int] = None, 0
        self._worked, self._missed = NOTHING, 0  # the way of the latest tiles, and how often it gave nothing since
        self._ways = [PICTURES] if kind is None or made_of is None else [PICTURES, STATES]
        if kind != FUNCTIONAL:
            self._ways.append(SCENES)
        self._asked = asking(folder)
        self._waits = NOTHING  # for tiles of this kind
        self._began, self._looked = 0.0, 0.0
        self._due = self._asks_at = 0.0  # when tiles are due, and when they are asked for at the earliest
        self._moments: list[bytes] = []
        self._came = 0.0  # the first of them
        self._steps, self._stepped = 0, 0.0  # as told by the program, and when that was new
        self._frames: deque[bytes] = deque()  # drawn, but not yet shown
        self._shown = 0.0  # when the last one was due
        self._every = _EVERY
        self._budget = Budget()

    def poll(self, now: float) -> bool:
        """Take and draw new tiles, and ask for more at the right time; returns whether any are to be shown."""
        self._looked = now
        if self._ends() or self.problem:
            return False
        pauses, answer = self._pauses(now), self._asked[ASKED]
        if self._waits and answer in (NOTHING, NEITHER):
            waited, self._waits = self._waits, NOTHING
            if waited == self._ways[-1]:  # and has not been given up meanwhile
                self._keep(now) if answer == NOTHING else self._miss()
        if self._moments and (pauses or now >= self._came + _WAITS or self._drawn_by != (self._painter, self.wanted)):
            self._draw_sparingly()
        ahead = (len(self._moments) + len(self._frames)) * self._every
        if not (self._waits or self.problem) and now >= self._asks_at and ahead < _AHEAD:
            self._ask(now)
        return self._show(now) or bool(self.problem)

    def pause(self, now: float) -> float:
        """Returns for how many seconds nothing is to be done here."""
        if self.problem or self.is_over:
            return _GLANCE
        waited = now - self._began
        seconds = max(_SOON, min(waited / 2, _POLL), waited / 10) if self._waits else self._asks_at - now
        if self._moments:
            seconds = min(seconds, _POLL)
        if self._frames:
            seconds = min(max(seconds, _POLL), self._shown + self._distance - now)
        return min(_GLANCE, max(_SHORTLY, seconds))

    def rest(self, now: float) -> bool:
        """Ask for nothing more, as nobody looks; after a while, free what draws. Returns whether it is still needed."""
        if not self._ends() and self._waits and self._asked[ASKED] == self._waits:
            self._asked[ASKED] = NOTHING
        self._waits = NOTHING
        self._moments.clear()
        self._frames.clear()
        if now > self._looked + KEPT:
            self.frame = None
            self._free()
        return not self.is_over or self.frame is not None

    def close(self) -> None:
        """Free all but the latest tiles, for those who look at them, and remove the folder."""
        if not self.is_over:
            self.is_over, self._made_of = True, None
            if self._frames:
                self.frame = self._frames[-1]
            self._free()
            self._asked.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _ends(self) -> bool:
        """Close when the program says that the run is over; returns whether it is."""
        if not self.is_over and self._asked[OVER]:
            self.close()
        return self.is_over

    def _pauses(self, now: float) -> bool:
        """Returns whether the program has not stepped for a while."""
        if self._steps != self._asked[STEPS]:
            self._steps, self._stepped = self._asked[STEPS], now
        return now >= self._stepped + _PAUSE

    def _ask(self, now: float) -> None:
        """Ask for tiles. Those that could not be had while the program did not step are made up for."""
        self._asked[ASKED] = self._waits = self._ways[-1]
        self._began = now
        self._asks_at = self._due = max(now - _BEHIND, self._due) + self._every

    def _keep(self, now: float) -> None:
        """Take new tiles, to be drawn."""
        if not self._moments:
            self._came = now
        self._asks_at = max(self._due, now + _APART)
        with suppress(OSError):
            self._moments.append(tiles_in(self._folder).read_bytes())

    def _show(self, now: float) -> bool:
        """Let the next tiles be seen, if it is time; returns whether there are some."""
        if not self._frames or now < self._shown + self._distance:
            return False
        self.frame = self._frames.popleft()
        self._shown = max(now - _POLL, self._shown + self._distance)
        return True

    @property
    def _distance(self) -> float:
        """Seconds from picture to picture, but no more than those wait that are drawn together."""
        return min(self._every, _WAITS)

    def _draw_sparingly(self) -> None:
        """Draw new tiles, and rest accordingly. The first ones, also of a size, may take longer than others."""
        moments, known = len(self._moments), self._drawn_by
        began, worked = time.monotonic(), time.thread_time()
        self._budget.draws()
        while self._moments:
            self._draw(self._moments.pop(0))
        now, worked = time.monotonic(), time.thread_time() - worked
        self._drawn_by = self._painter, self.wanted
        if known != self._drawn_by:
            self._budget.begin()
        else:
            self._every = max(_EVERY, self._budget.rest(now - began, worked, moments))

    def _draw(self, moment: bytes) -> None:
        try:
            received = pickle.loads(moment)  # of the program that started this process
        except EOFError:
            return
        try:
            frames = received["tiles"] if received["kind"] == PICTURES else self._drawn(**received)
            layout, picture = painted(frames, self.wanted)
        except Exception:  # an environment may raise anything
            self._fall_back()
            return
        head = json.dumps({"run": self._run_id, **layout, **_progress(received)}, allow_nan=False).encode()
        self._frames.append(_HEAD.pack(len(head)) + head + picture)
        self._worked, self._missed = received["kind"], 0

    def _drawn(self, kind: int, tiles: Any, **_: Any) -> Any:
        scenes = kind == SCENES
        if self._painter is None:
            self._painter = of_scenes() if scenes else painter(str(self._kind), self._made_of or b"", self._count)
        tiles = [scene for part in tiles for scene in pickle.loads(part)] if scenes else tiles
        return self._painter.draw(tiles, self.wanted)

    def _free(self) -> None:
        """Free the environments that draw."""
        painter, self._painter, self._drawn_by = self._painter, None, (None, 0)
        if painter is not None:
            with suppress(Exception):  # an environment may raise anything
                painter.close()
            del painter
            gc.collect()  # environments hold themselves in circles
            with suppress(AttributeError, OSError, TypeError):  # only glibc keeps so much, and can give it back
                ctypes.CDLL(None).malloc_trim(0)

    def _miss(self) -> None:
        """Ask again for what has come before, as after a worker was restarted, or ask for the next best."""
        self._missed += 1
        if self._worked != self._ways[-1] or self._missed > _MISSES:
            self._fall_back()

    def _fall_back(self) -> None:
        """Ask for the next best, if there is any."""
        self._moments.clear()
        if len(self._ways) > 1:
            self._ways.pop()
            self._free()
        else:
            self.problem = _NO_PICTURES


def _progress(received: dict[str, Any]) -> dict[str, Any]:
    returns = [float(f"{value:.6g}") if abs(value) < float("inf") else None for value in received["returns"]]
    return {"returns": returns, "lengths": received["lengths"]}
