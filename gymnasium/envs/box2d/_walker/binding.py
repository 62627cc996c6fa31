"""The walker's functions bound to one walker in its world: as Python, or as machine code."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._walker.lidar import RAYS, obstacles_of, surface_of
from gymnasium.envs.box2d._walker.motors import FLOATS, OWN, Memory, Walker, drive, sense
from gymnasium.envs.box2d._walker.terrain import Pieces, Terrain

if TYPE_CHECKING:
    from gymnasium.envs.box2d._fast.machine_code import MachineCode


class Nerves(NamedTuple):
    """The functions that drive and observe a walker."""

    drive: Callable[[float, float, float, float], None]
    """Sets the motors for an action."""
    sense: Callable[[float], tuple[float, float, float]]
    """Takes the previous shaping; returns the hull's x, the shaping, and the reward."""
    seen: NDArray[np.float32]
    """The observation, after `sense` has returned."""
    kept: Any = None
    """The memory of machine code."""


def connected(
    hull: engine.Body,
    hinges: Sequence[engine.Joint],
    standing: NDArray[np.uint8],
    terrain: Terrain,
    pieces: Pieces,
    code: MachineCode | None,
) -> Nerves:
    """Returns the nerves of a walker; `standing` marks the legs that stand, and may change."""
    floats = np.zeros(FLOATS, np.float32)
    seen = floats[: OWN + RAYS]
    ground = surface_of(terrain, pieces.surface), obstacles_of(terrain, pieces.obstacles)
    if code is None:
        walker = Walker(hull.this, [hinge.this for hinge in hinges], standing, *ground, engine.Ray())
        memory = Memory(seen[:OWN], seen[OWN:], [0.0] * len(hinges), array("f", (0.0, 0.0)))
        return Nerves(partial(drive, walker, memory), partial(sense, walker, memory), seen)
    words = code.words(Walker(int(hull.this), [int(hinge.this) for hinge in hinges], standing, *ground, None), floats)
    return Nerves(partial(code.drive, words.array), partial(code.sense, words.array), seen, words)
