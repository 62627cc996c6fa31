"""The last observations stacked into one, for a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gymnasium.core import ActType
from gymnasium.spaces.batching import batch_space
from gymnasium.transforms.stacking import make_stack
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector.vector_env import ArrayType, VectorEnv, VectorWrapper
from gymnasium.wrappers._numbers import checked_integer
from gymnasium.wrappers._saving import checked_observations, saved_observations
from gymnasium.wrappers._stack import checked_padding
from gymnasium.wrappers.vector._episodes import Episodes, Rows
from gymnasium.wrappers.vector._observations import in_form_of, last_observations

__all__ = ["FrameStackObservation"]


class FrameStackObservation(VectorWrapper[Any, ActType, ArrayType], RecordConstructorArgs):
    """Returns the last `stack_size` observations of each environment as one, the oldest first.

    Equals a vector environment of single environments in this wrapper: its arrays are (n, stack_size, ...), in every
    autoreset mode; `infos["final_obs"]` is stacked too.

    Args:
        env: The vector environment.
        stack_size: The number of observations.
        padding_type: The padding before an episode's first observation: `"reset"`, that observation; `"zero"`, zeros,
            or the nearest value in the space; or an observation of a single environment.

    Raises:
        TypeError: If `stack_size` is not an integer.
        ValueError: If it is not positive, or `padding_type` is none of these.
    """

    def __init__(self, env: VectorEnv, stack_size: int, *, padding_type: object = "reset") -> None:
        VectorWrapper.__init__(self, env)
        space = env.single_observation_space
        self.stack_size = checked_integer(stack_size, "stack_size", at_least=1)
        self.padding_type, padding = checked_padding(space, padding_type)
        RecordConstructorArgs.__init__(self, stack_size=stack_size, padding_type=padding_type)
        self.single_observation_space = batch_space(space, self.stack_size)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)
        self._padding = None if self.padding_type == "reset" else padding
        self._stack = make_stack(space, self.stack_size, env.num_envs)
        self._episodes = Episodes(env)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset; the affected environments begin with padding."""
        observations, infos = self.env.reset(seed=seed, options=options)
        self._restart(observations, np.flatnonzero(self._episodes.reset(options)))
        return self._stack.stacked(), infos

    def step(self, actions: ActType) -> tuple[Any, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step, and drop the oldest observations, or all of them where an episode begins."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        _, _, begun = self._episodes.step(terminations, truncations)
        self._stack.push(observations)
        if "final_obs" in infos:
            infos = {**infos, "final_obs": self._finals(infos)}
        if len(begun):
            self._restart(observations, begun)
        return self._stack.stacked(), rewards, terminations, truncations, infos

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the batches of observations, the oldest first, as arrays, and their `count`; and `prev_dones`."""
        observations = saved_observations(self.env.observation_space, self._stack.history())
        return {"prev_dones": self._episodes.finished.copy(), **observations}

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from the state that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        shapes = {"prev_dones": (self.num_envs,)}
        counts = {len(self._stack.history()), self.stack_size}
        observations, arrays = checked_observations(self.env.observation_space, state, shapes, sorted(counts))
        for batch in observations:
            self._stack.push(batch)
        self._episodes.finished = arrays["prev_dones"]

    def _restart(self, observations: object, begun: Rows) -> None:
        rows = None if len(begun) == self.num_envs else begun.tolist()
        self._stack.restart(observations, self._padding, rows)

    def _finals(self, infos: dict[str, Any]) -> Any:
        ended, finals = last_observations(infos, self.env)
        for i in ended:
            finals[i] = self._stack.row(i, finals[i])
        return in_form_of(infos["final_obs"], finals, self.single_observation_space)
