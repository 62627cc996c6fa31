"""Mountain car: rock an underpowered car up the hill, by driving away from the goal first.

Source: Moore (1990), "Efficient memory-based learning for robot control", PhD thesis, Cambridge; in the form of Sutton
(1996), "Generalization in reinforcement learning", NIPS 8. This module also holds the parts shared with the continuous
car (`continuous_mountain_car`): the valley, and the environment around it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar

from gymnasium.core import ActType
from gymnasium.envs.classic_control.utils import ArrayStateEnv, maybe_parse_reset_bounds
from gymnasium.functional.attributes import Derived
from gymnasium.functional.env import Parameter
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.ops import clip, cos, where
from gymnasium.spaces import Box, Discrete

__all__ = ["MountainCarEnv"]

StateType = TypeVar("StateType", default=Any)
ParamsType = TypeVar("ParamsType", default=Any)

# SDL's codes of the arrow keys, `pygame.K_LEFT` and `pygame.K_RIGHT`.
K_LEFT, K_RIGHT = 0x40000050, 0x4000004F


class State(NamedTuple):
    """The position and velocity of the car. The hills have the height sin(3 position)."""

    position: float  # along x; the valley's floor is at -pi/6
    velocity: float  # positions a step


class Params(NamedTuple):
    """Physical constants, and the limits of the task."""

    min_position: float = -1.2  # a wall that the car stops at
    max_position: float = 0.6
    max_speed: float = 0.07
    goal_position: float = 0.5
    goal_velocity: float = 0.0  # at least, at the goal
    force: float = 0.001  # of the engine, per step^2
    gravity: float = 0.0025
    low: float = -0.6  # of the position at the beginning
    high: float = -0.4


class Valley(FuncEnv[StateType, tuple[float, float], ActType, float, bool, Any, ParamsType]):
    """The common base of the discrete and the continuous car."""

    observation_space = Box(np.array([-1.2, -0.07], np.float32), np.array([0.6, 0.07], np.float32))
    metadata = {"render_modes": ["human", "rgb_array"], "render_fps": 30}
    drawing = "gymnasium.envs.classic_control.drawing.mountain_car"

    @staticmethod
    def observation(state: Any, rng: Any, params: Any = None) -> tuple[float, float]:
        """Position and velocity."""
        return state.position, state.velocity


class MountainCar(Valley[State, int, Params]):
    """The dynamics of MountainCar."""

    action_space = Discrete(3)

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns the params with these fields."""
        return Params(**kwargs)

    @staticmethod
    def initial(rng: Any, params: Params = Params()) -> State:
        """At rest, the position uniform in [low, high)."""
        return State(rng.uniform(params.low, params.high), 0.0)

    @staticmethod
    def transition(state: State, action: int, rng: Any, params: Params = Params()) -> State:
        """One step; action 0 drives to the left, 1 not at all, 2 to the right."""
        position, velocity = state
        velocity += (action - 1) * params.force - cos(3 * position) * params.gravity
        velocity = clip(velocity, -params.max_speed, params.max_speed)
        position = clip(position + velocity, params.min_position, params.max_position)
        into_wall = (position == params.min_position) & (velocity < 0)
        return State(position, where(into_wall, 0.0, velocity))

    @staticmethod
    def reward(state: State, action: int, next_state: State, rng: Any, params: Params = Params()) -> float:
        """-1 a step."""
        return -1.0

    @staticmethod
    def terminal(state: State, rng: Any, params: Params = Params()) -> bool:
        """Whether the car is at the goal, and fast enough."""
        return (state.position >= params.goal_position) & (state.velocity >= params.goal_velocity)


class ValleyEnv(ArrayStateEnv[NDArray[np.float32], ActType]):
    """The environment around either car.

    Args:
        render_mode: None, `"human"` or `"rgb_array"`.
        goal_velocity: The minimum velocity of the car at the goal.
    """

    state_size = 2
    screen_width, screen_height = 600, 400  # pixels
    screen = clock = None  # pictures are drawn without pygame
    min_position = Parameter()
    max_position = Parameter()
    max_speed = Parameter()
    goal_position = Parameter()
    goal_velocity = Parameter()
    gravity = Parameter()

    def __init__(self, render_mode: str | None = None, goal_velocity: float = 0) -> None:
        super().__init__(None, render_mode, goal_velocity=float(goal_velocity))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode at rest, the position uniform in [low, high) of `options`.

        Raises:
            ValueError: If an option is not a number, or the low one is above the high one.
        """
        low, high = maybe_parse_reset_bounds(options, -0.6, -0.4)
        return self._begin(seed, self.params._replace(low=low, high=high))

    def _height(self, xs: Any) -> Any:
        """Returns the height of the track at positions `xs`, as it is drawn; potentials for rewards use it."""
        return np.sin(3 * xs) * 0.45 + 0.55


class MountainCarEnv(ValleyEnv[int]):
    """MountainCar: reach the flag on the hill. MountainCar-v0 limits an episode to 200 steps.

    Observation, `Box` of shape (2,), float32: position, velocity (positions a step). Action, `Discrete(3)`: 0 drives
    to the left, 1 not at all, 2 to the right.

    Reward: -1 a step. An episode ends with the car at 0.5 or further to the right, at `goal_velocity` or faster.
    Reset options: `"low"` and `"high"`, the bounds of the uniform initial position (-0.6 and -0.4).

    Args:
        render_mode: None, `"human"` or `"rgb_array"`.
        goal_velocity: The minimum velocity of the car at the goal.
    """

    dynamics = MountainCar
    force = Parameter()

    @Derived
    def low(self) -> NDArray[np.float32]:
        """The minimum position and velocity, float32 of shape (2,)."""
        return np.array([self.min_position, -self.max_speed], np.float32)

    @Derived
    def high(self) -> NDArray[np.float32]:
        """The maximum position and velocity, likewise."""
        return np.array([self.max_position, self.max_speed], np.float32)

    def get_keys_to_action(self) -> dict[tuple[int, ...], int]:
        """Returns the action for each combination of arrow keys, by pygame's codes: both together do nothing."""
        return {(): 1, (K_LEFT,): 0, (K_RIGHT,): 2, (K_RIGHT, K_LEFT): 1}
