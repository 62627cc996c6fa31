"""`Wrapper` and its three kinds: what passes through, what is hidden, where attributes are found, and `spec`."""

from __future__ import annotations

import numpy as np
import pytest

from gymnasium.core import ActionWrapper, Env, ObservationWrapper, RewardWrapper, Wrapper
from gymnasium.spaces import Discrete
from gymnasium.specs import EnvSpec, WrapperSpec
from gymnasium.utils import RecordConstructorArgs


class Inner(Env):
    """Remembers what it was asked."""

    metadata = {"render_modes": ["ansi"], "render_fps": 5}
    action_space = Discrete(2)
    observation_space = Discrete(3)

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.calls = []

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.calls.append(("reset", seed, options))
        return 1, {"from": "reset"}

    def step(self, action):
        self.calls.append(("step", action))
        return 2, 10.0, False, True, {"from": "step"}

    def render(self):
        return "picture"

    def close(self):
        self.calls.append("close")


class Outer(Wrapper):
    pass


class Recording(Wrapper, RecordConstructorArgs):
    def __init__(self, env, size=1):
        RecordConstructorArgs.__init__(self, size=size)
        Wrapper.__init__(self, env)


def test_calls_pass_through():
    inner = Inner(render_mode="ansi")
    env = Wrapper(inner)
    assert env.reset(seed=4, options={"a": 1}) == (1, {"from": "reset"})
    assert env.step(0) == (2, 10.0, False, True, {"from": "step"})
    assert env.render() == "picture"
    env.close()
    assert inner.calls == [("reset", 4, {"a": 1}), ("step", 0), "close"]
    assert env.unwrapped is inner
    assert env.render_mode == "ansi"


def test_what_is_no_environment_is_refused_by_type():
    with pytest.raises(TypeError, match="int"):
        Wrapper(3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("action_space", Discrete(7)),
        ("observation_space", Discrete(8)),
        ("metadata", {"render_modes": []}),
        ("reward_range", (0.0, 1.0)),
    ],
)
def test_an_override_hides_the_inner_value_and_stays_outside(name, value):
    inner = Inner()
    env = Wrapper(inner)
    before = getattr(inner, name)
    assert getattr(env, name) is before
    setattr(env, name, value)
    assert getattr(env, name) is value
    assert getattr(inner, name) is before
    assert getattr(Wrapper(env), name) is value


def test_without_override_the_inner_value_is_live():
    inner = Inner()
    env = Wrapper(inner)
    inner.action_space = Discrete(9)
    assert env.action_space == Discrete(9)


@pytest.mark.parametrize("name", ["render_mode", "np_random_seed", "unwrapped", "spec"])
def test_what_only_the_environment_knows_cannot_be_assigned(name):
    with pytest.raises(AttributeError):
        setattr(Wrapper(Inner()), name, None)


def test_random_numbers_are_the_environments():
    inner = Inner()
    env = Wrapper(inner)
    assert isinstance(env.np_random_seed, int)
    env.reset(seed=5)
    assert env.np_random_seed == inner.np_random_seed == 5
    env.reset()
    assert env.np_random_seed == 5
    generator = np.random.default_rng()
    env.np_random = generator
    assert inner._np_random is inner.np_random is env.np_random is generator
    assert env.np_random_seed == -1


def test_the_private_generator_is_refused_with_both_ways_that_work():
    with pytest.raises(AttributeError) as caught:
        _ = Wrapper(Inner())._np_random
    for word in ("_np_random", ".unwrapped._np_random", ".np_random"):
        assert word in str(caught.value)


def test_attributes_are_not_forwarded_but_can_be_got():
    env = Outer(Wrapper(Inner()))
    assert not hasattr(env, "calls")
    assert env.has_wrapper_attr("calls")
    assert env.get_wrapper_attr("calls") == []
    assert not env.has_wrapper_attr("nothing")
    with pytest.raises(AttributeError, match=r"Outer.*'nothing'") as caught:
        env.get_wrapper_attr("nothing")
    assert isinstance(caught.value.__cause__, AttributeError)


def test_an_attribute_is_set_where_it_is():
    inner = Inner()
    middle = Outer(inner)
    env = Wrapper(middle)
    middle.here = 1
    assert env.set_wrapper_attr("here", 2)
    assert (middle.here, hasattr(env, "here"), hasattr(inner, "here")) == (2, False, False)
    assert env.set_wrapper_attr("calls", ["x"], force=False)
    assert inner.calls == ["x"]
    assert not hasattr(env, "calls")


def test_a_new_attribute_is_set_outermost_and_only_by_force():
    inner = Inner()
    env = Wrapper(Outer(inner))
    assert env.set_wrapper_attr("new", 1, force=False) is False
    assert not env.has_wrapper_attr("new")
    assert env.set_wrapper_attr("new", 1) is True
    assert env.new == 1
    assert not inner.has_wrapper_attr("new")


