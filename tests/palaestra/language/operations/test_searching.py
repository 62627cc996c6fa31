"""What looks at several objects: sums, orders, containers."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.operations.searching import sum_with_rests
from palaestra.language.program import BEYOND
from tests.palaestra.language.machines import Failed, machine_of, same


def test_sums_with_rests_are_those_of_later_versions() -> None:
    assert sum_with_rests(0, (1e16, 1.0, -1e16)) == 1.0
    assert sum_with_rests(0, (0.1,) * 10) == 1.0
    assert sum_with_rests(0, (math.inf, 1.0)) == math.inf
    assert math.copysign(1.0, sum_with_rests(0, (-0.0,))) == 1.0
    if sys.version_info >= (3, 12):
        rng = np.random.default_rng(0)
        drawn = (rng.normal(size=(200, 6)) * 10.0 ** rng.integers(-9, 9, (200, 6))).tolist()
        assert all(sum(one) == sum_with_rests(0, tuple(one)) for one in drawn)
    machine = machine_of(sum_with_rests, 0.0, (1.0, 1.0, 1.0))
    assert machine(0.0, (1e16, 1.0, -1e16)) == 1.0


def test_the_first_of_equal_ones_is_chosen() -> None:
    def function(a: float, b: int) -> Any:
        return max(a, b), min(a, b), max(b, a), sorted((a, b)), sorted((b, a), reverse=True)

    machine = machine_of(function, 1.0, 1)
    for arguments in ((1.0, 1), (2.0, 1), (-1.0, 3), (0.0, 0), (-0.0, 0)):
        expected = tuple(tuple(one) if isinstance(one, list) else one for one in function(*arguments))
        assert same(machine(*arguments), expected)


def test_keys_and_defaults() -> None:
    def function(x: float, y: float, z: float) -> Any:
        items = [(x, 1), (y, 2), (z, 3)]
        first = min(items, key=lambda one: one[0])
        order = sorted(items, key=lambda one: -one[0])
        return first, order[0], order[2], max((), default=x), min(abs(one) for one in (x, y, z))

    machine = machine_of(function, 1.0, 2.0, 3.0)
    for arguments in ((1.0, 1.0, 1.0), (3.0, -2.0, 5.0), (-1.0, 0.0, -1.0)):
        assert same(machine(*arguments), function(*arguments))


def test_sorting_leaves_nan_to_python() -> None:
    machine = machine_of(lambda x, y: sorted((x, y)), 1.0, 2.0)
    assert machine(2.0, 1.0) == (1.0, 2.0)
    with pytest.raises(Failed, match=BEYOND):
        machine(math.nan, 1.0)


def test_nan_in_a_container_may_be_the_same_object() -> None:
    machine = machine_of(lambda x, y: x in (y, 2.0), 1.0, 1.0)
    assert machine(2.0, math.nan) is True
    assert machine(math.nan, 1.0) is False
    with pytest.raises(Failed, match=BEYOND):
        machine(math.nan, math.nan)


def test_items_behind_the_first_equal_one_are_not_compared() -> None:
    machine = machine_of(lambda x, y: (x, 1) == (y, 1.0) and (x, y) < (y, x + 1), 1, 2)
    assert machine(3, 3) is True
    assert machine(3, 4) is False


def test_floats_in_ranges() -> None:
    def function(x: float, y: int) -> Any:
        return x in range(0, 100, 7), y in range(y - 5, 90), y in range(9, -9, -2)

    machine = machine_of(function, 1.0, 1)
    for arguments in ((14.0, 3), (14.5, -7), (-0.0, 100), (math.nan, 9), (math.inf, -9)):
        assert same(machine(*arguments), function(*arguments))


def test_refusals_name_the_remedy() -> None:
    def function(x: float) -> float:
        print(x)
        return math.fsum((x, x))

    with pytest.raises(CannotCompile, match="print") as caught:
        machine_of(function, 1.0)
    assert [one.remedy for one in caught.value.refusals] == ["remove it, or let `render` print", "write sum()"]
