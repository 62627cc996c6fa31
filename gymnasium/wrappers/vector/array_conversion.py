"""Batches of environments written with one array library, used with another."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gymnasium.core import ActType, ObsType
from gymnasium.vector.vector_env import ArrayType, VectorEnv, VectorWrapper
from gymnasium.wrappers.array_conversion import Conversion, Device

__all__ = ["ArrayConversion"]


class ArrayConversion(Conversion, VectorWrapper[ObsType, ActType, ArrayType]):
    """Lets a vector environment written with one array library be used with another.

    Like the `ArrayConversion` of a single environment, except that the rewards and flags are arrays too. Infos that are
    arrays of objects, such as `infos["final_obs"]`, stay so, with the objects converted.

    Args:
        env: The vector environment.
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
        env: VectorEnv,
        env_xp: ModuleType | str,
        target_xp: ModuleType | str,
        env_device: Device | None = None,
        target_device: Device | None = None,
    ) -> None:
        self._prepare(env_xp, target_xp, env_device, target_device)
        VectorWrapper.__init__(self, env)

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step with the converted actions, and convert the results."""
        result: tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]] = self._to_target(
            self.env.step(self._to_env(actions))
        )
        return result

    def _check_step(self, actions: object) -> None:
        self.env._check_step(None)

    def _check_reset_with(self, seed: object, options: object) -> None:
        self.env._check_reset_with(seed, self._to_env(options))

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset with the converted options, and convert the results."""
        result: tuple[ObsType, dict[str, Any]] = self._to_target(
            self.env.reset(seed=seed, options=self._to_env(options))
        )
        return result

    def render(self) -> Any:
        """Render, and convert the pictures."""
        return self._to_target(self.env.render())
