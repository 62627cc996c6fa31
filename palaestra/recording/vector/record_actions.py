"""A record of the actions of a batch, for snapshots of classes that cannot return their state."""

from __future__ import annotations

from typing import Any

from gymnasium.core import ActType, ObsType
from gymnasium.states.log import KeepsLog, Log, noted
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector.vector_env import ArrayType, VectorEnv, VectorWrapper

__all__ = ["RecordActions"]


class RecordActions(KeepsLog, VectorWrapper[ObsType, ActType, ArrayType], RecordConstructorArgs):
    """Remembers the seeds, the options and the actions since the last seeded reset of all environments, in memory.

    `palaestra.snapshot(envs, fallback="replay")` keeps them in place of states that the classes of the environments
    cannot return, and `palaestra.restore` does them again. That is exact if the environments take all their randomness
    from their seeds.

    Raises:
        TypeError: At `reset` or `step`, if options or actions are no plain data. Nothing has moved then.
    """

    def __init__(self, env: VectorEnv) -> None:
        RecordConstructorArgs.__init__(self)
        VectorWrapper.__init__(self, env)
        self.log = Log()

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; with a seed for each environment, the record begins anew."""
        seeds, stored = noted(seed, "the seed"), noted(options, "the options")
        result = self.env.reset(seed=seed, options=options)
        all_seeded = seeds is not None and not (isinstance(seeds, (list, tuple)) and None in seeds)
        self.log.reset(seeds, stored, whole=all_seeded and (options or {}).get("reset_mask") is None)
        return result

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step, and remember the actions."""
        kept = noted(actions, "the actions")
        result = self.env.step(actions)
        self.log.step(kept)
        return result
