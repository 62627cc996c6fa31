"""When pictures of a watched training are asked for, drawn and shown, by clocks of the tests' own."""

from __future__ import annotations

import json
import pickle
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.studio.training import budget, tile_drawer
from palaestra.studio.training.helper import ASKED, NEITHER, NOTHING, OVER, PICTURES, SCENES, STEPS, asking, tiles_in
from palaestra.studio.training.tile_sources import FUNCTIONAL


class Machine:
    """Clocks of a machine, some processors of which nobody wants but this process."""

    def __init__(self, unused: float, patch: pytest.MonkeyPatch) -> None:
        self._unused = unused
        self.now = self.own = self.idle = 0.0
        patch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: self.now, process_time=lambda: self.own))
        patch.setattr(budget, "_moment", lambda: budget._Moment(self.now, self.idle, self.own))

    def work(self, seconds: float) -> None:
        self.now, self.own = self.now + seconds, self.own + seconds
        self.idle += max(0.0, self._unused - 1.0) * seconds

    def rest(self, seconds: float) -> None:
        self.now, self.idle = self.now + seconds, self.idle + self._unused * seconds


@given(
    st.floats(1e-3, 1.0), st.one_of(st.floats(0.0, 0.7), st.floats(1.2, 8.0)), st.floats(0.0, 5.0), st.integers(1, 4)
)
def test_drawing_takes_little_of_processors_that_others_want(
    work: float, unused: float, loading: float, together: int
) -> None:
    """And a part of what nobody uses, or all of one processor; what is loaded for one picture does not count."""
    with pytest.MonkeyPatch.context() as patch:
        machine = Machine(unused, patch)
        spent = budget.Budget()
        spent.begin()
        rests = []
        for k in range(40):
            took = together * work + (loading if k == 30 else 0.0)
            spent.draws()
            machine.work(took)
            rests.append(spent.rest(took, took, together))
            machine.rest(max(0.05, together * rests[-1]))

    expected = 0.0 if unused > 1 else work / max(budget.SHARE, budget.OF_UNUSED * unused)
    assert rests[20:] == pytest.approx([expected] * 20)


@given(st.floats(1e-3, 1.0), st.floats(0.0, 1.0))
def test_where_the_system_tells_nothing_waiting_for_a_processor_means_that_others_want_it(
    worked: float, waited: float
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "_moment", lambda: None)
        rest = budget.Budget().rest(worked + waited, worked)
    assert rest == pytest.approx(worked * waited / (worked + waited) / budget.SHARE, abs=1e-6)


class Program:
    """Steps and answers as a training does, by a clock of its own.

    Attributes:
        tiles: What draws it.
        now: The time, s.
        shown: When each picture was shown, and when the moment was that it shows.
    """

    def __init__(self, folder: Path) -> None:
        self._asked, self._folder = asking(folder, fresh=True), folder
        self.tiles = tile_drawer.TileDrawer("run", folder, 1, FUNCTIONAL, None)
        self.now, self.shown, self._looks = 100.0, [], 0.0

    def go_on(self, seconds: float, steps: bool = True) -> None:
        """Step, or learn, while somebody looks."""
        end = self.now + seconds
        while self.now < end:
            self.now += 0.001
            if steps:
                self._asked[STEPS] = self._asked[STEPS] + 1 & 255
                if self._asked[ASKED] == PICTURES:
                    self._answer()
            if self.now >= self._looks:
                if self.tiles.poll(self.now):
                    (size,) = struct.unpack_from("<I", self.tiles.frame or b"")
                    self.shown.append((self.now, json.loads((self.tiles.frame or b"")[4 : 4 + size])["returns"][0]))
                self._looks = self.now + self.tiles.pause(self.now)

    def _answer(self) -> None:
        came = {"kind": PICTURES, "tiles": [np.zeros((2, 2, 3), np.uint8)], "returns": [self.now], "lengths": [0]}
        tiles_in(self._folder).write_bytes(pickle.dumps(came))
        self._asked[ASKED] = NOTHING


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """One whose pictures cost nothing."""
    monkeypatch.setattr(budget.Budget, "rest", lambda *arguments: 0.0)
    found = Program(tmp_path)
    yield found
    found.tiles.close()


