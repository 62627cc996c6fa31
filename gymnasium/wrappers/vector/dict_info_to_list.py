"""Infos as a list of one dict for each environment."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.core import ActType, ObsType
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector._batch.trees import host
from gymnasium.vector.vector_env import ArrayType, VectorEnv, VectorWrapper

__all__ = ["DictInfoToList"]


class DictInfoToList(VectorWrapper[ObsType, ActType, ArrayType], RecordConstructorArgs):
    """Turns the infos, a dict of arrays with masks, into a list of n dicts, as of single environments.

    A wrapper that reads infos goes inside this one.

    Args:
        env: The vector environment.

    Raises:
        AssertionError: At `reset` or `step`, if the infos are not a dict of arrays of n values.
    """

    def __init__(self, env: VectorEnv) -> None:
        RecordConstructorArgs.__init__(self)
        VectorWrapper.__init__(self, env)

    def reset(  # type: ignore[override]  # the infos have another type: this is the purpose of the wrapper
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, list[dict[str, Any]]]:
        """Reset, and return a list of infos."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return observations, self._convert_info_to_list(infos)

    def step(  # type: ignore[override]  # likewise
        self, actions: ActType
    ) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, list[dict[str, Any]]]:
        """Step, and return a list of infos."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        return observations, rewards, terminations, truncations, self._convert_info_to_list(infos)

    def _convert_info_to_list(self, infos: object) -> list[dict[str, Any]]:
        """Returns the dict of each environment; a key with a mask is included where the mask is True."""
        if not isinstance(infos, dict):
            raise AssertionError(f"DictInfoToList takes a dict of infos apart, but a {type(infos).__name__} came")
        rows: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for key, values in infos.items():
            if key.startswith("_"):  # the mask of another key
                continue
            mask = infos.get(f"_{key}")
            each = self._convert_info_to_list(values) if isinstance(values, dict) else self._checked(key, values)
            for i in range(self.num_envs) if mask is None else np.flatnonzero(host(mask)):
                rows[i][key] = each[i]
        return rows

    def _checked(self, key: str, values: Any) -> Any:
        values = host(values) if hasattr(values, "__array__") else values  # also of JAX
        if not isinstance(values, np.ndarray) or np.shape(values)[:1] != (self.num_envs,):
            raise AssertionError(
                f"infos[{key!r}] must be an array of {self.num_envs} values, but a {type(values).__name__} of shape "
                f"{np.shape(values)} came"
            )
        return values
