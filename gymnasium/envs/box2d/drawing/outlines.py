"""Where a body of the engine is."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin
from typing import Any

from gymnasium.envs.box2d.engine import Point


def placed(outline: Sequence[Point], body: Any) -> list[Point]:
    """Returns the points of an outline, given in the body's coordinates, in those of its world."""
    x0, y0 = body.position
    c, s = cos(body.angle), sin(body.angle)
    return [(x0 + c * x - s * y, y0 + s * x + c * y) for x, y in outline]
