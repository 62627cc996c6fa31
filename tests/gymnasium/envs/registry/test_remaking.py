"""What a spec tells of the wrappers around an environment, and where they stand."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from gymnasium.core import ActionWrapper, Env, Wrapper
from gymnasium.envs.registration import EnvSpec, WrapperSpec, make, register, spec
from gymnasium.spaces import Discrete, Space
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers import (
    Autoreset,
    MaxAndSkipObservation,
    OrderEnforcing,
    PassiveEnvChecker,
    RecordEpisodeStatistics,
    RepeatAction,
    TimeAwareObservation,
    TimeLimit,
)
from gymnasium.wrappers.common import StepResult
from tests.gymnasium.envs.registry import toys


def layers(env: Env[Any, Any]) -> list[Any]:
    """The classes of the wrappers from the inside out, of limits and repetitions with their number."""
    if not isinstance(env, Wrapper):
        return []
    number = getattr(env, "_max_episode_steps", getattr(env, "num_repeats", None))
    return [*layers(env.env), type(env) if number is None else (type(env), number)]


def remade(env: Env[Any, Any]) -> list[Env[Any, Any]]:
    """The environments that the spec makes, itself and by every way that it may have gone."""
    assert env.spec is not None
    ways = [
        env.spec,
        copy.copy(env.spec),
        copy.deepcopy(env.spec),
        pickle.loads(pickle.dumps(env.spec)),
        dataclasses.replace(env.spec),
        EnvSpec.from_json(env.spec.to_json()),
    ]
    assert all(way == env.spec for way in ways)
    return [make(way) for way in ways]


def length(env: Env[Any, Any]) -> int:
    """The number of steps of an episode."""
    env.reset(seed=1)
    n, over = 0, False
    while not over:
        *_, terminated, truncated, _ = env.step(0)
        n, over = n + 1, terminated or truncated
    return n


CHECKED = [PassiveEnvChecker, OrderEnforcing]


@pytest.mark.parametrize(
    ("limits", "expected"), [((9, 3), 3), ((3, 9), 3), ((4, 9, 3, 5), 3), ((9,), 9), ((7, 7), 7)], ids=repr
)
def test_limits_side_by_side_are_all_kept(toy: str, limits: tuple[int, ...], expected: int) -> None:
    env = make(toy, max_episode_steps=limits[0])
    for limit in limits[1:]:
        env = TimeLimit(env, limit)
    assert env.spec is not None
    assert env.spec.max_episode_steps == limits[-1]
    assert length(env) == expected
    for again in remade(env):
        assert length(again) == expected
        assert layers(again)[:2] == CHECKED
        assert sorted(limit for _, limit in layers(again)[2:]) == sorted(limits)
        assert again.spec == env.spec


@pytest.mark.parametrize("inner", [10, -1, 6])
def test_a_limit_outside_another_wrapper_is_made_again_there(toy: str, inner: int) -> None:
    env = TimeLimit(RepeatAction(make(toy, max_episode_steps=inner), 2), 4)
    assert length(env) == (3 if inner == 6 else 4)
    for again in remade(env):
        assert layers(again) == layers(env)
        assert length(again) == length(env)
        assert again.spec == env.spec


def test_checks_outside_another_wrapper_are_made_again_there() -> None:
    register("Env-v0", toys.Toy, order_enforce=False, disable_env_checker=True)
    env = PassiveEnvChecker(OrderEnforcing(toys.Recorded(OrderEnforcing(make("Env-v0")))))
    assert env.spec is not None
    assert env.spec.order_enforce
    assert env.spec.disable_env_checker
    again = make(env.spec)
    assert layers(again) == layers(env) == [OrderEnforcing, toys.Recorded, OrderEnforcing, PassiveEnvChecker]
    assert again.spec == env.spec


def test_checks_of_the_usual_place_are_told_by_the_fields() -> None:
    register("Env-v0", toys.Toy, order_enforce=False, disable_env_checker=True)
    env = OrderEnforcing(PassiveEnvChecker(make("Env-v0")))
    assert env.spec == EnvSpec("Env-v0", toys.Toy)


class EveryOther(TimeLimit[Any, Any]):
    """Counts steps in pairs."""

    safe_in_files = True

    def step(self, action: Any) -> StepResult[Any]:
        self.env.step(action)
        return super().step(action)


def test_a_limit_of_another_class_is_made_again_as_that(toy: str) -> None:
    env = EveryOther(make(toy, max_episode_steps=-1), 4)
    for again in remade(env):
        assert layers(again) == [*CHECKED, (EveryOther, 4)]
    assert TimeAwareObservation(env).max_timesteps == 4


LIMIT = WrapperSpec("TimeLimit", "gymnasium.wrappers.common:TimeLimit", {"max_episode_steps": 3})
CHECKER = WrapperSpec("PassiveEnvChecker", "gymnasium.wrappers.common:PassiveEnvChecker", {})


@pytest.mark.parametrize("max_episode_steps", [None, 10, 2])
def test_wrappers_that_are_registered_stay_in_the_list(max_episode_steps: int | None) -> None:
    register("Env-v0", toys.Toy, max_episode_steps=max_episode_steps, additional_wrappers=(LIMIT, CHECKER))
    env = make("Env-v0")
    assert env.spec == spec("Env-v0")
    assert layers(env)[-2:] == [(TimeLimit, 3), PassiveEnvChecker]
    assert make(env.spec).spec == env.spec


def limited_toy() -> Env[Any, Any]:
    return TimeLimit(toys.wrapped_toy(), 5)


@pytest.mark.parametrize("max_episode_steps", [None, 4, 20])
def test_wrappers_of_the_entry_point_leave_the_fields_alone(max_episode_steps: int | None) -> None:
    """What `make` puts around them is told by the fields, and what anybody else does is listed."""
    register("Env-v0", limited_toy, max_episode_steps=max_episode_steps)
    env = RepeatAction(TimeLimit(make("Env-v0"), 3), 2)
    assert env.spec is not None
    assert env.spec.max_episode_steps == max_episode_steps
    assert [wrapper.name for wrapper in env.spec.additional_wrappers] == [
        "Recorded", "TimeLimit", "TimeLimit", "RepeatAction",
    ]  # fmt: skip
    again = make(env.spec)
    assert layers(again) == layers(env)
    assert again.spec == env.spec


def test_the_limit_may_be_edited(toy: str) -> None:
    env = TimeLimit(RepeatAction(make(toy), 2), 4)
    assert env.spec is not None
    edited = dataclasses.replace(env.spec, max_episode_steps=5)
    assert length(make(edited)) == 3
    assert length(make(env.spec, max_episode_steps=2)) == 1
    assert length(make(env.spec, max_episode_steps=-1)) == 4
    edited.additional_wrappers[1].kwargs["max_episode_steps"] = 1  # type: ignore[index]
    assert length(make(edited)) == 1


@pytest.mark.parametrize("limits", [(9, 3), (3, 9)])
def test_the_time_that_is_observed_has_the_limit_that_it_had(toy: str, limits: tuple[int, int]) -> None:
    env = TimeAwareObservation(TimeLimit(make(toy, max_episode_steps=limits[0]), limits[1]), flatten=False)
    assert env.max_timesteps == limits[1]
    outer = TimeAwareObservation(TimeLimit(MaxAndSkipObservation(TimeLimit(make(toy), 8), 2), 5), normalize_time=True)
    assert outer.max_timesteps == 5
    for wrapped in (env, outer):
        for again in remade(wrapped):
            assert again.observation_space == wrapped.observation_space


class Restricted(ActionWrapper[Any, Any, Any], RecordConstructorArgs):
    """A user's wrapper, which takes a space."""

    def __init__(self, env: Env[Any, Any], space: Space[Any], offsets: tuple[Any, ...] = ()) -> None:
        RecordConstructorArgs.__init__(self, space=space, offsets=offsets)
        ActionWrapper.__init__(self, env)
        self.action_space = space
        self.offsets = offsets

    def action(self, action: Any) -> Any:
        return action


