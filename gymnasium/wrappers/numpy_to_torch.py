"""Environments written with NumPy, used with PyTorch."""

from __future__ import annotations

from functools import partial
from typing import Any, Generic

import numpy as np

from gymnasium.core import Env, WrapperActType, WrapperObsType
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers.array_conversion import ArrayConversion, Device, array_conversion, module_name_to_namespace

__all__ = ["NumpyToTorch", "numpy_to_torch", "torch_to_numpy"]

_torch = module_name_to_namespace("torch")

torch_to_numpy = partial(array_conversion, xp=np)
numpy_to_torch = partial(array_conversion, xp=_torch)


class NumpyToTorch(ArrayConversion[WrapperObsType, WrapperActType, Any, Any], Generic[WrapperObsType, WrapperActType]):
    """Lets an environment written with NumPy be used with PyTorch.

    Args:
        env: The environment.
        device: The device of PyTorch's tensors; None for the host, where they share the environment's memory.
    """

    def __init__(self, env: Env, device: Device | None = None) -> None:
        RecordConstructorArgs.__init__(self, device=device)
        ArrayConversion.__init__(self, env, env_xp=np, target_xp=_torch, target_device=device)
