"""Cart-pole: keep a pole upright by pushing the cart that it is hinged to.

Source: Barto, Sutton and Anderson (1983), "Neuronlike adaptive elements that can solve difficult learning control
problems", IEEE SMC-13(5). Equations of motion: Florian (2007), "Correct equations for the dynamics of the cart-pole
system", equations 23 and 24, without friction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium._extensions import extension
from gymnasium.envs.classic_control.utils import ArrayStateEnv, maybe_parse_reset_bounds
from gymnasium.functional.env import Parameter
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.ops import cos, pi, sin, where
from gymnasium.spaces import Box, Discrete

if TYPE_CHECKING:
    CartPoleVectorEnv: Any

__all__ = ["CartPoleEnv", "CartPoleVectorEnv"]


def __getattr__(name: str) -> Any:
    if name == "CartPoleVectorEnv":  # its public place is here, but a single environment does not need the runner
        return extension("cartpole")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class State(NamedTuple):
    """The positions and velocities of the cart and the pole."""

    x: float  # m, position of the cart; 0 is the middle of the track
    x_dot: float  # m/s
    theta: float  # rad, angle of the pole; 0 is upright, clockwise is positive
    theta_dot: float  # rad/s


class Constants(NamedTuple):
    """Constants that follow from others unless they are assigned."""

    total_mass: float = 1.1  # kg, cart and pole
    polemass_length: float = 0.05  # kg m, the pole's mass times `length`


class Params(NamedTuple):
    """Physical constants, and the limits of the task."""

    gravity: float = 9.8  # m/s^2
    masscart: float = 1.0  # kg
    masspole: float = 0.1  # kg
    length: float = 0.5  # m, from the hinge to the pole's centre of mass: half the pole
    force_mag: float = 10.0  # N, the size of every push
    tau: float = 0.02  # s, between two states
    theta_threshold_radians: float = 12 * 2 * pi / 360  # rad, beyond which the pole has fallen
    x_threshold: float = 2.4  # m, beyond which the cart has left the track
    low: float = -0.05  # of each coordinate at the beginning
    high: float = 0.05
    semi_implicit: bool = False  # whether velocities are updated before positions (symplectic Euler)
    sutton_barto_reward: bool = False  # 0 a step and -1 at the end, instead of 1 a step
    assigned: bool = False  # whether `constants` take the place of those that follow from masses and length
    constants: Constants = Constants()


class CartPole(FuncEnv[State, tuple[float, ...], int, float, bool, Any, Params]):
    """The dynamics of CartPole."""

    # Twice the position at which the episode ends; the velocities are unbounded.
    observation_space = Box(
        np.array([-4.8, -np.inf, -24 * 2 * pi / 360, -np.inf], np.float32),
        np.array([4.8, np.inf, 24 * 2 * pi / 360, np.inf], np.float32),
    )
    action_space = Discrete(2)
    metadata = {"render_modes": ["human", "rgb_array"], "render_fps": 50}
    drawing = "gymnasium.envs.classic_control.drawing.cartpole"

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns the params with these fields."""
        return Params(**kwargs)

    @staticmethod
    def initial(rng: Any, params: Params = Params()) -> State:
        """Near rest: each coordinate uniform in [low, high)."""
        low, high = params.low, params.high
        return State(rng.uniform(low, high), rng.uniform(low, high), rng.uniform(low, high), rng.uniform(low, high))

    @staticmethod
    def transition(state: State, action: int, rng: Any, params: Params = Params()) -> State:
        """One Euler step of length `tau`; action 0 pushes to the left, 1 to the right."""
        x, x_dot, theta, theta_dot = state
        g, m, length, tau = params.gravity, params.masspole, params.length, params.tau
        mass, moment = m + params.masscart, m * length
        if params.assigned:
            mass, moment = params.constants.total_mass, params.constants.polemass_length
        push = where(action == 1, params.force_mag, -params.force_mag)
        c, s = cos(theta), sin(theta)

        # `pull`: the cart's acceleration without rotation of the pole, a term shared by both equations.
        pull = (push + moment * (theta_dot * theta_dot) * s) / mass
        theta_acc = (g * s - c * pull) / (length * (4.0 / 3.0 - m * (c * c) / mass))
        x_acc = pull - moment * theta_acc * c / mass

        new_x_dot, new_theta_dot = x_dot + tau * x_acc, theta_dot + tau * theta_acc
        if params.semi_implicit:
            x_dot, theta_dot = new_x_dot, new_theta_dot
        return State(x + tau * x_dot, new_x_dot, theta + tau * theta_dot, new_theta_dot)

    @staticmethod
    def observation(state: State, rng: Any, params: Params = Params()) -> tuple[float, ...]:
        """The whole state."""
        return state.x, state.x_dot, state.theta, state.theta_dot  # a plain tuple, which NumPy reads faster

    @staticmethod
    def reward(state: State, action: int, next_state: State, rng: Any, params: Params = Params()) -> float:
        """1 a step; with `sutton_barto_reward` 0 a step and -1 at the end."""
        if params.sutton_barto_reward:
            return where(CartPole.terminal(next_state, rng, params), -1.0, 0.0)
        return 1.0

    @staticmethod
    def terminal(state: State, rng: Any, params: Params = Params()) -> bool:
        """Whether the cart has left the track or the pole has fallen."""
        return (abs(state.x) > params.x_threshold) | (abs(state.theta) > params.theta_threshold_radians)


