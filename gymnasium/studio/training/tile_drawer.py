"""The tiles of one run, as they come from its program."""

from __future__ import annotations

import ctypes
import gc
import json
import pickle
import shutil
import struct
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from gymnasium.studio.training.budget import Budget
from gymnasium.studio.training.helper import NEITHER, NOTHING, PICTURES, SCENES, STATES, asking, tiles_in
from gymnasium.studio.training.painting import WIDEST, Painter, of_scenes, painted, painter
from gymnasium.studio.training.tile_sources import FUNCTIONAL

FPS: Final = 20  # at most
_POLL: Final = 0.005  # s, after which it looks again, and less often while the program takes its time
_GLANCE: Final = 0.05  # s, at most
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
        self._waits, self._began, self._due, self._looked = False, 0.0, 0.0, 0.0
        self._budget = Budget()

    def poll(self, now: float) -> bool:
        """Take new tiles, and ask for more at the right time; returns whether there is anything new."""
        self._looked = now
        if self._ends() or self.problem:
            return False
        news, answer = False, self._asked[0]
        if self._waits and answer in (NOTHING, NEITHER):
            self._waits = False
            news = self._take_sparingly() if answer == NOTHING else self._miss()
        if not self._waits and not self.problem and now >= self._due:
            self._asked[0] = self._ways[-1]
            self._waits, self._began, self._due = True, now, max(now, self._due + 1 / FPS)
        return news

    def pause(self, now: float) -> float:
        """Returns for how many seconds nothing is to be done here."""
        if self.problem or self.is_over:
            return _GLANCE
        return min(_GLANCE, max(_POLL, (now - self._began) / 10 if self._waits else self._due - now))

    def rest(self, now: float) -> bool:
        """Ask for nothing more, as nobody looks; after a while, free what draws. Returns whether it is still needed."""
        if not self._ends() and self._waits and self._asked[0] == self._ways[-1]:
            self._asked[0] = NOTHING
        self._waits = False
        if now > self._looked + KEPT:
            self.frame = None
            self._free()
        return not self.is_over or self.frame is not None

    def close(self) -> None:
        """Free all but the latest tiles, for those who look at them, and remove the folder."""
        if not self.is_over:
            self.is_over, self._made_of = True, None
            self._free()
            self._asked.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _ends(self) -> bool:
        """Close when the program says that the run is over; returns whether it is."""
        if not self.is_over and self._asked[1]:
            self.close()
        return self.is_over

    def _take_sparingly(self) -> bool:
        """Take new tiles, and rest accordingly. The first ones, also of a size, may take longer than others."""
        known = self.frame is not None and self._drawn_by
        began, worked = time.monotonic(), time.thread_time()
        self._budget.draws()
        news = self._take()
        now, worked = time.monotonic(), time.thread_time() - worked
        self._drawn_by = self._painter, self.wanted
        if known != self._drawn_by:
            self._budget.begin()
        else:
            self._due = max(self._due, now + self._budget.rest(now - began, worked))
        return news

    def _take(self) -> bool:
        try:
            received = pickle.loads(tiles_in(self._folder).read_bytes())  # of the program that started this process
        except (OSError, EOFError):
            return False
        try:
            frames = received["tiles"] if received["kind"] == PICTURES else self._drawn(**received)
            layout, picture = painted(frames, self.wanted)
        except Exception:  # an environment may raise anything
            return self._fall_back()
        head = json.dumps({"run": self._run_id, **layout, **_progress(received)}, allow_nan=False).encode()
        self.frame = _HEAD.pack(len(head)) + head + picture
        self._worked, self._missed = received["kind"], 0
        return True

    def _drawn(self, kind: int, tiles: Any, **_: Any) -> Any:
        scenes = kind == SCENES
        if self._painter is None:
            self._painter = of_scenes() if scenes else painter(str(self._kind), self._made_of or b"", self._count)
        tiles = [scene for part in tiles for scene in pickle.loads(part)] if scenes else tiles
        return self._painter.draw(tiles, self.wanted)

    def _free(self) -> None:
        """Free the environments that draw."""
        painter, self._painter = self._painter, None
        if painter is not None:
            with suppress(Exception):  # an environment may raise anything
                painter.close()
            del painter
            gc.collect()  # environments hold themselves in circles
            with suppress(AttributeError, OSError, TypeError):  # only glibc keeps so much, and can give it back
                ctypes.CDLL(None).malloc_trim(0)

    def _miss(self) -> bool:
        """Ask again for what has come before, as after a worker was restarted, or ask for the next best."""
        self._missed += 1
        if self._worked == self._ways[-1] and self._missed <= _MISSES:
            return False
        return self._fall_back()

    def _fall_back(self) -> bool:
        """Ask for the next best, if there is any."""
        if len(self._ways) > 1:
            self._ways.pop()
            self._free()
            return False
        self.problem = _NO_PICTURES
        return True


def _progress(received: dict[str, Any]) -> dict[str, Any]:
    returns = [float(f"{value:.6g}") if abs(value) < float("inf") else None for value in received["returns"]]
    return {"returns": returns, "lengths": received["lengths"]}
