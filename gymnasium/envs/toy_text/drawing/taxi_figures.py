"""The figures of the taxi's town."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from gymnasium.rendering.brush import Brush
from gymnasium.rendering.canvas import Canvas, Color

YELLOW: Final = (250, 200, 36)
YELLOW_SHADE: Final = (222, 166, 20)
GLASS: Final = (54, 66, 84)
DARK: Final = (38, 42, 50)
WHITE: Final = (255, 255, 255)
SKIN: Final = (240, 196, 160)
HAIR: Final = (74, 50, 40)
COAT: Final = (124, 70, 168)
TROUSERS: Final = (52, 58, 84)
SHADOW: Final = (20, 24, 36, 70)
FREE_LIGHT: Final = (255, 250, 214)
TAKEN_LIGHT: Final = (74, 220, 110)


def draw_passenger(canvas: Canvas, left: float, top: float) -> None:
    """Draws a standing person, 16 x 24 pixels."""
    brush = Brush(canvas, left, top)
    brush.ellipse((8, 23), 6.5, 1.8, SHADOW)
    brush.polyline([(6, 16), (6, 22)], TROUSERS, 3)
    brush.polyline([(10, 16), (10, 22)], TROUSERS, 3)
    brush.polyline([(3.2, 11), (2.2, 16)], COAT, 2.6)
    brush.polyline([(12.8, 11), (13.8, 16)], COAT, 2.6)
    brush.rectangle(3.2, 8.5, 9.6, 9.5, COAT, radius=3)
    brush.circle((8, 4.8), 4.6, HAIR)
    brush.circle((8, 5.6), 3.6, SKIN)


@lru_cache(maxsize=8)
def taxi(quarters: int, occupied: bool) -> Canvas:
    """Returns a taxi seen from above, heading east and turned clockwise by `quarters` right angles.

    With a passenger, the sign on the roof is green and somebody sits behind the sunroof.
    """
    canvas = Canvas(56, 36, background=None)
    for wheel in ((9, 1), (37, 1), (9, 30), (37, 30)):
        canvas.rectangle(*wheel, 10, 5, DARK, radius=2)
    canvas.rectangle(1, 3, 54, 30, YELLOW_SHADE, radius=9)
    canvas.rectangle(2, 4, 52, 28, YELLOW, radius=8)
    canvas.polygon([(36, 7), (43, 5.5), (43, 30.5), (36, 29)], GLASS)
    canvas.polygon([(7, 6.5), (11, 8), (11, 28), (7, 29.5)], GLASS)
    for y, lamp in ((4.5, 5.0), (28.5, 28.0)):
        canvas.rectangle(14, y, 20, 3, GLASS, radius=1)
        canvas.rectangle(51, lamp, 3.5, 4, FREE_LIGHT, radius=1)
    _draw_checkers(canvas)
    canvas.rectangle(29, 12, 6, 12, DARK, radius=2)
    canvas.rectangle(30, 13, 4, 10, TAKEN_LIGHT if occupied else FREE_LIGHT, radius=1)
    if occupied:
        canvas.rectangle(13, 10.5, 14, 15, GLASS, radius=4)
        canvas.ellipse((19, 18), 4.4, 6.6, COAT)
        canvas.circle((20.5, 18), 4.2, HAIR)
        canvas.circle((21.8, 18), 3.1, SKIN)
    return canvas.turned(quarters)


def _draw_checkers(canvas: Canvas) -> None:
    """The two rows of squares along the sides of the roof."""
    for i in range(5):
        for top in (8, 26):
            canvas.rectangle(14 + 4 * i, top + i % 2, 4, 1, DARK)


def draw_house(canvas: Canvas, left: float, top: float, color: Color, letter: str) -> None:
    """Draws a house, 40 x 48 pixels, its roof and door in a stand's colour and the letter on its gable."""
    brush = Brush(canvas, left, top, scale=0.5)
    brush.ellipse((40, 92), 38, 4, SHADOW)
    brush.rectangle(58, 8, 9, 26, (150, 110, 94))
    brush.rectangle(10, 40, 60, 52, (246, 238, 222))
    brush.polygon([(40, 2), (80, 44), (0, 44)], color)
    brush.polygon([(0, 44), (80, 44), (76, 40), (4, 40)], (0, 0, 0, 50))
    brush.rectangle(33, 62, 16, 30, color, radius=2)
    brush.circle((45, 78), 1.4, WHITE)
    for x in (15, 54):
        brush.rectangle(x, 52, 13, 14, (118, 96, 84), radius=1)
        brush.rectangle(x + 1.5, 53.5, 10, 11, (166, 212, 236))
        brush.rectangle(x + 5.7, 53.5, 1.6, 11, (118, 96, 84))
    canvas.text(letter, (left + 20, top + 14), 14, WHITE)


def draw_marker(canvas: Canvas, left: float, top: float, color: Color) -> None:
    """Draws a frame of corners and a pin on a cell of 88 x 56 pixels: the destination."""
    for x, y, right, down in ((4, 4, 1, 1), (84, 4, -1, 1), (4, 52, 1, -1), (84, 52, -1, -1)):
        corner = [(left + x + 14 * right, top + y), (left + x, top + y), (left + x, top + y + 14 * down)]
        canvas.polyline(corner, WHITE, 4)
    brush = Brush(canvas, left + 6, top + 8)
    brush.polygon([(1.5, 11), (16.5, 11), (9, 24)], WHITE)
    brush.circle((9, 8.5), 8.5, WHITE)
    brush.circle((9, 8.5), 4.5, color)


def draw_pavement(canvas: Canvas, position: tuple[int, int], size: tuple[int, int], color: Color) -> None:
    """Draws slabs around the streets."""
    (left, top), (width, height) = position, size
    canvas.rectangle(left, top, width, height, color)
    joint = tuple(round(0.94 * part) for part in color[:3])
    for x in range(left, left + width, 24):
        canvas.rectangle(x, top, 1, height, (joint[0], joint[1], joint[2]))
    for y in range(top, top + height, 24):
        canvas.rectangle(left, y, width, 1, (joint[0], joint[1], joint[2]))
