"""Wrappers that only observe: a rollout passes around them, so that they do not prevent fast ways of collecting."""

from __future__ import annotations

from typing import Any

from gymnasium.core import ActType, ObsType
from gymnasium.vector.vector_env import ArrayType, VectorEnv, VectorWrapper
from palaestra.rollouts.record import Rollout


class Onlooker(VectorWrapper[ObsType, ActType, ArrayType]):
    """A wrapper that changes nothing. As the outermost, it is told of rollouts."""

    def begin_rollout(self) -> None:
        """Note that a rollout begins."""
        raise NotImplementedError(f"{self} does not implement `begin_rollout`")

    def end_rollout(self, rollout: Rollout | None) -> None:
        """Note the steps of a rollout; None if it called `step` and `reset` of this wrapper, or failed."""
        raise NotImplementedError(f"{self} does not implement `end_rollout`")


def opened(envs: VectorEnv[Any, Any, Any]) -> tuple[VectorEnv[Any, Any, Any], list[Onlooker[Any, Any, Any]]]:
    """Returns the environments inside the outermost onlookers, and these."""
    onlookers: list[Onlooker[Any, Any, Any]] = []
    while isinstance(envs, Onlooker):
        onlookers.append(envs)
        envs = envs.env
    return envs, onlookers
