"""Vector environments: many copies of an environment that step together."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gymnasium.utils._missing import missing_name
from gymnasium.vector import utils
from gymnasium.vector.vector_env import (
    AutoresetMode,
    VectorActionWrapper,
    VectorEnv,
    VectorObservationWrapper,
    VectorRewardWrapper,
    VectorWrapper,
)

if TYPE_CHECKING:
    from gymnasium.vector.async_vector_env import AsyncVectorEnv
    from gymnasium.vector.sync_vector_env import SyncVectorEnv

__all__ = [
    "AsyncVectorEnv",
    "AutoresetMode",
    "SyncVectorEnv",
    "VectorActionWrapper",
    "VectorEnv",
    "VectorObservationWrapper",
    "VectorRewardWrapper",
    "VectorWrapper",
    "utils",
]

# Many programs use neither, so each is imported on first access.
_LATE = {"AsyncVectorEnv": "async_vector_env", "SyncVectorEnv": "sync_vector_env"}

_GONE = {
    "make": "`gymnasium.make_vec(id, num_envs=n)`",
    "VectorEnvWrapper": "`gymnasium.vector.VectorWrapper`",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _LATE:
            return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
        if name in _LATE.values():
            return import_module(f"{__name__}.{name}")
        raise missing_name(__name__, name, _GONE.get(name))


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE, *_LATE.values()})
