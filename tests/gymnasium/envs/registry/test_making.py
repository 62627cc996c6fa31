"""`make`: arguments, wrappers, and a spec that makes the same again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gymnasium.core import Env, Wrapper
from gymnasium.envs.classic_control.cartpole import CartPoleEnv
from gymnasium.envs.registration import EnvSpec, WrapperSpec, make, make_vec, register, registry, spec
from gymnasium.error import Error, InvalidMetadata, UnsupportedMode
from gymnasium.wrappers.common import OrderEnforcing, PassiveEnvChecker, TimeLimit
from tests.gymnasium.envs.registry import toys

RECORDED = WrapperSpec("Recorded", "tests.gymnasium.envs.registry.toys:Recorded", {"bonus": 4})


def levels(env: Env[Any, Any]) -> list[Env[Any, Any]]:
    """Returns the environment and everything in it, from the inside out."""
    return [*levels(env.env), env] if isinstance(env, Wrapper) else [env]


def layers(env: Env[Any, Any]) -> list[type]:
    """Returns the classes from the inside out."""
    return [type(level) for level in levels(env)]


def test_default_wrappers(toy: str) -> None:
    assert layers(make(toy)) == [toys.Toy, PassiveEnvChecker, OrderEnforcing, TimeLimit]


def test_the_spec_is_that_of_the_registry(toy: str) -> None:
    env = make(toy)
    assert env.spec == spec(toy)
    assert env.spec is not spec(toy)


def test_every_level_has_a_spec_that_makes_it_again(toy: str) -> None:
    env: Env[Any, Any] = toys.Recorded(make(toy, render_mode="rgb_array_list", size=9), bonus=1)
    for level in levels(env):
        assert level.spec is not None
        again = make(level.spec)
        assert again.spec == level.spec
        assert layers(again) == layers(level)


def test_arguments_go_over_those_of_the_spec_and_leave_it_alone(toy: str) -> None:
    env = make(toy, size=9)
    assert env.unwrapped.size == 9  # type: ignore[attr-defined]
    assert env.spec is not None
    assert env.spec.kwargs == {"size": 9}
    assert registry[toy].kwargs == {"size": 2}


def test_kwargs_of_the_spec_are_copied_deeply() -> None:
    kept: dict[str, Any] = {"size": [1]}
    register("Env-v0", toys.Toy, kwargs=kept)
    make("Env-v0").unwrapped.size.append(2)  # type: ignore[attr-defined]
    assert kept == {"size": [1]}


@pytest.mark.parametrize(("given", "expected"), [(None, 10), (3, 3), (-1, None)])
def test_limit_of_steps(toy: str, given: int | None, expected: int | None) -> None:
    """The argument goes over the spec's; -1 is none."""
    env = make(toy, max_episode_steps=given)
    assert env.spec is not None
    assert env.spec.max_episode_steps == expected
    assert (TimeLimit in layers(env)) == (expected is not None)


@pytest.mark.parametrize("in_spec", [True, False])
@pytest.mark.parametrize("given", [True, False, None])
def test_checker_is_the_arguments_and_then_the_specs_choice(in_spec: bool, given: bool | None) -> None:
    register("Env-v0", toys.Toy, disable_env_checker=in_spec)
    env = make("Env-v0", disable_env_checker=given)
    disabled = in_spec if given is None else given
    assert (PassiveEnvChecker in layers(env)) != disabled
    assert env.spec is not None
    assert env.spec.disable_env_checker == disabled


def test_order_need_not_be_enforced() -> None:
    register("Env-v0", toys.Toy, order_enforce=False)
    assert OrderEnforcing not in layers(make("Env-v0"))


def test_wrappers_of_the_spec_come_after_the_limit() -> None:
    register("Env-v0", toys.Toy, max_episode_steps=5, additional_wrappers=(RECORDED, RECORDED))
    env = make("Env-v0")
    assert layers(env)[-3:] == [TimeLimit, toys.Recorded, toys.Recorded]
    assert env.spec == spec("Env-v0")


def test_wrappers_of_the_entry_point_are_not_put_twice() -> None:
    register("Env-v0", toys.wrapped_toy)
    env = make("Env-v0")
    assert layers(env)[:2] == [toys.Toy, toys.Recorded]
    assert env.spec is not None
    again = make(env.spec)
    assert again.spec == env.spec
    assert layers(again) == layers(env)


