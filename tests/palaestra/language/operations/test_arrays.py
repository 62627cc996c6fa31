"""Operations on arrays of all dtypes and shapes, and on views with gaps, backwards, transposed and repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.operations.drawing import any_array, array_like
from tests.palaestra.language.machines import machine_of
from tests.palaestra.language.operations.asking import check, check_machine

Function = Callable[..., Any]

VIEWS: list[Function] = [
    lambda a: a,
    lambda a: a.T,
    lambda a: a[::-1],
    lambda a: a[..., ::-1],
    lambda a: a[::-1, ::-1].T,
    lambda a: a[1:, ::2],
    lambda a: a[:, None],
    lambda a: a[:, 0],
    lambda a: np.broadcast_to(a, (2, *a.shape)),
]

OPERATIONS: dict[str, Function] = {
    "sum": lambda v: np.sum(v),
    "sum of an axis": lambda v: v.sum(axis=0),
    "sum of the last axis": lambda v: np.sum(v, axis=-1, keepdims=True),
    "mean": lambda v: v.mean(),
    "means": lambda v: np.mean(v, axis=0),
    "product": lambda v: np.prod(v, axis=-1),
    "standard deviation": lambda v: np.std(v, axis=0),
    "any and all": lambda v: (np.any(v), np.all(v, axis=0)),
    "places": lambda v: (np.argmax(v), np.argmin(v, axis=0)),
    "sums so far": lambda v: np.cumsum(v, axis=0),
    "differences": lambda v: np.diff(v, axis=0),
    "arithmetic": lambda v: (v + v) * 2 - v,
    "squares": lambda v: v**2,
    "exponentials": lambda v: np.exp(v),
    "waves": lambda v: np.sin(v),
    "comparison": lambda v: v > 0,
    "choice": lambda v: np.where(v > 0, v, 0),
    "bounds": lambda v: np.clip(v, -1, 2),
    "copy": lambda v: v.copy().ravel(),
    "flat": lambda v: v.reshape(-1),
    "float32": lambda v: v.astype(np.float32),
    "list": lambda v: v.tolist(),
    "roll": lambda v: np.roll(v, 1, axis=0),
    "rows": lambda v: v[[0, -1]],
    "joined": lambda v: np.concatenate([v, v]),
    "stacked": lambda v: np.stack([v, v], axis=1),
    "padded": lambda v: np.pad(v, 1),
    "in place": lambda v: _changed(v.copy()),
    "row by row": lambda v: _total(v),
}


def _changed(x: Any) -> Any:
    x += x
    x[1:] = x[:-1]
    x[x > 3] = 0
    x[..., 0] *= 2
    return x


def _total(v: Any) -> Any:
    total = 0
    for row in v:
        total = total + row
    return total


@pytest.mark.parametrize("name", OPERATIONS)
def test_views_of_arrays(name: str) -> None:
    operation = OPERATIONS[name]
    rng = np.random.default_rng(sum(map(ord, name)))
    compared = 0
    for view in [VIEWS[int(k)] for k in rng.choice(len(VIEWS), 5, replace=False)]:
        shape = ((3, 4), (2, 17), (9, 5), (1, 3), (2, 2, 3))[int(rng.integers(4))]
        a = any_array(rng, str(rng.choice(["f", "f", "iu", "b"])), shape)

        def program(a: Any, view: Function = view) -> Any:
            return operation(view(a))

        try:
            machine = machine_of(program, a)
        except CannotCompile as refused:
            assert "not supported" in str(refused) or "loop" in str(refused), refused
            continue
        for _ in range(3):
            given = array_like(rng, a.dtype, shape)
            check_machine(machine, program, given, may_be_left=True)
            compared += 1
    assert compared


@pytest.mark.parametrize("operation", [np.max, np.min], ids=["max", "min"])
@pytest.mark.parametrize("shape", [(3, 4), (9, 5), (40, 3), (2, 33)], ids=str)
def test_extremes_keep_the_zero_that_numpy_keeps(operation: Any, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    programs: list[Function] = [
        lambda a: operation(a),
        lambda a: operation(a[::-1], axis=0),
        lambda a: operation(a[:, ::-1], axis=1),
        lambda a: operation(a[::-1, ::-1].T),
    ]
    for dtype in (np.float64, np.float32):
        for program in programs:
            machine = machine_of(program, np.zeros(shape, dtype))
            for _ in range(5):
                check_machine(
                    machine,
                    program,
                    rng.choice([0.0, -0.0, -1.0, 2.0], shape, p=[0.45, 0.45, 0.05, 0.05]).astype(dtype),
                )


def test_products_of_matrices() -> None:
    rng = np.random.default_rng(2)
    for shapes in ((3, 4), (4, 2)), ((4,), (4,)), ((3, 4), (4,)), ((2, 3, 4), (4, 2)):
        a, b = (rng.normal(size=shape) for shape in shapes)
        check(lambda a, b: a @ b, a, b)
        check(lambda a, b: a @ b, a.astype(np.float32), b.astype(np.float32))
        check(lambda a, b: a @ b, (a * 9).astype(np.int64), (b * 9).astype(np.int64))
    check(lambda a: a.T @ a[:, ::-1], rng.normal(size=(5, 3)))
    check(lambda a, b: np.dot(a, b[::-1]), rng.normal(size=5), rng.normal(size=5))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
@pytest.mark.parametrize("shape", [(6, 10), (6, 1), (10,), (1,), ()], ids=str)
def test_powers_are_squares_where_numpy_squares(dtype: str, shape: tuple[int, ...]) -> None:
    """A square and a power of 2 differ in one number of some thousands; which it is depends on NumPy's buffers."""
    numbers = np.random.default_rng(0).random(400_000)
    differ = numbers[np.power(numbers, np.full_like(numbers, 2.0)) != numbers * numbers]
    a, b = np.resize(differ, (6, 10)) if differ.size else np.ones((6, 10)), np.full(shape, 2, dtype)
    check(lambda a, b: a**b, a, b)
    check(lambda a, b: np.power(a[::-1], b), a, b)


