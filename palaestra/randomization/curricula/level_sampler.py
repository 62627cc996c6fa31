"""Prioritised level replay: levels with more to learn come more often.

Source: Jiang, Grefenstette and Rocktäschel (2021), "Prioritized Level Replay", ICML, section 3: the rank-based
prioritisation and the mixture with staleness.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.utils._generators import put_generator
from palaestra.randomization.curricula.teacher import Beginnings, Lesson, Teacher, checked_state, generator_state

__all__ = ["LevelSampler"]

Score = Callable[[NDArray[np.int64], NDArray[np.float64]], NDArray[np.float64]]


class LevelSampler(Teacher):
    """Draws a level for each episode: new ones while there are any, and levels with a high score again.

    The score of a level is how much there is to learn in it. By default it is the distance of the last return from the
    mean of those before; a learner that knows better, from its advantages say, calls `rate`.

    A level that was played is drawn with the probability (1 - staleness) * P + staleness * Q: P falls with the rank of
    its score, as 1 / rank ** (1 / temperature), and Q grows with the number of episodes since it was last drawn.

    Args:
        levels: The levels: for each the params, a dict.
        options: For each level options of the reset instead; not both.
        temperature: How much ranks matter, above 0; with less, the first rank matters more.
        staleness: The share of Q, 0 to 1.
        new: The probability of a new level, while there are any; None for the share of new ones among all levels.
        seed: The seed of the draws.

    Raises:
        TypeError: If a level is no dict.
        ValueError: If there are no levels, levels and options, or other values.
    """

    def __init__(
        self,
        levels: Sequence[Mapping[str, Any]] | None = None,
        options: Sequence[dict[str, Any]] | None = None,
        *,
        temperature: float = 0.1,
        staleness: float = 0.1,
        new: float | None = None,
        seed: int = 0,
    ) -> None:
        chosen: Sequence[Any] | None = levels if levels is not None else options
        if not chosen or (levels is not None and options is not None):
            raise ValueError("LevelSampler needs levels, either of params or of options")
        for level in chosen:
            if not isinstance(level, Mapping):
                raise TypeError(f'A level is a dict, such as {{"length": 0.5}}, but {level!r} came')
        if not temperature > 0 or not 0 <= staleness <= 1 or not (new is None or 0 <= new <= 1):
            raise ValueError(
                f"temperature is above 0, staleness and new are from 0 to 1, but {temperature}, {staleness} and {new} "
                "came"
            )
        if levels is not None and len({tuple(level) for level in levels}) > 1:
            raise ValueError("Each level names the same params, in one order")
        self._levels, self._options = levels, options
        self._temperature, self._staleness, self._new = temperature, staleness, new
        count = len(chosen)
        self.scores = np.zeros(count)
        self._returns, self._played = np.zeros(count), np.zeros(count, np.int64)  # sums of returns, and their number
        self._drawn = np.full(count, -1, np.int64)  # the number of the episode in which each level was last drawn
        self._episode = 0
        self._at: dict[int, int] = {}  # the level of each environment
        self._rng = np.random.default_rng(seed)

    @property
    def level_ids(self) -> dict[int, int]:
        """The level of each environment's episode, by the environment's index."""
        return dict(self._at)

    def begin(self, beginnings: Beginnings) -> Lesson:
        """Score the levels of the last episodes, and return those of the next."""
        for env, value in zip(beginnings.env_ids.tolist(), beginnings.returns.tolist(), strict=True):
            level = self._at.get(env)
            if level is not None and value == value:
                mean = self._returns[level] / self._played[level] if self._played[level] else 0.0
                self.scores[level] = abs(value - mean)
                self._returns[level] += value
                self._played[level] += 1
        chosen = [self._draw(env) for env in beginnings.env_ids.tolist()]
        if self._options is not None:
            return Lesson(options=[self._options[level] for level in chosen])
        levels = self._levels or ()
        return Lesson(params={name: np.array([levels[k][name] for k in chosen]) for name in levels[0]})

    def rate(self, level_ids: Any, scores: Any) -> None:
        """Set the scores of levels, which hold until their next episodes end.

        Args:
            level_ids: The indices of the levels.
            scores: Their scores; a higher one is drawn more often.

        Raises:
            ValueError: If there is no such level, or a score is no finite number; nothing is set then.
        """
        levels, rated = np.asarray(level_ids), np.asarray(scores, np.float64)
        if levels.dtype.kind not in "iu" or ((levels < 0) | (levels >= len(self.scores))).any():
            raise ValueError(f"The levels are 0 to {len(self.scores) - 1}, but {level_ids!r} came")
        if not np.isfinite(rated).all():
            raise ValueError(f"Scores are finite numbers, but {scores!r} came")
        self.scores[levels] = rated

    def probabilities(self) -> NDArray[np.float64]:
        """Returns the probability of each level that was drawn before, shape (levels,); zeros if there is none."""
        seen = self._drawn >= 0
        if not seen.any():
            return np.zeros(len(seen))
        ranks = np.empty(len(seen))
        ranks[np.argsort(np.where(seen, -self.scores, np.inf), kind="stable")] = np.arange(1, len(seen) + 1)
        by_rank = np.where(seen, ranks ** (-1 / self._temperature), 0.0)
        age = np.where(seen, self._episode - self._drawn, 0.0)
        total = age.sum()
        by_age = age / total if total else seen / seen.sum()
        shares: NDArray[np.float64] = (1 - self._staleness) * by_rank / by_rank.sum() + self._staleness * by_age
        return shares

    def _draw(self, env: int) -> int:
        unseen = np.flatnonzero(self._drawn < 0)
        share = len(unseen) / len(self._drawn) if self._new is None else self._new
        if len(unseen) and (len(unseen) == len(self._drawn) or self._rng.random() < share):
            level = int(unseen[self._rng.integers(len(unseen))])
        else:
            level = int(np.searchsorted(np.cumsum(self.probabilities()), self._rng.random(), side="right"))
            level = min(level, len(self._drawn) - 1)
        self._drawn[level] = self._episode
        self._episode += 1
        self._at[env] = level
        return level

    def get_state(self) -> dict[str, Any]:
        """Returns the scores, the levels played, and the generator's state."""
        return {
            "scores": self.scores.copy(),
            "returns": self._returns.copy(),
            "played": self._played.copy(),
            "drawn": self._drawn.copy(),
            "episode": self._episode,
            "at": dict(self._at),
            "generator": generator_state(self._rng),
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a state.

        Raises:
            ValueError: If it is not one of `get_state`, or one of another number of levels.
        """
        checked_state(state, tuple(self.get_state()))
        if len(state["scores"]) != len(self.scores):
            raise ValueError(f"The state is one of {len(state['scores'])} levels, but there are {len(self.scores)}")
        put_generator(self._rng.bit_generator, state["generator"])
        self.scores, self._returns = np.array(state["scores"]), np.array(state["returns"])
        self._played, self._drawn = np.array(state["played"]), np.array(state["drawn"])
        self._episode, self._at = int(state["episode"]), dict(state["at"])
