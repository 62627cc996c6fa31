"""Conversion of values between array libraries: NumPy, PyTorch, JAX, and all others that support DLPack.

Only this module imports the array libraries, by name.
"""

from __future__ import annotations

import importlib
import numbers
from collections.abc import Iterable, Mapping
from functools import singledispatch
from types import ModuleType
from typing import Any, Generic, TypeAlias

import numpy as np

from gymnasium.core import ActType, Env, ObsType, RenderFrame, Wrapper, WrapperActType, WrapperObsType
from gymnasium.dependencies import not_installed
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers.common import StepResult

__all__ = ["ArrayConversion", "array_conversion"]

Array: TypeAlias = Any  # an array of any library
Device: TypeAlias = Any  # a device of that library


def module_namespace(xp: ModuleType) -> ModuleType:
    """Returns the array API of the library `xp`: that of `array_api_compat` if it is installed, else `xp` itself.

    Raises:
        ValueError: If it lacks the functions `asarray` and `from_dlpack` of the array API.
    """
    if not all(callable(getattr(xp, name, None)) for name in ("asarray", "from_dlpack")):
        raise ValueError(
            f"An array library needs the functions `asarray` and `from_dlpack` of the array API, but {xp!r} came; "
            "give a module such as numpy, torch or jax.numpy"
        )
    try:
        from array_api_compat import array_namespace
    except ImportError:
        return xp
    try:
        namespace: ModuleType = array_namespace(xp.empty(0))
    except (AttributeError, TypeError):  # array_api_compat does not know the library
        return xp
    return namespace


def module_name_to_namespace(name: str) -> ModuleType:
    """Returns the array library of this name, such as `"jax.numpy"`.

    Raises:
        gymnasium.error.DependencyNotInstalled: If it cannot be imported.
        ValueError: If it is not an array library.
    """
    try:
        return module_namespace(importlib.import_module(name))
    except ImportError as reason:
        library = name.partition(".")[0]
        raise not_installed(name, "the conversion of arrays", reason, library) from reason


@singledispatch
def array_conversion(value: object, xp: ModuleType, device: Device | None = None) -> Any:
    """Returns `value` with numbers and arrays as arrays of the library `xp`, on `device`; the rest is unchanged.

    Arrays are passed by DLPack: memory is shared if both libraries can use it, and copied otherwise. Containers keep
    their type; text and None are unchanged. Other types can be registered.

    Raises:
        TypeError: For a value of an unknown type.
    """
    if hasattr(value, "__dlpack__"):
        return _converted(value, xp, device)
    raise TypeError(
        f"Numbers, arrays and containers of them can become arrays of {xp.__name__}, but a {type(value)} came; "
        "register it with array_conversion.register"
    )


@array_conversion.register(type(None))
@array_conversion.register(str)
@array_conversion.register(bytes)
def _same(value: object, xp: ModuleType, device: Device | None = None) -> Any:
    return value


@array_conversion.register(numbers.Number)
def _number(value: object, xp: ModuleType, device: Device | None = None) -> Array:
    return xp.asarray(value) if device is None else xp.asarray(value, device=device)


@array_conversion.register(np.generic)
def _numpy_scalar(value: object, xp: ModuleType, device: Device | None = None) -> Array:
    return array_conversion(np.asarray(value), xp, device)


@array_conversion.register(np.ndarray)
def _numpy_array(value: np.ndarray, xp: ModuleType, device: Device | None = None) -> Array:
    if value.dtype.kind == "O":  # as in the infos of vector environments
        converted = np.empty_like(value)
        for i in np.ndindex(value.shape):
            converted[i] = array_conversion(value[i], xp, device)
        return converted
    if value.dtype.kind not in "biufc" or (device is None and _name(xp) == "numpy"):
        return value
    exportable = value
    # Other libraries do not support read-only memory or negative strides: PyTorch even crashes.
    if not (value.flags.writeable and value.flags.c_contiguous and value.dtype.isnative):
        exportable = value.astype(value.dtype.newbyteorder("="), order="C")
    return _converted(exportable, xp, device)


@array_conversion.register(Mapping)
def _mapping(value: Mapping[Any, Any], xp: ModuleType, device: Device | None = None) -> Any:
    pairs = [(key, array_conversion(part, xp, device)) for key, part in value.items()]
    make: Any = type(value)
    return make(pairs)