def test_moments_wait_until_the_program_pauses(program: Program) -> None:
    """And are then shown one by one, none left out. The first is shown at once."""
    program.go_on(0.03)
    [(_, first)] = program.shown
    program.go_on(0.1)
    assert len(program.shown) == 1
    learns = program.now
    program.go_on(0.2, steps=False)

    times, moments = zip(*program.shown[1:], strict=True)
    assert len(moments) > 1
    assert first < moments[0] < moments[-1] <= learns < times[0] < learns + 0.05
    assert list(moments) == sorted(moments)
    assert np.diff(times) == pytest.approx([1 / tile_drawer.FPS] * (len(times) - 1), abs=0.013)


@pytest.mark.parametrize(
    ("steps", "learns"), [(9.0, 0.0), (0.01, 0.01), (0.06, 0.06), (0.06, 0.14), (0.07, 0.06), (0.3, 0.1)]
)
def test_pictures_come_as_often_however_the_time_is_divided(program: Program, steps: float, learns: float) -> None:
    """Twenty times a second, soon after what they show, and at even distances."""
    while program.now < 105.0:
        program.go_on(min(steps, 105.0 - program.now))
        program.go_on(learns, steps=False)

    times, moments = np.transpose([both for both in program.shown if both[0] > 101.0])
    assert len(times) / (program.now - 101.0) == pytest.approx(tile_drawer.FPS, rel=0.05)
    assert np.diff(times).max() < 0.15
    assert np.diff(moments).min() > 0.01
    assert (times - moments).max() < 0.25


def test_tiles_rest_as_the_budget_says(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """But not after the first ones, which may take longer than all others."""
    program.go_on(0.08)
    monkeypatch.setattr(budget.Budget, "rest", lambda *arguments: 100.0)
    program.go_on(1.0)
    before = len(program.shown)
    program.go_on(90.0)

    assert len(program.shown) == before


@pytest.mark.parametrize("rest", [0.1, 0.3, 2.0])
def test_seldom_pictures_are_not_stale(program: Program, monkeypatch: pytest.MonkeyPatch, rest: float) -> None:
    """Even if they came often before, so that some waited to be shown."""
    program.go_on(1.0)
    monkeypatch.setattr(budget.Budget, "rest", lambda *arguments: rest)
    program.go_on(1.0)
    del program.shown[:]
    program.go_on(10.0)

    times, moments = np.transpose(program.shown)
    assert len(times) == pytest.approx(10.0 / rest, rel=0.05, abs=1)
    assert (times - moments).max() < 0.25


def test_a_way_that_is_given_up_takes_no_other_with_it(program: Program) -> None:
    """As when scenes cannot be drawn any more, and more of them are on their way."""
    program.tiles._ways = [PICTURES, SCENES]
    came = {"kind": SCENES, "tiles": [b"none"], "returns": [0.0], "lengths": [0]}
    tiles_in(program._folder).write_bytes(pickle.dumps(came))
    program.tiles._drawn_by = None, program.tiles.wanted  # others have been drawn
    program.go_on(0.05, steps=False)
    assert program._asked[ASKED] == SCENES
    program._asked[ASKED] = NOTHING
    program.go_on(0.1)
    assert program._asked[ASKED] == SCENES  # it asks for more before it draws these
    program.go_on(0.05, steps=False)
    program._asked[ASKED] = NOTHING
    program.go_on(0.3)

    assert not program.tiles.problem
    assert program.shown


def test_of_a_program_that_ends_the_last_picture_is_seen(program: Program) -> None:
    program.go_on(0.13)
    program.go_on(0.03, steps=False)
    waits = program.tiles._frames[-1]
    program._asked[OVER] = True
    program.tiles.poll(program.now)

    assert program.tiles.frame is waits


@pytest.mark.parametrize("has_worked", [True, False])
def test_drawing_that_has_worked_is_not_given_up_at_once(tmp_path: Path, has_worked: bool) -> None:
    """As after a worker was restarted, whose environments have not begun. One that gives nothing at first is."""
    asking(tmp_path, fresh=True)
    tiles = tile_drawer.TileDrawer("run", tmp_path, 1, None, None)
    tiles._ways = [PICTURES]

    def answer(what: int) -> None:
        tiles._asks_at = 0.0
        tiles.poll(time.monotonic())
        tiles._asked[ASKED] = what
        tiles.poll(time.monotonic())

    for _ in range(2 * has_worked):
        came = {"kind": PICTURES, "tiles": [np.zeros((2, 2, 3), np.uint8)], "returns": [0.0], "lengths": [0]}
        tiles_in(tmp_path).write_bytes(pickle.dumps(came))
        answer(NOTHING)
        for _ in range(tile_drawer._MISSES):
            answer(NEITHER)
            assert not tiles.problem
    answer(NEITHER)
    assert tiles.problem
    tiles.close()
