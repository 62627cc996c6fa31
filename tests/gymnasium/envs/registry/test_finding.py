"""Looking an id up, and what is said where there is nothing under it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gymnasium.envs._registry.finding import find_spec
from gymnasium.envs.registration import EnvSpec, find_highest_version, make, register, registry, spec
from gymnasium.error import (
    DeprecatedEnv,
    Error,
    NameNotFound,
    NamespaceNotFound,
    NotAnId,
    UnregisteredEnv,
    VersionNotFound,
)
from tests.gymnasium.envs.registry.conftest import TOY


@pytest.fixture
def versions() -> None:
    """Registers `test/Versions` in the versions 0, 9 and 10."""
    for version in (9, 0, 10):
        register(f"test/Versions-v{version}", TOY)


def test_spec_is_the_object_of_the_registry(toy: str) -> None:
    assert spec(toy) is registry[toy]


def test_spec_does_not_choose_a_version(toy: str) -> None:
    with pytest.raises(Error, match=r"test/Toy'.*test/Toy-v0"):
        spec("test/Toy")


def test_highest_version(versions: None) -> None:
    assert find_highest_version("test", "Versions") == 10
    assert find_highest_version(None, "Versions") is None


def test_unknown_namespace_suggests_a_close_one(toy: str) -> None:
    with pytest.raises(NamespaceNotFound, match=r'tets.*gymnasium\.make\("test/Toy-v0"\)'):
        spec("tets/Toy-v0")


@pytest.mark.parametrize(
    ("env_id", "line"),
    [
        ("ALE/Pong-v5", "import ale_py; gymnasium.register_envs(ale_py)"),
        ("ale/Pong-v5", "import ale_py; gymnasium.register_envs(ale_py)"),
        ("PongNoFrameskip-v4", "import ale_py; gymnasium.register_envs(ale_py)"),
        ("MiniGrid-Empty-5x5-v0", "import minigrid; gymnasium.register_envs(minigrid)"),
        ("highway-fast-v0", "import highway_env; gymnasium.register_envs(highway_env)"),
        ("FetchReach-v4", "import gymnasium_robotics; gymnasium.register_envs(gymnasium_robotics)"),
        ("nowhere/Env-v0", "import package; gymnasium.register_envs(package)"),
    ],
)
def test_unknown_environment_of_a_plugin_names_the_line_to_add(env_id: str, line: str) -> None:
    for lookup in (spec, make):
        with pytest.raises(UnregisteredEnv) as caught:
            lookup(env_id)
        assert line in str(caught.value)


@pytest.mark.parametrize(("typed", "meant"), [("cartpole-v1", "CartPole-v1"), ("FrozenLake8x8v1", "FrozenLake8x8-v1")])
def test_unknown_name_suggests_the_line_to_type(typed: str, meant: str) -> None:
    with pytest.raises(NameNotFound) as caught:
        make(typed)
    assert f'gymnasium.make("{meant}")' in str(caught.value)


def test_names_are_suggested_from_the_same_namespace(toy: str) -> None:
    with pytest.raises(NameNotFound, match="'CartPol' is registered in the namespace 'test'") as caught:
        spec("test/CartPol-v1")
    assert "did you mean" not in str(caught.value)


def test_version_above_the_latest(versions: None) -> None:
    with pytest.raises(VersionNotFound, match="v11 of test/Versions; available: v0, v9, v10"):
        spec("test/Versions-v11")


def test_version_below_the_latest(versions: None) -> None:
    with pytest.raises(DeprecatedEnv, match=r"v5 of test/Versions.*test/Versions-v10"):
        spec("test/Versions-v5")


def test_version_that_exists_in_another_namespace(versions: None) -> None:
    """A newer version of the same environment comes first."""
    register("other/Versions-v5", TOY)
    register("Versions-v7", TOY)
    with pytest.raises(
        DeprecatedEnv, match=r'v5 of Versions: v7 has replaced it; use `gymnasium\.make\("Versions-v7"\)`'
    ):
        spec("Versions-v5")
    register("other/Versions-v8", TOY)
    with pytest.raises(VersionNotFound, match=r"v8 of Versions; did you mean .*other/Versions-v8"):
        spec("Versions-v8")


def test_version_where_only_an_unversioned_environment_is() -> None:
    register("test/Bare", TOY)
    with pytest.raises(DeprecatedEnv, match=r'v3 of test/Bare.*gymnasium\.make\("test/Bare"\)'):
        spec("test/Bare-v3")


def test_version_of_an_unknown_name_is_a_name_not_found(toy: str) -> None:
    with pytest.raises(NameNotFound):
        spec("test/Qwertyuiop-v0")


def test_version_written_otherwise_is_unknown(toy: str) -> None:
    """`-v00` is version 0, but not the id registered."""
    with pytest.raises(Error, match="test/Toy-v00"):
        spec("test/Toy-v00")


def test_make_of_an_id_without_version_takes_the_highest(versions: None) -> None:
    with pytest.warns(UserWarning, match="latest version 'test/Versions-v10' of 'test/Versions'"):
        assert find_spec("test/Versions") is registry["test/Versions-v10"]


def test_make_of_an_outdated_version_warns(versions: None) -> None:
    with pytest.warns(DeprecationWarning, match="'test/Versions-v9' is out of date: use the newer version v10"):
        assert find_spec("test/Versions-v9") is registry["test/Versions-v9"]


def test_make_of_an_old_version_that_is_not_there_raises_without_a_warning(versions: None) -> None:
    with pytest.raises(DeprecatedEnv, match="v10"):
        find_spec("test/Versions-v3")


def test_spec_imports_the_module_before_the_colon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `make` does, so that a program can read the spec of whatever it makes."""
    (tmp_path / "behind_a_colon.py").write_text(
        f"import gymnasium\ngymnasium.register('test/Behind-v0', entry_point={TOY!r}, reward_threshold=3.0)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    try:
        found = spec("behind_a_colon:test/Behind-v0")
        assert found.reward_threshold == 3.0
        assert found is registry["test/Behind-v0"]
        assert spec("behind_a_colon:CartPole-v1") is registry["CartPole-v1"]
    finally:
        registry.pop("test/Behind-v0", None)
    with pytest.raises(ModuleNotFoundError, match="nothing_behind"):
        spec("nothing_behind:test/Behind-v0")


@pytest.mark.parametrize("value", [None, 3, b"CartPole-v1", ["CartPole-v1"]])
def test_spec_of_what_is_no_string_is_refused_as_make_refuses_it(value: object) -> None:
    with pytest.raises(NotAnId, match=r"^spec expects an id, a str, but .* was passed"):
        spec(value)  # type: ignore[arg-type]


def test_module_before_the_colon_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`module:id`; the id may hold further colons."""
    (tmp_path / "registering_toys.py").write_text(
        f"from gymnasium.envs.registration import register\nregister('a:b/Env-v0', {TOY!r})\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert make("registering_toys:a:b/Env-v0").spec == spec("a:b/Env-v0")
    monkeypatch.delitem(sys.modules, "registering_toys")


def test_registered_id_with_a_colon_imports_nothing() -> None:
    register("turtle:Env-v0", TOY)
    assert find_spec("turtle:Env-v0") is registry["turtle:Env-v0"]
    assert "turtle" not in sys.modules


def test_missing_module_before_the_colon_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'no_such_module'.*no_such_module:Env-v0") as caught:
        make("no_such_module:Env-v0")
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)


@pytest.mark.parametrize("env_id", [":CartPole-v1", ".relative:CartPole-v1", "a b:CartPole-v1", "os:"])
def test_malformed_module_or_id_around_the_colon(env_id: str) -> None:
    with pytest.raises(Error, match="Malformed"):
        make(env_id)


def test_a_spec_put_into_the_registry_by_hand_is_found() -> None:
    registry["Hand-v0"] = EnvSpec("Hand-v0", TOY)
    assert spec("Hand-v0") is registry["Hand-v0"]
