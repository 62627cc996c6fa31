"""The town of the taxi: streets, walls, four stands, the passenger, the destination's house."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Protocol

from gymnasium.envs.toy_text.drawing.taxi_figures import draw_house, draw_marker, draw_passenger, draw_pavement, taxi
from gymnasium.rendering.canvas import Canvas, Color
from gymnasium.utils.colorize import colorize

WINDOW_SIZE: Final = (536, 456)
CANVAS_COLOR: Final = (250, 250, 246)
BACKGROUND_POS: Final = (0, 80)
BACKGROUND_SIZE: Final = (536, 376)
HOUSE_POS: Final = (403, 36)  # a public name: others draw the house there, whichever the destination; here it is unused
HOUSE_SIZE: Final = (40, 48)  # of the destination's house, which stands at its stand, outside the town
GRID_ORIGIN: Final = (48, 128)
CELL_SIZE: Final = (88, 56)
PASSENGER_OFFSET: Final = (35, 19)
TAXI_H_OFFSET: Final = (15, 9)  # of a taxi heading east or west
TAXI_V_OFFSET: Final = (25, 0)  # north or south

TOWN: Final = (
    "+---------+",
    "|R: | : :G|",
    "| : | : : |",
    "| : : : : |",
    "| | : | : |",
    "|Y| : |B: |",
    "+---------+",
)
SIDE: Final = 5
STANDS: Final = ((0, 0), (0, 4), (4, 0), (4, 3))  # row and column of R, G, Y and B
STAND_LETTERS: Final = "RGYB"
STAND_COLORS: Final[tuple[Color, ...]] = ((222, 72, 66), (64, 160, 88), (226, 178, 40), (62, 116, 206))
IN_TAXI: Final = 4
ACTIONS: Final = ("South", "North", "East", "West", "Pickup", "Dropoff")
SOUTH, NORTH, EAST, WEST = range(4)

STREET_COLOR: Final = (106, 112, 122)
LANE_COLOR: Final = (140, 146, 156)
WALL_COLOR: Final = (70, 116, 72)
WALL_LIGHT: Final = (104, 154, 96)
PAVEMENT_COLOR: Final = (214, 210, 198)
TEXT_COLOR: Final = (70, 74, 84)


class State(Protocol):
    """The visible part of the state."""

    @property
    def s(self) -> int:
        """((row * 5 + column) * 5 + passenger) * 4 + destination."""

    @property
    def lastaction(self) -> int:
        """The last action, or -1 if there was none."""

    @property
    def orientation(self) -> int:
        """The direction of the taxi: the last action that was a move."""


def size(params: object) -> tuple[int, int]:
    """Returns width and height in pixels."""
    return WINDOW_SIZE


def draw(canvas: Canvas, state: State, params: object) -> None:
    """Draws the town, the destination, the passenger standing at a stand or sitting in the taxi, and the taxi."""
    row, column, passenger, destination = _decoded(int(state.s))
    canvas.paste(_town())
    _draw_heading(canvas, passenger, destination)
    color, letter = STAND_COLORS[destination], STAND_LETTERS[destination]
    draw_marker(canvas, *_corner(*STANDS[destination]), color)
    draw_house(canvas, *_house(*STANDS[destination]), color, letter)
    vertical = state.orientation in (SOUTH, NORTH)
    left, top = _corner(row, column)
    offset = TAXI_V_OFFSET if vertical else TAXI_H_OFFSET
    quarters = {EAST: 0, SOUTH: 1, WEST: 2, NORTH: 3}[state.orientation]
    canvas.paste(taxi(quarters, passenger == IN_TAXI), (left + offset[0], top + offset[1]))
    if passenger != IN_TAXI:
        x, y = _corner(*STANDS[passenger])
        beside = -PASSENGER_OFFSET[0] if STANDS[passenger] == (row, column) else 0  # else they would stand on the roof
        draw_passenger(canvas, x + PASSENGER_OFFSET[0] + beside, y + PASSENGER_OFFSET[1])


def text(state: State, params: object) -> str:
    """Returns the map and the last action.

    The taxi is on yellow, or on green with a passenger; a waiting passenger is blue, the destination magenta.
    """
    row, column, passenger, destination = _decoded(int(state.s))
    letters = [list(line) for line in TOWN]

    def recolor(place: tuple[int, int], color: str, bold: bool = False, highlight: bool = False) -> None:
        line, i = letters[1 + place[0]], 1 + 2 * place[1]
        line[i] = colorize(line[i], color, bold, highlight)

    if passenger == IN_TAXI:
        letters[1 + row][1 + 2 * column] = letters[1 + row][1 + 2 * column].replace(" ", "_")
        recolor((row, column), "green", highlight=True)
    else:
        recolor((row, column), "yellow", highlight=True)
        recolor(STANDS[passenger], "blue", bold=True)
    recolor(STANDS[destination], "magenta")
    action = f"  ({ACTIONS[state.lastaction]})\n" if state.lastaction >= 0 else "\n"
    return "".join("".join(line) + "\n" for line in letters) + action


def _decoded(s: int) -> tuple[int, int, int, int]:
    """The row and column of the taxi, the passenger's stand or `IN_TAXI`, the destination's stand."""
    place, destination = divmod(s, 4)
    place, passenger = divmod(place, 5)
    return *divmod(place, SIDE), passenger, destination


def _corner(row: int, column: int) -> tuple[int, int]:
    """The top left corner of a cell in pixels."""
    return GRID_ORIGIN[0] + column * CELL_SIZE[0], GRID_ORIGIN[1] + row * CELL_SIZE[1]


def _house(row: int, column: int) -> tuple[float, int]:
    """The top left corner of the house at a stand: in the margin of the town above or below it."""
    left, top = _corner(row, column)
    width, height = HOUSE_SIZE
    return left + (CELL_SIZE[0] - width) / 2, top - height - 3 if row == 0 else top + CELL_SIZE[1] + 1


def _draw_heading(canvas: Canvas, passenger: int, destination: int) -> None:
    """Writes above the town the passenger's place and destination."""
    where = "in the taxi" if passenger == IN_TAXI else f"at {STAND_LETTERS[passenger]}"
    draw_passenger(canvas, GRID_ORIGIN[0], 30)
    canvas.text(where, (GRID_ORIGIN[0] + 26, 44), 22, TEXT_COLOR, "midleft")
    canvas.line((196, 44), (346, 44), LANE_COLOR, 3)
    canvas.polygon([(344, 36), (360, 44), (344, 52)], LANE_COLOR)
    canvas.text(f"to {STAND_LETTERS[destination]}", (376, 44), 22, TEXT_COLOR, "midleft")


