"""Parts of arrays that are assigned to parts, `a[i, 1:] = b`, which may be of the same array.

Numba copies a source that overlaps, but looks for it in another place if the index has integers beside slices. NumPy
copies it, but for targets of one axis, which it writes from one end to the other.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from palaestra.language.jit.backend import compiled, types
from palaestra.language.jit.exact.kinds import is_array, parts_of


def may_meet(target: Any, index: Any, value: Any) -> bool:
    """Returns whether an assignment of an array to a part of another may differ in Numba and NumPy, by the types."""
    if not value.mutable:
        return False  # it belongs to the state, the params or the action, and the target to the function
    indices = parts_of(index) if isinstance(index, types.BaseTuple) else (index,)
    if any(is_array(one) for one in indices):
        return False
    slices = [one for one in indices if isinstance(one, types.SliceType)]
    dense = target.layout == value.layout == "C" and not any(one.has_step for one in slices)
    if len(slices) == len(indices):
        return target.ndim == 1 and not dense
    return not dense or len(indices) > 1


@partial(compiled, boundscheck=True)
def put_part(a: np.ndarray, index: Any, values: np.ndarray) -> None:
    """`a[index] = values`, where the values may be a part of `a`."""
    part = a[index]
    if part.ndim == 1 and part.size > 1 and values.size > 1:
        _check_order(part, values)
    part[...] = values


@compiled
def _check_order(part: np.ndarray, values: np.ndarray) -> None:
    """Raise if the result depends on the end at which NumPy begins."""
    stride, pace = part.strides[0], values.strides[values.ndim - 1]
    if stride == pace or (stride > 0) != (pace > 0):
        return
    ahead = part.ctypes.data - values.ctypes.data
    for k in range(part.size):
        place = ahead + k * stride
        met = place // pace
        if place == met * pace and met != k and 0 <= met < values.shape[values.ndim - 1]:
            raise ValueError(
                "an array is assigned to a part that it overlaps, which NumPy reads in between: write .copy() behind it"
            )
