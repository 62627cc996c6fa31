"""Arrays that steps return belong to the caller for as long as anyone holds them, or a view of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import make_vec


def stepped(envs: Any, count: int) -> list[Any]:
    return [envs.step(np.ones(envs.num_envs, np.int64))[:4] for _ in range(count)]


@pytest.mark.parametrize("n", [1, 9, 600])
def test_what_is_held_does_not_change(n: int) -> None:
    envs: Any = make_vec("CartPole-v1", n)
    envs.reset(seed=0)
    held = stepped(envs, 10)
    before = [[array.copy() for array in results] for results in held]
    view = envs.step(np.zeros(n, np.int64))[0][:, 1]
    seen = view.copy()

    stepped(envs, 10)

    assert all(np.array_equal(x, y) for a, b in zip(held, before, strict=True) for x, y in zip(a, b, strict=True))
    assert (view == seen).all()


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
