"""What dynamics may be made of: helpers, classes, modules and closures, and what changes their digest."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numba import njit

from gymnasium.functional import ops
from palaestra.language.jit.exact.language import Refused
from palaestra.language.jit.lowering import Lowering

FACTOR = 2.0
WEIGHTS = np.arange(3.0)


def twice(x):
    return FACTOR * x


def factorial(n):
    product = 1
    for k in range(2, n + 1):
        product *= k
    return product


def endless(n):
    return 1 if n <= 1 else n * endless(n - 1)


class Helpers:
    SHIFT = 3.0

    @staticmethod
    def shifted(x):
        return x + Helpers.SHIFT


def uses_everything(x):
    inner = twice(Helpers.shifted(x)) + ops.sin(x) + ops.pow2(x) + math.cos(x) + WEIGHTS[1]
    return inner + factorial(4) + ops.where(x > 0, 1.0, 0.0)


def lowered(function: Any) -> tuple[Any, str]:
    lowering = Lowering()
    return lowering.function(function), lowering.digest()


def test_helpers_modules_and_classes_compile() -> None:
    compiled, _ = lowered(uses_everything)
    for x in (0.5, -1.25, 3.0):
        assert compiled(x) == uses_everything(x)


def test_recursion_is_refused_by_name() -> None:
    compiled, _ = lowered(endless)
    with pytest.raises(Refused, match=r"endless, line .* is not supported"):
        compiled(3)


def test_a_closure_compiles() -> None:
    def make(step):
        def moved(x):
            return twice(x) + step

        return moved

    compiled, first = lowered(make(0.5))
    assert compiled(1.0) == 2.5
    assert lowered(make(0.5))[1] == first
    assert lowered(make(0.75))[1] != first


def test_functions_compiled_by_the_user_are_kept() -> None:
    own = njit(lambda x: x + 1.0)

    def uses(x):
        return own(x) * 2.0

    assert lowered(uses)[0](1.0) == 4.0


@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [
        (None, "FACTOR", 3.0),
        (None, "WEIGHTS", np.array([0.0, 1.5, 2.0])),
        (None, "twice", lambda x: FACTOR + x),
        (Helpers, "SHIFT", 4.0),
        (Helpers, "shifted", staticmethod(lambda x: x - Helpers.SHIFT)),
    ],
)
def test_the_digest_follows_everything_that_is_reached(
    owner: Any, name: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, before = lowered(uses_everything)
    assert lowered(uses_everything)[1] == before

    if owner is None:
        monkeypatch.setitem(uses_everything.__globals__, name, value)
    else:
        monkeypatch.setattr(owner, name, value)

    assert lowered(uses_everything)[1] != before
