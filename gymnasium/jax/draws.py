"""Random numbers by the names of `numpy.random.Generator`, from a key of JAX."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.jax.library import jax, jnp
from gymnasium.jax.ops import floating, integer

_CHILDREN = 2  # a block is made of the first two children of its key, so that further keys begin here


class Draws:
    """The `rng` of dynamics under JAX: the same calls in the same order give the same numbers for the same key.

    They are not those of NumPy's generators. A call that is traced within a `jax.lax` loop or branch would draw the
    same number again each time; split a key there instead.

    Args:
        key: As `jax.random.key` makes it; None where nothing will be drawn.
    """

    def __init__(self, key: Any) -> None:
        self._key = key
        self._keys = _CHILDREN  # those used up
        self._numbers: list[Any] = []  # of a block, not drawn yet

    def random(self) -> Any:
        """Returns a float, uniform in [0, 1)."""
        if not self._numbers:
            # The first block of each environment costs no key of its own: starts are drawn at every step of a batch.
            self._numbers = _block(self._checked_key() if self._keys == _CHILDREN else self._fresh_key())
            self._keys = max(self._keys, _CHILDREN + 1)
        return self._numbers.pop(0)

    def uniform(self, low: Any = 0.0, high: Any = 1.0) -> Any:
        """Returns a float, uniform in [low, high), rounding aside."""
        return low + (high - low) * self.random()

    def integers(self, low: Any, high: Any = None) -> Any:
        """Returns an integer, uniform in [low, high), or in [0, low) without `high`."""
        low, high = (0, low) if high is None else (low, high)
        return jax.random.randint(self._fresh_key(), (), low, high, integer())

    def normal(self, loc: Any = 0.0, scale: Any = 1.0) -> Any:
        """Returns a float, normally distributed around `loc` with standard deviation `scale`."""
        return loc + scale * jax.random.normal(self._fresh_key(), (), floating())

    def _fresh_key(self) -> Any:
        self._keys += 1
        return jax.random.fold_in(self._checked_key(), np.uint32(self._keys))

    def _checked_key(self) -> Any:
        if self._key is None:
            raise TypeError(
                "These dynamics draw random numbers, but None came as rng: give a key, jax.random.key(seed)"
            )
        return self._key


def _block(key: Any) -> list[Any]:
    """Returns the floats, uniform in [0, 1), that the bits of two children of `key` make: four, or two of 64 bits."""
    children = jax.random.split(key, 2)
    typed = jnp.issubdtype(children.dtype, jax.dtypes.prng_key)
    words = list((jax.random.key_data(children) if typed else children).reshape(-1)[:4])
    if floating() == np.float32:
        return [(word >> 8).astype(np.float32) * np.float32(2.0**-24) for word in words]
    pairs = zip(words[::2], words[1::2], strict=True)
    return [((high >> 5).astype(np.float64) * 2.0**26 + (low >> 6)) * 2.0**-53 for high, low in pairs]
