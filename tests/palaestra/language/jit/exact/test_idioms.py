"""What people write in dynamics beyond plain arithmetic gives the same bits in machine code as in Python."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest

from tests.palaestra.language.jit.exact.law import bits, compiled_of, difference, function_of


class Move(enum.IntEnum):
    LEFT = 0
    RIGHT = 2


PRICES = {"bread": 1.5, "milk": 2}
STEPS = {0: (0, 1), 1: (2, 3), 5: (-1, 0)}
PLACES = {(0, 1): 2.5, (1, 1): 3.5}
NESTED = {"k": {"j": 3.25}}
COUNT = 3
NAMES = {
    "Move": Move,
    "PRICES": PRICES,
    "STEPS": STEPS,
    "PLACES": PLACES,
    "NESTED": NESTED,
    "COUNT": COUNT,
}

V = np.array([1.5, -2.0, 0.0, -0.0, np.nan, 7.25, 3.0, 9.0, 1e300])
W = np.array([5, -7, 0, 2**63 - 1, -(2**63), 3, 1, 2, -1])
M = np.arange(12.0).reshape(3, 4) * 1.1 - 3.0
K = np.arange(12).reshape(3, 4) - 5
rng = np.random.default_rng(1)
TABLES = [M, M[:1], *(rng.normal(size=size) for size in ((40, 1), (1, 40), (40, 17), (9, 130), (3, 3)))]

BODIES: dict[str, tuple[str, str, list[tuple[Any, ...]]]] = {
    "comprehensions": (
        "x, v",
        """
        made = [x * k for k in range(COUNT)]
        pairs = tuple(v[k] * k for k in range(2))
        table = np.array([[a * b for b in v] for a in v if a > 0.0])
        found = any(a > 2.0 for a in v), all(a > -1.0 for a in v), any(a > b for a in v for b in v if b > x)
        kept = np.array([a * 2.0 for a in v if a > x])
        return sum(made), pairs, table, found, kept, sum(a > x for a in v), max(a - x for a in v)
        """,
        [(2, V[:2]), (0, V[:3]), (1, np.array([5.0, 0.5, -0.0]))],
    ),
    "sums and extremes": (
        "v, w, t",
        """
        pair = max((v[0], v[1])), min([w[0], 1]), sum((1, 2, 3)), max(t), min(t)
        return sum(v), max(v), min(v), sum(w[5:]), max(w), min(w), sum(w > 1), pair
        """,
        [(V, W, (0.5, -0.0, 0.0)), (-V, W[5:], (1.0, 1.0, 1.0)), (V[:4], W[:3], (0.0, -0.0, np.nan))],
    ),
    "along an axis": (
        "m, k",
        """
        ends = m.max(axis=0), np.min(m, axis=1), m.min(0), np.max(m, -1), np.argmax(m, axis=1), m.argmin(0)
        flags = np.any(m > 0, axis=0), np.all(m > 0, axis=1), (m > 0).sum(axis=0)
        whole = np.sum(k, axis=0), k.max(axis=1), k.sum(axis=-1), np.sum(m[0], axis=0), k.prod(0)
        sums = np.sum(m, axis=0), np.sum(m, 1), m.sum(axis=-1), np.mean(m, axis=0), m.mean(1), m.prod(0)
        return sums, ends, flags, whole
        """,
        [(m, K) for m in TABLES],
    ),
    "masks": (
        "v, x, m",
        """
        a, b = v.copy(), m.copy()
        a[a > x] = 9.0
        a[a < 0] += 1.5
        a[v == 7.25] = v[v == 7.25] * 2
        b[b > x] = 0
        return a, b
        """,
        [(V, 1.0, M), (V, 100.0, M), (V, -100.0, -M)],
    ),
    "arrays of integers": (
        "a, b",
        "return a // 2, a // -1, a // b, 7 // b, a ** 2, a << 3, a >> 2, a % 3",
        [(W, W), (W, W[::-1].copy()), (W[::-1].copy(), W)],
    ),
    "arrays of floats": (
        "a, b",
        """
        powers = a ** 3, a ** 1.5, a ** 0.25, a ** 4
        return a // 2.0, a % -1.5, a // b, 7.0 % b, powers, a // 0.0, a % 3, np.mod(a, 2.0), np.floor_divide(b, 3.0)
        """,
        [(V, V), (V, -V), (-V, V), (V, V[::-1].copy())],
    ),
    "rounding": (
        "x, v",
        "return np.round(x, 2), np.round(v, 1), np.round(x), np.around(x, 3), np.round(v)",
        [(x, V * 1.23456) for x in (2.675, -0.5, 1e300, 0.125, -0.0)],
    ),
    "spaces": (
        "x, y, n",
        "return np.linspace(x, y, 5), np.linspace(0, 1, 11), np.linspace(x, y, n)",
        [(0.1, 3.3, 4), (0.0, 5e-324, 7), (1.0, 1.0, 1), (-2.0, 9.0, 2), (1.0, 2.0, 0), (1.0, 2.0, -1)],
    ),
    "tables": (
        "x",
        """
        short = np.array([5, 7], np.int8), np.full(3, 9, np.uint8), np.array([3, 4], dtype=np.int16)
        return np.array([[1, 0.5], [x, 2]]), np.array([[1, 2], [3, 4]]), np.array(((x, 1.0), (2.0, x))), short
        """,
        [(2.5,), (-0.0,)],
    ),
    "dicts and enums": (
        "x, k",
        """
        a, b = STEPS[k], PLACES[(k, 1)] if k < 2 else 0.0
        moved = Move(k) + 1, Move(k) == Move.LEFT
        return PRICES["bread"], PRICES["milk"] * x, a, b, k in STEPS, NESTED["k"]["j"], moved
        """,
        [(2.5, 0), (2.5, 1), (2.5, 5), (2.5, 7), (2.5, 2)],
    ),
    "an integer beside a float": (
        "x, k",
        "return x > 10**18, x < k, x == k, k >= x, x != k",
        [
            *((np.inf, 3), (-np.inf, 2**60 + 1), (np.nan, 2**62), (1e18, 5), (2.0**60, 2**60)),
            *((1.5, 2**60 + 1), (-1.5, -(2**63)), (2.0**63, 2**63 - 1), (-0.5, 0)),
        ],
    ),
    "values with a name": (
        "x",
        """
        if (y := x * 2.0) > 1.0 and (z := y + 1.0) > 2.0:
            y = z
        return (w := x + 1.0) + w * y, [v := w * 2.0, v][1], x * ((u := x + 1.0) if x > 0.0 else 2.0)
        """,
        [(1.5,), (-1.5,), (0.6,)],
    ),
    "messages and causes": (
        "x",
        """
        assert x < 9.0, f"{x:.2f} is too much"
        if x > 5.0:
            raise ValueError(f"{x!r:>8}") from None
        return x
        """,
        [(1.5,), (6.0,), (10.0,)],
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_an_idiom(name: str) -> None:
    names, body, grid = BODIES[name]
    lines = [line.removeprefix(" " * 8) for line in body.strip("\n").splitlines()]
    text = "".join(f"    {line}\n" for line in lines)
    function = function_of(f"def idiom({names}):\n{text}", "idiom", **NAMES)
    ours = compiled_of(function)

    found = [one for arguments in grid if (one := difference(ours, function, arguments))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "expression", ["-max(0, x)", "-min(0, x)", "-max(x, 0)", "-max(0, x, 1.5) * 2.0", "-min(x, 1)", "5.0 - max(0, x)"]
)
def test_a_selection_of_an_int_and_a_float_is_negated(expression: str) -> None:
    """As far as numbers go: that it is sometimes an int is lost."""
    function = function_of(f"def idiom(x):\n    return {expression}\n", "idiom")
    ours = compiled_of(function)

    for x in (2.5, -2.5, 0.0, -0.0, np.nan, np.inf, -np.inf, 1.0):
        assert bits(ours(x)) == bits(float(function(x)))
