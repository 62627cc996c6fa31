"""Functions that a user's own compiler has made callable are taken by their Python source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from palaestra.language.frontend.refusals import CannotCompile
from tests.palaestra.language.machines import machine_of


class Dispatcher:
    """What `numba.njit` returns, as far as it is public."""

    def __init__(self, function: Callable[..., Any], **options: bool) -> None:
        self.py_func, self.targetoptions = function, options

    def __call__(self, *arguments: Any) -> Any:
        return self.py_func(*arguments)


def _halved(x: float) -> float:
    return x * 0.5


halved, loosely_halved = Dispatcher(_halved, nopython=True), Dispatcher(_halved, fastmath=True)


def half(x: float) -> float:
    return halved(x) + 1.0


def loose_half(x: float) -> float:
    return loosely_halved(x) + 1.0


def test_its_source_is_compiled() -> None:
    assert machine_of(half, 1.0)(5.0) == 3.5


def test_with_fastmath_it_is_refused() -> None:
    with pytest.raises(CannotCompile, match="rounds in its own way"):
        machine_of(loose_half, 1.0)
