"""Environments written with JAX, used with NumPy."""

from __future__ import annotations

from functools import partial
from typing import Any, Generic

import numpy as np

from gymnasium.core import Env, WrapperActType, WrapperObsType
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers.array_conversion import ArrayConversion, array_conversion, module_name_to_namespace

__all__ = ["JaxToNumpy", "jax_to_numpy", "numpy_to_jax"]

_jax = module_name_to_namespace("jax.numpy")

jax_to_numpy = partial(array_conversion, xp=np)
numpy_to_jax = partial(array_conversion, xp=_jax)


class JaxToNumpy(ArrayConversion[WrapperObsType, WrapperActType, Any, Any], Generic[WrapperObsType, WrapperActType]):
    """Lets an environment written with JAX be used with NumPy.

    JAX arrays converted to NumPy share memory and are read-only.

    Args:
        env: The environment.
    """

    def __init__(self, env: Env) -> None:
        RecordConstructorArgs.__init__(self)
        ArrayConversion.__init__(self, env, env_xp=_jax, target_xp=np)
