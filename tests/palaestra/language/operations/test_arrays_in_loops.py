"""Arrays that loops carry from turn to turn: memory that is used again must not show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.palaestra.language.machines import lanes_of, machine_of, same
from tests.palaestra.language.operations.asking import check_machine


def steps(x: Any, n: int) -> Any:
    for _ in range(n):
        x = x + 0.5
    return x


def previous(x: Any, n: int) -> Any:
    before = x
    for _ in range(n):
        now = before * 2 + x
        x = before
        before = now
    return before, x


def swapped(x: Any, n: int) -> Any:
    a, b = np.zeros(3), x
    for k in range(n):
        a, b = b, a + b
        if k == 3:
            b[0] = 100
    return a, b


def aliases(x: Any, n: int) -> Any:
    a = x * 1
    b = a
    for k in range(n):
        if k % 3 == 0:
            a = a + 1
            b = a
        elif k % 3 == 1:
            b[0] = 50 + k
        else:
            b = a[::1] * 2 if k > 3 else b
    return a, b


def history(x: Any, n: int) -> Any:
    kept = [x, x, x]
    for k in range(n):
        kept[0] = kept[1]
        kept[1] = kept[2]
        kept[2] = kept[2] + k
        kept[1][0] += 1
    return kept


def nested(x: Any, n: int) -> Any:
    best = None
    for k in range(n):
        for j in range(k):
            x = x + j
            if j == 2:
                best = x
                break
        if best is not None:
            x = best * 1.5
    return x


def parts(x: Any, n: int) -> Any:
    part = x[1:]
    for k in range(n):
        whole = np.zeros(3) + k
        part = whole[1:] if k % 2 else whole[:2]
        x = whole
        part[0] = 9
    return x, part


def ended(x: Any, n: int) -> Any:
    k = 0
    while True:
        y = x + 1
        k += 1
        if k > n:
            break
        if k % 2:
            continue
        x = y
    return x, y


def continued(x: Any, n: int) -> Any:
    k, y = 0, x > 0
    while k < n:
        k += 1
        y = np.array([[0, 1, 2], [3, 4, 5]])[1]
        for _ in np.array([0.5, 1.5]):
            n += 0
        else:
            continue
    return y.astype(np.int64), n


PROGRAMS: list[Callable[[Any, int], Any]] = [
    steps,
    previous,
    swapped,
    aliases,
    history,
    nested,
    parts,
    ended,
    continued,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_arrays_of_earlier_turns_stay(program: Callable[[Any, int], Any]) -> None:
    x = np.array([0.25, -1.0, 3.0])
    machine = machine_of(program, x, 1)
    for n in range(9):
        check_machine(machine, program, x, n)


@pytest.mark.parametrize("program", PROGRAMS)
def test_lanes_carry_arrays_apart(program: Callable[[Any, int], Any]) -> None:
    arguments = [(np.array([0.25 * n, -1.0, 3.0]), n % 9) for n in range(11)]
    expected = [program(x.copy(), n) for x, n in arguments]
    given = lanes_of(program, *arguments[0])([(x.copy(), n) for x, n in arguments])
    for one, other in zip(given, expected, strict=True):
        assert same(one, tuple(other) if isinstance(other, list) else other)
