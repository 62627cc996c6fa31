"""Steps in which surely no body has passed through another: there the engine need not look.

After each step the engine follows every contact along its motion, to stop bodies that would pass through others. That
takes a fifth of a walker's step, and in most steps it finds nothing. `pass_by` sees so from bounds: a line has one
shape on one side, and the other shape stays on the other side, far enough away, wherever it was during the step.

Source: E. Catto, "Continuous Collision" (Game Developers Conference 2013), and b2World::SolveTOI and b2TimeOfImpact of
Box2D, by whose rules two shapes touch. The licence of Box2D is in LICENSE.Box2D.
"""

from __future__ import annotations

from math import cos, inf, sin, sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._engine.bindings import Point
from palaestra.box2d.columns import flags, floats, integers, pairs, words

_SLOP: Final = 0.005  # m, b2_linearSlop
_ROUNDING: Final = 0.0005  # m, more than the engine's 32 bits lose within the two following limits
_FARTHEST: Final = 128.0  # m, rad: farther than the far end of a terrain
_WIDEST: Final = 8.0  # m, from the centre of a body
_BEND: Final = 1 / 8  # in the time 1, a path with an acceleration of up to 1 leaves its chord by this at most


def pass_by(world: int) -> bool:
    """Returns whether surely no shape reached another one in this step, and says so to the world, as the engine would.

    Args:
        world: Address of a b2World, whose step is complete but for this.
    """
    own = words(world)
    contact = own[at.WORLD_CONTACT_LIST_64]
    while contact != 0:
        pointers = words(contact)
        if not _is_clear(pointers[at.CONTACT_FIXTURE_A_64], pointers[at.CONTACT_FIXTURE_B_64]):
            return False
        contact = pointers[at.CONTACT_NEXT_64]
    _reset(own[at.WORLD_BODIES_64], own[at.WORLD_CONTACT_LIST_64])
    return True


def _reset(body: int, contact: int) -> None:
    """Note that no body stops in this step, from the first of all bodies and contacts on."""
    while body != 0:
        flags(body, at.BODY_FLAGS_BYTE)[0] &= ~np.uint16(at.ISLAND_FLAG)
        floats(body)[at.BODY_MOVED] = 0.0
        body = words(body)[at.BODY_NEXT_64]
    while contact != 0:
        counts = integers(contact)
        counts[at.CONTACT_FLAGS] &= ~(at.CONTACT_ISLAND_FLAG | at.CONTACT_IMPACT_FLAG)
        counts[at.CONTACT_IMPACTS] = 0
        floats(contact)[at.CONTACT_IMPACT] = 1.0
        contact = words(contact)[at.CONTACT_NEXT_64]


class Edge(NamedTuple):
    """An edge of the ground."""

    start: Point
    end: Point


class Place(NamedTuple):
    """Where a body is at some time."""

    x: float  # of its centre of mass
    y: float
    sine: float  # of its angle
    cosine: float


class Motion(NamedTuple):
    """The motion of a body in a step: its centre goes straight on, and it turns evenly."""

    before: Place
    after: Place
    turn: float  # rad
    way: float  # m, at least that of the centre


def _is_clear(fixture: int, other: int) -> bool:
    """Whether the fixtures are an edge of the ground and a polygon that surely do not touch in this step."""
    one, two = words(fixture), words(other)
    edge, polygon = one[at.FIXTURE_SHAPE_64], two[at.FIXTURE_SHAPE_64]
    if _type(edge) != at.EDGE_TYPE or _type(polygon) != at.POLYGON_TYPE or not _is_ground(one[at.FIXTURE_BODY_64]):
        return False
    radius = float(floats(edge)[at.SHAPE_RADIUS]) + float(floats(polygon)[at.SHAPE_RADIUS])
    enough = max(_SLOP, radius - 3 * _SLOP) + _SLOP / 4 + _ROUNDING  # b2TimeOfImpact: target, tolerance
    ends = floats(edge, at.EDGE_ENDS_BYTE)
    ground = Edge((float(ends[0]), float(ends[1])), (float(ends[2]), float(ends[3])))
    body = two[at.FIXTURE_BODY_64]
    reach = _reach(polygon, body)
    if not (_is_exact(ground, body) and reach <= _WIDEST):
        return False
    motion = _motion(body)
    beside = _is_beside(ground, polygon, body, motion, enough + _BEND * reach * motion.turn**2)
    return beside or _is_outside(ground, polygon, body, motion, enough)