def test_what_is_made_of_one_spec_shares_nothing(toy: str) -> None:
    env = Restricted(make(toy), Discrete(100), (np.zeros(2),))
    assert env.spec is not None
    first, second = make(env.spec), make(env.spec)
    for one in (env, first, second):
        one.action_space.seed(3)
    drawn = [[one.action_space.sample() for _ in range(5)] for one in (env, first, second)]
    assert drawn[0] == drawn[1] == drawn[2]
    assert isinstance(first, Restricted)
    first.offsets[0][0] = 1
    assert make(env.spec).spec == env.spec
    assert env.spec.additional_wrappers[0].kwargs["offsets"][0].tolist() == [0, 0]  # type: ignore[index]


def test_arguments_that_cannot_be_copied_are_passed_on(toy: str) -> None:
    wrapper = WrapperSpec("ArrayConversion", "gymnasium.wrappers.array_conversion:ArrayConversion", None)
    wrapper.kwargs = {"env_xp": np, "target_xp": "numpy"}
    env = make(dataclasses.replace(spec(toy), additional_wrappers=(wrapper,)))
    assert env.class_name() == "ArrayConversion"  # type: ignore[attr-defined]


def test_wrappers_of_a_class_within_a_function_are_named_when_they_cannot_be_found(toy: str) -> None:
    class Local(toys.Recorded):
        """Nobody finds it from outside."""

    local = Local(Autoreset(RecordEpisodeStatistics(make(toy))))
    assert local.spec is not None
    with pytest.raises(AttributeError, match=f"{__name__}:Local"):
        make(local.spec)


def timed_cart() -> Env[Any, Any]:
    """It has looked at the spec of what it wraps, which is another's."""
    return TimeAwareObservation(make("CartPole-v1"))


def test_the_spec_is_of_what_was_registered_also_if_the_entry_point_makes_another() -> None:
    register("Timed-v0", timed_cart, max_episode_steps=4)
    env = make("Timed-v0")
    assert env.spec is not None
    assert (env.spec.id, env.spec.max_episode_steps) == ("Timed-v0", 4)
    assert length(make(env.spec)) == length(env) == 4
