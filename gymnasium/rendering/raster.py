"""An off-screen picture of many shapes, drawn enlarged as a whole and scaled down once.

Where `Canvas` smooths the edges of every shape by itself, this smooths those of the picture: for pictures that are
drawn often, such as observations. Needs no display.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gymnasium.rendering._libraries import load_pygame
from gymnasium.rendering.canvas import Point

if TYPE_CHECKING:
    from pygame import Surface

RGB = tuple[int, int, int]


class Raster:
    """A picture whose coordinates are units: x to the right from 0 to `units[0]`, y down from 0 to `units[1]`.

    Args:
        size: Width and height in pixels.
        units: Width and height in the units of the shapes; the two axes may be stretched differently.
        enlarged: Sub-pixels per pixel and axis.
    """

    def __init__(self, size: tuple[int, int], units: tuple[float, float], enlarged: int) -> None:
        self._size = size
        self._pygame = load_pygame()  # kept, for to look it up would take as long as to draw a small shape
        self._surface: Surface = self._pygame.Surface((size[0] * enlarged, size[1] * enlarged), 0, 32)
        self._scale = (size[0] * enlarged / units[0], size[1] * enlarged / units[1])

    def pixels(self) -> NDArray[np.uint8]:
        """Returns the picture, of shape (height, width, 3)."""
        pygame, small = self._pygame, self._surface
        if small.get_size() != self._size:
            small = pygame.transform.smoothscale(small, self._size)
        width, height = self._size
        return np.frombuffer(pygame.image.tobytes(small, "RGB"), np.uint8).reshape(height, width, 3).copy()

    def fill(self, color: RGB) -> None:
        """Paints everything."""
        self._surface.fill(color)

    def polygons(self, corners: NDArray[np.float64], colors: Sequence[RGB]) -> None:
        """Fills polygons of equally many corners each, of shape (polygons, corners, 2)."""
        draw, surface = self._pygame.draw.polygon, self._surface
        for points, color in zip((corners * self._scale).tolist(), colors, strict=True):
            draw(surface, color, points)

    def polygon(self, points: Sequence[Point], color: RGB) -> None:
        """Fills the polygon with these corners."""
        across, down = self._scale
        self._pygame.draw.polygon(self._surface, color, [(across * x, down * y) for x, y in points])

    def rectangle(self, left: float, top: float, width: float, height: float, color: RGB) -> None:
        """Fills a rectangle; a negative width or height extends to the other side."""
        (x0, x1), (y0, y1) = sorted((left, left + width)), sorted((top, top + height))
        (x0, y0), (x1, y1) = self._at((x0, y0)), self._at((x1, y1))
        self._surface.fill(color, (round(x0), round(y0), round(x1) - round(x0), round(y1) - round(y0)))

    def polyline(self, points: Sequence[Point], color: RGB, width: float) -> None:
        """Draws a line through `points`."""
        thick = max(round(width * self._scale[0]), 1)
        self._pygame.draw.lines(self._surface, color, False, [self._at(p) for p in points], thick)

    def text(self, string: str, center: Point, size: int, color: RGB) -> None:
        """Writes one line in pygame's own font, in a font `size` units high."""
        letters = _stretched(string, size, color, self._scale)
        x, y = self._at(center)
        self._surface.blit(letters, (round(x - letters.get_width() / 2), round(y - letters.get_height() / 2)))

    def _at(self, point: Point) -> Point:
        return point[0] * self._scale[0], point[1] * self._scale[1]


@lru_cache(maxsize=256)
def _stretched(string: str, size: int, color: RGB, scale: tuple[float, float]) -> Surface:
    """A text as a picture, scaled from its full size."""
    pygame = load_pygame()
    if not pygame.font.get_init():
        pygame.font.init()
    letters: Surface = pygame.font.Font(pygame.font.get_default_font(), size).render(string, True, color)
    width, height = (max(round(side * factor), 1) for side, factor in zip(letters.get_size(), scale, strict=True))
    small: Surface = pygame.transform.smoothscale(letters, (width, height))
    return small
