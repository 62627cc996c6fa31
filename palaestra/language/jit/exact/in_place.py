"""Types of `+=` and its like on arrays, also where Numba has no such operation, so that the reader names the line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from palaestra.language.jit.backend import InPlaceOperator, signature_of


@contextmanager
def in_place_typed() -> Iterator[None]:
    """While it lasts, they have a type for all arrays: on read-only ones and tuples, Numba fails and names no place."""
    with patch.object(InPlaceOperator, "generic", _typed(InPlaceOperator.generic)):
        yield


def _typed(generic: Callable[..., Any]) -> Callable[..., Any]:
    def typed(self: Any, arguments: Any, keywords: Any) -> Any:
        try:
            return generic(self, arguments, keywords)
        except AttributeError:  # it takes the parts of a signature that it did not find
            return signature_of(arguments[0], *arguments)

    return typed
