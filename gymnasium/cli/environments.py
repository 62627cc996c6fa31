"""Finding and making the environment that a command names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gymnasium.cli.errors import CommandError, described
from gymnasium.cli.families import GAMES, register_games
from gymnasium.cli.policies import find_in_current_folder
from gymnasium.core import Env
from gymnasium.envs._registry.finding import find_spec
from gymnasium.envs.registration import make
from gymnasium.error import Error
from gymnasium.specs import EnvSpec, load_env_creator


def spec_of(env_id: str) -> EnvSpec:
    """Returns the spec of an id, as `make` finds it; `CommandError` if there is none."""
    if ":" in env_id:
        find_in_current_folder()
    elif env_id.startswith(f"{GAMES}/"):
        register_games()
    try:
        return find_spec(env_id)
    except Error as error:
        raise CommandError(str(error)) from error
    except Exception as error:  # whatever the module raises that `module:ID` imports
        raise CommandError(f"{env_id!r} cannot be looked up: {described(error)}") from error


def made(spec: EnvSpec, max_episode_steps: int | None = None, **kwargs: Any) -> Env[Any, Any]:
    """Returns the environment.

    Raises:
        gymnasium.error.Error: If the package itself knows why it cannot be made.
        CommandError: If its constructor fails.
    """
    try:
        return make(spec, max_episode_steps=max_episode_steps, **kwargs)
    except Error:
        raise
    except Exception as error:
        raise CommandError(f"{spec.id!r} cannot be made: {described(error)}", exit_code=1) from error


def creator_of(spec: EnvSpec) -> Callable[..., Any]:
    """Returns what makes one environment.

    Raises:
        gymnasium.error.Error: If there is none in this version of the package.
        CommandError: If there is none at all, or it cannot be loaded.
    """
    if spec.entry_point is None:
        raise CommandError(
            f"{spec.id!r} has no entry_point for a single environment, only for many at once", exit_code=1
        )
    try:
        return load_env_creator(spec.entry_point) if isinstance(spec.entry_point, str) else spec.entry_point
    except Error:
        raise
    except Exception as error:  # whatever its module raises
        raise CommandError(f"{spec.id!r} cannot be made: {described(error)}", exit_code=1) from error


def check_render_mode(spec: EnvSpec, mode: str, option: str) -> None:
    """Raises `CommandError` if the environment says that it cannot render in `mode`, which `option` asks for."""
    metadata = getattr(creator_of(spec), "metadata", None)
    modes = metadata.get("render_modes") if isinstance(metadata, dict) else None
    if modes is None or mode in modes or (mode == "human" and "rgb_array" in modes):
        return
    raise CommandError(f"{option} needs the render mode {mode!r}, but {spec.id!r} has {', '.join(modes) or 'none'}")