def test_str_is_nested():
    inner = Inner()
    assert str(Outer(Wrapper(inner))) == "<Outer<Wrapper<Inner instance>>>"
    inner.spec = EnvSpec("Inner-v0", entry_point="nowhere:Inner")
    assert repr(Outer(inner)) == "<Outer<Inner<Inner-v0>>>"


def test_wrapper_spec_is_how_to_make_the_wrapper():
    assert Outer.class_name() == "Outer"
    assert Outer.wrapper_spec() == WrapperSpec("Outer", f"{__name__}:Outer", {})
    assert Outer.wrapper_spec(a=1) == WrapperSpec("Outer", f"{__name__}:Outer", {"a": 1})


def spec_of_inner(**changes) -> EnvSpec:
    return EnvSpec("Inner-v0", entry_point="nowhere:Inner", **changes)


def test_without_inner_spec_there_is_none_until_it_comes():
    inner = Inner()
    env = Recording(inner)
    assert env.spec is None
    inner.spec = spec_of_inner()
    assert env.spec is not None


def test_spec_records_the_arguments_and_leaves_the_inner_one():
    inner = Inner()
    inner.spec = spec_of_inner()
    env = Recording(Recording(inner, size=4), size=5)
    entry_point = f"{__name__}:Recording"
    assert env.spec.additional_wrappers == (
        WrapperSpec("Recording", entry_point, {"size": 4}),
        WrapperSpec("Recording", entry_point, {"size": 5}),
    )
    assert inner.spec == spec_of_inner()
    assert env.spec is env.spec


def test_spec_leaves_the_environment_out():
    class RecordingAll(Wrapper, RecordConstructorArgs):
        def __init__(self, env, size=1):
            RecordConstructorArgs.__init__(self, env=env, size=size, _disable_deepcopy=True)
            Wrapper.__init__(self, env)

    inner = Inner()
    inner.spec = spec_of_inner()
    env = RecordingAll(inner)
    assert env.spec.additional_wrappers[0].kwargs == {"size": 1}
    assert env._saved_kwargs["env"] is inner


def test_a_wrapper_that_does_not_record_has_no_arguments_in_the_spec():
    inner = Inner()
    inner.spec = spec_of_inner()
    assert Outer(inner).spec.additional_wrappers == (WrapperSpec("Outer", f"{__name__}:Outer", None),)


def test_a_spec_that_cannot_be_copied_is_reported():
    class Stuck:
        def __deepcopy__(self, memo):
            raise RuntimeError("stuck")

    inner = Inner()
    inner.spec = spec_of_inner(kwargs={"what": Stuck()})
    with pytest.warns(UserWarning, match="stuck"):
        assert Outer(inner).spec is None


class Doubled(ObservationWrapper):
    def observation(self, observation):
        return 2 * observation


class Negated(RewardWrapper):
    def reward(self, reward):
        return -reward


class Flipped(ActionWrapper):
    def action(self, action):
        return 1 - action


def test_an_observation_wrapper_changes_observations_only():
    env = Doubled(Inner())
    assert env.reset() == (2, {"from": "reset"})
    assert env.step(0) == (4, 10.0, False, True, {"from": "step"})


def test_a_reward_wrapper_changes_rewards_only():
    env = Negated(Inner())
    assert env.reset() == (1, {"from": "reset"})
    assert env.step(0) == (2, -10.0, False, True, {"from": "step"})


def test_an_action_wrapper_changes_actions_only():
    env = Flipped(Inner())
    assert env.step(0) == (2, 10.0, False, True, {"from": "step"})
    assert env.unwrapped.calls == [("step", 1)]


@pytest.mark.parametrize(
    ("kind", "method"), [(ObservationWrapper, "observation"), (RewardWrapper, "reward"), (ActionWrapper, "action")]
)
def test_the_one_method_is_for_the_subclass(kind, method):
    with pytest.raises(NotImplementedError, match=rf"{kind.__name__} must define {method}\(self, {method}\)"):
        getattr(kind(Inner()), method)(0)


@pytest.mark.parametrize("kind", [Wrapper, ObservationWrapper, ActionWrapper, RewardWrapper])
def test_a_constructor_that_sets_nothing_but_env(kind):
    """As old programs have them."""

    class Bare(kind):
        def __init__(self, env):
            self.env = env

    env = Bare(Inner())
    assert (env.action_space, env.observation_space) == (Discrete(2), Discrete(3))
    assert (env.metadata, env.reward_range, env.spec) == (Inner.metadata, (-float("inf"), float("inf")), None)
    env.action_space = Discrete(5)
    assert (env.action_space, env.env.action_space) == (Discrete(5), Discrete(2))
    assert Bare(Inner()).action_space == Discrete(2)
