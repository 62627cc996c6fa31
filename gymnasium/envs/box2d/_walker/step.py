"""The functions of a step bound to one walker in its world: as Python, or as machine code."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._fast.program import MachineCode
from gymnasium.envs.box2d._walker.lidar import RAYS, obstacles_of, surface_of
from gymnasium.envs.box2d._walker.motors import FLOATS, OWN, Buffers, Walker, drive, observe
from gymnasium.envs.box2d._walker.terrain import Pieces, Terrain


class WalkerFunctions(NamedTuple):
    """The functions of a step, for one walker."""

    drive: Callable[[float, float, float, float], None]
    """Sets the motors for an action."""
    observe: Callable[[float], tuple[float, float, float]]
    """Takes the previous shaping; returns the hull's x, the shaping, and the reward."""
    observation: NDArray[np.float32]
    """Of shape (24,); valid after `observe`."""
    kept: Any = None
    """The memory that machine code uses."""


def bind(
    hull: engine.Body,
    hinges: Sequence[engine.Joint],
    standing: NDArray[np.uint8],
    terrain: Terrain,
    pieces: Pieces,
    code: MachineCode | None,
) -> WalkerFunctions:
    """Returns the functions for a walker; `standing` marks the legs that stand, and may change."""
    floats = np.zeros(FLOATS, np.float32)
    seen = floats[: OWN + RAYS]
    ground = surface_of(terrain, pieces.surface), obstacles_of(terrain, pieces.obstacles)
    if code is None:
        walker = Walker(hull.this, [hinge.this for hinge in hinges], standing, *ground, engine.Ray())
        buffers = Buffers(seen[:OWN], seen[OWN:], [0.0] * len(hinges), array("f", (0.0, 0.0)))
        return WalkerFunctions(partial(drive, walker, buffers), partial(observe, walker, buffers), seen)
    from gymnasium.envs.box2d._walker.machine_code import packed

    walker = Walker(int(hull.this), [int(hinge.this) for hinge in hinges], standing, *ground, None)
    words, kept = packed(walker, floats)
    drive_it, observe_it = code.functions["drive_packed"], code.functions["observe_packed"]
    return WalkerFunctions(partial(drive_it, words), partial(observe_it, words), seen, kept)
