"""Figures used by several of the grid worlds, in units of a 64-pixel cell."""

from __future__ import annotations

from typing import Final

from gymnasium.rendering.brush import Brush
from gymnasium.rendering.canvas import Canvas

PARKA: Final = (222, 92, 52)
PARKA_SHADE: Final = (190, 70, 38)
FUR: Final = (246, 236, 216)
SKIN: Final = (247, 206, 172)
DARK: Final = (44, 48, 60)
BOOT: Final = (92, 62, 46)
FLAG: Final = (214, 48, 58)
SCARF: Final = (250, 200, 60)
SHADOW: Final = (20, 30, 50, 60)


def draw_agent(canvas: Canvas, left: float, top: float, scale: float, facing: tuple[int, int]) -> None:
    """Draws an explorer in a parka, 40 x 36 units, facing `facing` (x, y): away from us if that is up."""
    brush = Brush(canvas, left, top, scale)
    brush.ellipse((20, 34), 13, 3, SHADOW)
    for x in (13.5, 21.5):
        brush.rectangle(x, 26, 5, 8, DARK, radius=2)
        brush.rectangle(x - 1, 31, 7, 4, BOOT, radius=2)
    brush.polyline([(12, 19), (8, 25)], PARKA_SHADE, 5)
    brush.polyline([(28, 19), (32, 25)], PARKA_SHADE, 5)
    brush.circle((7.5, 26), 2.8, DARK)
    brush.circle((32.5, 26), 2.8, DARK)
    brush.rectangle(10.5, 14, 19, 15, PARKA, radius=6)
    _draw_head(brush, *facing)


def _draw_head(brush: Brush, across: int, along: int) -> None:
    brush.circle((20, 9.5), 9.2, PARKA)
    if along < 0:  # seen from behind
        brush.polyline([(13, 16), (27, 16)], SCARF, 3.4)
        return
    x = 20 + 2.2 * across
    brush.circle((x, 10), 7.6, FUR)
    brush.circle((x, 10), 6, SKIN)
    for eye in (x - 2.3 + across, x + 2.3 + across):
        brush.circle((eye, 9.6), 1.1, DARK)
    brush.polyline([(13, 17), (27, 17)], SCARF, 3.4)


def draw_hat(canvas: Canvas, left: float, top: float, scale: float) -> None:
    """Draws the visible rest of an agent who fell into the water: a bobble hat, in a cell of 64 units."""
    brush = Brush(canvas, left, top, scale)
    brush.ellipse((32, 39), 17, 6, (120, 170, 206, 150))
    brush.ellipse((32, 38), 12, 4, (52, 104, 152))
    brush.polygon([(22, 38), (24, 30), (29, 26), (35, 26), (40, 30), (42, 38)], PARKA)
    brush.rectangle(21, 34.5, 22, 5, FUR, radius=2.5)
    brush.circle((32, 24), 4, FUR)


def draw_flag(canvas: Canvas, left: float, top: float, scale: float) -> None:
    """Draws a flag on its post, 24 x 32 units."""
    brush = Brush(canvas, left, top, scale)
    brush.ellipse((5, 31), 5, 1.8, SHADOW)
    brush.polygon([(4, 2), (13, 4), (23, 1), (23, 15), (13, 18), (4, 16)], FLAG)
    brush.polygon([(4, 12), (13, 14), (23, 11), (23, 15), (13, 18), (4, 16)], (0, 0, 0, 36))
    brush.polyline([(4, 2), (4, 30.5)], DARK, 2.4)
    brush.circle((4, 1.8), 2, SCARF)
