"""Environments written with JAX, used with PyTorch."""

from __future__ import annotations

from functools import partial
from typing import Any, Generic

from gymnasium.core import Env, WrapperActType, WrapperObsType
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers.array_conversion import ArrayConversion, Device, array_conversion, module_name_to_namespace

__all__ = ["JaxToTorch", "jax_to_torch", "torch_to_jax"]

_jax = module_name_to_namespace("jax.numpy")
_torch = module_name_to_namespace("torch")

torch_to_jax = partial(array_conversion, xp=_jax)
jax_to_torch = partial(array_conversion, xp=_torch)


class JaxToTorch(ArrayConversion[WrapperObsType, WrapperActType, Any, Any], Generic[WrapperObsType, WrapperActType]):
    """Lets an environment written with JAX be used with PyTorch, on an accelerator without a copy to the host.

    Args:
        env: The environment.
        device: The device of PyTorch's tensors; None for that of JAX's arrays.
    """

    def __init__(self, env: Env, device: Device | None = None) -> None:
        RecordConstructorArgs.__init__(self, device=device)
        ArrayConversion.__init__(self, env, env_xp=_jax, target_xp=_torch, target_device=device)
