"""Where the package imports JAX."""

from __future__ import annotations

from gymnasium.error import DependencyNotInstalled

try:
    import jax
    from jax import lax
    from jax import numpy as jnp
except ImportError as reason:
    raise DependencyNotInstalled(
        f"To run environments under JAX, it must be installed, but importing it failed ({reason}). Run: pip install "
        '"gymnasium[jax]"'
    ) from reason

__all__ = ["jax", "jnp", "lax"]
