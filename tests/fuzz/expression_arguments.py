"""Arguments of random functions: what they are called, and values of them, most of them harmless."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

FLOATS = (
    *(0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 1e-310, 2.2250738585072014e-308, 1e308, -1e308),
    *(2.0**53, 2.0**53 + 2, -(2.0**53), 2.0**62, 2.0**63, -(2.0**63), 1e16, 1e-160, -1e160, 745.2, -745.2, 709.9),
    *(1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 0.1, 2.0, math.pi, 1.0 - 2**-53, 1.0 + 2**-52, 3e38, 1e-40, 16777217.0),
)
INTS = (
    *(0, 1, -1, 2, 3, -3, 62, 63, 64, 65, -64, 127, 128, -128, 255, 256, 2**31, -(2**31), 2**32 + 1, 2**53),
    *(2**53 + 1, -(2**53) - 1, 2**53 - 1, 2**60 + 2**36 + 1, 2**62, -(2**62), 2**63 - 1, -(2**63), -(2**63) + 1),
    *(3037000500, 10**18, 94906267),
)
NARROW = {"J0": np.int8, "J1": np.uint8, "J2": np.int32, "J3": np.uint16, "J4": np.int8, "J5": np.uint8}
SIZES = (0, 1, 2, 4, 7, 8, 9, 17, 40, 130, 300)


class Record(NamedTuple):
    x: float
    n: int
    row: Any


@dataclass
class Chance:
    """Makes the values of one call.

    Attributes:
        nasty: The chance of a number that hardly anybody thinks of.
        n: The length of arrays of one axis.
        m: The number of rows.
    """

    rng: random.Random
    nasty: float
    n: int
    m: int

    def float(self) -> float:
        chance = self.rng.random()
        if chance < self.nasty:
            return self.rng.choice(FLOATS)
        if chance < 0.6:
            return self.rng.uniform(-6.0, 6.0)
        return self.rng.choice((self.rng.gauss(0.0, 1.0), self.rng.randrange(-40, 40) / 4, self.rng.uniform(0.0, 1.0)))

    def int(self) -> int:
        if self.rng.random() < self.nasty:
            return self.rng.choice(INTS)
        return self.rng.choice((self.rng.randrange(-4, 9), self.rng.randrange(3), self.rng.randrange(-1000, 1000)))

    def bool(self) -> bool:
        return self.rng.random() < 0.5

    def floats(self, *shape: int, dtype: Any = np.float64) -> Any:
        return self._array([self.float() for _ in range(math.prod(shape))], shape, dtype)

    def ints(self, *shape: int) -> Any:
        return self._array([self.int() for _ in range(math.prod(shape))], shape, np.int64)

    def narrow(self, dtype: Any) -> Any:
        low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        found = (low, high, 0, 1, self.rng.randrange(low, high + 1))
        return self._array([self.rng.choice(found) for _ in range(self.n)], (self.n,), dtype)

    def bools(self, *shape: int) -> Any:
        return self._array([self.bool() for _ in range(math.prod(shape))], shape, np.bool_)

    def strided(self) -> Any:
        return frozen(self.floats(self.n, 3)[:, 1])

    def turned(self) -> Any:
        return frozen(self.floats(self.n, self.m).T)

    def _array(self, values: Any, shape: tuple[int, ...], dtype: Any) -> Any:
        with np.errstate(all="ignore"):
            return frozen(np.array(values, dtype).reshape(shape))


def frozen(array: Any) -> Any:
    """Returns a read-only array."""
    array.flags.writeable = False
    return array


MADE: dict[str, Callable[[Chance], Any]] = {
    **{f"x{k}": Chance.float for k in range(4)},
    **{f"n{k}": Chance.int for k in range(4)},
    **{f"t{k}": Chance.bool for k in range(2)},
    **{f"V{k}": lambda chance: chance.floats(chance.n) for k in range(2)},
    **{f"M{k}": lambda chance: chance.floats(chance.m, chance.n) for k in range(2)},
    "Q0": lambda chance: chance.floats(3, 3),
    "Q1": lambda chance: chance.floats(3, 3),
    "T0": lambda chance: chance.floats(3),
    **{f"I{k}": lambda chance: chance.ints(chance.n) for k in range(2)},
    "K0": lambda chance: chance.ints(chance.m, chance.n),
    "B0": lambda chance: chance.bools(chance.n),
    "B1": lambda chance: chance.bools(chance.n),
    **{name: lambda chance, dtype=dtype: chance.narrow(dtype) for name, dtype in NARROW.items()},
    "S0": lambda chance: chance.floats(chance.n, dtype=np.float32),
    "S1": lambda chance: chance.floats(chance.n, dtype=np.float32),
    "A0": Chance.strided,
    "F0": Chance.turned,
    "X0": lambda chance: (chance.float(), chance.float(), chance.float()),
    "Y0": lambda chance: (chance.int(), chance.int(), chance.int()),
    "Z0": lambda chance: (chance.float(), chance.int(), chance.float()),
    "P0": lambda chance: Record(chance.float(), chance.int(), chance.floats(chance.n)),
}
"""By an argument's name, what makes its value."""


def inputs(rng: random.Random, names: list[str], count: int) -> list[dict[str, Any]]:
    """Returns values of the arguments for several calls; the shapes of the first are the usual ones."""
    n, m = rng.choice((3, 4, 5)), rng.choice((2, 3))
    calls = []
    for k in range(count):
        odd = k > 0 and rng.random() < 0.2
        nasty = 0.0 if k < 3 else rng.choice((0.0, 0.0, 0.05, 0.1, 0.3, 1.0))
        chance = Chance(rng, nasty, rng.choice(SIZES) if odd else n, rng.choice((1, 2, 3, 5)) if odd else m)
        calls.append({name: MADE[name](chance) for name in names})
    return calls
