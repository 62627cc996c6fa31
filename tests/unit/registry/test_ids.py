"""The grammar of ids."""

from __future__ import annotations

import pytest

from gymnasium.envs.registration import get_env_id, parse_env_id
from gymnasium.error import Error

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
    with pytest.raises(Error, match="Malformed"):
        parse_env_id(value)  # type: ignore[arg-type]


def test_version_of_thousands_of_digits_is_malformed() -> None:
    """Python itself refuses to read it."""
    with pytest.raises(Error, match="too long"):
        parse_env_id("Env-v" + "9" * 5000)
