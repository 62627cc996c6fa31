"""An environment without `get_state`, in a module that worker processes import quickly."""

from __future__ import annotations

from typing import Any

import numpy as np

import gymnasium


class Own(gymnasium.Env[Any, Any]):
    """Somebody's environment without get_state: a walk whose steps depend on all earlier ones."""

    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (), np.float64)
    action_space = gymnasium.spaces.Discrete(3)

    def __init__(self) -> None:
        self.steps_of_all_episodes = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        if seed is not None:
            self.steps_of_all_episodes = 0
        self.place = self.np_random.normal() + (options or {}).get("offset", 0.0)
        return np.array(self.place), {}

    def step(self, action: Any) -> Any:
        self.steps_of_all_episodes += 1
        self.place += (action - 1) * self.np_random.normal() / self.steps_of_all_episodes
        return np.array(self.place), float(self.place), bool(abs(self.place) > 2), False, {}
