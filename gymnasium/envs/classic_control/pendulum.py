"""Pendulum: swing a rod up and keep it upright, with a motor too weak to lift it at once.

A uniform rod on a pivot, under gravity and a torque:  theta'' = 3 g / (2 l) sin(theta) + 3 u / (m l^2).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.classic_control.utils import ArrayStateEnv, checked_options, verify_number_and_cast
from gymnasium.functional.attributes import Hook
from gymnasium.functional.env import Parameter
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.ops import clip, cos, float32, pi, pow2, pow2f, sin
from gymnasium.spaces import Box

__all__ = ["DEFAULT_X", "DEFAULT_Y", "PendulumEnv", "angle_normalize"]

DEFAULT_X = pi  # rad, the largest angle at the beginning
DEFAULT_Y = 1.0  # rad/s, the largest velocity at the beginning
EFFORT = float32(0.001)  # the cost of a squared torque of 1
NONE_YET = -0.0  # N m, the last torque before the first step; computed with as 0


class State(NamedTuple):
    """The rod's position and velocity, and the last torque."""

    theta: float  # rad, 0 is upright, counter-clockwise is positive; not wrapped
    theta_dot: float  # rad/s
    last_u: float  # N m, the torque of the step that led here, clipped; NONE_YET at the beginning


class Params(NamedTuple):
    """Physical constants, and the limits of the task."""

    max_speed: float = 8.0  # rad/s
    max_torque: float = 2.0  # N m
    dt: float = 0.05  # s, between two states
    g: float = 10.0  # m/s^2
    m: float = 1.0  # kg
    l: float = 1.0  # m
    x_init: float = DEFAULT_X  # the initial angle lies in [-x_init, x_init)
    y_init: float = DEFAULT_Y  # the initial velocity lies in [-y_init, y_init)


def angle_normalize(x: Any) -> Any:
    """Returns the angle `x` (rad; a number or an array), moved by whole turns into [-pi, pi)."""
    return (x + pi) % (2 * pi) - pi


class Pendulum(FuncEnv[State, tuple[float, float, float], Sequence[float], float, bool, Any, Params]):
    """The dynamics of Pendulum."""

    observation_space = Box(np.array([-1, -1, -8], np.float32), np.array([1, 1, 8], np.float32))
    action_space = Box(-2.0, 2.0, (1,), np.float32)
    metadata = {"render_modes": ["human", "rgb_array"], "render_fps": 30}
    drawing = "gymnasium.envs.classic_control.drawing.pendulum"

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns the params with these fields."""
        return Params(**kwargs)

    @staticmethod
    def initial(rng: Any, params: Params = Params()) -> State:
        """Angle and velocity uniform in [-x_init, x_init) and [-y_init, y_init)."""
        x, y = params.x_init, params.y_init
        return State(rng.uniform(-x, x), rng.uniform(-y, y), NONE_YET)

    @staticmethod
    def transition(state: State, action: Sequence[float], rng: Any, params: Params = Params()) -> State:
        """One semi-implicit Euler step of length `dt`; the action is the torque, clipped to `max_torque`."""
        theta, theta_dot, _ = state
        g, m, l, dt = params.g, params.m, params.l, params.dt
        # The torque, and the values computed from it alone, are of single precision.
        u = float32(clip(action[0], -params.max_torque, params.max_torque))
        push = float32(float32(3.0 / (m * (l * l))) * u)

        theta_dot = theta_dot + (3 * g / (2 * l) * sin(theta) + push) * dt
        theta_dot = clip(theta_dot, -params.max_speed, params.max_speed)
        return State(theta + theta_dot * dt, theta_dot, u)

    @staticmethod
    def observation(state: State, rng: Any, params: Params = Params()) -> tuple[float, float, float]:
        """The rod's free end (upward, to the left, in lengths of the rod), and the velocity."""
        return cos(state.theta), sin(state.theta), state.theta_dot

    @staticmethod
    def reward(state: State, action: Sequence[float], next_state: State, rng: Any, params: Params = Params()) -> float:
        """The negative cost of `state` and the torque: angle^2 + 0.1 velocity^2 + 0.001 torque^2."""
        angle, u = angle_normalize(state.theta), next_state.last_u
        effort = float32(EFFORT * pow2f(u))
        cost: float = pow2(angle) + 0.1 * pow2(state.theta_dot) + effort
        return -cost

    @staticmethod
    def terminal(state: State, rng: Any, params: Params = Params()) -> bool:
        """Never."""
        return False


class PendulumEnv(ArrayStateEnv[NDArray[np.float32], NDArray[np.float32]]):
    """Pendulum: swing up and stay upright. Pendulum-v1 limits an episode to 200 steps; nothing else ends it.

    Observation, `Box` of shape (3,), float32: cos and sin of the angle (0 is upright), its velocity (rad/s, in
    [-8, 8]). Action, `Box(-2, 2, (1,))`, float32: the torque (N m), counter-clockwise; beyond its bounds it is clipped.

    Reward: -(angle^2 + 0.1 velocity^2 + 0.001 torque^2), of the state before the step, the angle in [-pi, pi): in
    [-16.28, 0]. Reset options: `"x_init"` and `"y_init"`, the largest initial angle (pi) and velocity (1).

    Args:
        render_mode: None, `"human"` or `"rgb_array"`.
        g: Gravity, m/s^2.
    """

    dynamics = Pendulum
    observer = "_get_obs"
    state_size = 2
    screen_dim = 500  # pixels, the picture's height and width
    screen = clock = None  # pictures are drawn without pygame
    max_speed = Parameter()
    max_torque = Parameter()
    dt = Parameter()
    g = Parameter()
    m = Parameter()
    l = Parameter()

    def __init__(self, render_mode: str | None = None, g: float = 10.0) -> None:
        super().__init__(None, render_mode, g=float(g))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode, angle and velocity uniform within +-`"x_init"` and +-`"y_init"` of `options`.

        Raises:
            ValueError: If an option is not a number, negative or infinite.
        """
        options = checked_options(options)
        x, y = _half_width(options, "x_init", DEFAULT_X), _half_width(options, "y_init", DEFAULT_Y)
        return self._begin(seed, self.params._replace(x_init=x, y_init=y))

    @Hook
    def _get_obs(self) -> NDArray[np.float32]:
        return self._observed()

    @property
    def last_u(self) -> np.float32 | float | None:
        """The torque of the last step (N m, clipped; of single precision); None if there was none.

        An assignment is for subclasses with a step of their own, and for pictures.
        """
        u = NONE_YET if self._dynamics_state is None else self._dynamics_state.last_u
        if u == 0.0 and copysign(1.0, u) < 0.0:
            return None
        return np.float32(u) if np.float32(u) == u else u

    @last_u.setter
    def last_u(self, u: Any) -> None:
        if self._dynamics_state is None:
            self._dynamics_state = None if u is None else self.func_env.initial(self._stream(), self.params)
        if self._dynamics_state is not None:
            torque = NONE_YET if u is None else float(np.reshape(u, ())) + 0.0  # of -0.0 this makes a zero
            self._dynamics_state = self._dynamics_state._replace(last_u=torque)


def _half_width(options: dict[str, Any], name: str, default: float) -> float:
    value = verify_number_and_cast(options.get(name, default))
    if not (value >= 0 and isfinite(value)):
        raise ValueError(f"The reset option {name!r} must be a finite number that is not negative, but {value} came")
    return value
