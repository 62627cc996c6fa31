"""JAX in double precision, by the name that its version has for it."""

from __future__ import annotations

try:
    from jax import enable_x64
except ImportError:
    from jax.experimental import enable_x64  # type: ignore[no-redef]

__all__ = ["enable_x64"]