@pytest.mark.parametrize("axes", [None, 0, 1, (0, 2)], ids=str)
def test_sums_of_views_have_the_order_of_numpy(axes: Any) -> None:
    rng = np.random.default_rng(3)
    a = rng.normal(size=(3, 17, 4)).astype(np.float32)
    programs: list[Function] = [
        lambda a: np.sum(a, axes),
        lambda a: np.sum(a[:, ::-1], axes),
        lambda a: np.sum(a[..., 1:], axes),
        lambda a: np.sum(a.T, axes),
        lambda a: np.sum(a[::-1, ::2, ::-1], axes),
    ]
    for program in programs:
        check(program, a)


def test_overlapping_operands() -> None:
    def reversed_sum(a: Any) -> Any:
        a[1:] += a[:-1]
        a -= a[::-1]
        np.multiply(a, a[::-1], out=a)
        return a

    check(reversed_sum, np.arange(7.0))
    check(reversed_sum, np.arange(40, dtype=np.int16))


def test_numbers_of_python_beside_arrays_are_weak() -> None:
    check(lambda a, x: a + x, np.arange(3, dtype=np.float32), 0.1)
    check(lambda a, x: a + x, np.arange(3, dtype=np.int8), 100)
    assert isinstance(check(lambda a, x: a + x, np.arange(3, dtype=np.uint8), 300), OverflowError)
    check(lambda a, x: a < x, np.arange(3, dtype=np.uint8), -1)


def test_casts_in_place_as_numpy() -> None:
    def add(a: Any, b: Any) -> Any:
        a += b
        return a

    check(add, np.arange(3, dtype=np.float32), np.arange(3) / 7)
    check(add, np.arange(3, dtype=np.int8), np.array([300, 1, -1]))
    assert isinstance(check(add, np.arange(3), np.ones(3)), TypeError)


TABLE = np.arange(6.0).reshape(2, 3).T


def test_constants_are_read_only() -> None:
    def write() -> Any:
        TABLE[0, 0] = 1.0
        return TABLE

    with pytest.raises(CannotCompile, match=r"copy\(\)"):
        machine_of(write)

    def add_in_place() -> Any:
        x = TABLE
        x += 1
        return x

    with pytest.raises(CannotCompile, match=r"copy\(\)"):
        machine_of(add_in_place)
    assert TABLE[0, 0] == 0.0
    check(lambda k: TABLE[k].sum() + TABLE.copy()[0, 0], 1)


def test_a_new_array_of_constants_can_be_written() -> None:
    def change(x: float) -> Any:
        made = np.array([[1.0, 2.0], [3.0, 4.0]])
        made[0] = x
        zeros = np.zeros_like(made)
        zeros[1, :] = made[:, 0]
        return made, zeros, np.linspace(0.0, x, 4), np.full(2, x), np.arange(3)

    check(change, 2.5)


def test_too_many_bytes_are_refused() -> None:
    with pytest.raises(CannotCompile, match="bytes"):
        machine_of(lambda x: (np.zeros((300, 300)) + x)[0, 0], 1.0)


def test_ints_that_do_not_fit_are_errors_for_no_items_too() -> None:
    def assign(a: Any, k: int) -> Any:
        a[:] = k
        return a

    assert isinstance(check(assign, np.zeros(0, np.uint8), -6), OverflowError)
    assert isinstance(check(lambda a, k: a - k, np.zeros(0, np.uint8), -6), OverflowError)


def test_keys_of_other_lengths_are_refused_by_lexsort() -> None:
    def order(a: Any, n: int) -> Any:
        return np.lexsort((a, a[:n]))

    keys = np.array([3, 1, 1])
    for n in (3, 2):
        assert isinstance(check(order, keys, n), ValueError if n < 3 else np.ndarray)
