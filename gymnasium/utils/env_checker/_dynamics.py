"""The laws of functional environments, for an environment that runs a user's `FuncEnv`."""

from __future__ import annotations

from collections.abc import Iterator

from gymnasium._extensions import extension, has_extensions, is_own_module
from gymnasium.utils.env_checker._findings import Finding, finding


def dynamics_findings(env: object) -> Iterator[Finding]:
    """Yields a finding for each law that the dynamics of an environment break; ours keep them."""
    from gymnasium.functional.env import FunctionalEnv

    if not isinstance(env, FunctionalEnv) or is_own_module(type(env.func_env).__module__):
        return
    from gymnasium.functional.laws import LAWS

    for law in (*LAWS, extension("compiled_law")) if has_extensions() else LAWS:
        place = law.__name__.replace("_", " ")
        try:
            law(env.func_env, params=env.params)
        except AssertionError as error:
            message, _, remedy = str(error).rpartition(". ")
            yield finding("G801", place, message)._replace(remedy=remedy)
        except Exception as error:
            yield finding("G802", place, f"The dynamics must not raise, but {type(error).__name__} came: {error}")
