"""The outlines of bodies of the engine: in pixels and the body's own coordinates, x forward and y up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, hypot, sin
from typing import Any, NamedTuple

from gymnasium.envs.box2d._engine.bindings import Point
from gymnasium.rendering.canvas import Color


class Pose(NamedTuple):
    """Where a body is, m and rad, without the engine."""

    position: Point
    angle: float


def pose_of(body: Any) -> Pose:
    """Returns the pose of a body of the engine."""
    return Pose(tuple(body.position), body.angle)


class Figure(NamedTuple):
    """The shape of a body: filled outlines, the later ones above the earlier ones."""

    outlines: list[list[Point]]
    colors: list[Color]

    def at(self, pose: Pose, scale: float, origin: Point) -> list[list[Point]]:
        """Returns the outlines in the coordinates of the picture.

        Args:
            pose: The body's.
            scale: Pixels per metre.
            origin: The position of the world's origin in the picture.
        """
        (x, y), angle = pose
        c, s = cos(angle), sin(angle)
        left, top = origin[0] + x * scale, origin[1] - y * scale
        return [[(left + c * x - s * y, top - s * x - c * y) for x, y in outline] for outline in self.outlines]


def edged(outline: Sequence[Point], face: Color, edge: Color) -> Figure:
    """Returns a convex outline with an edge two pixels wide."""
    return Figure([grown(outline, 1.0), grown(outline, -1.0)], [edge, face])


def joined(*figures: Figure) -> Figure:
    """Returns several figures as one, the later ones above the earlier ones."""
    return Figure([o for figure in figures for o in figure.outlines], [c for figure in figures for c in figure.colors])


def grown(outline: Sequence[Point], by: float) -> list[Point]:
    """Returns a convex outline with its sides moved outwards."""
    middle = (_mean(x for x, _ in outline), _mean(y for _, y in outline))
    before, after = [outline[-1], *outline[:-1]], [*outline[1:], outline[0]]
    corners = []
    for corner, last, following in zip(outline, before, after, strict=True):
        (ax, ay), (bx, by_) = _outwards(last, corner, middle), _outwards(corner, following, middle)
        share = by / (1.0 + ax * bx + ay * by_)
        corners.append((corner[0] + share * (ax + bx), corner[1] + share * (ay + by_)))
    return corners


def _outwards(start: Point, end: Point, middle: Point) -> Point:
    """The direction across a side, away from the middle."""
    x, y = end[1] - start[1], start[0] - end[0]
    length = hypot(x, y)
    if x * (start[0] - middle[0]) + y * (start[1] - middle[1]) < 0:
        length = -length
    return x / length, y / length


def _mean(numbers: Iterable[float]) -> float:
    each = list(numbers)
    return sum(each) / len(each)
