"""The errors of `math`, and rounding that is known to the bit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from palaestra.language.operations.distances import is_ours
from tests.palaestra.language.machines import Failed, machine_of, same

_INF, _NAN = math.inf, math.nan
_OF_ONE = {
    math.log: (0.0, -0.0, -1.0, _INF, -_INF, _NAN, 2.0, 5e-324),
    math.log2: (0.0, -1.0, 8.0, _INF),
    math.log10: (0.0, -1.0, 1000.0),
    math.log1p: (-1.0, -2.0, -0.0, 1e-20),
    math.exp: (1000.0, -1000.0, 709.0, _INF, -_INF, _NAN),
    math.expm1: (1000.0, -1000.0, -0.0),
    math.sqrt: (-1.0, -0.0, -_INF, _INF, _NAN, -5e-324),
    math.sin: (_INF, -_INF, _NAN, 1e22, -0.0),
    math.cos: (_INF, _NAN, 1e22),
    math.tan: (_INF, _NAN, math.pi / 2),
    math.asin: (2.0, -1.0, 1.0000000000000002),
    math.acos: (2.0, -1.0, 1.0),
    math.atan: (_INF, -0.0),
    math.sinh: (1000.0, -1000.0, _INF),
    math.cosh: (1000.0, -_INF),
    math.tanh: (1000.0, -_INF, -0.0),
    math.acosh: (0.5, 1.0, _INF, -1.0),
    math.asinh: (_INF, -0.0, 1e308),
    math.atanh: (1.0, -1.0, 2.0, 0.5, -0.0),
    math.floor: (_NAN, 1e17, -0.5, 2.0**63 - 1024),
    math.ceil: (_NAN, 0.5, -0.5, -(2.0**62)),
    math.trunc: (_NAN, -0.5, 1e18),
    math.ulp: (0.0, -1.0, 1.7976931348623157e308, _INF, _NAN),
}
_OF_TWO = {
    math.pow: ((0.0, -1.0), (-0.0, -3.0), (-8.0, 1 / 3), (1e200, 2.0), (0.0, -_INF), (-1.0, _INF), (1.0, _NAN)),
    math.fmod: ((_INF, 1.0), (1.0, 0.0), (1.0, _INF), (_NAN, 0.0), (-7.0, 3.0), (-6.0, 3.0)),
    math.remainder: ((_INF, 3.0), (5.0, 0.0), (5.0, _INF), (-7.5, 3.0), (4.5, 3.0), (6.0, -3.0)),
    math.copysign: ((1.0, -0.0), (_NAN, 1.0), (-3.0, _INF)),
    math.atan2: ((0.0, -0.0), (-0.0, -1.0), (_INF, -_INF), (_NAN, 1.0)),
    math.hypot: ((_INF, _NAN), (0.0, -0.0), (3.0, 4.0), (1e-200, 1e-201), (_NAN, 1.0)),
    math.isclose: ((1.0, 1.0 + 1e-10), (_INF, _INF), (_INF, 1e308), (_NAN, _NAN)),
    math.nextafter: ((0.0, -1.0), (1.0, _INF), (_INF, 0.0), (_NAN, 1.0)),
}


def _outcome(function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Failed as failed:
        return failed.args[0]
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        return type(error).__name__


@pytest.mark.parametrize("function", [*_OF_ONE, *_OF_TWO], ids=lambda one: one.__name__)
def test_errors_are_those_of_math(function: Any) -> None:
    several = [(one,) for one in _OF_ONE.get(function, ())] + [*_OF_TWO.get(function, ())]

    def called(*arguments: Any) -> Any:
        return function(*arguments)

    machine = machine_of(called, *several[0])
    for arguments in several:
        given, expected = _outcome(machine, *arguments), _outcome(function, *arguments)
        assert given == expected if isinstance(expected, str) else same(given, expected), arguments


def test_logarithms_to_a_base() -> None:
    machine = machine_of(lambda x, base: math.log(x, base), 1.0, 2.0)
    assert machine(8.0, 2.0) == math.log(8.0, 2.0)
    with pytest.raises(Failed, match="ZeroDivisionError"):
        machine(8.0, 1.0)
    with pytest.raises(Failed, match="ValueError"):
        machine(8.0, 0.0)


@pytest.mark.parametrize("places", [0, 1, 2, 5, 10, 15, 22])
def test_round_is_that_of_python(places: int) -> None:
    def function(x: float) -> float:
        return round(x, places)

    machine = machine_of(function, 1.0)
    rng = np.random.default_rng(places)
    drawn = rng.normal(size=2000) * 10.0 ** rng.integers(-12, 12, 2000)
    halves = (rng.integers(-10000, 10000, 2000) + 0.5) / 10.0**places
    left = 0
    for x in (*drawn.tolist(), *halves.tolist(), 0.0, -0.0, 2.675, 0.5, _INF, _NAN, 1e300, -1e-300):
        try:
            assert same(machine(x), round(x, places)), x
        except Failed:
            left += 1
    assert left < 200  # between 2**52 and 2**54 digits, Python rounds


def test_hypot_is_known_here() -> None:
    assert is_ours()
