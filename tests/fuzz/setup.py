"""What a program has before its dynamics: constants, params, a state that moves, and spaces."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

HEADER = """\
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional import FuncEnv, ops
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Tuple
"""

# How fields move by themselves: functions, since what is called often is compiled once.
MOVES = """\
def drifted(x, rng, params):
    if rng.random() < 0.3:
        return float(params.reals[rng.integers(0, 16)])
    return ops.clip(x * 0.75 + rng.uniform(-3.0, 3.0), -40.0, 40.0)


def counted(k, rng, params):
    if rng.random() < 0.3:
        return int(params.wholes[rng.integers(0, 16)])
    return k // 2 + rng.integers(-4, 5)


def sown(before, table, rng):
    after = before.copy()
    after[rng.integers(0, len(after))] = table[rng.integers(0, 12)]
    after[rng.integers(0, len(after))] = table[rng.integers(0, 12)]
    return after"""

USUAL = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 0.1, -7.25, 10.0, 1e-6, 1000.0)
EDGES = (math.inf, -math.inf, math.nan, 1e308, -1e308, 5e-324, 1e17, 0.1 + 0.2, -(2.0**63), 2.0**53 + 2.0)
WHOLE_EDGES = (2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**62, 2**63 - 1, -(2**63), 255, 128, -129)
SIZES = ((1,), (2,), (3,), (3,), (4,), (5,), (8,), (20,), (2, 2), (3, 3), (2, 3), (4, 2), (1, 3), (200,))


def literal(value: Any) -> str:
    """The text of a number, a tuple or an array."""
    if isinstance(value, np.ndarray):
        if value.size == 0:
            return f"np.zeros({value.shape}, np.{_named(value.dtype)})"
        return f"np.array({_listed(value.tolist())}, np.{_named(value.dtype)})"
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))},)"
    if isinstance(value, float) and not math.isfinite(value):
        return "math.nan" if math.isnan(value) else "math.inf" if value > 0 else "-math.inf"
    return repr(value)


def _named(dtype: np.dtype[Any]) -> str:
    return "bool_" if dtype.kind == "b" else str(dtype)


def _listed(value: Any) -> str:
    return f"[{', '.join(map(_listed, value))}]" if isinstance(value, list) else literal(value)


def zero_of(kind: str) -> str:
    """The text of a first value of a kind."""
    if kind in ("f", "i", "b"):
        return {"f": "0.0", "i": "0", "b": "False"}[kind]
    dtype, _, shape = kind.partition("[")
    name = "bool_" if dtype == "bool" else dtype
    sizes = shape.rstrip("]")
    return f"np.zeros(({sizes}{',' * bool(sizes)}), np.{name})" if shape else f"np.{name}(0)"


@dataclass
class Driver:
    """A field of the state that moves by itself, so that expressions meet many values.

    Attributes:
        kind: As an item's.
        begin: The expression of its first value.
        move: The statements of its next.
    """

    name: str
    kind: str
    begin: str
    move: str


@dataclass
class Setup:
    """All but the dynamics."""

    constants: list[str] = field(default_factory=list)
    params: list[tuple[str, str]] = field(default_factory=list)  # names and defaults
    drivers: list[Driver] = field(default_factory=list)
    action_space: str = "Discrete(3)"
    seen: list[str] = field(default_factory=list)  # what expressions may use
    tuning: list[tuple[str, Any]] = field(default_factory=list)  # params with other values, for some settings


class _Chooser:
    """Chooses; `edges`: whether numbers are huge, infinite or NaN at times."""

    def __init__(self, rng: random.Random, edges: bool) -> None:
        self.rng, self.edges = rng, edges

    def real(self) -> float:
        chance = self.rng.random()
        if self.edges and chance < 0.2:
            return self.rng.choice(EDGES)
        return self.rng.choice(USUAL) if chance < 0.6 else round(self.rng.uniform(-9.0, 9.0), 3)

    def whole(self) -> int:
        if self.edges and self.rng.random() < 0.15:
            return self.rng.choice(WHOLE_EDGES)
        return self.rng.randint(-20, 20)

    def array(self, dtype: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        size = math.prod(shape)
        if dtype == "bool":
            return np.array([self.rng.random() < 0.5 for _ in range(size)]).reshape(shape)
        if dtype.startswith("float"):
            with np.errstate(over="ignore"):
                return np.array([self.real() for _ in range(size)]).astype(dtype).reshape(shape)
        info = np.iinfo(dtype)
        wide = self.edges or dtype != "int64"
        low, high = (info.min, info.max) if wide and self.rng.random() < 0.4 else (max(info.min, -20), 20)
        return np.array([self.rng.randint(low, high) for _ in range(size)], dtype).reshape(shape)


def setup_of(rng: random.Random, lanes: bool, edges: bool, small: bool = False) -> Setup:
    """Returns the setup of a program; with `lanes`, one that does not branch on the state; `small`: of few fields."""
    chooser, setup = _Chooser(rng, edges), Setup()
    setup.params = [
        ("gain", literal(round(rng.uniform(0.1, 3.0), 2))),
        ("count", literal(rng.randint(1, 6))),
        ("flag", literal(rng.random() < 0.5)),
        ("pair", literal((chooser.real(), 0.5))),
        ("trio", literal((rng.randint(-9, 9), 4, -1))),
        ("reals", literal(chooser.array("float64", (16,)))),
        ("wholes", literal(chooser.array("int64", (16,)))),
    ]
    setup.seen = ["params.gain", "params.count", "params.flag", "params.pair", "params.trio", "GAP", "LIMIT"]
    setup.constants = [f"GAP = {literal(chooser.real())}", f"LIMIT = {literal(rng.randint(1, 9))}"]
    if not lanes:
        _add_tables(setup, chooser)
    _add_drivers(setup, chooser, lanes, small)
    _add_actions(setup, rng, lanes)
    setup.tuning = rng.sample([("gain", 0.75), ("count", 4), ("flag", True), ("flag", False)], rng.randint(0, 2))
    return setup


def _add_tables(setup: Setup, chooser: _Chooser) -> None:
    rng = chooser.rng
    long = tuple(chooser.real() for _ in range(rng.choice((9, 12, 40))))
    setup.params += [
        ("row", literal(chooser.array("float64", (4,)))),
        ("grid", literal(chooser.array("float64", rng.choice(((2, 3), (3, 3)))))),
        ("long", literal(long)),
        ("inner", f"Inner({literal(chooser.real())}, {rng.randint(0, 5)}, ({rng.randint(0, 5)}, 2, 7))"),
    ]
    setup.constants += [
        f"TABLE = {literal(tuple(chooser.real() for _ in range(5)))}",
        f"CODES = {literal(tuple(chooser.whole() for _ in range(4)))}",
        f"ROW = {literal(chooser.array('float64', (3,)))}",
        f"MIXED = {literal((rng.randint(0, 5), 2.5, -3))}",
    ]
    setup.seen += ["params.row", "params.grid", "params.long", "params.inner.a", "params.inner.b", "params.inner.c"]
    setup.seen += ["TABLE", "CODES", "ROW", "MIXED"]


def _add_drivers(setup: Setup, chooser: _Chooser, lanes: bool, small: bool) -> None:
    rng = chooser.rng
    for k in range(2 if small else rng.randint(2, 4)):
        setup.drivers.append(_real(f"x{k}", lanes))
    for k in range(1 if small else rng.randint(1, 3)):
        setup.drivers.append(_whole(f"k{k}", lanes))
    setup.drivers.append(Driver("b0", "b", "False", "b0 = rng.random() < 0.5"))
    if lanes:
        return
    shape = rng.choice(SIZES)
    for k in range(rng.randint(2, 3 if small else 5)):
        if rng.random() < 0.6:
            shape = rng.choice(SIZES)
        weights = (6, 2, 3, 1, 1, 1, 2)
        kinds = ("float64", "float32", "int64", "int32", "int8", "uint8", "bool")
        dtype = rng.choices(kinds, weights)[0]
        if k == 0:
            dtype, shape = "float64", rng.choice(((3,), (5,), (2, 3), (20,)))
        setup.params.append((f"table{k}", literal(chooser.array(dtype, (12,)))))
        setup.drivers.append(_array(f"a{k}", dtype, shape, k, rng))
    _add_exchange(setup.drivers, rng)


def _real(name: str, lanes: bool) -> Driver:
    move = f"{name} = drifted(state.{name}, rng, params)"
    if lanes:
        moved = f"ops.clip(state.{name} * 0.75 + rng.uniform(-3.0, 3.0), -40.0, 40.0)"
        move = f"{name} = ops.where(rng.random() < 0.1, 0.0, {moved})"
    return Driver(name, "f", "rng.uniform(-5.0, 5.0)", move)


def _whole(name: str, lanes: bool) -> Driver:
    move = f"{name} = counted(state.{name}, rng, params)"
    if lanes:
        move = f"{name} = ops.where(rng.random() < 0.2, rng.integers(-9, 10), (state.{name} * 3 + 1) % 1000)"
    return Driver(name, "i", "rng.integers(-3, 9)", move)


def _array(name: str, dtype: str, shape: tuple[int, ...], k: int, rng: random.Random) -> Driver:
    place = ", ".join(f"rng.integers(0, {size})" for size in shape)
    put = f"{name}[{place}] = params.table{k}[rng.integers(0, 12)]"
    move = f"{name} = state.{name}.copy()\n{put}\n{put}"
    if len(shape) == 1:
        move = f"{name} = sown(state.{name}, params.table{k}, rng)"
    if rng.random() < 0.15:
        move = f"{name} = state.{name}\nif rng.random() < 0.4:\n    {name} = state.{name}.copy()\n    {put}"
    kind = f"{dtype}{list(shape)}"
    return Driver(name, kind, zero_of(kind), move)


def _add_exchange(drivers: list[Driver], rng: random.Random) -> None:
    """At times two arrays change places, or one is handed on turned round."""
    arrays = [driver for driver in drivers if "[" in driver.kind]
    one, other = rng.choice(arrays), rng.choice(arrays)
    if one is not other and one.kind == other.kind and rng.random() < 0.4:
        one.move, other.move = f"{one.name} = state.{other.name}", f"{other.name} = state.{one.name}"
    elif rng.random() < 0.1:
        one.move = f"{one.name} = state.{one.name}[::-1]"


def _add_actions(setup: Setup, rng: random.Random, lanes: bool) -> None:
    choices = [
        ("Discrete(3)", ["action"]),
        ("Discrete(5, start=-2)", ["action"]),
        ("Box(-1.0, 1.0, (2,), np.float32)", ["action[0]", "action[1]"]),
        ("Box(-np.inf, np.inf, (1,), np.float64)", ["action[0]"]),
    ]
    if not lanes:
        choices += [
            ("MultiDiscrete([2, 3])", ["action", "action[1]", "int(action[0])"]),
            ("MultiBinary(3)", ["action", "action[2]"]),
            ("Box(-1.0, 1.0, (2, 2), np.float32)", ["action", "float(action[0, 1])"]),
        ]
    setup.action_space, seen = rng.choice(choices)
    setup.seen += seen
