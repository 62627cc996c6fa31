"""Functions that call themselves to a depth that is found when the program runs: as in Python, at every depth."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend import recursion
from palaestra.language.frontend.entry import function_program, written_size
from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.llvm.lanes import NotInLanes
from palaestra.language.printing import printed
from palaestra.language.program import BEYOND
from palaestra.language.types import type_of
from tests.palaestra.language.llvm.reference import run
from tests.palaestra.language.machines import Failed, lanes_of, machine_of, same


class Box:
    """What has attributes."""


def check(function: Callable[..., Any], *examples: tuple[Any, ...]) -> None:
    machine = machine_of(function, *examples[0])
    for given in examples:
        assert same(machine(*given), function(*given)), given


# Functions of a module.


def ackermann(m: int, n: int) -> int:
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1 if n == 0 else ackermann(m, n - 1))


def is_even(n: int) -> bool:
    return True if n == 0 else is_odd(n - 1)


def is_odd(n: int) -> bool:
    return False if n == 0 else is_even(n - 1)


def hanoi(n: int, a: list[int], b: list[int], c: list[int]) -> int:
    if n == 0:
        return 0
    moves = hanoi(n - 1, a, c, b)
    b.append(a.pop())
    return moves + 1 + hanoi(n - 1, c, b, a)


def named(n: int, a: str, b: str, c: str) -> int:
    if n == 0:
        return 0
    return named(n - 1, a, c, b) + (2 if a == "left" else 1) + named(n - 1, c, b, a)


def either(n: int) -> int | None:
    if n == 0:
        return None
    return 7 if n == 1 else either(n - 2)


def halved(x: Any, n: int) -> Any:
    return x if n == 0 else halved(x * 0.5, n - 1)


def collatz(n: int) -> tuple[int, int]:
    if n == 1:
        return n, 0
    end, count = collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
    return end, count + 1


def counted(n: int, depth: int = 1) -> int:
    """The depth is a constant of each call."""
    return depth if n == 0 else counted(n - 1, depth + 1)


def wide(depth: int, x: float) -> float:
    """Too large to be written out, but with an end that is known."""
    return x if depth == 0 else wide(depth - 1, x + 1.0) + wide(depth - 1, x * 2.0) - wide(depth - 1, x - 3.0)


def test_results_of_functions() -> None:
    """Numbers, tuples, None or an int, an int or a float; calls in calls, of others, with lists that change places."""

    def f(n: int, x: float) -> Any:
        pegs: tuple[list[int], ...] = list(range(n)), [], []
        moves = hanoi(n, *pegs), named(n, "left", "middle", "right"), len(pegs[1]), sum(pegs[1])
        numbers = ackermann(2, n), collatz(n + 1), counted(n), halved(3, n), halved(x, n % 3), wide(8, x)
        return moves, numbers, is_even(n), is_odd(n), either(n)

    check(f, *[(n, 0.3 * n) for n in range(8)])


# Attributes, lists, arrays, and what each call has of its own.


def test_what_calls_change() -> None:
    """Attributes and lists are seen by all calls; names, lists and arrays that a call makes are its own."""

    def f(n: int) -> Any:
        box: Any = Box()
        box.count, box.best, box.last, box.path, box.array = 0, 0.5, None, [], np.zeros(4)

        def walk(k: int, x: float) -> tuple[float, int]:
            box.count += 1
            here, own, mine = box.count, [k, k + 1], np.zeros(3)
            mine[k % 3] = x
            box.best = max(box.best, x)
            box.path.append(k)
            box.array[k % 4] += x
            if k <= 0:
                box.last = k
                return x, box.count
            a, b = walk(k - 1, x * 0.75)
            for i in range(k):
                if i == 2:
                    break
                if i % 2 == 0:
                    a, b = walk(k - 2 - i, a + i)
            return a + here + own[1] + mine[k % 3], b

        return walk(n, 2.0), box.count, box.best, box.last, len(box.path), box.path[-1], box.array.copy()

    check(f, *[(n,) for n in range(7)])


def test_backtracking() -> None:
    """Loops around the calls, early returns, and a list and an array that are changed back."""

    def queens(n: int) -> Any:
        board = [0] * 6
        free = np.ones(6, bool)

        def place(row: int) -> bool:
            if row == n:
                return True
            for c in range(n):
                if free[c] and all([abs(board[r] - c) != row - r for r in range(row)]):
                    board[row] = c
                    free[c] = False
                    if place(row + 1):
                        return True
                    free[c] = True
            return False

        return place(0), board[0], board[1], board[2], board[3], free

    check(queens, *[(n,) for n in range(7)])


def test_sorting_and_memory() -> None:
    def sorted_by_merging(n: int) -> Any:
        a, spare = np.arange(12)[::-1] * 5 % 17, np.zeros(12, dtype=int)
        known: dict[int, int] = {}

        def sort(low: int, high: int) -> int:
            if high - low <= 1:
                return 0
            middle = (low + high) // 2
            swaps = sort(low, middle) + sort(middle, high)
            i, j = low, middle
            for k in range(low, high):
                if j >= high or (i < middle and a[i] <= a[j]):
                    spare[k], i = a[i], i + 1
                else:
                    spare[k], j, swaps = a[j], j + 1, swaps + middle - i
            a[low:high] = spare[low:high]
            return swaps

        def fibonacci(k: int) -> int:
            if k in known:
                return known[k]
            known[k] = k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)
            return known[k]

        return sort(0, n), a.copy(), fibonacci(3 * n), len(known)

    check(sorted_by_merging, *[(n,) for n in range(13)])


def test_functions_in_functions_that_call_themselves() -> None:
    """Each call of the outer one has an inner one of its own, which reads the names of that call."""

    def f(n: int) -> Any:
        log: list[int] = []

        def outer(k: int) -> int:
            base = k * 10

            def inner(j: int, step: int = 1) -> int:
                log.append(base + j)
                if j > 0:
                    return inner(j - step) + base
                return outer(k - 1) - base if k > 1 else base

            total = inner(k)
            return total + inner(1) if k % 2 else total - base

        def by_constants(k: int, j: int) -> int:
            def again(i: int) -> int:
                if i <= 0:
                    return k
                return again(i - 1) + by_constants(k - 1, i) if k > 0 else again(i - 1) + k

            return again(j)

        return outer(n), len(log), sum(log), log[-1], by_constants(2, n)

    check(f, *[(n,) for n in range(1, 5)])


# Depth, exceptions, refusals.


def test_calls_that_are_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's exception where Python surely has it, and another one before a thread's stack is full."""

    def down(n: int) -> int:
        return n if n < 0 else down(n - 1) + 1 // (n + 1)

    def forever(n: int) -> int:
        return forever(n + 1)

    def large(n: int) -> float:
        numbers = np.arange(300.0)
        numbers[n % 300] += large(n - 1) if n > 0 else 0.5
        return float(numbers[n * n % 299] + numbers[n % 300])

    deepest = recursion.deepest()
    assert sys.getrecursionlimit() // 2 <= deepest < sys.getrecursionlimit()
    machine = machine_of(lambda n: down(n) if n > -2 else forever(n), 1)
    assert machine(deepest - 30) == -1 + 1
    for n in (deepest + 1, 10**9, -2):
        with pytest.raises(Failed, match="RecursionError"):
            machine(n)
    monkeypatch.setattr(recursion, "most_bytes", lambda: 1 << 18)
    machine = machine_of(large, 1)
    assert machine(50) == large(50)
    with pytest.raises(Failed, match=BEYOND):
        machine(500)


