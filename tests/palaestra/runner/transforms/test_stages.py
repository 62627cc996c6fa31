"""The kernels of observations and actions, in Python and in machine code, have the bits of `gymnasium.transforms`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gymnasium.spaces import Box
from gymnasium.transforms import moments
from gymnasium.transforms.rescale import affine, restored
from palaestra.language.llvm.calls import caller
from palaestra.runner.kernels.layout import DISABLED, NEXT_STEP, SAME_STEP
from palaestra.runner.transforms.layout import NOT_A_VALUE
from palaestra.runner.transforms.stages import (
    Batch,
    OneHot,
    Place,
    Stage,
    clipping,
    flattening,
    moments_in,
    normalizing,
    packing,
    restoring,
    stacking,
)

EPSILON = 1e-8


def in_python(stage: Stage, low: int, high: int) -> int:
    return stage.kernel(stage.form, stage.context.ctypes.data, low, high)


def in_machine_code(stage: Stage, low: int, high: int) -> int:
    return caller(stage.address, 3)(stage.context, low, high)


Run = Callable[[Stage, int, int], int]
both = pytest.mark.parametrize("run", [in_python, in_machine_code])


def batch(n: int, *shape: int, dtype: Any = np.float32) -> Batch:
    return Batch(*np.zeros((2, n, *shape), dtype))


def begun(width: int, dtype: Any) -> moments.Moments:
    kind = np.result_type(dtype, np.float32)
    return moments.Moments(np.zeros(width, kind), np.ones(width, kind), 1e-4)


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()


def same_moments(stage: Stage, expected: moments.Moments) -> bool:
    found = moments_in(stage)
    return same(found.mean, expected.mean) and same(found.var, expected.var) and found.n == expected.n


def normalizes(run: Run, n: int, width: int, dtype: Any) -> None:
    rng, state = np.random.default_rng(n), begun(width, dtype)
    values, out = batch(n, width, dtype=dtype), batch(n, width)
    stage = normalizing(Place(np.zeros(n, np.bool_), NEXT_STEP), values, out, state, EPSILON, True)
    assert stage.together
    for _ in range(3):
        values.rows[:] = rng.normal(9 * rng.normal(), 5.0, (n, width))
        run(stage, 0, n)
        state, expected = moments.counted_and_normalized(values.rows, state, EPSILON)
        assert same(out.rows, expected)
        assert same_moments(stage, state)


@both
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize(("n", "width"), [(1, 1), (24, 1), (7, 3), (12, 4), (1, 1500)])
def test_observations_are_counted_and_normalized(run: Run, n: int, width: int, dtype: Any) -> None:
    normalizes(run, n, width, dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize(
    ("n", "width"), [(1031, 1), (2049, 1), (1032, 7), (16384, 1), (16385, 1), (4096, 4), (1093, 15), (3, 6000)]
)
def test_large_batches_are_counted_and_normalized(n: int, width: int, dtype: Any) -> None:
    """From 16,384 numbers on in fewer passes."""
    normalizes(in_machine_code, n, width, dtype)


@both
@pytest.mark.parametrize("updates", [True, False])
@pytest.mark.parametrize("mode", [SAME_STEP, DISABLED])
def test_where_episodes_end_there_are_last_and_first_observations(run: Run, mode: int, updates: bool) -> None:
    """SAME_STEP: the last ones, then all. DISABLED: all, with the last ones, and then the first ones."""
    n, rng = 9, np.random.default_rng(0)
    values, out = batch(n, 2), batch(n, 2)
    values.rows[:], values.lasts[:] = rng.normal(size=(2, n, 2))
    fresh = np.arange(n) % 4 == 1
    mean, var = np.array([[0.5, 1.0], [2.0, 3.0]], np.float32)
    known = moments.Moments(mean, var, 7.0)
    stage = normalizing(Place(fresh, mode), values, out, known, EPSILON, updates)
    run(stage, 0, n)

    def taken(rows: np.ndarray) -> np.ndarray:
        nonlocal known
        known = moments.merged(known, moments.of_batch(rows)) if updates else known
        return moments.normalized(rows, known.mean, known.var, EPSILON)

    rows, lasts = np.zeros((2, n, 2), np.float32)
    if mode == SAME_STEP:
        lasts[fresh] = taken(values.lasts[fresh])
        rows[:] = taken(values.rows)
    else:
        replaced = taken(np.where(fresh[:, None], values.lasts, values.rows))
        lasts[fresh], rows[~fresh] = replaced[fresh], replaced[~fresh]
        rows[fresh] = taken(values.rows[fresh])
    assert same(out.rows, rows)
    assert same(out.lasts, lasts)
    assert same_moments(stage, known)


def test_a_variance_of_zero_divides_as_in_numpy() -> None:
    """Where Python's numbers would raise."""
    values, out = batch(4, 1, dtype=np.float64), batch(4, 1)
    state = moments.Moments(np.zeros(1), np.zeros(1), 0.0)
    stage = normalizing(Place(np.zeros(4, np.bool_), NEXT_STEP), values, out, state, 0.0, True)
    in_machine_code(stage, 0, 4)
    assert np.isnan(out.rows).all()


