"""Operations of numbers give Python's bits or raise where Python does, also for numbers that one seldom meets."""

from __future__ import annotations

import math
from itertools import product

import pytest

from palaestra.language.jit.exact.language import Refused
from tests.palaestra.language.jit.exact.law import assert_agrees, compiled_of, function_of

INTS = [0, 1, -1, 2, -2, 3, -3, 7, -7, 31, 62, 63, 64, 10**9, 2**31, 2**32]
INTS += [2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**62, -(2**62), 2**63 - 1, -(2**63), -(2**63) + 1]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 7.3, 0.1, -0.1, math.pi, 1e22]
FLOATS += [5e-324, -5e-324, 1e-310, 2.0**-1022, 1e308, -1e308, 1.7976931348623157e308, 1e200, -1e200, 1e-200]
FLOATS += [math.inf, -math.inf, math.nan, -math.nan, 2.0**53, 2.0**53 + 2, 2.0**63, -(2.0**63), 2.0**63 - 1024]
FLOATS += [710.0, -746.0, math.nextafter(1.0, 2.0), math.nextafter(1.0, 0.0)]


def test_integers() -> None:
    assert_agrees(
        [
            *("a + b", "a - b", "a * b", "a // b", "a % b", "a & b", "a | b", "a ^ b"),
            *("-a", "+a", "~a", "abs(a)", "a ** 0", "a ** 1", "a ** 2", "a ** 3", "a ** 7", "a ** 64"),
            *("min(a, b)", "max(a, b)", "min(a, b, 0)", "max(1, a, b, -1)", "int(a)", "round(a)", "math.floor(a)"),
            *("math.ceil(a)", "a // 3", "a % -7", "7 // a", "-7 % a", "(a + b) // 2 * 3 - b"),
            *("int(a > b) + int(b > 2)", "a * (b > 2)", "(a > 2) + b", "a or b", "a and b", "a if b else -1"),
            *("ops.where(a < b, a, b)", "ops.clip(a, -7, b)", "ops.minimum(a, b)", "ops.maximum(a, b)"),
            *("abs(a - b) % 5", "-(a // b)", "(a, b)[int(a > b)]", "len((a, b)) * a"),
        ],
        "a, b",
        product(INTS, INTS),
    )


def test_clipping_between_an_integer_and_a_float() -> None:
    """NumPy leaves out a bound of Python's that no integer of the array's type exceeds."""
    grid = product([0, 5, -(2**63), 2**63 - 1], FLOATS, [0, -3, -(2**63), 2**63 - 2, 2**63 - 1])
    assert_agrees(["np.clip(a, x, b)", "np.clip(a, b, x)"], "a, x, b", grid)


def test_shifts() -> None:
    counts = [0, 1, 2, 31, 32, 61, 62, 63, 64, 1000, -1, -64]
    assert_agrees(["a << b", "a >> b", "1 << b", "-1 >> b", "a >> 63", "a << 1"], "a, b", product(INTS, counts))