@lru_cache(maxsize=1)
def _town() -> Canvas:
    """Everything that neither moves nor depends on the state."""
    canvas = Canvas(*WINDOW_SIZE, CANVAS_COLOR)
    draw_pavement(canvas, BACKGROUND_POS, BACKGROUND_SIZE, PAVEMENT_COLOR)
    left, top = GRID_ORIGIN
    width, height = CELL_SIZE
    canvas.rectangle(left, top, SIDE * width, SIDE * height, STREET_COLOR)
    for row in range(SIDE):
        for column in range(SIDE):
            x, y = _corner(row, column)
            if column < SIDE - 1 and TOWN[1 + row][2 + 2 * column] == ":":
                canvas.rectangle(x + width - 10, y + height / 2 - 1, 20, 2, LANE_COLOR)
            if row < SIDE - 1:
                canvas.rectangle(x + width / 2 - 1, y + height - 8, 2, 16, LANE_COLOR)
    for (row, column), color, letter in zip(STANDS, STAND_COLORS, STAND_LETTERS, strict=True):
        x, y = _corner(row, column)
        canvas.rectangle(x + 5, y + 5, width - 10, height - 10, color, radius=6)
        canvas.text(letter, (x + width - 12, y + 8), 24, (255, 255, 255), "topright")
    _draw_walls(canvas)
    return canvas


def _draw_walls(canvas: Canvas) -> None:
    """Hedges around the town and wherever the map bars the way."""
    left, top = GRID_ORIGIN
    right, bottom = left + SIDE * CELL_SIZE[0], top + SIDE * CELL_SIZE[1]
    walls = [[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]]
    for row in range(SIDE):
        for column in range(SIDE - 1):
            if TOWN[1 + row][2 + 2 * column] == "|":
                x, y = _corner(row, column + 1)
                walls.append([(x, y), (x, y + CELL_SIZE[1])])
    for color, width, shift in ((WALL_COLOR, 9, 0), (WALL_LIGHT, 4, -1)):
        for wall in walls:
            canvas.polyline([(x + shift, y + shift) for x, y in wall], color, width)
