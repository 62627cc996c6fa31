"""An off-screen picture of many shapes, drawn enlarged as a whole and scaled down once.

`Canvas` smooths the edges of every shape separately; this smooths those of the whole picture, for pictures that are
drawn often, such as observations. Needs no display.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.rendering._libraries import load_pygame
from gymnasium.rendering.pixels import pixels_of

if TYPE_CHECKING:
    from pygame import Surface
    from pygame.font import Font

RGB = tuple[int, int, int]
Outline = Sequence[Sequence[float]]
"""The corners of a shape, each x and y."""


class Raster:
    """A picture drawn in sub-pixels: x to the right, y down, from the upper left corner.

    Args:
        size: Width and height in pixels.
        units: Width and height in the caller's own units; the two axes may be stretched differently.
        enlarged: Sub-pixels per pixel, across and down.
        darker: The amount of 255 to subtract from red, green and blue of the finished picture.

    Attributes:
        size: Width and height in sub-pixels.
        scale: Sub-pixels per unit on either axis, for the callers' own transformations.
    """

    def __init__(
        self, size: tuple[int, int], units: tuple[float, float], enlarged: tuple[int, int], darker: int = 0
    ) -> None:
        self._pygame = load_pygame()  # kept, because a look-up would take as long as drawing a small shape
        self.size = (size[0] * enlarged[0], size[1] * enlarged[1])
        self.scale = (self.size[0] / units[0], self.size[1] / units[1])
        self._darker = darker
        self._surface: Surface = self._pygame.Surface(self.size, 0, 32)
        self._small: Surface = self._pygame.Surface(size, 0, 32)

    def pixels(self) -> NDArray[np.uint8]:
        """Returns the picture, of shape (height, width, 3)."""
        self._pygame.transform.smoothscale(self._surface, self._small.get_size(), self._small)
        self._small.fill((self._darker,) * 3, special_flags=self._pygame.BLEND_RGB_SUB)
        return pixels_of(self._small)

    def fill(self, color: RGB) -> None:
        """Paints everything."""
        self._surface.fill(color)

    def polygons(self, outlines: Sequence[Outline], colors: Sequence[RGB]) -> None:
        """Fills polygons, in their order."""
        draw, surface = self._pygame.draw.polygon, self._surface
        for outline, color in zip(outlines, colors, strict=True):
            draw(surface, color, outline)

    def polygon(self, outline: Outline, color: RGB) -> None:
        """Fills a polygon."""
        self._pygame.draw.polygon(self._surface, color, outline)

    def rectangle(self, left: float, top: float, width: float, height: float, color: RGB) -> None:
        """Fills a rectangle; a negative width or height extends to the other side."""
        right, bottom = left + width, top + height
        x0, x1 = round(min(left, right)), round(max(left, right))
        y0, y1 = round(min(top, bottom)), round(max(top, bottom))
        self._surface.fill(color, (x0, y0, x1 - x0, y1 - y0))

    def polyline(self, points: Outline, color: RGB, width: float) -> None:
        """Draws a line through `points`."""
        self._pygame.draw.lines(self._surface, color, False, points, max(round(width), 1))

    def text(self, string: str, middle: tuple[float, float], height: int, color: RGB) -> None:
        """Writes one line around `middle`, in pygame's own font, `height` units high."""
        self._surface.blit(*_placed(string, middle, height, color, self.scale))


class _Span(NamedTuple):
    """The position of a text along one axis."""

    start: int  # sub-pixels
    length: int  # sub-pixels
    units: int  # the same length
    offset: int  # units, of the letters from the start

    @classmethod
    def around(cls, middle: float, size: int, factor: float) -> _Span:
        """For letters of `size` units around `middle`, in sub-pixels, with `factor` sub-pixels per unit."""
        first = middle - size * factor / 2
        start, stop = floor(first), ceil(first + size * factor)
        return cls(start, stop - start, max(round((stop - start) / factor), 1), round((first - start) / factor))


@lru_cache(maxsize=256)
def _placed(
    string: str, middle: tuple[float, float], height: int, color: RGB, scale: tuple[float, float]
) -> tuple[Surface, tuple[int, int]]:
    """A text as a picture in sub-pixels, scaled from its full size, and its upper left corner."""
    pygame = load_pygame()
    letters = _written(string, height, color)
    across, down = map(_Span.around, middle, letters.get_size(), scale)
    line = pygame.Surface((across.units, down.units), pygame.SRCALPHA, 32)
    line.fill((*color, 0))  # the letters' own colour, invisible, so that their edges do not blend with black
    line.blit(letters, (across.offset, down.offset))
    small: Surface = pygame.transform.smoothscale(line, (across.length, down.length))
    return small, (across.start, down.start)


def _written(string: str, height: int, color: RGB) -> Surface:
    try:
        return _font(height).render(string, True, color)
    except load_pygame().error:  # someone called `pygame.quit()`, which invalidates all earlier fonts
        _font.cache_clear()
        return _font(height).render(string, True, color)


@lru_cache(maxsize=8)
def _font(height: int) -> Font:
    """Cached, because its first text takes a millisecond."""
    pygame = load_pygame()
    if not pygame.font.get_init():
        pygame.font.init()
    font: Font = pygame.font.Font(pygame.font.get_default_font(), height)
    return font
