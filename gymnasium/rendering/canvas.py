"""An off-screen picture and the few shapes used by the environments' drawings.

Needs no display: pygame is never initialised beyond its fonts. Coordinates are pixels as floats, x to the right and
y **down**; pixel (i, j) covers [i, i+1) x [j, j+1). All shapes are anti-aliased, each drawn enlarged and scaled down.
The colours of a transparent picture are stored multiplied by their opacity, so that scaling mixes them like light.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import lru_cache
from math import ceil, cos, floor, hypot, sin
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.rendering._libraries import load_pygame
from gymnasium.rendering.pixels import pixels_of

if TYPE_CHECKING:
    from pygame import Rect, Surface

Point = tuple[float, float]
RGB = tuple[int, int, int]
Color = RGB | tuple[int, int, int, int]
"""Red, green, blue and, if given, opacity, each 0-255."""

_ENLARGED: Final = 4  # sub-pixels per pixel and axis: 16 shades of an edge
# Of red, green, blue and opacity in the four bytes of a pixel, which come in this order.
_MASKS: Final = tuple(0xFF << (shift if sys.byteorder == "little" else 24 - shift) for shift in (0, 8, 16, 24))
_MARGIN: Final = 1  # pixels around a shape that rounding may touch

_At = Callable[[Iterable[Point]], list[tuple[int, int]]]
_Layer = Callable[["Surface", _At], None]

# The position of the anchor in the box of a text, as fractions of its width and height.
_ANCHORS: Final[dict[str, Point]] = {
    "center": (0.5, 0.5),
    "topleft": (0.0, 0.0),
    "midtop": (0.5, 0.0),
    "topright": (1.0, 0.0),
    "midleft": (0.0, 0.5),
    "midright": (1.0, 0.5),
    "bottomleft": (0.0, 1.0),
    "midbottom": (0.5, 1.0),
    "bottomright": (1.0, 1.0),
}


class Canvas:
    """A picture to draw on.

    Args:
        width: Of the picture, in pixels at scale 1. So are all lengths and coordinates here.
        height: Likewise.
        background: The first colour; None leaves it transparent, to be pasted elsewhere.
        scale: How large all is drawn: a canvas of 600 x 400 at scale 0.4 has 240 x 160 pixels.

    Attributes:
        size: Width and height.
        scale: How large all is drawn.
    """

    def __init__(self, width: int, height: int, background: Color | None = (255, 255, 255), scale: float = 1.0) -> None:
        pygame = load_pygame()
        if width < 1 or height < 1:
            raise ValueError(f"A canvas has to be at least 1x1 pixels, got {width}x{height}.")
        is_clear = background is None
        self.size, self.scale = (width, height), scale
        self._blending = pygame.BLEND_PREMULTIPLIED if is_clear else 0
        extent = max(round(width * scale), 1), max(round(height * scale), 1)
        self._surface = _blank(extent, is_clear)
        if background is not None:
            self.fill(background)

    def pixels(self) -> NDArray[np.uint8]:
        """Returns a fresh copy of the picture, as (height, width, 3) at its scale; transparent pixels are black."""
        return pixels_of(self._surface)

    def raw(self) -> Any:
        """Returns the pixels themselves, row by row: red, green, blue and a byte without meaning."""
        return self._surface.get_view("0")

    def fill(self, color: Color) -> None:
        """Paints the whole canvas."""
        self._surface.fill(color)

    def shade(self, top: int, bottom: int, first: Color, last: Color) -> None:
        """Paints the rows from `top` on and above `bottom` in colours that change from `first` to `last`."""
        begin, end = round(top * self.scale), round(bottom * self.scale)
        for y in range(begin, end):
            share = (y - begin) / (end - begin)
            red, green, blue = (round(a + (b - a) * share) for a, b in zip(first[:3], last[:3], strict=True))
            self._surface.fill((red, green, blue), (0, y, self._surface.get_width(), 1))

    def paste(self, other: Canvas, position: Point = (0, 0), glowing: bool = False) -> None:
        """Puts another canvas on this one, its top left corner at `position`; if `glowing`, its light is added.

        Raises:
            ValueError: If it has another scale.
        """
        self.paste_all([(other, position)], glowing)

    def paste_all(self, others: Iterable[tuple[Canvas, Point]], glowing: bool = False) -> None:
        """Puts canvases on this one, in order: quicker than one by one.

        Args:
            others: The canvases, with the positions of their top left corners.
            glowing: Whether their light is added.

        Raises:
            ValueError: If one has another scale.
        """
        pygame, scale = load_pygame(), self.scale
        blits: list[Any] = []
        for other, (x, y) in others:
            if other.scale != scale:
                raise ValueError(f"A canvas at scale {other.scale} cannot be pasted on one at scale {scale}")
            how = pygame.BLEND_RGB_ADD if glowing else other._blending
            blits.append((other._surface, (round(x * scale), round(y * scale)), None, how))
        self._surface.blits(blits, False)

    def backdrop(self) -> Canvas:
        """Returns an opaque copy, to be put on others again and again.

        SDL copies rows of a multiple of 16 bytes past the caches, which takes up to ten times as long as usual if they
        are no multiple of 64 bytes. The rows of this copy begin at odd places.
        """
        (wide, high), made = self._surface.get_size(), copy(self)
        made._surface = _blank((wide + 1, high), False).subsurface((0, 0, wide, high))
        made.paste(self)
        return made

    def stamp(self, others: Sequence[Canvas], places: Sequence[tuple[int, int]]) -> None:
        """Puts transparent canvases on this one, in order: quicker than `paste_all`, without a look at their scales.

        Args:
            others: The canvases.
            places: The pixels where their top left corners come, whatever the scale.
        """
        surfaces = [other._surface for other in others]
        self._surface.fblits(list(zip(surfaces, places, strict=True)), load_pygame().BLEND_PREMULTIPLIED)

    def parts(self, columns: int, rows: int, size: tuple[int, int]) -> list[Canvas]:
        """Returns equal parts of this one, row by row, whose pixels are its own.

        Args:
            columns: The number of parts side by side.
            rows: The number of parts one below the other.
            size: Width and height of a part at scale 1; it is as small as the width allows.
        """
        wide, high = self._surface.get_width() // columns, self._surface.get_height() // rows
        found = [copy(self) for _ in range(rows * columns)]
        for k, part in enumerate(found):
            part.size, part.scale = size, wide / size[0]
            part._surface = self._surface.subsurface((k % columns * wide, k // columns * high, wide, high))
        return found

    def turned(self, quarters: int) -> Canvas:
        """Returns a copy turned clockwise by `quarters` right angles."""
        size = self.size[::-1] if quarters % 2 else self.size
        copy = Canvas(*size, background=None, scale=self.scale)
        copy._surface = load_pygame().transform.rotate(self._surface, -90 * quarters)
        copy._blending = self._blending
        return copy

    def polygon(self, points: Sequence[Point], color: Color) -> None:
        """Fills the polygon with these corners."""
        self.polygons([points], [color])

    def polygons(self, outlines: Sequence[Sequence[Point]], colors: Sequence[Color]) -> None:
        """Fills polygons, in order, and smooths all their edges at once: a fast way to draw a figure.

        Where polygons overlap, only the last one is visible, even if it is translucent.
        """
        draw_polygon = load_pygame().draw.polygon

        def draw(layer: Surface, at: _At) -> None:
            for outline, color in zip(outlines, colors, strict=True):
                draw_polygon(layer, _light(color), at(outline))

        self._shape([point for outline in outlines for point in outline], 0.0, draw)

    def area(self, points: Sequence[Point], color: RGB) -> None:
        """Fills a large polygon: quicker than `polygon`, and larger by about half a pixel."""
        pygame = load_pygame()
        scale = self.scale
        corners = [(x * scale - 0.5, y * scale - 0.5) for x, y in points]  # pygame counts from the middles of pixels
        pygame.draw.polygon(self._surface, color, corners)
        pygame.draw.aalines(self._surface, color, True, corners)

    def hill(self, line: Sequence[Point], color: RGB) -> None:
        """Fills all below a line from the left edge to the right: quicker than `area`."""
        pygame, scale = load_pygame(), self.scale
        low, corners = self._surface.get_height() - 0.5, [(x * scale - 0.5, y * scale - 0.5) for x, y in line]
        corners = [(corners[0][0], low), *corners, (corners[-1][0], low)]
        pygame.draw.polygon(self._surface, color, corners)
        pygame.draw.aalines(self._surface, color, False, corners)

    def line(self, start: Point, end: Point, color: Color, width: float = 1.0) -> None:
        """Draws a straight line with round ends."""
        self.polyline([start, end], color, width)

    def polyline(self, points: Sequence[Point], color: Color, width: float = 1.0, closed: bool = False) -> None:
        """Draws a line through `points` with round joints and ends, back to the first point if `closed`."""
        pygame = load_pygame()
        ends = [*points[1:], points[0]] if closed else points[1:]

        def draw(layer: Surface, at: _At) -> None:
            light, size = _light(color), (round(width * self.scale * _ENLARGED),) * 2
            for start, end in zip(points, ends, strict=False):
                pygame.draw.polygon(layer, light, at(bar(start, end, width)))
            for place in at((x - width / 2, y - width / 2) for x, y in points):
                pygame.draw.ellipse(layer, light, pygame.Rect(place, size))

        self._shape(points, width / 2, draw)

    def rays(self, start: Point, ends: Iterable[Point], color: Color) -> None:
        """Draws straight lines one pixel wide from one point: faster than `line`, and less exact."""
        pygame = load_pygame()
        scale = self.scale
        start, ends = (start[0] * scale, start[1] * scale), [(x * scale, y * scale) for x, y in ends]
        xs, ys = zip(start, *ends, strict=True)
        box = self._box_around(xs, ys, 0.5)
        if box.w and box.h:
            layer, light = _blank(box.size, True), _light(color)
            left, top = box.x + 0.5, box.y + 0.5  # pygame counts from the middles of pixels
            for x, y in ends:
                pygame.draw.aaline(layer, light, (start[0] - left, start[1] - top), (x - left, y - top))
            self._surface.blit(layer, box, special_flags=pygame.BLEND_PREMULTIPLIED)

    def circle(self, center: Point, radius: float, color: Color) -> None:
        """Fills a circle."""
        self.ellipse(center, radius, radius, color)

    def ellipse(self, center: Point, radius_x: float, radius_y: float, color: Color) -> None:
        """Fills an ellipse with axes along x and y."""
        x, y = center
        self._box(x - radius_x, y - radius_y, 2 * radius_x, 2 * radius_y, color, "ellipse")

    def rectangle(
        self, left: float, top: float, width: float, height: float, color: Color, radius: float = 0.0
    ) -> None:
        """Fills a rectangle, its corners rounded by `radius`."""
        scale = self.scale
        edges = [left * scale, top * scale, width * scale, height * scale]
        if not radius and len(color) == 3 and all(edge == round(edge) for edge in edges):
            self._surface.fill(color, [round(edge) for edge in edges])
            return
        self._box(left, top, width, height, color, "rect", border_radius=round(radius * scale * _ENLARGED) or -1)

    def text(self, string: str, position: Point, size: int, color: Color, anchor: str = "center") -> None:
        """Writes one line in pygame's own font (ASCII and Latin-1), `size` pixels high.

        Args:
            string: The text.
            position: The position of the anchor.
            size: Height of the font in pixels.
            color: The letters' colour.
            anchor: A name of an anchor as in pygame: `"center"`, `"midtop"`, `"bottomright"`, ...
        """
        if anchor not in _ANCHORS:
            raise ValueError(f"The anchor of a text has to be one of {', '.join(_ANCHORS)}, got {anchor!r}.")
        letters = _written(string, round(size * self.scale), _rgba(color))
        across, along = _ANCHORS[anchor]
        left = round(position[0] * self.scale - across * letters.get_width())
        top = round(position[1] * self.scale - along * letters.get_height())
        self._surface.blit(letters, (left, top), special_flags=load_pygame().BLEND_PREMULTIPLIED)

    def _box(self, left: float, top: float, width: float, height: float, color: Color, kind: str, **how: int) -> None:
        pygame = load_pygame()
        corners = [(left, top), (left + width, top + height)]

        def draw(layer: Surface, at: _At) -> None:
            (x0, y0), (x1, y1) = at(corners)
            getattr(pygame.draw, kind)(layer, _light(color), pygame.Rect(x0, y0, x1 - x0, y1 - y0), **how)

        self._shape(corners, 0.0, draw)

    def _shape(self, points: Iterable[Point], reach: float, draw: _Layer) -> None:
        """Lets `draw` paint on an enlarged layer over the box around `points` widened by `reach`, and merges it."""
        pygame, scale = load_pygame(), self.scale
        xs, ys = zip(*points, strict=True)
        box = self._box_around([x * scale for x in xs], [y * scale for y in ys], reach * scale)
        if not box.w or not box.h:
            return  # no part of it is on the canvas
        left, top = box.topleft
        layer = _blank((box.w * _ENLARGED, box.h * _ENLARGED), True)

        def at(points: Iterable[Point]) -> list[tuple[int, int]]:
            return [(round((x * scale - left) * _ENLARGED), round((y * scale - top) * _ENLARGED)) for x, y in points]

        draw(layer, at)
        small = pygame.transform.smoothscale(layer, box.size)
        self._surface.blit(small, box, special_flags=pygame.BLEND_PREMULTIPLIED)

    def _box_around(self, xs: Sequence[float], ys: Sequence[float], reach: float) -> Rect:
        """The pixels of the surface around some of its points, widened by `reach`; the box may be empty."""
        width, height = self._surface.get_size()
        left, right = max(floor(min(xs) - reach) - _MARGIN, 0), min(ceil(max(xs) + reach) + _MARGIN, width)
        top, bottom = max(floor(min(ys) - reach) - _MARGIN, 0), min(ceil(max(ys) + reach) + _MARGIN, height)
        box: Rect = load_pygame().Rect(left, top, max(right - left, 0), max(bottom - top, 0))
        return box


def rotated(points: Iterable[Point], angle: float, around: Point = (0.0, 0.0)) -> list[Point]:
    """Returns `points` turned by `angle` radians about a point: clockwise on the canvas, whose y points down."""
    x0, y0 = around
    c, s = cos(angle), sin(angle)
    return [(x0 + c * (x - x0) - s * (y - y0), y0 + s * (x - x0) + c * (y - y0)) for x, y in points]


def bar(start: Point, end: Point, width: float) -> list[Point]:
    """Returns the corners of a line of some width with straight ends."""
    (x0, y0), (x1, y1) = start, end
    scale = width / 2 / (hypot(x1 - x0, y1 - y0) or 1.0)
    across, along = (y0 - y1) * scale, (x1 - x0) * scale
    return [
        (x0 + across, y0 + along),
        (x1 + across, y1 + along),
        (x1 - across, y1 - along),
        (x0 - across, y0 - along),
    ]


def _blank(size: tuple[int, int], is_clear: bool) -> Surface:
    """Returns a surface in the one order of bytes: pygame blends surfaces of two orders twenty times as slowly."""
    pygame = load_pygame()
    opacity = _MASKS[3] if is_clear else 0
    made: Surface = pygame.Surface(size, pygame.SRCALPHA if is_clear else 0, 32, (*_MASKS[:3], opacity))
    return made


def _rgba(color: Color) -> tuple[int, int, int, int]:
    return color if len(color) == 4 else (*color, 255)


@lru_cache(maxsize=256)
def _light(color: Color) -> tuple[int, int, int, int]:
    """A colour multiplied by its opacity."""
    red, green, blue, opacity = _rgba(color)
    return round(red * opacity / 255), round(green * opacity / 255), round(blue * opacity / 255), opacity


@lru_cache(maxsize=256)
def _written(string: str, size: int, color: tuple[int, int, int, int]) -> Surface:
    """A text as a picture. It is cached, unlike its font, which `pygame.quit()` would invalidate."""
    pygame = load_pygame()
    if not pygame.font.get_init():
        pygame.font.init()
    written: Surface = pygame.font.Font(None, size).render(string, True, color[:3]).premul_alpha()
    letters = _blank(written.get_size(), True)
    letters.blit(written, (0, 0), special_flags=pygame.BLEND_PREMULTIPLIED)
    letters.fill((color[3],) * 4, special_flags=pygame.BLEND_RGBA_MULT)
    return letters
