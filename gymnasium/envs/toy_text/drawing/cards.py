"""Playing cards, 80 x 112 pixels, drawn once each."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from gymnasium.rendering.canvas import Canvas, Color, Point

CARD_SIZE: Final = (80, 112)  # pixels
CORNER_SIZE: Final = (18, 34)
RADIUS: Final = 7

PAPER: Final = (253, 252, 246)
EDGE: Final = (86, 96, 84)
RED: Final = (200, 36, 48)
BLACK: Final = (34, 38, 48)
BACK: Final = (52, 82, 136)
BACK_LINES: Final = (112, 142, 192)
FACE_COLORS: Final = {"J": (226, 232, 246), "Q": (250, 230, 232), "K": (250, 240, 208)}
GOLD: Final = (226, 176, 52)

LEFT, MIDDLE, RIGHT = 27, 40, 53  # the pips' columns
_ROWS: Final = (26, 41, 56, 71, 86)
# The positions of the pips of each rank: its columns by row.
_PIPS: Final[dict[str, tuple[tuple[int, ...], ...]]] = {
    "A": ((), (), (MIDDLE,), (), ()),
    "2": ((MIDDLE,), (), (), (), (MIDDLE,)),
    "3": ((MIDDLE,), (), (MIDDLE,), (), (MIDDLE,)),
    "4": ((LEFT, RIGHT), (), (), (), (LEFT, RIGHT)),
    "5": ((LEFT, RIGHT), (), (MIDDLE,), (), (LEFT, RIGHT)),
    "6": ((LEFT, RIGHT), (), (LEFT, RIGHT), (), (LEFT, RIGHT)),
    "7": ((LEFT, RIGHT), (MIDDLE,), (LEFT, RIGHT), (), (LEFT, RIGHT)),
    "8": ((LEFT, RIGHT), (MIDDLE,), (LEFT, RIGHT), (MIDDLE,), (LEFT, RIGHT)),
    "9": ((LEFT, RIGHT), (LEFT, RIGHT), (MIDDLE,), (LEFT, RIGHT), (LEFT, RIGHT)),
}


@lru_cache(maxsize=64)
def card(rank: str, suit: str) -> Canvas:
    """Returns the card of a rank in `"A23456789JQK"` and a suit in `"CDHS"`."""
    canvas = _blank(PAPER)
    corner = Canvas(*CORNER_SIZE, background=None)
    corner.text(rank, (9, 0), 24, _ink(suit), "midtop")
    _draw_pip(corner, suit, (9, 25), 5.5)
    canvas.paste(corner, (3, 5))
    canvas.paste(corner.turned(2), (CARD_SIZE[0] - 3 - CORNER_SIZE[0], CARD_SIZE[1] - 5 - CORNER_SIZE[1]))
    if rank in FACE_COLORS:
        _draw_face(canvas, rank, suit)
    else:
        for y, columns in zip(_ROWS, _PIPS[rank], strict=True):
            for x in columns:
                _draw_pip(canvas, suit, (x, y), 17 if rank == "A" else 7.5, upside_down=y > CARD_SIZE[1] / 2)
    return canvas


@lru_cache(maxsize=1)
def card_back() -> Canvas:
    """Returns a card lying on its face."""
    canvas = _blank(PAPER)
    canvas.rectangle(6, 6, 68, 100, BACK, radius=4)
    for row in range(8):
        for column in range(5):
            x, y = 16 + 12 * column, 14 + 12 * row
            canvas.polyline([(x, y - 4.5), (x + 4.5, y), (x, y + 4.5), (x - 4.5, y)], BACK_LINES, 1.3, closed=True)
    return canvas


def _blank(color: Color) -> Canvas:
    width, height = CARD_SIZE
    canvas = Canvas(width, height, background=None)
    canvas.rectangle(0, 0, width, height, EDGE, radius=RADIUS)
    canvas.rectangle(1, 1, width - 2, height - 2, color, radius=RADIUS - 1)
    return canvas


def _ink(suit: str) -> Color:
    return RED if suit in "DH" else BLACK


def _draw_face(canvas: Canvas, rank: str, suit: str) -> None:
    """A framed portrait in two halves: a crown or a cap, the letter, and the suit."""
    canvas.rectangle(20, 17, 40, 78, _ink(suit), radius=3)
    canvas.rectangle(21, 18, 38, 76, FACE_COLORS[rank], radius=2)
    half = Canvas(38, 38, background=None)
    _draw_headgear(half, rank)
    _draw_pip(half, suit, (7, 8), 4.5)
    canvas.paste(half, (21, 18))
    canvas.paste(half.turned(2), (21, 56))
    canvas.circle((40, 56), 15, PAPER)
    canvas.text(rank, (40, 57), 32, _ink(suit))


def _draw_headgear(half: Canvas, rank: str) -> None:
    if rank == "J":
        half.polygon([(11, 20), (12, 11), (19, 8), (27, 11), (27, 20)], (86, 110, 170))
        half.rectangle(10, 17, 18, 4, GOLD, radius=2)
        half.polyline([(25, 15), (30, 8), (33, 6)], RED, 2.2)
        return
    spikes = 5 if rank == "K" else 3
    step = 20 / (spikes - 1)
    points: list[Point] = [(28, 21), (10, 21)]
    for i in range(spikes):
        x = 9 + step * i
        points.append((x, 9 if i % 2 == 0 or rank == "Q" else 12))
        if i < spikes - 1:
            points.append((x + step / 2, 15))
    half.polygon(points, GOLD)
    for x, y in points[2::2]:
        half.circle((x, y), 1.8, RED if rank == "K" else (196, 84, 130))


def _draw_pip(canvas: Canvas, suit: str, center: Point, size: float, upside_down: bool = False) -> None:
    """Draws a suit's sign about `2 * size` pixels high."""
    sign = -1.0 if upside_down else 1.0
    x, y = center

    def at(points: list[Point]) -> list[Point]:
        return [(x + size * across, y + sign * size * down) for across, down in points]

    color = _ink(suit)
    if suit == "D":
        canvas.polygon(at([(0, -1.1), (0.8, 0), (0, 1.1), (-0.8, 0)]), color)
    elif suit == "H":
        canvas.polygon(at(_heart(1.0)), color)
    else:
        canvas.polygon(at([(0, 0.1), (0.5, 1.05), (-0.5, 1.05)]), color)
        if suit == "S":
            canvas.polygon(at([(across, 0.9 * down - 0.1) for across, down in _heart(-1.0)]), color)
        else:
            for leaf in at([(0, -0.55), (-0.5, 0.2), (0.5, 0.2)]):
                canvas.circle(leaf, 0.48 * size, color)


def _heart(sign: float) -> list[Point]:
    """The heart curve in a box of side 2; upside down for `sign` -1."""
    points = []
    for i in range(40):
        t = 2 * pi * i / 40
        down = -(13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) / 16
        points.append((sin(t) ** 3, sign * (down - 0.12)))
    return points
