"""`VectorEnv` and the wrappers around one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.spaces import Box, Discrete
from gymnasium.vector import (
    AutoresetMode,
    SyncVectorEnv,
    VectorActionWrapper,
    VectorEnv,
    VectorObservationWrapper,
    VectorRewardWrapper,
    VectorWrapper,
)
from tests.gymnasium.vector.counting import counting


class Bare(VectorEnv[Any, Any, Any]):
    """As little as there can be."""

    num_envs = 2


def test_modes() -> None:
    assert {mode.name: mode.value for mode in AutoresetMode} == {
        "NEXT_STEP": "NextStep",
        "SAME_STEP": "SameStep",
        "DISABLED": "Disabled",
    }


@pytest.mark.parametrize("method", ["step", "render"])
def test_what_is_not_implemented_is_named(method: str) -> None:
    arguments = [None] if method == "step" else []
    with pytest.raises(NotImplementedError, match=rf"Bare\(num_envs=2\).*{method}"):
        getattr(Bare(), method)(*arguments)


def test_the_own_generator_is_seeded_and_assigned() -> None:
    envs = Bare()
    envs.reset(seed=3)
    assert envs.np_random_seed == 3
    first = envs.np_random.random()
    envs.reset()
    assert envs.np_random_seed == 3
    assert first == np.random.default_rng(3).random()

    envs.np_random = generator = np.random.default_rng(1)
    assert envs.np_random is generator
    assert envs.np_random_seed == -1


def test_a_seed_is_drawn_when_none_was_given() -> None:
    assert Bare().np_random_seed >= 0
    assert Bare().np_random.random() != Bare().np_random.random()


def test_close_hands_its_arguments_on_once() -> None:
    seen: list[dict[str, Any]] = []

    class Closing(Bare):
        def close_extras(self, **kwargs: Any) -> None:
            seen.append(kwargs)
            if len(seen) == 1:
                raise RuntimeError

    envs = Closing()
    with pytest.raises(RuntimeError):
        envs.close(x=1)
    assert not envs.closed
    envs.close(x=2)
    envs.close(x=3)
    assert envs.closed
    assert seen == [{"x": 1}, {"x": 2}]
    Bare().close(x=1)


def test_infos_are_merged_in_place() -> None:
    infos: dict[str, Any] = {}

    assert Bare()._add_info(infos, {"k": 5}, 1) is infos
    assert infos["k"].tolist() == [0, 5]


def sync(**kwargs: Any) -> Any:
    return SyncVectorEnv(counting(3, 3), **kwargs)


def test_a_wrapper_is_put_around_vector_environments_only() -> None:
    with pytest.raises(TypeError, match="a Counting came"):
        VectorWrapper(counting(1)[0]())  # type: ignore[arg-type]


def test_a_wrapper_lets_everything_through() -> None:
    inner = sync()
    envs: Any = VectorWrapper(inner)

    assert envs.reset(seed=4)[0].tolist() == [[1, 0], [1, 0]]
    assert envs.step([0, 0])[1].tolist() == [11, 11]
    assert envs.render() == inner.render()
    for name in (
        "observation_space",
        "action_space",
        "single_observation_space",
        "single_action_space",
        "metadata",
        "num_envs",
        "spec",
        "render_mode",
        "closed",
    ):
        assert getattr(envs, name) is getattr(inner, name)
    assert envs.np_random_seed == (4, 5)
    assert envs.np_random == inner.np_random
    assert envs.unwrapped is inner
    assert repr(envs) == "<VectorWrapper, SyncVectorEnv(num_envs=2)>"
    envs.close()
    assert envs.closed
    assert inner.closed


@pytest.mark.parametrize(
    "name", ["observation_space", "action_space", "single_observation_space", "single_action_space", "metadata"]
)
def test_what_is_set_on_a_wrapper_hides_the_inner(name: str) -> None:
    inner = sync()
    before, envs = getattr(inner, name), VectorWrapper(inner)
    value: Any = {} if name == "metadata" else Discrete(9)
    setattr(envs, name, value)

    assert getattr(envs, name) is value
    assert getattr(inner, name) is before


@pytest.mark.parametrize(
    "kind",
    [VectorWrapper, VectorObservationWrapper, VectorActionWrapper, VectorRewardWrapper],
    ids=lambda kind: kind.__name__,
)
def test_a_constructor_that_sets_nothing_but_env(kind: Any) -> None:
    """As old programs have them."""

    class Only(kind):  # type: ignore[misc]  # of several kinds
        def __init__(self, env: Any) -> None:
            self.env = env

    inner = sync()
    envs = Only(inner)
    for name in ("observation_space", "action_space", "single_observation_space", "single_action_space", "metadata"):
        assert getattr(envs, name) is getattr(inner, name)


def test_the_generator_and_closed_are_set_inside() -> None:
    inner = Bare()
    envs: Any = VectorWrapper(inner)
    envs.np_random, envs.closed = np.random.default_rng(1), True

    assert inner.np_random is envs.np_random
    assert envs.np_random_seed == inner.np_random_seed == -1
    assert inner.closed
    with pytest.raises(AttributeError, match="np_random"):
        _ = envs._np_random


def test_a_wrapper_does_not_hand_send_and_recv_past_what_it_changes() -> None:
    with pytest.raises(NotImplementedError, match="VectorWrapper"):
        VectorWrapper(sync()).send([0, 0])


class Doubled(VectorObservationWrapper[Any, Any, Any]):
    def observations(self, observations: Any) -> Any:
        return observations * 2


class Zeros(VectorActionWrapper[Any, Any, Any]):
    def actions(self, actions: Any) -> Any:
        return np.zeros(2, np.int64)


class Negated(VectorRewardWrapper[Any, Any, Any]):
    def rewards(self, rewards: Any) -> Any:
        return -rewards


def test_each_wrapper_changes_its_part() -> None:
    envs: Any = Doubled(Negated(Zeros(sync())))

    assert envs.reset()[0].tolist() == [[2, 0], [2, 0]]
    observations, rewards, *_ = envs.step("anything")
    assert observations.tolist() == [[2, 2], [2, 2]]
    assert rewards.tolist() == [-11, -11]
    assert repr(envs).startswith("<Doubled, <Negated, <Zeros, ")


@pytest.mark.parametrize(
    ("wrapper", "method"),
    [(VectorObservationWrapper, "observations"), (VectorActionWrapper, "actions"), (VectorRewardWrapper, "rewards")],
)
def test_the_part_has_to_be_implemented(wrapper: Any, method: str) -> None:
    with pytest.raises(NotImplementedError, match=f"{wrapper.__name__}.*{method}"):
        getattr(wrapper(sync()), method)(None)


def test_an_observation_wrapper_needs_to_know_the_mode() -> None:
    Doubled(sync(autoreset_mode="Disabled"))
    with pytest.raises(ValueError, match=r"NEXT_STEP or .*DISABLED.*SAME_STEP"):
        Doubled(sync(autoreset_mode="SameStep"))
    bare = Bare()
    bare.single_observation_space = Box(0, 1)
    with pytest.warns(UserWarning, match=r"Bare.*autoreset_mode"):
        Doubled(bare)
