"""The cart on its rail and the pole on the cart, in a workshop."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, cos, floor, sin
from typing import Final, Protocol

from gymnasium.rendering.canvas import Canvas

WIDTH: Final = 600  # pixels, from one end of the track to the other
HEIGHT: Final = 400
TRACK_Y: Final = 300.0  # pixels; the cart's middle is on it
CART_WIDTH, CART_HEIGHT = 50.0, 30.0
AXLE_ABOVE_TRACK: Final = 7.5
POLE_WIDTH: Final = 10.0

WALL_COLORS: Final = ((218, 228, 241), (245, 248, 252))  # at the ceiling and at the floor
PANEL_COLOR: Final = (200, 213, 230, 90)
FLOOR_COLORS: Final = ((190, 199, 211), (216, 223, 232))  # at the wall and in front
SKIRTING_COLOR: Final = (160, 173, 191)
RAIL_COLORS: Final = ((188, 195, 207), (120, 129, 144), (92, 100, 116))  # top, side and lower edge
POST_COLOR: Final = (132, 141, 157)
END_COLOR: Final = (206, 74, 66)
MARK_COLOR: Final = (236, 240, 246)
SHADOW_COLOR: Final = (40, 52, 72, 50)
CART_COLOR: Final = (38, 42, 51)
CART_LIGHT: Final = (84, 93, 112)
STRIPE_COLOR: Final = (240, 180, 52)
TYRE_COLOR, HUB_COLOR = (24, 26, 32), (176, 182, 194)
POLE_COLOR: Final = (202, 152, 101)
POLE_LIGHT: Final = (226, 184, 138)
CAP_COLOR: Final = (160, 108, 64)
AXLE_COLOR: Final = (129, 132, 203)

_WHEEL_RADIUS: Final = 6.0
_RAIL_TOP: Final = round(TRACK_Y + CART_HEIGHT / 2 + _WHEEL_RADIUS)  # pixels: the wheels stand on it
_RAIL_HEIGHT: Final = 10
_FLOOR_Y: Final = 346  # pixels, where the wall ends
_STAMP_WIDTH, _STAMP_HEIGHT = 60, 42  # pixels of the cart's picture
_PARTS: Final = 4  # of a pixel, in which the cart moves
_CLOSEST: Final = 12.0  # pixels between two marks


class State(Protocol):
    """The visible part of the state."""

    @property
    def x(self) -> float:
        """Position of the cart in metres."""

    @property
    def theta(self) -> float:
        """Angle of the pole in radians: 0 is upright, clockwise is positive."""


class Params(Protocol):
    """The lengths to be drawn."""

    @property
    def length(self) -> float:
        """Half the pole's length in metres."""

    @property
    def x_threshold(self) -> float:
        """Half the track's length in metres."""


def size(params: Params) -> tuple[int, int]:
    """Returns width and height in pixels."""
    return WIDTH, HEIGHT


def draw(canvas: Canvas, state: State, params: Params) -> None:
    """Draws the track from threshold to threshold, the cart and the pole."""
    pixels_per_metre = WIDTH / (2 * float(params.x_threshold))
    x, theta = WIDTH / 2 + float(state.x) * pixels_per_metre, float(state.theta)
    canvas.paste(_workshop(pixels_per_metre, canvas.scale))
    _draw_cart(canvas, x)
    _draw_pole(canvas, x, TRACK_Y - AXLE_ABOVE_TRACK, 2 * float(params.length) * pixels_per_metre, theta)


def _draw_cart(canvas: Canvas, x: float) -> None:
    """Draws the cart at its position, to a quarter of a pixel."""
    scale = canvas.scale
    place, part = divmod(round((x - _STAMP_WIDTH / 2) * scale * _PARTS), _PARTS)
    left = place / scale
    if -_STAMP_WIDTH < left < WIDTH:
        canvas.paste(_cart(part, scale), (left, floor(TRACK_Y - CART_HEIGHT / 2) - 2))


