"""The functions of NumPy that are translated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from palaestra.language.plain.calls import array_methods, arrays, elementwise, reductions, shaping
from palaestra.language.plain.translation.unit import Code

CALLS: dict[Any, Callable[..., Code]] = {
    **arrays.CALLS,
    **elementwise.CALLS,
    **reductions.CALLS,
    **shaping.CALLS,
    **array_methods.CALLS,
}
