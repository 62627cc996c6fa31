"""Checks of render modes and of closing, each in an environment made anew from the spec."""

from __future__ import annotations

from contextlib import suppress

from gymnasium.core import Env
from gymnasium.error import DependencyNotInstalled, UnsupportedMode
from gymnasium.logger import warn
from gymnasium.rendering import require_display
from gymnasium.specs import EnvSpec
from gymnasium.utils.passive_env_checker import env_render_passive_checker


def check_render(env: Env) -> None:
    """Render `env` if it has a mode, and one made anew in each mode of its metadata.

    Raises:
        AssertionError: If a mode is not in the metadata, or `render_fps` is not positive.
    """
    if env.render_mode is not None:
        env.reset()
        env_render_passive_checker(env)
    if env.spec is None:
        warn(
            "G516: The other render modes can be tried only in an environment made by its id, but this one has no spec"
        )
        return
    modes = env.metadata.get("render_modes")
    if not isinstance(modes, (list, tuple)) or not modes or not all(isinstance(mode, str) for mode in modes):
        _check_metadata(env)
        return
    for mode in modes:
        _check_mode(env.spec, mode)


def _check_metadata(env: Env) -> None:
    """Check metadata without a mode to try; otherwise the passive checker does so on the way to `render`."""
    if env.render_mode is None:
        env_render_passive_checker(_Unrendered(env))


class _Unrendered(Env):
    """The metadata of an environment, without pictures."""

    def __init__(self, env: Env) -> None:
        self.metadata = env.metadata

    def render(self) -> None:
        """Show nothing."""


def _check_mode(spec: EnvSpec, mode: str) -> None:
    try:
        if mode == "human":
            require_display()
        env = _made(spec, mode)
        try:
            env.reset(seed=123)
            env_render_passive_checker(env)
        finally:
            with suppress(Exception):  # check_close reports the faults of closing
                env.close()
    except (DependencyNotInstalled, UnsupportedMode) as error:
        reason = str(error).partition(". ")[0].rstrip(".")  # the rest are remedies for other programs
        warn(f"G518: The render mode {mode!r} could not be tried here: {reason}")


def _made(spec: EnvSpec, mode: str) -> Env:
    try:
        env: Env = spec.make(render_mode=mode)
        return env
    except (DependencyNotInstalled, UnsupportedMode):
        raise
    except Exception as error:
        raise AssertionError(
            f"G517: The environment must be made with render_mode={mode!r}, one of its metadata's, but that raised "
            f"{type(error).__name__}: {error}"
        ) from error


def check_close(env: Env) -> None:
    """Close an environment made anew, twice; warn if the second time raises. Does nothing without a spec."""
    if env.spec is None:
        return
    made = env.spec.make()
    made.close()
    try:
        made.close()
    except Exception as error:
        warn(f"G602: Closing twice must do no harm, but the second close() raised {type(error).__name__}: {error}")
