"""Arrays that steps return belong to the caller for as long as anyone holds them, or a view of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import make_vec
from gymnasium.spaces import Box
from palaestra.policies import Linear
from palaestra.rollouts import rollout
from palaestra.runner.kernels.columns import Column
from palaestra.runner.kernels.outputs import SIZE, OutputPool
from palaestra.runner.rollouts.collecting import _table
from tests.contracts.params_law import some_drawn


def stepped(envs: Any, count: int) -> list[Any]:
    return [envs.step(np.ones(envs.num_envs, np.int64))[:4] for _ in range(count)]


def parts(results: Any) -> list[Any]:
    """The arrays of a step, those in tuples of observations too."""
    observations, *others = results
    return [*(observations if isinstance(observations, tuple) else (observations,)), *others]


def as_tensor(array: Any) -> Any:
    return pytest.importorskip("torch").from_numpy(array)


def seen_in(held: Any) -> Any:
    return held.numpy().copy() if hasattr(held, "numpy") else np.array(held)


@pytest.mark.parametrize(
    "hold",
    [
        lambda array: array,
        lambda array: array[1:],
        lambda array: array.T[..., 0],
        memoryview,
        np.from_dlpack,
        pytest.param(as_tensor, id="torch"),
    ],
)
@pytest.mark.parametrize("env_id", ["CartPole-v1", "Blackjack-v1"])
@pytest.mark.parametrize("n", [1, 9, 600])
def test_what_is_held_does_not_change(env_id: str, n: int, hold: Callable[[Any], Any]) -> None:
    envs: Any = make_vec(env_id, n)
    envs.reset(seed=0)
    held = [hold(array) for _ in range(10) for array in parts(stepped(envs, 1)[0])]
    before = [seen_in(one) for one in held]

    stepped(envs, 10)

    assert all(np.array_equal(seen_in(one), was) for one, was in zip(held, before, strict=True))


@pytest.mark.parametrize("hold", [lambda array: array, lambda array: array[1:][1:], memoryview])
@pytest.mark.parametrize("n", [9, 600])
def test_nor_does_what_infos_hold(n: int, hold: Callable[[Any], Any]) -> None:
    base: Any = make_vec("CartPole-v1", n)
    envs: Any = some_drawn(base)
    envs.reset(seed=0)
    told = [envs.step(np.ones(n, np.int64))[4] for _ in range(40)]
    held = [hold(array) for infos in told if infos for array in (*infos["params"].values(), infos["_params"])]
    before = [seen_in(one) for one in held]
    assert any(one.any() for one in before)

    base.send(np.zeros(n, np.int64))
    base.recv()
    rollout(envs, Linear(np.zeros((2, 4)), base.single_action_space), 20)
    stepped(envs, 20)
    envs.reset()

    assert all(np.array_equal(seen_in(one), was) for one, was in zip(held, before, strict=True))


def test_a_tuple_of_observations_is_held_with_its_arrays() -> None:
    envs: Any = make_vec("Blackjack-v1", 9)
    envs.reset(seed=0)
    held = [results[0] for results in stepped(envs, 10)]
    before = [[part.copy() for part in observations] for observations in held]

    stepped(envs, 10)

    assert all(np.array_equal(x, y) for a, b in zip(held, before, strict=True) for x, y in zip(a, b, strict=True))


def test_what_is_let_go_is_used_again() -> None:
    envs: Any = make_vec("CartPole-v1", 9)
    envs.reset(seed=0)
    addresses = {results[0].ctypes.data for results in (stepped(envs, 1)[0] for _ in range(20))}
    assert len(addresses) <= 2


def test_what_a_caller_writes_is_nobody_elses() -> None:
    envs: Any = make_vec("CartPole-v1", 9)
    envs.reset(seed=0)
    observations = stepped(envs, 1)[0][0]
    seen = observations[1:].copy()
    observations[:] = 0.0
    assert (envs.reset(options={"reset_mask": np.arange(9) == 0})[0][1:] == seen).all()


def test_copying_may_be_turned_off_on_the_way() -> None:
    envs: Any = make_vec("CartPole-v1", 9)
    envs.reset(seed=0)
    held = stepped(envs, 1)[0][0]
    seen = held.copy()
    envs.copy = False
    (first,), (second,) = stepped(envs, 1), stepped(envs, 1)
    assert first[0] is second[0]
    assert (held == seen).all()


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,), (0, 3), (3, 0)])
def test_copies_have_the_bytes_of_their_rows_even_if_these_have_no_numbers(shape: tuple[int, ...]) -> None:
    kinds = [(np.float32, shape), (np.float64, ()), (np.bool_, ()), (np.bool_, ())]
    columns = [Column("", np.dtype(kind), one).empty(9) for kind, one in kinds]
    steps = [np.zeros((4, *column.shape), column.dtype) for column in columns]

    table = OutputPool(Box(-1, 1, shape), columns, []).renew().table

    sizes = [column.nbytes // 9 for column in columns]
    assert table[:, SIZE].tolist() == sizes
    assert [row[2] for row in _table(list(zip(columns, steps, strict=True)))] == sizes
