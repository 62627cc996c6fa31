"""Batches of environments written with JAX, used with NumPy."""

from __future__ import annotations

import numpy as np

from gymnasium.core import ActType, ObsType
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector.vector_env import ArrayType, VectorEnv
from gymnasium.wrappers.array_conversion import module_name_to_namespace
from gymnasium.wrappers.vector.array_conversion import ArrayConversion

__all__ = ["JaxToNumpy"]

_jax = module_name_to_namespace("jax.numpy")


class JaxToNumpy(ArrayConversion[ObsType, ActType, ArrayType]):
    """Lets a vector environment written with JAX be used with NumPy.

    Args:
        env: The vector environment.
    """

    def __init__(self, env: VectorEnv) -> None:
        RecordConstructorArgs.__init__(self)
        ArrayConversion.__init__(self, env, env_xp=_jax, target_xp=np)
