"""The form of a transformation for wrappers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gymnasium.spaces import Box, Dict, Space, Tuple


class Transform(NamedTuple):
    """A map on the values of a space, one at a time or a batch at once: `many` applies `one` to each row.

    Attributes:
        space: For observations the space of the results, for actions that of the arguments.
        one: Changes a single value.
        many: Changes a batch of any length.
    """

    space: Space
    one: Callable[[Any], Any]
    many: Callable[[Any], Any]


def required_box(purpose: str, space: Space) -> Box:
    """Returns `space`, or raises `TypeError` if it is not a Box, which a wrapper, the `purpose`, needs."""
    if not isinstance(space, Box):
        if purpose.endswith("Action"):
            parts = isinstance(space, (Dict, Tuple))
            advice = "TransformAction changes a part of an action" if parts else f"leave {purpose} out"
        else:
            advice = "FlattenObservation converts most observations to one, and FilterObservation selects a part"
        raise TypeError(f"{purpose} needs a Box, but the space is {space}; {advice}")
    return space
