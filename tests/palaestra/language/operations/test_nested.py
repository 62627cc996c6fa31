"""Containers in containers that grow: what is changed by one name is seen by all, as in Python."""

from __future__ import annotations

import copy
import importlib.util
import random
from collections import defaultdict, deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.program import BEYOND, FULL
from tests.palaestra.language.machines import Failed, machine_of


def _result(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return function(*arguments)
    except Failed as failure:
        return str(failure)
    except Exception as error:
        return type(error).__name__


def check(function: Any, *several: int) -> None:
    """Compare machine code with Python, for each of some numbers."""
    machine = machine_of(function, several[0])
    for one in several:
        assert repr(_result(machine, (one,))) == repr(_result(function, (one,))), one


def test_lists_in_a_list() -> None:
    def work(n: int) -> Any:
        rows = []
        for k in range(n):
            row = []
            for j in range(k):
                row.append(j * k)
            rows.append(row)
        found = rows[2]
        found.append(100)
        total = 0
        for row in rows:
            total = total * 7 + len(row) + sum(row)
        rows[0] = rows[1]
        rows[0].append(9)
        tail = rows[1:]
        tail[0].append(5)
        apart = list(rows[1])
        apart.append(6)
        same = found is rows[2], found is rows[1], rows[0] == rows[1], max(rows, key=len) is found
        return total, same, len(rows[1]), len(apart), rows[2][2], rows.index(found), [0, 3] in rows

    check(work, 5, 3, 2)


def test_a_list_gets_other_names() -> None:
    """One that is made before a loop, and in it; put twice into the same list; and into a dict."""

    def work(n: int) -> Any:
        now: list[int] = []
        rows = []
        seen: dict[int, list[int]] = {}
        for k in range(n):
            now.append(k)
            if k % 3 == 2:
                rows.append(now)
                rows.append(now)
                seen[k] = now
                now = []
        rows.append(now)
        now.append(77)
        rows[0].append(1)
        return len(rows), sum(rows[0]), rows[0] is rows[1], rows[-1][-1], len(seen), seen[2][-1], rows[1] is seen[2]

    check(work, 7, 3, 2)


def test_dicts_of_known_keys() -> None:
    def work(n: int) -> Any:
        pipes = deque()
        for k in range(n):
            pipes.append({"x": k, "y": 0.5 * k, "dead": False})
        for pipe in pipes:
            pipe["x"] -= 2
            if pipe["x"] < 0:
                pipe["dead"] = True
        near = [pipe for pipe in pipes if not pipe["dead"]]
        near[0]["y"] = 7.5
        apart = dict(near[0])
        apart["y"] = 0.0
        first = pipes.popleft()
        total = sum(pipe["y"] for pipe in pipes) + len(near) + first["x"]
        return total, near[0] == apart, near[0] is pipes[1], next(iter(apart.values())), "x" in first, len(first)

    check(work, 6, 3, 2)


def test_dicts_of_lists() -> None:
    def work(n: int) -> Any:
        groups = defaultdict(list)
        for k in range(n):
            groups[k % 3].append(k)
        groups[1].append(50)
        other: dict[int, Any] = {}
        other.setdefault(n, []).append(1)
        other.setdefault(n, []).append(2)
        total = sum(len(one) for one in groups.values())
        return len(groups), groups[0][0], sum(groups[1]), total, len(other[n]), other.get(5, groups[1])[0]

    check(work, 7, 2, 5)


def test_arrays_of_one_shape() -> None:
    def work(n: int) -> Any:
        frames = deque(maxlen=3)
        trail = []
        at = np.zeros(2)
        for k in range(n):
            at = at + k
            here = np.zeros(2)
            here[0] = k
            frames.append(np.array([k, 2.0 * k]))
            trail.append((at, here, k))
        return np.array(frames).sum(), np.stack(frames), frames[-1], trail[0][0], trail[-1][1], len(trail)

    check(work, 5, 3)


def test_arrays_and_copies_of_lists_of_lists() -> None:
    def work(n: int) -> Any:
        rows = []
        for k in range(n):
            rows.append([k, 2 * k, 3])
        other = copy.deepcopy(rows)
        other[0].append(4)
        found = np.array(rows)
        return found.sum(), found[1, 1], len(rows[0]), len(other[0])

    check(work, 4, 1)


def _changed_by_another_name(n: int) -> Any:
    frames = []
    a = np.zeros(2)
    for _ in range(n):
        a[0] += 1
        frames.append(a)
    return frames[0]


def _changed_in_the_list(n: int) -> Any:
    frames = [np.zeros(2) for _ in range(n)]
    frames[0][0] = 4
    return frames[0]


def _changed_behind_a_turn(n: int) -> Any:
    frames = []
    a = np.zeros(2)
    for k in range(n):
        if k > 0:
            a[0] += 1
        a = np.zeros(2)
        frames.append(a)
    return frames[0]


def _changed_by_a_choice(n: int) -> Any:
    frames = [np.zeros(2) for _ in range(n)]
    a, b = np.ones(2), np.ones(2)
    c = a if n > 3 else b
    frames.append(a)
    c[0] = 3
    return frames[-1]


@pytest.mark.parametrize(
    "work", [_changed_by_another_name, _changed_in_the_list, _changed_behind_a_turn, _changed_by_a_choice]
)
def test_an_array_in_a_list_is_not_changed_in_place(work: Any) -> None:
    with pytest.raises(CannotCompile, match="which has a copy of it, is changed in place"):
        machine_of(work, 4)


def test_what_a_dict_of_known_keys_does_not_do() -> None:
    def gets_a_key(n: int) -> Any:
        rows = [{"x": k} for k in range(n)]
        rows[0]["y"] = 1
        return len(rows)

    def loses_a_key(n: int) -> Any:
        rows = [{"x": k} for k in range(n)]
        rows[0].pop("x")
        return len(rows)

    for work in (gets_a_key, loses_a_key):
        with pytest.raises(CannotCompile, match="ive all dicts in it the same keys"):
            machine_of(work, 4)


STATEMENTS = (
    *("q.append([{a}, {b}])", "q.append(r)", "q.append(r)", "r.append({a})", "r = q[{a}]", "q[{a}].append({b})"),
    *("q[{a}] = r", "q[{a}][{b}] = {a}", "s = q[{b}]", "s = r", "r = [{a}]", "r = []", "r = q[{a}].copy()"),
    *("r = list(s)", "r = r + [{b}]", "s.append({b})", "t += q[{a}] is r", "t += r is s", "t += q[{a}] == r"),
    *("t += [{a}, {b}] in q", "t += len(q[{a}])", "t += q.pop()[{a}]", "r = q.pop({a})", "q.remove(r)"),
    *("t += q.index([{a}])", "t += q.count(r)", "q.reverse()", "q.extend(q[{a}:{b}])", "q = q[{a}:]", "q += [r, s]"),
    *("del q[{a}][{b}]", "q = [x for x in q if len(x) > 1]", "q = [x + [{a}] for x in q]", "q = [list(x) for x in q]"),
    *("t += sum(len(x) for x in q)", "r = max(q, key=len)", "q.sort()", "q.sort(key=len)", "x, y = q[{a}]"),
    *("r.clear()", "r.extend(s)", "r += s", "q.insert({a}, r)", "d[{a}] = r", "d.setdefault({a}, []).append({b})"),
    *("t += {a} in d", "r = d.get({a}, s)", "d.pop({a}, None)", "q.append(d[{a}])", "p.append({{'x': {a}, 'y': {b}}})"),
    *("p[{a}]['x'] += {b}", "e = p[{a}]", "e['y'] = {a}", "p.append(e)", "p.append(dict(e))", "t += p[{a}] is e"),
    *("t += p[{a}] == e", "e = {{'x': {b}, 'y': 7}}", "p = [o for o in p if o['x'] > {a}]", "v.append((r, {a}))"),
    *("v.append((s, {b}))", "v[{a}][0].append({b})", "r, c = v[{a}]", "t += v[{a}][0] is r"),
)
BLOCKS = (
    *("if {a} < {b}:", "for i in range({a}):", "for x in q[:3]:", "if len(q) > {a}:"),
    "for x in q:\n        if t > 9:\n            break\n        x.append(t)\n        t += 1",
    "for o in p:\n        o['x'] += 1",
    "for x in q[:]:\n        if len(x) < 3:\n            r = x",
)


def _program(rng: random.Random, name: str) -> str:
    def fill(text: str) -> str:
        return text.format(a=rng.choice(("n", "k", "0", "1", "-1", "2", "t % 3")), b=rng.choice(("n", "k", "1", "3")))

    lines = [f"def {name}(n, k):", "    q = [[n], [k, 1]]", "    s = r = [0]", "    d = {}", "    p = []"]
    lines += ["    e = {'x': 0, 'y': 1}", "    v = []", "    t = c = 0"]
    for _ in range(rng.randint(3, 10)):
        inside = rng.random() < 0.35
        if inside:
            lines.append(f"    {fill(rng.choice(BLOCKS))}")
        depth = "        " if inside else "    "
        lines += [f"{depth}{fill(rng.choice(STATEMENTS))}" for _ in range(rng.randint(1, 3) if inside else 1)]
    lines += ["    u = 0", "    for j, x in enumerate(q):", "        for m, y in enumerate(x):"]
    lines += ["            u += (j + 1) * (m + 2) * y", "    for o in p:", "        u = u * 3 + o['x'] + 5 * o['y']"]
    lines += ["    for kk, x in d.items():", "        u = u * 2 + kk + sum(x)"]
    lines += ["    return len(q), len(r), sum(r), sum(s), t, u, e['x'], e['y'], len(v), c"]
    return "\n".join(lines)


def programs(folder: Path, seed: int, count: int) -> Any:
    """Returns a module of random functions."""
    rng = random.Random(seed)
    path = folder / f"nested{seed}.py"
    path.write_text("\n\n\n".join(_program(rng, f"f{k}") for k in range(count)) + "\n")
    spec = importlib.util.spec_from_file_location(f"nested_programs{seed}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compare(function: Any) -> int:
    """Compare a function with Python; returns 1 if it is one of the language."""
    try:
        machine = machine_of(function, 1, 2)
    except CannotCompile:
        return 0
    for n, k in ((0, 0), (1, 2), (3, -1), (-2, 1), (5, 3), (2, 2)):
        ours, python = _result(machine, (n, k)), _result(function, (n, k))
        assert ours in (FULL, BEYOND) or repr(ours) == repr(python), (function.__name__, n, k)
    return 1


def test_random_programs(tmp_path: Path) -> None:
    module = programs(tmp_path, 1, 12)
    assert sum(compare(getattr(module, f"f{k}")) for k in range(12)) > 8
