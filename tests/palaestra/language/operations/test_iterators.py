"""`itertools`, `iter` and `next`, beside what Python gives."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from tests.palaestra.language.machines import Failed, machine_of, same


def _known(a: int) -> Any:
    xs, ys = [a, 2, 3], [4, 5]
    total = 0
    for x in itertools.chain(xs, ys):
        total = total * 10 + x
        ys[0] = 9
    for p, q in itertools.pairwise(xs):
        total = total * 7 + p * q
        xs[1] = 7
    for x in itertools.accumulate(xs):
        total = total * 3 + x
        xs[2] = 1
    return (
        total,
        list(itertools.product((a, 1.5), (2, 3))),
        list(itertools.product([a, 1], repeat=2)),
        list(itertools.combinations([a, 7, 3], 2)),
        list(itertools.permutations((a, 3))),
        list(itertools.combinations_with_replacement((a, 2), 2)),
        [x for x in itertools.chain.from_iterable([(a, 1), (2,)])],
        list(itertools.islice(xs, 1, None, 2)),
        list(itertools.zip_longest(xs, ys, fillvalue=0)),
        list(itertools.accumulate((a, 2, 3), max)),
        list(itertools.accumulate((a, 2), lambda p, q: p * q, initial=2)),
        list(zip((1, a), itertools.repeat(a, 2), strict=True)),
    )


def _counted(n: int, m: int) -> Any:
    total = 0
    for i, j in itertools.product(range(n), range(m)):
        total = (total * 3 + i * j) % 1009
    for i, j in itertools.combinations(range(12), 2):
        total = (total * 3 + i * j * n) % 1009
    for dx, dy in itertools.product((-1, 0, 1), repeat=2):
        if dx or dy:
            total += dx * n + dy * m
    for _ in itertools.repeat(None, n):
        total += 1
    return total


def _growing(n: int) -> Any:
    xs, ys = [i * i for i in range(n)], [7, 8]
    ys.append(n)
    total = 0
    for x in itertools.chain(xs, ys):
        total = total * 3 + x
    for x in itertools.islice(xs, 1, 3):
        total = total * 3 + x
    for p, q in itertools.combinations(xs, 2):
        total = total * 3 + p - q
    pairs = list(itertools.product(xs, (1, 2)))
    return total, sum(itertools.chain(xs, ys)), max(itertools.chain(xs, ys)), len(pairs), next(iter(xs), -1)


def _arrays(a: Any) -> Any:
    total = 0.0
    for x in itertools.chain(a, a * 2):
        total = total * 2 + x
    for x, y in itertools.pairwise(a):
        total = total * 2 + x - y
    for (i,), x in np.ndenumerate(a):
        total = total * 2 + i * x
    for i, j in np.ndindex(2, 3):
        total = total * 2 + i * j
    board = np.reshape(a, (2, 7)).copy()
    board.flat[3] += 4
    for x in board.flat:
        total = total * 2 + x
    return total, board, board.flat[-1], max(board.flat), np.r_[a, 1, [2, 3]], np.c_[a, a]


def _first(a: Any, k: int) -> Any:
    xs = [i * i for i in range(k)]
    return (
        next((i for i, x in enumerate(a) if x > 0.5), -1),
        next((x for x in xs if x > 7), k),
        next((x + y for x in xs for y in (1, 2) if x + y > 4), 0),
        next(iter((k, 2))),
        next(i for i in range(5) if i > k),
    )


@pytest.mark.parametrize(
    ("function", "several"),
    [
        (_known, [(1,), (-4,)]),
        (_counted, [(0, 3), (4, 5), (9, 1)]),
        (_growing, [(0,), (1,), (5,)]),
        (_arrays, [(np.arange(14.0),)]),
        (_first, [(np.array([0.1, 0.7, 0.9]), 3), (np.array([0.1, 0.2, 0.3]), 0), (np.ones(3), 9)]),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_iterators_give_the_items_of_python(function: Any, several: list[tuple[Any, ...]]) -> None:
    machine = machine_of(function, *several[0])
    for arguments in several:
        expected = _outcome(function, arguments)
        assert same(_outcome(machine, arguments), expected), arguments


def _outcome(function: Any, arguments: tuple[Any, ...]) -> Any:
    try:
        return _tuples(function(*arguments))
    except (Failed, StopIteration) as error:
        return error.args[0] if isinstance(error, Failed) else "StopIteration"


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, (list, tuple)) else value


def _draws(rng: np.random.Generator, share: float) -> Any:
    return next((i for i in range(5) if rng.random() < share), -1), rng.random()


def test_next_computes_no_further_item() -> None:
    machine = machine_of(_draws, np.random.default_rng(0), 0.5)
    for seed in range(9):
        assert same(machine(np.random.default_rng(seed), 0.4), _draws(np.random.default_rng(seed), 0.4))


def _kept(a: int) -> Any:
    items = iter((a, 1))
    return next(items), next(items)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (_kept, "can be read only once"),
        (lambda a: next(itertools.cycle((a, 2))), "has no end"),
        (lambda a: [k for k, _ in itertools.groupby((a, 1))], "write a loop"),
        (lambda a: [x for x, _ in zip(itertools.count(), (a, 1), strict=False)], "has no end"),
    ],
)
def test_what_is_refused_is_said(function: Any, reason: str) -> None:
    with pytest.raises(CannotCompile, match=f"(?i){reason}"):
        machine_of(function, 1)
