"""NumPy's numbers: what is beyond a dtype, zeros of two signs, constants beside numbers, missing loops."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.llvm import symbols
from palaestra.language.operations.zeros import keeps_first
from palaestra.language.program import BEYOND
from palaestra.language.types import PYTHON, Array, Number, Term, constant
from tests.palaestra.language.machines import Failed, lanes_of, machine_of, same

_COMPARISONS = operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64])
@pytest.mark.parametrize("compared", _COMPARISONS)
def test_ints_of_python_are_compared_exactly(dtype: Any, compared: Any) -> None:
    bounds = np.iinfo(dtype)

    def function(x: Any, y: int) -> Any:
        return compared(x, y), compared(y, x), compared(x, 300), compared(x, -(2**70)), compared(x, 2**64)

    machine = machine_of(function, dtype(1), 1)
    for x in (bounds.min, bounds.max, 1):
        for y in (-(2**63), -1, 1, 255, 2**63 - 1):
            assert same(machine(dtype(x), y), function(dtype(x), y))


def test_ints_of_python_that_do_not_fit() -> None:
    machine = machine_of(lambda x, y: x + y, np.int8(1), 1)
    assert same(machine(np.int8(100), 100), np.int8(-56))
    with pytest.raises(Failed, match="OverflowError"):
        machine(np.int8(1), 128)
    with pytest.raises(Failed, match="OverflowError"):
        machine_of(lambda x: x + 300, np.uint8(1))(np.uint8(1))


def test_conversions_that_no_rule_covers_are_left_to_python() -> None:
    machine = machine_of(lambda x: np.int8(x), np.float64(1.0))
    assert same(machine(np.float64(-128.9)), np.int8(-128))
    for x in (128.0, np.nan, -np.inf):
        with pytest.raises(Failed, match=BEYOND):
            machine(np.float64(x))
    with pytest.raises(Failed, match=BEYOND):
        machine_of(lambda x: int(x), np.uint64(1))(np.uint64(2**63))


def _extremes(x: Any, y: Any, z: Any) -> Any:
    return np.minimum(x, y), np.maximum(x, y), np.clip(x, y, z), np.fmin(x, y), np.fmax(y, x), np.sign(x), x % y, x // y


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_zeros_and_nans_of_extremes(dtype: Any) -> None:
    values = (0.0, -0.0, 1.5, np.nan, -np.inf)
    rows = [tuple(map(dtype, (x, y, z))) for x in values for y in values for z in values]
    machine = machine_of(_extremes, *rows[0])
    with np.errstate(all="ignore"):
        expected = [_extremes(*row) for row in rows]
    assert all(same(machine(*row), one) for row, one in zip(rows, expected, strict=True))
    assert all(same(one, other) for one, other in zip(lanes_of(_extremes, *rows[0])(rows), expected, strict=True))


def test_zeros_are_tried() -> None:
    for name in ("float32", "float64"):
        dtype = np.dtype(name)
        zeros = dtype.type(0.0), dtype.type(-0.0)
        first = keeps_first(np.maximum, dtype)
        assert first is None or np.signbit(np.maximum(*zeros)) == np.signbit(zeros[0 if first else 1])
    assert keeps_first(np.fmax, np.dtype(np.float64)) is None


def test_powers_are_those_of_the_operator() -> None:
    def function(x: Any, y: Any) -> Any:
        return x**y, np.power(x, y), x**2

    machine = machine_of(function, np.float64(1.0), np.float64(1.0))
    rng = np.random.default_rng(0)
    for x, y in zip(np.abs(rng.normal(size=500)), rng.normal(size=500), strict=True):
        assert same(machine(x, y), function(x, y))


def test_what_numpy_has_no_loop_for_is_refused() -> None:
    def function(x: Any) -> Any:
        return x - np.True_

    with pytest.raises(CannotCompile, match="boolean subtract"):
        machine_of(function, np.True_)


def test_without_loops_their_functions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbols, "is_available", lambda operation, symbol: False)

    def function(x: Any) -> Any:
        return np.exp(x)

    with pytest.raises(CannotCompile, match="exp:d->d is not available"):
        machine_of(function, np.float64(1.0))


def test_clip_leaves_out_bounds_that_bound_nothing() -> None:
    def function(x: Any, low: int, high: int) -> Any:
        return np.clip(x, low, high), np.clip(x, -1000, 5), np.clip(x, None, high), np.clip(x, low, None)

    machine = machine_of(function, np.int8(1), 1, 1)
    for arguments in ((np.int8(3), -500, 500), (np.int8(-9), -5, 5), (np.int8(9), 3, 2)):
        assert same(machine(*arguments), function(*arguments))
    with pytest.raises(Failed, match="OverflowError"):
        machine(np.int8(3), 500, 5)


def test_terms_keep_their_types() -> None:
    from palaestra.language.operations.ufuncs import resolved

    weak, strong = Term(PYTHON[float], (_value(np.float64),)), Term(Number(np.dtype("f4")), (_value(np.float32),))
    assert resolved(np.add, weak, strong) == (np.dtype("f4"),) * 3
    assert resolved(np.add, constant(2), strong)[2] == np.float32
    assert resolved(np.less, constant(2), constant(np.uint8(1))) == (np.int64, np.uint8, np.bool_)
    array = Array(np.dtype("i2"), (3,), (2,))
    assert resolved(np.true_divide, Term(array, (_value(None),)), constant(2))[2] == np.float64


def _value(kind: Any) -> Any:
    from palaestra.language.program import ADDRESS, Value

    return Value("parameter", ADDRESS if kind is None else np.dtype(kind))