@both
@pytest.mark.parametrize("padding", [None, 7.0])
@pytest.mark.parametrize("mode", [NEXT_STEP, SAME_STEP])
def test_observations_are_stacked(run: Run, mode: int, padding: float | None) -> None:
    """Rows below the first of the call are not touched."""
    n, frames = 5, 3
    rng, fresh = np.random.default_rng(0), np.array([0, 0, 1, 0, 1], np.bool_)
    values, out = batch(n, 2), batch(n, frames, 2)
    values.rows[:], values.lasts[:] = rng.normal(size=(2, n, 2))
    before = out.rows[:] = rng.normal(size=out.rows.shape)
    before = before.astype(np.float32)
    run(stacking(Place(fresh, mode), values, out, padding), 1, n)
    assert same(out.rows[0], before[0])
    for i in range(1, n):
        older = before[i, 1:]
        if fresh[i]:
            older = np.repeat(values.rows[i : i + 1] if padding is None else np.full((1, 2), padding), 2, axis=0)
        assert out.rows[i].tolist() == [*older.tolist(), values.rows[i].tolist()]
        ends = fresh[i] and mode == SAME_STEP
        expected = [*before[i, 1:].tolist(), values.lasts[i].tolist()] if ends else np.zeros((frames, 2)).tolist()
        assert out.lasts[i].tolist() == expected


@both
def test_observations_are_flattened(run: Run) -> None:
    """A number outside of its space is refused."""
    n, fresh = 4, np.array([0, 1, 0, 0], np.bool_)
    parts = [batch(n, 2, dtype=np.int64), batch(n, 3, dtype=np.int64)]
    parts[0].rows[:], parts[1].rows[:] = np.array([[2, -1], [3, 0], [2, 1], [3, 1]]), np.arange(12).reshape(4, 3)
    parts[0].lasts[:], parts[1].lasts[:] = np.array([2, 0]), 5
    out = batch(n, 8, dtype=np.int64)
    hot = OneHot(np.array([2, 3]), np.array([2, -1]))
    stage = flattening(Place(fresh, SAME_STEP), [(parts[0], hot), (parts[1], None)], out)
    assert run(stage, 0, n) == 0
    expected = [[1, 0, 1, 0, 0], [0, 1, 0, 1, 0], [1, 0, 0, 0, 1], [0, 1, 0, 0, 1]]
    assert out.rows.tolist() == [[*hot, *range(3 * i, 3 * i + 3)] for i, hot in enumerate(expected)]
    assert out.lasts[1].tolist() == [1, 0, 0, 1, 0, 5, 5, 5]
    assert not out.lasts[[0, 2, 3]].any()
    parts[0].rows[2, 1] = 2
    assert run(stage, 0, n) == NOT_A_VALUE
    assert run(stage, 0, 2) == 0


@both
def test_parts_are_packed(run: Run) -> None:
    parts = [batch(3, dtype=np.int64), batch(3, 2), batch(3, 1, dtype=np.float64)]
    for k, part in enumerate(parts):
        part.rows[:] = np.arange(part.rows.size).reshape(part.rows.shape) + 10 * k + (0.5 if k else 0)
    out = batch(3, 4, dtype=np.float64)
    run(packing(parts, out), 1, 3)
    assert out.rows.tolist() == [[0.0] * 4, [1.0, 12.5, 13.5, 21.5], [2.0, 14.5, 15.5, 22.5]]


SPECIAL = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, -1.0, 0.5, -0.5, 1e30]


def actions(n: int, width: int, dtype: Any) -> np.ndarray:
    rng = np.random.default_rng(0)
    given = rng.uniform(-1.5, 1.5, (n, width)).astype(dtype)
    given.flat[: len(SPECIAL)] = SPECIAL
    return given


@both
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 3])
def test_actions_are_rescaled(run: Run, width: int, dtype: Any) -> None:
    """The bounds stand side by side for 64 actions; there are more."""
    box = Box(np.full(width, -0.3, dtype), np.arange(1, width + 1, dtype=dtype) / 7, dtype=dtype)
    to, given = affine(box, -1.0, 1.0), actions(70, width, dtype)
    inner = np.zeros_like(given)
    for stage in restoring(given, inner, to):
        assert run(stage, 0, 64) == 0
        assert run(stage, 64, 70) == 0
    assert same(inner, np.asarray(restored(given, to=to)))


@both
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 2])
def test_actions_are_clipped(run: Run, width: int, dtype: Any) -> None:
    """Of zeros that are alike, NumPy keeps that of an action if it has one number, and that of the bound otherwise."""
    given = actions(70, width, dtype)
    for low, high in ((0.0, 1.0), (-1.0, -0.0), (-0.0, np.inf), (-np.inf, 0.0)):
        bounds, inner = np.array([[low] * width, [high] * width], dtype), np.zeros_like(given)
        (stage,) = clipping(given, inner, *bounds)
        run(stage, 0, 8)
        assert not inner[8:].any()
        run(stage, 8, 70)
        assert same(inner, np.clip(given, *bounds))
