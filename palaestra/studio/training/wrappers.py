"""The wrappers that `watch` returns: they observe, and change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.specs import EnvSpec
from gymnasium.vector.vector_env import ArrayType, VectorEnv
from palaestra.rollouts.observing import Onlooker
from palaestra.rollouts.record import Rollout
from palaestra.studio.training.monitor import Monitor


class _Transparent:
    """Has the attributes of the environment inside. A copy, or what a pickle makes, is that environment."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "env":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return getattr(object.__getattribute__(self, "env"), name)

    def __reduce__(self) -> Any:
        return _itself, (object.__getattribute__(self, "env"),)


class WatchedEnv(_Transparent, Wrapper[ObsType, ActType, ObsType, ActType]):
    """An environment that is watched.

    Args:
        env: The environment.
        monitor: Notes the steps.
    """

    def __init__(self, env: Env[ObsType, ActType], monitor: Monitor) -> None:
        Wrapper.__init__(self, env)
        self._monitor = monitor

    @property
    def spec(self) -> EnvSpec | None:  # type: ignore[override]  # an attribute of Env, derived here
        """The inner environment's spec, by which nobody is watched."""
        return self.env.spec

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the environment."""
        began = perf_counter()
        result = self.env.reset(seed=seed, options=options)
        self._monitor.note_reset(began, perf_counter(), None)
        return result

    def step(self, action: ActType) -> tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]:
        """Step the environment."""
        began = perf_counter()
        result = self.env.step(action)
        self._monitor.note_step(began, perf_counter(), result[1], result[2:3], result[3:4])
        return result

    def close(self) -> None:
        """Close the environment, and end the run."""
        self.env.close()
        self._monitor.close("closed")


class WatchedVectorEnv(_Transparent, Onlooker[ObsType, ActType, ArrayType]):
    """A batch that is watched.

    Args:
        env: The batch.
        monitor: Notes the steps.
    """

    def __init__(self, env: VectorEnv[ObsType, ActType, ArrayType], monitor: Monitor) -> None:
        Onlooker.__init__(self, env)
        self._monitor = monitor

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset the environments."""
        began = perf_counter()
        result = self.env.reset(seed=seed, options=options)
        mask = options.get("reset_mask") if isinstance(options, dict) else None
        self._monitor.note_reset(began, perf_counter(), mask)
        return result

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step the environments."""
        began = perf_counter()
        result = self.env.step(actions)
        self._monitor.note_step(began, perf_counter(), result[1], result[2], result[3])
        return result

    def send(self, actions: ActType, env_ids: Sequence[int] | NDArray[np.integer] | None = None) -> None:
        """Send actions to some environments."""
        self.env.send(actions, env_ids)

    def recv(
        self, min_envs: int = 1, timeout: float | None = None
    ) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Receive the results of environments that are done."""
        began = perf_counter()
        result = self.env.recv(min_envs, timeout)
        self._monitor.note_rows(began, perf_counter(), result[4]["env_id"], result[1:4])
        return result

    def close(self, **kwargs: Any) -> None:
        """Close the environments, and end the run."""
        self.env.close(**kwargs)
        self._monitor.close("closed")

    def begin_rollout(self) -> None:
        """Note that a rollout begins."""
        self._monitor.begin_rollout()

    def end_rollout(self, rollout: Rollout | None) -> None:
        """Note the steps of a rollout."""
        self._monitor.end_rollout(rollout)


def _itself(env: object) -> Any:
    return env
