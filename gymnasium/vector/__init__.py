"""Vector environments: many copies of an environment that step together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gymnasium.utils._missing import missing_name
from gymnasium.vector import utils
from gymnasium.vector.async_vector_env import AsyncVectorEnv
from gymnasium.vector.sync_vector_env import SyncVectorEnv
from gymnasium.vector.vector_env import (
    AutoresetMode,
    VectorActionWrapper,
    VectorEnv,
    VectorObservationWrapper,
    VectorRewardWrapper,
    VectorWrapper,
)

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

_GONE = {
    "make": "`gymnasium.make_vec(id, num_envs=n)`",
    "VectorEnvWrapper": "`gymnasium.vector.VectorWrapper`",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise missing_name(__name__, name, _GONE.get(name))
