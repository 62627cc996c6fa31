"""What cannot be compiled is refused with the function, the line and the reason, before anything moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.error import ActionOutsideSpace, ClosedEnvironmentError, ResetNeeded, UnsupportedMode
from gymnasium.functional import FunctionalEnv
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Text
from palaestra.runner import CompiledVectorEnv
from tests.palaestra.runner.dynamics import Raising, State, Walk


class Windowed(Walk):
    @staticmethod
    def initial(rng, params):
        return State(float(np.fft.fft(rng.random(2))[0].real))


class NoTuple(Walk):
    @staticmethod
    def initial(rng, params):
        return [0.0]


class Named(Walk):
    @staticmethod
    def initial(rng, params):
        return State("start")


class Drifting(Walk):
    @staticmethod
    def transition(state, action, rng, params):
        return State(1, state.t + 1)


class Huge(Walk):
    @staticmethod
    def transition(state, action, rng, params):
        return State(state.x, 1 << 70)


class OtherShape(Walk):
    @staticmethod
    def observation(state, rng, params):
        return state.x, state.t, 0.0


class Fraction(Walk):
    observation_space = Discrete(5)

    @staticmethod
    def observation(state, rng, params):
        return state.x


class NotStatic(Walk):
    def reward(self, state, action, next_state, rng, params):
        return 1.0


class NoNumber(Walk):
    @staticmethod
    def reward(state, action, next_state, rng, params):
        return (1.0, 2.0)


class Words(Walk):
    action_space = Text(3)


class Named2(Walk):
    observation_space = Dict(x=Box(-1, 1))


class TextParams(Walk):
    def get_default_params(self, **kwargs: Any) -> Any:
        return super().get_default_params(**kwargs)._replace(goal="far")


@pytest.mark.parametrize(
    ("kind", "error", "message"),
    [
        (NoTuple, TypeError, "must be a NamedTuple, but NoTuple.initial, line .*, returned"),
        (Named, TypeError, "must be a number or an array of numbers, but x is 'start'"),
        (Drifting, TypeError, "x is float64 after Drifting.initial and int64 .*: keep it a float"),
        (Huge, OverflowError, "An integer of a state must fit into 64 bits, .* but t became 1180591620717411303424"),
        (OtherShape, ValueError, r"of shape \(2,\), but \("),
        (Fraction, ValueError, "round it"),
        (NotStatic, TypeError, "NotStatic.reward must be a static function"),
        (NoNumber, TypeError, "NoNumber.reward must return one number"),
        (Words, TypeError, "needs an action space that is"),
        (Named2, ValueError, "must return a dict with the keys of Dict"),
        (TextParams, TypeError, r"params.goal is 'far'"),
        (lambda: 3, TypeError, "made 3 of type"),
        (7, TypeError, "runs a FuncEnv"),
    ],
)
def test_dynamics_of_another_form_are_refused(kind: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        CompiledVectorEnv(kind, 2)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"num_envs": 0}, ValueError, "`num_envs` must be a positive integer, but 0"),
        ({"num_envs": True}, ValueError, "num_envs"),
        ({"num_envs": 2.0}, ValueError, "num_envs"),
        ({"max_episode_steps": 0}, ValueError, "`max_episode_steps` must be a positive integer"),
        ({"num_envs": 1000, "num_threads": 0}, ValueError, "`num_threads` must be"),
        ({"num_threads": 0}, ValueError, "`num_threads` must be"),
        ({"autoreset_mode": "Never"}, ValueError, "Never"),
        ({"render_mode": "human"}, UnsupportedMode, "rgb_array"),
        ({"hight": 3}, TypeError, "hight"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        CompiledVectorEnv(Walk(), **{"num_envs": 2, **arguments})


def test_what_is_refused_names_function_line_and_reason() -> None:
    envs = CompiledVectorEnv(Windowed(), 2)
    line = Windowed.initial.__code__.co_firstlineno + 2

    with pytest.raises(TypeError) as caught:
        envs.reset(seed=0)

    for part in (
        "Windowed.initial",
        f"line {line} of",
        "test_errors.py",
        "fft",
        "is not in the language",
        "SyncVectorEnv",
    ):
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("actions", "error"),
    [
        ([0, 2], ActionOutsideSpace),
        ([-2, 0], ActionOutsideSpace),
        (np.array([0, 2]), ActionOutsideSpace),
        (np.array([0.0, 1.0]), ActionOutsideSpace),
        ([0], ValueError),
        ([0, 1, 0], ValueError),
        ([[0], [1]], ValueError),
        (0, TypeError),
        (None, TypeError),
        (["0", "1"], ActionOutsideSpace),
    ],
)
def test_a_wrong_batch_of_actions_moves_nothing(actions: Any, error: type[Exception]) -> None:
    envs, twin = CompiledVectorEnv(Walk(), 2), CompiledVectorEnv(Walk(), 2)
    for one in (envs, twin):
        one.reset(seed=0)
    with pytest.raises(error):
        envs.step(actions)
    assert np.array_equal(envs.step([0, 1])[0], twin.step([0, 1])[0])


@pytest.mark.parametrize(
    ("space", "wrong"),
    [
        (MultiDiscrete([2, 2, 3]), [0, 0, 3]),
        (MultiDiscrete([2, 3, 3]), [2, 0, 0]),
        (MultiDiscrete([[2, 3], [3, 3]]), [[0, 0], [-1, 0]]),
        (MultiDiscrete([4, 4], dtype=np.int8, start=[-2, 3]), [2, 3]),
        (MultiDiscrete([4, 4], dtype=np.uint8, start=[2, 3]), [1, 3]),
        (MultiBinary(2), [0, 2]),
        (MultiBinary((2, 1)), [[-1], [0]]),
    ],
)
def test_a_part_of_an_action_out_of_range_is_refused(space: Any, wrong: Any) -> None:
    class Parts(Walk):
        action_space = space

        @staticmethod
        def transition(state, action, rng, params):
            return state._replace(x=state.x + 1.0)

        @staticmethod
        def reward(state, action, next_state, rng, params):
            return 0.0

    envs = CompiledVectorEnv(Parts(), 3)
    envs.action_space.seed(0)
    envs.reset(seed=0)
    actions = envs.action_space.sample()
    right = actions.copy()
    actions[1] = wrong
    with pytest.raises(ActionOutsideSpace):
        envs.step(actions)
    twin = CompiledVectorEnv(Parts(), 3)
    twin.reset(seed=0)
    for _ in range(20):
        assert np.array_equal(envs.step(right)[0], twin.step(right)[0])
        right = envs.action_space.sample()


@pytest.mark.parametrize(
    ("space", "dtype"), [(Discrete(2), np.uint64), (MultiDiscrete([2, 2], dtype=np.int32), np.uint64)], ids=str
)
def test_actions_of_a_dtype_that_one_environment_refuses(space: Any, dtype: Any) -> None:
    class Still(Walk):
        action_space = space

        @staticmethod
        def transition(state, action, rng, params):
            return state

        @staticmethod
        def reward(state, action, next_state, rng, params):
            return 0.0

    one, envs = FunctionalEnv(Still()), CompiledVectorEnv(Still(), 2)
    one.reset(seed=0)
    envs.reset(seed=0)
    actions = np.zeros(envs.action_space.shape or (), dtype)
    with pytest.raises(ActionOutsideSpace):
        one.step(actions[0])
    with pytest.raises(ActionOutsideSpace, match=f"dtype {np.dtype(dtype)}"):
        envs.step(actions)
    envs.step(envs.action_space.sample())


def test_a_step_that_raises_at_first_makes_no_batch_impossible() -> None:
    """The form of the dynamics is seen in another step."""

    class Half(Walk):
        @staticmethod
        def reward(state, action, next_state, rng, params):
            return 1.0 / action

    class Other(Half):
        @staticmethod
        def reward(state, action, next_state, rng, params):
            return 1.0 / (1 - action)

    for kind, wrong in ((Half, 0), (Other, 1)):
        envs = CompiledVectorEnv(kind(), 2)
        envs.reset(seed=0)
        assert envs.step([1 - wrong, 1 - wrong])[1].tolist() == [1.0, 1.0]
        with pytest.raises(ZeroDivisionError):
            envs.step([1 - wrong, wrong])


@pytest.mark.parametrize("bad", [np.nan, [np.nan]])
def test_nan_is_no_action(bad: Any) -> None:
    class Pushed(Walk):
        action_space = Box(-1.0, 1.0, (1,))

        @staticmethod
        def transition(state, action, rng, params):
            return State(state.x + action[0], state.t + 1)

        @staticmethod
        def reward(state, action, next_state, rng, params):
            return action[0]

    envs = CompiledVectorEnv(Pushed(), 2)
    envs.reset(seed=0)
    with pytest.raises((ActionOutsideSpace, ValueError)):
        envs.step(np.array([[0.5], np.ravel(bad)], np.float32))
    assert envs.step(np.array([[0.5], [7.0]]))[1].tolist() == [0.5, 7.0]  # beyond a bound passes


def test_a_finished_environment_is_not_stepped_in_the_mode_disabled() -> None:
    envs = CompiledVectorEnv(Walk(), 2, max_episode_steps=1, autoreset_mode="Disabled")
    envs.reset(seed=0)
    before = envs.step([0, 0])[0]
    with pytest.raises(AssertionError, match="finished are"):
        envs.step([0, 0])
    mask = np.array([True, False])
    assert np.array_equal(envs.reset(options={"reset_mask": mask})[0][1], before[1])
    with pytest.raises(AssertionError, match="finished are"):
        envs.send([0], [1])
    envs.send([0], [0])


@pytest.mark.parametrize("n", [2, 2000])
def test_an_exception_in_the_dynamics_passes_on_and_needs_a_reset(n: int) -> None:
    envs = CompiledVectorEnv(Raising(), n, num_threads=2)
    envs.reset(seed=0)
    actions = np.zeros(n, np.int64)
    for _ in range(3):
        envs.step(actions)
    with pytest.raises(ValueError, match="too late"):
        envs.step(actions)
    with pytest.raises(ResetNeeded):
        envs.step(actions)
    envs.reset(seed=0)
    assert envs.step(actions)[1].tolist() == [1.0] * n
    envs.close()


def test_calls_out_of_order() -> None:
    envs = CompiledVectorEnv(Walk(), 2)
    with pytest.raises(ResetNeeded):
        envs.step([0, 0])
    with pytest.raises(ResetNeeded):
        envs.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded):
        envs.render_one(0)
    envs.close()
    envs.close()
    for call in (envs.reset, envs.recv, lambda: envs.step([0, 0]), lambda: envs.send([0, 0])):
        with pytest.raises(ClosedEnvironmentError):
            call()
