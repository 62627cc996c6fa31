"""The window's view of a race, with the car in its lower middle, pointing up. All numbers are in its units."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, sin
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine.bindings import Point
from gymnasium.envs.box2d._racing.track import SCALE
from gymnasium.envs.box2d.car_dynamics import Car

WINDOW_W: Final = 1000
WINDOW_H: Final = 800
ZOOM: Final = 2.7  # times SCALE: window units per metre
ZOOM_FOLLOW: Final = True  # whether the view moves with the car

_FAR_ZOOM: Final = 0.1  # times SCALE, at the start of an episode; the view comes near within a second
_CAR_AT: Final = (WINDOW_W / 2, WINDOW_H * 3 / 4)
_FAR_CORNER: Final = hypot(*_CAR_AT)  # the distance from the car to the farthest corner of the window


class Place(NamedTuple):
    """A map from metres to sub-pixels: rotation with reflection, zoom, scaling of both axes, and a shift."""

    x_to_x: float
    y_to_x: float
    x_to_y: float
    y_to_y: float
    x: float
    y: float

    def shown(self, points: Sequence[Point]) -> list[Point]:
        """Returns the positions of points in the picture."""
        a, b, c, d, x0, y0 = self
        return [(a * x + b * y + x0, c * x + d * y + y0) for x, y in points]


class View:
    """The positions of objects in the picture.

    Args:
        car: The body that the view follows in position and angle.
        seconds: The time since the episode began.
        scale: Sub-pixels of the picture per unit of the window, across and down.

    Attributes:
        stretch: Sub-pixels per metre, across and down.
        car: The position of the car, m.
        reach: The distance from the car to the end of the view, m.
        field: The place of the field.
        hull: The place of the car's hull.
    """

    def __init__(self, car: Car, seconds: float, scale: tuple[float, float]) -> None:
        near = min(seconds, 1.0)
        zoom = ZOOM * SCALE * near + _FAR_ZOOM * SCALE * (1.0 - near)
        self.reach = _FAR_CORNER / zoom
        self.stretch = across, down = zoom * scale[0], zoom * scale[1]
        at_x, at_y = _CAR_AT[0] * scale[0], _CAR_AT[1] * scale[1]
        self.hull = Place(across, 0.0, 0.0, -down, at_x, at_y)
        self._angle: float = car.hull.angle
        position = car.hull.position
        self.car: Point = position.x, position.y
        c, s = cos(self._angle), sin(self._angle)
        a, b, d, e = across * c, across * s, down * s, -down * c
        x, y = self.car
        self.field = Place(a, b, d, e, at_x - a * x - b * y, at_y - d * x - e * y)
        self._turn, self._shift = np.array(((a, b), (d, e))), np.array(((self.field.x,), (self.field.y,)))

    def all_shown(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the positions in the picture of points of the field, of shape (2, n)."""
        shown: NDArray[np.float64] = self._turn @ points + self._shift
        return shown

    def body(self, body: Any) -> Place:
        """The place of a body whose points are in its own coordinates."""
        across, down = self.stretch
        a, b, d, e, x0, y0 = self.field
        position, tilt = body.position, self._angle - body.angle
        x, y, c, s = position.x, position.y, cos(tilt), sin(tilt)
        return Place(across * c, across * s, down * s, -down * c, a * x + b * y + x0, d * x + e * y + y0)