def test_wrappers_of_the_entry_point_have_to_be_those_of_the_spec() -> None:
    register("Env-v0", toys.wrapped_toy, additional_wrappers=(RECORDED,))
    with pytest.raises(ValueError, match=r"(?s)'bonus': 1.*'bonus': 4"):
        make("Env-v0")


def test_a_wrapper_that_did_not_record_its_arguments_cannot_be_made_again(toy: str) -> None:
    env = toys.Unrecorded(make(toy))
    assert env.spec is not None
    with pytest.raises(ValueError, match=r"Unrecorded.*RecordConstructorArgs"):
        make(env.spec)


def test_an_environment_that_cannot_be_wrapped_is_closed() -> None:
    made: list[toys.Toy] = []

    def create() -> toys.Toy:
        made.append(toys.Toy())
        return made[0]

    register("Env-v0", create)
    with pytest.raises(ValueError, match="max_episode_steps"):
        make("Env-v0", max_episode_steps=0)
    assert made[0].closed


def test_wrong_constructor_arguments_are_named_with_those_accepted(toy: str) -> None:
    with pytest.raises(TypeError) as caught:
        make(toy, colour="red")
    for named in ("colour", toy, "'size': 2", "size: int = 1, render_mode: str | None = None"):
        assert named in str(caught.value)


@pytest.mark.parametrize("value", [3, None, b"CartPole-v1", toys.Toy])
def test_make_takes_an_id_or_a_spec(value: object) -> None:
    with pytest.raises(TypeError, match="EnvSpec"):
        make(value)  # type: ignore[arg-type]


def test_a_spec_without_entry_point_makes_nothing() -> None:
    register("Env-v0", vector_entry_point="a:b")
    with pytest.raises(Error, match=r"'Env-v0'.*entry_point"):
        make("Env-v0")


def test_what_is_no_environment_is_refused() -> None:
    register("Env-v0", toys.no_env)
    with pytest.raises(TypeError, match=r"'str'.*gymnasium\.Env"):
        make("Env-v0")


def test_an_environment_of_the_old_gym_is_called_that() -> None:
    old = type("OldEnv", (type("Env", (), {"__module__": "gym.core"}),), {})
    register("Env-v0", old)
    with pytest.raises(TypeError, match="old Gym"):
        make("Env-v0")


# Render modes


def test_a_mode_that_the_environment_has_is_passed_on(toy: str) -> None:
    env = make(toy, render_mode="rgb_array")
    assert env.render_mode == "rgb_array"
    assert layers(env)[-1] is TimeLimit


def test_a_list_of_frames_is_collected(toy: str) -> None:
    env = make(toy, render_mode="rgb_array_list")
    assert env.unwrapped.render_mode == "rgb_array"
    assert layers(env)[-1].__name__ == "RenderCollection"
    env.reset()
    env.step(0)
    assert len(env.render()) == 2  # type: ignore[arg-type]


def test_human_mode_is_shown_by_a_wrapper(toy: str) -> None:
    with pytest.warns(UserWarning, match="'human' is not native.*HumanRendering"):
        env = make(toy, render_mode="human")
    assert env.unwrapped.render_mode == "rgb_array"
    assert layers(env)[-1].__name__ == "HumanRendering"
    env.close()


def test_human_mode_prefers_single_frames() -> None:
    class Both(toys.Toy):
        metadata = {"render_modes": ["rgb_array_list", "rgb_array"], "render_fps": 10}

    register("Env-v0", Both)
    with pytest.warns(UserWarning, match="HumanRendering"):
        env = make("Env-v0", render_mode="human")
    assert env.unwrapped.render_mode == "rgb_array"
    env.close()


def test_human_mode_of_an_environment_without_render_mode_is_explained() -> None:
    register("Env-v0", toys.Silent)
    with (
        pytest.warns(UserWarning, match="HumanRendering"),
        pytest.raises(Error, match=r"render_mode='human'.*'Env-v0'.*HumanRendering"),
    ):
        make("Env-v0", render_mode="human")