def test_a_small_stack_is_used_in_part() -> None:
    usual = recursion.most_bytes()
    before = threading.stack_size(1 << 16)
    try:
        assert recursion.most_bytes() == 1 << 14 < usual <= 1 << 20
    finally:
        threading.stack_size(before)


def test_exceptions_leave_all_calls() -> None:
    def f(n: int) -> Any:
        def fall(k: int) -> int:
            if k == 2:
                return 6 // (n - 4)
            if k == 0:
                raise IndexError
            return fall(k - 1) + 1

        return fall(n)

    machine = machine_of(f, 3)
    assert [machine(n) for n in (2, 3, 6)] == [f(n) for n in (2, 3, 6)]
    for n, name in ((1, "IndexError"), (4, "ZeroDivisionError")):
        with pytest.raises(Failed, match=name):
            machine(n)


def _refused(function: Callable[..., Any], *examples: Any) -> str:
    with pytest.raises(CannotCompile) as raised:
        function_program(function, [type_of(one) for one in examples])
    (refusal,) = raised.value.refusals
    return f"{refusal.expression}: {refusal.reason.rpartition('.<locals>.')[2]}; {refusal.remedy}"


def test_what_lasts_is_made_before() -> None:
    def passes(n: int) -> int:
        def f(k: int, path: list[int]) -> int:
            return len(path) if k == 0 else f(k - 1, [*path, k])

        return f(n, [])

    def returns(n: int) -> int:
        def f(k: int) -> list[int]:
            return [] if k == 0 else [*f(k - 1), k]

        return len(f(n))

    def keeps(n: int) -> Any:
        box: Any = Box()
        box.a = np.zeros(3)

        def f(k: int) -> None:
            box.a = box.a + 1.0
            if k > 0:
                f(k - 1)

        f(n)
        return box.a.copy()

    def tries(n: int) -> int:
        def f(k: int) -> int:
            return f(k - 1) if k else 1 // k

        try:
            return f(n)
        except ZeroDivisionError:
            return -1

    before = "make it before the first call"
    assert _refused(passes, 3) == (
        f"f(k - 1, [*path, k]): f` calls itself, and passes a list that it has made; {before}"
    )
    assert _refused(returns, 3) == f"f(n): f` calls itself, and returns a list that it has made; {before}"
    made = "f` calls itself, and returns or keeps an array or a list that it has made"
    assert _refused(keeps, 3) == f"f(n): {made}; {before}, and change its items"
    assert _refused(tries, 3) == "f(n): f` calls itself, and is called in a `try`; test beforehand what raises"


