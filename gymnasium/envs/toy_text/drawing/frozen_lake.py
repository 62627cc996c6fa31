"""The frozen lake: ice, holes, the start, the goal and an explorer."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.toy_text.drawing.figures import draw_agent, draw_flag, draw_hat
from gymnasium.rendering.brush import Brush
from gymnasium.rendering.canvas import Canvas
from gymnasium.utils.colorize import colorize

CELL: Final = 64  # pixels, on a map small enough
LARGEST: Final = 512  # pixels of a side; larger maps have smaller cells
ACTIONS: Final = ("Left", "Down", "Right", "Up")
FACING: Final = ((-1, 0), (0, 1), (1, 0), (0, -1))  # x, y for each action

BORDER_COLOR: Final = (180, 200, 230)
ICE_COLOR: Final = (219, 237, 248)
GLINT_COLOR: Final = (255, 255, 255, 170)
CRACK_COLOR: Final = (160, 192, 218)
RIM_COLOR: Final = (244, 250, 254)
WATER_COLOR: Final = (46, 96, 146)
DEEP_COLOR: Final = (26, 62, 106)
START_COLOR: Final = (72, 112, 158)
GOAL_COLOR: Final = (188, 44, 56)


class State(Protocol):
    """The visible part of the state."""

    @property
    def s(self) -> int:
        """The agent's position: row * columns + column."""

    @property
    def lastaction(self) -> int:
        """The last action, or -1 if there was none."""


class Params(Protocol):
    """The map."""

    @property
    def desc(self) -> NDArray[np.uint8]:
        """The letters' codes, of shape (rows, columns)."""


def size(params: Params) -> tuple[int, int]:
    """Returns width and height in pixels."""
    rows, columns = params.desc.shape
    return min(CELL * columns, LARGEST), min(CELL * rows, LARGEST)


def draw(canvas: Canvas, state: State, params: Params) -> None:
    """Draws the lake and the agent, who is hidden when in a hole."""
    rows, columns = params.desc.shape
    canvas.paste(_lake(bytes(params.desc.tobytes()), rows, columns))
    row, column = divmod(int(state.s), columns)
    width, height = _cell(rows, columns)
    scale = min(width, height) / CELL
    middle = ((column + 0.5) * width, (row + 0.5) * height)
    if params.desc[row, column] == ord("H"):
        draw_hat(canvas, middle[0] - 32 * scale, middle[1] - 32 * scale, scale)
    else:
        facing = FACING[state.lastaction] if state.lastaction >= 0 else (0, 1)
        draw_agent(canvas, middle[0] - 20 * scale, middle[1] - 18 * scale, scale, facing)


def text(state: State, params: Params) -> str:
    """Returns the last action and the map, the agent's cell on red."""
    letters = [[chr(code) for code in row] for row in params.desc]
    row, column = divmod(int(state.s), len(letters[0]))
    letters[row][column] = colorize(letters[row][column], "red", highlight=True)
    action = f"  ({ACTIONS[state.lastaction]})\n" if state.lastaction >= 0 else "\n"
    return action + "".join("".join(line) + "\n" for line in letters)


def _cell(rows: int, columns: int) -> tuple[float, float]:
    """Width and height of a cell in pixels."""
    return min(CELL, LARGEST / columns), min(CELL, LARGEST / rows)


@lru_cache(maxsize=8)
def _lake(desc: bytes, rows: int, columns: int) -> Canvas:
    """The map without the agent."""
    width, height = _cell(rows, columns)
    scale = min(width, height) / CELL
    canvas = Canvas(min(CELL * columns, LARGEST), min(CELL * rows, LARGEST), BORDER_COLOR)
    line = max(1.0, scale) / 2
    for row in range(rows):
        for column in range(columns):
            letter = chr(desc[row * columns + column])
            left, top = column * width, row * height
            canvas.rectangle(left + line, top + line, width - 2 * line, height - 2 * line, ICE_COLOR)
            tile = Brush(canvas, left + (width - CELL * scale) / 2, top + (height - CELL * scale) / 2, scale)
            _draw_ice(tile, (3 * column + 5 * row) % 7 if letter == "F" else 7)
            if letter == "H":
                _draw_hole(tile)
            elif letter == "S":
                canvas.text("S", (left + 8 * scale, top + 6 * scale), round(26 * scale) or 1, START_COLOR, "topleft")
            elif letter == "G":
                canvas.text("G", (left + 8 * scale, top + 6 * scale), round(26 * scale) or 1, GOAL_COLOR, "topleft")
                draw_flag(canvas, left + 0.94 * width - 24 * scale, top + 0.88 * height - 32 * scale, scale)
    return canvas


def _draw_ice(tile: Brush, kind: int) -> None:
    """Glints on every tile, and cracks on tiles of the kinds 0 and 1."""
    tile.polyline([(46, 8), (56, 18)], GLINT_COLOR, 2.5)
    tile.polyline([(40, 10), (54, 24)], GLINT_COLOR, 1.2)
    tile.polyline([(8, 50), (14, 56)], GLINT_COLOR, 2)
    if kind == 0:
        tile.polyline([(6, 20), (18, 26), (24, 38), (38, 42), (44, 56)], CRACK_COLOR, 1.4)
        tile.polyline([(24, 38), (16, 46)], CRACK_COLOR, 1.2)
        tile.polyline([(38, 42), (50, 36)], CRACK_COLOR, 1.2)
    elif kind == 1:
        tile.polyline([(20, 6), (26, 18), (42, 24), (46, 36), (58, 42)], CRACK_COLOR, 1.4)
        tile.polyline([(26, 18), (14, 28)], CRACK_COLOR, 1.2)
        tile.polyline([(46, 36), (38, 48)], CRACK_COLOR, 1.2)


def _draw_hole(tile: Brush) -> None:
    """Open water with a rim of ice, and the cracks around it."""
    for crack in ([(10, 22), (3, 14)], [(53, 20), (60, 11)], [(48, 51), (55, 59)], [(14, 49), (7, 57)]):
        tile.polyline(crack, CRACK_COLOR, 1.6)
    rim = [(9, 30), (14, 18), (26, 11), (40, 12), (52, 20), (56, 33), (51, 46), (39, 54), (24, 53), (12, 44)]
    tile.polygon(rim, RIM_COLOR)
    tile.polygon([(32 + 0.86 * (x - 32), 34 + 0.84 * (y - 33)) for x, y in rim], WATER_COLOR)
    tile.polygon([(32 + 0.6 * (x - 32), 37 + 0.54 * (y - 33)) for x, y in rim], DEEP_COLOR)
    tile.polyline([(20, 24), (27, 20), (34, 19)], (150, 196, 226), 2)
