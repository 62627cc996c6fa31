"""JAX in double precision, by the name that its version has for it."""

from __future__ import annotations

from gymnasium.envs._jax.library import enable_x64

__all__ = ["enable_x64"]
