"""Environments that replace others, which were lost with their actor: their episodes end as truncated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gymnasium.error import ResetNeeded
from gymnasium.vector._batch.infos import add_info
from gymnasium.vector._workers.board import row_of, rows_of, some_actions
from gymnasium.vector.vector_env import AutoresetMode
from palaestra.ray.batches import joined, merged_infos
from palaestra.ray.protocol import Losses

_ENDS, _BEGINS, _OVER = "ends", "begins", "over"  # what the next step of a lost environment does

Result = tuple[Any, Any, Any, Any, dict[str, Any]]


class Lost:
    """The lost environments among those of an actor, which have just been made anew and reset.

    The first step of each ends its episode, with reward 0, the last observation and `worker_restarted` in the info. A
    reset follows as after any end. A reset before that step simply ends the episode.

    Args:
        batch: The new environments.
        first: The observations and infos of their reset.
        losses: The last observations of the lost ones, and which episodes had ended.
        mode: The autoreset mode.
    """

    def __init__(self, batch: Any, first: tuple[Any, dict[str, Any]], losses: Losses, mode: AutoresetMode) -> None:
        self._batch, self._mode = batch, mode
        self._space = batch.single_observation_space
        self._first, self._infos = first
        self._last = losses.observations
        ended = _BEGINS if mode is AutoresetMode.NEXT_STEP else _OVER
        over = np.asarray(losses.finished) & (mode is not AutoresetMode.SAME_STEP)
        self._next = {place: ended if over[place] else _ENDS for place in range(batch.num_envs)}

    def __bool__(self) -> bool:
        return bool(self._next)

    def check_none(self) -> None:
        """Raise `ResetNeeded` if an environment is still lost."""
        if self._next:
            raise ResetNeeded(
                f"The episodes of the environments at {list(self._next)} were lost with their actor: step or reset "
                "them first"
            )

    def reset(self, places: Sequence[int]) -> None:
        """Note that these were reset."""
        for place in places:
            self._next.pop(place, None)

    def step(self, actions: Any, places: Sequence[int]) -> Result:
        """Step these environments, each with its row of actions.

        Raises:
            AssertionError: If one is finished and the mode is DISABLED.
        """
        found: list[tuple[int, Any, Any, Any, Any, dict[str, Any]]] = []
        live = [row for row, place in enumerate(places) if place not in self._next]
        if live:
            found += self._stepped(some_actions(actions, live), live, [places[row] for row in live])
        found += [(row, *self._one(place)) for row, place in enumerate(places) if place in self._next]
        order = np.argsort([row for row, *_ in found])
        rows = [found[k] for k in order]
        observations = joined(self._space, [one[1] for one in rows])
        numbers = (np.array([one[k] for one in rows], dtype) for k, dtype in ((2, float), (3, bool), (4, bool)))
        return (observations, *numbers, merged_infos([(one[5], 1) for one in rows]))

    def _stepped(self, actions: Any, rows: Sequence[int], places: Sequence[int]) -> list[Any]:
        """Step environments that are not lost. Returns the results, each by itself, with their rows."""
        self._batch.send(actions, places)
        observations, rewards, terminated, truncated, infos = self._batch.recv(len(places))
        ids = infos.pop("env_id").tolist()
        results = []
        for k, place in enumerate(ids):
            seen = rows_of(self._space, observations, [k])
            step = rewards[k], terminated[k], truncated[k], _row(infos, k)
            results.append((rows[places.index(place)], seen, *step))
        return results

    def _one(self, place: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Returns the step of a lost environment."""
        what = self._next.pop(place)
        fresh, begun = rows_of(self._space, self._first, [place]), _row(self._infos, place)
        if what == _BEGINS:
            return fresh, 0.0, False, False, begun
        if what == _OVER:
            self._next[place] = _OVER
            raise AssertionError("A finished environment was stepped without autoreset: reset it first")
        restarted = add_info({}, {"worker_restarted": True}, 0, 1)
        if self._mode is AutoresetMode.SAME_STEP:
            last = {"final_obs": row_of(self._space, self._last, place), "final_info": {}}
            return fresh, 0.0, False, True, {**add_info({}, last, 0, 1), **restarted, **begun}
        self._next[place] = _BEGINS if self._mode is AutoresetMode.NEXT_STEP else _OVER
        return rows_of(self._space, self._last, [place]), 0.0, False, True, restarted


def _row(infos: dict[str, Any], k: int) -> dict[str, Any]:
    """Returns row k of the infos of a batch, as the infos of a batch of one."""
    return {name: _row(column, k) if isinstance(column, dict) else column[k : k + 1] for name, column in infos.items()}
