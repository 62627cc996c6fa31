"""The fields with which the page lets an action be chosen, for every space of actions."""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np

from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, OneOf, Space, Text, Tuple
from palaestra.studio.values import components, shown

_MOST_SLIDERS: Final = 64
_MOST_BUTTONS: Final = 32
_LONGEST_EXAMPLE: Final = 4000  # letters of JSON


def field_of(space: Space) -> dict[str, Any]:
    """Returns the field of a space, as JSON: its kind, and the fields of its parts.

    The kinds are "choice" and "whole" for one number, "sliders" for several, "text", "group" for parts that are all
    given, "one" for parts of which one is given, "json" for what is written as an example shows, and "none".

    Args:
        space: The space, from which an example may be drawn.
    """
    if isinstance(space, Discrete):
        return _discrete(int(space.start), int(space.n))
    if isinstance(space, (Box, MultiDiscrete, MultiBinary)) and _is_short(space):
        return _sliders(space)
    if isinstance(space, Dict):
        return {"kind": "group", "names": [*map(str, space.spaces)], "parts": [*map(field_of, space.spaces.values())]}
    if isinstance(space, Tuple):
        return {"kind": "group", "names": None, "parts": [*map(field_of, space.spaces)]}
    if isinstance(space, OneOf):
        return {
            "kind": "one",
            "names": [" ".join(str(one).split()) for one in space.spaces],
            "parts": [*map(field_of, space.spaces)],
        }
    if isinstance(space, Text):
        letters = "".join(sorted(space.character_set))
        return {"kind": "text", "least": space.min_length, "most": space.max_length, "letters": letters}
    return _example(space)


def _discrete(start: int, count: int) -> dict[str, Any]:
    if count > _MOST_BUTTONS:
        return {"kind": "whole", "low": start, "high": start + count - 1}
    return {"kind": "choice", "values": list(range(start, start + count))}


def _is_short(space: Box | MultiDiscrete | MultiBinary) -> bool:
    return 0 < np.prod(space.shape, dtype=int) <= _MOST_SLIDERS and space.dtype.kind in "fiu"


def _sliders(space: Box | MultiDiscrete | MultiBinary) -> dict[str, Any]:
    if isinstance(space, Box):
        low, high = (
            np.where(np.isfinite(space.low), space.low, -1.0),
            np.where(np.isfinite(space.high), space.high, 1.0),
        )
    elif isinstance(space, MultiDiscrete):
        low, high = space.start, space.start + space.nvec - 1
    else:
        low, high = np.zeros(space.shape, int), np.ones(space.shape, int)
    labels = [[name, ""] for name in components(space) or []]
    whole = space.dtype.kind != "f"
    return {"kind": "sliders", "low": shown(low.ravel()), "high": shown(high.ravel()), "labels": labels, "whole": whole}


def _example(space: Space) -> dict[str, Any]:
    """Returns a field to be written as JSON, with a sample as the example; none if that cannot be had, or is long."""
    try:
        found = space.to_jsonable([space.sample()])
        text = json.dumps(found[0], allow_nan=False)
    except Exception:  # of a class that may be anybody's
        return {"kind": "none"}
    return {"kind": "json", "example": text} if len(text) <= _LONGEST_EXAMPLE else {"kind": "none"}
