"""The trial of machine code: a lander."""

from __future__ import annotations

from math import sin
from typing import Any, Final

import numpy as np

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._fast.program import MachineCode
from gymnasium.envs.box2d._lander.motors import bind
from gymnasium.envs.box2d._lander.world import add_lander, add_leg, add_moon, random_ground

_STEPS: Final = 60
_FALL: Final = 8.9  # m, down to just above the ground


def play(code: MachineCode | None) -> list[Any]:
    """Let a lander touch down on its legs; returns what it observes."""
    world = engine.new_world((0, -10), engine.ContactListener())
    ground = random_ground(np.random.default_rng(0))
    add_moon(world, ground)
    lander = add_lander(world)
    legs = [add_leg(world, lander, side) for side in (-1, 1)]
    for body in (lander, *legs):
        body.position = (body.position.x, body.position.y - _FALL)
    step = bind(lander, np.array([1, 0], np.uint8), code)
    if code is not None:
        code.take_over(world)
    rows: list[Any] = []
    for t in range(_STEPS):
        step.fire(0.0 if t % 4 else 0.7, sin(0.4 * t) if t % 3 else 0.0, 0.01, -0.02)
        engine.advance(world)
        rows.append((step.observe(ground.pad_y), step.observation.tobytes()))
    return rows
