"""CartPole under JAX: the dynamics of `classic_control.cartpole`, with a state that is one array."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gymnasium.envs._jax.func_env import KeyedFuncEnv
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.tracing import TracedFunctions
from gymnasium.envs.classic_control.cartpole import CartPole, Params, State
from gymnasium.envs.functional_jax_env import FunctionalJaxEnv, FunctionalJaxVectorEnv
from gymnasium.functional.ops import pi
from gymnasium.rendering.canvas import Canvas
from gymnasium.spaces import Box, Discrete
from gymnasium.vector.vector_env import AutoresetMode

__all__ = [
    "CartPoleFunctional",
    "CartPoleJaxEnv",
    "CartPoleJaxVectorEnv",
    "CartPoleParams",
    "PRNGKeyType",
    "RenderStateType",
    "StateType",
]

PRNGKeyType: TypeAlias = jax.Array
StateType: TypeAlias = jax.Array
RenderStateType: TypeAlias = Canvas

_FUNCTIONS = TracedFunctions(CartPole())


class CartPoleParams(NamedTuple):
    """Physical constants, and the limits of the task."""

    gravity: float | jax.Array = 9.8  # m/s^2
    masscart: float | jax.Array = 1.0  # kg
    masspole: float | jax.Array = 0.1  # kg
    length: float | jax.Array = 0.5  # m, from the hinge to the pole's centre of mass: half the pole
    force_mag: float | jax.Array = 10.0  # N, the size of every push
    tau: float | jax.Array = 0.02  # s, between two states
    theta_threshold_radians: float | jax.Array = 12 * 2 * pi / 360  # rad, beyond which the pole has fallen
    x_threshold: float | jax.Array = 2.4  # m, beyond which the cart has left the track
    x_init: float | jax.Array = 0.05  # each coordinate begins in [-x_init, x_init)
    sutton_barto_reward: bool = False  # 0 a step and -1 at the end, instead of 1 a step

    @property
    def total_mass(self) -> float | jax.Array:
        """Cart and pole, kg."""
        return self.masscart + self.masspole

    @property
    def polemass_length(self) -> float | jax.Array:
        """The pole's mass times `length`, kg m."""
        return self.masspole * self.length

    def replace(self, **updates: Any) -> CartPoleParams:
        """Returns params with these fields changed."""
        return self._replace(**updates)


class CartPoleFunctional(
    KeyedFuncEnv[StateType, jax.Array, jax.typing.ArrayLike, jax.Array, jax.Array, RenderStateType, CartPoleParams]
):
    """The dynamics of CartPole. A state has shape (4,): position, velocity, angle, angular velocity.

    Args:
        options: Attributes to set on this instance.
        **params: Fields of `CartPoleParams`.
    """

    observation_space = Box(-np.inf, np.inf, (4,), np.float32)
    action_space = Discrete(2)
    metadata = {"render_modes": ["rgb_array"], "render_fps": 50, "jax": True}
    drawing = CartPole.drawing
    params_type = CartPoleParams

    def initial(self, rng: PRNGKeyType, params: CartPoleParams | None = None) -> StateType:
        """Near rest: each coordinate uniform in [-x_init, x_init)."""
        width = self.used(params).x_init
        return jax.random.uniform(rng, (4,), minval=-width, maxval=width)

    def transition(
        self,
        state: StateType,
        action: jax.typing.ArrayLike,
        rng: PRNGKeyType | None = None,
        params: CartPoleParams | None = None,
    ) -> StateType:
        """One Euler step; action 0 pushes to the left, 1 to the right."""
        return jnp.stack(_FUNCTIONS.transition(State(*state), action, rng, _constants(self.used(params))))

    def observation(
        self, state: StateType, rng: PRNGKeyType | None = None, params: CartPoleParams | None = None
    ) -> jax.Array:
        """The whole state, float32."""
        return jnp.asarray(state, jnp.float32)

    def reward(
        self,
        state: StateType,
        action: jax.typing.ArrayLike,
        next_state: StateType,
        rng: PRNGKeyType | None = None,
        params: CartPoleParams | None = None,
    ) -> jax.Array:
        """1 a step; with `sutton_barto_reward` 0 a step and -1 at the end."""
        constants = _constants(self.used(params))
        return jnp.asarray(_FUNCTIONS.reward(State(*state), action, State(*next_state), rng, constants))

    def terminal(
        self, state: StateType, rng: PRNGKeyType | None = None, params: CartPoleParams | None = None
    ) -> jax.Array:
        """Whether the cart has left the track or the pole has fallen."""
        return jnp.asarray(_FUNCTIONS.terminal(State(*state), rng, _constants(self.used(params))))

    def drawn(self, state: StateType, params: CartPoleParams) -> tuple[State, Params]:
        """Returns the state in the form of CartPole's drawing."""
        return State(*state.tolist()), _constants(params)


def _constants(params: CartPoleParams) -> Params:
    """Returns the params of the dynamics in `classic_control`."""
    named = params._asdict()
    width = named.pop("x_init")
    return Params(**named, low=-width, high=width)


class CartPoleJaxEnv(FunctionalJaxEnv[jax.Array, jax.typing.ArrayLike]):
    """CartPole under JAX: like CartPole-v1, but with unbounded observations.

    Args:
        render_mode: None or `"rgb_array"`.
        **kwargs: Fields of `CartPoleParams`, or `options` of `CartPoleFunctional`.
    """

    metadata = CartPoleFunctional.metadata

    def __init__(self, render_mode: str | None = None, **kwargs: Any) -> None:
        super().__init__(CartPoleFunctional(**kwargs), self.metadata, render_mode)


class CartPoleJaxVectorEnv(FunctionalJaxVectorEnv):
    """Copies of CartPole on the device.

    Args:
        num_envs: The number of environments.
        render_mode: None or `"rgb_array"`.
        max_episode_steps: The number of steps after which an episode is truncated; 0 for no limit.
        **kwargs: Fields of `CartPoleParams`, or `options` of `CartPoleFunctional`.
    """

    metadata = {**CartPoleFunctional.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self, num_envs: int, render_mode: str | None = None, max_episode_steps: int = 200, **kwargs: Any
    ) -> None:
        super().__init__(CartPoleFunctional(**kwargs), num_envs, max_episode_steps, self.metadata, render_mode)
