"""The only import of Numba, and its decorators with the types that the decorated functions have for their callers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from gymnasium.error import DependencyNotInstalled

try:
    import llvmlite.binding as llvm
    import numba
    from llvmlite import ir
    from numba import types
    from numba.core import extending
    from numba.core.dispatcher import Dispatcher
    from numba.np.random import _constants as ziggurat
except ImportError as error:
    raise DependencyNotInstalled(
        f'Compiled environments need Numba, which cannot be imported ({error}): pip install "numba>=0.59"; '
        'it also comes with pip install "gymnasium[all]"'
    ) from error

__all__ = [
    "CONFIG",
    "OPTIONS",
    "Dispatcher",
    "compiled",
    "intrinsic",
    "ir",
    "llvm",
    "method_of",
    "models",
    "numba",
    "register_model",
    "types",
    "ziggurat",
]

CONFIG: Any = numba.config  # whose names it sets at run time
models, register_model = extending.models, extending.register_model

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}
"""Of every compiled function: division by zero is infinite or NaN, as NumPy has it. No `fastmath`: bits matter."""


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function of the typing context and argument types that returns a signature and writes LLVM code."""
    made: Any = extending.intrinsic(function)
    return made  # type: ignore[no-any-return]  # called with its arguments alone


def compiled(function: Function) -> Function:
    """Decorates a function that is compiled when compiled code first calls it."""
    decorate: Any = numba.njit(**OPTIONS)
    return decorate(function)  # type: ignore[no-any-return]  # called as before


def method_of(kind: type[Any], name: str) -> Callable[[Function], Function]:
    """Decorates what returns, for types, the method `name` of values of a Numba type `kind`."""
    overload: Any = extending.overload_method
    # Not strict: Numba compares annotations too, which a lambda has none of.
    return overload(kind, name, strict=False)  # type: ignore[no-any-return]
