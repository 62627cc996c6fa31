"""Arrays whose lengths are found at run time: parts of arrays, found places, and what is made of them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.operations.arrays import as_known
from palaestra.language.operations.table import TABLE, built
from palaestra.language.types import Term
from tests.palaestra.language.machines import Failed, lanes_of, machine_of, same
from tests.palaestra.language.operations.asking import check, check_machine
from tests.palaestra.language.operations.trying import outcome, same_outcome

A = np.arange(24.0).reshape(4, 6)
ROW = np.array([3, 0, -1, 0, 5, 2, 0], np.int64)
BOUNDS = (-9, -7, -3, -1, 0, 1, 3, 6, 7, 9)


def check_all(function: Callable[..., Any], several: Sequence[tuple[Any, ...]], may_be_left: bool = False) -> None:
    """Assert that machine code does what Python does for several arguments of the same types, in lanes, too."""
    machine = machine_of(function, *several[0])
    for arguments in several:
        check_machine(machine, function, *arguments, may_be_left=may_be_left)
    rows = lanes_of(function, *several[0])([copy.deepcopy(one) for one in several])
    for arguments, given in zip(several, rows, strict=True):
        expected = outcome(lambda arguments=arguments: machine(*copy.deepcopy(arguments)))
        alike = given is Failed if expected[0] == "raises" else same_outcome(("returns", given), expected)
        assert alike, f"{arguments}: in lanes {given!r}, but alone {expected!r}"


# Slices.


@pytest.mark.parametrize("step", [None, 1, 2, -1, -2])
def test_slices_are_those_of_python(step: int | None) -> None:
    pairs = [(ROW, i, j) for i in BOUNDS for j in BOUNDS]
    check_all(lambda a, i, j: a[i:j:step], pairs)
    check_all(lambda a, i: (a[i::step], a[:i:step]), [(ROW, i) for i in BOUNDS])


def test_slices_of_slices() -> None:
    check_all(lambda a, i, j: a[i:][:j][1:][-2:], [(ROW, i, j) for i in BOUNDS for j in BOUNDS])
    check_all(lambda a, i: (a[i:][::-1], a[i:][::2], a[:i][-1:]), [(ROW, i) for i in BOUNDS])


def test_several_axes() -> None:
    several = [(A, i, j) for i in (-5, -1, 0, 2, 4) for j in (-7, -2, 0, 3, 6)]
    check_all(lambda a, i, j: (a[i:, j:], a[:, :j], a[i:, 1:3], a[..., j:]), several)
    check_all(lambda a, i, j: (a[i:, None, :j], a[1, j:], a[i:, 2]), several)
    check_all(lambda a, i, j: (a[i:, j:].shape, a[i:, j:].size, a[i:, j:].ndim, len(a[:, j:])), several)


def test_bounds_are_ints() -> None:
    check(lambda a, i: a[:i], ROW, np.int32(2))
    assert isinstance(check(lambda a, i: a[:i], ROW, 2.0), TypeError)
    assert isinstance(check(lambda a, i: a[i::0], ROW, 2), ValueError)
    with pytest.raises(CannotCompile, match="step of a slice"):
        machine_of(lambda a, i: a[::i], ROW, 2)


def test_slices_are_views() -> None:
    def write(a: Any, i: int, j: int) -> Any:
        a[i:j] = 7
        part = a[i:]
        part += 1
        part[:1] = a[-1:][:1]
        a[1:j][::-1][:] = 4.9
        return part

    check_all(write, [(ROW, i, j) for i in BOUNDS for j in BOUNDS if i != 9], may_be_left=True)
    check_all(_fill_square, [(A, i, j) for i in (-2, 0, 1, 3, 5) for j in (-2, 0, 4, 7)])


def _fill_square(a: Any, i: int, j: int) -> Any:
    a[i : i + 2, j : j + 3] = 255
    a[max(0, i - 1) : i + 2, j] *= 2
    return a


def test_arrays_are_assigned_to_slices() -> None:
    def shift(a: Any, i: int) -> Any:
        a[i:-1] = a[i + 1 :]
        a[: i + 1] = a[: i + 1][::-1]
        return a

    check_all(shift, [(A[0].copy(), i) for i in range(5)])
    check_all(shift, [(A.copy(), i) for i in range(3)])

    def known(a: Any, i: int, b: Any) -> Any:
        a[i:] = b
        return a

    check_all(known, [(ROW, i, np.array([1, 2, 3])) for i in (4, 3, -3, 0)])
    check_all(known, [(ROW, i, np.array([1.5])) for i in (4, 9)])
    check_all(known, [(A, i, np.arange(6)) for i in (1, 4)])
    assert isinstance(check(known, np.zeros(3, np.int8), 9, 300), OverflowError)


def test_an_item_behind_a_bound() -> None:
    check_all(lambda a, i, k: a[i:][k], [(ROW, i, k) for i in BOUNDS for k in (-3, 0, 2)])

    def write(a: Any, i: int, k: int) -> Any:
        a[i:][k] = 2.5
        return a

    check_all(write, [(A[0].copy(), i, k) for i in (0, 4, 6) for k in (-2, 0, 1)])


# Found places.


def test_places() -> None:
    several = [(ROW - k,) for k in range(4)]
    check_all(lambda a: (np.flatnonzero(a), np.where(a > 0)[0], a.nonzero()[0]), several)
    check_all(lambda a: np.nonzero(a % 5 == 1), [(A + k,) for k in range(3)])
    check_all(lambda a: (np.argwhere(a % 5 == 1), np.argwhere(a > 99)), [(A + k,) for k in range(3)])
    check(lambda: np.flatnonzero([0, 1, 1]))
    assert isinstance(check(lambda x: np.nonzero(x), np.array(1.0)), ValueError)


def test_found_places_are_read_and_run_over() -> None:
    def run(a: Any) -> Any:
        total = 0
        for r, c in np.argwhere(a > 3):
            total += int(r) * 10 + int(c)
        rows, cols = np.where(a > 3)
        for k in range(len(rows)):
            total -= int(a[rows[k], cols[k]])
        for k, (r, c) in enumerate(zip(rows, cols, strict=False)):
            total += k * (r - c)
        for x in reversed(np.flatnonzero(a)):
            if x > 5:
                continue
            total += x
        for k, y in enumerate(a[0, : total % 5].tolist()):
            total += k * y
            a[0] = 0
        return total

    check_all(run, [(np.arange(12).reshape(3, 4) - k,) for k in range(9)])


def test_no_item_is_an_error() -> None:
    several = [(ROW - k,) for k in (0, 5, 6)]
    check_all(lambda a: np.flatnonzero(a > 0)[0], several)
    check_all(lambda a: a[a > 0].max(), several)
    check_all(lambda a: np.argmin(a[a > 0]), several)
    check_all(lambda a: (a[a > 0].sum(), a[a > 0].any(), a[a > 0].all(), a[a > 0].size), several)
    check_all(lambda a: a[a > 0].mean(), several, may_be_left=True)


def test_masks() -> None:
    several = [(ROW - k,) for k in range(3)]
    check_all(lambda a: (a[a > 0], a[a > 0] * 2, a[(a > 0) & (a < 4)]), several)
    check_all(lambda a: a[a[:, 0] > 7], [(A + k,) for k in range(3)])
    check_all(lambda a: a[1:, 2:5][a[1:, 2:5] > 12], [(A + k,) for k in range(3)])
    check_all(lambda a, i: a[i:][a[i:] > 0], [(ROW, i) for i in BOUNDS])
    assert isinstance(check(lambda a: a[a[1:] > 0], ROW), IndexError)
    assert isinstance(check(lambda a, i: a[a[i:] > 0], ROW, 1), IndexError)


def test_masks_are_assigned() -> None:
    def write(a: Any, i: int) -> Any:
        a[i:][a[i:] > 2] = 9
        a[a < 0] = a[a < 0] - 1
        a[a > 5] += a[a > 5]
        part = a[:i]
        part[part == 0] -= 3
        return a

    check_all(write, [(ROW, i) for i in BOUNDS])
    assert isinstance(check(_write_two, ROW, ROW[:2]), ValueError)


def _write_two(a: Any, b: Any) -> Any:
    a[a > 0] = b[b > -9]
    return a


def test_found_places_choose() -> None:
    def read(a: Any, k: int) -> Any:
        rows, cols = np.where(a > k)
        return a[rows], a[rows, cols], a[rows, 1], a[:, cols], a[2, cols], a[rows][:, 1:]

    several = [(A, k) for k in (3, 20, 99, -1)]
    check_all(read, several)
    check_all(lambda a, k: (a[np.arange(k), k - 1], a[:, np.arange(k)[::-1]]), [(A, k) for k in (0, 1, 4)])
    assert isinstance(check(lambda a, k: a[np.arange(k)], A, 5), IndexError)
    assert isinstance(check(lambda a, k: a[np.arange(k), np.arange(k + 1)], A, 2), IndexError)
    assert isinstance(check(lambda a, k: a[np.arange(k) * 0.5], A, 2), IndexError)

    def write(a: Any, k: int) -> Any:
        rows, cols = np.where(a > k)
        a[rows, cols] = -1
        a[cols[:2], 0] = rows[:2]
        a[np.arange(k), 1] += 5
        return a

    check_all(write, [(A, k) for k in (3, 2, 0)])


def test_different_numbers() -> None:
    check_all(lambda a: (np.unique(a), len(np.unique(a)), np.unique(a[a > 0])), [(ROW + k,) for k in range(3)])
    check_all(lambda a: np.unique(a, return_counts=True), [(ROW % (k + 1),) for k in range(3)])


def test_ranges() -> None:
    check_all(lambda n: (np.arange(n), np.arange(2, n), np.arange(n, 0, -2)), [(n,) for n in (-3, 0, 1, 5, 1000)])
    check_all(lambda n: (np.arange(n, n + 3) * 2, np.arange(n, dtype=np.float32)), [(n,) for n in (0, 4)])
    check(lambda n: np.arange(n), 1025, may_be_left=True)
    check_all(lambda n: np.arange(n - 3, n, dtype=np.float32), [(n,) for n in (5, 2**24 + 9)], may_be_left=True)
    assert isinstance(check(lambda n: np.arange(n, 5, 0), 1), ZeroDivisionError)


# What is made of them.


def test_numbers_of_a_part() -> None:
    def numbers(a: Any, i: int, j: int) -> Any:
        x = a[i:j]
        if x.size == 0:
            return -1.0, -1.0, -1.0, -1.0
        return np.mean(np.abs(np.diff(a[: j + 1]))), np.std(x), float(np.median(x)), np.sqrt((x**2).sum()) / len(x)

    rng = np.random.default_rng(0)
    values = rng.normal(size=300)
    check_all(numbers, [(values, *sorted(rng.integers(1, 299, 2).tolist())) for _ in range(40)])
    check_all(numbers, [(values.astype(np.float32), *sorted(rng.integers(1, 299, 2).tolist())) for _ in range(20)])
    check_all(lambda a, i: (a[:i, 1].sum(), a[::-1][i:, 0].max(), a[i:, ::2].astype(int).sum(axis=1)), [(A, 2), (A, 3)])


def test_items_with_numbers_and_arrays() -> None:
    several = [(ROW, i) for i in (0, 2, 6, 7)]
    check_all(lambda a, i: (a[i:] + 1, 2.5 * a[i:], a[i:] > 0, -a[i:], a[i:] // 2, np.exp(a[i:] * 0.1)), several)
    check_all(lambda a, i: (a[i:] - a[: len(a) - i], np.maximum(a[i:], 1), np.clip(a[i:], 0, 2)), several)
    check_all(lambda a, i: np.where(a[i:] > 0, a[i:], -1.5), several)
    check_all(lambda a, i: a[i:] + np.array([1, 2, 3]), [(ROW, i) for i in (4, 2, 5)])
    assert isinstance(check(lambda a, i: a[i:] + a[i + 1 :], ROW, 2), ValueError)
    check(lambda a, i: a[i:] + a[-1:][: i + 1], ROW, 2, may_be_left=True)
    check_all(lambda a, i: a[i:, 1:] * a[0, 1:] - a[i:, :1], [(A, i) for i in (0, 2, 4)])


def test_equality_and_truth() -> None:
    several = [(ROW, i) for i in (0, 3, 6, 7)]
    check_all(lambda a, i: (np.array_equal(a[i:], a[: 7 - i]), 5 in a[i:], (a[i:] == 0).any()), several)
    check_all(lambda a, i: 1 if a[i:] else 0, several)
    check_all(lambda a, i: (max(a[i:]), min(a[i:]), any(a[i:]), all(a[i:])), several)


def test_draws() -> None:
    def drawn(rng: np.random.Generator, a: Any, k: int) -> Any:
        open_places = np.flatnonzero(a < k)
        if len(open_places) == 0:
            return open_places, np.int64(-1), np.zeros(2, np.int64), open_places, a[0]
        one = rng.choice(open_places)
        two = rng.choice(open_places, 2)
        mixed = rng.permutation(open_places)
        rng.shuffle(open_places)
        return open_places, one, two, mixed, rng.choice(a[:k])

    several = [(np.random.default_rng(k), np.arange(9) % 5, k) for k in (0, 1, 3, 9)]
    machine = machine_of(drawn, *several[0])
    for arguments in several:
        check_machine(machine, drawn, *arguments)
    rows = np.random.default_rng(0), A, 3
    check(lambda rng, a, k: rng.choice(a[:k]), *rows)
    check(lambda rng, a, k: rng.choice(a[:k, 0], 2, replace=False), *rows)
    assert isinstance(check(lambda rng, a, k: rng.choice(a[:k]), np.random.default_rng(0), A, 0), ValueError)


def test_variables() -> None:
    """A variable has a part of one array on one path, and another on the other, or in the next turn of a loop."""

    def path(a: Any, k: int) -> Any:
        x = np.flatnonzero(a > k)
        if len(x) == 0:
            x = np.arange(3)
        y = a[k:] if k > 1 else a
        for _ in range(3):
            x = x[x % 2 == 0] + 1
            y = y[1:]
        return x, y, y.sum()

    check_all(path, [(ROW, k) for k in (0, 1, 2, 9)])


def test_usual_lengths() -> None:
    """A slice has its usual length if it is needed; where the end of the array cuts it, that is left to Python."""

    def window(a: Any, t: int) -> Any:
        return (
            np.append(a[t - 3 : t] / 2, [1.0]).astype(np.float32),
            np.concatenate((a[t : t + 2][1:], a[:1])),
            len(a[t - 3 : t]),
        )

    check_all(window, [(A[0].copy(), t) for t in (3, 4)])
    check_all(lambda a, t: (a[t - 3 : t], a[t - 3 : t].sum()), [(ROW, t) for t in BOUNDS])
    check_all(lambda a, t: (a[t - 1 : t + 2, t : t + 2].sum(), np.exp(a[t : t + 2, 1:] / 9)), [(A, 1), (A, 2)])
    machine = machine_of(window, A[0], 3)
    with pytest.raises(Failed, match="beyond"):
        machine(A[0], 2)


def test_known_shapes() -> None:
    def needed(x: Any) -> Any:
        assert x.shape == (3,)
        return x

    @built(needed)
    def build(front: Any, x: Term) -> Term:
        return as_known(front, x, (3,))

    try:
        machine = machine_of(lambda a, i: np.sort(needed(a[i:])), ROW, 4)
        assert same(machine(ROW, 4), np.array([0, 2, 5]))
        with pytest.raises(Failed, match="beyond"):
            machine(ROW, 3)
        with pytest.raises(CannotCompile, match="where one of shape"):
            machine_of(lambda a, i: needed(a[:2][i:]), ROW, 4)
    finally:
        del TABLE[needed]


def test_refusals() -> None:
    for function, reason in (
        (lambda a, i: np.concatenate((a[i:], a)), "where its length must be known"),
        (lambda a, i: a[i:].reshape(-1, 1), "where its length must be known"),
        (lambda a, i: (*a[i:],), "number of items"),
        (lambda a, i: np.nanpercentile(a[i:], 50), "not in the language"),
    ):
        with pytest.raises(CannotCompile, match=reason):
            machine_of(function, ROW, 2)
    with pytest.raises(CannotCompile, match="where its length must be known"):
        machine_of(lambda a, i: a[i:].sum(), A, 2)
    with pytest.raises(CannotCompile, match="where its length must be known"):
        machine_of(lambda a, i: np.exp(a[i:]), A, 2)
    for function in (np.mean, np.average):
        with pytest.raises(CannotCompile, match="mean of float16"):
            machine_of(lambda a, f=function: f(a), np.ones(3, np.float16))
    with pytest.raises(CannotCompile, match="mean of float16"):
        machine_of(lambda a, i: a[i:].mean(), np.ones(3, np.float16), 2)
    with pytest.raises(CannotCompile, match="read-only"):
        machine_of(_write_known, 2)


TABLE_OF_NUMBERS = np.arange(5)


def _write_known(i: int) -> Any:
    TABLE_OF_NUMBERS[i:] = 1
    return TABLE_OF_NUMBERS


# Draws of a size that is found.


def test_a_size_of_a_draw_may_be_found() -> None:
    def draws(seed: int, n: int, k: int) -> Any:
        rng = np.random.default_rng(seed)
        first = rng.normal(1.0, 2.0, size=n), rng.random(n), rng.uniform(0.0, n, n), rng.poisson(3.0, size=n)
        whole = rng.integers(k, size=n), rng.integers(0, 200, n, dtype=np.uint8), rng.normal(size=(n, 2))
        chosen = rng.choice(k, size=n), rng.choice(np.array([1.5, 2.5, 3.5]), n), rng.choice(9, size=n, replace=False)
        return *first, *whole, *chosen, rng.choice(3, size=n, p=[0.2, 0.3, 0.5]), rng.random()

    check_all(draws, [(5, n, 7) for n in (0, 1, 2, 3, 9, 10, -1)] + [(5, 0, 0), (5, 2, 0), (5, 2, -1)])
