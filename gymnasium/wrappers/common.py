"""Wrappers that leave observations, actions and rewards alone: limits, order, checks and statistics.

`gymnasium.make` puts `TimeLimit<OrderEnforcing<PassiveEnvChecker<...>>>` around every environment, so a `step` here
is a hot path: one call, and at most the test of a flag.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Generic, SupportsFloat, TypeAlias

import numpy as np

from gymnasium.core import ActType, Env, ObsType, RenderFrame, Wrapper
from gymnasium.error import ResetNeeded
from gymnasium.logger import warn
from gymnasium.specs import EnvSpec
from gymnasium.utils._missing import without_mode
from gymnasium.utils.passive_env_checker import (
    check_action_space,
    check_observation_space,
    env_data_reuse_passive_checker,
    env_render_passive_checker,
    env_reset_passive_checker,
    env_step_passive_checker,
)
from gymnasium.utils.passive_env_checker._starts import SeededStarts
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.wrappers._fields import FieldWrapper
from gymnasium.wrappers._numbers import checked_length
from gymnasium.wrappers._queues import as_added, queue_shapes, refill
from gymnasium.wrappers.utils import checked_state

__all__ = ["Autoreset", "OrderEnforcing", "PassiveEnvChecker", "RecordEpisodeStatistics", "TimeLimit"]

_SUMS = ("episode_count", "episode_returns", "episode_lengths", "episode_times")

StepResult: TypeAlias = tuple[ObsType, SupportsFloat, bool, bool, dict[str, Any]]


class TimeLimit(FieldWrapper[ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Truncates an episode after `max_episode_steps` steps.

    A step that both ends the task and reaches the limit is terminated and truncated.

    Raises:
        TypeError: If `max_episode_steps` is not an `int`; at `step`, if there was no `reset`.
        ValueError: If `max_episode_steps` is not positive.
    """

    def __init__(self, env: Env[ObsType, ActType], max_episode_steps: int) -> None:
        if not isinstance(max_episode_steps, int):
            raise TypeError(
                f"max_episode_steps must be an int, but {max_episode_steps!r} (of type "
                f"{type(max_episode_steps).__name__}) came; convert it with int(...)"
            )
        if max_episode_steps <= 0:
            raise ValueError(
                f"max_episode_steps must be positive, but {max_episode_steps} came; for no limit, leave TimeLimit out "
                "(in gymnasium.make: max_episode_steps=-1)"
            )
        RecordConstructorArgs.__init__(self, max_episode_steps=max_episode_steps)
        Wrapper.__init__(self, env)
        self._max_episode_steps = max_episode_steps
        self._elapsed_steps: int | None = None

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step, and truncate at the limit."""
        result = self.env.step(action)
        try:
            elapsed = self._elapsed_steps + 1  # type: ignore[operator]  # None until reset
        except TypeError:
            raise TypeError("TimeLimit counts from a reset, but step came before the first; call reset()") from None
        self._elapsed_steps = elapsed
        if elapsed >= self._max_episode_steps:
            observation, reward, terminated, _, info = result
            return observation, reward, terminated, True, info
        return result

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset, and count from zero."""
        result = self.env.reset(seed=seed, options=options)
        self._elapsed_steps = 0
        return result

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the number of steps since the reset as an array `elapsed_steps`, -1 before the first."""
        return {"elapsed_steps": np.array(-1 if self._elapsed_steps is None else self._elapsed_steps)}

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue the count that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        elapsed = int(checked_state(state, {"elapsed_steps": ()})["elapsed_steps"])
        self._elapsed_steps = None if elapsed < 0 else elapsed

    def _is_listed(self, spec: EnvSpec) -> bool:
        # Adjacent limits count alike: the field records the outermost one, and the others are listed in any order.
        return any(wrapper.entry_point != f"{__name__}:TimeLimit" for wrapper in spec.additional_wrappers)

    def _fill_field(self, spec: EnvSpec) -> None:
        if self._listed is None and spec.max_episode_steps is not None and self._is_inside():
            spec.additional_wrappers += (TimeLimit.wrapper_spec(max_episode_steps=spec.max_episode_steps),)
        spec.max_episode_steps = self._max_episode_steps


class Autoreset(Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Begins a new episode automatically: the step after the end of one is a reset.

    That step ignores its action and returns the new episode's first observation and info, reward 0 and both flags
    False. `autoreset` says whether the next step is a reset.
    """

    def __init__(self, env: Env[ObsType, ActType]) -> None:
        RecordConstructorArgs.__init__(self)
        Wrapper.__init__(self, env)
        self.autoreset = False

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step, or reset if the last step ended the episode."""
        if self.autoreset:
            observation, info = self.env.reset()
            self.autoreset = False
            return observation, 0.0, False, False, info
        result = self.env.step(action)
        self.autoreset = result[2] or result[3]
        return result

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset."""
        result = self.env.reset(seed=seed, options=options)
        self.autoreset = False
        return result

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns whether the next step is a reset, as an array `autoreset`."""
        return {"autoreset": np.array(self.autoreset)}

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from the state that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        self.autoreset = bool(checked_state(state, {"autoreset": ()})["autoreset"])


class PassiveEnvChecker(FieldWrapper[ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Checks the first calls of an environment, and reports violations of the interface.

    The spaces are checked at construction; then the first reset, the first step and the first render; whether the
    first calls returned the same objects again; and once whether the same seed begins the same episode. After that it
    costs next to nothing. A first call that raises counts as checked: a finding is reported once.

    Raises:
        TypeError: If `env` is no `Env`.
        AttributeError: If it has no `action_space` or no `observation_space`.
        AssertionError: If a space or a returned value is unusable; lesser findings are warnings.
    """

    def __init__(self, env: Env[ObsType, ActType]) -> None:
        RecordConstructorArgs.__init__(self)
        Wrapper.__init__(self, env)
        _require_attribute(env, "action_space")
        check_action_space(env.action_space)
        _require_attribute(env, "observation_space")
        check_observation_space(env.observation_space)

        self.checked_reset = False
        self.checked_step = False
        self.checked_render = False
        self.checked_data_reuse = False
        self.close_called = False
        self._previous_data: tuple[Any, Any] | None = None
        self._previous_source = "reset"
        self._starts = SeededStarts()

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step; the first ones are checked."""
        if self.checked_data_reuse:
            return self.env.step(action)
        return self._checked_step(action)

    def _checked_step(self, action: ActType) -> StepResult[ObsType]:
        if self.checked_step:
            result = self.env.step(action)
        else:
            self.checked_step = True
            result = env_step_passive_checker(self.env, action)
        data = result[0], result[-1]
        if self._previous_data is not None:
            env_data_reuse_passive_checker(self._previous_data, data, self._previous_source, "step")
            self.checked_data_reuse = self._previous_source == "step"
        self._previous_data = None if self.checked_data_reuse else data
        self._previous_source = "step"
        return result

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; the first one is checked."""
        if self.checked_reset:
            started = self.env.reset(seed=seed, options=options)
            self._starts.compare(self.env, seed, options, started)
            return started
        self.checked_reset = True
        result: tuple[ObsType, dict[str, Any]] = env_reset_passive_checker(self.env, seed=seed, options=options)
        if isinstance(result, tuple) and len(result) == 2 and not self.checked_step:
            self._previous_data = result
        self._starts.compare(self.env, seed, options, result)
        return result

    @without_mode
    def render(self) -> RenderFrame | list[RenderFrame] | None:
        """Render; the first call is checked."""
        if self.checked_render:
            return self.env.render()
        self.checked_render = True
        frame: RenderFrame | list[RenderFrame] | None = env_render_passive_checker(self.env)
        return frame

    def close(self) -> None:
        """Close; a second call that raises is reported."""
        if not self.close_called:
            self.close_called = True
            return self.env.close()
        try:
            return self.env.close()
        except Exception as error:
            warn(
                f"Calling close() again must do no harm, but the second call raised {error!r}; let close() return "
                "when there is nothing left to free"
            )
            raise

    def _fill_field(self, spec: EnvSpec) -> None:
        spec.disable_env_checker = False


