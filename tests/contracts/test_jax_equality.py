"""The law python = jax: from the same states, actions and random numbers, both return the same.

It runs over every environment of ours whose dynamics are a `FuncEnv`, in double precision, to 1e-12. A GPU adds
products of two float32, such as actions, without rounding them first, so that only the first digits agree there.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from gymnasium.envs import classic_control, toy_text
from gymnasium.envs._jax.params import joined, split
from gymnasium.envs._jax.tracing import TracedFunctions
from gymnasium.functional.boundary import action_reader
from gymnasium.functional.env import FunctionalEnv
from gymnasium.functional.stream import Stream
from tests.double_precision import enable_x64

STEPS = 60
TOLERANCE = 1e-12 if jax.default_backend() == "cpu" else 1e-7
VARIANTS: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    *((getattr(classic_control, name), {}, {}) for name in classic_control.__all__),
    (classic_control.CartPoleEnv, {"sutton_barto_reward": True}, {"semi_implicit": True}),
    (classic_control.AcrobotEnv, {}, {"torque_noise_max": 0.5, "nips": True}),
    (classic_control.PendulumEnv, {"g": 3.7}, {}),
    (toy_text.CliffWalkingEnv, {}, {}),
    (toy_text.CliffWalkingEnv, {"is_slippery": True}, {}),
    (toy_text.FrozenLakeEnv, {}, {}),
    (toy_text.FrozenLakeEnv, {"map_name": "8x8", "is_slippery": False}, {}),
    (toy_text.TaxiEnv, {}, {}),
    (toy_text.TaxiEnv, {"is_rainy": True}, {}),
]
UNTRACEABLE: list[tuple[Any, dict[str, Any], str]] = [
    (toy_text.BlackjackEnv, {}, r"Blackjack\.initial .*if rank < 9 else 10.* in _value\) branches"),
    (toy_text.TaxiEnv, {"fickle_passenger": True}, r"Taxi\.transition .* in transition\) branches"),
]


class Recorder(Stream):
    """Numbers of NumPy's generator, kept."""

    def __init__(self, seed: int) -> None:
        super().__init__(np.random.PCG64(seed))
        self.numbers: list[float] = []

    def random(self) -> Any:
        return self._kept(super().random())

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        return self._kept(low + (high - low) * super().random())

    def integers(self, low: Any, high: Any = None, *arguments: Any, **named: Any) -> Any:
        return self._kept(super().integers(low, high, *arguments, **named))

    def _kept(self, number: Any) -> Any:
        self.numbers.append(number)
        return number

    def taken(self) -> list[float]:
        """The numbers since the last call."""
        numbers, self.numbers = self.numbers, []
        return numbers


class Replay:
    """The same numbers again."""

    def __init__(self, numbers: list[Any]) -> None:
        self._numbers = iter(numbers)

    def random(self) -> Any:
        return next(self._numbers)

    def uniform(self, low: Any, high: Any) -> Any:
        return next(self._numbers)

    def integers(self, low: Any, high: Any) -> Any:
        return next(self._numbers)


class Traced:
    """The dynamics, jitted, with the numbers to be drawn as an argument."""

    def __init__(self, func_env: Any, params: Any) -> None:
        functions = TracedFunctions(func_env)
        values, tree = split(params)

        def begin(values: Any, numbers: Any) -> Any:
            params, rng = joined(tree, values), Replay(numbers)
            state = functions.initial(rng, params)
            return state, functions.observation(state, rng, params), functions.state_info(state, params)

        def advance(values: Any, state: Any, action: Any, numbers: Any) -> Any:
            params, rng = joined(tree, values), Replay(numbers)
            after = functions.transition(state, action, rng, params)
            reward = functions.reward(state, action, after, rng, params)
            ended = functions.terminal(after, rng, params)
            info = functions.transition_info(state, action, after, params)
            return after, functions.observation(after, rng, params), reward, ended, info

        self.begin = lambda *arguments: jax.jit(begin)(values, *arguments)
        jitted = jax.jit(advance)
        self.advance = lambda *arguments: jitted(values, *arguments)


def _name(variant: Any) -> str:
    kind, *settings = variant
    words = [f"{key}={value}" for part in settings if isinstance(part, dict) for key, value in part.items()]
    return "-".join([kind.__name__, *words])


def _assert_same(python: Any, traced: Any) -> None:
    """Both trees hold the same numbers; those of Python's tree are of plain types."""
    expected, came = jax.tree.leaves(python), jax.tree.leaves(traced)
    assert len(expected) == len(came)
    for a, b in zip(expected, came, strict=True):
        np.testing.assert_allclose(np.asarray(b, float), np.asarray(a, float), rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("variant", VARIANTS, ids=_name)
def test_python_and_jax_agree(variant: Any) -> None:
    """Step for step from Python's state, through ends and new episodes."""
    kind, arguments, fields = variant
    env: FunctionalEnv[Any, Any] = kind(**arguments)
    params, dynamics = env.params._replace(**fields), env.func_env
    rng, read = Recorder(5), action_reader(env.action_space)
    env.action_space.seed(6)

    with enable_x64(True):
        traced = Traced(dynamics, params)
        state: Any = None
        for _ in range(STEPS):
            if state is None:
                state = dynamics.initial(rng, params)
                python = state, dynamics.observation(state, rng, params), dynamics.state_info(state, params)
                _assert_same(python, traced.begin(rng.taken()))
            action = read(env.action_space.sample())
            after = dynamics.transition(state, action, rng, params)
            reward = dynamics.reward(state, action, after, rng, params)
            ended = dynamics.terminal(after, rng, params)
            info = dynamics.transition_info(state, action, after, params)
            outcome = after, dynamics.observation(after, rng, params), reward, ended, info
            _assert_same(outcome, traced.advance(state, action, rng.taken()))
            state = None if ended else after


@pytest.mark.parametrize("variant", UNTRACEABLE, ids=_name)
def test_what_does_not_trace_says_why(variant: Any) -> None:
    """Function, line and advice are in the message."""
    kind, arguments, message = variant
    env: FunctionalEnv[Any, Any] = kind(**arguments)
    traced = Traced(env.func_env, env.params)

    with pytest.raises(TypeError, match=message) as raised:
        state, *_ = traced.begin([1] * 6)
        traced.advance(state, 1, [1] * 2)

    assert "run in Python and compiled" in str(raised.value)


def test_every_family_of_ours_is_covered() -> None:
    """Each classic control and toy text environment is in one of the lists."""
    families = {getattr(family, name) for family in (classic_control, toy_text) for name in family.__all__}

    assert families == {kind for kind, *_ in [*VARIANTS, *UNTRACEABLE]}
