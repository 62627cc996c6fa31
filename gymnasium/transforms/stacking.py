"""The last observations stacked into one: memory for agents without one (Mnih et al. 2015, Nature 518, the map "phi").

A stack serves one environment, or a batch of n at once; the arrays of a batch have a leading axis of n before that of
the stack. Observations without a fixed shape (Text, Sequence, Graph, OneOf) are stacked as a tuple.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Protocol

import numpy as np

from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Tuple
from gymnasium.spaces.batching import create_empty_array


class Stack(Protocol):
    """The last observations of one environment, or of each of a batch."""

    def push(self, observation: Any) -> None:
        """Add an observation, or a batch with one for each environment, and drop the oldest."""

    def restart(self, observation: Any, padding: Any, rows: Sequence[int] | None = None) -> None:
        """Keep only the newest, `observation`, and put `padding` before it.

        Args:
            observation: As for `push`.
            padding: A single environment's observation; None for the newest itself.
            rows: The affected environments of the batch; None for all, or without a batch.
        """

    def stacked(self) -> Any:
        """Returns the stacked observations, the oldest first, in new arrays and containers."""

    def history(self) -> list[Any]:
        """Returns the observations as `push` took them, the oldest first; nothing before the first, or zeros."""

    def row(self, i: int, newest: Any) -> Any:
        """Returns the stacked observations of environment `i`, with `newest` in place of the newest."""


def make_stack(space: Space, size: int, num_envs: int | None = None) -> Stack:
    """Returns a stack of the last `size` observations.

    Args:
        space: The space of a single environment's observation.
        size: The number of observations.
        num_envs: The number of environments in a batch; None for one environment without a batch.
    """
    if isinstance(space, Dict):
        return _Composite({key: make_stack(part, size, num_envs) for key, part in space.items()}, dict)
    if isinstance(space, Tuple):
        return _Composite({i: make_stack(part, size, num_envs) for i, part in enumerate(space)}, _values)
    if isinstance(space, Box | Discrete | MultiDiscrete | MultiBinary):
        return _Arrays(create_empty_array(space, size), num_envs)
    return _Single(size) if num_envs is None else _Batched(size)


def _values(parts: dict[int, Any]) -> tuple[Any, ...]:
    return tuple(parts.values())


class _Composite:
    """A stack for each part of a Dict or Tuple."""

    def __init__(self, parts: dict[Any, Stack], container: Callable[[dict[Any, Any]], Any]) -> None:
        self._parts = parts
        self._container = container

    def push(self, observation: Any) -> None:
        for key, part in self._parts.items():
            part.push(observation[key])

    def restart(self, observation: Any, padding: Any, rows: Sequence[int] | None = None) -> None:
        for key, part in self._parts.items():
            part.restart(observation[key], None if padding is None else padding[key], rows)

    def stacked(self) -> Any:
        return self._container({key: part.stacked() for key, part in self._parts.items()})

    def history(self) -> list[Any]:
        parts = {key: part.history() for key, part in self._parts.items()}
        length = min(map(len, parts.values()), default=0)
        return [self._container({key: kept[t] for key, kept in parts.items()}) for t in range(length)]

    def row(self, i: int, newest: Any) -> Any:
        return self._container({key: part.row(i, newest[key]) for key, part in self._parts.items()})


class _Arrays:
    """A ring: an array with an axis of `size` places; `_newest` is the place written last."""

    def __init__(self, empty: np.ndarray, num_envs: int | None) -> None:
        lead = () if num_envs is None else (num_envs,)
        self._all: tuple[Any, ...] = (slice(None),) * len(lead)  # the index of all environments
        self._shape = (*lead, *empty.shape[1:])
        self._ring = np.zeros((*lead, *empty.shape), empty.dtype)
        self._newest = 0

    def push(self, observation: object) -> None:
        self._newest = (self._newest + 1) % self._ring.shape[len(self._all)]
        self._ring[(*self._all, self._newest)] = self._checked(observation)

    def restart(self, observation: object, padding: object, rows: Sequence[int] | None = None) -> None:
        which = self._all if rows is None else (rows,)
        newest = np.asarray(self._checked(observation))[which]
        self._ring[which] = np.expand_dims(newest, len(self._all)) if padding is None else padding
        self._ring[(*which, self._newest)] = newest

    def stacked(self) -> np.ndarray:
        return self._in_order(self._ring, self._all)

    def history(self) -> list[Any]:
        return list(np.moveaxis(self.stacked(), len(self._all), 0))

    def row(self, i: int, newest: object) -> np.ndarray:
        stack = self._in_order(self._ring[i], ())
        stack[-1] = newest
        return stack

    def _in_order(self, ring: np.ndarray, every: tuple[Any, ...]) -> np.ndarray:
        oldest = self._newest + 1
        return np.concatenate((ring[(*every, slice(oldest, None))], ring[(*every, slice(oldest))]), axis=len(every))

    def _checked(self, observation: Any) -> Any:
        if np.shape(observation) != self._shape:  # NumPy would broadcast it
            raise ValueError(
                f"Observations of shape {self._shape} are stacked, but one of shape {np.shape(observation)} came"
            )
        return observation


class _Single:
    """The observations of one environment, unchanged."""

    def __init__(self, size: int) -> None:
        self._places: deque[Any] = deque(maxlen=size)

    def push(self, observation: object) -> None:
        self._places.append(observation)

    def restart(self, observation: object, padding: object, rows: Sequence[int] | None = None) -> None:
        size = self._places.maxlen or 0
        self._places.extend([observation if padding is None else padding] * (size - 1))
        self._places.append(observation)

    def stacked(self) -> tuple[Any, ...]:
        return deepcopy(tuple(self._places))

    def history(self) -> list[Any]:
        return list(self._places)

    def row(self, i: int, newest: object) -> tuple[Any, ...]:
        raise NotImplementedError("One environment has no rows")


class _Batched:
    """Lists of n observations, unchanged."""

    def __init__(self, size: int) -> None:
        self._places: deque[list[Any]] = deque(maxlen=size)

    def push(self, observation: Any) -> None:
        self._places.append(list(observation))

    def restart(self, observation: Any, padding: Any, rows: Sequence[int] | None = None) -> None:
        while len(self._places) < (self._places.maxlen or 0):
            self._places.append(list(observation))
        for i in range(len(observation)) if rows is None else rows:
            for place in self._places:
                place[i] = observation[i] if padding is None else padding
            self._places[-1][i] = observation[i]

    def stacked(self) -> tuple[Any, ...]:
        return deepcopy(tuple(tuple(place) for place in self._places))

    def history(self) -> list[Any]:
        return list(self._places)

    def row(self, i: int, newest: object) -> tuple[Any, ...]:
        return deepcopy((*[place[i] for place in self._places][:-1], newest))
