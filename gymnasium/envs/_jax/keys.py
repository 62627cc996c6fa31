"""Keys of JAX, made of seeds."""

from __future__ import annotations

import numpy as np

from gymnasium.envs._jax.library import jax

# No environment makes so many keys of one, so that equal seeds give other numbers.
_POLICIES = 0x504F4C49
_PARAMS = 0x50415241


def key_of(seed: int) -> jax.Array:
    """Returns `PRNGKey(seed)`, which uses 32 bits; the further bits of a larger seed count too."""
    key = jax.random.PRNGKey(seed % 2**32)
    while seed := seed >> 32:
        key = jax.random.fold_in(key, np.uint32(seed % 2**32))
    return key


def policy_keys(seed: int, n: int) -> jax.Array:
    """Returns the keys from which a policy draws in n environments; that of each does not depend on n."""
    return _keys_of_each(key_of(seed), _POLICIES, n)


def param_keys(key: jax.Array, n: int) -> jax.Array:
    """Returns the keys from which n environments draw their params; that of each does not depend on n."""
    return _keys_of_each(key, _PARAMS, n)


def stream_key(seed: int | None, key: jax.Array) -> jax.Array:
    """Returns the key from which streams of params begin: that of the last seed, or `key` if there was none."""
    return key if seed is None or seed < 0 else key_of(seed)


def _keys_of_each(key: jax.Array, purpose: int, n: int) -> jax.Array:
    own = jax.random.fold_in(key, np.uint32(purpose))
    return jax.vmap(jax.random.fold_in, (None, 0))(own, np.arange(n, dtype=np.uint32))
