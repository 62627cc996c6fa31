"""Environments around the dynamics: what they override, what they tell, and the kinds of their params."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from gymnasium.functional import FuncEnv, FunctionalEnv
from gymnasium.functional.env import Parameter
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from palaestra.runner import CompiledVectorEnv
from tests.contracts.compiled_law import assert_same
from tests.palaestra.language.jit.exact.twins import assert_same_episodes, twins


class State(NamedTuple):
    x: float
    v: Any


class Number(NamedTuple):
    x: float


class Inner(NamedTuple):
    scale: np.float32 = np.float32(0.1)
    flags: tuple[bool, ...] = (True, False)


class Params(NamedTuple):
    gain: np.float32 = np.float32(0.1)
    level: np.int8 = np.int8(100)
    count: np.int64 = np.int64(3)
    wet: np.bool_ = np.bool_(True)
    mixed: tuple[Any, ...] = (1, 2.5, True, np.float32(0.3))
    inner: Inner = Inner()
    singles: Any = np.array([0.1, 0.7], np.float32)
    bytes: Any = np.array([250, 3], np.uint8)


class Narrow(FuncEnv):
    """Params of many kinds, and infos that hold arrays of the state."""

    observation_space = Box(-np.inf, np.inf, (3,), np.float32)
    action_space = Discrete(3)

    def get_default_params(self, **kwargs: Any) -> Params:
        return Params(**kwargs)

    @staticmethod
    def initial(rng, params):
        return State(rng.random(), np.array([rng.random(), 1.0]))

    @staticmethod
    def transition(state, action, rng, params):
        product = params.gain * params.inner.scale  # of 32 bits, in Python too
        short = params.singles * params.singles + params.singles
        x = float(product) + float(params.gain) * state.x + int(params.level) * 3 + params.mixed[0] * params.mixed[1]
        if params.wet and params.inner.flags[0] and not params.inner.flags[1] and params.mixed[2]:
            x += float(params.mixed[3]) + int(params.bytes[0]) * int(params.bytes[1]) + params.count // 2
        x += float(short[1]) + float(params.gain == params.mixed[3]) + float(params.level > 99)
        return State(x % 7.0, state.v * 0.5 + action)

    @staticmethod
    def observation(state, rng, params):
        return state.x, state.v[0], float(params.gain)

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return float(params.gain + params.gain)

    @staticmethod
    def terminal(state, rng, params):
        return bool(params.level < 50)

    @staticmethod
    def state_info(state, params):
        return {"v": state.v, "gain": params.gain}

    @staticmethod
    def transition_info(state, action, next_state, params):
        return {"v": next_state.v, "before": state.v, "x": next_state.x, "level": int(params.level)}


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
def test_params_of_any_kind_of_number(mode: AutoresetMode) -> None:
    assert_same_episodes(*twins(Narrow(), 5, mode, limit=4), 12)


class Unsigned(NamedTuple):
    level: np.uint8 = np.uint8(200)


def test_params_without_a_sign_are_refused() -> None:
    class Counting(Narrow):
        def get_default_params(self, **kwargs: Any) -> Any:
            return Unsigned(**kwargs)

    with pytest.raises(TypeError, match=r"params\.level.*uint8"):
        CompiledVectorEnv(Counting(), 5)


class NarrowEnv(FunctionalEnv):
    dynamics = Narrow
    gain, level = Parameter(), Parameter()


def pair() -> tuple[CompiledVectorEnv, SyncVectorEnv]:
    return CompiledVectorEnv(NarrowEnv, 3, max_episode_steps=7), SyncVectorEnv([lambda: TimeLimit(NarrowEnv(), 7)] * 3)


def test_params_that_are_set_keep_their_kinds() -> None:
    ours, sync = pair()
    for envs in (ours, sync):
        envs.reset(seed=1)
        envs.set_attr("gain", np.float32(0.7))
        envs.set_attr("level", [np.int8(7), np.int8(120), np.int8(-128)])
    assert_same(ours.get_attr("level"), sync.get_attr("level"), "level")
    assert_same_episodes(ours, sync, 12)


def test_a_wider_number_is_not_cut_to_the_old_kind() -> None:
    ours, sync = pair()
    for envs in (ours, sync):
        envs.reset(seed=1)
        envs.set_attr("gain", np.float64(0.1))
        envs.set_attr("level", 1000)
    actions = np.ones(3, np.int64)
    with pytest.raises(TypeError, match="float"):  # of `gain * scale`
        ours.step(actions)


def test_an_integer_for_a_param_that_was_a_float() -> None:
    """It stays an integer, whose arithmetic is another one."""

    class Params(NamedTuple):
        step_size: float = 1.0

    class Dividing(Narrow):
        observation_space = Box(-np.inf, np.inf, (2,), np.float32)

        def get_default_params(self, **kwargs: Any) -> Params:
            return Params(**kwargs)

        @staticmethod
        def initial(rng, params):
            return Number(rng.random())

        @staticmethod
        def transition(state, action, rng, params):
            return Number(state.x + 0.1 * (7 // params.step_size) + params.step_size % 3)

        observation = staticmethod(lambda state, rng, params: (state.x, float(params.step_size)))
        reward = staticmethod(lambda state, action, next_state, rng, params: -params.step_size)
        terminal = staticmethod(lambda state, rng, params: False)
        state_info = staticmethod(lambda state, params: {"step": params.step_size})
        transition_info = staticmethod(lambda state, action, next_state, params: {"step": params.step_size})

    class DividingEnv(FunctionalEnv):
        dynamics = Dividing
        step_size = Parameter()

    ours, sync = CompiledVectorEnv(DividingEnv, 2), SyncVectorEnv([DividingEnv] * 2)
    for value in (0, 2**53 + 1, 3, 0.0):
        results = []
        for envs in (ours, sync):
            envs.reset(seed=1)
            try:
                envs.set_attr("step_size", value)
                results.append(envs.step(np.zeros(2, np.int64)))
            except ZeroDivisionError as error:
                results.append(str(error))
        assert_same(*results, f"step of {value}")


def test_infos_are_copies() -> None:
    env = FunctionalEnv(Narrow())
    _, info = env.reset(seed=1)
    info["v"][:] = 100.0
    _, _, _, _, info = env.step(1)
    assert env.state.v.max() < 3.0
    info["v"][:], info["before"][:] = 100.0, 100.0
    assert env.state.v.max() < 3.0

    ours, twin = twins(Narrow(), 3)
    infos = [envs.reset(seed=1)[1] for envs in (ours, twin)]
    actions = np.ones(3, np.int64)
    for _ in range(3):
        infos[0]["v"][:] = 100.0
        results = [envs.step(actions) for envs in (ours, twin)]
        assert_same(*results, "step")
        infos = [result[4] for result in results]


class NestedInfos(Narrow):
    @staticmethod
    def transition_info(state, action, next_state, params):
        info = {"inner": {"v": next_state.v, "list": [state.v]}, "pair": (next_state.v, 1)}
        return info

    @staticmethod
    def state_info(state, params):
        return {"inner": {"v": state.v}}


def test_nested_infos_are_copies() -> None:
    env = FunctionalEnv(NestedInfos())
    _, info = env.reset(seed=1)
    info["inner"]["v"][:] = 100.0
    _, _, _, _, info = env.step(1)
    for array in (info["inner"]["v"], info["inner"]["list"][0], info["pair"][0]):
        array[:] = 100.0
    assert env.state.v.max() < 3.0


def overriding(name: str) -> type[FunctionalEnv]:
    def other(self, *args, **kwargs):
        return getattr(FunctionalEnv, name)(self, *args, **kwargs)

    return type("Overriding", (FunctionalEnv,), {name: other, "dynamics": Narrow})


@pytest.mark.parametrize("name", ["step", "reset"])
def test_an_environment_that_does_more_than_its_dynamics_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=f"Overriding overrides `{name}`.*SyncVectorEnv"):
        CompiledVectorEnv(overriding(name), 2)


def test_a_random_source_of_its_own_is_refused() -> None:
    class Seeded(FunctionalEnv):
        dynamics = Narrow

        @property
        def np_random(self):
            return np.random.default_rng(3)

    with pytest.raises(TypeError, match="Seeded overrides `np_random`"):
        CompiledVectorEnv(Seeded, 2)


def test_other_methods_may_be_added() -> None:
    class Named(FunctionalEnv):
        dynamics = Narrow

        def shown(self) -> str:
            return f"{self.state.x:.1f}"

    ours = CompiledVectorEnv(Named, 2)
    ours.reset(seed=0)
    assert len(ours.call("shown")) == 2


class Drawing(Narrow):
    """Arrays of draws, and states that are changed by the names of their fields."""

    @staticmethod
    def transition(state, action, rng, params):
        square = rng.normal(0.5, 2.0, (2, 3)) + rng.random((2, 3)) * rng.uniform(-1, 2, size=(2, 3))
        state = state._replace(v=square[0, :2] + rng.standard_normal(2))
        whole = rng.integers(0, 2**32, size=3) % 7 + rng.integers(2**40, size=(3,)) % 5 + rng.integers(7, size=3)
        return state._replace(x=float(whole[action]), v=state.v[::-1])

    observation = staticmethod(lambda state, rng, params: (state.x, state.v[0], rng.random(2)[1]))
    terminal = staticmethod(lambda state, rng, params: rng.random(size=3)[0] < 0.2)


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.name)
def test_arrays_of_draws_and_replaced_fields(mode: AutoresetMode) -> None:
    assert_same_episodes(*twins(Drawing(), 9, mode, limit=4), 12)
