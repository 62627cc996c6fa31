"""The grammar of ids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gymnasium.envs.registration import EnvSpec, get_env_id, make, parse_env_id, register, registry, spec
from gymnasium.error import Error, NotAnId

PARSED = {
    "CartPole-v1": (None, "CartPole", 1),
    "MyEnv": (None, "MyEnv", None),
    "ALE/Pong-v5": ("ALE", "Pong", 5),
    "MyEnv-vfinal-v0": (None, "MyEnv-vfinal", 0),
    "MyEnv-v": (None, "MyEnv-v", None),
    "a:b-c/My.Env_1-v12": ("a:b-c", "My.Env_1", 12),
}


@pytest.mark.parametrize(("env_id", "parts"), PARSED.items())
def test_parts_of_an_id(env_id: str, parts: tuple[str | None, str, int | None]) -> None:
    """An id falls into its parts, and its parts make the id again."""
    assert parse_env_id(env_id) == parts
    assert get_env_id(*parts) == env_id


@pytest.mark.parametrize("env_id", ["", "a/b/c-v0", "My Env-v0", "a.b/Env", "Env-v0\n", "/Env", "Env/", "Ünv!", "-v0/"])
def test_malformed_id_is_named_with_the_form_expected(env_id: str) -> None:
    with pytest.raises(Error) as caught:
        parse_env_id(env_id)
    assert repr(env_id) in str(caught.value)
    assert "[namespace/]name[-vN]" in str(caught.value)


@pytest.mark.parametrize("value", [None, 3, b"CartPole-v1", ["CartPole-v1"]])
def test_what_is_no_string_is_no_id(value: object) -> None:
    with pytest.raises(NotAnId, match=f"is of type {type(value).__name__}; an environment id is a str"):
        parse_env_id(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("env_id", ["X-v01", "ns/X-v007", "X-v00", "X-v\u0661"])
def test_a_version_in_other_digits_is_refused_and_not_renamed(env_id: str) -> None:
    """Leading zeros and digits of another script would be gone from the id that the parts make."""
    before = dict(registry)
    uses: list[Callable[[str], Any]] = [parse_env_id, EnvSpec, spec, make, lambda id: register(id, "a:b")]
    for use in uses:
        with pytest.raises(Error, match=r"write its version as \d, which makes it '(ns/)?X-v\d'") as caught:
            use(env_id)
        assert repr(env_id) in str(caught.value)
    assert registry == before


def test_version_of_thousands_of_digits_is_malformed() -> None:
    """Python itself refuses to read it."""
    with pytest.raises(Error, match="too long"):
        parse_env_id("Env-v" + "9" * 5000)
