"""Observations as plain arrays for `np.savez`, and back, for the states of wrappers that remember observations.

Of k array observations, one array of shape (k, ...) is made, in their dtype. A Dict or Tuple makes one for each part,
named after its place. Any other observations become a text that holds them as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gymnasium.spaces import Dict, Space, Tuple
from gymnasium.wrappers.utils import check_mapping, checked_state

COUNT = "count"
OBSERVATIONS = "observations"


def saved_observations(space: Space, observations: Sequence[object]) -> dict[str, np.ndarray]:
    """Returns k observations of `space` as arrays `observations`, or `observations.PART` and so on, and `count`, k."""
    arrays = {COUNT: np.array(len(observations))}
    for name, part, path in _leaves(space, OBSERVATIONS, ()):
        values = [_at(observation, path) for observation in observations]
        if part.shape is None:
            arrays[name] = np.array(json.dumps(part.to_jsonable(values)))
        else:
            arrays[name] = np.array(values) if values else np.zeros((0, *part.shape), part.dtype)
    return arrays


def checked_observations(
    space: Space, state: Mapping[str, object], shapes: Mapping[str, tuple[int, ...]], counts: Sequence[int]
) -> tuple[list[Any], dict[str, np.ndarray]]:
    """Returns the observations in a state that contains `saved_observations`, and copies of its arrays.

    Args:
        space: The space of the observations.
        state: The state.
        shapes: The shapes of the other arrays in it.
        counts: The allowed numbers of observations.

    Raises:
        TypeError: If the state is not a mapping.
        ValueError: If an array is missing or superfluous, or has another shape, or a text holds no such observations.
    """
    count = _count(state)
    leaves = list(_leaves(space, OBSERVATIONS, ()))
    expected = {name: () if part.shape is None else (count, *part.shape) for name, part, _ in leaves}
    arrays = checked_state(state, {**shapes, COUNT: (), **expected})
    if count not in counts:
        raise ValueError(f"The state must hold {_one_of(counts)} observations, but holds {count}")
    columns = {name: _column(part, arrays[name], count, name) for name, part, _ in leaves}
    return [_built(space, OBSERVATIONS, columns, i) for i in range(count)], arrays


def _leaves(space: Space, name: str, path: tuple[object, ...]) -> Iterator[tuple[str, Space, tuple[Any, ...]]]:
    """Yields the name, the space and the place of each part without parts of its own."""
    if isinstance(space, Dict | Tuple):
        for key, part in _parts(space):
            yield from _leaves(part, f"{name}.{key}", (*path, key))
    else:
        yield name, space, path


def _parts(space: Dict | Tuple) -> Iterator[tuple[Any, Space]]:
    return iter(space.spaces.items() if isinstance(space, Dict) else enumerate(space.spaces))


def _at(observation: Any, path: tuple[object, ...]) -> Any:
    for key in path:
        observation = observation[key]
    return observation


def _built(space: Space, name: str, columns: Mapping[str, Any], i: int) -> Any:
    """Returns observation number `i`."""
    if not isinstance(space, Dict | Tuple):
        return columns[name][i]
    parts = {key: _built(part, f"{name}.{key}", columns, i) for key, part in _parts(space)}
    return parts if isinstance(space, Dict) else tuple(parts.values())


def _count(state: Mapping[str, object]) -> int:
    check_mapping(state)
    count = np.asarray(state.get(COUNT, 0))
    return int(count) if count.ndim == 0 and count.dtype.kind in "iu" else 0


def _one_of(counts: Sequence[int]) -> str:
    return f"{counts[0]}" if len(counts) == 1 else f"{', '.join(map(str, counts[:-1]))} or {counts[-1]}"


def _column(part: Space, array: np.ndarray, count: int, name: str) -> Any:
    """Returns the values of one part."""
    if part.shape is not None:
        return array
    try:
        values = part.from_jsonable(json.loads(str(array)))
    except Exception as error:  # the space may raise anything for a wrong text
        raise ValueError(f"The state's {name!r} holds no observations of {part}: {error!r}") from error
    if len(values) != count:
        raise ValueError(f"The state's {name!r} must hold {count} observations, but holds {len(values)}")
    return values
