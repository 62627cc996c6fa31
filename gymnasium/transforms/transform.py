"""The form that a transformation has for a wrapper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gymnasium.spaces import Box, Space


class Transform(NamedTuple):
    """What becomes of the values of a space, one at a time or a batch at once: row `i` is what `one` makes of row `i`.

    Attributes:
        space: For observations the space of what comes out, for actions of what goes in.
        one: Changes a single value.
        many: Changes a batch of any length.
    """

    space: Space[Any]
    one: Callable[[Any], Any]
    many: Callable[[Any], Any]


def required_box(purpose: str, space: Space[Any]) -> Box:
    """Returns `space`, or raises `TypeError` if it is no Box, which the `purpose` needs."""
    if not isinstance(space, Box):
        raise TypeError(
            f"{purpose} needs a Box, but the space is {space}; of most observations FlattenObservation makes one, "
            "and FilterObservation picks a part of a Dict or Tuple"
        )
    return space
