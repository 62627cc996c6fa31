"""Advantages and returns of steps, by the same rules in all autoreset modes.

`following[t]`, the value of the observation that step t led to, before any reset, is all that the modes differ in.
Nothing follows a terminated step. A truncated episode would have gone on, so that its last observation has a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.vector._batch.trees import Tree, host, mapped
from palaestra.policies import FuncPolicy
from palaestra.rollouts.policies import Policy, act_function
from palaestra.rollouts.pure import PURE, streams_of

Floats = NDArray[np.float64]


class Values(NamedTuple):
    """The values of observations: the return that is expected from each on."""

    here: Floats
    """Of the observation before each step, shape (T, n)."""
    following: Floats
    """Of the observation after each step; 0 where it is terminated. Shape (T, n)."""
    dtype: np.dtype
    """The dtype that they came in."""


def values_of(rollout: Any, critic: Policy | None, values: Any, last_values: Any, final_values: Any) -> Values:
    """Returns the values that the estimates need.

    Args:
        rollout: The steps.
        critic: A function of observations that returns values, or extras with `value`; None if it is not needed.
        values: Of all observations, shape (T, n) or (T + 1, n); None for the extra `value`, or else the critic's.
        last_values: Of the last observations, shape (n,); None for those in `values`, or else the critic's.
        final_values: Of `final_observations`, shape (k,); None for the critic's.

    Raises:
        ValueError: If values are missing, or of another shape.
    """
    steps, n = rollout.rewards.shape
    value = None if critic is None else _critic(critic, n)
    if values is None:
        values = rollout.extras.get("value")
    if values is None:
        if value is None:
            raise ValueError("Values are missing: give a critic, or values=..., or let the policy return a `value`")
        values = np.stack([value(_rows(rollout.observations, t)) for t in range(steps)])
    values = host(values)
    if values.shape not in ((steps, n), (steps + 1, n)):
        raise ValueError(f"The values must have the shape {(steps, n)} or {(steps + 1, n)}, not {values.shape}")
    here = values[:steps].astype(np.float64)
    following = np.empty_like(here)
    following[:-1] = here[1:]
    finals = rollout.final_observations
    final_steps, final_envs = host(finals.steps), host(finals.envs)
    terminated, valid = host(rollout.terminated), host(rollout.valid)
    needed = ~terminated[-1] & valid[-1]
    needed[final_envs[final_steps == steps - 1]] = False
    if last_values is None and len(values) > steps:
        last_values = values[steps]
    if last_values is None and needed.any():
        last_values = _last_values(value, rollout)
    following[-1] = 0.0 if last_values is None else _shaped("last_values", last_values, (n,))
    if len(final_steps):
        cut = ~terminated[final_steps, final_envs]
        following[final_steps, final_envs] = _final_values(value, rollout, cut, final_values, n)
    dtype = values.dtype if values.dtype.kind == "f" else np.dtype(np.float64)
    return Values(here, np.where(terminated, 0.0, following), dtype)


def advantages(rewards: Any, valid: Any, over: Any, values: Values, gamma: float, lambda_: float) -> Floats:
    """Returns the generalized advantages, shape (T, n); 0 where a step only reset.

    Source: Schulman, Moritz, Levine, Jordan & Abbeel (2016), High-dimensional continuous control using generalized
    advantage estimation, equation 16, cut off where an episode ends.
    """
    errors: Floats = rewards + gamma * values.following - values.here
    found: Floats = np.zeros_like(errors)
    going_on = gamma * lambda_ * ~over
    later = np.zeros(errors.shape[1])
    for t in reversed(range(len(errors))):
        later = errors[t] + going_on[t] * later
        found[t] = later
    found[~valid] = 0.0
    return found


def discounted_sums(rewards: Any, valid: Any, over: Any, following: Floats, gamma: float) -> Floats:
    """Returns the discounted sums of rewards, shape (T, n); 0 where a step only reset.

    They go to the end of the episode or of the steps, and from there on with `following`.
    """
    found = np.zeros(rewards.shape)
    later = following[-1]
    for t in reversed(range(len(rewards))):
        later = rewards[t] + gamma * np.where(over[t], following[t], later)
        found[t] = later
    found[~valid] = 0.0
    return found


def _critic(critic: Policy, n: int) -> Callable[[Tree], np.ndarray]:
    if isinstance(critic, FuncPolicy) and isinstance(critic.params, list):
        raise ValueError(
            "A critic values the observations of all environments, but this one's `params` is a list of those of each: "
            "give last_values=... and final_values=..."
        )
    ask = act_function(critic, streams_of(critic, n) if isinstance(critic, PURE) else None)

    def values(observations: Tree) -> np.ndarray:
        result = ask(observations)
        if type(result) is tuple and len(result) == 2 and isinstance(result[1], Mapping):
            if "value" not in result[1]:
                raise ValueError(f"The critic returned the extras {list(result[1])}, and no `value`")
            result = result[1]["value"]
        array = _shaped("values of the critic", result, (n,))
        if array.dtype.kind != "f":
            raise TypeError(f"The values of the critic must be floats, but {array.dtype} came")
        return array

    return values


def _rows(observations: Tree, rows: int | NDArray[np.intp]) -> Tree:
    """Returns observations of a step, or of some rows, as a policy gets them."""

    def given(array: object) -> Any:
        chosen = host(array)[rows]
        return tuple(chosen) if chosen.dtype.hasobject else chosen

    return mapped(given, observations)


def _last_values(value: Callable[[Tree], np.ndarray] | None, rollout: Any) -> np.ndarray:
    if value is None:
        raise ValueError(
            "Episodes continue after the last step, so the values of the last observations are needed: give the "
            "policy or a critic, or last_values=..."
        )
    return value(_rows(rollout.observations, -1))


def _final_values(
    value: Callable[[Tree], np.ndarray] | None, rollout: Any, cut: NDArray[np.bool_], given: object, n: int
) -> np.ndarray:
    """Returns a value for each final observation; that of a terminated one does not count."""
    if given is not None:
        return _shaped("final_values", given, cut.shape)
    found = np.zeros(len(cut))
    rows = cut.nonzero()[0]
    if len(rows) and value is None:
        raise ValueError(
            f"{len(rows)} episodes were truncated, so that the values of their last observations are needed: give the "
            "policy or a critic, or final_values=..."
        )
    for first in range(0, len(rows), n):
        # Batches of n, as the critic has always seen; the last row fills them.
        chosen = rows[np.minimum(np.arange(first, first + n), len(rows) - 1)]
        batch = _rows(rollout.final_observations.observations, chosen)
        found[chosen] = value(batch)  # type: ignore[misc]  # it is there
    return found


def _shaped(name: str, values: object, shape: tuple[int, ...]) -> np.ndarray:
    array: np.ndarray = host(values)
    if array.shape != shape:
        raise ValueError(f"The {name} must have the shape {shape}, but one of {array.shape} came")
    return array
