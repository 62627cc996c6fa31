"""CliffWalking under JAX: the transitions of `toy_text.cliffwalking`, with a state of row and column."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gymnasium.envs._jax.draws import Draws
from gymnasium.envs._jax.func_env import KeyedFuncEnv
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.params import joined, split
from gymnasium.envs._jax.tracing import TracedFunctions
from gymnasium.envs.functional_jax_env import FunctionalJaxEnv
from gymnasium.envs.toy_text import tabular
from gymnasium.envs.toy_text.cliffwalking import CLIFF, COLUMNS, GOAL, ROWS, START, CliffWalking
from gymnasium.rendering.canvas import Canvas
from gymnasium.spaces import Box

__all__ = ["CliffWalkingFunctional", "CliffWalkingJaxEnv", "EnvState", "PRNGKeyType", "RenderStateType", "fell_off"]

PRNGKeyType: TypeAlias = jax.Array
RenderStateType: TypeAlias = Canvas

_PROCESS = CliffWalking()
_FUNCTIONS = TracedFunctions(_PROCESS)
_SLIPPERY = CliffWalking({"is_slippery": True})


class EnvState(NamedTuple):
    """The position of the agent, and the last move."""

    player_position: jax.Array  # shape (2,), int32: row and column
    last_action: jax.Array  # shape (), int32; -1 before the first
    fallen: jax.Array  # shape (), bool: whether the last move fell off the cliff, back to the start


class CliffWalkingParams(NamedTuple):
    """The rules."""

    is_slippery: bool = False  # whether two of three moves go astray, one to each side of the intended one


def fell_off(player_position: jax.Array) -> Any:
    """Returns whether the position, shape (2,), is on the cliff."""
    row, column = player_position
    return (row == ROWS - 1) & (column > CLIFF.start % COLUMNS - 1) & (column < CLIFF.stop % COLUMNS)


class CliffWalkingFunctional(
    KeyedFuncEnv[EnvState, jax.Array, jax.typing.ArrayLike, jax.Array, jax.Array, RenderStateType, CliffWalkingParams]
):
    """The dynamics of CliffWalking.

    Args:
        options: Attributes to set on this instance.
        **params: Fields of `CliffWalkingParams`.
    """

    action_space = Box(0, 3, (1,), np.int32)
    observation_space = Box(0, ROWS * COLUMNS - 1, (1,), np.int32)
    metadata = {"render_modes": ["rgb_array"], "render_fps": 4, "jax": True}
    drawing = CliffWalking.drawing
    params_type = CliffWalkingParams

    def initial(self, rng: PRNGKeyType | None = None, params: CliffWalkingParams | None = None) -> EnvState:
        """In the lower left corner."""
        return EnvState(_position(START), jnp.int32(-1), jnp.bool_(False))

    def transition(
        self, state: EnvState, action: jax.typing.ArrayLike, rng: PRNGKeyType, params: CliffWalkingParams | None = None
    ) -> EnvState:
        """One move, 0 up, 1 right, 2 down, 3 left; a fall leads back to the start."""
        used = self.used(params)
        table = (_SLIPPERY if used.is_slippery else _PROCESS).default_params
        values, tree = split(table)
        move = jnp.clip(jnp.reshape(jnp.asarray(action), ()), 0, 3)
        at: Any = _number(state.player_position)
        place, arrays = tabular.State(at), joined(tree, values)
        after = _FUNCTIONS.transition(place, move, Draws(rng), arrays)
        fallen = _FUNCTIONS.reward(place, move, after, None, arrays) == _FALL
        return EnvState(_position(after.s), jnp.asarray(move, jnp.int32), fallen)

    def observation(
        self, state: EnvState, rng: PRNGKeyType | None = None, params: CliffWalkingParams | None = None
    ) -> jax.Array:
        """The number of the field, row * 12 + column, shape (1,), int32."""
        return _number(state.player_position).reshape(1).astype(jnp.int32)

    def reward(
        self,
        state: EnvState,
        action: jax.typing.ArrayLike,
        next_state: EnvState,
        rng: PRNGKeyType | None = None,
        params: CliffWalkingParams | None = None,
    ) -> jax.Array:
        """-1 a step; -100 for a fall."""
        return jnp.where(next_state.fallen, float(_FALL), -1.0)

    def terminal(
        self, state: EnvState, rng: PRNGKeyType | None = None, params: CliffWalkingParams | None = None
    ) -> jax.Array:
        """Whether the agent is at the goal, in the lower right corner."""
        return jnp.equal(_number(state.player_position), GOAL)

    def render_init(self, params: CliffWalkingParams | None = None, **kwargs: Any) -> Canvas:
        """Returns a canvas of the size of CliffWalking's drawing."""
        canvas: Canvas = _PROCESS.render_init(_PROCESS.default_params)
        return canvas

    def drawn(self, state: Any, params: CliffWalkingParams) -> tuple[tabular.State, tabular.Params]:
        """Returns the state in the form of CliffWalking's drawing."""
        row, column = state.player_position.tolist()
        return tabular.State(row * COLUMNS + column, state.last_action), _PROCESS.default_params


_FALL = -100


def _number(position: jax.Array) -> jax.Array:
    return jnp.asarray(position[0] * COLUMNS + position[1])


def _position(number: int | jax.Array) -> jax.Array:
    return jnp.stack([jnp.asarray(number // COLUMNS, jnp.int32), jnp.asarray(number % COLUMNS, jnp.int32)])


class CliffWalkingJaxEnv(FunctionalJaxEnv[jax.Array, jax.typing.ArrayLike]):
    """CliffWalking under JAX: like CliffWalking-v1, but actions and observations have shape (1,).

    Args:
        render_mode: None or `"rgb_array"`.
        **kwargs: Fields of `CliffWalkingParams`, or `options` of `CliffWalkingFunctional`.
    """

    metadata = CliffWalkingFunctional.metadata

    def __init__(self, render_mode: str | None = None, **kwargs: Any) -> None:
        super().__init__(CliffWalkingFunctional(**kwargs), self.metadata, render_mode)
