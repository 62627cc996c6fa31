"""A teacher with a fixed plan."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

import numpy as np

from gymnasium.params.base import Distribution
from gymnasium.utils._generators import put_generator
from palaestra.randomization.curricula.teacher import Beginnings, Lesson, Teacher, checked_state, generator_state

__all__ = ["FixedSchedule"]


class FixedSchedule(Teacher):
    """Goes through stages, each from a number of episodes on, which counts those of all environments.

        FixedSchedule({0: {"params": {"length": 0.3}}, 10_000: {"params": {"length": Uniform(0.3, 0.6)}}})

    Args:
        stages: For each number of episodes, from 0 on, the arguments of a `Lesson`: `"params"`, whose values may also
            be distributions of numbers, and `"options"`, one dict for all.
        seed: The seed of the draws.

    Raises:
        TypeError: If the stages, or one of them, are no dict.
        ValueError: If there is no stage from 0 on, or one has other arguments.
    """

    def __init__(self, stages: Mapping[int, Mapping[str, Any]], seed: int = 0) -> None:
        for one in (stages, *(stages.values() if isinstance(stages, Mapping) else ())):
            if not isinstance(one, Mapping):
                raise TypeError(
                    'Stages are a dict from numbers of episodes to dicts, such as {0: {"params": {"length": 0.3}}}, '
                    f"but {one!r} came"
                )
        if 0 not in stages or min(stages) < 0:
            raise ValueError(f"The stages must begin with the episode 0, but begin with {min(stages, default=None)}")
        for stage in stages.values():
            if not stage.keys() <= {"params", "options"}:
                raise ValueError(f"A stage has 'params' and 'options', but {', '.join(map(repr, stage))} came")
            if not isinstance(stage.get("params", {}), Mapping):
                raise TypeError(f"The params of a stage are a dict, but {stage['params']!r} came")
        self.stages = {first: stages[first] for first in sorted(stages)}
        self.begun = 0
        self._rng = np.random.default_rng(seed)

    def begin(self, beginnings: Beginnings) -> Lesson:
        """Returns the lesson of the stage; all environments that begin at one time are in one."""
        firsts = list(self.stages)
        stage = self.stages[firsts[bisect_right(firsts, self.begun) - 1]]
        count = len(beginnings.env_ids)
        params = {name: self._values(value, count) for name, value in stage.get("params", {}).items()}
        self.begun += count
        return Lesson(stage.get("options"), params or None)

    def _values(self, value: object, count: int) -> Any:
        if not isinstance(value, Distribution):
            return value
        return np.array([value.draw(value.bounds, self._rng, self.begun + k) for k in range(count)])

    def get_state(self) -> dict[str, Any]:
        """Returns the number of episodes and the generator's state."""
        return {"begun": self.begun, "generator": generator_state(self._rng)}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a state.

        Raises:
            ValueError: If it is not one of `get_state`.
        """
        checked_state(state, ("begun", "generator"))
        put_generator(self._rng.bit_generator, state["generator"])
        self.begun = int(state["begun"])