@pytest.mark.parametrize("mode", ["sixel", "rgb", "_list", "rgb_array_list_list", "", 3, ["rgb_array"]])
def test_a_mode_that_is_not_listed_is_refused_before_anything_is_made(
    mode: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(self: Any, **kwargs: Any) -> None:
        raise AssertionError("it was made")

    monkeypatch.setattr(CartPoleEnv, "__init__", made)
    with pytest.raises(UnsupportedMode, match=r"'CartPole-v1' has no render_mode=.*'rgb_array'\]") as caught:
        make("CartPole-v1", render_mode=mode)
    assert repr(mode) in str(caught.value)


@pytest.mark.parametrize("mode", ["sixel", "human", "_list", 3])
def test_another_packages_environment_gets_the_mode_that_it_does_not_list(mode: Any) -> None:
    """Training libraries ask any environment for `"rgb_array"`, and never render."""
    register("Env-v0", type("Text", (toys.Toy,), {"metadata": {"render_modes": ["ansi"]}}))
    with pytest.warns(UserWarning, match=rf"'Env-v0' lists \['ansi'\] render modes.*{mode!r}"):
        env = make("Env-v0", render_mode=mode)
    assert env.render_mode == mode
    env.reset(seed=1)
    env.step(0)


def test_where_no_modes_are_listed_any_is_passed_on() -> None:
    register("Env-v0", type("Quiet", (toys.Toy,), {"metadata": {"render_modes": []}}), disable_env_checker=True)
    with pytest.warns(UserWarning, match="'Env-v0' lists no render modes.*'sixel'"):
        assert make("Env-v0", render_mode="sixel").render_mode == "sixel"
    register("Function-v0", toys.wrapped_toy, disable_env_checker=True)
    assert make("Function-v0", render_mode="sixel").render_mode == "sixel"


@pytest.mark.parametrize(
    ("metadata", "warning"),
    [
        ({"fps": 3}, "render_modes.*'fps'"),
        ({"render_modes": 3}, "list.*'int'"),
        ({"render_modes": "rgb_array"}, "list.*'str'"),
    ],
)
def test_metadata_that_says_little_is_warned_of(metadata: dict[str, Any], warning: str) -> None:
    register("Env-v0", type("Odd", (toys.Toy,), {"metadata": metadata}), disable_env_checker=True)
    with pytest.warns(UserWarning, match=warning):
        make("Env-v0")


def test_metadata_that_is_no_dict_is_refused() -> None:
    register("Env-v0", type("Odd", (toys.Toy,), {"metadata": ["render_modes"]}))
    with pytest.raises(InvalidMetadata, match="dict"):
        make("Env-v0")


def test_a_spec_made_by_hand_is_made() -> None:
    env = make(EnvSpec("Hand-v0", toys.Toy, kwargs={"size": 3}))
    assert env.unwrapped.size == 3  # type: ignore[attr-defined]


@pytest.mark.parametrize("maker", [make, lambda id, **kwargs: make_vec(id, 2, **kwargs)], ids=["make", "make_vec"])
@pytest.mark.parametrize("id", ["HalfCheetah-v5", "CartPole-v1", "FrozenLake-v1", "LunarLander-v3"])
@pytest.mark.parametrize("name", ["frameskip", "gravity_", "tau", "max_steps", "nonsense"])
def test_a_refused_argument_keeps_pythons_words(maker: Callable[..., Any], id: str, name: str) -> None:
    """TorchRL tries `frameskip`, and leaves it out of the next call if these words are in the message."""
    pytest.importorskip({"H": "mujoco", "L": "Box2D"}.get(id[0], "numpy"))
    with pytest.raises(TypeError, match=rf"__init__\(\) got an unexpected keyword argument '{name}'"):
        maker(id, **{name: 3})


def test_a_mode_that_the_constructor_lacks_is_not_explained_by_itself() -> None:
    class Picture(Env[int, int]):
        metadata = {"render_modes": ["rgb_array"]}

        def __init__(self, rendering: bool = True) -> None: ...

    register("Picture-v0", Picture)
    refused = r"keyword argument 'render_mode'; raised while making 'Picture-v0' with .*takes rendering: bool = True$"
    with pytest.raises(TypeError, match=refused):
        make("Picture-v0", render_mode="rgb_array")
