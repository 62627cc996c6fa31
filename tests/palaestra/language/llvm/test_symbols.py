"""Functions outside, by name: those of the C library, and NumPy's inner loops."""

from __future__ import annotations

import numpy as np
import pytest

from palaestra.language.llvm import symbols
from palaestra.language.llvm.numbers import NotSupported
from palaestra.language.program import ADDRESS, FLOAT64
from tests.palaestra.language.llvm.building import Building, assert_same, run_compiled
from tests.palaestra.language.llvm.reference import run_rows

_LOOPS = ("exp:d->d", "add:dd->d", "clip:ddd->d", "power:ff->f", "floor_divide:ll->l", "arctan2:dd->d", "less:dd->?")


@pytest.mark.parametrize("lanes", [False, True])
@pytest.mark.parametrize("symbol", _LOOPS)
def test_loops_of_numpy(symbol: str, lanes: bool) -> None:
    """Three items of each row, of which the operands have one size of bytes."""
    name, _, types = symbol.partition(":")
    kinds = [np.dtype(letter) for letter in types.replace("->", "")]
    building = Building(*(f"operand{k}" for k in range(len(kinds))))
    places = [building.place(k, 3 * kind.itemsize) for k, kind in enumerate(kinds)]
    strides = [building.number(kind.itemsize) for kind in kinds]
    building.value("loop", None, *places, *strides, building.number(3), attribute=symbol)
    given = [(np.random.default_rng(k).random((16, 3)) * 9 + 1).astype(kind) for k, kind in enumerate(kinds)]
    expected = getattr(np, name)(*given[:-1])
    run_compiled(building.program(), *given, 0, 16, lanes=lanes)
    assert_same(given[-1], expected)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_functions_of_the_library(kind: str) -> None:
    """All of them on the same two columns of numbers."""
    dtype, names = np.dtype(kind), list(symbols.C_FUNCTIONS.items())
    building = Building("first", "second", *symbols.C_FUNCTIONS)
    loaded = [building.load(dtype, building.place(k, dtype.itemsize)) for k in range(2)]
    for k, (name, count) in enumerate(names):
        symbol = name if kind == "float64" else f"{name}f"
        assert symbols.arity(symbol) == count
        result = building.value("call", dtype, *loaded[:count], attribute=symbol)
        building.store(building.place(k + 2, dtype.itemsize), result)
    given = [np.random.default_rng(k).normal(size=32).astype(kind) * 3 for k in range(2)]
    given[0][:5] = [0.0, -0.0, np.inf, -np.inf, np.nan]
    expected = [np.zeros(32, kind) for _ in names]
    run_rows(building.program(), *(one.ctypes.data for one in (*given, *expected)), 0, 32)
    for lanes in (False, True):
        found = [np.zeros(32, kind) for _ in names]
        run_compiled(building.program(), *given, *found, 0, 32, lanes=lanes)
        for one, right in zip(found, expected, strict=True):
            assert_same(one, right)


def test_pow_of_two_is_not_a_product() -> None:
    """Machine code calls the library under another name, which LLVM does not know."""
    outside = symbols.c_function("pow")
    assert outside is not None
    assert outside.name == "palaestra_c_pow"
    assert symbols.c_function("pow") is outside


def test_what_is_not_available() -> None:
    assert symbols.is_available("call", "atan2f")
    assert symbols.is_available("loop", "maximum:dd->d")
    for symbol in ("rand", "sinff", "f", "exit"):
        assert not symbols.is_available("call", symbol)
    for symbol in ("exp:d->f", "exp", "array:d->d", "add:DD->D", "add:OO->O", "nothing:d->d"):
        assert not symbols.is_available("loop", symbol)


@pytest.mark.parametrize("lanes", [False, True])
def test_unknown_symbols_do_not_end_the_process(lanes: bool) -> None:
    building = Building("x")
    x = building.load(FLOAT64, building.place(0, 8))
    building.store(building.place(0, 8), building.value("call", FLOAT64, x, attribute="no_such_function"))
    with pytest.raises(NotSupported, match="the C library has no function no_such_function of 1 floats"):
        run_compiled(building.program(), np.zeros(8), 0, 8, lanes=lanes)
    building = Building("x")
    place = building.value("offset", ADDRESS, building.place(0, 8), building.number(0))
    building.value("loop", None, place, place, *[building.number(8)] * 3, attribute="exp:d->no")
    with pytest.raises(NotSupported, match="NumPy has no loop"):
        run_compiled(building.program(), np.zeros(8), 0, 8, lanes=lanes)


def test_ufuncs_laid_out_differently_have_no_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    symbols.loop.cache_clear()
    monkeypatch.setattr(symbols, "_NAME", symbols._TYPES)
    monkeypatch.setattr(symbols, "_COUNTS", symbols._FUNCTIONS)
    assert not symbols.is_readable()
    assert symbols.loop("exp:d->d") is None
    symbols.loop.cache_clear()
