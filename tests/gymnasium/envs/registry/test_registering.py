"""`register`, `namespace` and `register_envs`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.envs import registration
from gymnasium.envs.registration import EnvSpec, WrapperSpec, namespace, register, register_envs, registry
from gymnasium.error import Error, RegistrationError
from tests.gymnasium.envs.registry import toys
from tests.gymnasium.envs.registry.conftest import TOY


def test_register_keeps_every_argument() -> None:
    wrapper = WrapperSpec("Recorded", "tests.gymnasium.envs.registry.toys:Recorded", {})
    kwargs = {"size": 3}
    register("test/Env-v0", TOY, 1.0, True, 7, False, True, [wrapper], "a:b", kwargs)
    assert registry["test/Env-v0"] == EnvSpec("test/Env-v0", TOY, 1.0, True, 7, False, True, kwargs, (wrapper,), "a:b")
    assert registry["test/Env-v0"].kwargs is kwargs


def test_an_entry_point_may_be_callable() -> None:
    register("Env-v0", toys.Toy)
    assert registry["Env-v0"].entry_point is toys.Toy


REFUSED: list[tuple[type[Exception], dict[str, Any], str]] = [
    (ValueError, {"entry_point": None}, "entry_point or vector_entry_point"),
    (TypeError, {"entry_point": 3}, "entry_point"),
    (TypeError, {"vector_entry_point": 3}, "vector_entry_point"),
    (Error, {"id": "no good"}, "no good"),
    (Error, {"id": None}, "None"),
    (ValueError, {"max_episode_steps": 0}, "positive integer"),
    (ValueError, {"max_episode_steps": -1}, "positive integer"),
    (TypeError, {"max_episode_steps": 10.5}, "positive integer"),
    (TypeError, {"max_episode_steps": True}, "positive integer"),
    (TypeError, {"additional_wrappers": ["TimeLimit"]}, "WrapperSpec"),
    (TypeError, {"kwargs": [("size", 1)]}, "dict"),
]


@pytest.mark.parametrize(("kind", "changes", "named"), REFUSED)
def test_bad_arguments_are_refused_and_nothing_is_registered(
    kind: type[Exception], changes: dict[str, Any], named: str
) -> None:
    before = dict(registry)
    with pytest.raises(kind, match=named):
        register(**{"id": "Env-v0", "entry_point": TOY, **changes})
    assert registry == before


def test_a_numpy_integer_limits_the_steps_too() -> None:
    register("Env-v0", TOY, max_episode_steps=np.int64(5))  # type: ignore[arg-type]
    assert type(registry["Env-v0"].max_episode_steps) is int


def test_an_unversioned_name_excludes_versions() -> None:
    register("test/Env", TOY)
    with pytest.raises(RegistrationError, match=r"versioned 'test/Env-v1'.*unversioned 'test/Env' is taken"):
        register("test/Env-v1", TOY)


def test_a_versioned_name_excludes_the_unversioned() -> None:
    register("test/Env-v1", TOY)
    with pytest.raises(RegistrationError, match=r"unversioned 'test/Env'.*versioned 'test/Env-v1' is taken"):
        register("test/Env", TOY)


@pytest.mark.parametrize("env_id", ["test/Env", "test/Env-v1"])
def test_registering_again_warns_and_replaces(env_id: str) -> None:
    register(env_id, "a:b")
    with pytest.warns(UserWarning, match=f"{env_id}.*already in registry"):
        register(env_id, TOY)
    assert registry[env_id].entry_point == TOY


def test_namespace_overrides_that_of_the_id() -> None:
    with namespace("outer"):
        assert registration.current_namespace == "outer"
        register("Env-v0", TOY)
        register("other/Env-v1", TOY)
    assert registration.current_namespace is None
    assert {"outer/Env-v0", "outer/Env-v1"} <= registry.keys()
    assert "other/Env-v1" not in registry


def test_namespaces_nest_and_end_with_an_exception() -> None:
    with namespace("outer"):
        with pytest.raises(KeyError), namespace("inner"):
            raise KeyError
        assert registration.current_namespace == "outer"
    assert registration.current_namespace is None


def test_malformed_namespace_is_refused() -> None:
    with pytest.raises(Error, match="Malformed"), namespace("a/b"):
        pass
    assert registration.current_namespace is None


def test_another_namespace_in_kwargs_is_warned_of() -> None:
    with namespace("outer"), pytest.warns(UserWarning, match="'other'.*'outer'"):
        register("Env-v0", TOY, kwargs={"namespace": "other"})


def test_the_same_namespace_in_kwargs_is_not() -> None:
    with namespace("outer"):
        register("Env-v0", TOY, kwargs={"namespace": "outer"})


def test_register_envs_does_nothing() -> None:
    before = dict(registry)
    register_envs(toys)
    assert registry == before


def test_unknown_name_of_the_module_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        registration.no_such_name  # type: ignore[attr-defined]  # noqa: B018
