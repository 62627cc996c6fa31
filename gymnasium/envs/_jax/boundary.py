"""The boundary between a user and traced dynamics: kinds are kept, actions read, observations packed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gymnasium.envs._jax.library import jax, jnp, lax
from gymnasium.envs._jax.ops import floating, integer
from gymnasium.functional.fields import advice, described
from gymnasium.spaces.box import Box
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple


def settled(state: object) -> Any:
    """Returns a first state as arrays: a number gets the dtype of its kind, an array keeps its own."""
    return jax.tree_util.tree_map_with_path(_settled_leaf, state)


def _settled_leaf(path: tuple[Any, ...], leaf: jax.typing.ArrayLike) -> jax.Array:
    try:
        array = jnp.asarray(leaf)
    except TypeError as error:
        field = f"state{jax.tree_util.keystr(path)}"
        raise TypeError(
            f"A state's field must be a number or an array of numbers, but `{field}` is {leaf!r}"
        ) from error
    return lax.convert_element_type(array, _plain(array.dtype) if array.ndim == 0 else array.dtype)


def continued(state: object, before: object) -> Any:
    """Returns a later state in the dtypes of the previous one.

    Raises:
        TypeError: If its form, kind or shape has changed.
    """
    try:
        return jax.tree_util.tree_map_with_path(_continued_leaf, state, before)
    except ValueError as error:  # the trees differ
        names = [type(one).__name__ for one in (before, state)]
        raise TypeError(f"A state must keep its fields, but after a {names[0]} came a {names[1]}") from error


def _continued_leaf(path: tuple[Any, ...], leaf: jax.typing.ArrayLike, before: jax.Array | None) -> jax.Array:
    array = jnp.asarray(leaf)
    if before is None:
        raise TypeError(f"A state must keep its fields, but `state{jax.tree_util.keystr(path)}` was None at first")
    was, came = (before.dtype.kind, before.shape), (array.dtype.kind, array.shape)
    if came[1] != was[1] or "biuf".index(came[0]) > "biuf".index(was[0]):
        raise TypeError(
            f"A state must keep its fields, their kinds and shapes, but `state{jax.tree_util.keystr(path)}` was "
            f"{described(before.dtype, was[1])} and became {described(array.dtype, came[1])}: {advice(was, came)}"
        )
    return lax.convert_element_type(array, before.dtype)


def action_converter(space: Space, plain: bool) -> Callable[[Any], Any]:
    """Returns the function that converts an action of `space`, or a batch of them, for traced dynamics.

    Values are rounded to the space's dtype. With `plain`, numbers then get the dtype of their kind, as do the floats of
    a Box in Python.
    """
    if isinstance(space, Tuple):
        parts = tuple(action_converter(part, plain) for part in space.spaces)
        return lambda action: tuple(convert(part) for convert, part in zip(parts, action, strict=True))
    if isinstance(space, Dict):
        named = {name: action_converter(part, plain) for name, part in space.spaces.items()}
        return lambda action: {name: convert(action[name]) for name, convert in named.items()}
    if space.dtype is None:
        raise TypeError(f"Under JAX, actions must be numbers, but those of {space} are not")
    dtype = jax.dtypes.canonicalize_dtype(space.dtype)

    def convert(action: jax.typing.ArrayLike) -> jax.Array:
        array = jnp.asarray(action).astype(dtype)
        return array.astype(_plain(array.dtype)) if plain else array

    return convert


def observation_packer(space: Space) -> Callable[[Any], Any]:
    """Returns the function that converts observations to an array of `space`, or a tuple or dict of such."""
    if isinstance(space, Tuple):
        packers = tuple(observation_packer(part) for part in space.spaces)
        return lambda observation: tuple(pack(part) for pack, part in zip(packers, observation, strict=True))
    if isinstance(space, Dict):
        named = {name: observation_packer(part) for name, part in space.spaces.items()}
        return lambda observation: {name: pack(observation[name]) for name, pack in named.items()}
    if space.dtype is None:
        return lambda observation: jax.tree.map(jnp.asarray, observation)
    dtype = jax.dtypes.canonicalize_dtype(space.dtype)
    if isinstance(space, Box) and len(space.shape) == 1:
        return lambda observation: _stacked(observation, dtype)
    return lambda observation: jnp.asarray(observation).astype(dtype)


def _stacked(observation: Any, dtype: np.dtype) -> jax.Array:
    if isinstance(observation, (tuple, list)):
        return jnp.stack([jnp.asarray(number).astype(dtype) for number in observation])
    return jnp.asarray(observation).astype(dtype)


def _plain(dtype: np.dtype) -> np.dtype:
    """Returns the dtype of Python's numbers of this kind."""
    return {"b": np.dtype(np.bool_), "i": integer(), "u": integer(), "f": floating()}[dtype.kind]
