"""Moments of a batch of robots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.identity import check_identity
from gymnasium.envs.mujoco.saving import check_magnitude
from gymnasium.utils._generators import checked_generator, put_generator
from gymnasium.vector._batch.turns import in_turn
from palaestra.mujoco.batch import Snapshot
from palaestra.mujoco.vector_params import RobotParams


class RobotState(NamedTuple):
    """A snapshot of one environment of a batch: its simulation, its generator, and its position in the episode."""

    simulation: Snapshot
    generator: Mapping[str, Any]
    elapsed: int
    finished: bool
    model: str | None = None
    """The identity of its model; None in states from before it was recorded."""
    params: dict[str, Any] | None = None
    """The params of the episode and their stream, as plain data; None if none have been set."""


class RobotsState(NamedTuple):
    """A snapshot of a batch."""

    robots: tuple[RobotState, ...]


class RobotMoments(RobotParams):
    """The methods of `MujocoVectorEnv` that keep and put moments."""

    _elapsed: NDArray[np.int64]
    _finished: NDArray[np.bool_]
    _model: str

    @in_turn
    def get_state(self, i: int | None = None) -> RobotState | RobotsState:
        """Returns a snapshot of environment `i`, or for None of the whole batch, for an exact `set_state`.

        Raises:
            IndexError: If there is no such environment.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        self._check_ready("get_state", i)
        if i is None:
            return RobotsState(tuple(map(self._state_of, range(self.num_envs))))
        return self._state_of(i)

    def _state_of(self, i: int) -> RobotState:
        generator = self._generator(i).bit_generator.state
        elapsed, finished = int(self._elapsed[i]), bool(self._finished[i])
        return RobotState(self._batch.snapshot(i), generator, elapsed, finished, self._model, self._params_state(i))

    @in_turn
    def set_state(self, i: int | None, state: RobotState | RobotsState, seed: int | None = None) -> None:
        """Restore a snapshot of `get_state`, of the same robot, in environment `i`, or for None in the whole batch.

        Args:
            i: The environment, or None.
            state: The result of `get_state`.
            seed: A seed with which the generator of environment `i` continues.

        Raises:
            IndexError: If there is no such environment.
            TypeError: If `state` is not a result of `get_state` for an index, or for None.
            ValueError: If it belongs to another robot, or to another number of them. Nothing is set in these cases.
            gymnasium.error.ResetNeeded: Before the first reset.
        """
        self._check_ready("set_state", i)
        expected = RobotsState if i is None else RobotState
        if not isinstance(state, expected):
            raise TypeError(f"`set_state` expects a {expected.__name__} here, but a {type(state)} came")
        given: Any = state
        each: dict[int, RobotState] = {i: given} if i is not None else dict(enumerate(given.robots))
        if i is None and len(each) != self.num_envs:
            raise ValueError(
                f"`set_state` expects a state of {self.num_envs} environments, but one of {len(each)} came"
            )
        like = self._batch.snapshot(0)
        for one in each.values():
            if one.model is not None:
                check_identity(self._model, one.model)
            if not _alike(like, one.simulation):
                raise ValueError(
                    f"`set_state` expects a state of a {type(self).__name__}, but one of another robot came"
                )
            check_magnitude(one.simulation.state)
            checked_generator(one.generator)
        self._put_params({k: one.params for k, one in each.items()}, seed)
        for k, one in each.items():
            generator = self._generator(k, seed)
            if seed is None:
                put_generator(generator.bit_generator, one.generator)
            self._batch.restore(k, one.simulation)
            self._elapsed[k], self._finished[k] = one.elapsed, one.finished

    def _generator(self, i: int, seed: int | None = None) -> np.random.Generator:
        raise NotImplementedError


def _alike(one: Snapshot, other: Snapshot) -> bool:
    """Returns whether two snapshots can belong to the same model."""
    forms = [{"": _form(state), **{name: _form(reading) for name, reading in readings.items()}}
             for state, readings in (one, other)]  # fmt: skip
    return forms[0] == forms[1]


def _form(array: NDArray[Any]) -> tuple[np.dtype, tuple[int, ...]]:
    return array.dtype, array.shape
