"""The moon by night, without the lander: stars, the earth, far hills, the ground, and the pad between two flags."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Final, NamedTuple

from gymnasium.envs.box2d._engine.bindings import Point
from gymnasium.envs.box2d._lander.world import CHUNKS, HEIGHT, SCALE, VIEWPORT_H, VIEWPORT_W, WIDTH, Ground
from gymnasium.rendering.canvas import Canvas

ZENITH_COLOR: Final = (5, 6, 16)
HORIZON_COLOR: Final = (30, 32, 62)
FAR_COLORS: Final = ((30, 32, 54), (42, 44, 68))  # the farther hills and the nearer ones
SURFACE_COLOR: Final = (240, 241, 246)
SOIL_COLORS: Final = ((208, 209, 218), (192, 193, 204), (174, 175, 188), (154, 155, 170))
LAYER_COLORS: Final = (SURFACE_COLOR, *SOIL_COLORS)
CRATER_COLORS: Final = ((232, 233, 240), (150, 151, 166), (166, 167, 182))  # rim, wall and floor
PAD_COLORS: Final = ((70, 74, 92), (236, 196, 60))
POST_COLOR: Final = (226, 228, 236)
FLAG_COLOR: Final = (204, 204, 0)
FLAG_SHADE: Final = (164, 160, 0)
FLAG_HEIGHT: Final = 50.0  # pixels

_STARS: Final = 110
_EARTH: Final = (498.0, 74.0)
_EARTH_RADIUS: Final = 27.0
_OCEAN, _LAND, _CLOUD = (64, 122, 206), (94, 160, 98), (236, 244, 252)
_NIGHT: Final = (6, 8, 24, 205)
_PAD_WIDTH: Final = round(2 * WIDTH / (CHUNKS - 1) * SCALE)  # pixels
BESIDE_PAD, ABOVE_PAD = 30, 54  # pixels of its picture, for the flags
DEPTHS: Final = (0.0, 3.0, 13.0, 32.0, 60.0)  # pixels below the ground's edge, of the surface and each soil
# Of each crater: the position along the ground, 0 to 1; the depth below the surface, and the half width, pixels.
CRATERS: Final = (
    (0.07, 30, 17), (0.2, 58, 22), (0.29, 24, 9), (0.47, 62, 19), (0.63, 40, 15), (0.74, 24, 8), (0.83, 62, 24),
    (0.94, 26, 11),
)  # fmt: skip


class _Side(NamedTuple):
    """A place of the surface: its x, the corner to the left of it, and the part of the way to the next corner."""

    x: float
    corner: int
    along: float


def _side(x: float) -> _Side:
    corner = min(max(int(x / CHUNK), 0), CHUNKS - 2)
    return _Side(x, corner, x / CHUNK - corner)


CHUNK: Final = VIEWPORT_W / (CHUNKS - 1)  # pixels from corner to corner
SIDES: Final = [
    [_side(along * VIEWPORT_W + side * radius) for side in (-1, 0, 1)] for along, _, radius in CRATERS
]  # of each crater, and its middle


def at(point: Point) -> Point:
    """Returns the position of a point of the world in the picture."""
    return point[0] * SCALE, VIEWPORT_H - point[1] * SCALE


def draw_moonscape(canvas: Canvas, ground: Ground) -> None:
    """Draws everything that stands still during an episode."""
    canvas.paste(sky(canvas.scale))
    surface = [at(point) for point in ground.points]
    for depth, color in zip(DEPTHS, LAYER_COLORS, strict=True):
        canvas.hill([(x, y + depth) for x, y in surface], color)
    details = [
        _crater_at(surface, sides, below, crater(radius, canvas.scale))
        for (_, below, radius), sides in zip(CRATERS, SIDES, strict=True)
    ]
    x, y = at((ground.pad[0], ground.pad_y))
    details.append((pad(canvas.scale), (round(x) - BESIDE_PAD, round(y) - ABOVE_PAD)))
    canvas.paste_all(details)


def _crater_at(surface: list[Point], sides: Sequence[_Side], below: float, crater: Canvas) -> tuple[Canvas, Point]:
    """Returns a crater and its place, some way below the lowest point of the surface above it."""
    lowest = max([surface[i][1] + (surface[i + 1][1] - surface[i][1]) * along for _, i, along in sides])
    return crater, (sides[1].x - crater.size[0] / 2, lowest + below - crater.size[1] / 2)


@lru_cache(maxsize=2 * len(CRATERS))
def crater(radius: int, scale: float) -> Canvas:
    """A crater whose half width is `radius`."""
    canvas = Canvas(2 * radius + 4, radius + 2, None, scale)
    x, y = radius + 2, radius / 2 + 1
    rim, wall, floor = CRATER_COLORS
    canvas.ellipse((x, y + 1.2), radius, 0.34 * radius, rim)
    canvas.ellipse((x, y), radius, 0.34 * radius, wall)
    canvas.ellipse((x + 0.08 * radius, y + 0.08 * radius), 0.8 * radius, 0.22 * radius, floor)
    return canvas


@lru_cache(maxsize=2)
def pad(scale: float) -> Canvas:
    """The pad's plate with its stripes, flush with the surface, and a flag at each end."""
    canvas = Canvas(_PAD_WIDTH + 2 * BESIDE_PAD, ABOVE_PAD + 10, None, scale)
    left, right, y = BESIDE_PAD, BESIDE_PAD + _PAD_WIDTH, ABOVE_PAD
    outlines: list[list[Point]] = [[(left, y), (right, y), (right - 5, y + 6), (left + 5, y + 6)]]
    for x in range(left + 12, right, 12):
        outlines.append([(x - 2, y + 1.5), (x + 3, y + 1.5), (x, y + 4.5), (x - 5, y + 4.5)])
    plate, stripe = PAD_COLORS
    canvas.polygons(outlines, [plate, *[stripe] * (len(outlines) - 1)])
    for x in (left, right):
        _draw_flag(canvas, x, y)
    return canvas


