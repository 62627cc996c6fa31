"""Deques: the values and exceptions of Python."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from tests.palaestra.language.machines import machine_of
from tests.palaestra.language.operations.test_growing import check


def test_methods() -> None:
    def work(n: int, k: int) -> Any:
        d = deque([1, 2], maxlen=5)
        for i in range(n):
            d.append(i)
            if i % 3 == 0:
                d.appendleft(-i)
        d.rotate(k)
        first = d.popleft() if d else 7
        d[0] = 9
        d.insert(k, 6)
        d.extend([k, 9])
        d.extendleft((first, 5))
        d.reverse()
        d.remove(9)
        e = d.copy()
        e += d
        e.pop()
        f = deque(x * x for x in d) + d
        total = 0
        for i, v in enumerate(d):
            total += i * v
        pairs = sum(a * b for a, b in zip(d, reversed(e), strict=False))
        seen = np.array(d), np.array(sorted(d)), list(d)[-1], sum(d), max(d), min(d), len(e), e.maxlen, f.maxlen, len(f)
        return seen, total, pairs, d.count(k), d.index(5), 9 in d, d == e, d != deque(d, 5), d < e, any(d), all(d)

    check(work, *[(n, k) for n in (0, 1, 5, 9) for k in (-9, -1, 0, 3)])


def test_queues() -> None:
    def work(n: int) -> Any:
        d: deque[Any] = deque()
        for i in range(n):
            d.append((i, 0.5 * i))
        total = 0.0
        while d:
            x, y = d.popleft()
            total += x * y
            if y > 1.0 and len(d) < 5:
                d.append((x - 2, y - 1.0))
        d.clear()
        return total, len(d), bool(d)

    check(work, (0,), (9,))


def test_exceptions() -> None:
    def work(n: int) -> Any:
        d = deque([n])
        if n == 0:
            for _ in d:
                d.append(2)
        elif n == 1:
            d.popleft()
            d.pop()
        elif n == 2:
            d.remove(5)
        elif n == 3:
            d[1] = 2
        elif n == 4:
            full = deque(d, maxlen=1)
            full.insert(0, 1)
        elif n == 5:
            for _ in d:
                d.rotate()
                break
            for x in d:
                d.append(x)
                d.popleft()
        elif n == 6:
            return d[0:1]
        else:
            for k, _ in enumerate(d):
                d[k] = 8
        return d[0]

    check(work, *[(n,) for n in range(8)])


def test_a_maxlen_is_known() -> None:
    with pytest.raises(CannotCompile, match="maxlen"):
        machine_of(lambda x: len(deque([x], maxlen=x)), 3)


def test_paths_with_other_deques() -> None:
    def work(a: int, b: int) -> Any:
        d: deque[Any] = deque(maxlen=2)
        for i in range(b):
            d.append(i)
        if a > 2:
            d = deque(d)
        d.append(True)
        d.append(0.5)
        e = deque([a])
        for i in range(b):
            if i > 1:
                e = deque(d)
            e.append(i)
        return len(d), d[0], len(e), e[-1]

    check(work, *[(a, b) for a in (1, 3) for b in (0, 1, 4)])
