"""Where the environment of a player comes from: made from its spec as often as its arguments change, or given.

Replays, which have a past already, are in `recorded.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from gymnasium.core import Env
from gymnasium.envs._registry.dynamics import runnable
from gymnasium.envs.registration import make
from gymnasium.specs import EnvSpec, load_env_creator
from palaestra.studio.forms import arguments_of
from palaestra.studio.session import Session

_LIMIT = "max_episode_steps"


class Origin(Protocol):
    """A source of environments."""

    def fields(self) -> list[dict[str, Any]]:
        """Returns the fields of the form of arguments."""

    def made(self, arguments: Mapping[str, Any]) -> Env:
        """Returns the environment with these arguments; raises whatever its constructor raises."""

    def kwargs(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the arguments of `make` that a program needs for the same."""

    def prepare(self, session: Session) -> None:
        """Bring a new session to where it is to begin."""

    def begins_with_seed(self) -> bool:
        """Returns whether a reset with the seed of a branch is how it begins."""

    def takes_constants(self) -> bool:
        """Returns whether the params of the environment may be changed."""


class Registered(NamedTuple):
    """An environment of the registry.

    Attributes:
        spec: Its spec.
        given: Arguments of `make`.
        wrappers: Wrappers to put around it, from the inside out.
    """

    spec: EnvSpec
    given: Mapping[str, Any] = {}
    wrappers: Sequence[Callable[[Any], Any]] = ()

    def fields(self) -> list[dict[str, Any]]:
        """Returns the fields of the form of arguments."""
        fields = arguments_of(creator_of(self.spec), {**self.spec.kwargs, **self.given})
        limit = self.given.get(_LIMIT, self.spec.max_episode_steps)
        if limit is not None:
            text = "The number of steps after which an episode is truncated."
            fields.append({"name": _LIMIT, "value": limit, "text": text, "kind": "whole"})
        return fields

    def made(self, arguments: Mapping[str, Any]) -> Env:
        """Returns the environment, which draws pictures if it can, or else texts."""
        env = make(self.spec, **{**self.given, **arguments, **drawing(self.spec)})
        for wrapper in self.wrappers:
            env = wrapper(env)
        return env

    def kwargs(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the arguments that differ from those registered with the id."""
        return {**self.given, **arguments}

    def prepare(self, session: Session) -> None:
        """Leave it at the beginning of an episode."""

    def begins_with_seed(self) -> bool:
        """Returns True."""
        return True

    def takes_constants(self) -> bool:
        """Returns True."""
        return True


class Given(NamedTuple):
    """An environment that a program has made."""

    env: Env

    def fields(self) -> list[dict[str, Any]]:
        """Returns no fields: its arguments have been chosen."""
        return []

    def made(self, arguments: Mapping[str, Any]) -> Env:
        """Returns the environment itself."""
        return self.env

    def kwargs(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the arguments of its spec, without the render mode."""
        kwargs = {} if self.env.spec is None else self.env.spec.kwargs
        return {name: value for name, value in kwargs.items() if name != "render_mode"}

    def prepare(self, session: Session) -> None:
        """Leave it at the beginning of an episode."""

    def begins_with_seed(self) -> bool:
        """Returns True."""
        return True

    def takes_constants(self) -> bool:
        """Returns False: they have been chosen."""
        return False


def drawing(spec: EnvSpec) -> dict[str, str]:
    """Returns the argument with which an environment draws pictures if it can, or else texts; or none."""
    metadata = getattr(creator_of(spec), "metadata", None)
    modes = metadata.get("render_modes", ()) if isinstance(metadata, dict) else ()
    return next(({"render_mode": mode} for mode in ("rgb_array", "ansi") if mode in modes), {})


def creator_of(spec: EnvSpec) -> Callable[..., Any]:
    """Returns the constructor of an environment; raises whatever its import raises."""
    point = spec.entry_point
    return runnable(load_env_creator(point) if isinstance(point, str) else point)