class Constant(Parameter):
    """A constant that follows from masses and length until it, or the other such constant, is assigned."""

    def __get__(self, env: Any, owner: type) -> Any:
        return self if env is None else getattr(_constants(env.params), self.field)

    def __set__(self, env: Any, value: Any) -> None:
        constants = _constants(env.params)._replace(**{self.field: float(value)})
        env.params = env.params._replace(assigned=True, constants=constants)


def _constants(params: Params) -> Constants:
    m, length = params.masspole, params.length
    return params.constants if params.assigned else Constants(float(params.masscart + m), float(m * length))


class CartPoleEnv(ArrayStateEnv[NDArray[np.float32], int]):
    """CartPole: keep the pole from falling. CartPole-v1 limits an episode to 500 steps, CartPole-v0 to 200.

    Observation, `Box` of shape (4,), float32: position of the cart (m), its velocity (m/s), angle of the pole (rad),
    its velocity (rad/s). Action, `Discrete(2)`: 0 pushes the cart to the left, 1 pushes it to the right.

    Reward: 1 a step, the last included; 0 after the end. With `sutton_barto_reward`: 0 a step, and -1 at and after
    the end. An episode ends with the cart more than 2.4 m from the middle, or the pole more than 12 degrees from
    upright. Reset options: `"low"` and `"high"`, the bounds of the uniform initial coordinates (-0.05 and 0.05).

    `total_mass` (kg) and `polemass_length` (kg m) follow from `masscart`, `masspole` and `length`, until one of them is
    assigned: then both keep their values.

    Args:
        sutton_barto_reward: Whether rewards are those of the source.
        render_mode: None, `"human"` or `"rgb_array"`.
    """

    dynamics = CartPole
    screen_width, screen_height = 600, 400  # pixels
    screen = clock = None  # pictures are drawn without pygame
    _sutton_barto_reward = Parameter("sutton_barto_reward")
    total_mass = Constant()
    polemass_length = Constant()
    gravity = Parameter()
    masscart = Parameter()
    masspole = Parameter()
    length = Parameter()
    force_mag = Parameter()
    tau = Parameter()
    theta_threshold_radians = Parameter()
    x_threshold = Parameter()

    def __init__(self, sutton_barto_reward: bool = False, render_mode: str | None = None) -> None:
        super().__init__(None, render_mode, sutton_barto_reward=bool(sutton_barto_reward))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin an episode, each coordinate uniform in [low, high) of `options`.

        Raises:
            ValueError: If an option is not a number, or the low one is above the high one.
        """
        low, high = maybe_parse_reset_bounds(options, -0.05, 0.05)
        return self._begin(seed, self.params._replace(low=low, high=high))

    def _reward_at_end(self, reward: object) -> Any:
        past = self.steps_beyond_terminated is not None
        reward = super()._reward_at_end(reward)
        return 0.0 if past and not self.params.sutton_barto_reward else reward

    @property
    def kinematics_integrator(self) -> str:
        """`"euler"`, or `"semi-implicit euler"`, where velocities are updated before positions."""
        return "semi-implicit euler" if self.params.semi_implicit else "euler"

    @kinematics_integrator.setter
    def kinematics_integrator(self, name: str) -> None:
        self.params = self.params._replace(semi_implicit=name != "euler")
