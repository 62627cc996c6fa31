"""The two links of the acrobot, and the target height of its free end."""

from __future__ import annotations

from math import cos, sin
from typing import Final, Protocol

from gymnasium.rendering.canvas import Canvas, Point

SIDE: Final = 500  # pixels
CENTER: Final = (SIDE / 2, SIDE / 2)
MARGIN: Final = 0.2  # metres around the links at full stretch
GOAL_HEIGHT: Final = 1.0  # metres above the pivot
LINK_WIDTH: Final = 0.2  # metres
JOINT_RADIUS: Final = 0.1

LINK_COLOR: Final = (0, 172, 178)
JOINT_COLOR: Final = (240, 196, 40)
GOAL_COLOR: Final = (60, 64, 72)


class State(Protocol):
    """The visible part of the state."""

    @property
    def theta1(self) -> float:
        """Angle of the upper link in radians: 0 hangs down, counter-clockwise is positive."""

    @property
    def theta2(self) -> float:
        """Angle of the lower link in radians, from the upper one."""


class Params(Protocol):
    """The lengths to be drawn."""

    @property
    def link_length_1(self) -> float:
        """Length of the upper link in metres."""

    @property
    def link_length_2(self) -> float:
        """Length of the lower link in metres."""


def size(params: Params) -> tuple[int, int]:
    """Returns width and height in pixels."""
    return SIDE, SIDE


def draw(canvas: Canvas, state: State, params: Params) -> None:
    """Draws the target line, the links and their joints."""
    l1, l2 = float(params.link_length_1), float(params.link_length_2)
    scale = SIDE / 2 / (l1 + l2 + MARGIN)
    elbow = _hanging(CENTER, l1 * scale, float(state.theta1))
    end = _hanging(elbow, l2 * scale, float(state.theta1) + float(state.theta2))

    canvas.fill((255, 255, 255))
    canvas.rectangle(0, CENTER[1] - GOAL_HEIGHT * scale - 1, SIDE, 2, GOAL_COLOR)
    for start, stop in ((CENTER, elbow), (elbow, end)):
        canvas.line(start, stop, LINK_COLOR, LINK_WIDTH * scale)
        canvas.circle(start, JOINT_RADIUS * scale * 0.8, JOINT_COLOR)


def _hanging(joint: Point, length: float, angle: float) -> Point:
    """The far end of a link that hangs from `joint`, `angle` counter-clockwise from straight down."""
    x, y = joint
    return x + length * sin(angle), y + length * cos(angle)
