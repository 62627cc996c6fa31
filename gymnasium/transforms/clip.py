"""Values clipped to bounds."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gymnasium.error import InvalidBound
from gymnasium.spaces import Box, Space
from gymnasium.spaces.bounds import dtype_range
from gymnasium.transforms.transform import Transform, required_box


def clip_into(space: Space) -> Transform:
    """Returns the transformation of arrays of the Box's shape, with any entries, to its own values.

    Raises:
        TypeError: If the space is not a Box.
    """
    box = required_box("ClipAction", space)
    clip = partial(np.clip, a_min=box.low, a_max=box.high)
    return Transform(_widest(box), clip, clip)


def clip_between(least: ArrayLike | None, most: ArrayLike | None) -> partial[Any]:
    """Returns the function that clips numbers or arrays to two bounds, one of which may be None.

    Raises:
        InvalidBound: If both are None, or the lower is above the upper.
    """
    if least is None and most is None:
        raise InvalidBound("Clipping needs `min_reward`, `max_reward` or both, but both are None")
    if least is not None and most is not None and np.any(np.subtract(most, least) < 0):
        raise InvalidBound(f"`min_reward` must not be above `max_reward`, but {least} and {most} came")
    return partial(np.clip, a_min=deepcopy(least), a_max=deepcopy(most))  # the caller may reuse an array


def _widest(box: Box) -> Box:
    """Returns the widest `Box` of the shape and dtype: without bounds, if the dtype has infinities."""
    low, high = (-np.inf, np.inf) if box.dtype.kind in "fi" else dtype_range(box.dtype)
    return Box(low, high, shape=box.shape, dtype=box.dtype.type)
