"""Shared parts of the classic control environments: reset options, a state as an array, class constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

import numpy as np

from gymnasium.core import ActType, ObsType
from gymnasium.functional.env import FunctionalEnv, Parameter

__all__ = ["maybe_parse_reset_bounds", "verify_number_and_cast"]


def verify_number_and_cast(x: Any) -> float:
    """Returns `x` as a float.

    Raises:
        ValueError: If it is not a number.
    """
    try:
        if isinstance(x, str):
            raise TypeError
        return float(x)
    except (TypeError, ValueError) as error:
        raise ValueError(f"A reset option must be a number, but {x!r} came") from error


def checked_options(options: dict[str, Any] | None) -> dict[str, Any]:
    """Returns the options of a reset, by default none.

    Raises:
        TypeError: If they are no dict.
    """
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(
            f"Reset options must be a dict or None, but {options!r} came; write reset(options={{name: ...}})"
        )
    return {} if options is None else options


def maybe_parse_reset_bounds(
    options: dict[str, Any] | None, default_low: float, default_high: float
) -> tuple[float, float]:
    """Returns the options `"low"` and `"high"` as floats, each with its default.

    Raises:
        TypeError: If the options are no dict.
        ValueError: If one is not a finite number, or the low one is above the high one.
    """
    options = checked_options(options)
    low = verify_number_and_cast(options.get("low", default_low))
    high = verify_number_and_cast(options.get("high", default_high))
    if not (isfinite(low) and isfinite(high)):
        raise ValueError(f"The reset options 'low' and 'high' must be finite, but low={low} and high={high} came")
    if low > high:
        raise ValueError(f"The reset option 'low' must not lie above 'high', but low={low} and high={high} came")
    return low, high


class ArrayStateEnv(FunctionalEnv[ObsType, ActType]):
    """A runner whose `state` is an array of float64: the leading fields of the dynamics' state, up to `state_size`.

    The returned array may be modified in place; like an assignment, this takes effect at the next step.
    """

    state_size = 4

    @property
    def state(self) -> Any:
        """The state as an array of shape `(state_size,)` and dtype float64; None before the first reset."""
        return self._lend(np.float64)

    @state.setter
    def state(self, value: Any) -> None:
        self._take(value)

    def _lend(self, dtype: type[np.floating]) -> Any:
        if self._dynamics_state is not None and self._lent is None:
            self._lent = np.array(self._dynamics_state[: self.state_size], dtype)
        return self._lent

    def _take(self, value: Any) -> None:
        if value is None:
            self._dynamics_state = self._lent = None
            return
        numbers = [float(number) for number in value]
        if len(numbers) < self.state_size:
            raise self._wrong_size(len(numbers))
        self._set_leading(numbers[: self.state_size])
        if len(numbers) > self.state_size:  # a subclass with a step of its own may keep more
            self._lent = value

    def _take_back(self) -> None:
        if len(self._lent) != self.state_size:
            raise self._wrong_size(len(self._lent))
        self._set_leading(self._lent.tolist())

    def _wrong_size(self, size: int) -> ValueError:
        return ValueError(
            f"The state of {type(self).__name__} has {self.state_size} numbers, but {size} came: assign as many, or "
            "override step too"
        )

    def _set_leading(self, numbers: list[float]) -> None:
        if self._dynamics_state is None:
            self._dynamics_state = self.func_env.initial(self._stream(), self.params)
        self._dynamics_state = type(self._dynamics_state)(*numbers, *self._dynamics_state[self.state_size :])
        self._lent = None


class Constant(Parameter):
    """A `Parameter` that can also be read on the class, from its `constants`, a dict of fields.

    Args:
        field: The field of the params; the attribute has another name.
        take: Converts a value that is set to the field.
        show: Converts the field to the attribute.
    """

    def __init__(
        self, field: str, take: Callable[[Any], Any] = float, show: Callable[[Any], Any] | None = None
    ) -> None:
        super().__init__(field)
        self.take, self.show = take, show

    def __get__(self, env: FunctionalEnv | None, owner: Any) -> Any:
        value = owner.constants[self.field] if env is None else getattr(env.params, self.field)
        return value if self.show is None else self.show(value)

    def __set__(self, env: FunctionalEnv, value: Any) -> None:
        env.params = env.params._replace(**{self.field: self.take(value)})


def taken_constants(cls: type) -> dict[str, Any]:
    """Returns the fields that the body of `cls` sets under the names of inherited `Constant`s."""
    taken = {}
    for name, value in list(cls.__dict__.items()):
        constant = next((base.__dict__[name] for base in cls.__mro__[1:] if name in base.__dict__), None)
        if isinstance(constant, Constant):
            taken[constant.field] = constant.take(value)
            delattr(cls, name)
    return taken
