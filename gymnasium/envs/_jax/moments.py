"""Snapshots of episodes under JAX, as plain data: NumPy arrays in the form of the dynamics' states."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs._jax.batch import Batch
from gymnasium.envs._jax.begins import JaxBeginnings
from gymnasium.envs._jax.keys import stream_key
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.own_params import Own, own_params, with_columns
from gymnasium.error import ResetNeeded
from gymnasium.functional.func_env import FuncEnv
from gymnasium.utils._generators import put_generator


class JaxState(NamedTuple):
    """A snapshot of one environment."""

    kind: str
    """The dynamics, and their observation space."""
    state: Any
    """The dynamics' state."""
    key: NDArray[np.uint32]
    """The key of all future randomness."""
    generator: Mapping[str, Any] | None
    """The state of `np_random`'s bit generator, from which wrappers may draw; None if there is none yet."""
    seed: int | None
    """The seed of `np_random`."""


class JaxRowState(NamedTuple):
    """A snapshot of one environment of a batch. The key of its randomness is the batch's, and not part of it."""

    kind: str
    """The dynamics, and their observation space."""
    state: Any
    """The dynamics' state."""
    steps: int
    """The number of steps of its episode so far."""
    finished: bool
    """Whether its episode is over."""
    own: dict[str, Any] | None = None
    """The params of its own, a dict of the fields of `gymnasium.envs._jax.own_params.Own`; None if there are none."""


class JaxBatchState(NamedTuple):
    """A snapshot of a batch: arrays have a leading axis of n."""

    kind: str
    """The dynamics, and their observation space."""
    batch: Any
    """States, steps, flags and key, see `palaestra.jax.Batch`, and own params, as those of one environment."""
    generator: Mapping[str, Any] | None
    """The state of `np_random`'s bit generator; None if there is none yet."""
    seed: int | None
    """The seed of `np_random`."""


class _Run(Protocol):
    """An environment, or a batch."""

    func_env: FuncEnv
    _np_random: np.random.Generator | None
    _np_random_seed: int | None

    @property
    def np_random(self) -> np.random.Generator: ...


class _One(_Run, Protocol):
    """An environment."""

    rng: Any
    state: Any


_State = TypeVar("_State", JaxState, JaxRowState, JaxBatchState)
_Begun = TypeVar("_Begun")


def state_of(env: _One) -> JaxState:
    """Returns a snapshot of a `FunctionalJaxEnv`.

    Raises:
        gymnasium.error.ResetNeeded: If there is none yet.
    """
    return JaxState(_kind(env), _saved(_begun(env.state, "get_state")), _saved(env.rng), *_generator(env))


def checked_state(env: _One, state: JaxState, like: object) -> tuple[Any, jax.Array]:
    """Returns the dynamics' state and the key in a state, and restores the generator.

    Args:
        env: The `FunctionalJaxEnv`.
        state: The result of `state_of`.
        like: Shapes and dtypes of the dynamics' state.

    Raises:
        TypeError: If the state is something else.
        ValueError: If it belongs to other dynamics, or has other arrays. The generator is then unchanged.
    """
    state = _checked(state, JaxState, env)
    restored = _restored(state.state, like), _restored(state.key, env.rng)
    _put_generator(env, state.generator, state.seed)
    return restored


def batch_state_of(envs: JaxBeginnings) -> JaxBatchState:
    """Returns a snapshot of a `FunctionalJaxVectorEnv`; for the errors see `state_of`."""
    batch = _begun(envs.batch, "get_state")
    saved = _saved(batch._replace(own=_as_dict(envs.own)))
    return JaxBatchState(_kind(envs), saved, *_generator(envs))


def checked_batch(envs: JaxBeginnings, state: object, like: Batch) -> Batch:
    """Returns the batch in a state, and restores the generator; for the errors see `checked_state`."""
    state = _checked(state, JaxBatchState, envs)
    saved = state.batch
    batch: Batch = _restored(saved._replace(own=None), like._replace(key=envs.rng, own=None))
    batch = batch._replace(own=_restored_own(envs, saved.own, stream_key(state.seed, batch.key)))
    _put_generator(envs, state.generator, state.seed)
    return batch


def row_state_of(envs: JaxBeginnings, i: int) -> JaxRowState:
    """Returns a snapshot of environment `i`.

    Raises:
        IndexError: If there is no such environment.
        gymnasium.error.ResetNeeded: Before the first reset.
    """
    state, steps, finished, _, own = _batch_with(envs, i, "get_state")
    row, own = _saved(jax.tree.map(lambda rows: rows[i], (state, _as_dict(own))))
    return JaxRowState(_kind(envs), row, int(steps[i]), bool(finished[i]), own)


def with_row(envs: JaxBeginnings, i: int, state: object, like: Batch) -> Batch:
    """Returns the batch with a state restored in environment `i`; errors: see `row_state_of` and `checked_state`."""
    batch, state = _batch_with(envs, i, "set_state"), _checked(state, JaxRowState, envs)
    row = _restored(state.state, jax.eval_shape(lambda rows: jax.tree.map(lambda each: each[0], rows), like.state))
    put = partial(jax.tree.map, lambda rows, value: rows.at[i].set(value))
    return batch._replace(
        state=put(batch.state, row),
        steps=batch.steps.at[i].set(state.steps),
        finished=batch.finished.at[i].set(state.finished),
        own=_with_own_row(envs, i, state.own),
    )


