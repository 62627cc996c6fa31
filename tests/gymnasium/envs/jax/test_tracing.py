"""Dynamics in which names mean what JAX can trace."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from gymnasium.envs._jax.tracing import TracedFunctions
from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.functional import FuncEnv, ops
from gymnasium.spaces import Discrete
from tests.gymnasium.envs.jax.walker import Params, State, Walker

FLOOR = np.array([3, 4, 5])
PATHS = ((0, 1), (2, 3))


class Base(FuncEnv):
    observation_space = Discrete(100)
    action_space = Discrete(2)


def _transition(function: Any) -> Any:
    """The traced function, within jit, as of a class whose `transition` it is."""
    func_env: Any = type("Named", (Base,), {"transition": staticmethod(function)})()
    return jax.jit(lambda state, action: TracedFunctions(func_env).transition(state, action, None, None))


@pytest.mark.parametrize("action", [0, 1, 2])
def test_helpers_modules_and_constants_are_reached(action: int) -> None:
    """`slope`, `math.sin`, `ops.sqrt`, NumPy, a constant tuple indexed by the action, the class's own `terminal`."""
    state = State(1.0, np.array([1.0, 2.0, 3.0]), 4)
    traced, rng = TracedFunctions(Walker()), np.random.default_rng(0)
    expected = Walker.transition(state, action, rng, Params())

    came = jax.jit(lambda state, action: traced.transition(state, action, Zero(), Params()))(state, action)

    np.testing.assert_allclose(came.position, expected.position, rtol=1e-6)
    np.testing.assert_allclose(came.trail, expected.trail)
    assert int(came.count) == 5


class Zero:
    def normal(self, loc: Any, scale: Any) -> Any:
        return 0.0


def test_constant_arrays_and_nested_tuples_take_traced_indices() -> None:
    traced = _transition(lambda state, action, rng, params: FLOOR[action] * 10 + PATHS[action][0])

    assert [int(traced(0, action)) for action in (0, 1)] == [30, 42]


def test_a_constant_tuple_stays_a_tuple() -> None:
    """It can be unpacked, measured and searched, and indexed by plain integers."""

    def function(state: Any, action: Any, rng: Any, params: Any) -> Any:
        (a, b), _ = PATHS
        return state + a + b + len(PATHS) + PATHS[1][1] + ((0, 1) in PATHS)

    assert int(_transition(function)(100, 0)) == 100 + 1 + 2 + 3 + 1


def test_closures_are_reached() -> None:
    def double(x: Any) -> Any:
        return ops.floor(x) * 2

    assert int(_transition(lambda state, action, rng, params: double(state))(2.7, 0)) == 4


def test_methods_keep_their_instance() -> None:
    class Scaled(Base):
        scale = 3.0

        def transition(self, state: Any, action: Any, rng: Any, params: Any = None) -> Any:
            return ops.cos(state) * self.scale

    traced = TracedFunctions(Scaled({"scale": 5.0}))

    assert float(jax.jit(lambda x: traced.transition(x, 0, None))(0.0)) == 5.0


def test_the_source_is_left_as_it_was() -> None:
    """What runs in Python still computes with Python."""
    TracedFunctions(CartPole())

    assert type(CartPole.transition(CartPole.initial(np.random.default_rng(0)), 1, None).x) is float


def _if(state: Any, action: Any, rng: Any, params: Any) -> Any:
    if state > 0:
        return state
    return -state


def _while(state: Any, action: Any, rng: Any, params: Any) -> Any:
    while state < 10:
        state = state + 1
    return state


def _write(state: Any, action: Any, rng: Any, params: Any) -> Any:
    array = np.zeros(3)
    array[0] = state
    return array.sum()


def _helper(state: Any, action: Any, rng: Any, params: Any) -> Any:
    return 2 * _if(state, action, rng, params)


class Pair:
    """An ordinary class."""

    def __init__(self, first: Any) -> None:
        self.first = first


COUNTS = [0]


def _count(state: Any, action: Any, rng: Any, params: Any) -> Any:
    COUNTS[0] += 1
    return state


CANNOT = [
    (_if, r"`if state > 0:` .*line \d+, in _if\) branches"),
    (_while, r"`while state < 10:` .* branches"),
    (_helper, r"`if state > 0:` .*in _if\) branches"),
    (lambda state, action, rng, params: max(state, 0), "branches"),
    (lambda state, action, rng, params: [state, 0][action], "as a Python index"),
    (lambda state, action, rng, params: sum(range(action)), "as a Python index or count"),
    (lambda state, action, rng, params: float(state), "makes a Python number"),
    (lambda state, action, rng, params: FLOOR[action < FLOOR], "selects by a mask"),
    (lambda state, action, rng, params: {0: 1.0, 1: 2.0}[action], "looks up in a dict or a set"),
    (lambda state, action, rng, params: Pair(state), "makes an object of a class that is no NamedTuple"),
    (_count, r"`COUNTS\[0\] \+= 1` .*writes into a global"),
    (_write, r"`array\[0\] = state` .*in _write\) writes into an array"),
]


@pytest.mark.parametrize(("function", "message"), CANNOT)
def test_what_cannot_be_traced_is_named_with_its_line(function: Any, message: str) -> None:
    with pytest.raises(TypeError, match=rf"Named\.transition cannot run under JAX: .*{message}"):
        _transition(function)(1.0, 1)


def test_other_errors_come_as_they_are() -> None:
    def function(state: Any, action: Any, rng: Any, params: Any) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        _transition(function)(1.0, 1)


class DrawsByKey(Base):
    def initial(self, rng: Any, params: Any = None) -> Any:
        return self.drawn_by(rng)

    def drawn_by(self, key: Any) -> Any:
        return jax.random.uniform(key)


@pytest.mark.parametrize(("func_env", "expected"), [(DrawsByKey(), True), (Walker(), False), (CartPole(), False)])
def test_functions_written_for_keys_are_told_from_others(func_env: Any, expected: bool) -> None:
    """By whether they reach `jax.random`, here through a method."""
    assert TracedFunctions(func_env).written_for_jax is expected


def test_functions_that_require_params_get_none_where_there_are_none() -> None:
    """`def initial(rng, params)` is the form that every runner takes, so it must work here too."""

    class Plain(Base):
        @staticmethod
        def initial(rng: Any, params: Any) -> State:
            assert params is None
            return State(1.0, np.zeros(3), 4)

    assert TracedFunctions(Plain()).initial(None).count == 4
