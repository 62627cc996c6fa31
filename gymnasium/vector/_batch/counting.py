"""Counts of the episodes of a batch: their numbers, returns and lengths."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]


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
    """`Counts` of the results of any batch of n environments."""

    def __init__(self, n: int) -> None:
        self.steps = 0
        self._began = np.zeros(n, np.int64)  # the step at which each episode began
        self._episodes = np.zeros(n, np.int64)
        self._returns = np.zeros(n)
        self._ends = np.zeros(n, np.bool_)
        self._over: Rows = np.zeros(0, np.intp)

    def any_over(self) -> bool:
        """See `Counts`."""
        return len(self._over) > 0

    def over(self) -> Rows:
        """See `Counts`."""
        return self._over

    def episodes(self, rows: Rows) -> NDArray[np.int64]:
        """See `Counts`."""
        return self._episodes.take(rows)

    def returns(self, rows: Rows) -> NDArray[np.float64]:
        """See `Counts`."""
        return self._returns.take(rows)

    def lengths(self, rows: Rows) -> NDArray[np.int64]:
        """See `Counts`."""
        return self.steps - self._began.take(rows)

    def add(self, rewards: Any, terminations: Any, truncations: Any, begins: bool) -> None:
        """See `Counts`."""
        self.steps += 1
        np.add(self._returns, rewards, out=self._returns)
        if begins:
            self._begin(self._over)
        self._over = np.logical_or(terminations, truncations, out=self._ends).nonzero()[0]

    def _begin(self, rows: Rows) -> None:
        self._episodes[rows] += 1
        self._began[rows] = self.steps
        self._returns[rows] = 0.0

    def reset(self, rows: Rows) -> None:
        """See `Counts`."""
        self._begin(rows)
        self._over = np.setdiff1d(self._over, rows)

    def get_state(self) -> dict[str, Any]:
        """See `Counts`."""
        return {
            "step": self.steps,
            "began": self._began.copy(),
            "episodes": self._episodes.copy(),
            "returns": self._returns.copy(),
            "over": self._over.copy(),
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """See `Counts`."""
        self.steps = int(state["step"])
        self._began, self._episodes = np.array(state["began"]), np.array(state["episodes"])
        self._returns, self._over = np.array(state["returns"]), np.array(state["over"])
