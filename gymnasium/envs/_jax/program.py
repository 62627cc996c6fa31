"""Functions of arrays and params, compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gymnasium.envs._jax.library import jax
from gymnasium.envs._jax.params import Tree, Values, joined, split


class Program:
    """A jitted function with params as its last argument; it is compiled once for each value of their fixed parts.

    Args:
        function: The function, pure.
        donated: The position of an argument whose memory the results may take; None for no argument.
    """

    def __init__(self, function: Callable[..., Any], donated: int | None = None) -> None:
        self._jitted: Any = jax.jit(
            lambda tree, values, *arguments: function(*arguments, joined(tree, values)),
            static_argnums=0,
            donate_argnums=() if donated is None else donated + 2,
            keep_unused=donated is not None,
        )
        self._params: object = self
        self._parts: tuple[Tree, list[Values]]

    def __call__(self, *arguments: object) -> Any:
        """Returns the result of the function."""
        return self._jitted(*self._split(arguments[-1]), *arguments[:-1])

    def shapes(self, *arguments: object) -> Any:
        """Returns shapes and dtypes of the results; arguments may be shapes too. The traced program is kept."""
        return self._jitted.eval_shape(*self._split(arguments[-1]), *arguments[:-1])

    def _split(self, params: object) -> tuple[Tree, list[Values]]:
        if params is not self._params:  # tables are long, and mostly unchanged
            values, tree = split(params)
            self._params, self._parts = params, (tree, values)
        return self._parts


def on_host(state: object) -> Any:
    """Returns a state of Python numbers and NumPy arrays, in the form of drawings."""
    arrays = jax.tree.map(np.asarray, state)
    return jax.tree.map(lambda array: array if array.ndim else array.item(), arrays)


def on_numpy(value: object) -> Any:
    """Returns an array of JAX as one of NumPy, or a number; anything else unchanged."""
    return np.asarray(value)[()] if isinstance(value, jax.Array) else value
