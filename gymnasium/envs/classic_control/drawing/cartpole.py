"""The cart on its track and the pole on the cart."""

from __future__ import annotations

from math import cos, sin
from typing import Final, Protocol

from gymnasium.rendering.canvas import Canvas

WIDTH: Final = 600  # pixels, from one end of the track to the other
HEIGHT: Final = 400
TRACK_Y: Final = 300.0  # pixels; the cart's middle is on it
CART_WIDTH, CART_HEIGHT = 50.0, 30.0
AXLE_ABOVE_TRACK: Final = 7.5
POLE_WIDTH: Final = 10.0

TRACK_COLOR: Final = (60, 64, 72)
CART_COLOR: Final = (38, 42, 51)
POLE_COLOR: Final = (202, 152, 101)
AXLE_COLOR: Final = (129, 132, 203)


class State(Protocol):
    """The part of the state that can be seen."""

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
    pixels_per_metre = WIDTH / (2 * params.x_threshold)
    x, theta = WIDTH / 2 + float(state.x) * pixels_per_metre, float(state.theta)
    axle = (x, TRACK_Y - AXLE_ABOVE_TRACK)
    pole = 2 * params.length * pixels_per_metre
    tip = (x + pole * sin(theta), axle[1] - pole * cos(theta))

    canvas.fill((255, 255, 255))
    canvas.rectangle(0, TRACK_Y - 1, WIDTH, 2, TRACK_COLOR)
    canvas.rectangle(x - CART_WIDTH / 2, TRACK_Y - CART_HEIGHT / 2, CART_WIDTH, CART_HEIGHT, CART_COLOR, radius=4)
    canvas.line(axle, tip, POLE_COLOR, POLE_WIDTH)
    canvas.circle(axle, POLE_WIDTH / 2, AXLE_COLOR)
