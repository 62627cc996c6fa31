"""Functions with other globals, as runners make them of dynamics."""

from __future__ import annotations

import math
from fractions import Fraction
from types import FunctionType
from typing import Any, NamedTuple

from gymnasium.functional.rebinding import is_of_values, names_in, rebound, used_of

SCALE = 2


def shifted(x: Any) -> Any:
    return x + 1


def countdown(n: int) -> list[int]:
    return [n, *countdown(n - SCALE)] if n > 0 else []


def scaler(offset: Any) -> Any:
    def scaled(x: Any) -> Any:
        return [SCALE * shifted(part) + offset for part in x]

    return scaled


def copy_of(function: FunctionType, others: dict[str, Any]) -> Any:
    copies: list[FunctionType] = []
    rebound(function, copies.append, lambda name, old, names: copies[0] if old is function else others.get(name, old))
    return copies[0]


def test_a_copy_sees_other_globals_and_closed_over_variables() -> None:
    scaled = scaler(5)
    copy = copy_of(scaled, {"SCALE": 10, "shifted": lambda x: x - 1, "offset": 7})

    assert copy([1, 2]) == [7, 17]
    assert scaled([1, 2]) == [9, 11]


def test_a_copy_may_name_itself() -> None:
    assert copy_of(countdown, {"SCALE": 3})(7) == [7, 4, 1]
    assert countdown(7) == [7, 5, 3, 1]


def test_names_are_also_those_in_inner_functions() -> None:
    assert {"SCALE", "shifted", "offset"} <= set(names_in(scaler.__code__))


def test_what_is_used_of_a_module_or_class() -> None:
    assert dict(used_of(math, ["pi", "absent"])) == {"pi": math.pi}
    assert dict(used_of(Fraction, ["limit_denominator", "numerator"])) == {
        "limit_denominator": Fraction.limit_denominator  # the other is a property
    }


def test_classes_of_values_and_places_for_functions() -> None:
    class Pair(NamedTuple):
        a: int

    assert all(is_of_values(kind) for kind in (Pair, int, ValueError))
    assert not is_of_values(Fraction)