class OrderEnforcing(FieldWrapper[ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]):
    """Refuses `step` and `render` before the first `reset`.

    Args:
        env: The environment.
        disable_render_order_enforcing: Whether `render` may come before `reset`.
    """

    def __init__(self, env: Env[ObsType, ActType], disable_render_order_enforcing: bool = False) -> None:
        RecordConstructorArgs.__init__(self, disable_render_order_enforcing=disable_render_order_enforcing)
        Wrapper.__init__(self, env)
        self._has_reset = False
        self._disable_render_order_enforcing = disable_render_order_enforcing

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step.

        Raises:
            ResetNeeded: Before the first reset.
        """
        if self._has_reset:
            return self.env.step(action)
        raise ResetNeeded("step() needs an episode, but none has begun; call reset() first")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset."""
        result = self.env.reset(seed=seed, options=options)
        self._has_reset = True
        return result

    @without_mode
    def render(self) -> RenderFrame | list[RenderFrame] | None:
        """Render.

        Raises:
            ResetNeeded: Before the first reset, unless disabled.
        """
        if self._has_reset or self._disable_render_order_enforcing:
            return self.env.render()
        raise ResetNeeded(
            "render() needs an episode to show, but none has begun; call reset() first (an environment that can be "
            "shown before: OrderEnforcing(env, disable_render_order_enforcing=True))"
        )

    @property
    def has_reset(self) -> bool:
        """Whether the environment was reset."""
        return self._has_reset

    def _is_listed(self, spec: EnvSpec) -> bool:
        return self._disable_render_order_enforcing or super()._is_listed(spec)  # the field holds no argument

    def _fill_field(self, spec: EnvSpec) -> None:
        spec.order_enforce = True


