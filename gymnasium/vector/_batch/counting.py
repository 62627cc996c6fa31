"""Counts of the episodes of a batch: their numbers, returns and lengths."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
_TOGETHER: Final = 4096  # results of an environment's step that are counted at a time


class Counts(ABC):
    """Counts of the episodes of n environments.

    Attributes:
        steps: The number of steps of the batch.
    """

    steps: int

    @abstractmethod
    def any_over(self) -> bool:
        """Whether an episode has ended whose environment has not begun another."""

    @abstractmethod
    def over(self) -> Rows:
        """Returns the environments whose episodes have ended, and that have not begun others."""

    @abstractmethod
    def episodes(self, rows: Rows) -> NDArray[np.int64]:
        """Returns the number of episodes that these environments have begun."""

    @abstractmethod
    def returns(self, rows: Rows) -> NDArray[np.float64]:
        """Returns the returns so far of their last episodes."""

    @abstractmethod
    def lengths(self, rows: Rows) -> NDArray[np.int64]:
        """Returns the numbers of steps so far of their last episodes."""

    @abstractmethod
    def add(self, rewards: Any, terminations: Any, truncations: Any, begins: bool) -> None:
        """Count a step; `begins` says whether those of `over` began an episode in it."""

    @abstractmethod
    def reset(self, rows: Rows) -> None:
        """Count the beginnings of episodes in a reset."""

    @abstractmethod
    def get_state(self) -> dict[str, Any]:
        """Returns the counts: `step`, and arrays `began`, `episodes`, `returns` and `over`."""

    @abstractmethod
    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from the counts of `get_state`."""


class OwnCounts(Counts):
    """`Counts` of the results of any batch of n environments.

    Those of a small batch are kept as bytes, and counted many steps at a time, or when somebody asks: the environments'
    steps push all else out of the caches, so that arithmetic between them takes several times as long.
    """

    def __init__(self, n: int) -> None:
        self.steps = 0
        self._counted = 0  # the steps that are counted
        self._began = np.zeros(n, np.int64)  # the step at which each episode began
        self._episodes = np.zeros(n, np.int64)
        self._returns = np.zeros(n)
        self._ends = np.zeros(n, np.bool_)  # whose episodes are over, after the steps that are counted
        self._any = False  # whether one is
        self._later: list[tuple[bytes, bytes, bytes, bool]] = []  # what `add` got, and is not counted
        self._most = _TOGETHER // n

    def any_over(self) -> bool:
        """See `Counts`."""
        return self._any

    def over(self) -> Rows:
        """See `Counts`."""
        self._count()
        return self._ends.nonzero()[0]

    def episodes(self, rows: Rows) -> NDArray[np.int64]:
        """See `Counts`."""
        self._count()
        return self._episodes.take(rows)

    def returns(self, rows: Rows) -> NDArray[np.float64]:
        """See `Counts`."""
        self._count()
        return self._returns.take(rows)

    def lengths(self, rows: Rows) -> NDArray[np.int64]:
        """See `Counts`."""
        self._count()
        return self.steps - self._began.take(rows)

    def add(self, rewards: Any, terminations: Any, truncations: Any, begins: bool) -> None:
        """See `Counts`."""
        self.steps += 1
        rewards = np.asarray(rewards, np.float64)
        terminations, truncations = np.asarray(terminations, np.bool_), np.asarray(truncations, np.bool_)
        if not self._most:
            self._count_step(rewards, terminations, truncations, begins)
            self._any = bool(self._ends.any())
            return
        ends, others = terminations.tobytes(), truncations.tobytes()
        self._any = b"\1" in ends or b"\1" in others
        self._later.append((rewards.tobytes(), ends, others, begins))
        if len(self._later) == self._most:
            self._count()

    def _count(self) -> None:
        """Count what came since the last time."""
        for rewards, terminations, truncations, begins in self._later:
            flags = np.frombuffer(terminations, np.bool_), np.frombuffer(truncations, np.bool_)
            self._count_step(np.frombuffer(rewards), *flags, begins)
        self._later.clear()

    def _count_step(self, rewards: Any, terminations: Any, truncations: Any, begins: bool) -> None:
        self._counted += 1
        np.add(self._returns, rewards, out=self._returns)
        if begins:
            self._begin(self._ends.nonzero()[0])
        np.logical_or(terminations, truncations, out=self._ends)

    def _begin(self, rows: Rows) -> None:
        self._episodes[rows] += 1
        self._began[rows] = self._counted
        self._returns[rows] = 0.0

    def reset(self, rows: Rows) -> None:
        """See `Counts`."""
        self._count()
        self._begin(rows)
        self._ends[rows] = False
        self._any = bool(self._ends.any())

    def get_state(self) -> dict[str, Any]:
        """See `Counts`."""
        self._count()
        return {
            "step": self.steps,
            "began": self._began.copy(),
            "episodes": self._episodes.copy(),
            "returns": self._returns.copy(),
            "over": self.over(),
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """See `Counts`."""
        self._later.clear()
        self.steps = self._counted = int(state["step"])
        for name, counts in (("began", self._began), ("episodes", self._episodes), ("returns", self._returns)):
            counts[:] = state[name]
        self._ends[:] = False
        self._ends[np.asarray(state["over"], np.intp)] = True
        self._any = bool(self._ends.any())
