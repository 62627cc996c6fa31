"""Counts of the episodes of a compiled batch, which its kernels keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from gymnasium.vector._batch.counting import Counts, Rows

if TYPE_CHECKING:
    from palaestra.runner.kernels.memory import Memory
    from palaestra.runner.kernels.runner import Runner

_MOST: Final = 255  # episodes that an environment may begin before `_begun` is full: one in each step


class _Batch(Protocol):
    num_envs: int
    _runner: Runner


class KernelCounts(Counts):
    """`Counts` that kernels keep while the rows of a step are in the cache; lengths are in their columns anyway.

    Args:
        batch: The environments.
    """

    def __init__(self, batch: _Batch) -> None:
        n = batch.num_envs
        self.steps, self._batch = 0, batch
        self._returns, self._begun = np.zeros(n), np.zeros(n, np.uint8)
        self._episodes = np.zeros(n, np.int64)  # without those in `_begun`
        self._room = _MOST  # steps that `_begun` has room for
        self._keep()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._keep()

    def _keep(self) -> None:
        self._memory.keep_counts(self._returns, self._begun)

    @property
    def _memory(self) -> Memory:
        return self._batch._runner.memory

    def any_over(self) -> bool:
        """See `Counts`."""
        finished = self._memory.columns["finished"]
        return bool(finished[finished.argmax()])  # which stops at the first

    def over(self) -> Rows:
        """See `Counts`."""
        return self._memory.columns["finished"].nonzero()[0]

    def episodes(self, rows: Rows) -> NDArray[np.int64]:
        """See `Counts`."""
        return self._episodes.take(rows) + self._begun.take(rows)

    def returns(self, rows: Rows) -> NDArray[np.float64]:
        """See `Counts`."""
        return self._returns.take(rows)

    def lengths(self, rows: Rows) -> NDArray[np.int64]:
        """See `Counts`."""
        return self._memory.columns["elapsed"].take(rows)

    def add(self, rewards: Any, terminations: Any, truncations: Any, begins: bool) -> None:
        """See `Counts`."""
        self.steps += 1
        self._room -= 1
        if not self._room:
            self._add_up()

    def reset(self, rows: Rows) -> None:
        """See `Counts`."""
        self._episodes[rows] += 1
        self._returns[rows] = 0.0

    def get_state(self) -> dict[str, Any]:
        """See `Counts`."""
        self._add_up()
        return {
            "step": self.steps,
            "began": self.steps - self._memory.columns["elapsed"],
            "episodes": self._episodes.copy(),
            "returns": self._returns.copy(),
            "over": self.over(),
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """See `Counts`; lengths and what is over are part of the batch's own state."""
        self.steps, self._room = int(state["step"]), _MOST
        self._episodes[:], self._returns[:], self._begun[:] = state["episodes"], state["returns"], 0

    def _add_up(self) -> None:
        self._episodes += self._begun
        self._begun[:], self._room = 0, _MOST
