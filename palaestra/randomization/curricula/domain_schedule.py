"""Ranges of params that widen with success.

Source: OpenAI et al. (2019), "Solving Rubik's Cube with a Robot Hand", section 5: automatic domain randomisation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.utils._counts import positive
from gymnasium.utils._generators import put_generator
from palaestra.randomization.curricula.teacher import (
    Beginnings,
    Lesson,
    Teacher,
    checked_state,
    generator_state,
    rows_of,
)

__all__ = ["DomainSchedule", "Widening"]


class Widening(NamedTuple):
    """How the range of a param widens.

    Attributes:
        start: Where it begins: a range of this number alone.
        low: The lowest bound, up to `start`.
        high: The highest.
        step: How far a bound moves at a time.
    """

    start: float
    low: float
    high: float
    step: float


class DomainSchedule(Teacher):
    """Draws params from ranges that widen while the agent succeeds at their bounds, and narrow while it fails there.

    Some episodes have one param at one of its bounds, and the others within their ranges. When enough of them have
    ended, the bound moves: outwards if at least `widen` of them succeeded, inwards if at most `narrow` did.

    Args:
        params: For each param a `Widening`, or its four numbers.
        success: A function of returns, lengths and infos, of shape (k,), that returns which episodes succeeded; or the
            least return of a success. It gets the episodes that ended, and is not called if none has.
        widen: The share of successes from which a bound moves outwards.
        narrow: The share up to which it moves inwards.
        episodes: The number of episodes at a bound before it may move.
        at_bounds: The share of episodes with a param at a bound.
        seed: The seed of the draws.

    Attributes:
        ranges: The present range of each param, (low, high).

    Raises:
        TypeError: If a param has no four numbers.
        ValueError: If a range does not hold its start, a step is not positive, or a share is not from 0 to 1.
    """

    def __init__(
        self,
        params: Mapping[str, Widening | tuple[float, float, float, float]],
        success: float | Callable[[NDArray[np.float64], NDArray[np.int64], dict[str, Any]], Any],
        *,
        widen: float = 0.8,
        narrow: float = 0.3,
        episodes: int = 20,
        at_bounds: float = 0.5,
        seed: int = 0,
    ) -> None:
        self._params = {name: _widening(name, numbers) for name, numbers in params.items()}
        for name, one in self._params.items():
            if not (one.low <= one.start <= one.high and one.step > 0):
                raise ValueError(f"{name!r} needs low <= start <= high and a step above 0, but {one} came")
        if not self._params or not 0 <= narrow < widen <= 1 or not 0 <= at_bounds <= 1:
            raise ValueError(
                f"DomainSchedule needs params, 0 <= narrow < widen <= 1 and at_bounds from 0 to 1, but {narrow}, "
                f"{widen} and {at_bounds} came"
            )
        if not callable(success):
            success = float(success)
        self._success = success
        self._widen, self._narrow, self._at_bounds = widen, narrow, at_bounds
        self._episodes = positive("episodes", episodes)
        self.ranges = {name: (one.start, one.start) for name, one in self._params.items()}
        self._results: dict[str, list[bool]] = {f"{name} {side}": [] for name in self._params for side in (0, 1)}
        self._tested: dict[int, str] = {}  # the bound at which each environment plays
        self._rng = np.random.default_rng(seed)

    def begin(self, beginnings: Beginnings) -> Lesson:
        """Count the successes at bounds, and return the params of the next episodes."""
        ended = beginnings.returns == beginnings.returns
        succeeded = np.zeros(len(ended), np.bool_)
        if not callable(self._success):
            succeeded = beginnings.returns >= self._success
        elif ended.any():
            infos = rows_of(beginnings.infos, ended)
            succeeded[ended] = self._success(beginnings.returns[ended], beginnings.lengths[ended], infos)
        for env, over, well in zip(beginnings.env_ids.tolist(), ended.tolist(), succeeded.tolist(), strict=True):
            bound = self._tested.pop(env, None)
            if over and bound is not None:
                self._count(bound, bool(well))
        count = len(beginnings.env_ids)
        drawn = {name: self._rng.uniform(low, high, count) for name, (low, high) in self.ranges.items()}
        names = list(self._params)
        for k, env in enumerate(beginnings.env_ids.tolist()):
            if self._rng.random() < self._at_bounds:
                name, side = names[self._rng.integers(len(names))], int(self._rng.integers(2))
                drawn[name][k] = self.ranges[name][side]
                self._tested[env] = f"{name} {side}"
        return Lesson(params=drawn)

    def _count(self, bound: str, well: bool) -> None:
        results = self._results[bound]
        results.append(well)
        if len(results) < self._episodes:
            return
        share = sum(results) / len(results)
        results.clear()
        if share >= self._widen:
            self._move(bound, 1)
        elif share <= self._narrow:
            self._move(bound, -1)

    def _move(self, bound: str, outwards: int) -> None:
        name, _, side = bound.rpartition(" ")
        one, (low, high) = self._params[name], self.ranges[name]
        if side == "0":
            low = min(max(low - outwards * one.step, one.low), one.start)
        else:
            high = max(min(high + outwards * one.step, one.high), one.start)
        self.ranges[name] = low, high

    def get_state(self) -> dict[str, Any]:
        """Returns the ranges, the results so far, and the generator's state."""
        return {
            "ranges": dict(self.ranges),
            "results": {bound: list(results) for bound, results in self._results.items()},
            "tested": dict(self._tested),
            "generator": generator_state(self._rng),
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a state.

        Raises:
            ValueError: If it is not one of `get_state`, or one of other params.
        """
        checked_state(state, tuple(self.get_state()))
        if list(state["ranges"]) != list(self.ranges):
            raise ValueError(f"The state is one of {list(state['ranges'])}, but the params are {list(self.ranges)}")
        put_generator(self._rng.bit_generator, state["generator"])
        self.ranges = {name: (float(low), float(high)) for name, (low, high) in state["ranges"].items()}
        self._results = {bound: list(results) for bound, results in state["results"].items()}
        self._tested = dict(state["tested"])


def _widening(name: str, numbers: Any) -> Widening:
    """Returns the four numbers of a param."""
    try:
        return Widening(*map(float, numbers))
    except TypeError as error:
        raise TypeError(f"{name!r} needs the four numbers start, low, high and step, but {numbers!r} came") from error