def _draw_flag(canvas: Canvas, x: float, y: float) -> None:
    top = y - FLAG_HEIGHT
    canvas.line((x, y), (x, top), POST_COLOR, 1.6)
    canvas.polygon([(x, top), (x, top + 10), (x + 25, top + 5)], FLAG_COLOR)
    canvas.polygon([(x, top + 7), (x, top + 10), (x + 15, top + 7)], FLAG_SHADE)
    canvas.circle((x, top - 1), 1.8, POST_COLOR)


@lru_cache(maxsize=2)
def sky(scale: float) -> Canvas:
    """Everything that is the same in every episode."""
    canvas = Canvas(VIEWPORT_W, VIEWPORT_H, scale=scale)
    canvas.shade(0, VIEWPORT_H, ZENITH_COLOR, HORIZON_COLOR)
    for i in range(_STARS):
        # Multiples of irrational numbers, modulo 1: spread out, and without a visible pattern.
        across, down, size = (i * 0.7548777 % 1, i * 0.5698403 % 1, i * 0.6180340 % 1)
        light = round(90 + 150 * size**3)
        star = (across * VIEWPORT_W, 0.75 * down * VIEWPORT_H)
        canvas.circle(star, 0.6 + 0.8 * size**4, (light, light, light + 15))
    _draw_earth(canvas)
    for color, height, waves in zip(FAR_COLORS, (0.27, 0.2), (2.3, 3.7), strict=True):
        hills = [(x, VIEWPORT_H - SCALE * HEIGHT * (height + _hill(x / VIEWPORT_W, waves))) for x in range(0, 601, 12)]
        canvas.polygon([*hills, (VIEWPORT_W, VIEWPORT_H), (0, VIEWPORT_H)], color)
    return canvas.backdrop()


def _hill(x: float, waves: float) -> float:
    return 0.05 * sin(2 * pi * waves * x + waves) + 0.02 * sin(2 * pi * 2.7 * waves * x)


def _draw_earth(canvas: Canvas) -> None:
    """Draws the earth, lit from the left."""
    (x, y), radius = _EARTH, _EARTH_RADIUS
    for halo in (6, 3):
        canvas.circle((x, y), radius + halo, (110, 160, 240, 22))
    canvas.circle((x, y), radius, _OCEAN)
    canvas.polygon([(x - 16, y - 14), (x - 4, y - 19), (x + 2, y - 10), (x - 6, y - 2), (x - 12, y - 4)], _LAND)
    canvas.polygon([(x - 8, y + 2), (x + 3, y + 4), (x + 2, y + 13), (x - 4, y + 20), (x - 8, y + 10)], _LAND)
    canvas.polyline([(x - 21, y - 2), (x - 12, y + 1), (x - 2, y - 1)], _CLOUD, 2.2)
    canvas.polyline([(x - 6, y - 15), (x + 6, y - 13)], _CLOUD, 1.8)
    canvas.polyline([(x - 14, y + 15), (x - 4, y + 16)], _CLOUD, 1.8)
    turns = [pi * i / 40 for i in range(41)]
    dusk, limb = ([(x + across * radius * sin(t), y - radius * cos(t)) for t in turns] for across in (0.25, 1.0))
    canvas.polygon([*dusk, *reversed(limb)], _NIGHT)
