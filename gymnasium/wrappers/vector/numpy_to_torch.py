"""Batches of environments written with NumPy, used with PyTorch."""

from __future__ import annotations

import numpy as np

from gymnasium.core import ActType, ObsType
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector.vector_env import ArrayType, VectorEnv
from gymnasium.wrappers.array_conversion import Device, module_name_to_namespace
from gymnasium.wrappers.vector.array_conversion import ArrayConversion

__all__ = ["NumpyToTorch"]

_torch = module_name_to_namespace("torch")


class NumpyToTorch(ArrayConversion[ObsType, ActType, ArrayType]):
    """Lets a vector environment written with NumPy be used with PyTorch.

    Args:
        env: The vector environment.
        device: The device of PyTorch's tensors; None for that of NumPy's arrays.
    """

    def __init__(self, env: VectorEnv, device: Device | None = None) -> None:
        RecordConstructorArgs.__init__(self, device=device)
        ArrayConversion.__init__(self, env, env_xp=np, target_xp=_torch, target_device=device)
