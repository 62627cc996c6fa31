"""The ground of a race: field, grass and road; only the visible parts are drawn."""

from __future__ import annotations

from math import hypot, inf
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine.bindings import Point
from gymnasium.envs.box2d._racing.track import PLAYFIELD, TrackPoint, kerb_outline, kerbs
from gymnasium.envs.box2d.drawing.race_view import View
from gymnasium.rendering.raster import RGB, Raster

GRASS_DIM: Final = PLAYFIELD / 20.0  # m, side of a square of grass

_EVEN: Final = range(-20, 20, 2)  # the places of squares of grass, in units of their size
_SLACK: Final = 10.0  # m that the car may move before its surroundings are computed again
KERB_COLORS: Final = ((255, 255, 255), (255, 0, 0))
_BLACK: Final = (0, 0, 0)


class Colors(NamedTuple):
    """The colours of an episode."""

    road: RGB
    field: RGB
    grass: RGB


class Ground:
    """The ground of one episode.

    Args:
        track: The road's middle.
        tiles: The corners of each tile.
        colors: The colours of the episode.
    """

    def __init__(self, track: list[TrackPoint], tiles: list[list[Point]], colors: Colors) -> None:
        self._colors = colors
        self._paint = [colors.grass] * len(_GRASS)
        self._tiles: list[int] = []  # the index of each tile in `_paint`
        outlines = []
        kerbed, shades = kerbs(track), _shades(colors.road)
        for i, tile in enumerate(tiles):
            self._tiles.append(len(self._paint))
            outlines.append(tile)
            self._paint.append(shades[i % 3])
            if kerbed[i]:
                outlines.append(kerb_outline(track, i))
                self._paint.append(KERB_COLORS[i % 2])
        self._corners = np.concatenate([_GRASS, np.array(outlines)]).transpose(2, 1, 0)  # x and y, corner, shape
        self._middles = self._corners.mean(axis=1)
        self._radii = np.hypot(*(self._corners - self._middles[:, None])).max(axis=0)
        self._around = _Around((inf, inf), 0.0, np.empty(0, np.intp), np.empty((2, 0)))

    def visit(self, tile: int) -> None:
        """Paint a tile in the plain colour of the road."""
        self._paint[self._tiles[tile]] = self._colors.road

    def paint(self, raster: Raster, view: View) -> None:
        """Fills the picture."""
        self._paint_field(raster, view)
        if not self._around.holds(view):
            self._around = self._found(view)
        corners = view.all_shown(self._around.corners).reshape(2, 4, -1)
        low, high = corners.min(axis=1), corners.max(axis=1)
        (seen,) = ((high[0] > 0) & (high[1] > 0) & (low[0] < raster.size[0]) & (low[1] < raster.size[1])).nonzero()
        paint = self._paint
        raster.polygons(corners[:, :, seen].T.tolist(), [paint[i] for i in self._around.shapes[seen].tolist()])

    def _paint_field(self, raster: Raster, view: View) -> None:
        """Fills the picture with the field if that covers nearly all of it, which is much faster than an outline."""
        x, y = view.car
        if max(abs(x), abs(y)) + view.reach < PLAYFIELD:
            raster.fill(self._colors.field)
        else:
            raster.fill(_BLACK)
            raster.polygon(view.field.shown(_FIELD), self._colors.field)

    def _found(self, view: View) -> _Around:
        """The shapes that may be visible until the car has moved a little."""
        reach = view.reach + _SLACK
        x, y = self._middles - np.reshape(view.car, (2, 1))
        (shapes,) = (x * x + y * y < (reach + self._radii) ** 2).nonzero()
        return _Around(view.car, view.reach, shapes, self._corners[:, :, shapes].reshape(2, -1))


class _Around(NamedTuple):
    """The surroundings of a place."""

    place: Point
    reach: float  # m, the range of the view
    shapes: NDArray[np.intp]  # their numbers
    corners: NDArray[np.float64]  # of shape (2, 4 * shapes)

    def holds(self, view: View) -> bool:
        """Returns whether this contains everything that `view` shows, and not much more."""
        moved = hypot(view.car[0] - self.place[0], view.car[1] - self.place[1])
        return moved < _SLACK and self.reach / 2 < view.reach <= self.reach


def _shades(road: RGB) -> list[RGB]:
    """The colours of tiles before their visits, which take turns."""
    red, green, blue = road
    lighter = [0.01 * i * 255 for i in range(3)]
    return [(int(red + part), int(green + part), int(blue + part)) for part in lighter]


def _square(left: float, bottom: float, side: float) -> list[Point]:
    right, top = left + side, bottom + side
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


_FIELD: Final = _square(-PLAYFIELD, -PLAYFIELD, 2 * PLAYFIELD)
_GRASS: Final = np.array([_square(GRASS_DIM * x, GRASS_DIM * y, GRASS_DIM) for x in _EVEN for y in _EVEN])
