"""The only import of JAX."""

from __future__ import annotations

from gymnasium.dependencies import not_installed

try:
    import jax
    from jax import lax
    from jax import numpy as jnp

    try:
        from jax import enable_x64
    except ImportError:  # an older JAX
        from jax.experimental import enable_x64  # type: ignore[attr-defined, no-redef]
except ImportError as reason:
    raise not_installed("JAX", "environments on its devices", reason, "jax", "array-api-compat") from reason

__all__ = ["enable_x64", "jax", "jnp", "lax"]
