"""Finding and making the environment of a command, with its arguments and wrappers."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gymnasium.core import Env
from gymnasium.envs._registry.dynamics import is_dynamics, runnable
from gymnasium.envs._registry.finding import find_spec
from gymnasium.envs._registry.suggestions import TO_REGISTER
from gymnasium.envs.registration import make, make_vec
from gymnasium.error import Error
from gymnasium.specs import EnvSpec, load_env_creator
from gymnasium.vector.vector_env import VectorEnv
from palaestra.cli.arguments import WrapperName
from palaestra.cli.errors import CommandError, described
from palaestra.cli.families import register_games
from palaestra.cli.policies import find_in_current_folder, load_attribute
from palaestra.recording import RecordReplays

_MAKE_LINE = re.compile(r'`gymnasium\.make\("(.*?)"\)`')


def spec_of(env_id: str) -> EnvSpec:
    """Returns the spec of an id, like `make`, or of a class that `module:Class` names.

    Raises:
        CommandError: If there is none.
    """
    if ":" in env_id:
        find_in_current_folder()
    try:
        try:
            return find_spec(env_id)
        except Error:
            own = spec_of_class(env_id)
            if own is not None:
                return own
            if not register_games():
                raise
            return find_spec(env_id)
    except Error as error:
        raise CommandError(_for_a_shell(str(error))) from error
    except Exception as error:  # the module imported by `module:ID` may raise anything
        raise CommandError(f"{env_id!r} cannot be looked up: {described(error)}") from error


def class_of(name: str) -> Any:
    """Returns the class of an `Env` or a `FuncEnv` that `module:Class` names; None if it names neither."""
    module, _, attribute = name.partition(":")
    if not all(part.isidentifier() for part in [*module.split("."), attribute]):
        return None
    find_in_current_folder()
    try:
        found = load_env_creator(name)
    except Exception:  # the module may raise anything; the name may also be an id
        return None
    return found if is_dynamics(found) or (isinstance(found, type) and issubclass(found, Env)) else None


def spec_of_class(name: str) -> EnvSpec | None:
    """Returns the spec of the class that `module:Class` names, as if it were registered; None if there is none."""
    found = class_of(name)
    if found is None:
        return None
    return EnvSpec(name.partition(":")[2], name, vector_entry_point=name if is_dynamics(found) else None)


def _for_a_shell(text: str) -> str:
    """Returns a message of `make` with commands in the place of lines of Python."""
    text = _MAKE_LINE.sub(r"\1", text).replace("gymnasium.pprint_registry()", "`palaestra list`")
    return text.replace(TO_REGISTER, "name the module that registers it, `module:ID`")


class RequestedEnv(NamedTuple):
    """The environment of a command.

    Attributes:
        spec: The spec of the id.
        kwargs: Arguments of `make`.
        wrappers: The wrappers around it, from the inside out.
    """

    spec: EnvSpec
    kwargs: Mapping[str, Any]
    wrappers: Sequence[Callable[[Any], Any]]

    def made(self, max_episode_steps: int | None = None, render_mode: str | None = None) -> Env:
        """Returns the environment.

        If its constructor takes no `render_mode`, it gets the mode as its attribute.

        Raises:
            gymnasium.error.Error: If the package itself explains why the environment cannot be made.
            CommandError: If its constructor fails, or that of a wrapper.
        """
        kwargs = self._arguments(max_episode_steps, render_mode)
        try:
            env = make(self.spec, **kwargs)
            if render_mode is not None and "render_mode" not in kwargs:
                env.unwrapped.render_mode = render_mode
            for wrapper in self.wrappers:
                env = wrapper(env)
        except (Error, CommandError):
            raise
        except Exception as error:
            raise CommandError(f"{self.spec.id!r} cannot be made: {described(error)}", exit_code=1) from error
        return env

    def recorded(self, folder: Path, keep_unfinished: bool = False) -> RequestedEnv:
        """Returns the environment with a recorder of replays around it."""

        def record(env: Any) -> Any:
            return RecordReplays(env, folder, _prefix(env.spec), keep_unfinished=keep_unfinished)

        return self._replace(wrappers=[*self.wrappers, record])

    def made_vec(
        self, num_envs: int, mode: str | None, max_episode_steps: int | None = None, render_mode: str | None = None
    ) -> VectorEnv:
        """Returns a batch of it; raises the exceptions of `make_vec`."""
        kwargs = self._arguments(max_episode_steps, render_mode)
        return make_vec(self.spec, num_envs, mode, wrappers=self.wrappers, **kwargs)

    def _arguments(self, max_episode_steps: int | None, render_mode: str | None) -> dict[str, Any]:
        kwargs = dict(self.kwargs)
        if max_episode_steps is not None:
            kwargs["max_episode_steps"] = max_episode_steps
        if render_mode is not None and _takes_render_mode(creator_of(self.spec)):
            kwargs["render_mode"] = render_mode
        return kwargs

    def render_modes(self) -> list[str]:
        """Returns the render modes listed by the environment."""
        metadata = getattr(creator_of(self.spec), "metadata", None)
        return list(metadata.get("render_modes", ())) if isinstance(metadata, dict) else []


def requested_env(env_id: str, kwargs: Sequence[tuple[str, Any]], wrappers: Sequence[WrapperName]) -> RequestedEnv:
    """Returns the environment of the options `ID`, `-k` and `--wrapper`.

    Raises:
        CommandError: If the id is unknown, or a wrapper cannot be found.
    """
    return RequestedEnv(spec_of(env_id), dict(kwargs), [_Wrapping(wrapper) for wrapper in wrappers])


def recorded_batch(envs: VectorEnv, folder: Path) -> VectorEnv:
    """Returns a batch with a recorder of replays around it.

    Raises:
        CommandError: If its environments cannot be replayed.
    """
    from palaestra.recording.vector import RecordReplays

    try:
        return RecordReplays(envs, folder, _prefix(envs.spec))
    except ValueError as error:
        envs.close()
        raise CommandError(f"--record: {error}", exit_code=1) from error


def _prefix(spec: EnvSpec | None) -> str:
    return "episode" if spec is None else spec.id.rpartition("/")[2]


class _Wrapping:
    """Puts a wrapper around an environment; it can be pickled for worker processes."""

    def __init__(self, wrapper: WrapperName) -> None:
        self._make = load_attribute(wrapper.module, wrapper.name, f"--wrapper {wrapper.name}")
        self._kwargs = wrapper.kwargs

    def __call__(self, env: object) -> Any:
        """Returns the environment with the wrapper around it."""
        return self._make(env, **self._kwargs)

    def __repr__(self) -> str:
        """Returns the name of the wrapper."""
        return self._make.__name__


def creator_of(spec: EnvSpec) -> Callable[..., Any]:
    """Returns the constructor of one environment.

    Raises:
        gymnasium.error.Error: If there is none in this version of the package.
        CommandError: If there is none at all, or it cannot be loaded.
    """
    if spec.entry_point is None:
        raise CommandError(
            f"{spec.id!r} has no entry_point for a single environment, only for many at once", exit_code=1
        )
    try:
        found = load_env_creator(spec.entry_point) if isinstance(spec.entry_point, str) else spec.entry_point
        return runnable(found)
    except Error:
        raise
    except Exception as error:  # its module may raise anything
        raise CommandError(f"{spec.id!r} cannot be made: {described(error)}", exit_code=1) from error


def _takes_render_mode(creator: Callable[..., Any]) -> bool:
    """Returns whether a constructor has that argument; True if its signature is unknown."""
    try:
        parameters = inspect.signature(creator).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(parameter.name == "render_mode" or parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
