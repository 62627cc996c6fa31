"""Iterators that have a name from one line to the next, and those that must not be moved."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from palaestra.language.frontend.refusals import CannotCompile
from tests.palaestra.language.machines import machine_of
from tests.palaestra.language.operations.asking import check_machine


def named(n: int) -> Any:
    row = [k for k in range(n) if k % 3]
    pairs = itertools.zip_longest(row, row[1:], fillvalue=-1)
    total = 0
    for a, b in pairs:
        total = total * 7 + a * 3 + b
    row.append(n)
    doubled = (2 * x for x in row)
    total += sum(doubled)
    odd = filter(lambda x: x % 2, row)
    kept = list(odd)
    last = reversed(kept)
    return sum(x * x for x in last), total


def read_twice(n: int) -> Any:
    pairs = zip(range(n), range(n))  # noqa: B905
    first = sum(a for a, _ in pairs)
    return first, sum(a for a, _ in pairs)


def read_late(n: int) -> Any:
    row = [n, 2]
    pairs = zip(row[1:], row, strict=False)
    row = [7, n]
    row[0] = sum(row)
    for a, b in pairs:
        n += a * b
    return n


def renamed(n: int) -> Any:
    row = [n, 2]
    pairs = zip(row, row)  # noqa: B905
    row = []
    for a, b in pairs:
        n += a * b + len(row)
    return n


def test_an_iterator_is_written_where_its_name_is_read() -> None:
    machine = machine_of(named, 1)
    for n in range(9):
        check_machine(machine, named, n)


@pytest.mark.parametrize("function", [read_twice, read_late, renamed])
def test_an_iterator_is_not_moved_past_what_may_change_it(function: Any) -> None:
    with pytest.raises(CannotCompile, match="each item can be read only once"):
        machine_of(function, 1)
