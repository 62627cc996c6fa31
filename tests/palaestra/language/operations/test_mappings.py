"""Dicts whose keys are found when the program runs, defaultdicts and Counters: the values and exceptions of Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from tests.palaestra.language.machines import machine_of
from tests.palaestra.language.operations.test_growing import check


def test_keys_and_values_in_their_order() -> None:
    def work(n: int, k: int) -> Any:
        d = {}
        for i in range(n):
            d[(i % 4, k)] = i
            if (i, k) in d:
                d[(i, k)] += 1
        if n > 5:
            del d[(1, k)]
            d[(1, k)] = 50
        order = total = 0
        for x, _ in d:
            order = order * 10 + x
        for (x, _), v in d.items():
            total = total * 7 + v * x
        e = d.copy()
        e.update({(9, 9): 1}, **{})
        taken = e.pop((2, k), -5), d.get((3, k), 0), e.setdefault((9, 9), 3) + e.setdefault((8, 8), 4)
        sizes = (
            len(d),
            len(e),
            bool(d),
            sum(d.values()),
            len(d.keys()),
            (0, k) in d,
            (0, k) in d,
            50 in d.values(),
        )
        equal = d == e, d == dict(d.items()), d != {}, {v: x for (x, _), v in d.items()} == {0: 0}, d == 1
        first = sorted(d.items(), key=lambda pair: -pair[1])[0] if d else None
        best = max(d, key=d.get, default=None), min(d.values(), default=-1)
        last = e.popitem(), list(d)[-1] if d else 0, sum(k * x for k, (x, _) in enumerate(reversed(d)))
        return order, total, taken, sizes, equal, first, best, last

    check(work, *[(n, k) for n in (0, 1, 5, 9) for k in (0, 2, 3)])


def test_counters_are_combined() -> None:
    def work(n: int, k: int) -> Any:
        a, b = Counter([i % 3 for i in range(n)]), Counter([i % 4 for i in range(k)])
        b[1] -= 3
        sizes = tuple(sum(c.values()) * 100 + len(c) for c in (a & b, a | b, a + b, a - b, b - a))
        return sizes, max(b - a, default=-1)

    check(work, *[(n, k) for n in range(5) for k in range(6)])


def test_keys_that_may_be_missing_are_counted() -> None:
    def work(n: int, k: int) -> Any:
        d = {}
        if n:
            d["n"] = 1
        if k:
            d["k"] = 2
        return len(d), bool(d), not d, 1 if d else 0

    check(work, *[(n, k) for n in (0, 1) for k in (0, 1)])


def test_known_keys_on_some_paths() -> None:
    def work(n: int, k: int) -> Any:
        d = {a: a * n for a in range(3) if a != k}
        if n > 1:
            d[(n, k)] = 7
        order = 0
        for v in d.values():
            order = order * 10 + v
        info = {"n": n}
        if k:
            info["k"] = k
        return order, len(d), sum(d.values()), (5, 1) in d, info.get("k", -1)

    check(work, *[(n, k) for n in (0, 1, 5) for k in (0, 1, 3)])


def test_numbers_texts_and_none() -> None:
    def work(n: int) -> Any:
        d = {n: 1.5, 7: None}
        d[1.0] = 2.5
        d[True] = d[1] + 1.0
        d[np.int8(9)] = 0.5
        names = ["a", "b", "c"]
        where = dict.fromkeys(range(n), "a")
        for k in where:
            where[k] = names[k * k % 3]
        kinds = {name: k for k, name in enumerate([names[n % 3], names[n * n % 3]])}
        texts = where.get(2, "none") == "b", "c" in where.values(), kinds[names[n % 3]]
        return len(d), d[1], d.get(7) is None, d[9], 0.1 in d, next_of(d), texts

    def next_of(d: Any) -> Any:
        for key in d:
            return key
        return -1

    check(work, *[(n,) for n in (0, 1, 3, 7)])


def test_defaultdicts_and_counters() -> None:
    def work(n: int) -> Any:
        c = Counter()
        g = defaultdict(int)
        h = defaultdict(lambda: 5)
        names = ["a", "b", "c"]
        texts = Counter()
        for i in range(n):
            c[i % 3] += 1
            g[i * i % 5] += i
            h[i % 2] -= i
            texts[names[i * i % 3]] += i
        c.update([1, 1, n])
        del c[50]
        common = c.most_common()
        counts = len(c), common[0], common[-1], c[77], len(c), c.most_common(1)[0][1], sum(c.values()), c.total()
        equal = c == Counter([1]), Counter(a=0) == Counter(), g == {0: 0}, c == {1: 2, n: 1}
        more = Counter(range(n % 4))
        more.update(c)
        rest = g[4], len(g), h[0], sum(h.values()), texts["b"], len(texts), texts.get("a", -1), more[1], len(g.copy())
        return counts, equal, rest

    check(work, (0,), (1,), (9,))


def test_exceptions() -> None:
    def work(n: int) -> Any:
        d = {n: 1}
        if n == 0:
            return d[5]
        if n == 1:
            for k in d:
                d[k + 1] = 2
        elif n == 2:
            for k in d:
                del d[k]
        elif n == 3:
            for k in d:
                d[k] = 2
        elif n == 4:
            d.pop(7)
        elif n == 5:
            d.clear()
            d.popitem()
        elif n == 6:
            d[[1]] = 2
        elif n == 7:
            d.update([(1, 2, 3)])
        return d[n]

    check(work, *[(n,) for n in range(9)])


TABLE = {(i, j): i * 10 + j for i in range(6) for j in range(6)}


def test_constant_tables_are_searched_by_keys_that_are_found() -> None:
    def work(n: int) -> Any:
        return TABLE[(n, n % 4)], TABLE.get((n, 99), -1), (n, 5) in TABLE

    check(work, (0,), (5,), (6,))


def _drawn(n: int, rng: Any) -> Any:
    d = defaultdict(lambda: rng.random())
    return d[n]


def test_what_is_refused() -> None:
    with pytest.raises(CannotCompile):
        machine_of(_drawn, 3, np.random.default_rng(0))
