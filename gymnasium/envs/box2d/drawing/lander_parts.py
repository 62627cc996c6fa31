"""The parts of a lunar lander, and the sparks of its jets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final, NamedTuple

from gymnasium.envs.box2d._engine.bindings import FPS
from gymnasium.envs.box2d._lander.world import LANDER_POLY, LEG_H, LEG_W, Ground
from gymnasium.envs.box2d.drawing.moonscape import at
from gymnasium.envs.box2d.drawing.outlines import Figure, Pose, edged, joined
from gymnasium.rendering.canvas import Canvas

BODY_COLOR: Final = (128, 102, 230)
EDGE_COLOR: Final = (77, 77, 128)
SHADE_COLOR: Final = (104, 80, 202)
FOIL_COLORS: Final = ((222, 174, 78), (186, 136, 52))
GLASS_COLORS: Final = ((34, 38, 72), (150, 214, 244))
METAL_COLORS: Final = ((172, 176, 196), (120, 124, 148))

HULL: Final = joined(
    Figure([[(-5, -9), (5, -9), (7, -14), (-7, -14)]], [METAL_COLORS[1]]),
    edged([(float(x), float(y)) for x, y in LANDER_POLY], BODY_COLOR, EDGE_COLOR),
    Figure(
        [
            [(6, 16), (13.2, 16), (16, 0), (16, -9), (6, -9)],
            [(-16, -2), (16, -2), (16, -9), (-16, -9)],
            [(6, -2), (16, -2), (16, -9), (6, -9)],
            [(-16, -1), (16, -1), (16, -2.5), (-16, -2.5)],
            [(-8, 4), (-5, 1), (5, 1), (8, 4), (8, 9), (5, 12), (-5, 12), (-8, 9)],
            [(-6.5, 4.5), (-4.5, 2.5), (3.5, 10.5), (-4.5, 10.5), (-6.5, 8.5)],
        ],
        [SHADE_COLOR, *FOIL_COLORS, EDGE_COLOR, *GLASS_COLORS],
    ),
)
LEG: Final = joined(
    edged([(x * LEG_W, y * LEG_H) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], METAL_COLORS[0], EDGE_COLOR),
    Figure([[(-3.0, -LEG_H - 1.0), (3.0, -LEG_H - 1.0), (3.0, 2.5 - LEG_H), (-3.0, 2.5 - LEG_H)]], [EDGE_COLOR]),
)
STRUTS: Final = (4, 1)  # the points of the hull's outline at which the legs' struts begin
STRUT_WIDTH: Final = 2.4
STRUT_COLOR: Final = METAL_COLORS[1]

_LEVELS: Final = 12  # of brightness
_STREAK: Final = (0.0, 0.2, 0.4, 0.6, 0.8)  # of a step, the lengths of a spark's trail


@dataclass
class Spark:
    """A glowing particle of a jet."""

    x: float
    y: float
    vx: float
    vy: float
    glow: float  # 1 is fresh from a full engine


class Contents(NamedTuple):
    """The contents of a picture."""

    ground: Ground
    hull: Pose
    legs: list[Pose]
    sparks: list[Spark]


def draw_spark(canvas: Canvas, spark: Spark) -> None:
    """Adds the light of a spark, along its way since the last step."""
    light = _light(ceil(min(spark.glow, 1.0) * _LEVELS), canvas.scale)
    half = light.size[0] / 2
    trail = [at((spark.x - behind * spark.vx / FPS, spark.y - behind * spark.vy / FPS)) for behind in _STREAK]
    canvas.paste_all([(light, (x - half, y - half)) for x, y in trail], glowing=True)


@lru_cache(maxsize=2 * _LEVELS)
def _light(level: int, scale: float) -> Canvas:
    """The light of a spark: white inside while it is fresh, then yellow, then red, then dark."""
    glow = level / _LEVELS
    radius = 3 + round(4 * glow)
    canvas = Canvas(2 * radius + 1, 2 * radius + 1, (0, 0, 0), scale)
    for ring in range(radius, 0, -1):
        near = (1.0 - ring / (radius + 1)) * (0.25 + 0.75 * glow)
        color = (round(200 * near**0.8), round(190 * near**1.2 * glow), round(130 * near**2 * glow))
        canvas.circle((radius + 0.5, radius + 0.5), ring, color)
    return canvas