@array_conversion.register(Iterable)
def _iterable(value: Iterable[object], xp: ModuleType, device: Device | None = None) -> Any:
    if hasattr(value, "__dlpack__"):
        return _converted(value, xp, device)
    parts = (array_conversion(part, xp, device) for part in value)
    make: Any = type(value)
    return make._make(parts) if hasattr(value, "_make") else make(parts)


def _converted(value: object, xp: ModuleType, device: Device | None) -> Array:
    """Returns an array of another library, in the same memory if possible."""
    if hasattr(value, "detach"):  # PyTorch does not export tensors that require gradients
        value = value.detach()
    where = {} if device is None else {"device": device}
    try:
        return xp.from_dlpack(value, **where)
    except (TypeError, ValueError, BufferError, RuntimeError):  # each library refuses in its own way
        # `cpu` is PyTorch's; arrays of other libraries move to the host by themselves.
        return xp.asarray(np.array(value.cpu() if hasattr(value, "cpu") else value), **where)


class Conversion(RecordConstructorArgs):
    """Both directions between the library of an environment and another; modules pickle by name."""

    def _prepare(
        self,
        env_xp: ModuleType | str,
        target_xp: ModuleType | str,
        env_device: Device | None,
        target_device: Device | None,
    ) -> None:
        self._env_xp, self._target_xp = _library(env_xp), _library(target_xp)
        self._env_device, self._target_device = env_device, target_device
        # By name, because specs are copied and written to files, and modules cannot be.
        RecordConstructorArgs.__init__(
            self,
            env_xp=_name(self._env_xp),
            target_xp=_name(self._target_xp),
            env_device=env_device,
            target_device=target_device,
            _disable_deepcopy=True,
        )

    def _to_env(self, value: object) -> Any:
        return array_conversion(value, xp=self._env_xp, device=self._env_device)

    def _to_target(self, value: object) -> Any:
        return array_conversion(value, xp=self._target_xp, device=self._target_device)

    def __getstate__(self) -> dict[str, Any]:
        """Returns the attributes, with the libraries as names."""
        return {**self.__dict__, "_env_xp": _name(self._env_xp), "_target_xp": _name(self._target_xp)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores the attributes."""
        self.__dict__.update(state)
        self._env_xp, self._target_xp = _library(state["_env_xp"]), _library(state["_target_xp"])


def _library(xp: ModuleType | str) -> ModuleType:
    return module_name_to_namespace(xp) if isinstance(xp, str) else module_namespace(xp)


def _name(xp: ModuleType) -> str:
    return xp.__name__.removeprefix("array_api_compat.")


class ArrayConversion(
    Conversion,
    Wrapper[WrapperObsType, WrapperActType, ObsType, ActType],
    Generic[WrapperObsType, WrapperActType, ObsType, ActType],
):
    """Lets an environment written with one array library be used with another.

    Actions and reset options become arrays of the environment's library; observations, infos and pictures become
    arrays of the other. Rewards are floats and flags bools. The spaces are unchanged.

    Args:
        env: The environment.
        env_xp: The library that the environment uses, such as `jax.numpy`; the module or its name.
        target_xp: The library to use it with.
        env_device: The device of the environment's arrays; None for that library's choice.
        target_device: The device of the converted arrays.

    Raises:
        ValueError: If a library is not an array library.
        gymnasium.error.DependencyNotInstalled: If a library given by name cannot be imported.
    """

    def __init__(
        self,
        env: Env[ObsType, ActType],
        env_xp: ModuleType | str,
        target_xp: ModuleType | str,
        env_device: Device | None = None,
        target_device: Device | None = None,
    ) -> None:
        self._prepare(env_xp, target_xp, env_device, target_device)
        Wrapper.__init__(self, env)

    def step(self, action: WrapperActType) -> StepResult[WrapperObsType]:
        """Step with the converted action, and convert the results."""
        observation, reward, terminated, truncated, info = self.env.step(self._to_env(action))
        return (
            self._to_target(observation), float(reward), bool(terminated), bool(truncated), self._to_target(info)
        )  # fmt: skip

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[WrapperObsType, dict[str, Any]]:
        """Reset with the converted options, and convert the results."""
        observation, info = self.env.reset(seed=seed, options=self._to_env(options))
        return self._to_target(observation), self._to_target(info)

    def render(self) -> RenderFrame | list[RenderFrame] | None:
        """Render, and convert the picture."""
        rendered: RenderFrame | list[RenderFrame] | None = self._to_target(self.env.render())
        return rendered
