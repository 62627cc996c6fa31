"""Pendulum under JAX: the dynamics of `classic_control.pendulum`, with a state that is one array."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gymnasium.envs._jax.func_env import KeyedFuncEnv
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.tracing import TracedFunctions
from gymnasium.envs.classic_control.pendulum import Params, Pendulum, State
from gymnasium.envs.functional_jax_env import FunctionalJaxEnv, FunctionalJaxVectorEnv
from gymnasium.functional.ops import pi
from gymnasium.rendering.canvas import Canvas
from gymnasium.spaces import Box
from gymnasium.vector.vector_env import AutoresetMode

__all__ = [
    "PRNGKeyType",
    "PendulumFunctional",
    "PendulumJaxEnv",
    "PendulumJaxVectorEnv",
    "PendulumParams",
    "RenderStateType",
    "StateType",
]

PRNGKeyType: TypeAlias = jax.Array
StateType: TypeAlias = jax.Array
RenderStateType: TypeAlias = Canvas

_FUNCTIONS = TracedFunctions(Pendulum())


class PendulumParams(NamedTuple):
    """Physical constants, and the limits of the task."""

    max_speed: Any = 8.0  # rad/s
    dt: Any = 0.05  # s, between two states
    g: Any = 10.0  # m/s^2
    m: Any = 1.0  # kg
    l: Any = 1.0  # m
    high_x: Any = pi  # the initial angle lies in [-high_x, high_x)
    high_y: Any = 1.0  # the initial velocity lies in [-high_y, high_y)

    def replace(self, **updates: float | jax.Array) -> PendulumParams:
        """Returns params with these fields changed."""
        return self._replace(**updates)


class PendulumFunctional(
    KeyedFuncEnv[StateType, jax.Array, jax.typing.ArrayLike, jax.Array, jax.Array, RenderStateType, PendulumParams]
):
    """The dynamics of Pendulum. A state has shape (2,): angle (rad, 0 is upright) and velocity (rad/s).

    Args:
        options: Attributes to set on this instance.
        **params: Fields of `PendulumParams`.
    """

    max_torque: float = 2.0  # N m
    observation_space = Box(-np.inf, np.inf, (3,), np.float32)
    action_space = Box(-2.0, 2.0, (1,), np.float32)
    metadata = {"render_modes": ["rgb_array"], "render_fps": 30, "jax": True}
    drawing = Pendulum.drawing
    params_type = PendulumParams

    def initial(self, rng: PRNGKeyType, params: PendulumParams | None = None) -> StateType:
        """Angle and velocity uniform in [-high_x, high_x) and [-high_y, high_y)."""
        high = jnp.stack([jnp.asarray(self.used(params).high_x), jnp.asarray(self.used(params).high_y)])
        return jax.random.uniform(rng, (2,), minval=-high, maxval=high)

    def transition(
        self,
        state: StateType,
        action: jax.typing.ArrayLike,
        rng: PRNGKeyType | None = None,
        params: PendulumParams | None = None,
    ) -> StateType:
        """One semi-implicit Euler step; the action is the torque, shape (1,), clipped to `max_torque`."""
        return jnp.stack(self._turned(state, action, params)[:2])

    def observation(
        self, state: StateType, rng: PRNGKeyType | None = None, params: PendulumParams | None = None
    ) -> jax.Array:
        """The rod's free end (upward, to the left, in lengths of the rod), and the velocity; float32."""
        seen = _FUNCTIONS.observation(_full(state), rng, self._constants(params))
        return jnp.stack(seen).astype(jnp.float32)

    def reward(
        self,
        state: StateType,
        action: jax.typing.ArrayLike,
        next_state: StateType,
        rng: PRNGKeyType | None = None,
        params: PendulumParams | None = None,
    ) -> jax.Array:
        """The negative cost of `state` and the torque: angle^2 + 0.1 velocity^2 + 0.001 torque^2."""
        # With the clipped torque, which only the state of the original dynamics holds.
        after = _full(next_state, self._turned(state, action, params).last_u)
        return jnp.asarray(_FUNCTIONS.reward(_full(state), action, after, rng, self._constants(params)))

    def terminal(
        self, state: StateType, rng: PRNGKeyType | None = None, params: PendulumParams | None = None
    ) -> jax.Array:
        """Never."""
        return jnp.asarray(_FUNCTIONS.terminal(_full(state), rng, self._constants(params)))

    def drawn(self, state: StateType, params: PendulumParams) -> tuple[State, Params]:
        """Returns the state in the form of Pendulum's drawing, with an unknown torque."""
        return _full(state.tolist()), self._constants(params)

    def _turned(self, state: StateType, action: object, params: PendulumParams | None) -> State:
        after: State = _FUNCTIONS.transition(_full(state), action, None, self._constants(params))
        return after

    def _constants(self, params: PendulumParams | None) -> Params:
        """Returns the params of the dynamics in `classic_control`."""
        used = self.used(params)
        return Params(used.max_speed, self.max_torque, used.dt, used.g, used.m, used.l, used.high_x, used.high_y)


def _full(state: Any, last_u: Any = 0.0) -> State:
    """Returns the state of the dynamics in `classic_control`."""
    theta, theta_dot = state
    return State(theta, theta_dot, last_u)


class PendulumJaxEnv(FunctionalJaxEnv[jax.Array, jax.typing.ArrayLike]):
    """Pendulum under JAX: like Pendulum-v1, but with unbounded observations.

    Args:
        render_mode: None or `"rgb_array"`.
        **kwargs: Fields of `PendulumParams`, or `options` of `PendulumFunctional`.
    """

    metadata = PendulumFunctional.metadata

    def __init__(self, render_mode: str | None = None, **kwargs: Any) -> None:
        super().__init__(PendulumFunctional(**kwargs), self.metadata, render_mode)


class PendulumJaxVectorEnv(FunctionalJaxVectorEnv):
    """Copies of Pendulum on the device.

    Args:
        num_envs: The number of environments.
        render_mode: None or `"rgb_array"`.
        max_episode_steps: The number of steps after which an episode is truncated; 0 for no limit.
        **kwargs: Fields of `PendulumParams`, or `options` of `PendulumFunctional`.
    """

    metadata = {**PendulumFunctional.metadata, "render_fps": 50, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self, num_envs: int, render_mode: str | None = None, max_episode_steps: int = 200, **kwargs: Any
    ) -> None:
        super().__init__(PendulumFunctional(**kwargs), num_envs, max_episode_steps, self.metadata, render_mode)
