"""Lists whose length is found when the program runs: the values and exceptions of Python."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.program import FULL
from tests.palaestra.language.machines import Failed, machine_of


def check(function: Any, *several: tuple[Any, ...]) -> None:
    """Compare machine code with Python, for each of some arguments."""
    machine = machine_of(function, *several[0])
    for arguments in several:
        assert repr(_result(machine, arguments)) == repr(_result(function, arguments)), arguments


def _result(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return function(*arguments)
    except Failed as failure:
        return str(failure)
    except Exception as error:
        return type(error).__name__


def test_a_loop_fills_a_list() -> None:
    def squares(n: int) -> Any:
        q = []
        for i in range(n):
            q.append(i * i)
        total = 0
        for x in q:
            total += x
        return len(q), total, bool(q), q == [0, 1, 4]

    check(squares, (0,), (3,), (64,))
    with pytest.raises(Failed, match=FULL):
        machine_of(squares, 3)(65)


def test_items_are_taken_out_and_put_in() -> None:
    def work(n: int, k: int) -> Any:
        q = [1, 2, 3]
        while len(q) < n:
            q.insert(k, q[-1] + len(q))
        first, last = q.pop(0), q.pop()
        item = q.pop(k)
        q[k] = 7
        del q[0]
        return first, last, item, len(q), q[-1], q.count(7), q.index(7)

    check(work, *[(n, k) for n in (2, 6, 9) for k in (-30, -3, -1, 0, 1, 2, 5, 30)])


def test_paths_that_meet_have_lists_of_other_lengths() -> None:
    def work(a: int, b: int) -> Any:
        q = [(1, 2.5)]
        if a > b:
            q.append((a, 0.5))
        elif a < b:
            q = []
        if (a, 0.5) in q:
            q.extend(q)
        total = 0.0
        for k, (x, y) in enumerate(q):
            total += k * x - y
        return len(q), total, (1, 2.5) in q

    check(work, (1, 2), (2, 2), (3, 2))


def test_comprehensions() -> None:
    def work(n: int) -> Any:
        q = [i * i for i in range(n) if i % 3]
        pairs = [(i, j) for i in range(n) for j in range(i)]
        return len(q), sum(q), len(pairs), sorted(q, reverse=True)[:2] == q[::-1][:2], max(x for x in q if x > 2)

    check(work, (0,), (3,), (8,))


def test_slices() -> None:
    def work(n: int, a: int, b: int) -> Any:
        q = list(range(n))
        part = q[a:b]
        every = q[::2]
        back = q[::-1]
        q[a:b] = [70, 71]
        rest = q[1:]
        del q[:2]
        return len(part), sum(part), sum(every), back == [5, 4, 3, 2, 1, 0], len(rest), sum(q), len(q)

    check(work, *[(n, a, b) for n in (6, 2) for a in (-9, -2, 0, 3, 9) for b in (-3, 0, 2, 9)])


def test_sums_and_products() -> None:
    def work(n: int) -> Any:
        q = [1.5] * n
        r = q + [2.0] * 2
        q += r
        q *= 2
        r.clear()
        p = [0]
        p.extend(range(n))
        return len(q), q[-1], len(r), r == [], p != q, p * 2 == p + p, p < [0, 1]

    check(work, (0,), (1,), (5,))


def test_orders() -> None:
    def work(n: int) -> Any:
        q = [(i * 7 % 5, i) for i in range(n)]
        q.sort()
        by_last = sorted(q, key=lambda one: -one[1])
        q.reverse()
        return (
            q[0],
            q[-1],
            by_last[0],
            min(q),
            max(q, key=lambda one: one[0]),
            min([x for x in q if x[0] > 9], default=3),
        )

    check(work, (0,), (1,), (9,))


def test_texts_and_several_types() -> None:
    def work(n: int) -> Any:
        q = ["a"]
        mixed = [1, None]
        for i in range(n):
            q.append("b" if i % 2 else "c")
            mixed.append(0.5 * i)
        last = mixed[-1]
        return q.count("b"), q[-1] == "c", "d" in q, "c" in q, last is None, mixed.count(None), mixed.index(1)

    check(work, (0,), (5,))


def test_a_list_changes_while_a_loop_runs_over_it() -> None:
    def work(n: int) -> Any:
        q = [n]
        for x in q:
            if x > 0:
                q.append(x - 1)
        pairs = 0
        rest = q[1:]
        for x, y in zip(q, rest, strict=False):
            pairs += x * y
        back = 0
        for k, x in enumerate(reversed(q)):
            back += k * x
        return len(q), q[-1], pairs, back

    check(work, (0,), (5,))


def test_a_turn_of_a_loop_reads_the_list_of_the_one_before() -> None:
    def same_length(n: int) -> Any:
        before, total = [0], 0
        for i in range(n):
            now = [i]
            total += before[0]
            before = now
        return total

    def search(n: int) -> Any:
        seen, frontier = [0], [0]
        while frontier:
            found = []
            for x in frontier:
                for y in (2 * x + 1, 3 * x):
                    if y < n and y not in seen:
                        seen.append(y)
                        found.append(y)
            frontier = found
        return len(seen), seen[-1]

    def trimmed(n: int) -> Any:
        q = [0]
        for i in range(n):
            q.append(i)
            if len(q) > 3:
                q = q[-3:]
        return len(q), q[0]

    check(same_length, (0,), (4,))
    check(search, (1,), (30,))
    check(trimmed, (1,), (8,))


def test_items_are_unpacked() -> None:
    def work(n: int) -> Any:
        a, b = [i for i in range(n)]
        return a, b

    check(work, (2,), (3,), (0,))


def test_arrays() -> None:
    def work(n: int) -> Any:
        q = [float(i) for i in range(n)]
        cells = [(i, i + 1) for i in range(n)]
        a, b = np.array(q), np.array(cells)
        padded = np.zeros(9)
        padded[: len(q)] = q
        return a.shape[0], a.sum(), np.mean(q), padded[3], b.shape[0], b[-1, 1], np.array(cells, np.float32)[0, 1]

    check(work, (4,), (9,))


def test_copies_are_apart() -> None:
    def work(n: int) -> Any:
        q = [i for i in range(n)]
        r, s, t = q.copy(), list(q), q
        r.append(1)
        s.append(2)
        s.append(3)
        t.append(4)
        return len(q), len(r), len(s), q is t, q is r

    check(work, (3,))


def test_what_holds_other_things_is_refused() -> None:
    def work(n: int) -> Any:
        q = [np.zeros(2)]
        for i in range(n):
            q.append(i)
        return len(q)

    with pytest.raises(CannotCompile, match=r"another length|changes its length"):
        machine_of(work, 3)


STATEMENTS = (
    *("q.append({a})", "q.append({a})", "q.append({a})", "q.insert({a}, {b})", "q.extend([{a}, {b}])"),
    *("q += [{a}]", "q = q + [{a}]", "q = q[{a}:]", "q = q[:{a}]", "q = q[::-1]", "r = q[{a}:{b}]"),
    *("t += q.pop()", "t += q.pop({a})", "q.remove({a})", "t += q.index({a})", "t += q.count({a})", "q.reverse()"),
    *("t += q[{a}]", "q[{a}] = {b}", "del q[{a}]", "t += len(q)", "q.sort()", "t += sum(q)", "t += max(q)"),
    *("r = q.copy()", "r.append({a})", "t += r == q", "t += {a} in q", "q, r = r, q"),
    *("q = [x + 1 for x in q if x > {a}]", "q = [n]"),
    *("q.clear()", "q = sorted(q)", "t += min(q, default={a})", "q[{a}:{b}] = [{a}]", "r.extend(q)", "q = q * 2"),
)
BLOCKS = "if {a} < {b}:", "for i in range({a}):", "for x in q[:3]:", "while len(q) > {a} + 2:", "if len(q) > {a}:"


REASONS = "this raises", "in a loop", "too many types", "made on one path only", "always"


def _program(rng: random.Random, name: str) -> str:
    def fill(text: str) -> str:
        return text.format(a=rng.choice(("n", "k", "0", "1", "-1", "2", "t % 3")), b=rng.choice(("n", "k", "1", "3")))

    lines = [f"def {name}(n, k):", "    q = [n, k]", "    r = []", "    t = c = 0"]
    for _ in range(rng.randint(3, 9)):
        if rng.random() < 0.35:
            block = rng.choice(BLOCKS)
            lines.append(f"    {fill(block)}")
            lines += ["        q.pop()"] if block.startswith("while") else []
            lines += [f"        {fill(rng.choice(STATEMENTS))}" for _ in range(rng.randint(1, 2))]
            if not block.startswith("if"):
                lines += ["        c += 1", "        if len(q) > 9 or c > 20:", "            break"]
        else:
            lines.append(f"    {fill(rng.choice(STATEMENTS))}")
    lines += ["    u = 0", "    for j, x in enumerate(q):", "        u += (j + 1) * x"]
    lines += ["    return len(q), len(r), t, u"]
    return "\n".join(lines)


def programs(folder: Path, seed: int, count: int) -> Any:
    """Returns a module of random functions."""
    rng = random.Random(seed)
    path = folder / f"programs{seed}.py"
    path.write_text("\n\n\n".join(_program(rng, f"f{k}") for k in range(count)) + "\n")
    spec = importlib.util.spec_from_file_location(f"growing_programs{seed}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compare(function: Any) -> int:
    """Compare a function with Python; returns 1 if it is one of the language."""
    try:
        machine = machine_of(function, 1, 2)
    except CannotCompile as error:
        assert any(reason in str(error) for reason in REASONS), error
        return 0
    for n, k in ((0, 0), (1, 2), (3, -1), (-2, 1), (5, 3), (2, 2)):
        ours, python = _result(machine, (n, k)), _result(function, (n, k))
        assert ours == FULL or repr(ours) == repr(python), (function.__name__, n, k)
    return 1


def test_random_programs(tmp_path: Path) -> None:
    module = programs(tmp_path, 1, 25)
    assert sum(compare(getattr(module, f"f{k}")) for k in range(25)) > 15
