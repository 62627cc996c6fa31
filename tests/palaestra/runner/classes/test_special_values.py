"""Zeros of either sign, NaN, infinities and subnormal numbers give Python's bits in a batch of any size."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.samples import env_of
from tests.thorough import THOROUGH

FLOATS = (
    *("0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "1.5", "-2.5", "np.inf", "-np.inf", "np.nan", "1e-320", "-5e-324"),
    *("1e300", "0.49999999999999994", "4503599627370497.5", "0.1"),
)
INTS = "0", "1", "-1", "7", "-7", "2251799813685249", "-2251799813685247"
TOGETHER = 12  # operations of a class, so that its step has no branches

CLIPS = (
    *("np.clip(x, 0.0, 1.0)", "np.clip(x, -0.0, 0.0)", "np.clip(x, 0.0, -0.0)", "np.clip(x, y, 1.0)"),
    *("np.clip(x, -1.0, y)", "np.clip(x, 1.0, 0.0)", "np.clip(x, np.nan, 1.0)", "np.clip(x, 0.0, np.nan)"),
    *("np.clip(0.0, x, y)", "np.clip(x, 0, 1)", "np.clip(x, -np.inf, np.inf)", "float(np.float32(x))"),
)
EXTREMES = (
    *("min(x, y)", "max(x, y)", "min(x, 0.0)", "min(0.0, x)", "max(x, 0.0)", "max(0.0, x)", "min(x, y, 0.0)"),
    *("max(y, 0.0, x)", "abs(x)", "np.abs(x)", "np.float32(x)", "x if x > y else y"),
)
SIGNS = (
    *("-x", "0.0 - x", "x - x", "x * 0.0", "x + 0.0", "x * -1.0", "x if x >= 0.0 else -x", "x or y", "x and y"),
    *("np.where(x > y, x, y)", "np.where(x > 0.0, x, -x)", "np.where(x != x, y, x)"),
)
ARITHMETIC = (
    *("np.mod(x, 3.0)", "x % 3.0", "x % -3.0", "x // 3.0", "x // -3.0", "np.remainder(x, -3.0)", "0.5 * (x + y)"),
    *("x * y", "x + y", "x - y", "divmod(x, 3.0)[0]", "divmod(x, 3.0)[1]"),
)
IN_ROWS = (
    *("np.minimum(x, y)", "np.maximum(x, y)", "np.minimum(x, 0.0)", "np.maximum(0.0, x)", "np.sign(x)", "np.sign(-x)"),
    *("np.round(x)", "np.round(x, 1)", "np.rint(x)", "np.floor(x)", "np.ceil(x)", "np.trunc(x)", "np.fmod(x, 3.0)"),
    *("np.max([x, y])", "np.min([x, y])", "max([x, y])", "min([x, y])", "np.sum([x, y])", "np.prod([x, y])"),
    *("np.argmax([x, y])", "np.argmin([x, y])", "np.any([x, y])", "np.all([x, y])", "np.diff([x, y])[0]"),
    *("np.arctan2(x, y)", "np.isnan(x)", "np.isfinite(x)", "bool(x)", "not x", "x == y", "x != y", "x <= y"),
    *("(x > 0.0) * y", "np.isclose(x, y)", "np.std([x, y])", "np.linalg.norm([x, y])", "np.square(x)"),
    *("math.copysign(x, y) if y == y else 0.0", "math.fabs(x)", "round(x, 1)", "math.isclose(x, y)"),
    *("round(x) if abs(x) < 10 else 0", "int(x) if abs(x) < 10 else 0", "math.floor(x) if abs(x) < 10 else 0"),
)
OF_INTS = (
    *("np.clip(x, 0.0, 1.0)", "np.clip(x, -0.0, 1)", "np.clip(x, 0, 0.5)", "np.clip(x, y, 7)", "np.clip(x, 1, 0)"),
    *("min(x, 0.5)", "max(x, -0.0)", "min(-0.0, x)", "max(0.0, x)", "max(-0.0, x)", "min(x, 0.0)", "max(x, y)"),
    *("x * 0.0", "x * -0.0", "-float(x)", "float(-x)", "-0.0 * x", "np.where(x > y, x, 0.5)", "np.where(x > y, x, y)"),
    *("np.minimum(x, -0.0)", "np.maximum(x, -0.0)", "x / -7", "x % -7", "x // -7", "abs(x)", "np.sign(x)", "round(x)"),
    *("-x * 0.0", "np.round(x, 1)", "np.rint(x)", "math.copysign(1, x)", "x == y", "x < y + 0.5"),
)
OF_SINGLES = (
    *("np.minimum(x, y)", "np.maximum(x, y)", "np.max([x, y])", "np.min([x, y])", "np.sum([x, y])", "np.isnan(x)"),
    *("abs(x)", "bool(x)", "x == y", "x <= y", "np.mean([x, y])", "np.max(np.array([x, y, 0.0]))"),
)
OF_ARRAYS = tuple(
    one for one in (*CLIPS, *EXTREMES, *SIGNS, *IN_ROWS) if one.startswith(("np.", "-x", "0.0")) and "[x" not in one
)
AS_THEY_ARE, AS_NUMPYS = "x, y = x, y", "x, y = np.float64(x), np.float64(y)"
AS_SINGLES = "x, y = np.float32(x), np.float32(y)"
AS_ARRAYS = "x, y = np.array([x, y, x]), np.array([y, y, x])"
SETS: dict[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "clips": (FLOATS, AS_THEY_ARE, CLIPS),
    "extremes": (FLOATS, AS_THEY_ARE, EXTREMES),
    "ints": (INTS, AS_THEY_ARE, OF_INTS[:TOGETHER]),
}
MORE = {
    "signs": (FLOATS, AS_THEY_ARE, SIGNS),
    "arithmetic": (FLOATS, AS_THEY_ARE, ARITHMETIC),
    "in rows": (FLOATS, AS_THEY_ARE, IN_ROWS),
    "of NumPy": (FLOATS, AS_NUMPYS, (*CLIPS, *EXTREMES, *SIGNS, *ARITHMETIC)),
    "of NumPy, in rows": (FLOATS, AS_NUMPYS, IN_ROWS),
    "of single precision": (FLOATS, AS_SINGLES, (*CLIPS, *SIGNS)),
    "of single precision, in rows": (FLOATS, AS_SINGLES, OF_SINGLES),
    "of arrays": (FLOATS, AS_ARRAYS, OF_ARRAYS),
    "more ints": (INTS, AS_THEY_ARE, OF_INTS[TOGETHER:]),
    "ints of NumPy": (INTS, "x, y = np.int64(x), np.int64(y)", OF_INTS),
}


def class_of(values: tuple[str, ...], prepared: str, operations: tuple[str, ...]) -> Any:
    """A class whose action chooses x and y, and which observes the results of operations."""
    chosen = [
        f"        {'el' if k else ''}if action[{v}] == {k}:\n            {name} = {value}"
        for v, name in enumerate("xy")
        for k, value in enumerate(values)
    ]
    item = "[0]" if prepared == AS_ARRAYS else ""
    lines = [
        "import math",
        "class E(gymnasium.Env):",
        f"    observation_space = Box(-np.inf, np.inf, ({len(operations)},), np.float64)",
        f"    action_space = gymnasium.spaces.MultiDiscrete([{len(values)}, {len(values)}])",
        "    def reset(self, *, seed=None, options=None):",
        "        super().reset(seed=seed)",
        "        z = 0.0",
        f"        return np.array([{', '.join(['z'] * len(operations))}]), {{}}",
        "    def step(self, action):",
        f"        x = y = {values[0]}",
        *chosen,
        f"        {prepared}",
        *(f"        r{k} = {one}" for k, one in enumerate(operations)),
        f"        out = np.array([{', '.join(f'float(r{k}{item})' for k in range(len(operations)))}])",
        "        return out, 0.0, False, False, {}",
    ]
    return env_of("\n".join(lines) + "\n")


def count_equal(values: tuple[str, ...], prepared: str, operations: tuple[str, ...], n: int) -> int:
    """Compare operations in a batch with those in sync; returns how many were compiled, the others are refused."""
    kind = class_of(values, prepared, operations)
    ours, sync = None, SyncVectorEnv([kind] * n)
    try:
        ours = PlainVectorEnv(kind, n, trial="off")
        ours.reset(seed=0)
    except CannotCompile:
        half = len(operations) // 2
        parts = (operations[:half], operations[half:]) if half else ()
        return sum(count_equal(values, prepared, part, n) for part in parts)
    sync.reset(seed=0)
    pairs = list(product(range(len(values)), repeat=2))
    for first in range(0, len(pairs), n):
        actions = np.array((pairs[first : first + n] + [(0, 0)] * n)[:n])
        expected, came = sync.step(actions)[0], ours.step(actions)[0]
        for i, k in np.argwhere(bits(expected) != bits(came)):
            x, y = (values[one] for one in actions[i])
            raise AssertionError(f"x, y = {x}, {y}; {operations[k]}: {expected[i, k]!r}, and compiled {came[i, k]!r}")
    ours.close()
    return len(operations)


def bits(numbers: Any) -> Any:
    """Floats as integers; all NaN are one."""
    return np.where(np.isnan(numbers), np.nan, numbers).view(np.int64)


@pytest.mark.filterwarnings("ignore")  # NumPy's, of overflow and NaN
@pytest.mark.parametrize("n", [3, 8, 16])
@pytest.mark.parametrize("name", SETS | MORE if THOROUGH else SETS)
def test_operations_on_special_values(name: str, n: int) -> None:
    values, prepared, operations = (SETS | MORE)[name]
    compiled = 0
    with np.errstate(all="ignore"):
        for first in range(0, len(operations), TOGETHER):
            compiled += count_equal(values, prepared, operations[first : first + TOGETHER], n)
    assert compiled > len(operations) // 4
