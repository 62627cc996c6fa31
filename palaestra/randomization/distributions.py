"""Distributions of a param: a pure function `draw(bounds, rng, episode)`, and the numbers `bounds` that it gets.

The functions are written in the language of dynamics (see `FuncEnv`), so that Python and machine code draw the same
bits. Bounds are numbers and arrays: a distribution with others needs no new machine code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gymnasium.params.base import Constant, Distribution, Draw, Number, OfArrays
from gymnasium.params.draws import (
    Bell,
    LogRange,
    Range,
    Values,
    choice,
    log_normal,
    log_uniform,
    normal,
    uniform,
    weighted,
)
from gymnasium.params.randomization import Randomization
from gymnasium.params.values import check_bell, check_log_bell, check_ordered, converted, kept, plain, together

__all__ = [
    "Choice",
    "Constant",
    "Distribution",
    "Each",
    "Function",
    "LogNormal",
    "LogUniform",
    "Normal",
    "Scale",
    "Uniform",
    "distribution_of",
    "randomization_of",
]


@dataclass(frozen=True, eq=False)
class Uniform(OfArrays):
    """Uniform in [low, high).

    Args:
        low: The lowest value; for an array, one for each element.
        high: The highest.

    Raises:
        TypeError: If a bound is no number.
        ValueError: If one is not finite, or `low` exceeds `high`.
    """

    low: float | NDArray[np.float64]
    high: float | NDArray[np.float64]

    def __post_init__(self) -> None:
        """Check the bounds."""
        self.check()
        check_ordered(self, self.low, self.high)

    @property
    def draw(self) -> Draw:
        """Draws by `rng.uniform`."""
        return uniform

    @property
    def bounds(self) -> Range:
        """The bounds of a number."""
        return Range(float(self.low), float(self.high))


@dataclass(frozen=True, eq=False)
class LogUniform(OfArrays):
    """A number whose logarithm is uniform: each factor of ten is as probable as another.

    Args:
        low: The lowest value, above 0; for an array, one for each element.
        high: The highest.

    Raises:
        TypeError: If a bound is no number.
        ValueError: If one is not finite, `low` is not positive, or `low` exceeds `high`.
    """

    low: float | NDArray[np.float64]
    high: float | NDArray[np.float64]

    def __post_init__(self) -> None:
        """Check the bounds."""
        self.check()
        check_ordered(self, self.low, self.high)
        if not np.all(np.asarray(self.low) > 0):
            raise ValueError(f"{self} needs bounds above 0")

    @property
    def draw(self) -> Draw:
        """Draws by `rng.uniform` and `math.exp`."""
        return log_uniform

    @property
    def bounds(self) -> LogRange:
        """The bounds of a number, and their logarithms."""
        low, high = float(self.low), float(self.high)
        return LogRange(low, high, math.log(low), math.log(high))


@dataclass(frozen=True, eq=False)
class Normal(OfArrays):
    """A normal distribution; values beyond `low` and `high` are clipped.

    Args:
        mean: The mean; for an array, one for each element.
        std: The standard deviation.
        low: The lowest value.
        high: The highest.

    Raises:
        TypeError: If one is no number.
        ValueError: If mean or standard deviation are not finite, the latter is negative, or `low` exceeds `high`.
    """

    mean: float | NDArray[np.float64]
    std: float | NDArray[np.float64]
    low: float | NDArray[np.float64] = -math.inf
    high: float | NDArray[np.float64] = math.inf

    def __post_init__(self) -> None:
        """Check the bounds."""
        self.check()
        check_bell(self, self.mean, self.std)
        if not np.all(np.asarray(self.low) <= np.asarray(self.high)):
            raise ValueError(f"{self} needs `low` up to `high`")

    @property
    def draw(self) -> Draw:
        """Draws by `rng.normal`."""
        return normal

    @property
    def bounds(self) -> Bell:
        """The bounds of a number."""
        return Bell(float(self.mean), float(self.std), float(self.low), float(self.high))


@dataclass(frozen=True, eq=False)
class LogNormal(OfArrays):
    """A number whose logarithm is normal.

    Args:
        mean: The mean of the logarithm; for an array, one for each element.
        sigma: Its standard deviation.

    Raises:
        TypeError: If one is no number.
        ValueError: If one is not finite, the standard deviation is negative, or values could be infinite.
    """

    mean: float | NDArray[np.float64]
    sigma: float | NDArray[np.float64]

    def __post_init__(self) -> None:
        """Check the bounds."""
        self.check()
        check_log_bell(self, self.mean, self.sigma)

    @property
    def draw(self) -> Draw:
        """Draws by `rng.normal` and `math.exp`."""
        return log_normal

    @property
    def bounds(self) -> Bell:
        """The bounds of a number's logarithm."""
        return Bell(float(self.mean), float(self.sigma), -math.inf, math.inf)


