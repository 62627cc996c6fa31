"""Specs as text, and what a text may not name."""

from __future__ import annotations

import json
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

from gymnasium.envs.registration import EnvSpec, WrapperSpec, make, register, registry
from gymnasium.error import Error
from tests.gymnasium.envs.registry.conftest import TOY
from tests.gymnasium.envs.registry.toys import Recorded

TEXTUAL = [spec for spec in registry.values() if isinstance(spec.entry_point, str)]


@pytest.mark.parametrize("spec", TEXTUAL, ids=lambda spec: spec.id)
def test_every_registered_spec_survives_json(spec: EnvSpec) -> None:
    assert EnvSpec.from_json(spec.to_json()) == spec


def test_fields_read_from_the_id_are_not_written(toy: str) -> None:
    fields = (
        "id entry_point reward_threshold nondeterministic max_episode_steps order_enforce disable_env_checker kwargs"
    )
    assert list(json.loads(registry[toy].to_json())) == [*fields.split(), "additional_wrappers", "vector_entry_point"]


def test_a_made_environment_can_be_made_again_from_text(toy: str) -> None:
    env = Recorded(make(toy, size=5), bonus=3)
    assert env.spec is not None
    again = make(EnvSpec.from_json(env.spec.to_json()))
    assert again.spec == env.spec
    assert str(again) == str(env)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"entry_point": Recorded}, "entry_point"),
        ({"kwargs": {"f": {"g": [0, print]}}}, "kwargs['f']['g'][1]"),
        ({"additional_wrappers": (WrapperSpec("W", "a:b", {"f": len}),)}, "additional_wrappers[0]['kwargs']['f']"),
        ({"kwargs": {"f": {1, 2}}}, "kwargs['f']"),
    ],
)
def test_what_json_cannot_hold_is_named(changes: dict[str, Any], where: str) -> None:
    spec = EnvSpec("Env-v0", **changes)
    with pytest.raises(ValueError, match="cannot be serialised") as caught:
        spec.to_json()
    assert "'Env-v0'" in str(caught.value)
    assert where in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "nul", '{"id": ', "[" * 100_000, "\ud800"])
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="JSON text of an EnvSpec"):
        EnvSpec.from_json(text)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": 3},
        {"id": "not an id"},
        {"entry_point": 3},
        {"max_episode_steps": "10"},
        {"max_episode_steps": True},
        {"nondeterministic": 1},
        {"reward_threshold": "high"},
        {"kwargs": None},
        {"kwargs": []},
        {"unknown": 1},
        {"namespace": "ns"},
    ],
)
def test_wrong_fields_are_named(toy: str, changes: dict[str, object]) -> None:
    values = {**json.loads(registry[toy].to_json()), **changes}
    with pytest.raises(ValueError, match="EnvSpec") as caught:
        EnvSpec.from_json(json.dumps(values))
    assert next(iter(changes)) in str(caught.value)


@pytest.mark.parametrize(
    "wrapper", [{}, {"name": "W"}, "W", None, {"name": "W", "entry_point": 3, "kwargs": {}}, {"name": "W", "x": 1}]
)
def test_wrong_wrapper_is_named(toy: str, wrapper: object) -> None:
    values = {**json.loads(registry[toy].to_json()), "additional_wrappers": [wrapper]}
    with pytest.raises(ValueError, match="WrapperSpec") as caught:
        EnvSpec.from_json(json.dumps(values))
    assert repr(wrapper) in str(caught.value)


def test_the_wrappers_have_to_be_a_list(toy: str) -> None:
    with pytest.raises(ValueError, match="list of WrapperSpec"):
        EnvSpec.from_json(f'{{"id": "{toy}", "additional_wrappers": {{}}}}')


def test_an_entry_point_of_an_unknown_id_is_refused() -> None:
    text = EnvSpec("Unknown-v0", "os:system", kwargs={"command": "true"}).to_json()
    with pytest.raises(Error, match=r"os:system.*Unknown-v0.*trusted=True"):
        EnvSpec.from_json(text)
    assert EnvSpec.from_json(text, trusted=True).entry_point == "os:system"


@pytest.mark.parametrize("field", ["entry_point", "vector_entry_point"])
def test_another_entry_point_than_the_registered_one_is_refused(toy: str, field: str) -> None:
    values = {**json.loads(registry[toy].to_json()), field: "os:system"}
    with pytest.raises(Error, match=f"os:system.* as {field}"):
        EnvSpec.from_json(json.dumps(values))


def test_a_callable_cannot_be_named_by_text() -> None:
    """An id registered with a callable accepts no string for it, not even its repr."""
    register("Callable-v0", Recorded)
    with pytest.raises(Error, match="registered is"):
        EnvSpec.from_json(json.dumps({"id": "Callable-v0", "entry_point": repr(Recorded)}))


def with_wrapper(entry_point: str, kwargs: dict[str, object] | None = None) -> str:
    wrapper = WrapperSpec(entry_point.rpartition(":")[2], entry_point, kwargs)
    return EnvSpec("test/Toy-v0", TOY, additional_wrappers=(wrapper,)).to_json()


@pytest.mark.parametrize(
    "entry_point",
    ["gymnasium.wrappers:TimeLimit", "gymnasium.wrappers.common:Autoreset", f"{Recorded.__module__}:Recorded"],
)
def test_known_wrappers_pass(toy: str, entry_point: str) -> None:
    assert EnvSpec.from_json(with_wrapper(entry_point)).additional_wrappers[0].entry_point == entry_point


@pytest.mark.parametrize(
    "entry_point",
    [
        "os:system",
        "subprocess:Popen",
        "turtle:Turtle",
        "gymnasium.core:Env",
        "gymnasium.wrappers.common:deepcopy",
        "gymnasium.wrappers:no_such_wrapper",
        "gymnasium_wrappers:TimeLimit",
        "gymnasium.wrappers",
        "",
        "\x00:x",
    ],
)
def test_what_is_no_known_wrapper_is_refused(toy: str, entry_point: str) -> None:
    text = with_wrapper(entry_point)
    with pytest.raises(Error, match="trusted=True"):
        EnvSpec.from_json(text)
    assert EnvSpec.from_json(text, trusted=True).additional_wrappers[0].entry_point == entry_point


def test_a_module_that_imports_late_is_not_asked(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what the module holds already counts."""

    class Late(ModuleType):
        def __getattribute__(self, name: str) -> object:
            pytest.fail(f"{name} was asked for")

    monkeypatch.setitem(sys.modules, "late", Late("late"))
    with pytest.raises(Error, match="late:Wrapper"):
        EnvSpec.from_json(with_wrapper("late:Wrapper"))


def test_refusing_imports_nothing() -> None:
    code = """
import gymnasium, json, sys
from gymnasium.envs.registration import EnvSpec
text = json.loads(gymnasium.spec("CartPole-v1").to_json())
before = set(sys.modules)
for change in (
    {"entry_point": "turtle:Turtle"},
    {"id": "turtle:X-v0", "entry_point": "turtle:X"},
    {"additional_wrappers": [{"name": "Turtle", "entry_point": "turtle:Turtle", "kwargs": {}}]},
):
    try:
        EnvSpec.from_json(json.dumps({**text, **change}))
    except gymnasium.error.Error:
        continue
    raise SystemExit(f"{change} passed")
print(sorted(set(sys.modules) - before))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
