"""Functions of C libraries that machine code of ours calls, beside those of `symbols`: they may read and write memory.

A user's dynamics have none: such a function may need the GIL, or keep a state of its own.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.table import built
from palaestra.language.program import ADDRESS, FLOAT64, INT64, Value
from palaestra.language.types import PYTHON, Number, Term, constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from palaestra.language.frontend.front import FrontEnd


class Foreign:
    """A function of a C library.

    Args:
        library: The library.
        symbol: The function's name in it.
        result: The type of its result, one of `ctypes`, or None.
        taken: Those of its arguments: numbers of 32 or 64 bits, `c_int64` for an address.

    Attributes:
        symbol: Its name.
        address: Its address.
        result: The dtype of its result, or None.
        taken: The dtypes of its arguments.

    Raises:
        AttributeError: If the library has no such function.
    """

    def __init__(self, library: ctypes.CDLL, symbol: str, result: Any, *taken: Any) -> None:
        self._function = library[symbol]
        self._function.restype, self._function.argtypes = result, taken
        self.symbol = symbol
        self.address = ctypes.cast(self._function, ctypes.c_void_p).value
        self.result = None if result is None else np.dtype(result)
        self.taken = tuple(map(np.dtype, taken))
        assert all(dtype.itemsize >= 4 for dtype in self.taken), symbol  # less is extended, by some callers only

    def __call__(self, *arguments: Any) -> Any:
        """Call it with numbers of Python; a number that it returns is one, too."""
        return self._function(*arguments)


def call_foreign(front: FrontEnd, function: Foreign, terms: Sequence[Term]) -> Term:
    """Returns what a function of a C library returns.

    Raises:
        Refused: If `ctypes` would not take the arguments.
    """
    if len(terms) != len(function.taken):
        raise Refused(f"{function.symbol} takes {len(function.taken)} arguments")
    given = [_given(front, function, term, dtype) for term, dtype in zip(terms, function.taken, strict=True)]
    value = front.emit("foreign", function.result, *given, attribute=(function.symbol, function.address))
    if function.result is None:
        return constant(None)
    kind = PYTHON[{"b": bool, "i": int, "f": float}[function.result.kind]]
    return Term(kind, (front.convert(value, kind.dtype),))


def _given(front: FrontEnd, function: Foreign, term: Term, dtype: np.dtype[Any]) -> Value:
    number = front.materialized(term)
    if not isinstance(number.type, Number) or not number.type.python:
        raise Refused(f"{function.symbol} takes numbers of Python")
    if dtype.kind != "f" and number.type == PYTHON[float]:
        raise Refused(f"{function.symbol} takes an int")
    return front.convert(number.part, dtype)


def drawn_at(draw: int, state: int) -> float:
    """Returns the float64 that the C function at an address returns for an address, that of a generator's state."""
    return float(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)(draw)(state))


@built(drawn_at, folds=False)
def _drawn_at(front: FrontEnd, draw: Term, state: Term) -> Term:
    words = [front.convert(front.materialized(term).part, INT64) for term in (draw, state)]
    drawn = front.emit("invoke", FLOAT64, front.emit("address", ADDRESS, words[0]), words[1])
    return Term(PYTHON[float], (drawn,))
