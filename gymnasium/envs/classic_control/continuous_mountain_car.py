"""Mountain car with an engine that can be throttled: reach the flag with as little effort as possible.

Source: that of `mountain_car`, which defines the valley.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.classic_control.mountain_car import Valley, ValleyEnv
from gymnasium.functional.attributes import Derived
from gymnasium.functional.env import Parameter
from gymnasium.functional.ops import clip, cos, float32, where
from gymnasium.spaces import Box

__all__ = ["Continuous_MountainCarEnv"]


class State(NamedTuple):
    """The position and velocity of the car.

    The arithmetic of an episode's first step is in double precision, that of all later steps in single precision.
    """

    position: float  # along x; the valley's floor is at -pi/6
    velocity: float  # positions a step
    single: bool  # whether the numbers are, and stay, of single precision


class Params(NamedTuple):
    """Physical constants, and the limits of the task."""

    min_position: float = -1.2  # a wall that the car stops at
    max_position: float = 0.6
    max_speed: float = 0.07
    goal_position: float = 0.45
    goal_velocity: float = 0.0  # at least, at the goal
    power: float = 0.0015  # of the engine, per step^2
    gravity: float = 0.0025
    min_action: float = -1.0  # full throttle to the left
    max_action: float = 1.0
    low: float = -0.6  # of the position at the beginning
    high: float = -0.4


class ContinuousMountainCar(Valley[State, Sequence[float], Params]):
    """The dynamics of MountainCarContinuous."""

    action_space = Box(-1.0, 1.0, (1,), np.float32)

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns the params with these fields."""
        return Params(**kwargs)

    @staticmethod
    def initial(rng: Any, params: Params = Params()) -> State:
        """At rest, the position uniform in [low, high)."""
        return State(rng.uniform(params.low, params.high), 0.0, False)

    @staticmethod
    def transition(state: State, action: Sequence[float], rng: Any, params: Params = Params()) -> State:
        """One step; the action is the throttle, in [-1, 1] after clipping."""
        position, velocity, single = state
        throttle = clip(action[0], params.min_action, params.max_action)
        slope = params.gravity * cos(where(single, float32(3 * position), 3 * position))

        # An action within its bounds is of single precision, and so are its results; a bound is not.
        gain32 = float32(float32(throttle * float32(params.power)) - float32(slope))
        gain = where(throttle == action[0], gain32, throttle * params.power - slope)

        velocity = clip(velocity + where(single, float32(gain), gain), -params.max_speed, params.max_speed)
        velocity32 = float32(velocity)
        position = clip(position + where(single, velocity32, velocity), params.min_position, params.max_position)
        position32 = float32(position)
        at_wall = (position == params.min_position) | (single & (position32 == float32(params.min_position)))
        return State(position32, where(at_wall & (velocity32 < 0), 0.0, velocity32), True)

    @staticmethod
    def reward(state: State, action: Sequence[float], next_state: State, rng: Any, params: Params = Params()) -> float:
        """100 at the goal, minus a tenth of the square of the unclipped action."""
        at_goal = ContinuousMountainCar.terminal(next_state, rng, params)
        return where(at_goal, 100.0, 0.0) - action[0] * action[0] * 0.1

    @staticmethod
    def terminal(state: State, rng: Any, params: Params = Params()) -> bool:
        """Whether the car is at the goal, and fast enough."""
        far = state.position >= float32(params.goal_position)
        return far & (state.velocity >= float32(params.goal_velocity))


class Continuous_MountainCarEnv(ValleyEnv[NDArray[np.float32]]):  # noqa: N801  (the public name)
    """MountainCarContinuous: reach the flag on the hill. MountainCarContinuous-v0 limits an episode to 999 steps.

    Observation, `Box` of shape (2,), float32: position, velocity (positions a step). Action, `Box(-1, 1, (1,))`,
    float32: the throttle, positive to the right; beyond its bounds it is clipped.

    Reward: 100 at the goal, minus 0.1 times the square of the action, not clipped. An episode ends with the car at
    0.45 or further to the right, at `goal_velocity` or faster. Reset options: `"low"` and `"high"`, the bounds of the
    uniform initial position (-0.6 and -0.4).

    Args:
        render_mode: None, `"human"` or `"rgb_array"`.
        goal_velocity: The minimum velocity of the car at the goal.
    """

    dynamics = ContinuousMountainCar
    power = Parameter()
    min_action = Parameter()
    max_action = Parameter()

    @Derived
    def low_state(self) -> NDArray[np.float32]:
        """The minimum position and velocity, float32 of shape (2,)."""
        return np.array([self.min_position, -self.max_speed], np.float32)

    @Derived
    def high_state(self) -> NDArray[np.float32]:
        """The maximum position and velocity, likewise."""
        return np.array([self.max_position, self.max_speed], np.float32)

    @property
    def state(self) -> Any:
        """The state as an array of shape (2,), float64 after a reset and float32 after a step; None before the first.

        An assignment takes effect at the next step, in the precision of its dtype.
        """
        return self._lend(np.float32 if self._dynamics_state and self._dynamics_state.single else np.float64)

    @state.setter
    def state(self, value: Any) -> None:
        self._take(value)
        if value is not None:
            self._dynamics_state = self._dynamics_state._replace(single=getattr(value, "dtype", None) == np.float32)
