"""The bits of numbers: a class computes with 64, whatever JAX is configured for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from gymnasium.envs._jax.library import enable_x64, jax
from gymnasium.envs._jax.ops import floating
from gymnasium.envs._jax.program import Program

_Function = TypeVar("_Function", bound=Callable[..., Any])
_NARROW = {np.dtype(one): np.dtype(one[:-2] + "32") for one in ("int64", "uint64", "float64")}


def in_double_precision(method: _Function) -> _Function:
    """Let a method compute with 64 bits; what it returns behind the first result has those of JAX's configuration.

    The attribute `is_wide` of its object says which these are, unless it is None.
    """

    @wraps(method)
    def called(self: Any, *arguments: Any, **named: Any) -> Any:
        is_wide = configured() if self.is_wide is None else self.is_wide
        with enable_x64(True):
            first, *rest = method(self, *arguments, **named)
            return first, *(rest if is_wide else jax.tree.map(_narrowed, rest))

    return called  # type: ignore[return-value]  # of the same type


def configured() -> bool:
    """Returns whether JAX is configured for 64 bits."""
    return floating() == np.float64


def _narrowed(leaf: Any) -> Any:
    return leaf.astype(_NARROW[leaf.dtype]) if leaf.dtype in _NARROW else leaf


class WideProgram(Program):
    """A program that is traced and called with 64 bits."""

    def __call__(self, *arguments: object) -> Any:
        """See `Program`."""
        with enable_x64(True):
            return super().__call__(*arguments)

    def shapes(self, *arguments: object) -> Any:
        """See `Program`."""
        with enable_x64(True):
            return super().shapes(*arguments)
