"""The effect of wrappers on the rewards of a rollout, and the episodes that they count: of all steps at once.

No policy sees rewards, so this comes after the loop. The wrappers are then where the same steps by hand leave them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.transforms.moments import Moments
from gymnasium.vector.vector_env import AutoresetMode
from gymnasium.wrappers import transform_reward as single
from gymnasium.wrappers.utils import RunningMeanStd
from gymnasium.wrappers.vector.common import RecordEpisodeStatistics
from gymnasium.wrappers.vector.stateful_reward import NormalizeReward
from gymnasium.wrappers.vector.vectorize_reward import ClipReward
from palaestra.runner.transforms.series import Rewards, accounted, scaled
from palaestra.runner.transforms.trial import scales_as_numpy


class Steps(NamedTuple):
    """T steps of n environments, as the next wrapper gets them.

    Attributes:
        rewards: Shape (T, n); each wrapper changes them.
        terminated: Likewise, but they do not change.
        truncated: Likewise.
        mode: The autoreset mode.
        began: When the first step began, by `perf_counter`.
    """

    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    mode: AutoresetMode
    began: float

    def after(self, over: NDArray[np.bool_]) -> Rewards:
        """Returns the rewards after a mask of the environments whose first step only resets."""
        return Rewards(self.rewards, self.terminated, self.truncated, self.mode is AutoresetMode.NEXT_STEP, over)

    def over(self) -> NDArray[np.bool_]:
        """Returns a mask of the environments that the step after these only resets."""
        waits = self.mode is AutoresetMode.NEXT_STEP
        ended: NDArray[np.bool_] = (self.terminated[-1] | self.truncated[-1]) & waits
        return ended


class Taken(NamedTuple):
    """How rewards pass a wrapper.

    Attributes:
        refusal: Returns why only Python can do it, or "".
        change: Changes the rewards, and takes the wrapper to the end of the steps.
    """

    refusal: Callable[[Any], str]
    change: Callable[[Any, Steps], None]


def _no_clip(wrapper: ClipReward[Any, Any]) -> str:
    inner = wrapper.wrapper
    func = inner.func
    if type(inner) is not single.ClipReward or not isinstance(func, partial) or func.func is not np.clip:
        return "has another function"
    bounds = [bound for bound in func.keywords.values() if bound is not None]
    plain = all(np.ndim(bound) == 0 and np.result_type(np.zeros(1), bound) == np.float64 for bound in bounds)
    return "" if plain else "has bounds of another form than a number"


def _clip(wrapper: ClipReward[Any, Any], steps: Steps) -> None:
    steps.rewards[...] = wrapper.rewards(steps.rewards)


def _no_scale(wrapper: NormalizeReward[Any, Any]) -> str:
    rms = wrapper.return_rms
    if type(rms) is not RunningMeanStd or not all(_is_number(value) for value in (rms.mean, rms.var)):
        return "has moments of another form"
    if not all(type(value) in (int, float) for value in (wrapper.gamma, wrapper.epsilon, rms.count)):
        return "has settings that are no plain numbers"
    if not _is_column(wrapper.accumulated_reward, np.float32, wrapper.num_envs):
        return "has returns of another form"
    return "" if scales_as_numpy() else "adds in another order with this NumPy"


def _is_number(value: object) -> bool:
    return isinstance(value, np.ndarray | np.generic) and value.dtype == np.float64 and value.ndim == 0


def _scale(wrapper: NormalizeReward[Any, Any], steps: Steps) -> None:
    rms, over = wrapper.return_rms, wrapper._episodes.finished
    before, counts = Moments(rms.mean, rms.var, rms.count), wrapper.update_running_mean
    now = scaled(steps.after(over), wrapper.accumulated_reward, before, wrapper.gamma, wrapper.epsilon, counts)
    if counts:
        rms.mean, rms.var, rms.count = now
    mark_finished(wrapper, over, steps.mode)


def _no_account(wrapper: RecordEpisodeStatistics[Any, Any, Any]) -> str:
    return "" if _is_column(wrapper.episode_returns, np.float64, wrapper.num_envs) else "has returns of another form"


def _is_column(array: object, dtype: type, n: int) -> bool:
    return type(array) is np.ndarray and array.dtype == dtype and array.shape == (n,) and array.flags.carray


def _account(wrapper: RecordEpisodeStatistics[Any, Any, Any], steps: Steps) -> None:
    wrapper._take_back()
    over, lengths = wrapper._episodes.finished, wrapper.episode_lengths
    ended = np.nonzero(steps.terminated | steps.truncated)
    durations = _durations(wrapper.episode_start_times, over, ended, steps)
    returns, counts = accounted(steps.after(over), wrapper.episode_returns, lengths)
    if len(durations):
        wrapper._recent.add(returns[ended], counts[ended], durations)
    wrapper.episode_count += len(durations)
    wrapper._steps += len(steps.rewards)
    wrapper._take_back()
    mark_finished(wrapper, over, steps.mode)


def _durations(
    started: NDArray[np.float64], over: NDArray[np.bool_], ended: tuple[NDArray[np.intp], ...], steps: Steps
) -> NDArray[np.float64]:
    """Returns the seconds of the episodes that ended, as if each step had taken as long, and moves `started` on."""
    count, waits = len(steps.rewards), int(steps.mode is AutoresetMode.NEXT_STEP)
    times = np.linspace(steps.began, perf_counter(), count + 1)[1:]
    started[over] = times[0]
    order = np.lexsort(ended)
    at, envs = (each[order] for each in ended)
    again = envs[1:] == envs[:-1]
    first, last = np.r_[True, ~again][: len(at)], np.r_[~again, True][: len(at)]
    begun = np.empty(len(at))
    begun[first] = started[envs[first]]
    begun[~first] = times[at[:-1][again] + waits]
    durations = np.empty(len(at))
    durations[order] = times[at] - begun
    restarts, envs = at[last] + waits, envs[last]
    within = restarts < count
    started[envs[within]] = times[restarts[within]]
    return np.round(durations, 6)


def mark_finished(wrapper: Any, over: NDArray[np.bool_], mode: AutoresetMode) -> None:
    """Let a wrapper know which environments the next step only resets."""
    if mode is not AutoresetMode.SAME_STEP:
        wrapper._episodes.finished = over


REWARDS: dict[type, Taken] = {
    ClipReward: Taken(_no_clip, _clip),
    NormalizeReward: Taken(_no_scale, _scale),
    RecordEpisodeStatistics: Taken(_no_account, _account),
}
