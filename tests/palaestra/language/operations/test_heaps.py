"""`heapq` and `bisect`: the values and exceptions of Python, NaN included."""

from __future__ import annotations

import bisect
import heapq
import math
from typing import Any

import numpy as np

from tests.palaestra.language.operations.test_growing import check


def test_heaps_have_the_order_of_python() -> None:
    def work(n: int, seed: int) -> Any:
        q: list[Any] = []
        x = seed
        total = 0
        for _ in range(n):
            x = (x * 1103515245 + 12345) % 2147483648
            heapq.heappush(q, x % 37)
            if x % 5 == 0:
                total = total * 7 % 10007 + heapq.heappop(q)
            elif x % 7 == 0:
                total += heapq.heappushpop(q, x % 11)
            elif x % 11 == 0:
                total += heapq.heapreplace(q, x % 13)
        q.append(1)
        largest = heapq.nlargest(seed - 5, q)
        return np.array(q), total, np.array(heapq.nsmallest(3, q, key=lambda x: -x)), len(largest), sum(largest)

    check(work, *[(n, seed) for n in (0, 1, 5, 40) for seed in range(1, 10)])


def test_heapify_of_tuples_with_a_nan() -> None:
    def work(n: int, seed: int) -> Any:
        q = [(0.5, 3)]
        x = seed
        for i in range(n):
            x = (x * 1103515245 + 12345) % 2147483648
            q.append((math.nan if i == seed else 0.25 * (x % 19), i))
        heapq.heapify(q)
        total = 0.0
        while len(q) > 2:
            _, k = heapq.heappop(q)
            total = total * 0.5 + k
        return total, len(q), q[0][1]

    check(work, *[(n, seed) for n in (0, 1, 5, 60) for seed in range(9)])


def test_an_empty_heap() -> None:
    def work(n: int) -> Any:
        q: list[int] = []
        if n == 0:
            heapq.heapreplace(q, 3)
        return heapq.heappushpop(q, 4) if n == 1 else heapq.heappop(q)

    check(work, (0,), (1,), (2,))


def test_places_in_sorted_lists() -> None:
    def work(n: int, x: float, lo: int, hi: int) -> Any:
        q: list[float] = []
        for i in range(n):
            bisect.insort(q, float((i * 7) % 5))
        bisect.insort_left(q, x, key=lambda v: -v if v > 90 else v)
        places = bisect.bisect(q, x), bisect.bisect_left(q, x, lo, hi), bisect.bisect_right(q, x, lo)
        return np.array(q), places, bisect.bisect_left([1, 4, 9, 12], x), bisect.bisect((1.0, 2.0), x)

    check(
        work,
        *[(n, x, lo, hi) for n in (0, 7) for x in (0.0, 2.5, 3.0, math.nan) for lo in (-1, 0, 2) for hi in (-1, 20)],
    )
