"""Spaces as JSON text, in the form that Minari reads."""

from __future__ import annotations

import json
from typing import Any

from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Text, Tuple


def space_json(space: Space) -> str:
    """Returns the text of a space whose values can be recorded."""
    return json.dumps(_form(space))


def _form(space: Space) -> dict[str, Any]:
    form: dict[str, Any] = {"type": type(space).__name__}
    if isinstance(space, Dict):
        return {"type": "Dict", "subspaces": {name: _form(part) for name, part in space.spaces.items()}}
    if isinstance(space, Tuple):
        return {"type": "Tuple", "subspaces": [_form(part) for part in space.spaces]}
    if isinstance(space, Text):
        lengths = {"max_length": space.max_length, "min_length": space.min_length}
        return {"type": "Text", **lengths, "charset": space.characters}
    if isinstance(space, MultiBinary):
        return {"type": "MultiBinary", "n": list(space.shape) if len(space.shape) > 1 else space.shape[0]}
    form["dtype"] = str(space.dtype)
    if isinstance(space, Box):
        form |= {"type": "Box", "shape": list(space.shape), "low": space.low.tolist(), "high": space.high.tolist()}
    elif isinstance(space, Discrete):
        form |= {"type": "Discrete", "start": int(space.start), "n": int(space.n)}
    elif isinstance(space, MultiDiscrete):
        form |= {"type": "MultiDiscrete", "nvec": space.nvec.tolist(), "start": space.start.tolist()}
    return form
