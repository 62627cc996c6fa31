"""A record of actions, for snapshots of classes that cannot return their state."""

from __future__ import annotations

from typing import Any, Generic

from gymnasium.core import ActType, Env, ObsType, Wrapper
from gymnasium.states.log import KeepsLog, Log, noted
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers.common import StepResult

__all__ = ["RecordActions"]


class RecordActions(
    KeepsLog, Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]
):
    """Remembers the seed, the options and the actions since the last seeded reset, in memory.

    `palaestra.snapshot(env, fallback="replay")` keeps them in place of a state that the class of the environment cannot
    tell, and `palaestra.restore` does them again. That is exact if the environment takes all its randomness from its
    seed.

    Raises:
        TypeError: At `reset` or `step`, if options or actions are no plain data. Nothing has moved then.
    """

    def __init__(self, env: Env[ObsType, ActType]) -> None:
        RecordConstructorArgs.__init__(self)
        Wrapper.__init__(self, env)
        self.log = Log()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; with a seed, the record begins anew."""
        stored = noted(options, "the options")
        result = self.env.reset(seed=seed, options=options)
        self.log.reset(seed, stored, whole=seed is not None)
        return result

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step, and remember the action."""
        kept = noted(action, "the action")
        result = self.env.step(action)
        self.log.step(kept)
        return result
