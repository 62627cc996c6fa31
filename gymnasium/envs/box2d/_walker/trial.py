"""The trial of machine code: a walker."""

from __future__ import annotations

from math import sin
from typing import Any, Final

import numpy as np

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._fast.program import MachineCode
from gymnasium.envs.box2d._walker.body import add_hull, add_legs
from gymnasium.envs.box2d._walker.step import bind
from gymnasium.envs.box2d._walker.terrain import add_terrain, random_terrain

_STEPS: Final = 60
_AHEAD: Final = 5.0  # m, the distance to the first obstacle


def play(code: MachineCode | None) -> list[Any]:
    """Let a walker stumble at the first obstacle; returns what it observes."""
    world = engine.new_world((0, -10), engine.ContactListener())
    terrain = random_terrain(np.random.default_rng(0), hardcore=True)
    pieces = add_terrain(world, terrain, code)
    hull = add_hull(world)
    legs = add_legs(world, hull)
    for body in (hull, *legs.bodies):
        body.position = (body.position.x + _AHEAD, body.position.y + 1.0)
    step = bind(hull, legs.joints, np.array([1, 0], np.uint8), terrain, pieces, code)
    if code is not None:
        code.take_over(world)
    rows: list[Any] = []
    for t in range(_STEPS):
        step.drive(sin(0.2 * t), sin(0.3 * t), sin(0.5 * t), sin(0.7 * t))
        engine.advance(world)
        rows.append((step.observe(0.1 * t), step.observation.tobytes()))
    return rows