@dataclass(frozen=True)
class Choice(Distribution):
    """One of some values.

    Args:
        values: The values: numbers, or for attributes anything.
        p: The probability of each; None for equal ones.

    Raises:
        TypeError: If `values` is no sequence.
        ValueError: If it is empty, or `p` does not hold a probability for each.
    """

    values: Sequence[Any]
    p: Sequence[float] | None = None

    def __post_init__(self) -> None:
        """Check the values."""
        if isinstance(self.values, str) or not isinstance(self.values, (Sequence, np.ndarray)):
            raise TypeError(f"Choice needs a sequence of values, but {self.values!r} came")
        values = tuple(map(plain, self.values))
        if not values:
            raise ValueError("Choice needs one value at least")
        object.__setattr__(self, "values", values)
        if self.p is not None:
            p = np.asarray(self.p, np.float64)
            if p.shape != (len(values),) or not (p >= 0).all() or abs(p.sum() - 1) > 1e-8:
                raise ValueError(f"Choice needs {len(values)} probabilities that add up to 1, but {self.p!r} came")
            object.__setattr__(self, "p", tuple(p.tolist()))

    @property
    def draw(self) -> Draw:
        """Draws by `rng.integers`; with probabilities by `rng.random`."""
        return choice if self.p is None else weighted

    @property
    def bounds(self) -> Values:
        """The values, and the sums of their probabilities."""
        reached = np.cumsum(() if self.p is None else self.p)
        return Values(together(tuple(self.values)), reached / reached[-1] if len(reached) else reached)

    def extremes(self) -> list[Any]:
        """Returns all values."""
        return list(self.values)

    def of_kind(self, kind: type[Number]) -> Choice:
        """Returns the choice with values of this kind."""
        return replace(self, values=tuple(converted(self, value, kind) for value in self.values))


@dataclass(frozen=True, eq=False)
class Each(Distribution):
    """A value for each environment of a batch; nothing is drawn.

    Args:
        values: An array or list, its first axis the environments.

    Raises:
        ValueError: If it has no axis.
    """

    values: ArrayLike

    def __post_init__(self) -> None:
        """Check the values."""
        if np.ndim(self.values) == 0:
            raise ValueError(f"Each needs a value for each environment, but {self.values!r} came")
        object.__setattr__(self, "values", kept(tuple(self.values) if isinstance(self.values, list) else self.values))

    def of(self, i: int) -> Constant:
        """Returns the value of environment i."""
        return Constant(self.values[i])  # type: ignore[index]  # a sequence, see above

    def part(self, rows: slice) -> Each:
        """Returns the values of some environments."""
        return Each(self.values[rows])  # type: ignore[index]

    @property
    def count(self) -> int:
        """The number of environments."""
        return len(self.values)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Scale(Distribution):
    """A multiple of the environment's own value; an array is multiplied as a whole.

    Args:
        factor: The distribution of the factor, of a number, or of an array of the param's shape.

    Raises:
        TypeError: If it is no distribution of numbers.
    """

    factor: Distribution

    def __post_init__(self) -> None:
        """Check the factor."""
        factor = distribution_of("Scale", self.factor)
        if factor.scale is not None:
            raise TypeError(f"Scale takes another distribution, but {factor} came")
        object.__setattr__(self, "factor", factor)

    def of(self, i: int) -> Scale:
        """Returns the scale for environment i."""
        return Scale(self.factor.of(i))

    def part(self, rows: slice) -> Scale:
        """Returns the scale for some environments."""
        return Scale(self.factor.part(rows))

    @property
    def count(self) -> int | None:
        """That of the factor."""
        return self.factor.count

    @property
    def scale(self) -> Distribution:
        """The distribution of the factor."""
        return self.factor


@dataclass(frozen=True)
class Function(Distribution):
    """The result of a pure function `f(rng, episode)` in the language of dynamics.

    `episode` is the number of episodes since the environment was seeded, 0 for the first. The function is tried once
    beforehand. In a compiled batch it may call `rng.random`, `uniform`, `integers`, `normal` and `standard_normal`, for
    single numbers.

    Args:
        function: The function. It draws from `rng` only.

    Raises:
        TypeError: If it is not callable.
    """

    function: Callable[[Any, int], Any]

    def __post_init__(self) -> None:
        """Check the function."""
        if not callable(self.function):
            raise TypeError(f"Function needs a function of (rng, episode), but {self.function!r} came")

    @property
    def draw(self) -> Draw:
        """Calls the function with the generator and the episode's number."""
        return lambda bounds, rng, episode: self.function(rng, episode)

    @property
    def user_function(self) -> Callable[[Any, int], Any]:
        """The function."""
        return self.function

    @property
    def bounds(self) -> tuple[()]:
        """Nothing."""
        return ()

    def of_kind(self, kind: type[Number]) -> Function:
        """Returns itself: its results are converted."""
        return self


def randomization_of(params: Mapping[str, object]) -> Randomization:
    """Returns the distributions of some params.

    Args:
        params: For each name a distribution, a number, an array or list with a value for each environment, or a
            function of (rng, episode).

    Raises:
        TypeError: For anything else.
    """
    return Randomization({name: distribution_of(name, value) for name, value in params.items()})


def distribution_of(name: str, value: object) -> Distribution:
    """Returns the value given for the param `name` as a distribution.

    A number is a `Constant`, a function a `Function`, and an array or list an `Each`.

    Raises:
        TypeError: For anything else.
    """
    if isinstance(value, Distribution):
        return value
    if isinstance(value, (np.ndarray, list, tuple)) and np.ndim(value) > 0:
        return Each(value)
    if isinstance(value, (bool, int, float, np.generic, np.ndarray)):
        return Constant(value)
    if callable(value):
        return Function(value)
    raise TypeError(
        f"{name} needs a distribution of palaestra.randomization, a number, an array with a value for each environment "
        f"or a function of (rng, episode), but {value!r} came"
    )
