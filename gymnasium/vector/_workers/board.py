"""The results of all environments of a batch, and their actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.spaces.array_space import ArraySpace
from gymnasium.spaces.batching import concatenate, create_empty_array
from gymnasium.spaces.dict import Dict
from gymnasium.spaces.space import Space
from gymnasium.spaces.tuple import Tuple
from gymnasium.vector._workers.arena import Arena, is_arrays


class Board:
    """The newest observations, rewards and flags.

    Attributes:
        rewards: float64, shape (n,).
        terminations, truncations: bool, shape (n,); a reset clears them.
    """

    def __init__(self, space: Space, n: int, read: Callable[[], Any] | None, arena: Arena | None = None) -> None:
        """Make a board.

        Args:
            space: The space of a single observation.
            n: The number of environments.
            read: Returns the batch of observations if they are in shared memory; None if they are sent.
            arena: The memory that holds rewards and flags, and possibly the actions; None if the replies hold them.
        """
        self._space = space
        self._arena = arena
        self._read = read
        self._rows: list[Any] = [None] * n
        self._batch = create_empty_array(space, n, np.zeros) if read is None else read()
        # Views show the memory directly; other values are decoded each time.
        self._fixed = read is not None and is_arrays(space)
        self.rewards: NDArray[np.float64] = np.zeros(n) if arena is None else arena.rewards
        self.terminations: NDArray[np.bool_] = np.zeros(n, np.bool_) if arena is None else arena.terminations
        self.truncations: NDArray[np.bool_] = np.zeros(n, np.bool_) if arena is None else arena.truncations

    def finished(self) -> NDArray[np.bool_]:
        """Returns a mask of the environments whose last step ended an episode."""
        return self.terminations | self.truncations

    def observations(self) -> Any:
        """Returns the batch of observations; arrays are always the same objects."""
        if self._read is None:
            self._batch = concatenate(self._space, self._rows, self._batch)
        elif not self._fixed:
            self._batch = self._read()
        return self._batch

    def observations_of(self, envs: Sequence[int]) -> Any:
        """Returns a new batch of the observations of these environments."""
        if self._read is None:
            rows = [self._rows[env] for env in envs]
            return concatenate(self._space, rows, create_empty_array(self._space, len(envs), np.zeros))
        return rows_of(self._space, self.observations(), list(envs))

    def observation(self, env: int) -> Any:
        """Returns the observation of one environment."""
        return self._rows[env] if self._read is None else row_of(self._space, self.observations(), env)

    def take(self, observations: Mapping[int, Any]) -> None:
        """Store the observations that were sent."""
        for env, observation in observations.items():
            self._rows[env] = observation

    def write_actions(self, batch: Any, envs: Any) -> bool:
        """Write a checked batch of actions into the memory. Returns False if it does not fit there unchanged."""
        if self._arena is None or self._arena.actions is None or not _fits(self._arena.actions, batch):
            return False
        _write(self._arena.actions, batch, envs)
        return True

    def sent(self, envs: range) -> dict[int, Any]:
        """Returns the newest observations of these environments, by place, if they are not in the memory."""
        return {} if self._read is not None else {place: self._rows[env] for place, env in enumerate(envs)}


def copied(batch: Any) -> Any:
    """Returns a copy of a batch of observations or actions."""
    # `deepcopy` of an array takes six times as long.
    return batch.copy() if type(batch) is np.ndarray else deepcopy(batch)


def some_actions(batch: Any, rows: Any) -> Any:
    """Returns some rows (a slice, or a list of indices) of a checked batch of actions."""
    if isinstance(batch, tuple):
        return tuple(some_actions(part, rows) for part in batch)
    if isinstance(batch, dict):
        return {key: some_actions(part, rows) for key, part in batch.items()}
    if isinstance(batch, list) and not isinstance(rows, slice):
        return [batch[row] for row in rows]
    return batch[rows]


def _fits(columns: Any, batch: Any) -> bool:
    """Whether the arrays have the dtypes of the memory, so that the environments get the caller's values."""
    if isinstance(columns, tuple):
        return all(map(_fits, columns, batch))
    if isinstance(columns, dict):
        return all(_fits(columns[key], batch[key]) for key in columns)
    return bool(columns.dtype == batch.dtype)


def _write(columns: Any, batch: Any, envs: Any) -> None:
    if isinstance(columns, tuple):
        for column, part in zip(columns, batch, strict=True):
            _write(column, part, envs)
    elif isinstance(columns, dict):
        for key, column in columns.items():
            _write(column, batch[key], envs)
    else:
        columns[envs] = batch


def rows_of(space: Space, batch: Any, envs: list[int]) -> Any:
    """Returns some rows of a batch, in new memory."""
    if isinstance(space, Tuple):
        return tuple(rows_of(part, column, envs) for part, column in zip(space.spaces, batch, strict=True))
    if isinstance(space, Dict):
        return {key: rows_of(part, batch[key], envs) for key, part in space.spaces.items()}
    if isinstance(space, ArraySpace):
        return batch[envs]
    return tuple(batch[env] for env in envs)


def row_of(space: Space, batch: Any, env: int) -> Any:
    """Returns one row of a batch, as an observation of its own."""
    if isinstance(space, Tuple):
        return tuple(row_of(part, column, env) for part, column in zip(space.spaces, batch, strict=True))
    if isinstance(space, Dict):
        return {key: row_of(part, batch[key], env) for key, part in space.spaces.items()}
    # A scalar is a separate value; an array's row is a view.
    return batch[env].copy() if isinstance(batch[env], np.ndarray) else batch[env]
