"""The network of `palaestra.policies.MLP` under JAX: the same numbers up to rounding, drawn from keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from gymnasium.envs._jax.draws import Draws
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.spaces.space import Space
from palaestra.policies._heads import HALF_LOG_TAU, Normals
from palaestra.policies._network import Dense


class Network(NamedTuple):
    """The params of a network; their meaning is that of the attributes of `MLP`."""

    actor: tuple[Dense, ...]
    critic: tuple[Dense, ...]
    normals: Normals | None
    deterministic: bool
    clip: bool


def decided(
    space: Any, params: Network, observations: jax.Array, keys: jax.Array
) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Returns the actions of n environments and the extras, those of `MLP.act_batch`.

    Args:
        space: The space of one action.
        params: The network.
        observations: An array of shape (n, ...).
        keys: A key for each environment.
    """
    rows = observations.reshape(len(observations), -1).astype(jnp.float32)
    outputs = _outputs(params.actor, rows)
    extras: dict[str, jax.Array] = {}
    if params.normals is None:
        index, log_prob = jax.vmap(partial(_categorical, params.deterministic))(outputs, keys)
        actions = index + int(space.start)
    else:
        drawn, log_prob = jax.vmap(partial(_gaussian, space, params.normals, params.deterministic))(outputs, keys)
        actions = drawn.reshape(-1, *space.shape)
        if params.clip:
            extras["unclipped"] = actions
            actions = jnp.clip(actions, space.low, space.high)
    extras["log_prob"] = log_prob.astype(jnp.float32)
    if params.critic:
        extras["value"] = _outputs(params.critic, rows)[:, 0]
    return actions, extras


def _outputs(layers: tuple[Dense, ...], rows: jax.Array) -> jax.Array:
    for layer in layers:
        # Some devices would round the factors to fewer bits.
        rows = _ACTIVATIONS[layer.activation](jnp.dot(rows, layer.weights, precision="highest") + layer.bias)
    return rows


def _categorical(deterministic: bool, logits: jax.Array, key: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns the index of an action and the logarithm of its probability."""
    log_probs = jax.nn.log_softmax(logits)
    reached = jnp.cumsum(jnp.exp(log_probs[:-1]))
    index = jnp.argmax(logits) if deterministic else (reached <= Draws(key).random()).sum()
    return index, jnp.where(jnp.arange(len(logits)) == index, log_probs, 0.0).sum()


def _gaussian(
    space: Space, normals: Normals, deterministic: bool, means: jax.Array, key: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns the parts of an action and the logarithm of its density."""
    actions = means if deterministic else means + normals.std * Draws(key).standard_normal(size=len(means))
    actions = actions.astype(jax.dtypes.canonicalize_dtype(space.dtype))
    return actions, (-0.5 * ((actions - means) / normals.std) ** 2 - normals.log_std - HALF_LOG_TAU).sum()


_ACTIVATIONS: dict[str, Callable[[jax.Array], jax.Array]] = {"none": lambda x: x, "tanh": jnp.tanh, "relu": jax.nn.relu}
