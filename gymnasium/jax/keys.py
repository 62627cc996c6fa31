"""Keys of JAX, made of seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.jax.library import jax

_POLICIES = 0x504F4C49  # no environment makes so many keys of one, so that equal seeds give other numbers


def key_of(seed: int) -> Any:
    """Returns `PRNGKey(seed)`, which uses 32 bits; the further bits of a larger seed count too."""
    key = jax.random.PRNGKey(seed % 2**32)
    while seed := seed >> 32:
        key = jax.random.fold_in(key, np.uint32(seed % 2**32))
    return key


def policy_keys(seed: int, n: int) -> Any:
    """Returns the keys from which a policy draws in n environments; that of each does not depend on n."""
    key = jax.random.fold_in(key_of(seed), np.uint32(_POLICIES))
    return jax.vmap(jax.random.fold_in, (None, 0))(key, np.arange(n, dtype=np.uint32))