# The program.


def _small(n: int) -> Any:
    log: list[int] = []

    def down(k: int) -> int:
        own = np.zeros(3, np.int64)
        for i in range(3):
            own[i] = k + i
        log.append(k)
        if k > 0:
            own[0] += down(k - 1) + down(k - 3)
        return int(own.sum())

    return down(n), len(log), sum(log)


def test_routines_are_what_their_contract_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference has other addresses, so its stack has no end."""
    monkeypatch.setattr(recursion, "most_bytes", lambda: 1 << 62)
    program, kind = function_program(_small, [type_of(1)])
    results = np.zeros(written_size(kind), np.uint8)
    for n in range(6):
        assert run(program, np.array([n]).ctypes.data, results.ctypes.data) == 0
        assert tuple(results.view(np.int64)) == _small(n)
    text = printed(program)
    assert text.count("def down():") == 1
    assert text.count("down()\n") == 3


def test_rows_with_routines_run_one_by_one() -> None:
    with pytest.raises(NotInLanes, match="calls itself"):
        lanes_of(_small, 3)


def _wrapped(inner: Callable[[float, int], float], by: float) -> Callable[[float, int], float]:
    def outer(x: float, n: int) -> float:
        return inner(x + by, n) if n <= 0 else outer(inner(x, n - 1), n - 1) + by

    return outer


ONION = _wrapped(_wrapped(halved, 2.0), 0.5)


def test_functions_of_one_definition_are_told_apart() -> None:
    check(lambda n: ONION(1.5, n), *[(n,) for n in range(5)])
