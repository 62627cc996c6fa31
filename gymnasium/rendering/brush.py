"""The shapes of a canvas at another position and scale, so that a figure can be drawn in its own units."""

from __future__ import annotations

from collections.abc import Sequence

from gymnasium.rendering.canvas import Canvas, Color, Point


class Brush:
    """Draws on `canvas` with (0, 0) at the point (`left`, `top`) and `scale` pixels per unit."""

    def __init__(self, canvas: Canvas, left: float, top: float, scale: float = 1.0) -> None:
        self._canvas = canvas
        self._left = left
        self._top = top
        self._scale = scale

    def polygon(self, points: Sequence[Point], color: Color) -> None:
        """Like `Canvas.polygon`."""
        self._canvas.polygon([self._at(p) for p in points], color)

    def polyline(self, points: Sequence[Point], color: Color, width: float = 1.0) -> None:
        """Like `Canvas.polyline`, not closed."""
        self._canvas.polyline([self._at(p) for p in points], color, width * self._scale)

    def circle(self, center: Point, radius: float, color: Color) -> None:
        """As `Canvas.circle`."""
        self._canvas.circle(self._at(center), radius * self._scale, color)

    def ellipse(self, center: Point, radius_x: float, radius_y: float, color: Color) -> None:
        """Like `Canvas.ellipse`."""
        self._canvas.ellipse(self._at(center), radius_x * self._scale, radius_y * self._scale, color)

    def rectangle(
        self, left: float, top: float, width: float, height: float, color: Color, radius: float = 0.0
    ) -> None:
        """Like `Canvas.rectangle`."""
        x, y = self._at((left, top))
        self._canvas.rectangle(x, y, width * self._scale, height * self._scale, color, radius * self._scale)

    def _at(self, point: Point) -> Point:
        x, y = point
        return self._left + x * self._scale, self._top + y * self._scale