def _is_exact(edge: Edge, body: int) -> bool:
    """Whether the numbers of an edge and of a body's motion are small enough for `_ROUNDING`, and none is NaN."""
    exact = True
    for x, y in edge:
        exact = exact and abs(x) <= _FARTHEST and abs(y) <= _FARTHEST
    b = floats(body)
    for k in range(at.BODY_CENTRE_BEFORE_X, at.BODY_ANGLE + 1):
        exact = exact and abs(b[k]) <= _FARTHEST
    return exact


def _reach(polygon: int, body: int) -> float:
    """Returns at least the distance of a polygon's corners from its body's centre."""
    corners, b = pairs(polygon, at.POLYGON_CORNERS_BYTE), floats(body)
    reach = 0.0
    for k in range(integers(polygon)[at.POLYGON_COUNT]):
        x, y = _from_centre(corners, b, k)
        reach = max(reach, abs(x) + abs(y))
    return reach


def _is_ground(body: int) -> bool:
    """Whether a body never moves, and is where it was made, at the origin."""
    b = floats(body)
    at_origin = b[at.BODY_X] == 0 and b[at.BODY_Y] == 0 and b[at.BODY_ANGLE] == 0
    static: bool = integers(body)[at.BODY_TYPE] == at.STATIC
    return static and at_origin


def _motion(body: int) -> Motion:
    b = floats(body)
    x0, y0 = float(b[at.BODY_CENTRE_BEFORE_X]), float(b[at.BODY_CENTRE_BEFORE_Y])
    x1, y1 = float(b[at.BODY_CENTRE_X]), float(b[at.BODY_CENTRE_Y])
    angle = float(b[at.BODY_ANGLE_BEFORE])
    before = Place(x0, y0, sin(angle), cos(angle))
    after = Place(x1, y1, float(b[at.BODY_SINE]), float(b[at.BODY_COSINE]))
    return Motion(before, after, abs(float(b[at.BODY_ANGLE]) - angle), abs(x1 - x0) + abs(y1 - y0))


def _is_beside(edge: Edge, polygon: int, body: int, motion: Motion, enough: float) -> bool:
    """Whether a polygon is on one side of an edge's line, or before or behind the edge along it, before and after."""
    (ax, ay), (bx, by) = edge
    length = sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
    if length == 0.0:  # a point has no sides
        return False
    ux, uy = (bx - ax) / length, (by - ay) / length
    corners, b = pairs(polygon, at.POLYGON_CORNERS_BYTE), floats(body)
    left, right, low, high = inf, -inf, inf, -inf
    for k in range(integers(polygon)[at.POLYGON_COUNT]):
        x, y = _from_centre(corners, b, k)
        for place in (motion.before, motion.after):
            px, py = place.x + place.cosine * x - place.sine * y - ax, place.y + place.sine * x + place.cosine * y - ay
            along, above = px * ux + py * uy, py * ux - px * uy
            left, right, low, high = min(left, along), max(right, along), min(low, above), max(high, above)
    return max(low, -high, left - length, -right) > enough


def _is_outside(edge: Edge, polygon: int, body: int, motion: Motion, enough: float) -> bool:
    """Whether an edge stays outside one side of a polygon."""
    corners, normals, b = pairs(polygon, at.POLYGON_CORNERS_BYTE), pairs(polygon, at.POLYGON_NORMALS_BYTE), floats(body)
    best, reach = -inf, 0.0
    for k in range(integers(polygon)[at.POLYGON_COUNT]):
        nx, ny = float(normals[k][0]), float(normals[k][1])
        x, y = _from_centre(corners, b, k)
        gap = inf
        for place in (motion.before, motion.after):
            for end in edge:
                dx, dy = end[0] - place.x, end[1] - place.y
                reach = max(reach, abs(dx) + abs(dy))
                px, py = place.cosine * dx + place.sine * dy, place.cosine * dy - place.sine * dx
                gap = min(gap, (px - x) * nx + (py - y) * ny)
        best = max(best, gap)
    return best - _BEND * (reach * motion.turn**2 + 2 * motion.turn * motion.way) > enough


def _from_centre(corners: Any, body: Any, k: int) -> Point:
    """Returns a corner of a polygon from the centre of mass of its body, of which these are the numbers."""
    x, y = float(corners[k][0]), float(corners[k][1])
    return x - float(body[at.BODY_LOCAL_X]), y - float(body[at.BODY_LOCAL_Y])


def _type(shape: int) -> int:
    found: int = integers(shape)[at.SHAPE_TYPE]
    return found
