"""Eight rows at a time, where lanes disagree: what is kept for lanes that are not there, and what is refused."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from palaestra.language.llvm.engine import compiled
from palaestra.language.llvm.lanes import NotInLanes
from palaestra.language.llvm.symbols import C_LIBRARY
from palaestra.language.program import ADDRESS, BOOL, FLOAT64, INT64, Label, Program, Slot, Value
from tests.palaestra.language.llvm.building import Building, assert_same, run_compiled
from tests.palaestra.language.llvm.reference import run_rows


def _assert_like_reference(program: Program, *columns: np.ndarray[Any, Any]) -> None:
    """In lanes and in rows, a program does what the reference does."""
    expected = [one.copy() for one in columns]
    result = run_rows(program, *(one.ctypes.data for one in expected), 0, len(columns[0]))
    for lanes in (False, True):
        found = [one.copy() for one in columns]
        assert run_compiled(program, *found, 0, len(columns[0]), lanes=lanes) == result
        for one, right in zip(found, expected, strict=True):
            assert_same(one, right)


def _counted(building: Building) -> tuple[Label, Slot, Any]:
    """A label, the slot of its count, and a loop that has yet to be left."""
    counter = Slot(INT64, "count")
    building.set(counter, building.number(0))
    label = Label("loop")
    return label, counter, building.loop(label)


def _leave_after(building: Building, label: Label, counter: Slot, rounds: Value) -> Value:
    count = building.get(counter)
    with building.when(building.value("ge", BOOL, count, rounds)):
        building.leave(label)
    building.set(counter, building.value("add", INT64, count, building.number(1)))
    return count


def test_a_lane_that_left_a_loop_keeps_what_it_had() -> None:
    building, last = Building("rounds", "result"), Slot(INT64, "last")
    rounds = building.load(INT64, building.place(0, 8))
    building.set(last, building.number(-1))
    label, counter, loop = _counted(building)
    with loop:
        building.set(last, building.get(counter))
        _leave_after(building, label, counter, rounds)
    building.store(building.place(1, 8), building.get(last))
    building.set(building.result, building.get(last))
    _assert_like_reference(building.program(), np.arange(16) % 7, np.zeros(16, int))


def test_a_slot_of_a_region_outlasts_rounds_without_it() -> None:
    """Set at the first time of each lane, counted up in others, in a region that lanes enter in different rounds."""
    building, total, seen = Building("bits", "result"), Slot(INT64, "total"), Slot(BOOL, "seen")
    bits = building.load(INT64, building.place(0, 8))
    building.set(seen, building.number(False, BOOL))
    label, counter, loop = _counted(building)
    with loop:
        count = _leave_after(building, label, counter, building.number(6))
        bit = building.value("and", INT64, building.value("shr", INT64, bits, count), building.number(1))
        with building.when(building.value("ne", BOOL, bit, building.number(0))):
            with building.when(building.value("not", BOOL, building.get(seen))):
                building.set(total, building.number(100))
                building.set(seen, building.number(True, BOOL))
            building.set(total, building.value("add", INT64, building.get(total), building.number(1)))
            building.store(building.place(1, 8), building.get(total))
    _assert_like_reference(building.program(), np.arange(64), np.zeros(64, int))


def test_a_slot_first_set_in_a_loop_is_kept_in_later_rounds() -> None:
    building, held, total = Building("bits", "result"), Slot(INT64, "held"), Slot(INT64, "total")
    bits = building.load(INT64, building.place(0, 8))
    building.set(total, building.number(0))
    label, counter, loop = _counted(building)
    with loop:
        count = _leave_after(building, label, counter, building.number(6))
        bit = building.value("and", INT64, building.value("shr", INT64, bits, count), building.number(1))
        first = building.value("eq", BOOL, count, building.number(0))
        is_set = building.value("ne", BOOL, bit, building.number(0))
        with building.when(building.value("or", BOOL, first, is_set)):
            building.set(held, count)
        building.set(total, building.value("add", INT64, building.get(total), building.get(held)))
    building.store(building.place(1, 8), building.get(total))
    _assert_like_reference(building.program(), np.arange(64), np.zeros(64, int))


def test_a_loop_ends_when_every_lane_has_left_another_one() -> None:
    """The inner loop has no end of its own: lanes leave the outer block from it."""
    building, outer, inner = Building("rounds", "result"), Label("outer"), Label("inner")
    rounds, counter = building.load(INT64, building.place(0, 8)), Slot(INT64, "counter")
    building.set(counter, building.number(0))
    with building.block(outer), building.loop(inner):
        _leave_after(building, outer, counter, rounds)
    building.store(building.place(1, 8), building.get(counter))
    _assert_like_reference(building.program(), np.arange(32) * 5 % 11, np.zeros(32, int))


def test_what_no_lane_wants_is_not_done() -> None:
    """A division by what is zero for all, and a load from nowhere, where no lane is."""
    building, label = Building("x", "result"), Label("out")
    x = building.load(INT64, building.place(0, 8))
    with building.block(label):
        with building.when(building.value("eq", BOOL, x, building.number(0))):
            building.leave(label)
        quotient = building.value("div", INT64, building.number(100), x)
        nowhere = building.value("address", ADDRESS, x)
        with building.when(building.value("gt", BOOL, quotient, building.number(1000))):
            building.store(nowhere, building.load(INT64, nowhere))
        building.store(building.place(1, 8), quotient)
    _assert_like_reference(building.program(), np.arange(-8, 8) * (np.arange(16) > 8), np.zeros(16, int))


def test_items_through_addresses_that_lanes_choose() -> None:
    """Addresses in slots, chosen, as words; a room in items of two sizes; a copy; a new room in each round."""
    building, at = Building("which", "a", "b", "result"), Slot(ADDRESS, "at")
    which = building.load(INT64, building.place(0, 8))
    odd = building.value("ne", BOOL, building.value("and", INT64, which, building.number(1)), building.number(0))
    building.set(at, building.place(1, 16))
    with building.when(odd):
        building.set(at, building.place(2, 16))
    word = building.value("word", INT64, building.get(at))
    moved = building.value("address", ADDRESS, building.value("add", INT64, word, building.number(8)))
    room = building.value("room", ADDRESS, attribute=24)
    building.value("copy", None, room, building.get(at), building.number(8))
    second = building.value("offset", ADDRESS, room, building.number(8))
    building.store(second, building.load(FLOAT64, moved))
    building.store(building.value("offset", ADDRESS, room, building.number(16)), building.number(7, "uint8"))
    total = Slot(FLOAT64, "total")
    building.set(total, building.load(FLOAT64, second))
    label, counter, loop = _counted(building)
    with loop:
        count = _leave_after(building, label, counter, which)
        new = building.value("room_each", ADDRESS, attribute=8)
        building.store(new, building.value("convert", FLOAT64, count))
        given = [room, new, new, *[building.number(8)] * 3, building.number(1)]
        building.value("loop", None, *given, attribute="add:dd->d")
        building.set(total, building.value("add", FLOAT64, building.get(total), building.load(FLOAT64, new)))
    chosen = building.value("select", ADDRESS, odd, building.place(3, 8), building.get(at))
    building.value("prefetch", None, chosen)
    same = building.value("eq", BOOL, chosen, building.get(at))
    building.set(building.result, building.value("convert", INT64, same))
    building.store(chosen, building.get(total))
    rng = np.random.default_rng(0)
    _assert_like_reference(
        building.program(), np.arange(16) * 3 % 5, rng.random((16, 2)), rng.random((16, 2)), np.zeros(16)
    )


@pytest.mark.parametrize("symbol", ["sin", "cos", "pow"])
def test_functions_have_the_bits_of_the_library(symbol: str) -> None:
    rng = np.random.default_rng(1)
    drawn = rng.normal(size=20_000) * 10.0 ** rng.integers(-12, 12, 20_000)
    x = np.concatenate([drawn, np.arange(-400, 400) * np.pi / 8])
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -2.2e-308, 1e308, 1e5, 2.0**-27, 1e-3, 1e3, 1.5]
    x = np.concatenate([x, special, np.zeros(-(len(x) + len(special)) % 8)])
    building = Building("x", "result")
    two = [2.0] if symbol == "pow" else []
    given = [building.load(FLOAT64, building.place(0, 8)), *(building.number(one, FLOAT64) for one in two)]
    building.store(building.place(1, 8), building.value("call", FLOAT64, *given, attribute=symbol))

    function = getattr(C_LIBRARY, symbol)
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * len(given)
    expected = np.array([function(one, *two) for one in x.tolist()])
    for lanes in (False, True):
        found = np.zeros(len(x))
        run_compiled(building.program(), x, found, 0, len(x), lanes=lanes)
        assert_same(found, expected)


def test_what_is_refused() -> None:
    with pytest.raises(NotInLanes, match="has no row"):
        compiled(Program("p", [], [], Slot(INT64, "result")), lanes=True)
    building = Building("x")
    building.store(building.columns[0], building.row)
    with pytest.raises(NotInLanes, match="store writes to one place for all rows"):
        compiled(building.program(), lanes=True)
    building = Building("x")
    building.value("add_shared", INT64, building.columns[0], building.row)
    with pytest.raises(NotInLanes, match="add_shared happens in the order of rows"):
        compiled(building.program(), lanes=True)


def test_what_is_never_reached_is_not_refused() -> None:
    building, label = Building("x"), Label("out")
    with building.block(label):
        building.leave(label)
        building.store(building.columns[0], building.row)
    building.set(building.result, building.number(1))
    assert run_compiled(building.program(), np.zeros(8), 0, 5, lanes=True) == 5


def test_only_rows_below_the_last_count() -> None:
    building = Building("x")
    building.set(building.result, building.value("add", INT64, building.row, building.number(1)))
    for high in (0, 1, 7, 8, 9, 16):
        assert run_compiled(building.program(), np.zeros(16), 0, high, lanes=True) == sum(range(high + 1))
