"""Wrappers with a memory of actions: the environment's next action also depends on earlier ones."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Generic

import numpy as np

from gymnasium.core import ActionWrapper, ActType, Env, ObsType, Wrapper
from gymnasium.error import InvalidBound, InvalidProbability
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._numbers import checked_integer
from gymnasium.wrappers.common import StepResult
from gymnasium.wrappers.utils import checked_state

__all__ = ["RepeatAction", "StickyAction"]

_COUNTERS = ("is_sticky_actions", "num_repeats", "repeats_taken")


class StickyAction(ActionWrapper[ObsType, ActType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Randomly repeats the last action instead of the given one.

    A fixed sequence of actions is then no solution (Machado et al. 2018, JAIR 61, "Revisiting the Arcade Learning
    Environment", section 5). The environment's generator decides.

    Args:
        env: The environment.
        repeat_action_probability: In [0, 1); at each step, unless a repetition is under way.
        repeat_action_duration: The number of steps of a repetition; `(low, high)` draws it, both ends included.

    Raises:
        gymnasium.error.InvalidProbability: If the probability is not in [0, 1).
        ValueError: If the duration is neither a positive int nor a pair of them.
        gymnasium.error.InvalidBound: If its low is greater than its high.
    """

    def __init__(
        self,
        env: Env[ObsType, ActType],
        repeat_action_probability: float,
        repeat_action_duration: int | tuple[int, int] = 1,
    ) -> None:
        if not 0 <= repeat_action_probability < 1:
            raise InvalidProbability(
                f"repeat_action_probability must be at least 0 and less than 1, but {repeat_action_probability} came"
            )
        self.repeat_action_duration_range = _duration(repeat_action_duration)
        RecordConstructorArgs.__init__(
            self,
            repeat_action_probability=repeat_action_probability,
            repeat_action_duration=repeat_action_duration,
        )
        ActionWrapper.__init__(self, env)
        self.repeat_action_probability = repeat_action_probability
        self._forget()

    def _forget(self) -> None:
        self.last_action: ActType | None = None
        self.is_sticky_actions = False
        self.num_repeats = 0
        self.repeats_taken = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; the first action of the episode is never a repetition."""
        result = self.env.reset(seed=seed, options=options)
        self._forget()
        return result

    def action(self, action: ActType) -> ActType:
        """Returns `action`, or the last one."""
        if self.last_action is not None and (self.is_sticky_actions or self._sticks()):
            if self.num_repeats == 0:
                low, high = self.repeat_action_duration_range
                self.num_repeats = int(self.np_random.integers(low, high + 1))
            action = deepcopy(self.last_action)
            self.is_sticky_actions = True
            self.repeats_taken += 1
        else:
            self.last_action = deepcopy(action)  # the caller may reuse the same array
        if self.is_sticky_actions and self.num_repeats == self.repeats_taken:
            self.is_sticky_actions = False
            self.num_repeats = self.repeats_taken = 0
        return action

    def _sticks(self) -> bool:
        return bool(self.np_random.uniform() < self.repeat_action_probability)

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the current repetition, as arrays; `last_action` is left out before there is one.

        Raises:
            TypeError: If the last action is neither an array nor a number.
        """
        state = {name: np.array(getattr(self, name)) for name in _COUNTERS}
        if self.last_action is not None:
            state["last_action"] = np.array(self.last_action)
            if state["last_action"].dtype.kind == "O":
                raise TypeError(f"The last action, {self.last_action!r}, cannot be saved as an array")
        return state

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from the state that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(_COUNTERS, ())
        if "last_action" in state:
            shapes["last_action"] = self.action_space.shape or ()
        arrays = checked_state(state, shapes)
        self.is_sticky_actions = bool(arrays["is_sticky_actions"])
        self.num_repeats, self.repeats_taken = int(arrays["num_repeats"]), int(arrays["repeats_taken"])
        last: Any = arrays.get("last_action")
        self.last_action = last if last is None else last[()]  # a number is not an array


class RepeatAction(Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Repeats each action and adds up the rewards; if the episode ends early, the step ends too.

    Args:
        env: The environment.
        num_repeats: The number of steps per action.

    Raises:
        TypeError: If `num_repeats` is not an integer.
        ValueError: If it is below 1.
    """

    def __init__(self, env: Env[ObsType, ActType], num_repeats: int) -> None:
        self.num_repeats = checked_integer(num_repeats, "num_repeats", at_least=1)
        RecordConstructorArgs.__init__(self, num_repeats=num_repeats)
        Wrapper.__init__(self, env)

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step several times; the observation and the info are the last ones."""
        total = 0.0
        for _ in range(self.num_repeats):
            observation, reward, terminated, truncated, info = self.env.step(action)
            total += float(reward)
            if terminated or truncated:
                break
        return observation, total, terminated, truncated, info


def _duration(value: object) -> tuple[int, int]:
    pair = (value, value) if isinstance(value, int | np.integer) else value
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ValueError(f"repeat_action_duration must be an int or a pair (low, high) of ints, but {value!r} came")
    low, high = pair
    if not all(isinstance(end, int | np.integer) and end >= 1 for end in pair):
        raise ValueError(f"repeat_action_duration must be 1 step or more, in ints, but {value!r} came")
    if low > high:
        raise InvalidBound(f"repeat_action_duration must be (low, high) with low <= high, but {value!r} came")
    return int(low), int(high)
