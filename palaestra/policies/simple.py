"""Policies of a few lines: random, linear, tabular."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.box import Box
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple
from palaestra.policies.base import FuncPolicy


class Choices(NamedTuple):
    """The params of `Random` for a `Discrete` space."""

    start: int
    n: int


class Range(NamedTuple):
    """The params of `Random` for a `Box`."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


class Random(FuncPolicy[Any]):
    """Actions drawn uniformly from a space.

    Args:
        space: A `Discrete` space, or a bounded `Box` of one axis.
        seed: See `FuncPolicy`.

    Raises:
        TypeError: For another space.
    """

    def __init__(self, space: Space, *, seed: int = 0) -> None:
        if isinstance(space, Discrete):
            super().__init__(Choices(int(space.start), int(space.n)), seed=seed)
            vars(self)["act"] = chosen
        elif isinstance(space, Box) and len(space.shape) == 1 and space.is_bounded():
            super().__init__(Range(space.low.astype(np.float64), space.high.astype(np.float64)), seed=seed)
            vars(self)["act"] = within
        else:
            raise TypeError(f"Random draws from a Discrete space or a bounded Box of one axis, but {space} came")


def chosen(params: Any, observation: Any, rng: Any) -> Any:
    """Returns a random action of `Choices`."""
    return rng.integers(params.start, params.start + params.n)


def within(params: Any, observation: Any, rng: Any) -> Any:
    """Returns a random action of a `Range`."""
    action = np.zeros(params.low.shape[0])
    for k in range(params.low.shape[0]):
        action[k] = rng.uniform(params.low[k], params.high[k])
    return action


class Weights(NamedTuple):
    """The params of `Linear`.

    Attributes:
        weights: Of shape (outputs, inputs).
        bias: Of shape (outputs,).
        low: The lowest actions of a `Box`, shape (outputs,).
        high: The highest ones.
    """

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


class Linear(FuncPolicy[Weights]):
    """Outputs `weights @ observation + bias`, added up from the first input on.

    In a `Discrete` space, the action is the first with the highest output; in a `Box` it is the outputs, clipped.

    Args:
        weights: Of shape (outputs, inputs). May be replaced later: `policy.params = policy.params._replace(...)`.
        bias: Of shape (outputs,); None for zeros.
        space: The space of one action: `Discrete` that starts at 0, or a `Box` of one axis.
        seed: See `FuncPolicy`.

    Raises:
        TypeError: For another space.
        ValueError: If the shapes do not fit.
    """

    def __init__(self, weights: object, space: Space, bias: object = None, *, seed: int = 0) -> None:
        weights = np.array(weights, np.float64, order="C")
        if isinstance(space, Discrete) and space.start == 0:
            outputs, low, high = int(space.n), np.zeros(0), np.zeros(0)
            vars(self)["act"] = best
        elif isinstance(space, Box) and len(space.shape) == 1:
            outputs, low, high = space.shape[0], space.low.astype(np.float64), space.high.astype(np.float64)
            vars(self)["act"] = clipped
        else:
            raise TypeError(f"Linear acts in a Discrete space from 0 on, or a Box of one axis, but {space} came")
        bias = np.zeros(outputs) if bias is None else np.array(bias, np.float64)
        if weights.ndim != 2 or weights.shape[0] != outputs or bias.shape != (outputs,):
            raise ValueError(
                f"Linear for {space} needs weights of the shape ({outputs}, inputs) and a bias of ({outputs},), but "
                f"{weights.shape} and {bias.shape} came"
            )
        super().__init__(Weights(weights, bias, low, high), seed=seed)

    def check_observation_space(self, space: Space) -> None:
        """Raise TypeError for anything else than numbers along one axis, and ValueError for another number of inputs.

        A `Tuple` of spaces of one number each, such as Blackjack's, is an axis too.
        """
        if self.act not in (best, clipped):  # somebody has set a function of their own
            return
        numbers = _numbers_of(space)
        if numbers is None:
            raise TypeError(f"Linear acts on observations of numbers along one axis, not of {space}: flatten them")
        for one in self.params if isinstance(self.params, list) else [self.params]:
            if one is not None and one.weights.shape[1] != numbers:
                raise ValueError(f"Linear has weights of {one.weights.shape}, but observations have {numbers} numbers")