def _with_own_row(envs: JaxBeginnings, i: int, saved: dict[str, Any] | None) -> Own | None:
    """Returns the environments' own params, with those saved of one in environment `i`."""
    rows = saved and jax.tree.map(lambda value: np.broadcast_to(value, (envs.num_envs, *value.shape)), saved)
    restored = _restored_own(envs, rows, stream_key(envs._np_random_seed, envs.rng))
    if restored is None:
        return None
    own = with_columns(envs.own or restored, envs._usual(), tuple(restored.held))
    put: Own = jax.tree.map(lambda column, value: column.at[i].set(value[i]), own, restored)
    return put


def _as_dict(own: Own | None) -> Any:
    """Returns own params as a dict, which a batch that has none yet can read from a file."""
    return own and own._asdict()


def _restored_own(envs: JaxBeginnings, saved: Any, key: jax.Array) -> Own | None:
    """Returns the own params in a state; those that it lacks have the value that all environments have.

    Streams that it lacks begin with `key`.

    Raises:
        ValueError: If other params are drawn there.
    """
    present, drawn = envs.own, envs.drawn_params
    if saved is None and present is None:
        return None
    usual = envs._usual()
    like = own_params(usual, key, envs.num_envs, drawn)
    if saved is not None:
        saved = Own(**saved)
        known = saved.values.keys() - saved.held.keys()
        if known != set(drawn):
            raise ValueError(f"The snapshot is one of environments that draw {sorted(known)}, but these draw {drawn}")
        like = _restored(saved, with_columns(like, usual, tuple(saved.held)))
    return with_columns(like, usual, () if present is None else tuple(present.held))


def _kind(env: _Run) -> str:
    return f"{type(env.func_env).__name__} observing {env.func_env.observation_space}"


def _checked(state: object, expected: type[_State], env: _Run) -> _State:
    """Returns the state, if it is of this kind and of these dynamics."""
    if not isinstance(state, expected):
        raise TypeError(
            f"`set_state` expects a result of `get_state` here, a {expected.__name__}, but a {type(state)} came"
        )
    if state.kind != _kind(env):
        raise ValueError(f"`set_state` expects a state of {_kind(env)}, but one of {state.kind} came")
    return state


def _begun(state: _Begun | None, method: str) -> _Begun:
    """Returns the state, or batch, of episodes that have begun."""
    if state is None:
        raise ResetNeeded(f"`{method}` needs an episode, but none has begun: call reset() first")
    return state


def _batch_with(envs: JaxBeginnings, i: int, method: str) -> Batch:
    """Returns the batch, if it has an environment `i`."""
    batch = _begun(envs.batch, method)
    if not 0 <= i < envs.num_envs:
        raise IndexError(f"There are environments 0 to {envs.num_envs - 1}, but {i} was asked for")
    return batch


def _generator(env: _Run) -> tuple[Mapping[str, Any] | None, int | None]:
    rng = env._np_random
    return None if rng is None else rng.bit_generator.state, env._np_random_seed


def _put_generator(env: _Run, generator: Mapping[str, object] | None, seed: int | None) -> None:
    if generator is not None:  # without one, nothing was drawn
        put_generator(env.np_random.bit_generator, generator)
        env._np_random_seed = seed


def _saved(tree: object) -> Any:
    """Returns a tree of JAX arrays as new NumPy arrays; a key becomes its numbers."""
    return jax.tree.map(lambda leaf: np.array(jax.random.key_data(leaf) if _is_key(leaf) else leaf), tree)


def _restored(tree: object, like: object) -> Any:
    """Returns the JAX arrays from which `_saved` made NumPy arrays.

    Args:
        tree: The result of `_saved`.
        like: A tree of the expected form, with arrays or their shapes and dtypes.

    Raises:
        ValueError: If the form is different, or an array has another shape or dtype.
    """
    form: Any = jax.tree.structure(tree)
    expected: Any = jax.tree.structure(like)
    if form != expected:
        raise ValueError(f"`set_state` expects a state of the form {expected}, but one of {form} came")
    return jax.tree.map(_restored_leaf, tree, like)


def _restored_leaf(leaf: object, like: jax.Array) -> jax.Array:
    array = np.asarray(leaf)
    numbers = jax.eval_shape(jax.random.key_data, like) if _is_key(like) else like
    if (array.shape, array.dtype) != (numbers.shape, numbers.dtype):
        raise ValueError(
            f"`set_state` expects an array of {numbers.dtype} of shape {numbers.shape} in the state, but one of "
            f"{array.dtype} of shape {array.shape} came"
        )
    new = jnp.array(array)
    return jax.random.wrap_key_data(new, impl=jax.random.key_impl(like)) if _is_key(like) else new


def _is_key(leaf: jax.Array) -> bool:
    """Whether it is an array of keys instead of the keys' numbers."""
    return bool(jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key))
