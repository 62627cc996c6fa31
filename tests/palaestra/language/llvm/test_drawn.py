"""Programs drawn at random, run by the reference, one row at a time, and eight rows at a time."""

from __future__ import annotations

import pytest

from tests.palaestra.language.llvm.building import assert_same, run_compiled
from tests.palaestra.language.llvm.drawing import drawn_columns, drawn_program
from tests.palaestra.language.llvm.reference import run_rows

_ROWS, _COUNTED = 24, 21


@pytest.mark.parametrize("seed", range(60))
def test_drawn_program(seed: int) -> None:
    program = drawn_program(seed)
    given = {way: drawn_columns(seed, _ROWS) for way in ("reference", "rows", "lanes")}
    result = run_rows(program, *(one.ctypes.data for one in given["reference"]), 2, 0, _COUNTED)
    expected = (result + 2**63) % 2**64 - 2**63
    for way in ("rows", "lanes"):
        assert run_compiled(program, *given[way], 2, 0, _COUNTED, lanes=way == "lanes") == expected, way
        for found, right in zip(given[way], given["reference"], strict=True):
            assert_same(found[:_COUNTED], right[:_COUNTED])
