"""Dynamics as functions of arrays and keys: the start of an episode, and a step."""

from __future__ import annotations

from typing import Any, NamedTuple

from gymnasium.envs._jax.boundary import action_converter, continued, observation_packer, settled
from gymnasium.envs._jax.draws import Draws
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.ops import floating
from gymnasium.envs._jax.params import joined, split
from gymnasium.envs._jax.tracing import TracedFunctions
from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.mistakes import check_written, instance_of


class Step(NamedTuple):
    """The results of an action.

    Attributes:
        state: The next state.
        observation: Its observation.
        reward: The reward, a float of shape ().
        terminated: Whether the task is over, a bool of shape ().
        info: The info.
    """

    state: Any
    observation: Any
    reward: jax.Array
    terminated: jax.Array
    info: dict[str, Any]


class JaxDynamics:
    """A `FuncEnv` for JAX: pure functions, to be jitted, mapped, scanned and differentiated.

    Args:
        func_env: The dynamics, an instance or a class. Functions that call `jax.random` get a key as `rng`; others get
            numbers through the methods of `numpy.random.Generator`, as everywhere.

    Raises:
        TypeError: If the dynamics lack something, or use files, clocks or random numbers of their own; raised by the
            functions, if the dynamics cannot be traced, with the line and the reason.
    """

    def __init__(self, func_env: FuncEnv | type[FuncEnv]) -> None:
        self.func_env = func_env = sound(func_env)
        self.functions = TracedFunctions(func_env)
        self._rng = (lambda key: key) if self.functions.written_for_jax else Draws
        self._action = action_converter(func_env.action_space, plain=not self.functions.written_for_jax)
        self._pack = observation_packer(func_env.observation_space)

    def begin(self, key: jax.Array, params: object = None) -> tuple[Any, Any, dict[str, Any]]:
        """Returns the first state of an episode, its observation and its info."""
        rng, given, functions = self._rng(key), _given(params), self.functions
        state = settled(functions.initial(rng, *given))
        return state, self._pack(functions.observation(state, rng, *given)), _info(functions.state_info(state, *given))

    def advance(self, state: object, action: object, key: jax.Array, params: object = None) -> Step:
        """Returns the results of `action` in `state`."""
        rng, given, functions, action = self._rng(key), _given(params), self.functions, self._action(action)
        next_state = continued(functions.transition(state, action, rng, *given), state)
        reward = jnp.asarray(functions.reward(state, action, next_state, rng, *given)).astype(floating())
        terminated = jnp.asarray(functions.terminal(next_state, rng, *given)).astype(bool)
        observation = self._pack(functions.observation(next_state, rng, *given))
        info = _info(functions.transition_info(state, action, next_state, *given))
        return Step(next_state, observation, reward, terminated, info)

    def observe(self, state: object, key: jax.Array, params: object = None) -> Any:
        """Returns the observation of `state`."""
        return self._pack(self.functions.observation(state, self._rng(key), *_given(params)))


def sound(func_env: FuncEnv | type[FuncEnv]) -> FuncEnv:
    """Returns dynamics, made from a class if necessary; raises TypeError if they are written incorrectly."""
    made, _ = instance_of(func_env, {})
    check_written(made, params_given=False)
    return made


def _given(params: object) -> tuple[Any, ...]:
    """Returns the params as an argument, with arrays for tuples; None means no argument, as functions have defaults."""
    if params is None:
        return ()
    values, tree = split(params)
    return (joined(tree, values),)


def _info(info: dict[str, Any]) -> dict[str, Any]:
    return jax.tree.map(jnp.asarray, info)  # type: ignore[no-any-return]  # a dict maps to a dict
