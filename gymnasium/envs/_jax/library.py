"""The only import of JAX."""

from __future__ import annotations

from gymnasium.dependencies import not_installed

try:
    import jax
    from jax import lax
    from jax import numpy as jnp
except ImportError as reason:
    raise not_installed("JAX", "environments on its devices", reason, "jax", "array-api-compat") from reason

__all__ = ["jax", "jnp", "lax"]
