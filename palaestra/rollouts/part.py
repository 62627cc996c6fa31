"""Some of the environments of a rollout: their steps in memory, and their episodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces import Space
from gymnasium.vector._batch.trees import Tree, host, mapped
from gymnasium.vector.vector_env import AutoresetMode, VectorEnv
from palaestra.rollouts.decisions import Decisions
from palaestra.rollouts.policies import split
from palaestra.rollouts.record import FinalObservations, FinishedEpisodes, Rollout, Running
from palaestra.rollouts.series import Series, filled


class Memory(NamedTuple):
    """The arrays of a rollout of n environments, being filled."""

    observations: Series
    decisions: Decisions
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    valid: NDArray[np.bool_]
    running: Running


class Part:
    """Every environment, or every second one.

    Args:
        envs: The vector environment.
        mode: Its autoreset mode.
        memory: The arrays of all environments.
        rows: The environments of this part.
    """

    def __init__(self, envs: VectorEnv[Any, Any, Any], mode: AutoresetMode, memory: Memory, rows: slice) -> None:
        self.ids = np.arange(envs.num_envs)[rows]
        self._envs, self._mode, self._rows = envs, mode, rows
        self._space: Space = envs.single_action_space
        self._decisions = memory.decisions
        self._observations = memory.observations.of(rows)
        self._rewards, self._terminated = memory.rewards[:, rows], memory.terminated[:, rows]
        self._truncated, self._valid = memory.truncated[:, rows], memory.valid[:, rows]
        running = memory.running
        self._returns, self._lengths, self._over = running.returns[rows], running.lengths[rows], running.over[rows]
        self._begun = self._over.nonzero()[0]
        self._over_now: NDArray[np.bool_] = self._over
        self._ended: list[tuple[np.ndarray, ...]] = []  # returns, lengths, envs, steps
        self._finals: list[Tree] = []
        self._valid[0] = ~self._over

    def act(self, t: int, ask: Callable[[Tree], Any]) -> Any:
        """Ask the policy for step `t`, and return its actions, checked and kept."""
        observations = self._observations.row(t)
        if self._rows.step is not None:
            observations = mapped(np.ascontiguousarray, observations)
        actions, extras = split(ask(observations), self._space)
        return self._decisions.take(t, self._rows, len(self.ids), actions, extras)

    def observe(self, t: int, result: tuple[Any, Any, Any, Any, dict[str, Any]]) -> None:
        """Keep the result of step `t`; in the mode DISABLED, reset the environments whose episode it ended."""
        observations, rewards, terminated, truncated, infos = result
        self._rewards[t] = earned = host(rewards)
        self._terminated[t] = terminated = host(terminated)
        self._truncated[t] = truncated = host(truncated)
        self._observations.put(t + 1, observations)
        self._returns += earned
        self._lengths += 1
        over = np.logical_or(terminated, truncated)
        ended = over.nonzero()[0]
        begun = ended
        if self._mode is AutoresetMode.NEXT_STEP:
            begun, self._begun, self._over_now = self._begun, ended, over
            if len(ended) and t + 1 < len(self._valid):
                self._valid[t + 1, ended] = False
        if len(ended):
            self._end(t, ended, observations, infos)
        if len(begun):
            self._returns[begun] = 0.0
            self._lengths[begun] = 0

    def _end(self, t: int, ended: NDArray[np.intp], observations: object, infos: dict[str, Any]) -> None:
        """Note the episodes that ended, and their last observations if those are to be replaced."""
        steps = np.full(len(ended), t)
        self._ended.append((self._returns[ended], self._lengths[ended], self.ids[ended], steps))
        if self._mode is AutoresetMode.SAME_STEP:
            if "final_obs" not in infos:
                raise ValueError(f"{self._envs} ended episodes in the mode SAME_STEP without infos['final_obs']")
            self._finals.append(_some(infos["final_obs"], ended, self._observations.like(len(ended))))
        elif self._mode is AutoresetMode.DISABLED:
            self._finals.append(_some(self._observations.row(t + 1), ended, self._observations.like(len(ended))))
            mask = np.zeros(self._envs.num_envs, np.bool_)
            mask[self.ids[ended]] = True
            fresh = self._envs.reset(options={"reset_mask": mask})[0]
            self._observations.put_rows(t + 1, ended, fresh, self.ids[ended])

    def finish(self) -> tuple[list[tuple[np.ndarray, ...]], list[Tree]]:
        """Returns the episodes that ended and their last observations, and write which are over now."""
        self._over[:] = self._over_now
        return self._ended, self._finals


def _some(batch: Any, rows: NDArray[np.intp], out: Tree) -> Tree:
    """Returns some rows of a batch of observations: arrays, or an array of objects with one observation in each."""
    if isinstance(batch, np.ndarray) and batch.dtype.hasobject:
        return _filled(out, [batch[i] for i in rows])

    def write(array: np.ndarray, values: Any) -> np.ndarray:
        if array.dtype.hasobject:
            return filled(array, [values[i] for i in rows])
        array[...] = host(values)[rows]
        return array

    return mapped(write, out, batch)


def _filled(out: Tree, items: list[Any]) -> Tree:
    if isinstance(out, dict):
        return {key: _filled(part, [item[key] for item in items]) for key, part in out.items()}
    if isinstance(out, tuple):
        return tuple(_filled(part, [item[k] for item in items]) for k, part in enumerate(out))
    return filled(out, items)


def finished(memory: Memory, parts: list[Part]) -> Rollout:
    """Returns the rollout whose last step all parts have taken."""
    ended: list[tuple[np.ndarray, ...]] = []
    finals: list[Tree] = []
    for part in parts:
        more = part.finish()
        ended += more[0]
        finals += more[1]
    returns, lengths, envs, steps = (
        np.concatenate([each[k] for each in ended]) if ended else np.zeros(0, dtype)
        for k, dtype in enumerate((np.float64, np.int64, np.int64, np.int64))
    )
    order = np.lexsort((envs, steps))
    episodes = FinishedEpisodes(returns[order], lengths[order], envs[order], steps[order])
    last = memory.observations.like(0)
    places = FinalObservations(episodes.steps[:0], episodes.envs[:0], last)
    if finals:
        last = mapped(lambda *arrays: np.concatenate(arrays)[order], *finals)
        places = FinalObservations(episodes.steps.copy(), episodes.envs.copy(), last)
    return rollout_of(memory, places, episodes)


def rollout_of(memory: Memory, last: FinalObservations, ended: FinishedEpisodes) -> Rollout:
    """Returns the rollout in a memory, with the last observations that it lacks, and the episodes that ended."""
    return Rollout(
        memory.observations.arrays,
        memory.decisions.actions,
        memory.rewards,
        memory.terminated,
        memory.truncated,
        memory.valid,
        memory.decisions.extras,
        last,
        ended,
        memory.running,
    )
