"""The functions of math and NumPy, of numbers and of arrays: Python's bits, domain errors and overflows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.palaestra.language.jit.exact.law import (
    assert_agrees,
    assert_agrees_or_refused,
    compiled_of,
    function_of,
    refusal,
)
from tests.palaestra.language.jit.exact.test_numbers import FLOATS, INTS

OF_ONE = ["sin", "cos", "tan", "asin", "acos", "atan", "tanh", "asinh", "acosh", "atanh", "log", "log1p", "log2"]
OF_ONE += ["log10", "erf", "erfc", "exp", "expm1", "sinh", "cosh", "sqrt", "degrees", "radians", "fabs"]
UFUNCS = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan"]
UFUNCS += ["sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "sqrt", "cbrt", "square", "fabs", "absolute"]
UFUNCS += ["sign", "floor", "ceil", "trunc", "rint", "deg2rad", "rad2deg"]
OF_TWO = ["arctan2", "hypot", "power", "minimum", "maximum"]
SIZES = [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 127, 128, 129, 1023]


def drawn(seed: int, count: int) -> list[float]:
    """Floats of all sizes."""
    rng = np.random.default_rng(seed)
    few = rng.normal(0.0, 1.0, count // 2)
    return [*few.tolist(), *(rng.normal(0.0, 1.0, count // 2) * 10.0 ** rng.integers(-12, 12, count // 2)).tolist()]


def arrays() -> Iterator[Any]:
    """Arrays of several lengths, of one, two and three axes, in one piece and not."""
    rng = np.random.default_rng(1)
    long = np.array([*FLOATS, *drawn(2, 2000)])
    yield from (long, long[::3], long[1:], long[::-1], long[7::-2])
    yield from (rng.normal(0.0, 2.0, size) for size in SIZES)
    yield rng.normal(0.0, 2.0, (40, 7))[:, 3]
    yield from (rng.normal(0.0, 1.0, shape) for shape in ((9, 11), (1, 5), (5, 1), (3, 4, 5), (0, 3)))


def lines() -> list[Any]:
    """Those of one axis and in one piece."""
    return [array for array in arrays() if array.ndim == 1 and array.flags.c_contiguous]


def test_math_of_floats() -> None:
    numbers = [*FLOATS, *drawn(0, 2000)]
    assert_agrees([f"math.{name}(a)" for name in OF_ONE], "a", ((a,) for a in numbers))


def test_math_of_integers_and_bools() -> None:
    expressions = [f"math.{name}(a)" for name in OF_ONE]
    assert_agrees(expressions, "a", ((a,) for a in INTS))
    of_bools = [one.replace("(a)", "(a > 1)") for one in expressions if "fabs" not in one]
    assert_agrees(of_bools, "a", ((a,) for a in (1, 2)))


@pytest.mark.parametrize("kind", [np.bool_])
def test_math_of_bools(kind: Any) -> None:
    """They are floats of 64 bits; of shorter numbers the functions are refused."""
    names = [name for name in OF_ONE if name != "fabs"]
    assert_agrees([f"math.{name}(a[0])" for name in names], "a", [(np.array([one], kind),) for one in (0.3, 1, 7)])


def test_math_of_two_numbers() -> None:
    some = [*zip(drawn(3, 1000), drawn(4, 1000), strict=True)]
    assert_agrees(
        ["math.atan2(a, b)", "math.pow(a, b)", "math.copysign(a, b if b == b else 1.0)"],
        "a, b",
        [*product(FLOATS, FLOATS), *some],
    )
    assert_agrees(["math.atan2(a, b)", "math.pow(b, a)"], "a, b", product(INTS, FLOATS))


def test_numpys_functions_of_floats() -> None:
    assert_agrees([f"np.{name}(a)" for name in UFUNCS], "a", ((a,) for a in [*FLOATS, *drawn(5, 2000)]))
    assert_agrees(["np.isnan(a)", "np.isinf(a)", "np.isfinite(a)"], "a", ((a,) for a in FLOATS))


@pytest.mark.parametrize("name", OF_TWO)
def test_numpys_functions_of_two_floats(name: str) -> None:
    some = [*zip(drawn(6, 1000), drawn(7, 1000), strict=True)]
    few = [*product(drawn(8, 40), [2.0, 0.5, -1.0, 1.0, 0.0, 3.0])]
    literals = [f"np.{name}(a, {one})" for one in ("2.0", "0.5", "-1.0", "3", "2")]
    assert_agrees([f"np.{name}(a, b)", *literals], "a, b", [*product(FLOATS, FLOATS), *some, *few])


@pytest.mark.parametrize("name", ["absolute", "square", "floor", "ceil", "trunc", "rint", "sqrt", "exp", "deg2rad"])
def test_numpys_functions_of_an_integer(name: str) -> None:
    """They are those of integers for some, and of floats for others: the same, or a refusal."""
    assert_agrees_or_refused(f"np.{name}(a)", "a", [(a,) for a in INTS])


@pytest.mark.parametrize("name", OF_TWO)
def test_numpys_functions_of_two_integers(name: str) -> None:
    assert_agrees_or_refused(f"np.{name}(a, b)", "a, b", [*product(INTS, INTS)])


def test_numpys_functions_of_arrays() -> None:
    """Those that NumPy has vector loops of its own for, and some that it has not."""
    names = ["exp", "exp2", "log", "log2", "sin", "cos", "tan", "arctan", "tanh", "arcsinh", "sqrt", "cbrt", "square"]
    names += ["absolute", "sign", "floor", "rint", "deg2rad"]
    assert_agrees([f"np.{name}(a)" for name in names], "a", ((a,) for a in lines()))
    others = [(a,) for a in arrays() if a.ndim > 1 or not a.flags.c_contiguous]
    assert_agrees([f"np.{name}(a)" for name in ("exp", "sin", "log", "sqrt")], "a", others)


def test_numpys_functions_of_two_arrays() -> None:
    of_arrays = [(a, np.roll(a, 1)) for a in lines()]
    same = [(a, np.full(a.shape, number)) for a in lines() for number in (2.0, 0.5, -1.0, 0.0)]
    edges = [(np.array(FLOATS), np.full(len(FLOATS), number)) for number in FLOATS]
    ones = [(np.array([a]), np.array([b])) for a, b in product(FLOATS, FLOATS)]
    assert_agrees([f"np.{name}(a, b)" for name in OF_TWO], "a, b", [*of_arrays, *same, *edges, *ones])


def test_numpys_functions_of_an_array_and_a_number() -> None:
    numbers = [2.0, 0.5, -1.0, 1.0, 0.0, 3.3, -0.0, math.nan]
    pairs = product(("power", "arctan2", "minimum", "fmod"), ("a, b", "b, a"))
    assert_agrees([f"np.{name}({order})" for name, order in pairs], "a, b", product(lines(), numbers))


def test_the_sign_of_a_nan_is_refused() -> None:
    copied = compiled_of(function_of("def copied(a, b):\n    return math.copysign(a, b)\n", "copied"))
    assert copied(1.0, -0.0) == -1.0
    assert math.isnan(copied(math.nan, 1.0))
    with pytest.raises(ValueError, match="the sign of a NaN"):
        copied(1.0, math.nan)
    assert "write math.copysign" in refusal(lambda a, b: np.copysign(a, b), 1.0, 2.0)


def test_operators_of_arrays() -> None:
    floats = [(a, np.roll(a, 1)) for a in lines()]
    assert_agrees(
        [
            *("a + b", "a - b", "a * b", "a / b", "-a", "+a", "a + 1", "2 * a", "a / 3", "1.0 / a", "a - 0.5"),
            *("a * b + a", "a / (b * b + 1.0)", "np.where(a > b, a, b)", "np.where(a == a, a, -b)", "a * 2"),
            *("np.clip(a, -1.0, 0.5)", "a - b * 0.1"),
            *("np.concatenate((a, b))", "np.zeros_like(a)", "np.full_like(a, 2.5)", "np.roll(a, 2)"),
            *("a.copy()", "a.ravel()", "np.asarray(a) + b", "np.ones(len(a)) * b", "np.array([1.0, 2.0])"),
        ],
        "a, b",
        floats,
    )
    flags = ["a < b", "a <= 0.5", "a == b", "a != a", "a > 1", "(a > 0.0) & (b > 0.0)", "(a < b) | (b > 1.0)"]
    assert_agrees([*flags, "~(a > b)", "a.astype(np.bool_)"], "a, b", floats)


def test_operators_of_arrays_of_integers() -> None:
    edges = np.array([*INTS, *np.random.default_rng(0).integers(-(2**62), 2**62, 200).tolist()])
    some = [edges, *(np.random.default_rng(1).integers(-50, 50, size) for size in SIZES)]
    pairs = [(a, np.roll(a, 1)) for a in some]
    pairs += [(edges, np.full_like(edges, -1)), (np.full_like(edges, -(2**63)), edges)]
    assert_agrees(
        [
            *(
                "a + b",
                "a - b",
                "a * b",
                "a * 3",
                "2 - a",
                "-a",
                "~a",
                "a & b",
                "a | 3",
                "a ^ b",
                "a % 3",
            ),
            *("a % b", "-7 % b", "a % -1", "np.absolute(a)", "np.sign(a)", "np.minimum(a, b)"),
            *("np.maximum(a, 3)", "np.where(a > b, a, b)", "np.cumsum(a)", "np.sort(a)", "np.unique(a)"),
            *("np.flatnonzero(a > 0)", "np.concatenate((a, b))", "np.diff(a.copy())"),
        ],
        "a, b",
        pairs,
    )
    assert_agrees(["a / b", "a * 0.1", "a + 0.5", "a.astype(np.float64)", "b / 3", "1 / a"], "a, b", pairs)
    assert_agrees(["a < b", "a == b", "a != 1", "a > 0.5", "a <= 2.5", "a.astype(np.bool_)"], "a, b", pairs)
