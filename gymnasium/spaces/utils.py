"""Functions that flatten structured values to vectors and back.

Each function dispatches on the type of its first argument and is open to other types:
`flatten.register(MySpace, my_function)`. For unregistered types it calls a method of the argument.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any, TypeAlias

import numpy as np
from typing_extensions import TypeVar

from gymnasium.spaces.space import Space, checked_space, no_space

T = TypeVar("T")
# A GraphInstance is a tuple.
FlatType: TypeAlias = np.ndarray | dict[str, Any] | tuple[Any, ...]


@singledispatch
def flatdim(space: Space) -> int:
    """Returns the length of a flattened value.

    Raises:
        ValueError: If values of the space have no vectors of a fixed length.
        NotImplementedError: If the type of space is not known.
    """
    return checked_space(space)._flatdim()


@singledispatch
def flatten(space: Space[T], x: T) -> FlatType:
    """Returns the value `x` as a vector of length `flatdim(space)`, with discrete values one-hot.

    If `space` has no fixed length (it holds a graph or a sequence), the structure stays and the leaves are flat.

    Raises:
        ValueError: If the joint float dtype cannot hold an integer exactly; `unflatten` would return another.
    """
    if not isinstance(space, Space):  # like `checked_space`, without a call: small values flatten in less than 1 us
        raise no_space(space)
    return space._flattened(x)  # type: ignore[no-any-return]  # it depends on the space


@singledispatch
def unflatten(space: Space[T], x: FlatType) -> T:
    """Returns the value from which `flatten(space, value)` made `x`."""
    return checked_space(space)._unflattened(x)  # type: ignore[no-any-return]  # it depends on the space


@singledispatch
def flatten_space(space: Space) -> Space:
    """Returns the space of flattened values: a Box of shape `(flatdim(space),)` if the length is fixed.

    Raises:
        ValueError: If no dtype holds the integers of all members, such as the greatest uint64 and -1.
    """
    return checked_space(space)._flat_space()


@singledispatch
def is_space_dtype_shape_equiv(space_1: Space, space_2: Space) -> bool:
    """Whether values of both spaces fit the same arrays: bounds and counts may differ, shapes and dtypes may not."""
    return checked_space(space_1)._same_layout(checked_space(space_2))
