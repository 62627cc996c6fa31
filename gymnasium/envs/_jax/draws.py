"""Random numbers under the method names of `numpy.random.Generator`, from a key of JAX."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import NoReturn, TypeAlias

import numpy as np

from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.ops import floating, integer

_CHILDREN = 2  # a block is made from the first two children of its key, so further keys begin here


Size: TypeAlias = int | tuple[int, ...] | None
Number: TypeAlias = float | jax.Array


class Undrawable(TypeError, AttributeError):
    """The dynamics requested random numbers that are not supported."""


class Draws:
    """The `rng` of dynamics under JAX: the same calls in the same order give the same numbers for the same key.

    They differ from those of NumPy's generators, whose `ValueError`s come for bounds that are constants. With `size`,
    an int or a tuple of ints, a call returns an array of that shape with the numbers of as many calls without it.
    Traced within a `jax.lax` loop or branch, a call would draw the same number each time; split a key there instead.

    Args:
        key: A key of `jax.random.key`; None if nothing will be drawn.
    """

    def __init__(self, key: jax.Array | None) -> None:
        self._key = key
        self._keys = _CHILDREN  # the number of used keys
        self._numbers: list[jax.Array] = []  # of a block, not drawn yet

    def random(self, size: Size = None) -> jax.Array:
        """Returns a float, uniform in [0, 1), or an array of such."""
        if size is not None:
            return self._random_numbers(prod(_shape(size))).reshape(_shape(size))
        if not self._numbers:
            # The first block of each environment needs no key of its own: starts are drawn at every step of a batch.
            self._numbers = _block(self._checked_key() if self._keys == _CHILDREN else self._fresh_key())
            self._keys = max(self._keys, _CHILDREN + 1)
        return self._numbers.pop(0)

    def uniform(self, low: Number = 0.0, high: Number = 1.0, size: Size = None) -> jax.Array:
        """Returns a float, uniform in [low, high) up to rounding, or an array of such."""
        _check_numbers("uniform", low=low, high=high)
        if _known(low, high) and low > high:
            raise ValueError("high - low < 0")
        return low + (high - low) * self.random(size)

    def integers(self, low: Number, high: Number | None = None, size: Size = None) -> jax.Array:
        """Returns an integer, uniform in [low, high), or in [0, low) without `high`; or an array of such."""
        low, high = (0, low) if high is None else (low, high)
        _check_numbers("integers", low=low, high=high)
        if _known(low, high) and low >= high:
            raise ValueError("low >= high")
        return self._each(lambda key: jax.random.randint(key, (), low, high, integer()), size)

    def normal(self, loc: Number = 0.0, scale: Number = 1.0, size: Size = None) -> jax.Array:
        """Returns a float, normally distributed around `loc` with standard deviation `scale`, or an array of such."""
        _check_numbers("normal", loc=loc, scale=scale)
        if _known(scale) and scale < 0:
            raise ValueError("scale < 0")
        return loc + scale * self.standard_normal(size)

    def standard_normal(self, size: Size = None) -> jax.Array:
        """Returns a float, normally distributed around 0 with standard deviation 1, or an array of such."""
        return self._each(lambda key: jax.random.normal(key, (), floating()), size)

    def __getattr__(self, name: str) -> NoReturn:
        """Raises `Undrawable` for other methods of `numpy.random.Generator`."""
        raise Undrawable(
            f"Under JAX `rng` has random, uniform, integers, normal and standard_normal, but no {name}: make it of "
            "these"
        )

    def _each(self, draw: Callable[[jax.Array], jax.Array], size: Size) -> jax.Array:
        """Returns the result of `draw` for a fresh key, or for as many keys as `size` needs."""
        if size is None:
            return draw(self._fresh_key())
        return jax.vmap(draw)(self._fresh_keys(prod(_shape(size)))).reshape(_shape(size))

    def _random_numbers(self, count: int) -> jax.Array:
        """Returns the next floats of `random`, shape (count,)."""
        first: list[jax.Array] = []
        while len(first) < count and (self._numbers or self._keys == _CHILDREN):
            first.append(self.random())
        numbers = jnp.stack(first) if first else jnp.zeros(0, floating())
        rest = count - len(first)
        if rest == 0:
            return numbers
        size = 4 if floating() == np.float32 else 2  # of a block
        blocks = jnp.stack(jax.vmap(_block)(self._fresh_keys(-(-rest // size))), axis=1).reshape(-1)
        self._numbers = list(blocks[rest:])
        return jnp.concatenate([numbers, blocks[:rest]])

    def _fresh_key(self) -> jax.Array:
        self._keys += 1
        return jax.random.fold_in(self._checked_key(), np.uint32(self._keys))

    def _fresh_keys(self, count: int) -> jax.Array:
        """Returns the keys of as many calls of `_fresh_key`."""
        numbers = np.arange(self._keys + 1, self._keys + 1 + count, dtype=np.uint32)
        self._keys += count
        key = self._checked_key()
        return jax.vmap(lambda number: jax.random.fold_in(key, number))(numbers)

    def _checked_key(self) -> jax.Array:
        if self._key is None:
            raise TypeError(
                "These dynamics draw random numbers, but None came as rng: give a key, jax.random.key(seed)"
            )
        return self._key


def _shape(size: int | tuple[int, ...]) -> tuple[int, ...]:
    return size if isinstance(size, tuple) else (size,)


def _check_numbers(method: str, **bounds: Number) -> None:
    for name, bound in bounds.items():
        if jnp.ndim(bound) > 0:
            raise Undrawable(
                f"rng.{method} takes a number as {name}, but an array of shape {jnp.shape(bound)} came: draw with "
                f"size={jnp.shape(bound)}, and scale the result"
            )


def _known(*bounds: Number) -> bool:
    """Returns whether bounds are numbers that tracing knows, so that they are refused as NumPy does."""
    return all(isinstance(bound, (int, float, np.number)) for bound in bounds)


def _block(key: jax.Array) -> list[jax.Array]:
    """Returns the floats, uniform in [0, 1), from the bits of two children of `key`: four, or two of 64 bits."""
    children = jax.random.split(key, 2)
    typed = jnp.issubdtype(children.dtype, jax.dtypes.prng_key)
    words = list((jax.random.key_data(children) if typed else children).reshape(-1)[:4])
    if floating() == np.float32:
        return [(word >> 8).astype(np.float32) * np.float32(2.0**-24) for word in words]
    pairs = zip(words[::2], words[1::2], strict=True)
    return [((high >> 5).astype(np.float64) * 2.0**26 + (low >> 6)) * 2.0**-53 for high, low in pairs]
