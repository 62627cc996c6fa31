"""The reason why a function does not trace: JAX's errors, in terms of the dynamics."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Collection
from functools import wraps
from traceback import walk_tb
from types import CodeType
from typing import Any

from gymnasium.envs._jax.draws import Undrawable
from gymnasium.envs._jax.library import jax

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (
        jax.errors.TracerBoolConversionError,
        "branches on a value that is known only when the environment runs (an `if`, a `while`, `and`, `or`, `not`, "
        "`min` or `max`). Choose with `gymnasium.functional.ops.where`, and combine with `&`, `|` and `~`",
    ),
    (
        jax.errors.TracerIntegerConversionError,
        "uses a value that is known only when the environment runs as a Python index or count. Index an array with it, "
        "and loop a fixed number of times",
    ),
    (
        jax.errors.ConcretizationTypeError,
        "makes a Python number of a value that is known only when the environment runs (`int`, `float`, `range`). "
        "Leave `int` and `float` out, loop a fixed number of times, and compute with `gymnasium.functional.ops`",
    ),
    (
        jax.errors.TracerArrayConversionError,
        "hands a value that is known only when the environment runs to NumPy. Use the functions of "
        "`gymnasium.functional.ops`",
    ),
    (
        jax.errors.NonConcreteBooleanIndexError,
        "selects by a mask that is known only when the environment runs, so that the number of elements is not known. "
        "Use `gymnasium.functional.ops.where`",
    ),
)
_WORDS = (
    (
        "unhashable type: '\\w*Tracer'",
        "looks up in a dict or a set a value that is known only when the environment runs. Index an array with it, or "
        "compare it: `(x == 0) | (x == 1)`",
    ),
    (
        "'types.SimpleNamespace' object is not callable",
        "makes an object of a class that is no NamedTuple. Use numbers, arrays, tuples and NamedTuples",
    ),
    ("'Constants' object does not support item assignment", "writes into a global. Keep the value in the state"),
)
"""Maps what errors of Python's say to reasons."""


def explained(
    function: Callable[..., Any], name: str, codes: Collection[CodeType], elsewhere: str = ""
) -> Callable[..., Any]:
    """Returns `function` with a `TypeError` that has name, line and advice if JAX cannot trace it.

    Args:
        function: The function.
        name: Its name in the message.
        codes: The code objects of the dynamics, in which the line is looked up.
        elsewhere: A sentence on where it runs as it is.
    """

    @wraps(function)
    def call(*arguments: object, **named: object) -> Any:
        try:
            return function(*arguments, **named)
        except (TypeError, IndexError) as error:  # JAX's errors are subclasses of these
            if isinstance(error, Undrawable):
                raise TypeError(f"{name} cannot run under JAX: {_place(error, codes)}: {error}") from error
            if "immutable" in str(error):
                raise TypeError(
                    f"{name} cannot run under JAX: {_place(error, codes)} writes into an array. Make another, with "
                    "`np.where(np.arange(n) == i, value, array)` or `np.stack`, say"
                ) from error
            reason = next((reason for kind, reason in _REASONS if isinstance(error, kind)), None)
            reason = reason or next((reason for text, reason in _WORDS if re.search(text, str(error))), None)
            if reason is None:
                raise
            text = f"{name} cannot run under JAX: {_place(error, codes)} {reason}"
            raise TypeError(f"{text}. {elsewhere}" if elsewhere else text) from error

    return call


def _place(error: Exception, codes: Collection[CodeType]) -> str:
    """Returns the innermost line of the dynamics that the error went through."""
    lines = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__) if frame.f_code in codes]
    if not lines:
        return "it"
    code, line = lines[-1]
    text = linecache.getline(code.co_filename, line).strip()
    return f"`{text}` ({code.co_filename}, line {line}, in {code.co_name})"
