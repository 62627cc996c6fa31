"""The base of distributions, and the one that draws nothing.

This is all that batches know of distributions; `palaestra.randomization` has those that draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np

from gymnasium.params.draws import Values, constant
from gymnasium.params.values import converted, floats, kept, plain, together

Number: TypeAlias = bool | int | float
Draw: TypeAlias = Callable[[Any, Any, int], Any]


class Distribution:
    """The base of all distributions. They are frozen: changed ones are new ones."""

    @property
    def draw(self) -> Draw:
        """The pure function `draw(bounds, rng, episode)`, which returns a number."""
        raise NotImplementedError(f"{type(self).__name__} has no `draw`")

    @property
    def bounds(self) -> Any:
        """The numbers that `draw` gets, a NamedTuple of numbers and arrays."""
        raise NotImplementedError(f"{type(self).__name__} has no `bounds`")

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a draw, `()` for a number."""
        return ()

    def elements(self) -> list[Distribution]:
        """Returns the distributions of the elements of an array, in C order; of a number itself."""
        return [self]

    def extremes(self) -> list[Any]:
        """Returns values that an environment has to accept: finite bounds, or all values; empty if unknown."""
        return []

    def of_kind(self, kind: type[Number]) -> Distribution:
        """Returns the distribution with values of this kind: `bool`, `int` or `float`.

        Raises:
            TypeError: If it draws others.
        """
        if kind is not float:
            raise TypeError(f"{self} draws floats, not values of the type {kind.__name__}: use Choice")
        return self

    def of(self, i: int) -> Distribution:
        """Returns the distribution for environment i."""
        return self

    def part(self, rows: slice) -> Distribution:
        """Returns the distribution for some environments of a batch."""
        return self

    @property
    def count(self) -> int | None:
        """The number of environments for which there are values; None for any number."""
        return None

    @property
    def scale(self) -> Distribution | None:
        """The distribution of the factor, if the environment's own value is multiplied by it."""
        return None

    @property
    def user_function(self) -> Callable[[Any, int], Any] | None:
        """The user's function of (rng, episode), if that draws."""
        return None


@dataclass(frozen=True)
class Constant(Distribution):
    """One value; nothing is drawn.

    Args:
        value: The value.
    """

    value: Any

    def __post_init__(self) -> None:
        """Convert a scalar of NumPy's, and keep an array as it is now."""
        object.__setattr__(self, "value", kept(plain(self.value)))

    @property
    def draw(self) -> Draw:
        """Draws nothing."""
        return constant

    @property
    def bounds(self) -> Values:
        """The value."""
        return Values(together((self.value,)), np.zeros(0))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value."""
        return np.shape(self.value)

    def elements(self) -> list[Distribution]:
        """Returns the elements of an array as constants."""
        return [Constant(value) for value in np.ravel(self.value).tolist()] if self.shape else [self]

    def extremes(self) -> list[Any]:
        """Returns the value."""
        return [self.value]

    def of_kind(self, kind: type[Number]) -> Constant:
        """Returns the value in this kind."""
        return Constant(converted(self, self.value, kind))


class OfArrays(Distribution):
    """A distribution whose bounds may be arrays of one shape: it then draws an array, element by element."""

    def check(self) -> None:
        """Convert the bounds to floats, or arrays of them, of one shape."""
        shapes = set()
        for field in fields(self):  # type: ignore[arg-type]  # the subclasses are dataclasses
            value = floats(f"{field.name} of {type(self).__name__}", getattr(self, field.name))
            object.__setattr__(self, field.name, value)
            shapes |= {value.shape} if isinstance(value, np.ndarray) else set()
        if len(shapes) > 1:
            raise ValueError(f"The arrays of {type(self).__name__} need one shape, but {sorted(shapes)} came")

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the arrays among the bounds."""
        values = [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]
        return next((value.shape for value in values if isinstance(value, np.ndarray)), ())

    def elements(self) -> list[Distribution]:
        """Returns the distribution of each element, in C order."""
        shape = self.shape
        if not shape:
            return [self]
        columns = {
            field.name: np.broadcast_to(getattr(self, field.name), shape).ravel().tolist()
            for field in fields(self)  # type: ignore[arg-type]
        }
        count = math.prod(shape)
        return [type(self)(**{name: column[k] for name, column in columns.items()}) for k in range(count)]

    def extremes(self) -> list[Any]:
        """Returns the bounds `low` and `high`, if there are such and they are finite."""
        found = [np.broadcast_to(getattr(self, name), self.shape) for name in ("low", "high") if hasattr(self, name)]
        return [bound.copy() if self.shape else float(bound) for bound in found if np.isfinite(bound).all()]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)  # type: ignore[arg-type]
        )

    def __hash__(self) -> int:
        return hash((type(self), self.shape))
