"""The walker's ground: earth, obstacles, blades of grass and the flag at the start, drawn in strips."""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple

from gymnasium.envs.box2d._engine.bindings import Point
from gymnasium.envs.box2d._walker.terrain import (
    SCALE,
    TERRAIN_HEIGHT,
    TERRAIN_LENGTH,
    TERRAIN_STEP,
    VIEWPORT_H,
    VIEWPORT_W,
    Terrain,
)
from gymnasium.envs.box2d.drawing.outlines import edged
from gymnasium.rendering.canvas import Canvas, Color, bar

EARTH_COLOR: Final = (102, 153, 76)
GRASS_COLORS: Final = ((76, 255, 76), (76, 204, 76))
OBSTACLE_COLORS: Final = ((255, 255, 255), (153, 153, 153))  # face and edge
FLAG_COLOR: Final = (230, 51, 0)
FLAG_STEP: Final = 3  # of the terrain
FLAG_HEIGHT: Final = 50  # pixels

_STEPS: Final = 10  # of the terrain in a strip
_WIDTH: Final = round(_STEPS * TERRAIN_STEP * SCALE)  # pixels of a strip
_STRIPS: Final = TERRAIN_LENGTH // _STEPS


class Ground:
    """The ground of one episode.

    Args:
        terrain: The terrain; the strips seen last are kept.
        scale: How large it is drawn.
    """

    def __init__(self, terrain: Terrain, scale: float = 1.0) -> None:
        self._scale = scale
        self._more = 0 if scale == 1.0 else ceil(1.0 / scale)  # of a strip, which rounding may move by a pixel
        self._points = [_at(point) for point in terrain.points]
        self._obstacles = [[_at(corner) for corner in quad] for quad in terrain.obstacles]
        self._strips: dict[int, _Strip] = {}

    def draw(self, canvas: Canvas, left: int) -> None:
        """Puts the ground into a view that begins `left` pixels on."""
        seen = range(max(left // _WIDTH, 0), min((left + VIEWPORT_W - 1) // _WIDTH + 1, _STRIPS))
        self._strips = {i: self._strips.get(i) or self._strip(i) for i in seen}
        for i, strip in self._strips.items():
            canvas.paste(strip.picture, (i * _WIDTH - left, strip.top))

    def _strip(self, i: int) -> _Strip:
        """A strip, with all that reaches into it from the steps beside it."""
        left, first = i * _WIDTH, max(i * _STEPS - 1, 0)
        surface = self._points[first : (i + 1) * _STEPS + 2]
        deep = min(int(max(y for _, y in surface)) + 1, VIEWPORT_H)
        below = deep + self._more
        outlines: list[list[Point]] = [[*surface, (surface[-1][0], below), (surface[0][0], below)]]
        colors: list[Color] = [EARTH_COLOR]
        for obstacle in self._obstacles:
            xs = [x for x, _ in obstacle]
            if max(xs) + 1 > left and min(xs) - 1 < left + _WIDTH:  # with its edge
                figure = edged(obstacle, *OBSTACLE_COLORS)
                outlines += figure.outlines
                colors += figure.colors
        for k, (start, end) in enumerate(pairwise(surface), first):
            outlines.append(bar(start, end, 2))
            colors.append(GRASS_COLORS[k % 2])
        flag = FLAG_STEP in range(i * _STEPS, (i + 1) * _STEPS)
        highest = min(y for outline in outlines for _, y in outline) - flag * FLAG_HEIGHT
        top = min(max(int(highest) - 2, 0), VIEWPORT_H - 1)
        width, high = _WIDTH + self._more, VIEWPORT_H + self._more
        picture = Canvas(width, high - top, None, self._scale)
        picture.rectangle(0, deep - top, min(round(surface[-1][0]) - left, width), high - deep, EARTH_COLOR)
        picture.polygons([[(x - left, y - top) for x, y in outline] for outline in outlines], colors)
        if flag:
            _draw_flag(picture, left, top)
        return _Strip(picture, top)


class _Strip(NamedTuple):
    """A part of the ground, from its highest point down."""

    picture: Canvas
    top: int  # pixels


def _at(point: Point) -> Point:
    return point[0] * SCALE, VIEWPORT_H - point[1] * SCALE


def _draw_flag(picture: Canvas, left: int, top: int) -> None:
    """Marks the walker's start."""
    x, y = _at((FLAG_STEP * TERRAIN_STEP, TERRAIN_HEIGHT))
    x, foot = x - left, y - top
    tip = foot - FLAG_HEIGHT
    picture.line((x, foot), (x, tip), (0, 0, 0), 2)
    picture.polygon([(x, tip), (x, tip + 10), (x + 25, tip + 5)], FLAG_COLOR)