def _numbers_of(space: Space) -> int | None:
    """Returns how many numbers an observation holds, each at an index of its own; None if it holds anything else."""
    if isinstance(space, Tuple):
        return len(space.spaces) if all(_is_number(part, "biuf") for part in space.spaces) else None
    return space.shape[0] if space.shape and prod(space.shape[1:]) == 1 and _is_of(space, "biuf") else None


def _is_number(space: Space, kinds: str) -> bool:
    return space.shape is not None and prod(space.shape) == 1 and _is_of(space, kinds)


def _is_of(space: Space, kinds: str) -> bool:
    return space.dtype is not None and np.dtype(space.dtype).kind in kinds


def best(params: Any, observation: Any, rng: Any) -> Any:
    """Returns the first action with the highest output of `Weights`."""
    found, highest = 0, -np.inf
    for j in range(params.weights.shape[0]):
        output = params.bias[j]
        for k in range(params.weights.shape[1]):
            output += params.weights[j, k] * observation[k]
        if output > highest:
            found, highest = j, output
    return found


def clipped(params: Any, observation: Any, rng: Any) -> Any:
    """Returns the outputs of `Weights`, clipped."""
    action = params.bias.copy()
    for j in range(params.weights.shape[0]):
        for k in range(params.weights.shape[1]):
            action[j] += params.weights[j, k] * observation[k]
        action[j] = min(max(action[j], params.low[j]), params.high[j])
    return action


class Table(NamedTuple):
    """The params of `Tabular`.

    Attributes:
        values: The value of each action in each state, shape (states, actions).
        epsilon: The probability of a random action.
    """

    values: NDArray[np.float64]
    epsilon: float


class Tabular(FuncPolicy[Table]):
    """The first action of the highest value in a table, or with the probability `epsilon` any action.

    Args:
        values: The value of each action in each state, shape (states, actions). The array is not copied: changes are
            seen by the next rollout.
        epsilon: The probability of a random action.
        seed: See `FuncPolicy`.

    Raises:
        ValueError: If the table is no C-contiguous float64 array of two axes, or `epsilon` no probability.
    """

    def __init__(self, values: NDArray[np.float64], epsilon: float = 0.0, *, seed: int = 0) -> None:
        if values.ndim != 2 or values.dtype != np.float64 or not values.flags.c_contiguous:
            raise ValueError(
                f"Tabular needs a C-contiguous float64 array of two axes, but one of {values.dtype} and the shape "
                f"{values.shape} came"
            )
        if not 0.0 <= epsilon <= 1.0:
            raise ValueError(f"`epsilon` must be a probability, but {epsilon!r} came")
        super().__init__(Table(values, float(epsilon)), seed=seed)

    def check_observation_space(self, space: Space) -> None:
        """Raise TypeError for anything else than one integer, and ValueError if a state of `Discrete` has no row."""
        if self.act is not Tabular.act:  # a subclass may look its values up in another way
            return
        if not _is_number(space, "iu"):
            raise TypeError(f"Tabular acts on observations of a Discrete space, but these are of {space}")
        if not isinstance(space, Discrete):  # the bounds of a Box may lie far beyond the states
            return
        last = int(space.start + space.n) - 1
        for one in self.params if isinstance(self.params, list) else [self.params]:
            if one is not None and not (space.start >= 0 and last < len(one.values)):
                raise ValueError(
                    f"Tabular has values of {len(one.values)} states, but observations go from {space.start} to {last}"
                )

    @staticmethod
    def act(params: Any, observation: Any, rng: Any) -> Any:
        """Returns the action for the state `observation`."""
        if rng.random() < params.epsilon:
            return rng.integers(params.values.shape[1])
        found, highest = 0, -np.inf
        for action in range(params.values.shape[1]):
            if params.values[observation, action] > highest:
                found, highest = action, params.values[observation, action]
        return found
