"""A trial of machine code against the engine: both let a walker with the engines of a lander stumble."""

from __future__ import annotations

from functools import partial
from math import sin
from typing import Any, Final

import numpy as np

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._fast.machine_code import MachineCode
from gymnasium.envs.box2d._lander.motors import NUMBERS, fire, look
from gymnasium.envs.box2d._walker.binding import connected
from gymnasium.envs.box2d._walker.body import add_hull, add_legs
from gymnasium.envs.box2d._walker.terrain import add_terrain, random_terrain

_STEPS: Final = 60
_AHEAD: Final = 5.0  # m, the distance to the first obstacle


def agrees(code: MachineCode) -> bool:
    """Returns whether the walker's observations are the same with machine code, bit for bit."""
    return _played(code) == _played(None)


def _played(code: MachineCode | None) -> list[tuple[Any, ...]]:
    world = engine.new_world((0, -10), engine.ContactListener())
    terrain = random_terrain(np.random.default_rng(0), hardcore=True)
    pieces = add_terrain(world, terrain, code)
    hull, legs, joints = add_legs(world, add_hull(world))
    for body in (hull, *legs):
        body.position = (body.position.x + _AHEAD, body.position.y + 1.0)
    standing, seen = np.array([1, 0], np.uint8), np.zeros(NUMBERS, np.float32)
    nerves = connected(hull, joints, standing, terrain, pieces, code)
    push, see = partial(fire, hull.this), partial(look, seen, hull.this, standing)
    if code is not None:
        code.take_over(world)
        push, see = partial(code.fire, int(hull.this)), partial(code.look, seen, int(hull.this), standing)
    rows: list[tuple[Any, ...]] = []
    for t in range(_STEPS):
        nerves.drive(sin(0.2 * t), sin(0.3 * t), sin(0.5 * t), sin(0.7 * t))
        push(0.5, sin(0.4 * t), 0.01, -0.02)
        engine.advance(world)
        rows.append((nerves.sense(0.1 * t), nerves.seen.tobytes(), see(1.0), seen.tobytes()))
    return rows
