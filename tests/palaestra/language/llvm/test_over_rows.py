"""Functions over rows: what all rows share is done before the first one, unless it could do harm."""

from __future__ import annotations

import numpy as np
import pytest

from palaestra.language.llvm.engine import caller, compiled
from palaestra.language.program import ADDRESS, BOOL, FIXED, FLOAT64, INT64, Label
from tests.palaestra.language.llvm.building import Building, run_compiled

LANES = pytest.mark.parametrize("lanes", [False, True])


@LANES
def test_what_rows_share_is_written_once(lanes: bool) -> None:
    building = Building("x", "shared")
    shared = building.value("load", np.dtype(FLOAT64), building.columns[1], attribute=FIXED)
    root = building.value("sqrt", FLOAT64, shared)
    place = building.place(0, 8)
    building.store(place, building.value("add", FLOAT64, building.load(FLOAT64, place), root))
    program, x = building.program(), np.arange(16.0)
    assert run_compiled(program, x, np.array([2.25]), 0, 16, lanes=lanes) == 0
    assert x.tolist() == [k + 1.5 for k in range(16)]
    before, _, of_row = compiled(program, lanes=lanes).text.partition("\nrow:\n")
    assert before.count("@llvm.sqrt.f64(double %") == 1 and "sqrt" not in of_row


@LANES
def test_no_row_divides_where_none_would(lanes: bool) -> None:
    """The divisor is the same for all rows, and zero; integers divided by it end the process."""
    building = Building("x", "shared")
    divisor = building.value("load", INT64, building.columns[1], attribute=FIXED)
    whole = building.value("load", INT64, building.value("offset", ADDRESS, building.columns[1], building.number(8)))
    with building.when(building.value("ne", BOOL, divisor, building.number(0))):
        building.store(building.place(0, 8), building.value("div", INT64, whole, divisor))
    program = building.program()
    for words, expected in (([0, 12], 5), ([4, 12], 3)):
        x = np.full(8, 5)
        run_compiled(program, x, np.array(words), 0, 8, lanes=lanes)
        assert x.tolist() == [expected] * 8


def test_an_address_that_only_some_rows_read_is_not_read_before() -> None:
    building = Building("x")
    with building.when(building.load(BOOL, building.place(0, 1))):
        nowhere = building.value("address", ADDRESS, building.number(8))
        word = building.value("load", INT64, nowhere, attribute=FIXED)
        building.store(building.place(0, 1), building.value("convert", BOOL, word))
    assert run_compiled(building.program(), np.zeros(8, bool), 0, 8) == 0


def test_the_memory_of_a_row_is_the_next_one_s() -> None:
    building = Building("x")
    room = building.value("room_each", ADDRESS, attribute=1 << 16)
    building.store(room, building.row)
    building.set(building.result, building.value("load", INT64, room))
    machine = compiled(building.program())
    assert machine.rows is not None
    assert caller(machine.rows, 3)(0, 0, 100_000) == sum(range(100_000))


def test_a_row_that_never_ends_is_compiled() -> None:
    building = Building("x")
    with building.loop(Label("endless")):
        building.store(building.place(0, 8), building.row)
    machine = compiled(building.program())
    assert machine.rows is not None
    assert caller(machine.rows, 3)(0, 5, 5) == 0
