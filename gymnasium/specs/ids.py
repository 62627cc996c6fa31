"""The grammar of environment ids: `[namespace/]name[-vN]`."""

from __future__ import annotations

import re

from gymnasium.error import Error, NotAnId

ENV_ID_RE: re.Pattern[str] = re.compile(
    r"^(?:(?P<namespace>[\w:-]+)\/)?(?:(?P<name>[\w:.-]+?))(?:-v(?P<version>\d+))?$"
)


def parse_env_id(env_id: str) -> tuple[str | None, str, int | None]:
    """Returns the namespace, the name and the version of an id; a missing part is None.

    Raises:
        gymnasium.error.NotAnId: If `env_id` is not a str; it is a TypeError, too.
        gymnasium.error.Error: If it is not of the form `[namespace/]name[-vN]`, or N is not written as 0, 1, 2, ...,
            so that the parts would make another id.
    """
    if not isinstance(env_id, str):
        raise NotAnId(
            f"{env_id!r} is of type {type(env_id).__name__}; an environment id is a str, such as 'CartPole-v1'"
        )
    match = ENV_ID_RE.fullmatch(env_id)
    if match is None:
        raise Error(
            f"Malformed environment id {env_id!r}: expected [namespace/]name[-vN] of letters, digits and _ : . - "
            '(no "." in the namespace), such as "CartPole-v1" or "ALE/Pong-v5"'
        )
    namespace, name, digits = match.group("namespace", "name", "version")
    try:
        version = None if digits is None else int(digits)
    except ValueError as error:  # Python refuses to read thousands of digits
        raise Error(f"Malformed environment id {env_id[:40]!r}...: its version number is too long") from error
    if version is not None and str(version) != digits:  # leading zeros, or digits of another script
        raise Error(
            f"Malformed environment id {env_id!r}: write its version as {version}, which makes it "
            f"{get_env_id(namespace, name, version)!r}"
        )
    return namespace, name, version


def get_env_id(ns: str | None, name: str, version: int | None) -> str:
    """Returns the id made of a namespace, a name and a version; None leaves its part out."""
    prefix = "" if ns is None else f"{ns}/"
    suffix = "" if version is None else f"-v{version}"
    return f"{prefix}{name}{suffix}"
