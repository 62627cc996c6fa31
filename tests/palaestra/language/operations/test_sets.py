"""Sets that change: the values and exceptions of Python, or refused where the order of their items can be seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.program import BEYOND
from tests.palaestra.language.machines import Failed, machine_of
from tests.palaestra.language.operations.test_growing import check


def test_sets_of_tuples() -> None:
    def work(n: int, k: int) -> Any:
        s = {(1, 2), (0, k)}
        t = set()
        for i in range(n):
            s.add((i, i * i % 5))
            t.add((i % 3, k))
        s.discard((2, 4))
        u, v, w, x = s | t, s & t, s - t, s ^ t
        sizes = len(s), len(t), len(u), len(v), len(w), len(x), len(s.union([(5, 5)], t)), bool(v), (1, 2) in s
        orders = (
            u >= s,
            t <= u,
            s == u - (t - s),
            s.isdisjoint(w),
            s == {(1, 2)},
            s != t,
            w < s,
            s.issuperset(w),
            s == 1,
        )
        found = sorted(u)[-1], min(u), max(x, default=(0, 0)), max(u, key=lambda p: p[0] * 100 + p[1])
        found += (sorted(u, key=lambda p: (p[1], p[0]))[0], sum(r for r, c in u), sum(1 for p in u if p in v))
        tests = any(r == c for r, c in s), all(p in u for p in w), len({r for r, _ in u}), len({p for p in u if p in t})
        return sizes, orders, found, tests

    check(work, *[(n, k) for n in (0, 1, 5, 9) for k in (0, 2, 3)])


def test_numbers_are_one_item_if_they_are_equal() -> None:
    def work(n: int) -> Any:
        s = {1, 2.5, 7}
        s.add(1.0)
        s.add(n)
        s.update(range(n), [2.5])
        total = sum(sorted(s))
        s.remove(2.5)
        f = frozenset(s)
        s &= {1, 2, 3, 4}
        s |= {9}
        s -= {4}
        s ^= {1, 50}
        t = s.copy()
        t.intersection_update([9, 50], {9, n})
        t.difference_update([n])
        narrow = np.float32(0.1) in {0.1, n}, 0.1 in {np.float32(0.1), n}, np.int8(9) in s
        return (
            total,
            len(f),
            f > s,
            len(s),
            1.0 in s,
            False in s,
            s.issubset([9, 50, 2, 3]),
            sum({1, 2, n}),
            len(t),
            narrow,
        )

    check(work, (0,), (1,), (9,))


def test_texts() -> None:
    def work(n: int) -> Any:
        s = {"a"} if n > 1 else set()
        t = {"b", "c"}
        if n % 2:
            s.add("c")
        return len(s | t), "a" in s, sorted(s | t) == ["a", "b", "c"], s <= t, s.symmetric_difference(t) == {"b"}

    check(work, *[(n,) for n in range(4)])


def test_loops_whose_turns_may_come_in_any_order() -> None:
    def work(n: int) -> Any:
        s = {(i, i * i % 7) for i in range(n)}
        t = {(1, 1), (2, 4)}
        grid = np.zeros((9, 9), np.int64)
        for p in s:
            grid[p] = 3 if p in t else 2
        for r, c in s:
            grid[c, r] += 1
        count = total = 0
        for p in s:
            if p in t or p[0] > 5:
                count += 1
            else:
                total += abs(p[0] - 3) * p[1]
        return grid, count, total

    check(work, (0,), (3,), (8,))


def test_exceptions() -> None:
    def work(n: int) -> Any:
        s = {n}
        if n == 0:
            s.remove(1)
        elif n == 1:
            s.add([1])
        elif n == 2:
            return s < [1]
        elif n == 3:
            return s[0]
        elif n == 4:
            s.clear()
            return min(s)
        return len(s)

    check(work, *[(n,) for n in range(6)])


def test_ties_and_negative_places_are_left_to_python() -> None:
    def nearest(n: int) -> Any:
        return min({1, n}, key=lambda x: abs(x - 3))

    check(nearest, (2,), (4,))
    with pytest.raises(Failed, match=BEYOND):
        machine_of(nearest, 1)(5)

    def written(n: int) -> Any:
        a = np.zeros(5)
        for k in {n, 4}:
            a[k] = k
        return a

    check(written, (2,), (4,))
    with pytest.raises(Failed, match=BEYOND):
        machine_of(written, 1)(-1)


def _listed(n: int) -> Any:
    return len(list({n, 1}))


def _popped(n: int) -> Any:
    return {n, 1}.pop()


def _last(n: int) -> Any:
    last = 0
    for x in {n, 1}:
        last = x
    return last


def _overwritten(n: int) -> Any:
    a = np.zeros(5)
    for x in {n, 1}:
        a[x % 3] = x
    return a


def _sum_of_floats(n: int) -> Any:
    return sum({n * 0.5, 1.5})


def _running(n: int) -> Any:
    total = 0.0
    for x in {n, 1}:
        total += x * 0.5
    return total


def _drawn(n: int, rng: Any) -> Any:
    return sorted(int(rng.integers(0, x + 1)) for x in {n, 1})[0]


def _may_raise(n: int) -> Any:
    a = np.zeros(3)
    return any(a[x] == 0 for x in {n, 1})


def _numbered(n: int) -> Any:
    return sum(i * x for i, x in enumerate({n, 1}))


@pytest.mark.parametrize(
    "work", [_listed, _popped, _last, _overwritten, _sum_of_floats, _running, _drawn, _may_raise, _numbered]
)
def test_orders_that_can_be_seen_are_refused(work: Any) -> None:
    arguments = (3, np.random.default_rng(0)) if work is _drawn else (3,)
    with pytest.raises(CannotCompile, match="order"):
        machine_of(work, *arguments)
