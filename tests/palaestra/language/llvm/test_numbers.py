"""Every operation of numbers, on drawn and special numbers of every kind, one row and eight rows at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from palaestra.language.llvm.engine import compiled
from palaestra.language.llvm.numbers import NUMBERS, NotSupported
from palaestra.language.program import ADDRESS, FLOAT64, OPERATIONS, Program, Slot, Value
from tests.palaestra.language.llvm.building import Building, assert_same, column, run_compiled
from tests.palaestra.language.llvm.reference import run_rows

_SIGNED, _UNSIGNED = ("int8", "int16", "int32", "int64"), ("uint8", "uint16", "uint32", "uint64")
_INTS, _FLOATS = _SIGNED + _UNSIGNED, ("float16", "float32", "float64")
_ALL = ("bool", *_INTS, *_FLOATS)

_CASES = [
    *((one, kind, None) for one in ("add", "sub", "mul") for kind in (*_INTS, *_FLOATS)),
    *(("div", kind, None) for kind in (*_INTS, *_FLOATS)),
    *((one, kind, None) for one in ("rem", "shl", "shr") for kind in _INTS),
    *((one, kind, None) for one in ("and", "or", "xor", "not") for kind in ("bool", *_INTS)),
    *((one, "int64", "bool") for one in ("add_overflows", "sub_overflows", "mul_overflows")),
    *((one, kind, "bool") for one in ("add_overflows", "mul_overflows") for kind in ("int8", "int32")),
    *((one, kind, "bool") for one in ("eq", "ne", "lt", "le", "gt", "ge") for kind in _ALL),
    *((one, kind, None) for one in ("sqrt", "floor", "ceil", "trunc", "rint", "fabs", "neg") for kind in _FLOATS),
    *(("copysign", kind, None) for kind in _FLOATS),
    *(("fma", kind, None) for kind in ("float32", "float64")),
    ("mulhi", "uint64", None),
    *(("select", kind, None) for kind in _ALL),
    *(("convert", given, kind) for given in _ALL for kind in _ALL if given != kind),
    *(("bits", "int64", kind) for kind in ("float64", "uint64")),
    *(("bits", kind, "int64") for kind in ("float64", "uint64")),
    *(
        ("bits", *kinds)
        for kinds in (("float32", "int32"), ("uint16", "float16"), ("bool", "uint8"), ("int8", "uint8"))
    ),
]


def _drawn(kind: str, seed: int) -> np.ndarray[Any, Any]:
    rng, dtype = np.random.default_rng(seed), np.dtype(kind)
    if kind == "bool":
        return rng.random(248) < 0.5
    if dtype.kind == "f":
        numbers = np.ldexp(rng.normal(size=232), rng.integers(-30, 30, 232))
        info = np.finfo(dtype)
        special = [0.0, -0.0, np.inf, -np.inf, np.nan, info.max, info.min, info.smallest_subnormal]
        special += [-info.smallest_subnormal, info.tiny, 0.5, 1.5, 2.5, -0.5, 1.0, 65519.99]
        with np.errstate(all="ignore"):
            return rng.permutation(np.concatenate([numbers, special]).astype(dtype))
    info = np.iinfo(dtype)
    numbers = rng.integers(info.min, info.max, 120, dtype, endpoint=True)
    small = rng.integers(-8 if info.min else 0, 8, 120).astype(dtype)
    extreme = np.array([info.min, info.max, 0, 1, info.max - 1, info.min + 1, 2, 3], dtype)
    return rng.permutation(np.concatenate([numbers, small, extreme]))


def _arguments(operation: str, kind: str, result: str) -> list[np.ndarray[Any, Any]]:
    """Numbers for which the operation is defined."""
    count = {"fma": 3, "select": 3}.get(operation, 1 if operation in _OF_ONE else 2)
    given = [_drawn("bool" if operation == "select" and k == 0 else kind, seed=k) for k in range(count)]
    dtype = np.dtype(kind)
    if operation in ("shl", "shr"):
        given[1] = given[1] & dtype.type(8 * dtype.itemsize - 1)
    if operation in ("div", "rem") and dtype.kind != "f":
        overflows = given[0] == np.iinfo(dtype).min if dtype.kind == "i" else np.zeros(248, bool)
        given[1] = np.where((given[1] == 0) | overflows, dtype.type(3), given[1])
    if operation == "convert" and dtype.kind == "f" and np.dtype(result).kind in "iu":
        info = np.iinfo(result)
        wide = given[0].astype(np.float64)
        fits = (wide >= float(info.min)) & (wide < float(info.max))
        given[0] = np.where(fits, given[0], dtype.type(7.5))
    return given


_OF_ONE = ("not", "sqrt", "floor", "ceil", "trunc", "rint", "fabs", "neg", "convert", "bits")


def _program(operation: str, cases: list[tuple[str, str, list[np.ndarray[Any, Any]]]]) -> Program:
    """Results of an operation in columns, each behind the columns that it is computed from."""
    building = Building(*(f"column{k}" for k in range(sum(len(given) + 1 for _, _, given in cases))))
    column = 0
    for _, result, given in cases:
        places = [building.place(column + k, one.itemsize) for k, one in enumerate(given)]
        loaded = [building.load(one.dtype, place) for place, one in zip(places, given, strict=True)]
        value = building.value(operation, np.dtype(result), *loaded)
        column += len(given) + 1
        building.store(building.place(column - 1, np.dtype(result).itemsize), value)
    return building.program()


def _columns(cases: list[tuple[str, str, list[np.ndarray[Any, Any]]]]) -> list[np.ndarray[Any, Any]]:
    return [one for _, result, given in cases for one in (*given, np.zeros(248, result))]


@pytest.mark.parametrize("operation", sorted(NUMBERS))
def test_operation(operation: str) -> None:
    kinds = [(kind, result or kind) for one, kind, result in _CASES if one == operation]
    assert kinds
    cases = [(kind, result, _arguments(operation, kind, result)) for kind, result in kinds]
    program, expected = _program(operation, cases), _columns(cases)
    run_rows(program, *(one.ctypes.data for one in expected), 0, 248)
    for lanes in (False, True):
        found = _columns(cases)
        run_compiled(program, *found, 0, 248, lanes=lanes)
        for one, right in zip(found, expected, strict=True):
            assert_same(one, right)


def test_operations_of_numbers_are_operations() -> None:
    assert set(OPERATIONS) > NUMBERS


@pytest.mark.parametrize("kind", ["longdouble", "complex128"])
def test_numbers_without_machine_code(kind: str) -> None:
    given = [np.zeros(8, kind)] * 2
    with pytest.raises(NotSupported, match="there is no machine code for numbers of"):
        compiled(_program("add", [(kind, kind, given)]))


def test_float16_is_not_rounded_once() -> None:
    given = [np.zeros(8, "float16")] * 3
    with pytest.raises(NotSupported, match="rounded once"):
        compiled(_program("fma", [("float16", "float16", given)]))


@pytest.mark.parametrize("lanes", [False, True])
@pytest.mark.parametrize("through", ["select", "slot", "room"])
def test_choices_are_not_joined(through: str, lanes: bool) -> None:
    """`max(0.0, max(x, 0.0))`: LLVM would make one choice of them, which gives x where it is NaN or -0.0."""
    building, slot = Building("x", "result"), Slot(FLOAT64, "larger")
    room = building.value("room", ADDRESS, attribute=8)
    x, zero = building.load("float64", building.place(0, 8)), building.number(0.0, "float64")

    def larger(first: Value, second: Value) -> Value:
        condition = building.value("gt", np.dtype(bool), second, first)
        if through == "select":
            return building.value("select", FLOAT64, condition, second, first)
        if through == "room":
            building.store(room, first)
            with building.when(condition):
                building.store(room, second)
            return building.load("float64", room)
        building.set(slot, first)
        with building.when(condition):
            building.set(slot, second)
        return building.get(slot)

    building.store(building.place(1, 8), larger(zero, larger(x, zero)))
    given, found = column([np.nan, -0.0, 0.0, 1.0, -1.0], "float64"), np.ones(8)
    run_compiled(building.program(), given, found, 0, 8, lanes=lanes)
    assert_same(found, column([0.0, 0.0, 0.0, 1.0, 0.0], "float64"))


@pytest.mark.parametrize("hidden", ["int", "table", "unset slot", "converted"])
def test_choices_are_not_joined_with_a_zero_that_is_no_constant(hidden: str) -> None:
    """LLVM finds out what it is."""
    building, room = Building("x", "result"), Value("room", ADDRESS, (), 16)
    building.region.append(room)
    if hidden == "int":
        building.store(room, building.number(0))
        zero = building.load("float64", room)
    elif hidden == "table":
        zero = building.load("float64", building.value("table", ADDRESS, attribute=np.zeros(1)))
    elif hidden == "unset slot":
        zero = building.get(Slot(FLOAT64, "zero"))
    else:
        zero = building.value("convert", FLOAT64, building.number(0))
    choice = building.value("offset", ADDRESS, room, building.number(8))
    building.store(choice, building.load("float64", building.place(0, 8)))
    for _ in range(2):
        with building.when(building.value("lt", np.dtype(bool), building.load("float64", choice), zero)):
            building.store(choice, zero)
    first = building.load("float64", choice)
    condition = building.value("gt", np.dtype(bool), first, zero)
    building.store(building.place(1, 8), building.value("select", FLOAT64, condition, first, zero))
    assert "fence" in compiled(building.program()).text
    given, found = column([np.nan, -0.0, 0.0, 1.0, -1.0], "float64"), np.ones(8)
    run_compiled(building.program(), given, found, 0, 8, lanes=False)
    assert_same(found, column([0.0, 0.0, 0.0, 1.0, 0.0], "float64"))


def test_programs_in_which_llvm_knows_no_float_need_no_fences() -> None:
    """So that it runs turns of their loops at once."""
    building = Building("x", "result")
    x, y = (building.load("float64", building.place(k, 8)) for k in range(2))
    with building.when(building.value("gt", np.dtype(bool), x, y)):
        building.store(building.place(1, 8), x)
    building.store(building.place(1, 8), building.load("float64", building.place(1, 8)))
    assert "fence" not in compiled(building.program()).text
