"""The functions of `gymnasium.utils.passive_env_checker`: each finding, its kind, and silence where all is well."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.error import Error
from gymnasium.spaces import Box, Dict, Discrete, Graph, MultiBinary, MultiDiscrete, Sequence, Text, Tuple
from gymnasium.utils import passive_env_checker as checker

SPACES = [
    Box(0, 1, (2,)),
    Box(0, 1, ()),
    Discrete(3),
    Discrete(3, start=2, dtype=np.int32),
    MultiDiscrete([2, 3]),
    MultiBinary(3),
    Text(4),
    Sequence(Discrete(2)),
    Graph(Box(0, 1, (2,)), Discrete(2)),
    Tuple([Discrete(2), Box(0, 1, (2,))]),
    Dict(a=Discrete(2), b=Tuple([MultiBinary(2)])),
]


def changed(space, **attributes):
    """Returns `space` after something that no constructor would let pass."""
    for name, value in attributes.items():
        setattr(space, name, value)
    return space


# --- spaces


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_a_sound_space_passes(space):
    checker.check_action_space(space)
    checker.check_observation_space(space)


def old_space():
    return type("Discrete", (), {"__module__": "gym.spaces.discrete"})()


@pytest.mark.parametrize("check", [checker.check_action_space, checker.check_observation_space])
def test_what_is_no_space_is_refused(check):
    with pytest.raises(TypeError, match="int"):
        check(3)
    with pytest.raises(TypeError, match="old gym"):
        check(old_space())


@pytest.mark.parametrize(
    "space",
    [
        changed(Discrete(2), n=0),
        changed(Discrete(2), n=np.int64(-1)),
        changed(Discrete(2), _shape=(1,)),
        changed(MultiDiscrete([2, 2]), nvec=np.array([2, 0])),
        changed(MultiDiscrete([2, 2]), _shape=(3,)),
        changed(MultiBinary(2), _shape=(0,)),
        changed(Box(0, 1, (2,)), low=np.zeros(3, np.float32)),
        changed(Box(0, 1, (2,)), high=np.ones(3, np.float32)),
        changed(Tuple([Discrete(2)]), spaces=()),
        Dict(),
        Tuple([Dict(a=changed(Discrete(2), n=0))]),
    ],
    ids=lambda space: type(space).__name__,
)
@pytest.mark.parametrize("check", [checker.check_action_space, checker.check_observation_space])
def test_a_space_that_contradicts_itself_fails(check, space):
    with pytest.raises(AssertionError, match=r"action|observation"):
        check(space)


@pytest.mark.parametrize("check", [checker.check_action_space, checker.check_observation_space])
def test_equal_bounds_are_a_warning(check):
    with pytest.warns(UserWarning, match="low < high"):
        check(Box(np.array([0, 1], np.float32), np.array([1, 1], np.float32)))


def test_crossed_bounds_of_an_observation_are_a_warning():
    with pytest.warns(UserWarning, match="low <= high"):
        checker.check_observation_space(changed(Box(0, 1, (1,)), high=np.array([-1], np.float32)))


def test_another_check_of_boxes_can_be_given():
    seen = []
    space = Dict(a=Box(0, 1, (1,)), b=Tuple([Box(0, 2, (1,))]))
    checker.check_space(space, "observation", seen.append)
    assert seen == [space["a"], space["b"][0]]


# --- observations


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_a_sample_passes(space):
    for _ in range(5):
        checker.check_obs(space.sample(), space, "step")


@pytest.mark.parametrize("method", ["reset", "step"])
@pytest.mark.parametrize(
    ("obs", "space", "finding"),
    [
        (np.int16(1), Discrete(2), "int16"),
        (1.0, Discrete(2), "float"),
        (2, Discrete(2), "must be in"),
        ([0.5, 0.5], Box(0, 1, (2,)), "list"),
        (np.array([0.5, 0.5]), Box(0, 1, (2,)), "float64"),
        (np.array([0.5], np.float32), Box(0, 1, (2,)), "must be in"),
        (np.array([0, 1, 2, 3], np.float32), Box(0, 1, (4,)), r"component \[2\] is 2.0, .* \(1 more are"),
        (np.array([5, 5], np.float32), Box(0, 1, (2,)), "must be in"),
        ([1, 0], MultiBinary(2), "NumPy array"),
        ([1, 0], MultiDiscrete([2, 2]), "NumPy array"),
        ([0, 1], Tuple([Discrete(2), Discrete(2)]), "tuple"),
        ((0, 5), Tuple([Discrete(2), Discrete(2)]), "must be in"),
        ({"a": 5}, Dict(a=Discrete(2)), "must be in"),
        (7, Text(3), "must be in"),
    ],
)
def test_an_odd_observation_is_a_warning_that_names_the_method(obs, space, finding, method):
    with pytest.warns(UserWarning, match=finding) as caught:
        checker.check_obs(obs, space, method)
    assert f"{method}()" in str(caught[0].message)


@pytest.mark.parametrize(
    ("obs", "space"),
    [
        ((np.array([0.5]),), Tuple([Box(0, 1, (1,))])),
        ({"a": np.array([0.5])}, Dict(a=Box(0, 1, (1,)))),
    ],
)
def test_a_wrong_dtype_inside_a_composite_observation_is_one_finding(obs, space):
    with pytest.warns(UserWarning) as caught:
        checker.check_obs(obs, space, "step")
    assert ["float64" in str(one.message) for one in caught] == [True]


@pytest.mark.parametrize(
    ("obs", "space"),
    [
        ((0,), Tuple([Discrete(2), Discrete(2)])),
        ((0, 1, 1), Tuple([Discrete(2), Discrete(2)])),
        ([0], Dict(a=Discrete(2))),
        ({"b": 0}, Dict(a=Discrete(2))),
        ({"a": 0, "b": 0}, Dict(a=Discrete(2))),
    ],
)
def test_an_observation_of_other_parts_fails(obs, space):
    with pytest.raises(AssertionError, match=r"reset\(\)"):
        checker.check_obs(obs, space, "reset")


def test_an_observation_without_parts_fails_after_the_warning():
    with pytest.warns(UserWarning, match="tuple"), pytest.raises(AssertionError, match="parts"):
        checker.check_obs(0, Tuple([Discrete(2)]), "reset")


def test_an_error_while_asking_is_a_warning_with_its_text():
    class Failing(Discrete):
        def contains(self, x):
            raise ZeroDivisionError("by nought")

    with pytest.warns(UserWarning, match="by nought"):
        checker.check_obs(0, Failing(2), "step")


# --- reset


class Base(Env):
    observation_space = Discrete(3)
    action_space = Discrete(2)

    def reset(self, *, seed=None, options=None):
        return 0, {"seed": seed, "options": options}


def env_with_reset(reset):
    return type("Given", (Base,), {"reset": reset})()


def test_a_sound_reset_passes():
    result = checker.env_reset_passive_checker(Base(), seed=3, options={"a": 1})
    assert result == (0, {"seed": 3, "options": {"a": 1}})


def test_a_reset_that_takes_anything_passes():
    env = env_with_reset(lambda self, **kwargs: (0, kwargs))
    assert checker.env_reset_passive_checker(env, seed=3) == (0, {"seed": 3})


@pytest.mark.parametrize("name", ["seed", "options"])
def test_reset_takes_seed_and_options(name):
    other = {"seed": "options", "options": "seed"}[name]
    space = {}
    exec(f"def reset(self, *, {other}=None): return 0, {{}}", space)
    with pytest.warns(DeprecationWarning, match=name):
        checker.env_reset_passive_checker(env_with_reset(space["reset"]))


@pytest.mark.parametrize("default", [0, 42])
def test_the_default_seed_is_none(default):
    env = env_with_reset(lambda self, *, seed=default, options=None: (0, {}))
    with pytest.warns(UserWarning, match=f"seed.*{default}"):
        checker.env_reset_passive_checker(env)


def test_a_seed_without_default_is_a_warning():
    env = env_with_reset(lambda self, *, seed, options=None: (0, {}))
    with pytest.warns(UserWarning, match="seed"):
        checker.env_reset_passive_checker(env, seed=None)


@pytest.mark.parametrize(("result", "finding"), [(0, "int"), ([0, {}], "list"), ((0,), "1 values"), ((0, 1, 2), "3")])
def test_reset_returns_two_values(result, finding):
    env = env_with_reset(lambda self, *, seed=None, options=None: result)
    with pytest.warns(UserWarning, match=finding):
        assert checker.env_reset_passive_checker(env) is result


def test_the_info_of_reset_is_a_dict():
    env = env_with_reset(lambda self, *, seed=None, options=None: (0, []))
    with pytest.raises(AssertionError, match=r"info.*list"):
        checker.env_reset_passive_checker(env)


def test_the_observation_of_reset_is_checked():
    env = env_with_reset(lambda self, *, seed=None, options=None: (9, {}))
    with pytest.warns(UserWarning, match=r"reset\(\)"):
        checker.env_reset_passive_checker(env)


# --- step


def env_with_step(*result):
    return type("Given", (Base,), {"step": lambda self, action: result})()


@pytest.mark.parametrize("reward", [1, 0.5, np.float32(1), np.int8(1), np.float64(0)])
@pytest.mark.parametrize("flag", [True, np.bool_(False)])
def test_a_sound_step_passes(reward, flag):
    result = (0, reward, flag, flag, {})
    assert checker.env_step_passive_checker(env_with_step(*result), 0) == result


@pytest.mark.parametrize(
    ("result", "finding"),
    [
        ((0, 1.0, 1, False, {}), "terminated"),
        ((0, 1.0, False, None, {}), "truncated"),
        ((9, 1.0, False, False, {}), r"step\(\)"),
        ((0, "1", False, False, {}), "reward.*str"),
        ((0, True, False, False, {}), "reward.*bool"),
        ((0, np.zeros(1), False, False, {}), "reward.*array"),
        ((0, float("nan"), False, False, {}), "NaN"),
        ((0, np.float32("nan"), False, False, {}), "NaN"),
        ((0, float("-inf"), False, False, {}), "finite.*-inf"),
    ],
)
def test_an_odd_step_is_a_warning(result, finding):
    with pytest.warns(UserWarning, match=finding):
        assert checker.env_step_passive_checker(env_with_step(*result), 0) == result


def test_four_values_are_deprecated():
    with pytest.warns(DeprecationWarning, match="terminated"):
        assert checker.env_step_passive_checker(env_with_step(0, 1.0, True, {}), 0) == (0, 1.0, True, {})
    with pytest.warns((DeprecationWarning, UserWarning)) as caught:
        checker.env_step_passive_checker(env_with_step(0, 1.0, 1, {}), 0)
    assert any(w.category is UserWarning and "done" in str(w.message) for w in caught)


@pytest.mark.parametrize("result", [(0, 1.0, False), (0, 1.0, False, False, {}, None)])
def test_any_other_number_of_values_is_an_error(result):
    with pytest.raises(Error, match=str(len(result))):
        checker.env_step_passive_checker(env_with_step(*result), 0)


def test_a_step_that_returns_no_tuple_fails():
    env = type("Given", (Base,), {"step": lambda self, action: [0, 1.0, False, False, {}]})()
    with pytest.raises(AssertionError, match="list"):
        checker.env_step_passive_checker(env, 0)


def test_the_info_of_step_is_a_dict():
    with pytest.raises(AssertionError, match="info"):
        checker.env_step_passive_checker(env_with_step(0, 1.0, False, False, None), 0)