def _draw_pole(canvas: Canvas, x: float, y: float, length: float, theta: float) -> None:
    """Draws the pole from the axle on, with light on its left side and a cap at its tip."""
    across, up = (cos(theta), sin(theta)), (sin(theta), -cos(theta))

    def at(right: float, along: float) -> tuple[float, float]:
        return x + right * across[0] + along * up[0], y + right * across[1] + along * up[1]

    half = POLE_WIDTH / 2
    canvas.line((x, y), at(0, length), POLE_COLOR, POLE_WIDTH)
    stripes = ((1.5 - half, 3.5 - half, 0.0), (-half, half, length - half))
    outlines = [
        [at(left, start), at(right, start), at(right, length), at(left, length)] for left, right, start in stripes
    ]
    canvas.polygons(outlines, [POLE_LIGHT, CAP_COLOR])
    canvas.circle(at(0, length), half, CAP_COLOR)
    canvas.circle((x, y), half, AXLE_COLOR)


@lru_cache(maxsize=2 * _PARTS)
def _cart(part: int, scale: float) -> Canvas:
    """The cart, some parts of a pixel to the right of the middle."""
    canvas = Canvas(_STAMP_WIDTH + ceil(1 / scale), _STAMP_HEIGHT, None, scale)
    x, top = _STAMP_WIDTH / 2 + part / _PARTS / scale, 2.0
    left, bottom = x - CART_WIDTH / 2, top + CART_HEIGHT
    canvas.rectangle(left, top, CART_WIDTH, CART_HEIGHT, CART_COLOR, radius=4)
    canvas.rectangle(left + 2, top + 1.5, CART_WIDTH - 4, 3, CART_LIGHT, radius=1.5)
    canvas.rectangle(left, top + 17, CART_WIDTH, 3, STRIPE_COLOR)
    for wheel in (left + 11, left + CART_WIDTH - 11):
        canvas.circle((wheel, bottom), _WHEEL_RADIUS, TYRE_COLOR)
        canvas.circle((wheel, bottom), _WHEEL_RADIUS / 2, HUB_COLOR)
    return canvas


@lru_cache(maxsize=8)
def _workshop(pixels_per_metre: float, scale: float) -> Canvas:
    """Everything that does not move."""
    canvas = Canvas(WIDTH, HEIGHT, scale=scale)
    canvas.shade(0, _FLOOR_Y, *WALL_COLORS)
    for x in range(18, WIDTH - 18, 144):
        canvas.rectangle(x, 28, 132, 252, PANEL_COLOR, radius=8)
    canvas.rectangle(0, _FLOOR_Y - 5, WIDTH, 5, SKIRTING_COLOR)
    canvas.shade(_FLOOR_Y, HEIGHT, *FLOOR_COLORS)
    for x in (60, 300, 540):
        canvas.ellipse((x, 369), 30, 4, SHADOW_COLOR)
        canvas.rectangle(x - 6, _RAIL_TOP, 12, 366 - _RAIL_TOP, POST_COLOR)
        canvas.rectangle(x - 18, 364, 36, 5, RAIL_COLORS[2], radius=2)
    _draw_rail(canvas, pixels_per_metre)
    return canvas.backdrop()


def _draw_rail(canvas: Canvas, pixels_per_metre: float) -> None:
    """Draws the rail from one end of the track to the other, with a mark for each metre."""
    top, side, edge = RAIL_COLORS
    canvas.rectangle(0, _RAIL_TOP, WIDTH, _RAIL_HEIGHT, side)
    canvas.rectangle(0, _RAIL_TOP, WIDTH, 3, top)
    canvas.rectangle(0, _RAIL_TOP + _RAIL_HEIGHT - 2, WIDTH, 2, edge)
    if pixels_per_metre >= _CLOSEST:
        most = floor(WIDTH / 2 / pixels_per_metre)
        for metre in range(-most, most + 1):
            x = WIDTH / 2 + metre * pixels_per_metre
            width = 1.5 if metre else 3.0
            canvas.rectangle(x - width / 2, _RAIL_TOP + 3, width, _RAIL_HEIGHT - 5, MARK_COLOR)
    for left in (0, WIDTH - 6):
        canvas.rectangle(left, _RAIL_TOP - 2, 6, _RAIL_HEIGHT + 4, END_COLOR)
