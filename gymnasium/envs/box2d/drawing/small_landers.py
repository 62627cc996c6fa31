"""Many small landers at once, pasted from parts that are drawn in advance: a tenth of the time.

In a fast training, nearly every picture shows other moons, so nothing is kept of them. Their corners are exact to a
pixel, landers to half a pixel and 3 degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat
from math import ceil, tau
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine.bindings import Point
from gymnasium.envs.box2d._lander.world import CHUNKS, SCALE, VIEWPORT_H
from gymnasium.envs.box2d.drawing.lander_parts import HULL, LEG, STRUT_COLOR, STRUT_WIDTH, STRUTS, draw_spark
from gymnasium.envs.box2d.drawing.moonscape import (
    ABOVE_PAD,
    BESIDE_PAD,
    CHUNK,
    CRATERS,
    DEPTHS,
    LAYER_COLORS,
    SIDES,
    crater,
    pad,
    sky,
)
from gymnasium.envs.box2d.drawing.outlines import Pose
from gymnasium.rendering.canvas import Canvas, Color, bar

if TYPE_CHECKING:
    from gymnasium.envs.box2d.drawing.lunar_lander import Scene

_TURNS: Final = 120  # directions of a part,
_FINENESS: Final = 2  # and its places in a pixel, across and down
_REACH: Final = 30.0  # pixels, the radius of the largest part
_RIM: Final = 1.5  # pixels of the moon's surface, at least, so that it is seen at any scale
_ABOVE: Final = 1  # pixels of a slope's picture
_FIGURES: Final = (HULL, LEG)
_HULLS, _LEGS = range(2)
_CORNERS: Final = np.array([HULL.outlines[1][corner] for corner in STRUTS])
# The heights of the ground beside each crater and above its middle, from the heights of its corners.
_BESIDE: Final = np.zeros((CHUNKS, len(CRATERS), len(SIDES[0])))
for _k, _sides in enumerate(SIDES):
    for _j, _side in enumerate(_sides):
        _BESIDE[_side.corner, _k, _j] = 1.0 - _side.along
        _BESIDE[_side.corner + 1, _k, _j] = _side.along

_Numbers = NDArray[Any]
_Parts = list[tuple[list[Canvas], Any]]  # of each scene: pictures, and their places


class SmallLanders:
    """Paints scenes on small canvases.

    Args:
        canvases: The canvas of each scene, all at one scale.
    """

    def __init__(self, canvases: Sequence[Canvas]) -> None:
        self._canvases = canvases
        self._scale = scale = canvases[0].scale
        self._edges = _whole(np.arange(CHUNKS) * CHUNK * scale)
        self._widths = np.diff(self._edges).tolist()
        self._others = [*[crater(radius, scale) for _, _, radius in CRATERS], pad(scale)]
        sizes = np.array([each.size for each in self._others[:-1]])
        middles = [(middle.x, below) for (_, middle, _), (_, below, _) in zip(SIDES, CRATERS, strict=True)]
        self._craters = (np.array(middles) - sizes / 2) * scale

    def paint(self, scenes: Sequence[Scene]) -> None:
        """Paint each scene."""
        background = sky(self._scale)
        every = zip(self._canvases, scenes, self._moons(scenes), self._landers(scenes), strict=True)
        for canvas, scene, moon, lander in every:
            canvas.paste(background)
            canvas.stamp(*moon)
            for spark in scene.sparks:
                draw_spark(canvas, spark)
            canvas.stamp(*lander)

    def _moons(self, scenes: Sequence[Scene]) -> _Parts:
        scale, last = self._scale, CHUNKS - 1
        corners = _whole(_down(np.array([scene.ground.points for scene in scenes])[:, :, 1]) * scale)
        places = np.empty((len(scenes), last + len(self._others), 2), np.int64)
        places[:, :last, 0] = self._edges[:-1]
        places[:, :last, 1] = np.minimum(corners[:, :-1], corners[:, 1:]) - _ABOVE
        places[:, last:-1, 0] = _whole(self._craters[:, 0])
        lowest = np.tensordot(corners, _BESIDE, 1).max(2)
        places[:, last:-1, 1] = _whole(lowest + self._craters[:, 1])
        pads = [scene.ground for scene in scenes]
        places[:, -1, 0] = _whole((np.array([each.pad[0] for each in pads]) * SCALE - BESIDE_PAD) * scale)
        places[:, -1, 1] = _whole((_down(np.array([each.pad_y for each in pads])) - ABOVE_PAD) * scale)
        return [
            ([*map(_slope, repeat(scale), self._widths, rises), *self._others], at)
            for rises, at in zip(np.diff(corners).tolist(), places.tolist(), strict=True)
        ]

    def _landers(self, scenes: Sequence[Scene]) -> _Parts:
        scale = self._scale
        fine = _FINENESS * scale
        poses = np.array([[(*position, angle) for position, angle in (s.hull, *s.legs)] for s in scenes])
        middles = np.stack([poses[..., 0] * SCALE, _down(poses[..., 1])], axis=-1)
        angles = poses[..., 2]
        cos, sin = np.cos(angles[:, :1]), np.sin(angles[:, :1])
        across, up = _CORNERS.T
        corners = middles[:, :1] + np.stack([cos * across - sin * up, -sin * across - cos * up], axis=-1)
        spans = _whole((corners - middles[:, 1:]) * fine)
        pixels, parts = np.divmod(_whole(middles * fine), _FINENESS)
        turns = _whole(angles * (_TURNS / tau)) % _TURNS
        order = [1, 1, 2, 2, 0]  # a strut and a leg, likewise on the other side, and the hull
        places = (pixels - _half(scale))[:, order].tolist()
        found = []
        for (hull, *legs), (turn, *others), struts, at in zip(
            parts.tolist(), turns.tolist(), spans.tolist(), places, strict=True
        ):
            pictures = []
            for leg, other, strut in zip(legs, others, struts, strict=True):
                pictures += [_strut(scale, *leg, *strut), _body(scale, *leg, other, _LEGS)]
            found.append(([*pictures, _body(scale, *hull, turn, _HULLS)], at))
        return found


def _down(heights: _Numbers) -> _Numbers:
    """Returns how far below the top of the view heights are: pixels for metres."""
    down: _Numbers = VIEWPORT_H - heights * SCALE
    return down


def _whole(numbers: _Numbers) -> NDArray[np.int64]:
    return np.rint(numbers).astype(np.int64)


@lru_cache(maxsize=1024)
def _slope(scale: float, wide: int, rise: int) -> Canvas:
    """Some pixels of the moon between two corners, of which the second is `rise` pixels lower."""
    left, right = (_ABOVE - min(rise, 0)) / scale, (_ABOVE + max(rise, 0)) / scale
    canvas = Canvas(ceil(wide / scale), VIEWPORT_H, None, scale)
    end, low = (wide - 0.25) / scale, float(VIEWPORT_H)
    first, second, *others = DEPTHS
    depths = (first, max(second, _RIM / scale), *others)
    outlines: list[list[Point]] = [[(0.0, left + d), (end, right + d), (end, low), (0.0, low)] for d in depths]
    canvas.polygons(outlines, LAYER_COLORS)
    return canvas


def _half(scale: float) -> int:
    """Half the width of the picture of a part, pixels."""
    return ceil(_REACH * scale) + 1


@lru_cache(maxsize=4096)
def _body(scale: float, right: int, down: int, turn: int, which: int) -> Canvas:
    """The hull or a leg, its middle a little to the right of the middle of the picture, and below it."""
    figure = _FIGURES[which]
    return _part(scale, right, down, figure.at(Pose((0.0, 0.0), tau * turn / _TURNS), SCALE, (0.0, 0.0)), figure.colors)


@lru_cache(maxsize=4096)
def _strut(scale: float, right: int, down: int, across: int, along: int) -> Canvas:
    """A leg's strut, from a little to the right of the middle of the picture and below it."""
    fine = _FINENESS * scale
    return _part(scale, right, down, [bar((0.0, 0.0), (across / fine, along / fine), STRUT_WIDTH)], [STRUT_COLOR])


def _part(scale: float, right: int, down: int, outlines: list[list[Point]], colors: Sequence[Color]) -> Canvas:
    half = _half(scale)
    size = ceil(2 * half / scale)
    canvas = Canvas(size, size, None, scale)
    left, top = (half + right / _FINENESS) / scale, (half + down / _FINENESS) / scale
    canvas.polygons([[(left + x, top + y) for x, y in outline] for outline in outlines], colors)
    return canvas
