"""What the dynamics raise is what the single environment raises: type, message, and which environment it was."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from gymnasium.error import ResetNeeded
from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.vector import AutoresetMode
from palaestra.runner import CompiledVectorEnv
from tests.contracts.compiled_law import assert_same, assert_same_streams
from tests.palaestra.language.jit.exact.raising import Broken, Raising, Smooth, State
from tests.palaestra.language.jit.exact.twins import notes, raised, twins


def single_error(dynamics: FuncEnv, seed: int, actions: list[Any]) -> Exception:
    env = FunctionalEnv(dynamics)
    env.reset(seed=seed)
    for action in actions[:-1]:
        env.step(action)
    return raised(lambda: env.step(actions[-1]))


def assert_equal_errors(error: Exception, expected: Exception, i: int) -> None:
    assert (type(error), str(error), error.args) == (type(expected), str(expected), expected.args)
    if hasattr(error, "__notes__"):
        assert f"Environment {i} raised {type(expected).__name__}" in notes(error)


def assert_goes_on(ours: Any, sync: Any, actions: Any) -> None:
    """After an exception, a batch needs a reset, and works after it."""
    with pytest.raises(ResetNeeded):
        ours.step(actions)
    assert_same(ours.reset(seed=9), sync.reset(seed=9), "reset")
    assert_same(ours.step(actions), sync.step(actions), "step")


@pytest.mark.parametrize(("n", "threads", "i"), [(3, 1, 1), (20, 1, 17), (1024, 2, 1000), (1024, 2, 0)])
def test_the_exception_is_that_of_the_single_environment(n: int, threads: int, i: int) -> None:
    dynamics = Raising()
    ours, sync = twins(dynamics, n, num_threads=threads, limit=100)
    nothing = np.zeros(n, np.int64)
    for action in range(1, 18) if n < 100 else (1, 13):
        expected = single_error(dynamics, 5 + i, [0, 0, action])
        ours.reset(seed=5)
        ours.step(nothing)
        ours.step(nothing)
        actions = nothing.copy()
        actions[i] = action
        assert_equal_errors(raised(lambda batch=actions: ours.step(batch)), expected, i)
    assert_goes_on(ours, sync, nothing)
    ours.close()


def test_a_reset_without_a_seed_goes_on_with_the_numbers_of_sync() -> None:
    """The one that raised had drawn before it did."""
    ours, sync = twins(Raising(), 3, limit=100)
    for envs in (ours, sync):
        envs.reset(seed=5)
        envs.step(np.zeros(3, np.int64))
        with pytest.raises(Broken):
            envs.step(np.array([0, 13, 0]))

    assert_same(ours.reset(), sync.reset(), "reset")
    assert_same(ours.step(np.zeros(3, np.int64)), sync.step(np.zeros(3, np.int64)), "step")
    assert_same_streams(ours, sync)


def test_in_send() -> None:
    ours, sync = twins(Raising(), 5, limit=100)
    ours.reset(seed=5)
    ours.step(np.zeros(5, np.int64))
    error = raised(lambda: ours.send([0, 14], [4, 2]))
    assert_equal_errors(error, single_error(Raising(), 7, [0, 14]), 2)
    assert_goes_on(ours, sync, np.zeros(5, np.int64))


@pytest.mark.parametrize(("n", "threads"), [(20, 1), (1024, 2)])
def test_in_lanes(n: int, threads: int) -> None:
    """Rows beside one that raises are as if nothing had happened; those that are infinite in NumPy raise here."""
    dynamics = Smooth()
    ours, sync = twins(dynamics, n, num_threads=threads, limit=100)
    good = np.ones((n, 3))
    moves = [[-1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, math.inf], [1.0, -0.0, 0.0]]
    for i, move in zip((0, 7, n - 1, 9), moves, strict=True):
        expected = single_error(dynamics, 5 + i, [[1.0, 1.0, 1.0], move])
        ours.reset(seed=5)
        ours.step(good)
        actions = good.copy()
        actions[i] = move
        assert_equal_errors(raised(lambda batch=actions: ours.step(batch)), expected, i)
    assert_goes_on(ours, sync, good)
    assert ours._runner._kernels.in_lanes(frozenset())
    ours.close()


def test_lanes_go_on_where_one_row_is_too_much_for_them() -> None:
    """What lanes cannot compute, and numbers can: rows are stepped one by one, with the same draws."""
    ours, sync = twins(Smooth(), 20, limit=4)
    assert_same(ours.reset(seed=5), sync.reset(seed=5), "reset")
    rng = np.random.default_rng(0)
    for t in range(12):
        actions = rng.uniform(0.5, 2.0, (20, 3))
        actions[rng.random(20) < 0.1, 2] = 2.0**62 * 1.5
        assert_same(ours.step(actions), sync.step(actions), f"step {t}")


def test_in_a_reset() -> None:
    ours = CompiledVectorEnv(Raising(), 4)
    ours.set_attr("chance", [0.0, 0.0, 1.0, 0.0])
    error = raised(lambda: ours.reset(seed=3))
    assert_equal_errors(error, Broken("no beginning"), 2)
    with pytest.raises(ResetNeeded):
        ours.step(np.zeros(4, np.int64))
    ours.set_attr("chance", 0.0)
    sync = twins(Raising(), 4)[1]
    assert_same(ours.reset(seed=3), sync.reset(seed=3), "reset")


@pytest.mark.parametrize("call", ["step", "send"])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP], ids=lambda mode: mode.name)
def test_in_an_autoreset(mode: AutoresetMode, call: str) -> None:
    ours = CompiledVectorEnv(Raising(), 4, max_episode_steps=1, autoreset_mode=mode)
    ours.reset(seed=3)
    ours.set_attr("chance", [0.0, 1.0, 0.0, 0.0])
    nothing = np.zeros(4, np.int64)

    def act() -> None:
        if call == "step":
            ours.step(nothing)
        else:
            ours.send(nothing)
            ours.recv(4)

    if mode is AutoresetMode.NEXT_STEP:
        act()
    assert_equal_errors(raised(act), Broken("no beginning"), 1)
    ours.set_attr("chance", 0.0)
    ours.reset(seed=3)
    act()


def test_what_only_machine_code_cannot_do_is_refused_at_run_time() -> None:
    class Growing(Raising):
        @staticmethod
        def transition(state, action, rng, params):
            return State(state.x, (state.t + 1) * 2**40 * 2**40 % 1000003)

    ours = CompiledVectorEnv(Growing(), 3)
    ours.reset(seed=0)
    with pytest.raises(OverflowError, match=r"Environment 0: .*beyond machine code.* Python continues") as caught:
        for _ in range(100):
            ours.step(np.zeros(3, np.int64))
    assert "SyncVectorEnv" in str(caught.value)
    with pytest.raises(ResetNeeded):
        ours.step(np.zeros(3, np.int64))
