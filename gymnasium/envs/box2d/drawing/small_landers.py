"""Many small landers at once, pasted from parts that are drawn in advance: a tenth of the time.

A moon is kept until its episode is over. Its corners are exact to a pixel, landers to half a pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, tau
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine.bindings import Point
from gymnasium.envs.box2d._lander.world import CHUNKS, SCALE, VIEWPORT_H, Ground
from gymnasium.envs.box2d.drawing.lander_parts import HULL, LEG, STRUT_COLOR, STRUT_WIDTH, STRUTS, Contents, draw_spark
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

_FINENESS: Final = 2  # places of a part in a pixel, across and down
_REACH: Final = 30.0  # pixels, the radius of the largest part
_RIM: Final = 1.5  # pixels of the moon's surface, at least, so that it is seen at any scale
_ABOVE: Final = 1  # pixels of a slope's picture
_FIGURES: Final = (HULL, LEG)
_HULLS, _LEGS = range(2)
_CORNERS: Final = np.array([HULL.outlines[1][corner] for corner in STRUTS])
_SLOPES: Final = CHUNKS - 1
_BELOW: Final = np.array([below for _, below, _ in CRATERS])
_MIDDLES: Final = np.array([middle.x for _, middle, _ in SIDES])
# The heights of the ground at both sides and in the middle of each crater, from those of its corners.
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
        self._canvases, self._scale = canvases, canvases[0].scale
        scale = self._scale
        self._empty = [canvas.backdrop() for canvas in canvases]  # moons without landers
        self._grounds: list[Ground | None] = [None] * len(canvases)
        self._sky = sky(scale)
        self._edges = _whole(np.arange(CHUNKS) * CHUNK * scale)
        widths = np.diff(self._edges).tolist()
        slopes = {wide: _Slopes(scale, wide) for wide in widths}
        self._slopes = [slopes[wide] for wide in widths]
        craters = [crater(radius, scale) for _, _, radius in CRATERS]
        self._details = [*craters, pad(scale)]
        across, down = np.array([each.size for each in craters]).T / 2
        self._across = _whole((_MIDDLES - across) * scale)
        self._deep = (_BELOW - down) * scale
        self._turns = ceil(tau * _REACH * scale)  # directions of a part

    def paint(self, scenes: Sequence[Contents]) -> None:
        """Paint each scene."""
        self._renew(scenes)
        every = zip(self._canvases, self._empty, scenes, self._landers(scenes), strict=True)
        for canvas, empty, scene, lander in every:
            canvas.paste(empty)
            for spark in scene.sparks:
                draw_spark(canvas, spark)
            canvas.stamp(*lander)

    def _renew(self, scenes: Sequence[Contents]) -> None:
        """Draw the moons that were not in the last pictures."""
        new = [i for i, scene in enumerate(scenes) if scene.ground != self._grounds[i]]
        for i, moon in zip(new, self._moons([scenes[i].ground for i in new]) if new else (), strict=True):
            self._grounds[i] = scenes[i].ground
            self._empty[i].paste(self._sky)
            self._empty[i].stamp(*moon)

    def _moons(self, grounds: Sequence[Ground]) -> _Parts:
        scale = self._scale
        corners = _whole(_down([[y for _, y in ground.points] for ground in grounds]) * scale)
        lowest = (corners @ _BESIDE.reshape(CHUNKS, -1)).reshape(-1, *_BESIDE.shape[1:]).max(2)
        pads = np.array([(ground.pad[0], ground.pad_y) for ground in grounds]) * SCALE
        places = np.empty((len(grounds), _SLOPES + len(self._details), 2), np.int64)
        slopes, craters = places[:, :_SLOPES], places[:, _SLOPES:-1]
        slopes[:, :, 0], slopes[:, :, 1] = self._edges[:-1], np.minimum(corners[:, :-1], corners[:, 1:]) - _ABOVE
        craters[:, :, 0], craters[:, :, 1] = self._across, _whole(lowest + self._deep)
        places[:, -1] = _whole((pads * (1, -1) + (-BESIDE_PAD, VIEWPORT_H - ABOVE_PAD)) * scale)
        rises = (corners[:, 1:] - corners[:, :-1]).tolist()
        return [
            ([*[slopes[rise] for slopes, rise in zip(self._slopes, each, strict=True)], *self._details], at)
            for each, at in zip(rises, places.tolist(), strict=True)
        ]

    def _landers(self, scenes: Sequence[Contents]) -> _Parts:
        scale, turns = self._scale, self._turns
        fine = _FINENESS * scale
        poses = [[(*position, angle) for position, angle in (scene.hull, *scene.legs)] for scene in scenes]
        x, y, angles = np.array(poses).transpose(2, 0, 1)  # each of shape (n, 3)
        middles = np.stack([x * SCALE, _down(y)], axis=2)
        c, s = np.cos(angles[:, :1]), np.sin(angles[:, :1])
        across, up = _CORNERS.T
        corners = middles[:, :1] + np.stack([c * across - s * up, -s * across - c * up], axis=2)
        spans = _whole((corners - middles[:, 1:]) * fine).tolist()
        pixels, rests = np.divmod(_whole(middles * fine), _FINENESS)
        order = [1, 1, 2, 2, 0]  # a strut and a leg, likewise on the other side, and the hull
        places = (pixels - _half(scale))[:, order].tolist()
        directions = (_whole(angles * (turns / tau)) % turns).tolist()
        return [
            (
                [
                    _strut(scale, *left_at, *left_span),
                    _body(scale, *left_at, left / turns, _LEGS),
                    _strut(scale, *right_at, *right_span),
                    _body(scale, *right_at, right / turns, _LEGS),
                    _body(scale, *hull_at, hull / turns, _HULLS),
                ],
                at,
            )
            for (hull_at, left_at, right_at), (hull, left, right), (left_span, right_span), at in zip(
                rests.tolist(), directions, spans, places, strict=True
            )
        ]


class _Slopes(dict[int, Canvas]):
    """Some pixels of the moon between two corners, by the pixels by which the right one is lower."""

    def __init__(self, scale: float, wide: int) -> None:
        self._scale, self._wide = scale, wide

    def __missing__(self, rise: int) -> Canvas:
        scale, low = self._scale, float(VIEWPORT_H)
        left, right = (_ABOVE - min(rise, 0)) / scale, (_ABOVE + max(rise, 0)) / scale
        wide = max(1, self._wide)  # corners may share a pixel, which others cover
        end = (wide - 0.25) / scale  # the last sub-pixel
        first, second, *others = DEPTHS
        depths = (first, max(second, _RIM / scale), *others)
        outlines: list[list[Point]] = [[(0.0, left + d), (end, right + d), (end, low), (0.0, low)] for d in depths]
        self[rise] = canvas = Canvas(ceil(wide / scale), VIEWPORT_H, None, scale)
        canvas.polygons(outlines, LAYER_COLORS)
        return canvas


def _down(heights: Any) -> _Numbers:
    """Returns how far below the top of the view heights are: pixels for metres."""
    down: _Numbers = VIEWPORT_H - np.asarray(heights) * SCALE
    return down


def _whole(numbers: _Numbers) -> NDArray[np.int64]:
    return np.rint(numbers).astype(np.int64)


def _half(scale: float) -> int:
    """Half the width of the picture of a part, pixels."""
    return ceil(_REACH * scale) + 1


@lru_cache(maxsize=4096)
def _body(scale: float, right: int, down: int, turn: float, which: int) -> Canvas:
    """The hull or a leg, its middle a little to the right of the middle of the picture, and below it."""
    figure = _FIGURES[which]
    return _part(scale, right, down, figure.at(Pose((0.0, 0.0), tau * turn), SCALE, (0.0, 0.0)), figure.colors)


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
