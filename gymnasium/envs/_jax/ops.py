"""The traced counterparts of `gymnasium.functional.ops` and `math`.

They return the same results, up to the last bits of JAX's precision: single, unless `jax_enable_x64` is set.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from gymnasium.envs._jax.library import jax, jnp
from gymnasium.functional import ops

Array: TypeAlias = jax.Array | float  # or a tracer


def floating() -> np.dtype:
    """Returns the dtype of floats: float32, or float64 if JAX is configured for it."""
    return jax.dtypes.canonicalize_dtype(np.float64)


def integer() -> np.dtype:
    """Returns the dtype of ints: int32, or int64."""
    return jax.dtypes.canonicalize_dtype(np.int64)


def clip(x: Array, low: Array, high: Array) -> jax.Array:
    """Like `ops.clip`; its derivative by `x` is 1 up to the bounds, and 0 beyond."""
    return jnp.where(x < low, low, jnp.where(x > high, high, x))


def minimum(a: Array, b: Array) -> jax.Array:
    """As `ops.minimum`."""
    return jnp.where(b < a, b, a)


def maximum(a: Array, b: Array) -> jax.Array:
    """As `ops.maximum`."""
    return jnp.where(b > a, b, a)


def float32(x: Array) -> jax.Array:
    """Like `ops.float32`: rounds, and returns the dtype of all floats."""
    return jnp.asarray(x, jnp.float32).astype(floating())


def floor(x: Array) -> jax.Array:
    """Like `ops.floor`: an integer."""
    return jnp.floor(x).astype(integer())


def pow2(x: Array) -> Array:
    """Like `ops.pow2`, except for the last bit."""
    return x * x


def pow2f(x: Array) -> jax.Array:
    """Like `ops.pow2f`, except for the last bit of single precision."""
    return float32(pow2(jnp.asarray(x, jnp.float32)))


COUNTERPARTS: dict[Callable[..., Any], Callable[..., Any]] = {
    ops.clip: clip,
    ops.float32: float32,
    ops.floor: floor,
    ops.maximum: maximum,
    ops.minimum: minimum,
    ops.pow2: pow2,
    ops.pow2f: pow2f,
    ops.where: jnp.where,
    # These of `ops` are the functions of `math` themselves.
    ops.atan2: jnp.arctan2,
    ops.cos: jnp.cos,
    ops.sin: jnp.sin,
    ops.sqrt: jnp.sqrt,
    math.acos: jnp.arccos,
    math.asin: jnp.arcsin,
    math.atan: jnp.arctan,
    math.exp: jnp.exp,
    math.fabs: jnp.abs,
    math.hypot: jnp.hypot,
    math.log: jnp.log,
    math.tan: jnp.tan,
    math.tanh: jnp.tanh,
}

MODULES: dict[str, Any] = {
    "numpy": jnp,
    "math": SimpleNamespace(
        **{
            name: COUNTERPARTS.get(value, value) if callable(value) else value
            for name, value in vars(math).items()
            if not name.startswith("_")
        }
    ),
}
"""The replacements of modules that dynamics name, as in `math.sin`."""