def test_floats() -> None:
    assert_agrees(
        [
            *("a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "-a", "+a", "abs(a)", "float(a)"),
            *(
                "min(a, b)",
                "max(a, b)",
                "min(a, b, 0.0)",
                "max(-0.0, a, b)",
                "math.copysign(a, b if b == b else 1.0)",
                "math.fabs(a)",
            ),
            *("ops.where(a < b, a, b)", "ops.clip(a, -1.0, b)", "ops.minimum(a, b)", "ops.maximum(a, b)"),
            *("ops.float32(a)", "a * 2", "3 * a", "a / 3", "a - 1", "1 / a", "a // 2", "a % 3", "-7 % a", "7 // a"),
            *("a * a + b", "a * b + 0.1", "a - b * 0.1", "(a + b) - a", "a / b * b", "a * (b > 0.0)", "(a > b) + a"),
            *(
                "a / (b > 0.0)",
                "a and b",
                "a or b",
                "a if b else -1.0",
                "(a, b)[int(a > b)]",
                "2.0 * a if a > b else b - 1.0",
            ),
        ],
        "a, b",
        product(FLOATS, FLOATS),
    )


def test_powers() -> None:
    assert_agrees(
        [
            "a ** b",
            "a ** 2",
            "a ** 2.0",
            "a ** 3",
            "a ** 0.5",
            "a ** -1",
            "a ** -0.5",
            "a ** 0",
            "2.0 ** a",
            "(-a) ** b",
        ],
        "a, b",
        ((a, b) for a, b in product(FLOATS, FLOATS) if b != -math.inf or a != 0.0),
    )


def test_squares_that_overflow_raise() -> None:
    assert_agrees(["ops.pow2(a)", "a ** 2", "ops.pow2(a) + 1.0"], "a", ((a,) for a in FLOATS))


def test_zero_to_the_power_of_minus_infinity() -> None:
    assert_agrees(["a ** b"], "a, b", product([0.0, -0.0], [-math.inf]))


def test_whole_numbers_of_floats() -> None:
    assert_agrees(
        ["int(a)", "round(a)", "math.floor(a)", "math.ceil(a)", "math.trunc(a)", "int(a // 2.0)", "int(round(a) % 7)"],
        "a",
        ((a,) for a in FLOATS),
    )


def test_integers_beside_floats() -> None:
    assert_agrees(
        [
            *("a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "a ** b", "b + a", "b - a", "b / a", "b // a"),
            *("b % a", "b ** a", "float(a)", "a + 0.5", "2.0 ** a", "math.copysign(b, a)", "math.fabs(a)"),
            *("min(float(a), b)", "a * 0.1 + b", "b if a > 1 else 0.5", "a / 7", "a / (a - 1)", "0.1 * (a > 1)"),
        ],
        "a, b",
        ((a, b) for a, b in product(INTS, FLOATS) if b != -math.inf or a != 0),
    )


def test_comparisons() -> None:
    signs = ["<", "<=", ">", ">=", "==", "!="]
    both = [f"a {sign} b" for sign in signs]
    assert_agrees([*both, "a < b < 3", "not a", "bool(a)", "a in (1, 2, 3)", "not a < b"], "a, b", product(INTS, INTS))
    assert_agrees(
        [*both, "0.0 < a < b", "not a", "bool(b)", "a == b == 1.0", "a < 1 or b > 2"],
        "a, b",
        product(FLOATS, FLOATS),
    )
    tests = ["math.isnan(a)", "math.isinf(a)", "math.isfinite(a)"]
    assert_agrees([*tests, "a != a", "a < 3", "2 >= a"], "a", ((a,) for a in FLOATS))


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "==", "!="])
def test_comparisons_of_integers_with_floats_are_exact(sign: str) -> None:
    edges = [*FLOATS, 2.0**53 - 1.0, -(2.0**53), 2.0**62]
    literals = [f"a {sign} {number}" for number in (0.1, 2.0, 9007199254740992.0, 4611686018427387904.0)]
    whole = [f"b {sign} {number}" for number in (3, -7, 2**53, -(2**53))]
    assert_agrees([f"a {sign} b", f"b {sign} a", *literals, *whole], "a, b", product(INTS, edges))


@pytest.mark.parametrize("number", [2**53 + 1, -(2**53) - 1, 2**62 + 1])
def test_a_literal_that_no_float_equals_is_not_compared_as_one(number: int) -> None:
    function = function_of(f"def compared(x):\n    return x >= {number}\n", "compared")
    ours = compiled_of(function)
    with pytest.raises((Refused, OverflowError)):
        ours(float(number))


def test_flags() -> None:
    signs = ["a & b", "a | b", "a ^ b", "not a", "a and b", "a or b", "a == b", "a != b", "a < b", "a >= b"]
    assert_agrees(
        [*signs, "bool(a)", "min(a, b)", "max(a, b)", "a if b else not a"], "a, b", product([False, True], repeat=2)
    )
    assert_agrees(["int(a)", "a + 1", "3 - b", "a * 7", "int(a) + int(b)"], "a, b", product([False, True], repeat=2))
