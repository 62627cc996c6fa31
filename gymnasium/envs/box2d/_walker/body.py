"""The walker's body: a hull on two legs, each with a hip and a knee. Lengths in metres."""

from __future__ import annotations

from typing import Final, NamedTuple

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._walker.terrain import SCALE, TERRAIN_HEIGHT, TERRAIN_STARTPAD, TERRAIN_STEP

MOTORS_TORQUE: Final = 80  # N m, the maximum of each joint
INITIAL_RANDOM: Final = 5  # N, the maximum horizontal push at the start of an episode

HULL_POLY: Final = [(-30, 9), (6, 9), (34, 1), (34, -8), (-30, -8)]  # pixels
LEG_DOWN: Final = -8 / SCALE  # the hips, from the hull's middle
LEG_W: Final = 8 / SCALE
LEG_H: Final = 34 / SCALE

# The walker's parts collide with the terrain, but not with each other.
_WALKER: Final = {"categoryBits": 0x0020, "maskBits": 0x001, "restitution": 0.0}
HULL_FD: Final = engine.polygon([(x / SCALE, y / SCALE) for x, y in HULL_POLY], density=5.0, friction=0.1, **_WALKER)
LEG_FD: Final = engine.box(LEG_W / 2, LEG_H / 2, density=1.0, **_WALKER)
LOWER_FD: Final = engine.box(0.8 * LEG_W / 2, LEG_H / 2, density=1.0, **_WALKER)

_HIPS: Final = {
    side: engine.Hinge(((0.0, LEG_DOWN), (0.0, LEG_H / 2)), (-0.8, 1.1), MOTORS_TORQUE, side) for side in (-1, 1)
}
_KNEE: Final = engine.Hinge(((0.0, -LEG_H / 2), (0.0, LEG_H / 2)), (-1.6, -0.1), MOTORS_TORQUE, 1)
_START: Final = (TERRAIN_STEP * TERRAIN_STARTPAD / 2, TERRAIN_HEIGHT + 2 * LEG_H)


class Legs(NamedTuple):
    """Both legs."""

    bodies: list[engine.Body]
    """Upper and lower leg behind, upper and lower leg in front."""
    joints: list[engine.Joint]
    """Hip and knee behind, hip and knee in front."""


def add_hull(world: engine.World) -> engine.Body:
    """Adds the hull in the middle of the level start."""
    return engine.add_body(world, _START, 0.0, HULL_FD)


def add_legs(world: engine.World, hull: engine.Body) -> Legs:
    """Adds both legs to a hull, slightly astride."""
    legs = Legs([], [])
    x, y = _START
    for side in (-1, 1):
        upper = engine.add_body(world, (x, y - LEG_H / 2 - LEG_DOWN), side * 0.05, LEG_FD)
        legs.joints.append(_HIPS[side].join(hull, upper))
        lower = engine.add_body(world, (x, y - LEG_H * 3 / 2 - LEG_DOWN), side * 0.05, LOWER_FD)
        legs.joints.append(_KNEE.join(upper, lower))
        legs.bodies.extend((upper, lower))
    return legs
