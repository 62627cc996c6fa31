"""The car in its valley, for the discrete and the continuous version."""

from __future__ import annotations

from functools import lru_cache
from math import atan, cos, sin
from typing import Final, Protocol

from gymnasium.rendering.canvas import Canvas, Point, rotated

WIDTH: Final = 600  # pixels, from the lowest to the highest position
HEIGHT: Final = 400
TRACK_POINTS: Final = 100
CLEARANCE: Final = 10.0  # pixels between the track and the car's floor
CAR_LENGTH, CAR_HEIGHT = 40.0, 20.0
WHEEL_RADIUS: Final = 8.0
FLAG_HEIGHT: Final = 50.0

SKY_COLOR: Final = (233, 243, 250)
HILL_COLOR: Final = (196, 214, 176)
TRACK_COLOR: Final = (74, 96, 70)
CAR_COLOR: Final = (46, 60, 84)
WINDOW_COLOR: Final = (190, 214, 232)
TYRE_COLOR: Final = (30, 32, 36)
HUB_COLOR: Final = (170, 174, 180)
POST_COLOR: Final = (60, 60, 60)
FLAG_COLOR: Final = (226, 178, 33)


class State(Protocol):
    """The visible part of the state."""

    @property
    def position(self) -> float:
        """The car's position along x."""


class Params(Protocol):
    """The limits to be drawn."""

    @property
    def min_position(self) -> float:
        """The left end."""

    @property
    def max_position(self) -> float:
        """The right end."""

    @property
    def goal_position(self) -> float:
        """The flag's position."""


def size(params: Params) -> tuple[int, int]:
    """Returns width and height in pixels."""
    return WIDTH, HEIGHT


def draw(canvas: Canvas, state: State, params: Params) -> None:
    """Draws the valley, the flag and the car, tilted like the slope."""
    low, high = float(params.min_position), float(params.max_position)
    position = float(state.position)
    slope = 1.35 * cos(3 * position)  # the derivative of the height
    canvas.paste(_valley(low, high, float(params.goal_position)))
    _draw_car(canvas, _at(position, low, high), -atan(slope))


def _at(position: float, low: float, high: float) -> Point:
    """The point of a track position on the canvas."""
    scale = WIDTH / (high - low)
    height = 0.45 * sin(3 * position) + 0.55
    return (position - low) * scale, HEIGHT - height * scale


def _draw_car(canvas: Canvas, track: Point, angle: float) -> None:
    x, y = track

    def tilted(*points: Point) -> list[Point]:
        return rotated([(x + across, y - up) for across, up in points], angle, around=track)

    half, floor, roof = CAR_LENGTH / 2, CLEARANCE, CLEARANCE + CAR_HEIGHT
    body = roof - 8
    canvas.polygon(tilted((-half, floor), (-half, body), (half - 3, body), (half, body - 4), (half, floor)), CAR_COLOR)
    canvas.polygon(tilted((-half + 5, body - 1), (-half + 10, roof), (6, roof), (half - 7, body - 1)), CAR_COLOR)
    canvas.polygon(tilted((-half + 10, body), (-half + 12, roof - 2), (-4, roof - 2), (-4, body)), WINDOW_COLOR)
    canvas.polygon(tilted((-1, body), (-1, roof - 2), (5, roof - 2), (half - 11, body)), WINDOW_COLOR)
    for wheel in tilted((-CAR_LENGTH / 4, WHEEL_RADIUS), (CAR_LENGTH / 4, WHEEL_RADIUS)):
        canvas.circle(wheel, WHEEL_RADIUS, TYRE_COLOR)
        canvas.circle(wheel, WHEEL_RADIUS / 2, HUB_COLOR)


@lru_cache(maxsize=8)
def _valley(low: float, high: float, goal: float) -> Canvas:
    """Everything that does not move."""
    canvas = Canvas(WIDTH, HEIGHT, SKY_COLOR)
    step = (high - low) / (TRACK_POINTS - 1)
    track = [_at(low + i * step, low, high) for i in range(TRACK_POINTS)]
    canvas.polygon([*track, (WIDTH, HEIGHT), (0, HEIGHT)], HILL_COLOR)
    canvas.polyline(track, TRACK_COLOR, 3)
    x, y = _at(goal, low, high)
    canvas.polygon([(x, y - FLAG_HEIGHT), (x + 26, y - FLAG_HEIGHT + 9), (x, y - FLAG_HEIGHT + 18)], FLAG_COLOR)
    canvas.line((x, y), (x, y - FLAG_HEIGHT), POST_COLOR, 3)
    return canvas.backdrop()
