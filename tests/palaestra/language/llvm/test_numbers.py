"""Every operation of numbers, on drawn and special numbers of every kind, one row and eight rows at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from palaestra.language.llvm.numbers import NUMBERS, NotSupported
from palaestra.language.program import FLOAT64, OPERATIONS, Program
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


def _program(operation: str, kind: str, result: str, given: list[np.ndarray[Any, Any]]) -> Program:
    building = Building(*(f"given{k}" for k in range(len(given))), "result")
    size = np.dtype(result).itemsize
    loaded = [building.load(one.dtype, building.place(k, one.itemsize)) for k, one in enumerate(given)]
    value = building.value(operation, np.dtype(result), *loaded)
    building.store(building.place(len(given), size), value)
    return building.program()


@pytest.mark.parametrize("lanes", [False, True])
@pytest.mark.parametrize("case", _CASES, ids=lambda case: "-".join(filter(None, case)))
def test_operation(case: tuple[str, str, str | None], lanes: bool) -> None:
    operation, kind, result = case[0], case[1], case[2] or case[1]
    given = _arguments(operation, kind, result)
    program = _program(operation, kind, result, given)
    found, expected = np.zeros((2, 248), result)
    run_compiled(program, *given, found, 0, 248, lanes=lanes)
    run_rows(program, *(one.ctypes.data for one in (*given, expected)), 0, 248)
    assert_same(found, expected)


def test_all_operations_of_numbers_are_tested() -> None:
    assert {case[0] for case in _CASES} == NUMBERS
    assert set(OPERATIONS) > NUMBERS


def test_numbers_without_machine_code() -> None:
    for kind in ("longdouble", "complex128"):
        given = [np.zeros(8, kind)]
        with pytest.raises(NotSupported, match="there is no machine code for numbers of"):
            run_compiled(_program("add", kind, kind, given * 2), *given * 3, 0, 8)
    with pytest.raises(NotSupported, match="rounded once"):
        run_compiled(
            _program("fma", "float16", "float16", [np.zeros(8, "float16")] * 3), *[column([0], "float16")] * 4, 0, 8
        )


@pytest.mark.parametrize("lanes", [False, True])
def test_choices_are_not_joined(lanes: bool) -> None:
    """Two maxima with zero: LLVM would make one of them, which gives x where it is NaN or -0.0."""
    building = Building("x", "result")
    x, zero = building.load("float64", building.place(0, 8)), building.number(0.0, "float64")
    for _ in range(2):
        x = building.value("select", FLOAT64, building.value("gt", np.dtype(bool), x, zero), x, zero)
    building.store(building.place(1, 8), x)
    given, found = column([np.nan, -0.0, 0.0, 1.0, -1.0], "float64"), np.ones(8)
    run_compiled(building.program(), given, found, 0, 8, lanes=lanes)
    assert_same(found, column([0.0, 0.0, 0.0, 1.0, 0.0], "float64"))