class RecordEpisodeStatistics(
    Wrapper[ObsType, ActType, ObsType, ActType], RecordConstructorArgs, Generic[ObsType, ActType]
):
    """Adds return, length and duration to the info of an episode's last step.

    `info[stats_key]` is `{"r": sum of the rewards, "l": number of steps, "t": seconds since the reset}`. The last
    `buffer_length` of each are kept in `return_queue`, `length_queue` and `time_queue`; `episode_count` counts all.

    Args:
        env: The environment.
        buffer_length: The length of the queues in episodes, 0 or more; None for no limit.
        stats_key: The key in info.
    """

    def __init__(self, env: Env[ObsType, ActType], buffer_length: int = 100, stats_key: str = "episode") -> None:
        maxlen = checked_length(buffer_length, "buffer_length")
        RecordConstructorArgs.__init__(self, buffer_length=buffer_length, stats_key=stats_key)
        Wrapper.__init__(self, env)
        self._stats_key = stats_key
        self.episode_count = 0
        self.episode_start_time = time.perf_counter()
        self.episode_returns: Any = 0.0
        self.episode_lengths = 0
        self.time_queue: deque[float] = deque(maxlen=maxlen)
        self.return_queue: deque[float] = deque(maxlen=maxlen)
        self.length_queue: deque[int] = deque(maxlen=maxlen)

    def step(self, action: ActType) -> StepResult[ObsType]:
        """Step; the info of an episode's last step gets its statistics.

        Raises:
            AssertionError: If the environment's info already holds `stats_key`.
        """
        observation, reward, terminated, truncated, info = self.env.step(action)
        self.episode_returns += reward
        self.episode_lengths += 1
        if terminated or truncated:
            info = self._with_statistics(info)
        return observation, reward, terminated, truncated, info

    def _with_statistics(self, info: dict[str, Any]) -> dict[str, Any]:
        if self._stats_key in info:
            raise AssertionError(
                f"RecordEpisodeStatistics writes to info[{self._stats_key!r}], which the environment already filled; "
                "choose another key with stats_key=..."
            )
        duration = round(time.perf_counter() - self.episode_start_time, 6)
        self.time_queue.append(duration)
        self.return_queue.append(self.episode_returns)
        self.length_queue.append(self.episode_lengths)
        self.episode_count += 1
        self.episode_start_time = time.perf_counter()
        return {**info, self._stats_key: {"r": self.episode_returns, "l": self.episode_lengths, "t": duration}}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset, and count from zero."""
        result = self.env.reset(seed=seed, options=options)
        self.episode_start_time = time.perf_counter()
        self.episode_returns = 0.0
        self.episode_lengths = 0
        return result

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the sums, counts and queues as arrays; the time as elapsed seconds."""
        return {
            "episode_count": np.array(self.episode_count),
            "episode_returns": np.array(self.episode_returns),
            "episode_lengths": np.array(self.episode_lengths),
            "episode_times": np.array(time.perf_counter() - self.episode_start_time),
            "return_queue": np.array(self.return_queue),
            "length_queue": np.array(self.length_queue, np.int64),
            "time_queue": np.array(self.time_queue, np.float64),
        }

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue the count that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        arrays = checked_state(state, {**dict.fromkeys(_SUMS, ()), **queue_shapes(state)})
        self.episode_count = int(arrays["episode_count"])
        self.episode_returns = as_added(arrays["episode_returns"])
        self.episode_lengths = int(arrays["episode_lengths"])
        self.episode_start_time = time.perf_counter() - float(arrays["episode_times"])
        refill(self, arrays)


def _require_attribute(env: Env, name: str) -> None:
    if not hasattr(env, name):
        raise AttributeError(
            f"An environment must have an `{name}`, but {env} has none; set `self.{name}` in its constructor "
            "(help(gymnasium.Env) describes the parts of a custom environment)"
        )
