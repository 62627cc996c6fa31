"""Programs under JAX: what Python returns, in double precision on a CPU, or a mark where it raises."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from palaestra.language.jax.numbers import NotUnderJax
from palaestra.language.program import BEYOND
from tests.palaestra.language.jax_machines import JaxFunction, close, together
from tests.palaestra.language.machines import Failed

pytestmark = pytest.mark.usefixtures("little_optimised")

PRIMES = np.array([2, 3, 5, 7, 11, 13])


def branches(x: float, n: int) -> Any:
    if x > 0:
        if n > 2:
            return 1.0, n
        x = -x
    elif n == 1:
        n = 7
    return x, n


def found_in_a_loop(x: float, n: int) -> Any:
    """A way out of two loops, from the inner one."""
    for i in range(n):
        for k in range(40):
            if i * k > x:
                return i, k
    return -1, -1


def halved(x: float, n: int) -> Any:
    steps = 0
    while x > 1:
        x /= 2
        steps += 1
        if steps > 7:
            break
    return x, steps


def placed(n: int, k: int) -> Any:
    """An index that is found, in an array whose items are else known; and one that is out of it."""
    a = np.zeros(5)
    for i in range(5):
        a[i] = i * n
    a[k] = 100.0
    return a, a[k - 1]


def carried(n: int, k: int) -> Any:
    """An array that each turn of a loop makes, and leaves to the next."""
    last = np.zeros(3)
    older = last
    for i in range(n):
        now = np.array([last[1], last[2], float(i)])
        older = last
        last = now
    return last, older[k]


def listed(n: int, k: int) -> Any:
    items = [k]
    for i in range(n):
        if i % 3 != k % 3:
            items.append(i * i)
    while len(items) > 4:
        items.pop(0)
    return len(items), items[-1], sum(items)


def divided(a: int, b: int) -> Any:
    return a // b, a % (b + 10)


def overflowing(a: int, b: int) -> Any:
    return a * b + 1


def of_a_table(n: int, k: int) -> Any:
    return int(PRIMES[n % 6]), PRIMES * k, PRIMES[n < PRIMES].sum()


def narrow(n: int, k: int) -> Any:
    a = np.int8(100) + np.int8(k)
    b = np.uint32(n) * np.uint32(4_000_000_000)
    return a, b, np.float32(n) / np.float32(3), np.uint8(250) + np.uint8(k % 256)


def mathematics(x: float, n: int) -> Any:
    return math.sin(x), math.exp(-abs(x)), math.log2(2.0**n), math.hypot(x, n), math.atan2(x, n + 1.0), x**2, 10.0**n


def of_arrays(x: float, n: int) -> Any:
    a = np.arange(6.0).reshape(2, 3) * x
    return a @ np.ones(3), a.sum(axis=0), np.clip(a, -1, n), np.sort(a[1] - n), a.max()


def drawn(rng: Any, n: int) -> Any:
    numbers = np.array([1, 2, 3, 4])
    rng.shuffle(numbers)
    return rng.random(), rng.integers(0, n + 5), rng.normal(), rng.choice(3), numbers, rng.uniform(-1, 1, size=2)


NUMBERS = [(2.5, 3), (0.5, 1), (-3.0, 1), (1000.0, 0), (37.0, 12)]
INTS = [(0, 1), (3, 2), (9, 4), (-7, 3), (20, 0)]
LARGE = [(3, 4), (2**40, 2**22), (2**40, 2**23), (-(2**62), 2), (-(2**62), 3), (2**32 + 1, 2**31 - 1)]
CASES: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    *((one, NUMBERS) for one in (branches, found_in_a_loop, halved, mathematics, of_arrays)),
    (placed, [(2, 0), (2, 4), (3, -1), (1, 5), (1, -6)]),
    (carried, [(0, 0), (1, 1), (2, 2), (30, 0)]),
    (listed, [(0, 1), (5, 0), (14, 2)]),
    (divided, [*INTS, (5, -10)]),
    (overflowing, LARGE),
    (of_a_table, INTS),
    (narrow, [(0, 1), (3, 27), (9, 28), (7, -100)]),
    (drawn, [(np.random.default_rng(k), k) for k in range(5)]),
]


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    with np.errstate(all="ignore"):
        try:
            value = function(*arguments)
        except Exception as error:
            return type(error).__name__
    return BEYOND if type(value) is int and not -(2**63) <= value < 2**63 else value


def test_programs_do_what_python_does() -> None:
    """All are one program for XLA; floats to 12 digits, everything else exactly."""
    functions = [(JaxFunction(function, *several[0]), several) for function, several in CASES]
    given = [(function, copy.deepcopy(several)) for function, several in functions]
    for (function, several), (_, after), results in zip(CASES, given, together(given), strict=True):
        for arguments, changed, result in zip(several, after, results, strict=True):
            expected = _outcome(function, arguments)
            is_same = result.args[0] == expected if isinstance(result, Failed) else close(result, expected)
            assert is_same, (function.__name__, changed, result, expected)
            if function is drawn:
                assert changed[0].bit_generator.state == arguments[0].bit_generator.state


def test_what_has_no_counterpart_is_refused_with_its_line() -> None:
    def sines(x: np.ndarray, n: int) -> Any:
        return np.sin(x[:n])

    with pytest.raises(NotUnderJax, match="NumPy's sin of arrays whose lengths") as caught_here:
        together([(JaxFunction(sines, np.ones(3), 1), [(np.ones(3), 2)])])
    assert caught_here.value.place is not None and caught_here.value.place[0] == __file__
