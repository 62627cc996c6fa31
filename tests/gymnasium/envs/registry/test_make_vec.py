"""`make_vec`."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import EnvSpec, VectorizeMode, WrapperSpec, make, make_vec, register, registry
from gymnasium.error import Error, NameNotFound, UnsupportedMode
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import RepeatAction, TimeLimit
from gymnasium.wrappers.vector import rendering
from tests.gymnasium.envs.registry.conftest import TOY
from tests.gymnasium.envs.registry.toys import Toy
from tests.ours import with_palaestra
from tests.spaces_zoo import agree


def test_modes() -> None:
    assert [mode.value for mode in VectorizeMode] == ["async", "sync", "vector_entry_point", "compiled", "jax", "ray"]


def test_unknown_id_is_named() -> None:
    with pytest.raises(NameNotFound, match="CartPole-v1"):
        make_vec("CartPol-v1")


def test_only_ids_and_specs_are_taken() -> None:
    with pytest.raises(Error, match=r"3 \(of type int\)"):
        make_vec(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("num_envs", [0, -1, 2.0, True, "2"])
def test_number_of_environments_has_to_be_positive(toy: str, num_envs: Any) -> None:
    with pytest.raises(ValueError, match="num_envs"):
        make_vec(toy, num_envs)


def test_unknown_mode_is_named_with_those_there_are(toy: str) -> None:
    with pytest.raises(
        ValueError, match=r"\['async', 'sync', 'vector_entry_point', 'compiled', 'jax', 'ray'\], but got 'threads'"
    ):
        make_vec(toy, vectorization_mode="threads")


def test_mode_without_its_entry_point(toy: str) -> None:
    register("Vector-v0", vector_entry_point="a:b")
    with pytest.raises(Error, match="'Vector-v0' has no entry_point"):
        make_vec("Vector-v0", vectorization_mode="sync")
    with pytest.raises(Error, match=f"{toy}' has no vector_entry_point"):
        make_vec(toy, vectorization_mode=VectorizeMode.VECTOR_ENTRY_POINT)


@pytest.mark.parametrize("wrappers", [str, "abc", ["gymnasium.wrappers:FlattenObservation"], 3])
def test_wrappers_are_a_sequence_of_functions(toy: str, wrappers: Any) -> None:
    with pytest.raises(TypeError, match=r"make_vec expects as wrappers a sequence of functions .*, but .* came"):
        make_vec(toy, wrappers=wrappers)


@pytest.mark.parametrize("given", [{"vector_kwargs": {"x": 1}}, {"wrappers": [str]}])
def test_vector_entry_point_allows_neither_wrappers_nor_vector_kwargs(given: dict[str, Any]) -> None:
    register("Vector-v0", TOY, vector_entry_point=TOY)
    with pytest.raises(Error, match=f"allows no {next(iter(given))}"):
        make_vec("Vector-v0", **given)


@pytest.mark.parametrize(
    ("mode", "runner"),
    [
        ("sync", "SyncVectorEnv"),
        ("async", "AsyncVectorEnv"),
        pytest.param(None, "CartPoleVectorEnv and SyncVectorEnv", marks=with_palaestra),
        ("jax", "FunctionalJaxVectorEnv"),
    ],
)
def test_an_unknown_vector_kwarg_is_named_with_the_class_that_lacks_it(mode: str | None, runner: str) -> None:
    """Before anything is warned about or made; with the one that was meant, or else those there are."""
    if mode == "jax":
        pytest.importorskip("jax")
    refused = f"^{runner} got an unexpected keyword argument"
    with pytest.raises(TypeError, match=rf"{refused} 'autoreset' in .*; did you mean 'autoreset_mode'\?$"):
        make_vec("CartPole-v1", 2, mode, vector_kwargs={"autoreset": "SameStep"})
    with pytest.raises(TypeError, match=rf"{refused} 'x' in .*; (it takes|they take) .*autoreset_mode"):
        make_vec("CartPole-v1", 2, mode, vector_kwargs={"x": 1})


@with_palaestra
def test_a_vector_class_says_which_vector_kwargs_it_takes() -> None:
    with pytest.raises(
        Error, match=r"but got \{'x': 1\}, which CartPoleVectorEnv does not take; it takes autoreset_mode, copy"
    ):
        make_vec("CartPole-v1", 2, "vector_entry_point", vector_kwargs={"x": 1})


@pytest.mark.parametrize("mode", ["sync", "async", pytest.param("vector_entry_point", marks=with_palaestra)])
def test_an_unknown_autoreset_mode_is_answered_with_those_there_are(mode: str) -> None:
    with pytest.raises(ValueError, match="'NextStep', 'SameStep', 'Disabled', or an AutoresetMode, but 'same' came"):
        make_vec("CartPole-v1", 2, mode, vector_kwargs={"autoreset_mode": "same"})


def test_vector_entry_point_allows_no_wrappers_in_the_spec() -> None:
    register("Vector-v0", TOY, vector_entry_point="a:b", additional_wrappers=(WrapperSpec("W", "a:b", {}),))
    with pytest.raises(Error, match="additional_wrappers"):
        make_vec("Vector-v0")


def limited(env: Any) -> TimeLimit[Any, Any]:
    return TimeLimit(env, 3)


def test_sync_is_the_default_without_a_vector_entry_point(toy: str) -> None:
    envs: Any = make_vec(toy, np.int64(3), size=5)  # type: ignore[arg-type]

    assert isinstance(envs, SyncVectorEnv)
    assert envs.num_envs == 3
    assert envs.get_attr("size") == (5, 5, 5)
    assert envs.spec.kwargs == {"size": 5, "num_envs": 3, "vectorization_mode": "sync"}
    assert repr(envs) == "SyncVectorEnv(test/Toy-v0, num_envs=3)"


def test_vector_kwargs_and_wrappers_arrive(toy: str) -> None:
    envs: Any = make_vec(
        registry[toy], 2, vector_kwargs={"autoreset_mode": "SameStep"}, wrappers=(limited,), max_episode_steps=7
    )

    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert [type(env) for env in envs.envs] == [TimeLimit, TimeLimit]
    assert envs.envs[0].env.spec.max_episode_steps == 7


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"num_envs": 4},
        {"num_envs": 2, "vectorization_mode": "sync", "size": 9},
        {"vector_kwargs": {"autoreset_mode": "Disabled", "copy": False}, "num_envs": 2},
        {"wrappers": [limited], "max_episode_steps": 5, "num_envs": 2},
    ],
    ids=["nothing", "count", "mode", "vector_kwargs", "wrappers"],
)
def test_the_spec_makes_the_same_again(toy: str, arguments: dict[str, Any]) -> None:
    first: Any = make_vec(toy, **arguments)
    second: Any = make_vec(first.spec)

    assert first.spec == second.spec
    assert (first.num_envs, first.autoreset_mode, first.copy) == (second.num_envs, second.autoreset_mode, second.copy)
    assert [str(env) for env in first.envs] == [str(env) for env in second.envs]
    assert first.get_attr("size") == second.get_attr("size")
    assert pickle.loads(pickle.dumps(first.spec)) == first.spec


def test_the_spec_survives_json(toy: str) -> None:
    first = make_vec(toy, 2, vector_kwargs={"autoreset_mode": "Disabled"}, size=4)
    assert first.spec is not None
    second: Any = make_vec(EnvSpec.from_json(first.spec.to_json()))

    assert second.spec == first.spec
    assert second.get_attr("size") == (4, 4)


def test_what_is_made_leaves_the_registered_spec_and_the_arguments_alone(toy: str) -> None:
    kwargs: dict[str, Any] = {"autoreset_mode": "Disabled"}
    envs = make_vec(toy, 2, vector_kwargs=kwargs, size=4)
    assert envs.spec is not None
    envs.spec.kwargs["vector_kwargs"]["copy"] = False

    assert registry[toy].kwargs == {"size": 2}
    assert kwargs == {"autoreset_mode": "Disabled"}


def test_the_functions_that_make_environments_need_no_registry(toy: str) -> None:
    envs: Any = make_vec(toy, 2, size=4)
    travelled = pickle.loads(pickle.dumps(envs.env_fns[0]))
    del registry[toy]

    assert travelled().unwrapped.size == 4


class OwnVector(VectorEnv[Any, Any, Any]):
    """A vector environment of its own."""

    def __init__(self, num_envs: int, metadata: dict[str, Any] | None = None, **kwargs: Any) -> None:
        self.num_envs, self.kwargs = num_envs, kwargs
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP} if metadata is None else metadata


@pytest.mark.parametrize("entry_point", [OwnVector, f"{__name__}:OwnVector"])
def test_vector_entry_point_is_the_default_where_there_is_one(entry_point: Any) -> None:
    register("Vector-v0", Toy, vector_entry_point=entry_point, max_episode_steps=9, kwargs={"a": 1})
    envs: Any = make_vec("Vector-v0", 3, b=2)

    assert type(envs).__name__ == "OwnVector"
    assert (envs.num_envs, envs.kwargs) == (3, {"a": 1, "b": 2, "max_episode_steps": 9})
    assert envs.spec.kwargs == {"a": 1, "b": 2, "num_envs": 3, "vectorization_mode": "vector_entry_point"}
    assert make_vec(envs.spec).spec == envs.spec
    assert make_vec("Vector-v0", max_episode_steps=4).kwargs["max_episode_steps"] == 4  # type: ignore[attr-defined]


class NarrowVector(OwnVector):
    def __init__(self, num_envs: int) -> None:
        super().__init__(num_envs)


def test_no_argument_is_suggested_for_itself() -> None:
    register("Vector-v0", Toy, vector_entry_point=NarrowVector)
    with pytest.raises(TypeError, match="unexpected keyword argument 'disable_env_checker'") as raised:
        make_vec("Vector-v0", 2, disable_env_checker=True)
    assert "did you mean" not in str(raised.value)


@pytest.mark.parametrize(("metadata", "match"), [({}, "autoreset_mode"), ({"autoreset_mode": "NextStep"}, "'str'")])
def test_an_unclear_autoreset_mode_is_warned_of(metadata: dict[str, Any], match: str) -> None:
    register("Vector-v0", vector_entry_point=OwnVector)
    with pytest.warns(UserWarning, match=match):
        make_vec("Vector-v0", metadata=metadata)


def test_sync_and_vector_entry_point_of_an_environment_with_both() -> None:
    register("Vector-v0", Toy, vector_entry_point=OwnVector)

    assert isinstance(make_vec("Vector-v0", vectorization_mode=VectorizeMode.SYNC), SyncVectorEnv)


def test_a_vector_class_of_our_own_that_is_not_built_yet_is_replaced_by_sync() -> None:
    register("Vector-v0", Toy, vector_entry_point="gymnasium.envs.classic_control.cartpole:NotBuiltVectorEnv")

    assert isinstance(make_vec("Vector-v0"), SyncVectorEnv)
    with pytest.raises(Error, match="NotBuiltVectorEnv"):
        make_vec("Vector-v0", vectorization_mode="vector_entry_point")


def played(envs: Any, steps: int = 30) -> list[Any]:
    """What comes of sampled actions, but for the infos."""
    envs.action_space.seed(4)
    trajectory = [envs.reset(seed=5)[:1], *(envs.step(envs.action_space.sample())[:4] for _ in range(steps))]
    envs.close()
    return trajectory


def remade(envs: Any) -> list[Any]:
    """The same again, of the spec and of its text."""
    found = [make_vec(envs.spec), make_vec(EnvSpec.from_json(envs.spec.to_json()))]
    assert all(again.spec == envs.spec for again in found)
    return found


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_the_wrappers_of_a_spec_are_made_again(mode: str) -> None:
    single = TimeLimit(RepeatAction(make("CartPole-v1", max_episode_steps=9), np.int64(2)), 3)  # type: ignore[arg-type]
    envs = make_vec(single.spec, 2, mode, {"autoreset_mode": AutoresetMode.SAME_STEP})  # type: ignore[arg-type]
    for again in remade(envs):
        assert again.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        if mode == "sync":
            assert [str(env) for env in again.envs] == [str(single)] * 2
        found = played(again)
        assert agree(found, played(make_vec(envs.spec)))  # type: ignore[arg-type]
        assert any(step[3].any() for step in found[1:])
    envs.close()


@with_palaestra
@pytest.mark.parametrize("limits", [(20, 7), (7, 20)])
def test_limits_side_by_side_are_one_to_a_vector_class(limits: tuple[int, int]) -> None:
    single = TimeLimit(make("CartPole-v1", max_episode_steps=limits[0]), limits[1])
    assert single.spec is not None
    sync = make_vec(single.spec, 3, vectorization_mode="sync")
    expected = played(sync)
    for again in (make_vec(single.spec, 3), *remade(make_vec(single.spec, 3))):
        assert again.spec.kwargs["vectorization_mode"] == "vector_entry_point"
        assert agree(played(again), expected)


@with_palaestra
def test_a_limit_that_is_asked_for_stands_beside_the_others() -> None:
    single = TimeLimit(make("CartPole-v1", max_episode_steps=5), 20)
    with pytest.warns(UserWarning, match="in sync"):
        envs = make_vec(single.spec, max_episode_steps=9)  # type: ignore[arg-type]
    played(envs)
    assert [step[3].any() for step in played(make_vec(envs.spec))[1:6]] == [False] * 4 + [True]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments",
    [("CartPole-v1",), ("CartPole-v1", 2, "sync"), ("CartPole-v1", 2, "async"), ("phys2d/CartPole-v1", 2)],
)
def test_a_mode_that_is_not_listed_is_refused(arguments: Any) -> None:
    with pytest.raises(UnsupportedMode, match=r"'sixel'.*rgb_array|rgb_array.*'sixel'"):
        make_vec(*arguments, render_mode="sixel")


def test_anothers_vector_class_is_warned_about_a_mode_that_it_does_not_list() -> None:
    listing = type("Listing", (OwnVector,), {"metadata": {"render_modes": ["rgb_array"]}})
    register("Vector-v0", vector_entry_point=listing)
    with pytest.warns(UserWarning, match=r"'Vector-v0' lists.*rgb_array.*'sixel'"):
        assert make_vec("Vector-v0", render_mode="sixel").kwargs == {"render_mode": "sixel"}  # type: ignore[attr-defined]
    register("Silent-v0", vector_entry_point=OwnVector)
    for env_id, mode in (("Vector-v0", "rgb_array_list"), ("Silent-v0", "sixel")):
        assert make_vec(env_id, render_mode=mode).kwargs == {"render_mode": mode}  # type: ignore[attr-defined]


@pytest.mark.parametrize("env_id", ["CartPole-v1", "FrozenLake-v1", "LunarLander-v3"])
@pytest.mark.parametrize("mode", [None, "sync", "async"])
def test_lists_of_frames_hold_one_of_each_reset_and_step(env_id: str, mode: Any) -> None:
    """However the environments are run, unless by the vector class that is asked for by name."""
    envs = make_vec(env_id, 3, mode, render_mode="rgb_array_list")
    envs.reset(seed=0)
    for actions in (envs.action_space.sample(), envs.action_space.sample()):
        envs.step(actions)
    each = envs.render()
    assert each is not None
    assert [len(frames) for frames in each] == [3] * 3
    assert {frame.shape[-1] for frames in each for frame in frames} == {3}
    assert make_vec(envs.spec).render_mode == "rgb_array_list"  # type: ignore[arg-type]  # it has a spec
    envs.close()


@pytest.mark.parametrize(
    ("env_id", "mode"),
    [
        pytest.param("CartPole-v1", "rgb_array", marks=with_palaestra),
        pytest.param("FrozenLake-v1", "rgb_array", marks=with_palaestra),
        pytest.param("FrozenLake-v1", "ansi", marks=with_palaestra),
        pytest.param("Reacher-v5", "rgb_array", marks=with_palaestra),
        pytest.param("Reacher-v5", "depth_array", marks=with_palaestra),
        ("phys2d/CartPole-v1", "rgb_array"),
    ],
)
def test_in_a_mode_of_lists_a_vector_class_renders_the_present_frames(env_id: str, mode: str) -> None:
    one, several = (make_vec(env_id, 3, "vector_entry_point", render_mode=name) for name in (mode, f"{mode}_list"))
    for envs in (one, several):
        envs.action_space.seed(0)
        envs.reset(seed=0)
        envs.step(envs.action_space.sample())
    assert agree(several.render(), one.render())
    for envs in (one, several):
        envs.close()


@pytest.mark.parametrize("mode", [None, "sync", "async", pytest.param("vector_entry_point", marks=with_palaestra)])
@pytest.mark.parametrize("render_mode", ["rgb_array", "rgb_array_list"])
def test_environments_of_any_mode_can_be_watched(mode: Any, render_mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(rendering, "require_display", lambda: None)
    monkeypatch.setattr(rendering.Window, "show", lambda self, frame: shown.append(frame))
    envs = rendering.HumanRendering(make_vec("CartPole-v1", 3, mode, render_mode=render_mode))
    envs.reset(seed=0)
    envs.step(np.array([0, 1, 0]))
    envs.close()
    assert [frame.shape for frame in shown] == [(400, 1800, 3)] * 2
    assert (shown[0] != shown[1]).any()


@pytest.mark.parametrize("mode", ["sync", "async", pytest.param("compiled", marks=with_palaestra)])
@pytest.mark.parametrize(("limit", "expected"), [(5, 5), (-1, None)])
def test_the_spec_of_a_batch_has_its_own_time_limit(mode: str, limit: int, expected: int | None) -> None:
    envs = make_vec("CartPole-v1", 2, vectorization_mode=mode, max_episode_steps=limit)
    envs.close()
    assert envs.spec is not None
    assert envs.spec.max_episode_steps == expected
    again = make_vec(envs.spec)
    again.close()
    assert again.spec == envs.spec
