"""Generators as arguments: what reads all of them, what ends early, and what is refused."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from tests.palaestra.language.machines import Failed, machine_of, same


def _any_draw(rng: np.random.Generator, limit: float) -> Any:
    found = any(rng.random() < limit for _ in range(4))
    return found, rng.random()


def _all_draws(rng: np.random.Generator, limit: float) -> Any:
    found = all(rng.random() < limit for _ in range(4))
    return found, rng.random()


def _sum_of_draws(rng: np.random.Generator, limit: float) -> Any:
    return sum(rng.random() * k for k in range(4) if k != 2), max(rng.random() for _ in range(3)), limit


@pytest.mark.parametrize("function", [_any_draw, _all_draws, _sum_of_draws])
def test_draws_are_made_as_python_makes_them(function: Any) -> None:
    machine = machine_of(function, np.random.default_rng(0), 0.5)
    for seed in range(20):
        ours, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
        assert same(machine(ours, 0.6), function(theirs, 0.6))
        assert ours.bit_generator.state == theirs.bit_generator.state


def test_any_ends_before_what_would_fail() -> None:
    def function(x: int, y: int) -> bool:
        return any(6 // k > 2 for k in (x, y))

    machine = machine_of(function, 1, 1)
    assert machine(2, 0) is True
    assert machine(3, 3) is False
    with pytest.raises(Failed, match="ZeroDivisionError"):
        machine(3, 0)


def test_names_behind_a_generator_are_those_before() -> None:
    def function(k: int) -> Any:
        found = any(k > 2 for k in (1, 2))
        return found, k

    assert machine_of(function, 1)(7) == (False, 7)


def test_a_generator_with_effects_that_ends_early_is_refused() -> None:
    def function(rng: np.random.Generator) -> float:
        for x in (rng.random() for _ in range(3)):
            if x > 0.5:
                return x
        return 0.0

    with pytest.raises(CannotCompile, match="generator"):
        machine_of(function, copy.deepcopy(np.random.default_rng(0)))
