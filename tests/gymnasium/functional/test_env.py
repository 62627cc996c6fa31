"""The runner of a single copy."""

from __future__ import annotations

import copy
import pickle
from typing import NamedTuple

import numpy as np
import pytest

from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.error import StepBeforeReset, UnsupportedMode
from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.spaces import Box, Discrete


class State(NamedTuple):
    count: int
    noise: float


class Params(NamedTuple):
    goal: int = 3
    scale: float = 1.0


class Counter(FuncEnv):
    """Counts up to a goal, with noise in what is seen."""

    observation_space = Box(-100, 100, (2,))
    action_space = Discrete(3)
    metadata = {"render_modes": ["ansi"], "render_fps": 7}
    drawing = __name__

    def get_default_params(self, **kwargs):
        return Params(**kwargs)

    @staticmethod
    def initial(rng, params):
        return State(0, rng.random())

    @staticmethod
    def transition(state, action, rng, params):
        return State(state.count + action, rng.normal(0.0, params.scale))

    @staticmethod
    def observation(state, rng, params):
        return state.count, state.noise + rng.random()

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return float(next_state.count - state.count)

    @staticmethod
    def terminal(state, rng, params):
        return state.count >= params.goal

    @staticmethod
    def state_info(state, params):
        return {"count": state.count}

    @staticmethod
    def transition_info(state, action, next_state, params):
        return {"from": state.count, "to": next_state.count}


def text(state, params):
    """What the mode "ansi" shows of a counter: this module is its `drawing`."""
    return f"{state.count} of {params.goal}"


class CounterEnv(FunctionalEnv):
    dynamics = Counter


def test_order_of_random_numbers_is_that_of_the_contract():
    """Initial, observation; then transition, reward, terminal, observation: with NumPy's numbers."""
    env, rng = FunctionalEnv(Counter()), np.random.default_rng(9)
    observation, info = env.reset(seed=9)
    noise = rng.random()
    np.testing.assert_array_equal(observation, np.array([0, noise + rng.random()], np.float32))
    assert info == {"count": 0}
    observation, reward, terminated, truncated, info = env.step(2)
    noise = rng.normal(0.0, 1.0)
    np.testing.assert_array_equal(observation, np.array([2, noise + rng.random()], np.float32))
    assert (reward, terminated, truncated, info) == (2.0, False, False, {"from": 0, "to": 2})
    assert env.step(1)[2] is True
    assert env.np_random.random() == [rng.normal(), rng.random(), rng.random()][-1]


def test_params_come_from_the_constructor_or_are_set():
    env = CounterEnv(goal=1)
    assert env.params == Params(goal=1)
    assert CounterEnv().params == FunctionalEnv(Counter()).params == Params()
    env.reset(seed=0)
    env.params = env.params._replace(goal=2)
    assert [env.step(1)[2], env.step(1)[2]] == [False, True]
    with pytest.raises(TypeError, match="gaol"):
        CounterEnv(gaol=1)


def test_class_and_instance_take_the_dynamics_metadata_and_spaces():
    for env in (CounterEnv(), FunctionalEnv(Counter())):
        assert (env.metadata, env.action_space) == (Counter.metadata, Counter.action_space)


def test_step_before_reset_is_refused():
    with pytest.raises(StepBeforeReset, match=r"CounterEnv\.step came before the first reset"):
        CounterEnv().step(0)


def test_first_step_past_the_end_is_warned_of_once_an_episode():
    env = CounterEnv(goal=1)
    for seed in (0, 1):
        env.reset(seed=seed)
        assert env.steps_beyond_terminated is None
        env.step(1)
        with pytest.warns(UserWarning, match=r"call reset\(\) first"):
            assert env.step(2)[1] == 2.0
        env.step(1)
        assert env.steps_beyond_terminated == 2


def test_exchanged_generator_is_used_at_once():
    """Whether by assignment or by a reset with a seed."""
    env, rng = CounterEnv(), np.random.default_rng(4)
    env.reset(seed=0)
    env.np_random = np.random.default_rng(4)
    env.step(0)
    assert env.state.noise == rng.normal()
    assert env.np_random_seed == -1
    env.reset(seed=11)
    assert env.state.noise == np.random.default_rng(11).random()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deep", "pickle"])
def test_copy_continues_the_same_and_alone(copied):
    env = CounterEnv(goal=50, scale=3.0)
    env.reset(seed=3)
    env.step(1)
    twin = copied(env)
    first = [env.step(1)[0].tolist() for _ in range(5)]
    assert [twin.step(1)[0].tolist() for _ in range(5)] == first
    assert twin.params == env.params


def test_ansi_is_the_text_of_the_drawing():
    env = CounterEnv(render_mode="ansi")
    assert env.render() is None
    env.reset(seed=0)
    env.step(2)
    assert env.render() == "2 of 3"


def test_unknown_render_mode_is_refused_by_render():
    env = CounterEnv(render_mode="hologram")
    with pytest.raises(UnsupportedMode, match="it knows"):
        env.render()


def test_func_env_without_drawing_says_what_to_do():
    class Dark(Counter):
        drawing = None

    with pytest.raises(NotImplementedError, match="Dark cannot be drawn: name a module in `drawing`"):
        Dark().render_init()


def test_transform_replaces_the_functions_on_the_instance():
    """All seven, and no other instance's."""
    counter, other, called = Counter(), Counter(), []

    def traced(function):
        def call(*arguments):
            called.append(function.__name__)
            return function(*arguments)

        return call

    counter.transform(traced)
    env = FunctionalEnv(counter)
    env.reset(seed=0)
    env.step(1)
    assert called == [
        *("initial", "observation", "state_info"),
        *("transition", "reward", "terminal", "observation", "transition_info"),
    ]
    called.clear()
    FunctionalEnv(other).reset(seed=0)
    assert called == []


def test_options_of_a_func_env_are_attributes():
    assert CartPole({"drawing": None}).drawing is None
    assert CartPole.drawing is not None


def test_a_subclass_may_use_the_names_that_people_choose():
    class Own(CounterEnv):
        def reset(self, *, seed=None, options=None):
            result = super().reset(seed=seed)
            self._state, self._rng, self._window = {"of": "its own"}, None, "a text"
            return result

        def step(self, action):
            self._state = action
            return super().step(action)

    own, plain = Own(), CounterEnv()
    assert np.array_equal(own.reset(seed=3)[0], plain.reset(seed=3)[0])
    for action in (1, 0, 1):
        assert np.array_equal(own.step(action)[0], plain.step(action)[0])
    assert own._state == 1 and own.state == plain.state
    own.close()
