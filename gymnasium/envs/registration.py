"""Registering, finding and making environments."""

from __future__ import annotations

from collections.abc import Callable as Callable  # the type hints of the specs are resolved here
from typing import TYPE_CHECKING, Any, Protocol

from gymnasium.core import Env
from gymnasium.envs._registry import registering
from gymnasium.envs._registry.finding import find_highest_version as find_highest_version
from gymnasium.envs._registry.finding import find_spec as _find_spec  # noqa: F401  # RLlib takes it from here
from gymnasium.envs._registry.finding import spec
from gymnasium.envs._registry.making import make
from gymnasium.envs._registry.printing import pprint_registry
from gymnasium.envs._registry.registering import namespace as namespace
from gymnasium.envs._registry.registering import register, register_envs
from gymnasium.envs._registry.vector_making import VectorizeMode, make_vec
from gymnasium.specs import ENV_ID_RE as ENV_ID_RE
from gymnasium.specs import EnvSpec, WrapperSpec, registry
from gymnasium.specs import get_env_id as get_env_id
from gymnasium.specs import load_env_creator as load_env_creator
from gymnasium.specs import parse_env_id as parse_env_id

if TYPE_CHECKING:
    from gymnasium.vector.vector_env import VectorEnv

__all__ = [
    "EnvSpec",
    "VectorizeMode",
    "WrapperSpec",
    "current_namespace",
    "make",
    "make_vec",
    "pprint_registry",
    "register",
    "register_envs",
    "registry",
    "spec",
]

current_namespace: str | None
"""The namespace of the surrounding `with namespace(...)`, or None."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name == "current_namespace":
            return registering.current_namespace
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class EnvCreator(Protocol):
    """The type of an `entry_point`: it makes an environment."""

    def __call__(self, **kwargs: Any) -> Env:
        """Returns a new environment."""
        ...


class VectorEnvCreator(Protocol):
    """The type of a `vector_entry_point`: it makes a vector environment."""

    def __call__(self, num_envs: int, **kwargs: Any) -> VectorEnv:
        """Returns a new vector environment of `num_envs` copies."""
        ...
