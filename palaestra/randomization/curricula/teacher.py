"""The questions to a teacher, and its answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Beginnings:
    """The environments that begin an episode at one time, k of them, and their last episodes.

    `Curriculum` gathers each array when it is first looked at.

    Attributes:
        env_ids: Their indices in the batch, int64, shape (k,).
        episodes: The number of episodes that each has begun before, int64, shape (k,).
        returns: The return of the last episode, float64, shape (k,); NaN where there is none, or it was interrupted.
        lengths: Its number of steps, int64, shape (k,); 0 likewise.
        infos: The infos of its last step: arrays with k rows, and their masks.
    """

    env_ids: NDArray[np.int64]
    episodes: NDArray[np.int64]
    returns: NDArray[np.float64]
    lengths: NDArray[np.int64]
    infos: dict[str, Any]

    def __init__(
        self,
        env_ids: NDArray[np.int64],
        episodes: NDArray[np.int64],
        returns: NDArray[np.float64],
        lengths: NDArray[np.int64],
        infos: dict[str, Any],
    ) -> None:
        self.env_ids, self.episodes, self.returns, self.lengths, self.infos = env_ids, episodes, returns, lengths, infos

    def __iter__(self) -> Iterator[Any]:
        """Yields the attributes, in this order."""
        return (getattr(self, name) for name in PARTS)

    def __repr__(self) -> str:
        """Returns the attributes."""
        return f"Beginnings({', '.join(f'{name}={getattr(self, name)!r}' for name in PARTS)})"


PARTS: Final = ("env_ids", "episodes", "returns", "lengths", "infos")  # the attributes of `Beginnings`


class Lesson(NamedTuple):
    """The params, seeds and options with which k episodes begin.

    Attributes:
        options: The options of the resets: a dict for all, or k dicts or Nones; None for no options.
        params: By name, an array with k values, or a value for all, but no distribution; None to set nothing. Params
            keep their values until they are set again.
    """

    options: dict[str, Any] | Sequence[dict[str, Any] | None] | None = None
    params: Mapping[str, object] | None = None


def rows_of(infos: Mapping[str, Any], rows: NDArray[Any]) -> dict[str, Any]:
    """Returns these rows of infos; a bool array or indices."""
    return {name: rows_of(column, rows) if isinstance(column, dict) else column[rows] for name, column in infos.items()}


class Teacher:
    """Chooses the params, seeds and options of episodes.

    A subclass implements `begin`, and to be part of snapshots `get_state` and `set_state`.
    """

    def begin(self, beginnings: Beginnings) -> Lesson | None:
        """Returns a lesson for these episodes, or None."""
        raise NotImplementedError(f"{type(self).__name__} does not implement `begin`")


def generator_state(rng: np.random.Generator) -> dict[str, Any]:
    """Returns the state of a teacher's generator."""
    return dict(rng.bit_generator.state)


def checked_state(state: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
    """Returns the state of a teacher.

    Raises:
        ValueError: If it has not these entries.
    """
    if set(state) != set(names):
        raise ValueError(f"The state of this teacher has {', '.join(names)}, but {', '.join(map(str, state))} came")
    return state
