"""Vector wrappers that leave observations, actions and rewards alone."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import ActType, ObsType
from gymnasium.utils.record_constructor import RecordConstructorArgs
from gymnasium.vector.vector_env import ArrayType, AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.wrappers._numbers import checked_length
from gymnasium.wrappers._queues import queue_shapes, refill
from gymnasium.wrappers.utils import checked_state
from gymnasium.wrappers.vector._episodes import Episodes, Rows
from gymnasium.wrappers.vector._recent import RecentEpisodes

__all__ = ["RecordEpisodeStatistics"]


class RecordEpisodeStatistics(VectorWrapper[ObsType, ActType, ArrayType], RecordConstructorArgs):
    """Adds return, length and duration to the infos of the step that ends an episode.

    `infos[stats_key]` is `{"r": sums of the rewards, "l": numbers of steps, "t": seconds since the resets}`, arrays of
    shape (n,) with 0 where no episode ended, and `infos["_" + stats_key]` is the mask of the ended episodes. The last
    `buffer_length` of each are kept in `return_queue`, `length_queue` and `time_queue`; `episode_count` is the number
    of finished episodes. An autoreset step belongs to no episode.

    Args:
        env: The vector environment.
        buffer_length: The length of the queues in episodes, 0 or more; None for no limit.
        stats_key: The key in infos.

    Raises:
        TypeError: If the metadata's `autoreset_mode` is no `AutoresetMode`, or `buffer_length` no integer.
        ValueError: If `buffer_length` is negative; at `step`, if the infos already hold `stats_key`.
    """

    def __init__(self, env: VectorEnv, buffer_length: int = 100, stats_key: str = "episode") -> None:
        RecordConstructorArgs.__init__(self, buffer_length=buffer_length, stats_key=stats_key)
        VectorWrapper.__init__(self, env)
        self._stats_key = stats_key
        self._episodes = Episodes(env)
        self.episode_count = 0
        self.episode_start_times = np.full(env.num_envs, time.perf_counter())
        self.episode_returns: NDArray[np.float64] = np.zeros(env.num_envs)
        self._steps = 0
        self._begun_at: NDArray[np.int64] = np.zeros(env.num_envs, np.int64)  # in steps, by row
        self._recent = RecentEpisodes(checked_length(buffer_length, "buffer_length"))
        # Handed out since the last step, and maybe written into.
        self._lent_lengths: NDArray[np.int64] | None = None

    @property
    def episode_lengths(self) -> NDArray[np.int64]:
        """The number of steps of each environment's episode so far."""
        if self._lent_lengths is None:
            self._lent_lengths = self._steps - self._begun_at
        return self._lent_lengths

    @episode_lengths.setter
    def episode_lengths(self, lengths: NDArray[np.int64]) -> None:
        self._lent_lengths = lengths

    @property
    def return_queue(self) -> deque[float]:
        """The returns of the last episodes."""
        return self._recent.returns

    @return_queue.setter
    def return_queue(self, queue: deque[float]) -> None:
        self._recent.returns = queue

    @property
    def length_queue(self) -> deque[int]:
        """The lengths of the last episodes."""
        return self._recent.lengths

    @length_queue.setter
    def length_queue(self, queue: deque[int]) -> None:
        self._recent.lengths = queue

    @property
    def time_queue(self) -> deque[float]:
        """The durations of the last episodes, in seconds."""
        return self._recent.durations

    @time_queue.setter
    def time_queue(self, queue: deque[float]) -> None:
        self._recent.durations = queue

    @property
    def prev_dones(self) -> NDArray[np.bool_]:
        """The mask of the environments that are finished and not yet reset."""
        return self._episodes.finished

    @prev_dones.setter
    def prev_dones(self, dones: NDArray[np.bool_]) -> None:
        self._episodes.finished = dones

    @property
    def _autoreset_mode(self) -> AutoresetMode:
        """The autoreset mode, for subclasses."""
        return self._episodes.mode

    @_autoreset_mode.setter
    def _autoreset_mode(self, mode: AutoresetMode) -> None:
        self._episodes.mode = mode

    def _take_back(self) -> None:
        """Go on with the array that was handed out."""
        if self._lent_lengths is not None:
            self._begun_at, self._lent_lengths = self._steps - self._lent_lengths, None

    def reset(
        self, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObsType, dict[str, Any]]:
        """Reset; the affected environments count from zero."""
        result = self.env.reset(seed=seed, options=options)
        self._take_back()
        self._restart(np.flatnonzero(self._episodes.reset(options)))
        return result

    def step(self, actions: ActType) -> tuple[ObsType, ArrayType, ArrayType, ArrayType, dict[str, Any]]:
        """Step; the infos of ended episodes get their statistics."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        self._take_back()
        ended, rows, begun = self._episodes.step(terminations, truncations)
        self.episode_returns += np.asarray(rewards)
        self._steps += 1
        if len(rows):
            infos = self._with_statistics(infos, ended, rows)
        if len(begun):
            self._restart(begun)
        return observations, rewards, terminations, truncations, infos

    def _restart(self, rows: Rows) -> None:
        self.episode_returns[rows] = 0.0
        self._begun_at[rows] = self._steps
        self.episode_start_times[rows] = time.perf_counter()

    def _with_statistics(self, infos: dict[str, Any], ended: NDArray[np.bool_], rows: Rows) -> dict[str, Any]:
        key = self._stats_key
        if key in infos or f"_{key}" in infos:
            raise ValueError(
                f"RecordEpisodeStatistics writes to infos[{key!r}] and infos['_{key}'], which the environment already "
                "filled; choose another key with stats_key=..."
            )
        returns, lengths = self.episode_returns[rows], self._steps - self._begun_at[rows]
        durations = _micros(time.perf_counter() - self.episode_start_times[rows])
        self._recent.add(returns, lengths, durations)
        self.episode_count += len(rows)
        columns = {"r": returns, "l": lengths, "t": durations}
        return {**infos, key: {k: self._spread(v, rows) for k, v in columns.items()}, f"_{key}": ended}

    def _spread(self, values: np.ndarray, rows: Rows) -> np.ndarray:
        """Returns an array of shape (n,) with the values in these rows, and 0 elsewhere."""
        spread = np.zeros(self.num_envs, values.dtype)
        spread[rows] = values
        return spread

    def get_state(self) -> dict[str, np.ndarray]:
        """Returns the sums, counts and queues as arrays; the times as elapsed seconds."""
        return {
            "episode_count": np.array(self.episode_count),
            "episode_returns": self.episode_returns.copy(),
            "episode_lengths": self.episode_lengths.copy(),
            "episode_times": time.perf_counter() - self.episode_start_times,
            "prev_dones": self.prev_dones.copy(),
            "return_queue": np.array(self.return_queue, np.float64),
            "length_queue": np.array(self.length_queue, np.int64),
            "time_queue": np.array(self.time_queue, np.float64),
        }

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue the counts that `get_state` returned.

        Raises:
            ValueError: If an array is missing or superfluous, or has another shape; nothing changes then.
        """
        rows = (self.num_envs,)
        columns = dict.fromkeys(("episode_returns", "episode_lengths", "episode_times", "prev_dones"), rows)
        arrays = checked_state(state, {"episode_count": (), **columns, **queue_shapes(state)})
        self.episode_count = int(arrays["episode_count"])
        self.episode_returns = arrays["episode_returns"]
        self._lent_lengths, self._episodes.finished = arrays["episode_lengths"], arrays["prev_dones"]
        self._take_back()
        self.episode_start_times = time.perf_counter() - arrays["episode_times"]
        refill(self, arrays)


def _micros(seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns `np.round(seconds, 6)` in the same memory, without its overhead."""
    seconds *= 1e6
    np.rint(seconds, out=seconds)
    seconds /= 1e6
    return seconds
