"""The pendulum, and an arrow for the torque at its pivot."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final, Protocol

from gymnasium.rendering.canvas import Canvas, Point

SIDE: Final = 500  # pixels
CENTER: Final = (SIDE / 2, SIDE / 2)
PIXELS_PER_METRE: Final = SIDE / 4.4  # the rod, 1 m long, with room around its circle
ROD_WIDTH: Final = 0.2 * PIXELS_PER_METRE

ROD_COLOR: Final = (204, 77, 77)
PIVOT_COLOR: Final = (32, 34, 40)
ARROW_COLOR: Final = (72, 88, 118)

MAX_TORQUE: Final = 2.0  # N m, for which the arrow is largest
ARROW_RADII: Final = (26.0, 62.0)  # pixels, at the smallest and at the largest torque
ARROW_SWEEP: Final = 1.5 * pi  # radians
ARROW_POINTS: Final = 40


class State(Protocol):
    """The visible part of the state."""

    @property
    def theta(self) -> float:
        """Angle of the rod in radians: 0 is upright, counter-clockwise is positive."""

    @property
    def last_u(self) -> float:
        """The torque last applied, in N m; 0 draws no arrow."""


def size(params: object) -> tuple[int, int]:
    """Returns width and height in pixels."""
    return SIDE, SIDE


def draw(canvas: Canvas, state: State, params: object) -> None:
    """Draws the rod and the arrow, whose size and direction show the torque."""
    canvas.fill((255, 255, 255))
    canvas.line(CENTER, _polar(PIXELS_PER_METRE, float(state.theta)), ROD_COLOR, ROD_WIDTH)
    if state.last_u:
        _draw_arrow(canvas, float(state.last_u))
    canvas.circle(CENTER, ROD_WIDTH / 4, PIVOT_COLOR)


def _polar(radius: float, angle: float) -> Point:
    """The point at some distance from the pivot, `angle` counter-clockwise from straight up."""
    return CENTER[0] - radius * sin(angle), CENTER[1] - radius * cos(angle)


def _draw_arrow(canvas: Canvas, torque: float) -> None:
    strength = min(abs(torque) / MAX_TORQUE, 1.0)
    sense = 1.0 if torque > 0 else -1.0
    radius = ARROW_RADII[0] + (ARROW_RADII[1] - ARROW_RADII[0]) * strength
    width = 2.0 + 4.0 * strength
    head = 3.5 * width  # pixels along the arc
    start, end = -sense * ARROW_SWEEP / 2, sense * ARROW_SWEEP / 2
    step = (end - start) / ARROW_POINTS
    canvas.polyline([_polar(radius, start + i * step) for i in range(ARROW_POINTS + 1)], ARROW_COLOR, width)
    wings = [_polar(radius - 1.7 * width, end), _polar(radius + 1.7 * width, end)]
    canvas.polygon([*wings, _polar(radius, end + sense * head / radius)], ARROW_COLOR)
