"""Notes of an environment or a batch while it is watched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env
from gymnasium.logger import warn
from gymnasium.vector._batch.trees import host
from palaestra.rollouts.record import Rollout
from palaestra.studio.training.helper import ASKED, PICTURES, SCENES, STATES, STEPS, Tiles
from palaestra.studio.training.layers import statistics
from palaestra.studio.training.run import Run

_TILES = (SCENES, STATES, PICTURES)
_NOBODY: NDArray[np.intp] = np.zeros(0, np.intp)
_FEW: Final = 256  # environments, up to which steps wait to be counted together: of more, each is worth its own count
_PARTS: Final = 5  # of a step that waits
_TOGETHER: Final = 1024 * _PARTS  # parts of steps that wait, until they are counted
_GLANCE: Final = 0.002  # s between two looks at whether anything is due
_Array = np.ndarray
_DTYPES: Final = (np.dtype(np.float64), np.dtype(np.bool_), np.dtype(np.bool_))  # of the results that are copied


class Monitor:
    """Follows the episodes of n environments, writes records when they are due, and tiles when they are asked for.

    A step of few environments is only copied, and counted later with others: after a wait for workers, nothing that
    counting needs is in the processor's caches, which makes it several times as expensive.

    Whatever fails here is told in a warning, and ends the watching, not the training.

    Args:
        env: The environment or batch.
        run: Where records go.
        count: The number of tiles.
        rests: Whether the step after the end of an episode only resets, as in the mode NEXT_STEP.

    Attributes:
        run: Where records go.
        tiles: The tiles.
    """

    def __init__(self, env: Any, run: Run, count: int, rests: bool) -> None:
        self.run, self.tiles = run, Tiles(env, count)
        self._env, self._rests = env, rests
        self._some = slice(count)
        number = 1 if isinstance(env, Env) else env.num_envs
        self._returns: NDArray[np.float64] = np.zeros(number)
        self._lengths: NDArray[np.int64] = np.zeros(number, np.int64)  # less `_steps`
        self._steps = 0  # of all, which is cheaper to count than those of each
        self._over = _NOBODY  # the rows whose episode is over, and whose reset is pending
        self._number, self._asked, self._clock = number, self.tiles.asked, run.clock
        self._waiting: list[Any] = []  # steps that are not counted yet: beginning, end, and three copies of each
        self._waits = number <= _FEW
        self._looks_at = 0.0  # when to look again for what is due, by `perf_counter`

    def note_step(self, began: float, ended: float, rewards: Any, terminated: Any, truncated: Any) -> None:
        """Note a step of all environments, and when it began and ended."""
        run = self.run
        if run.is_dropped:
            return
        try:  # all in one place, since a step of many environments may take microseconds
            if not self._waits:
                self._clock.note_step(began, ended)
                earned = np.asarray(host(rewards), np.float64)
                self._step_all(earned, np.logical_or(host(terminated), host(truncated)))
            else:
                waiting = self._waiting
                usual = type(rewards) is type(terminated) is type(truncated) is _Array
                if usual and (rewards.dtype, terminated.dtype, truncated.dtype) == _DTYPES:
                    waiting += began, ended, rewards.tobytes(), terminated.tobytes(), truncated.tobytes()
                else:
                    waiting += began, ended, *map(_bytes, (rewards, terminated, truncated), _DTYPES)
            if ended >= self._looks_at:
                self._looks_at = ended + _GLANCE
                self._asked[STEPS] = self._asked[STEPS] + 1 & 255  # so that tiles are drawn when it learns
                asked = self._asked[ASKED] and ended >= self.tiles.rests_until
                if asked or ended >= run.due or len(self._waiting) >= _TOGETHER:
                    self._report(ended)
        except Exception as error:
            self._give_up(error)

    def note_rows(self, began: float, ended: float, rows: Any, results: tuple[Any, Any, Any]) -> None:
        """Note a step of some environments."""
        if self.run.is_open:
            self._guarded(self._step_rows, began, ended, rows, *results)

    def note_reset(self, began: float, ended: float, mask: Any) -> None:
        """Note a reset of the environments of a mask, or of all for None."""
        if self.run.is_open:
            self._guarded(self._reset, began, ended, mask)

    def begin_rollout(self) -> None:
        """Note that a rollout begins."""
        if self.run.is_open:
            self._guarded(self._clock.begin_rollout)

    def end_rollout(self, rollout: Rollout | None) -> None:
        """Note the steps of a rollout; None if it has told so step by step."""
        if self.run.is_open:
            self._guarded(self._rollout, rollout)

    def note_learning(self, seconds: float) -> None:
        """Note some time of learning, since the last call of the environments."""
        self._guarded(self._clock.note_learning, seconds)

    def close(self, end: str) -> None:
        """Write the last record."""
        if self.run.is_open:
            self._guarded(lambda: self.run.close(statistics(self._env), end))
            self.tiles.end()

    def _guarded(self, note: Callable[..., None], *arguments: object) -> None:
        try:
            self._catch_up()
            note(*arguments)
            self._report(self._clock.ended)
        except Exception as error:
            self._give_up(error)

    def _report(self, now: float) -> None:
        """Write and show whatever is due."""
        run = self.run
        if not run.is_open:
            self._waiting.clear()  # a process that was forked from the program counts nothing
            return
        shows, writes = self._asked[ASKED] in _TILES and self.tiles.gather(), now >= run.due
        if shows or writes or len(self._waiting) >= _TOGETHER:
            self._catch_up()
        if shows:
            lengths = self._lengths[self._some] + self._steps
            self.tiles.show(self._returns[self._some].tolist(), lengths.tolist())
        if writes:
            run.write(statistics(self._env))

    def _give_up(self, error: Exception) -> None:
        self.run.drop()
        self._waiting.clear()
        self.tiles.end()
        warn(f"The studio stops watching {self._env}: {type(error).__name__}: {error}")

    def _catch_up(self) -> None:
        """Count the steps that wait."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        began, ended, *columns = (waiting[k::_PARTS] for k in range(_PARTS))
        self._clock.note_steps(began, ended)
        rewards, terminated, truncated = (
            np.frombuffer(b"".join(rows), dtype).reshape(len(began), -1)
            for rows, dtype in zip(columns, _DTYPES, strict=True)
        )
        with np.errstate(all="ignore"):  # of infinite rewards, too
            self._step_often(rewards, terminated | truncated)

    def _step_often(self, rewards: NDArray[np.float64], over: NDArray[np.bool_]) -> None:
        """Count m steps of n environments: arrays of shape (m, n)."""
        m, n = over.shape
        taken = np.ones((m, n), np.bool_)  # False where a step only reset
        if self._rests:
            taken[1:] = ~over[:-1]
            taken[0, self._over] = False
            self._returns[self._over], self._lengths[self._over] = 0.0, -self._steps
            self._over = over[-1].nonzero()[0]
        self.run.steps += int(np.count_nonzero(taken))
        # Parts of episodes follow each other, those of each environment after those of the one before.
        ends = over.T.ravel()
        is_first = np.ones(m * n + 1, np.bool_)
        is_first[1:] = ends
        is_first[::m] = True
        bounds = is_first.nonzero()[0]
        begins, last = bounds[:-1], bounds[1:] - 1
        earned = np.add.reduceat(np.where(taken, rewards, 0.0).T.ravel(), begins)
        lengths = np.add.reduceat(taken.T.ravel(), begins, dtype=np.int64)
        went_on = begins % m == 0
        earned[went_on] += self._returns
        lengths[went_on] += self._lengths + self._steps
        self._steps += m
        ended = ends[last].nonzero()[0]
        ended = ended[np.argsort(last[ended] % m, kind="stable")]  # the order in which they ended
        if len(ended):
            self.run.ended.add(earned[ended], lengths[ended])
            earned[ended], lengths[ended] = 0.0, 0
        newest = np.append(went_on.nonzero()[0][1:], len(begins)) - 1
        self._returns, self._lengths = earned[newest], lengths[newest] - self._steps

    def _step_all(self, rewards: NDArray[Any], over: NDArray[np.bool_]) -> None:
        """Count a step of all environments."""
        with np.errstate(all="ignore"):  # of infinite rewards, too
            self._returns += rewards
        self._steps += 1
        self.run.steps += self._number
        rows = over.nonzero()[0]
        if rows.size or self._over.size:
            begun, self._over = (self._over, rows) if self._rests else (_NOBODY, _NOBODY)
            self._count(rows, begun)

    def _step_rows(self, began: float, ended: float, ids: Any, rewards: Any, terminated: Any, truncated: Any) -> None:
        self.run.clock.note_step(began, ended)
        self._returns[ids] += host(rewards)
        self._lengths[ids] += 1
        rows = ids[np.logical_or(host(terminated), host(truncated))]
        begun = np.intersect1d(self._over, ids)
        if self._rests:
            self._over = np.union1d(np.setdiff1d(self._over, ids), rows)
        self.run.steps += len(ids)
        self._count(rows, begun)

    def _count(self, ended: NDArray[np.intp], begun: NDArray[np.intp]) -> None:
        """Count the episodes that ended, and begin those whose environments were only reset, or reset at once."""
        self.run.steps -= len(begun)
        if len(ended):
            self.run.ended.add(self._returns[ended], self._lengths[ended] + self._steps)
            if not self._rests:
                begun = ended
        if len(begun):
            self._returns[begun] = 0.0
            self._lengths[begun] = -self._steps

    def _reset(self, began: float, ended: float, mask: object) -> None:
        self.run.clock.note_step(began, ended)
        rows = np.ones(len(self._lengths), np.bool_) if mask is None else host(mask).astype(np.bool_)
        self._returns[rows] = 0.0
        self._lengths[rows] = -self._steps
        self._over = self._over[~rows[self._over]]

    def _rollout(self, rollout: Rollout | None) -> None:
        self.run.clock.end_rollout(together=rollout is not None)
        if rollout is None:
            return
        episodes, running = rollout.episodes, rollout.running
        self.run.steps += int(host(rollout.valid).sum())
        self.run.ended.add(host(episodes.returns), host(episodes.lengths))
        self._returns[:], self._lengths[:] = running.returns, running.lengths - self._steps
        self._over = np.flatnonzero(running.over)


def _bytes(values: Any, dtype: np.dtype[Any]) -> bytes:
    """Returns a copy of numbers, whose array the caller may change or reuse."""
    return np.asarray(host(values), dtype).tobytes()
