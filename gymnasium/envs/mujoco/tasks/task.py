"""The contract of a task, and arithmetic shared by tasks.

A task sees a simulation only as readings: named arrays, with the names and units of `mujoco.MjData`. They describe one
simulation, `qpos` of shape (nq,), or a batch of n, `qpos` of shape (n, nq); a task is written once for both, so its
results are scalars or arrays of shape (n,), with the same bits.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Array = np.ndarray
# A number of one simulation, or an array of shape (n,).
Number = Any
# A reward, and its parts as the info reports them.
Rewarded = tuple[Number, dict[str, Number]]


class World(Protocol):
    """The constants of a simulation, which a user may change between steps."""

    init_qpos: NDArray[np.float64]
    init_qvel: NDArray[np.float64]
    model: Any

    @property
    def dt(self) -> float:
        """The duration of a step, in s."""
        ...


class Outcome(NamedTuple):
    """The outcome of a step, except the observation."""

    reward: Number
    terminated: Number  # bool
    info: dict[str, Any]


class Task:
    """The task of a robot.

    Attributes:
        reset_noise_scale: The size of the noise in the initial positions and velocities.
        normal_velocities: Whether the noise in velocities is normal instead of uniform.
    """

    reset_noise_scale: float
    normal_velocities: ClassVar[bool] = False

    def needs(self) -> tuple[str, ...]:
        """Returns the names of its readings besides positions and velocities."""
        return ()

    def start(self, rng: np.random.Generator, w: World) -> tuple[Array, Array]:
        """Returns the initial positions and velocities of an episode."""
        scale = self.reset_noise_scale
        qpos = w.init_qpos + rng.uniform(low=-scale, high=scale, size=len(w.init_qpos))
        n = len(w.init_qvel)
        if self.normal_velocities:
            return qpos, w.init_qvel + scale * rng.standard_normal(n)
        return qpos, w.init_qvel + rng.uniform(low=-scale, high=scale, size=n)

    def before(self, r: Any, w: World) -> Any:
        """Returns the readings from before a step that its outcome needs, in new arrays."""

    def observation(self, r: Any) -> tuple[Array, ...]:
        """Returns the parts of the observation, to be joined along the last axis."""
        raise NotImplementedError

    def outcome(self, before: Any, r: Any, action: Array, w: World) -> Outcome:
        """Returns the outcome of a step under `action`, as it was given."""
        raise NotImplementedError

    def reset_info(self, r: Any, w: World) -> dict[str, Any]:
        """Returns the info of a reset."""
        return {}

    def structure(self, r: Any) -> dict[str, int] | None:
        """Returns the sizes of the parts of the observation by source, or None if this was never documented."""
        return None


class CostlyTask(Task):
    """A task with a cost of actions."""

    ctrl_cost_weight: float

    def control_cost(self, r: Any, action: Array) -> Number:
        """Returns the cost of the action."""
        return self.ctrl_cost_weight * squares(action)


class EffortTask(CostlyTask):
    """A task whose outcome depends on the cost of the action and on the robot's position."""

    def outcome(self, before: Any, r: Any, action: Array, w: World) -> Outcome:
        """Returns the outcome of a step under `action`, as it was given."""
        return self.total(before, r, w, self.control_cost(r, action))

    def total(self, before: Any, r: Any, w: World, control_cost: Number) -> Outcome:
        """Returns the outcome of a step whose action had this cost."""
        raise NotImplementedError

    def rewarded(self, velocity: Number, control_cost: Number) -> Rewarded:
        """Returns the reward for a speed, and its parts."""
        raise NotImplementedError


class Terms(NamedTuple):
    """The parts of a living robot's reward besides its speed, and whether the episode is over."""

    control_cost: Number
    survival: Number
    contact_cost: Number
    terminated: Number


class LivingTask(CostlyTask):
    """A task in which the robot must stay healthy, and is rewarded for it.

    Attributes:
        pay_at_end: Whether the step that ends an episode is rewarded for health too.
    """

    healthy_reward: float
    terminate_when_unhealthy: bool
    pay_at_end: bool = False

    def healthy(self, r: Any) -> Number:
        """Returns whether the robot is in good health."""
        raise NotImplementedError

    def survival(self, healthy: Number) -> Number:
        """Returns the reward for health."""
        paid = healthy | self.terminate_when_unhealthy if self.pay_at_end else healthy
        return paid * self.healthy_reward

    def terminated(self, healthy: Number) -> Number:
        """Returns whether the episode is over."""
        return ~healthy if self.terminate_when_unhealthy else False

    def contact_term(self, r: Any) -> Number:
        """Returns the cost of contacts in the reward."""
        return 0.0

    def outcome(self, before: Any, r: Any, action: Array, w: World) -> Outcome:
        """Returns the outcome of a step under `action`, as it was given."""
        healthy = self.healthy(r)
        terms = Terms(
            self.control_cost(r, action), self.survival(healthy), self.contact_term(r), self.terminated(healthy)
        )
        return self.total(before, r, w, terms)

    def total(self, before: Any, r: Any, w: World, terms: Terms) -> Outcome:
        """Returns the outcome of a step with these terms."""
        raise NotImplementedError

    def rewarded(self, velocity: Number, terms: Terms) -> Rewarded:
        """Returns the reward for a speed and these terms, and its parts."""
        raise NotImplementedError


def component(x: Array, i: int) -> Number:
    """Returns the i-th number of each simulation's vector."""
    return x.T[i]


def kept(x: Number) -> Number:
    """Returns a copy of `x`, which a step of the simulation does not change."""
    return x * 1.0  # a number's `copy` takes ten times as long


def whole(x: Number) -> Number:
    """Returns a NumPy integer as Python's, which `json` can write; a batch stays an array."""
    return x if x.ndim else int(x)


def flat(x: Array) -> Array:
    """Returns each simulation's matrix as one vector."""
    return x.reshape(*x.shape[:-2], -1)


def clipped(x: Array, low: float, high: float) -> Array:
    """Returns `x` clipped to [low, high], like `numpy.clip`, in a third of its time."""
    result: Array = np.minimum(np.maximum(x, low), high)
    return result


def squares(x: Array) -> Number:
    """Returns the sum of each simulation's vector squared."""
    # For one vector, the call without an axis takes two thirds of the time.
    return np.add.reduce(x * x, None if x.ndim == 1 else -1)


def norm(x: Array) -> Number:
    """Returns the Euclidean length of each simulation's vector.

    By the dot product of the linear algebra library, like `numpy.linalg.norm`: on some CPUs it is fused, and
    differs in the last bit from a sum of squares.
    """
    if x.ndim == 1:
        return np.sqrt(x.dot(x))
    if hasattr(np, "vecdot"):
        return np.sqrt(np.vecdot(x, x))
    return np.sqrt([row.dot(row) for row in x])


def finite(r: Any) -> Number:
    """Returns whether all positions and velocities are finite."""
    return np.isfinite(r.qpos).all(axis=-1) & np.isfinite(r.qvel).all(axis=-1)


def between(low: float, x: Number, high: float) -> Number:
    """Returns whether `x` lies strictly between."""
    return (low < x) & (x < high)
