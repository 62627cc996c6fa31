"""The episode queues of statistics, as part of a wrapper's state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gymnasium.wrappers.utils import check_mapping

_QUEUES = ("return_queue", "length_queue", "time_queue")


def queue_shapes(state: Mapping[str, Any]) -> dict[str, tuple[int]]:
    """Returns the required shapes of the queues in a state of statistics: all have the same length."""
    check_mapping(state)
    return dict.fromkeys(_QUEUES, (np.size(state.get(_QUEUES[0], ())),))


def refill(wrapper: object, state: Mapping[str, np.ndarray]) -> None:
    """Put the queues of a state into the wrapper's; of longer ones, keep the last episodes."""
    for name in _QUEUES:
        queue = getattr(wrapper, name)
        queue.clear()
        queue.extend(as_added(state[name]))


def as_added(array: np.ndarray) -> Any:
    """Returns Python's numbers, as sums and queues hold them, for an array of their types, and the array for others."""
    return array.tolist() if array.dtype in (np.float64, np.int64) else array[()]
