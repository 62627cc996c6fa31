"""The path along the cliff."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.toy_text.drawing.figures import draw_agent, draw_flag
from gymnasium.envs.toy_text.table import Start
from gymnasium.rendering.brush import Brush
from gymnasium.rendering.canvas import Canvas

ART_CELL_SIZE: Final = 64  # pixels
LETTER_OFFSET: Final = (8, 8)  # of the letters S and G in their cells
FLAG_OFFSET: Final = (28, 16)
AGENT_OFFSET: Final = (20, 20)

FACING: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))  # x, y for each action: up, right, down, left

GROUND_COLORS: Final = ((166, 202, 122), (158, 195, 114))
TUFT_COLOR: Final = (120, 164, 84)
STONE_COLOR: Final = (186, 190, 180)
LIP_COLOR: Final = (132, 172, 92)
ROCK_COLORS: Final = ((150, 116, 86), (124, 94, 72), (96, 72, 60), (66, 52, 52), (40, 34, 42))
LETTER_COLOR: Final = (58, 74, 40)


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
    def cliff(self) -> NDArray[np.bool_]:
        """Whether each field belongs to the cliff, of shape (rows, columns)."""

    @property
    def start(self) -> Start:
        """The first state."""


def size(params: Params) -> tuple[int, int]:
    """Returns width and height in pixels."""
    rows, columns = params.cliff.shape
    return columns * ART_CELL_SIZE, rows * ART_CELL_SIZE


def draw(canvas: Canvas, state: State, params: Params) -> None:
    """Draws the ground, the cliff, start and goal, and the agent."""
    canvas.paste(_ground(params.cliff.tobytes(), params.cliff.shape, params.start.states[0]))
    row, column = divmod(int(state.s), params.cliff.shape[1])
    facing = FACING[state.lastaction] if state.lastaction >= 0 else (0, 1)
    x, y = AGENT_OFFSET
    draw_agent(canvas, column * ART_CELL_SIZE + x, row * ART_CELL_SIZE + y, 1.0, facing)


def text(state: State, params: Params) -> str:
    """Returns the grid: `x` the agent, `T` the goal, `C` the cliff, `o` any other cell; an empty line after it."""
    letters = [["C" if falls else "o" for falls in row] for row in params.cliff.tolist()]
    letters[-1][-1] = "T"
    row, column = divmod(int(state.s), params.cliff.shape[1])
    letters[row][column] = "x"
    return "".join("  ".join(line) + "\n" for line in letters) + "\n"


@lru_cache(maxsize=8)
def _ground(cliff: bytes, shape: tuple[int, int], start: int) -> Canvas:
    """Everything but the agent; the goal is the last field."""
    rows, columns = shape
    canvas = Canvas(columns * ART_CELL_SIZE, rows * ART_CELL_SIZE)
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        tile = Brush(canvas, column * ART_CELL_SIZE, row * ART_CELL_SIZE)
        if cliff[cell]:
            beside = [0 <= x < columns and bool(cliff[row * columns + x]) for x in (column - 1, column + 1)]
            _draw_cliff(tile, column, *beside)
        else:
            _draw_grass(tile, row, column)
    for cell, letter in ((start, "S"), (rows * columns - 1, "G")):
        left, top = cell % columns * ART_CELL_SIZE, cell // columns * ART_CELL_SIZE
        canvas.text(letter, (left + LETTER_OFFSET[0], top + LETTER_OFFSET[1]), 26, LETTER_COLOR, "topleft")
    draw_flag(canvas, left + FLAG_OFFSET[0], top + FLAG_OFFSET[1], 1.0)
    return canvas


def _draw_grass(tile: Brush, row: int, column: int) -> None:
    tile.rectangle(0, 0, ART_CELL_SIZE, ART_CELL_SIZE, GROUND_COLORS[(row + column) % 2])
    x, y = 10 + 17 * (row + 2 * column) % 40, 14 + 23 * (2 * row + column) % 36
    for dx, dy in ((0, 0), (21, 13)):
        left, top = (x + dx) % 52 + 4, (y + dy) % 50 + 6
        tile.polyline([(left, top), (left + 2, top + 6), (left + 4, top + 1)], TUFT_COLOR, 1.5)
    if (3 * row + 5 * column) % 7 == 2:
        tile.ellipse((46, 48), 6, 4, (0, 0, 0, 30))
        tile.ellipse((45, 46), 6, 4, STONE_COLOR)


def _draw_cliff(tile: Brush, column: int, on_the_left: bool, on_the_right: bool) -> None:
    """A rock face that falls into the dark, under a lip of grass; walls at both ends of the cliff."""
    tile.rectangle(0, 0, ART_CELL_SIZE, ART_CELL_SIZE, ROCK_COLORS[-1])
    jag = (0, 3, -2, 2, 0) if column % 2 else (0, -2, 3, -1, 0)
    xs = (0, 16, 32, 48, 64)
    for depth, color in ((44, ROCK_COLORS[3]), (33, ROCK_COLORS[2]), (22, ROCK_COLORS[1]), (13, ROCK_COLORS[0])):
        edge = [(x, depth + j) for x, j in zip(xs, jag, strict=True)]
        tile.polygon([(0, 0), *edge, (64, 0)], color)
    if not on_the_left:
        tile.polygon([(0, 0), (7, 0), (5, 18), (8, 34), (4, 50), (6, 64), (0, 64)], ROCK_COLORS[1])
    if not on_the_right:
        tile.polygon([(64, 0), (57, 0), (59, 18), (56, 34), (60, 50), (58, 64), (64, 64)], ROCK_COLORS[1])
    tile.polyline([(12, 16), (14, 26)], ROCK_COLORS[2], 1.5)
    tile.polyline([(40, 14), (37, 23), (39, 30)], ROCK_COLORS[2], 1.5)
    lip = [(x, 5 + j / 2) for x, j in zip(xs, jag[::-1], strict=True)]
    tile.polygon([(0, 0), *lip, (64, 0)], LIP_COLOR)
