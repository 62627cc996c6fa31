"""`EnvSpec` as a record, and as printed."""

from __future__ import annotations

import pytest

from gymnasium.envs.registration import EnvSpec, WrapperSpec, load_env_creator, registry
from gymnasium.error import Error
from tests.gymnasium.envs.registry import toys

WRAPPER = WrapperSpec("Recorded", "tests.gymnasium.envs.registry.toys:Recorded", {"bonus": 2})


def test_the_id_is_taken_apart() -> None:
    spec = EnvSpec("ns/Env-v3")
    assert (spec.namespace, spec.name, spec.version) == ("ns", "Env", 3)


def test_malformed_id_makes_no_spec() -> None:
    with pytest.raises(Error, match="Malformed"):
        EnvSpec("no good")


def test_repr_lists_the_fields_in_order() -> None:
    assert repr(EnvSpec("Env-v0", "a:b")) == (
        "EnvSpec(id='Env-v0', entry_point='a:b', reward_threshold=None, nondeterministic=False, "
        "max_episode_steps=None, order_enforce=True, disable_env_checker=False, kwargs={}, namespace=None, "
        "name='Env', version=0, additional_wrappers=(), vector_entry_point=None)"
    )


def test_specs_of_equal_fields_are_equal() -> None:
    assert EnvSpec("Env-v0", "a:b", kwargs={"x": 1}) == EnvSpec("Env-v0", "a:b", kwargs={"x": 1})
    assert EnvSpec("Env-v0", "a:b") != EnvSpec("Env-v0", "a:c")


def test_make_of_a_spec_makes_its_environment(toy: str) -> None:
    env = registry[toy].make(size=7)
    assert isinstance(env.unwrapped, toys.Toy)
    assert env.unwrapped.size == 7


PRINTED = [
    (EnvSpec("Env-v0", "a:b"), {}, "id=Env-v0"),
    (EnvSpec("Env-v0", "a:b"), {"include_entry_points": True}, "id=Env-v0\nentry_point=a:b"),
    (
        EnvSpec("Env-v0", "a:b", 1.0, True, 5, False, True, {"x": 1}, vector_entry_point="a:c"),
        {},
        "id=Env-v0\nreward_threshold=1.0\nnondeterministic=True\nmax_episode_steps=5\norder_enforce=False\n"
        "disable_env_checker=True",
    ),
    (
        EnvSpec("Env-v0", "a:b"),
        {"print_all": True},
        "id=Env-v0\nentry_point=a:b\nreward_threshold=None\nnondeterministic=False\nmax_episode_steps=None\n"
        "order_enforce=True\ndisable_env_checker=False\nadditional_wrappers=[]",
    ),
    (
        EnvSpec("Env-v0", "a:b", additional_wrappers=(WRAPPER, WRAPPER)),
        {},
        "id=Env-v0\nadditional_wrappers=[\n\tname=Recorded, kwargs={'bonus': 2},\n\tname=Recorded, "
        "kwargs={'bonus': 2}\n]",
    ),
    (
        EnvSpec("Env-v0", "a:b", additional_wrappers=(WRAPPER,)),
        {"include_entry_points": True},
        "id=Env-v0\nentry_point=a:b\nadditional_wrappers=[\n\tname=Recorded, "
        "entry_point=tests.gymnasium.envs.registry.toys:Recorded, kwargs={'bonus': 2}\n]",
    ),
]


@pytest.mark.parametrize(("spec", "how", "text"), PRINTED)
def test_pprint(spec: EnvSpec, how: dict[str, bool], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is at its default is left out unless asked for; the text is printed, or returned."""
    assert spec.pprint(disable_print=True, **how) == text
    assert spec.pprint(**how) is None
    assert capsys.readouterr().out == text + "\n"


def test_an_entry_point_is_loaded() -> None:
    assert load_env_creator("tests.gymnasium.envs.registry.toys:Toy") is toys.Toy


@pytest.mark.parametrize("name", ["", "json", ":dumps", "json:", ".relative:Env"])
def test_entry_point_of_another_form_is_refused(name: str) -> None:
    with pytest.raises(Error, match=r"package\.module:attribute"):
        load_env_creator(name)


def test_missing_third_party_module_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="install the package that provides 'no_such_module'") as caught:
        load_env_creator("no_such_module.envs:Env")
    assert caught.value.name == "no_such_module"
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)


def test_missing_attribute_is_named() -> None:
    with pytest.raises(AttributeError, match="json:no_such_name"):
        load_env_creator("json:no_such_name")


@pytest.mark.parametrize("name", ["gymnasium.envs.no_such_family.env:Env", "gymnasium.core:NoSuchEnv"])
def test_a_missing_part_of_this_package_is_said_to_be_missing(name: str) -> None:
    with pytest.raises(Error, match="not in this version of Palaestra"):
        load_env_creator(name)
