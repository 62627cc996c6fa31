"""What the language accepts beyond operators and calls of functions: each gives Python's bits."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.palaestra.language.jit.exact.law import assert_agrees, compiled_of, difference, refusal


class Move(IntEnum):
    STAY = 0
    LEFT = 3
    RIGHT = -2


class Odd(IntEnum):
    ONE = 1

    def __add__(self, other: int) -> int:
        return 7


class State(NamedTuple):
    x: float
    n: int
    v: Any
    m: Any


def frozen(array: Any) -> Any:
    array.setflags(write=False)
    return array


STATES = [
    (State(x, n, frozen(np.array([x, 2.0, -0.0, n])), frozen(np.array([[x, 1.0], [n, -x]]))),)
    for x in (0.5, -0.0, 3.0, -1e300, math.inf)
    for n in (3, -2, 0)
]


def test_arrays_of_arrays() -> None:
    texts = ["np.array(s.v)", "np.array(s.v, np.float64)", "np.array(s.v[::-1])", "np.array(s.v, dtype=float)"]
    assert_agrees(texts, "s", STATES)
    assert_agrees(["np.array(s.m)", "np.array(s.m, dtype=float) * 2.0"], "s", STATES)


def write(s: Any) -> Any:
    v = np.array(s.v)
    v[0] = 5.0
    return v, s.v[0]


def test_a_copy_by_array_can_be_written_to() -> None:
    ours = compiled_of(write)
    assert not [text for given in STATES if (text := difference(ours, write, given))]


def test_classes_of_numbers_as_dtypes() -> None:
    texts = ["np.zeros(3, int)", "np.full(3, s.n, dtype=int)", "np.array([s.n, 1], dtype=int)"]
    assert_agrees(texts, "s", STATES)
    texts = ["np.zeros(3, dtype=float)", "np.array([s.x, 1.0], float)", "s.v.astype(float)", "np.ones(2, dtype=float)"]
    assert_agrees(texts, "s", STATES)
    assert_agrees(["np.zeros(3, bool)", "np.ones_like(s.v, dtype=bool)", "(s.v > 0.0).astype(bool)"], "s", STATES)


def test_texts_of_floats() -> None:
    texts = ["float('inf')", "float('-inf') * s.x", "min(float('inf'), s.x)", "float('nan')", "-float('Infinity')"]
    assert_agrees([*texts, "float(' 1e-3 ') + s.x"], "s", STATES)


def test_logarithms_to_a_base() -> None:
    grid = [(x, base) for x in (0.1, 1.0, 8.0, 1e300, 0.0, -1.0, math.inf, math.nan) for base in (2.0, 10.0, 1.0, 0.0)]
    assert_agrees(["math.log(x, base)", "math.log(x, 2)", "math.log(8, base)"], "x, base", grid)


def test_classes_of_numbers_around_choices() -> None:
    grid = [(a, b) for a in range(-1, 4) for b in range(4)]
    assert_agrees(["float(a > 1 or b > 2)", "float((a > 1) and b > 2)", "float(a if a > b else b)"], "a, b", grid)
    assert_agrees(["int(a > 1 or b > 2)", "int(not a > 1 and b > 0)", "int(a if a > b else b)"], "a, b", grid)


def test_places_in_tuples_of_places() -> None:
    texts = ["(a, b) in ((0, 1), (1, 2), (2, 2))", "(a, b) not in ((0, 1), (2, 2))", "(a, b > 1) in ((0, True),)"]
    assert_agrees(texts, "a, b", [(a, b) for a in range(-1, 4) for b in range(4)])


def test_divmod() -> None:
    edges = [0, 1, -1, 3, -7, 2**62, -(2**63), 2**63 - 1]
    assert_agrees(["divmod(a, b)", "divmod(a, 3)", "divmod(7, b)"], "a, b", [(a, b) for a in edges for b in edges])
    floats = [0.0, -0.0, 0.3, -2.5, 7.0, 1e300, math.inf, math.nan]
    assert_agrees(["divmod(a, b)", "divmod(a, 2)", "divmod(1, b)"], "a, b", [(a, b) for a in floats for b in floats])


def test_products_and_norms_of_vectors() -> None:
    rng = np.random.default_rng(3)
    arrays = [rng.normal(size=n) * 10.0 ** rng.integers(-5, 6, n) for n in (0, 1, 2, 3, 7, 8, 9, 31, 130, 1001)]
    texts = [
        "np.dot(a, b)",
        "np.dot(a[::-1], b)",
        "np.linalg.norm(a)",
        "np.linalg.norm(a - b)",
        "np.linalg.norm(a[::2])",
    ]
    pairs = [(one, one[::-1].copy()) for one in arrays] + [(np.full(n, -0.0), np.ones(n)) for n in (1, 2, 3)]
    assert_agrees([*texts, "np.dot(a[::2], b[::2])"], "a, b", pairs)
    matrices = [rng.normal(size=shape) for shape in ((1, 1), (2, 3), (9, 20))]
    assert_agrees(["np.linalg.norm(a)", "np.linalg.norm(a * 2.0)"], "a", [(one,) for one in matrices])


def enumerated(s: Any) -> Any:
    total = 0
    if s.n == Move.LEFT:
        total += Move.LEFT * 2
    if s.n in (Move.RIGHT, Move.STAY):
        total -= Move.RIGHT.value
    return total, s.n > Move.STAY, s.v[Move.STAY], int(Move.LEFT), Move.LEFT / 2, -Move.RIGHT


def test_members_of_integer_enums() -> None:
    ours = compiled_of(enumerated)
    assert not [text for given in STATES if (text := difference(ours, enumerated, given))]


def odd(s: Any) -> Any:
    return Odd.ONE + s.n


def test_members_that_compute_in_their_own_way() -> None:
    assert "Odd" in refusal(odd, *STATES[0])


def either(s: Any) -> Any:
    if s.n > 0:
        return s
    v = s.v.copy()
    v[1] = 7.0
    return State(s.x + 1.0, s.n, v, s.m)


def replaced(s: Any) -> Any:
    new = s
    if s.n > 0:
        new = s._replace(v=s.v * 2.0)
    return new


def nested(s: Any) -> Any:
    kept = either(s)
    if kept.n < 0:
        kept = State(1.0, 2, kept.v[::-1], kept.m.copy())
    return kept.v[0], kept.m, kept.x


@pytest.mark.parametrize("function", [either, replaced, nested], ids=lambda one: one.__name__)
def test_a_state_is_kept_on_one_path_and_new_on_another(function: Any) -> None:
    ours = compiled_of(function)
    assert not [text for given in STATES if (text := difference(ours, function, given))]
