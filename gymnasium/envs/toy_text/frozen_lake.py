"""Frozen lake: cross the ice to the goal without falling into a hole."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.toy_text.table import Outcome, Start, Table, start_from, tabulated
from gymnasium.envs.toy_text.tabular import Tabular, TabularEnv
from gymnasium.envs.toy_text.utils import probability
from gymnasium.functional.attributes import Derived
from gymnasium.spaces import Discrete
from gymnasium.utils.seeding import np_random

__all__ = ["DOWN", "LEFT", "MAPS", "RIGHT", "UP", "FrozenLakeEnv", "generate_random_map", "is_valid"]

LEFT, DOWN, RIGHT, UP = 0, 1, 2, 3

MAPS = {
    "4x4": ["SFFF", "FHFH", "FFFH", "HFFG"],
    "8x8": [
        "SFFFFFFF",
        "FFFFFFFF",
        "FFFHFFFF",
        "FFFFFHFF",
        "FFFHFFFF",
        "FHHFFFHF",
        "FHFFHFHF",
        "FFFHFFFG",
    ],
}
"""S: start, F: frozen, H: hole, G: goal."""

_MOVES = {LEFT: (0, -1), DOWN: (1, 0), RIGHT: (0, 1), UP: (-1, 0)}  # rows and columns of a move


def is_valid(board: Sequence[Sequence[str]], max_size: int) -> bool:
    """Returns whether a path over the ice leads from the upper left field of a square `board` to a goal."""
    frontier, reached = [(0, 0)], set()
    while frontier:
        row, column = frontier.pop()
        if (row, column) in reached:
            continue
        reached.add((row, column))
        for rows, columns in _MOVES.values():
            r, c = row + rows, column + columns
            if 0 <= r < max_size and 0 <= c < max_size and board[r][c] != "H":
                if board[r][c] == "G":
                    return True
                frontier.append((r, c))
    return False


def generate_random_map(size: int = 8, p: float = 0.8, seed: int | None = None) -> list[str]:
    """Returns a random square map on which the goal can be reached.

    Args:
        size: Fields per side, at least 2.
        p: The probability that a field is frozen, above 0; maps are drawn until one can be crossed, so a small
            probability takes long.
        seed: The seed of the draw; None for a new map at each call.

    Raises:
        ValueError: If no map with this `size` and `p` can be crossed.
    """
    if index(size) < 2:
        raise ValueError(f"A map has a start and a goal, so its size must be at least 2, but {size} came")
    if not p > 0:
        raise ValueError(f"No way crosses a map without frozen fields: p must be above 0, but {p} came")
    p = min(1, p)
    rng, _ = np_random(seed)
    while True:
        board = rng.choice(["F", "H"], (size, size), p=[p, 1 - p])
        board[0][0], board[-1][-1] = "S", "G"
        if is_valid(board.tolist(), size):
            return ["".join(row) for row in board]


class Params(NamedTuple):
    """The process, and its map."""

    table: Table
    start: Start
    desc: NDArray[np.uint8]  # (rows, columns), codes of the letters


class FrozenLake(Tabular):
    """The dynamics of FrozenLake; its options are `desc` and the other arguments of FrozenLakeEnv for the lake."""

    action_space = Discrete(4)
    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 4}
    drawing = "gymnasium.envs.toy_text.drawing.frozen_lake"
    desc: Any = MAPS["4x4"]
    is_slippery = True
    success_rate = 1 / 3
    reward_schedule: tuple[float, float, float] = (1, 0, 0)

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        super().__init__(options)
        self.observation_space = Discrete(self.default_params.desc.size)

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns the params with these fields.

        Raises:
            ValueError: If the options do not define a lake.
        """
        desc = _letters(self.desc)
        success_rate = probability("success_rate", self.success_rate)
        schedule = _schedule(self.reward_schedule)
        process = _process(desc.tobytes(), desc.shape[1], bool(self.is_slippery), success_rate, *schedule)
        return Params(*process, desc)._replace(**kwargs)


class FrozenLakeEnv(TabularEnv):
    """FrozenLake: from the start over slippery ice to the goal. A hole ends the episode, as does the goal.

    Observation, `Discrete(rows * columns)`: row * columns + column. Action, `Discrete(4)`: 0 left, 1 down, 2 right,
    3 up. A move out of the grid stays. On slippery ice the intended move succeeds with probability `success_rate`;
    otherwise the agent slips to one side of it, to both with equal probability. `info["prob"]` is the probability of
    the outcome.

    Args:
        render_mode: None, `"human"`, `"ansi"` or `"rgb_array"`.
        desc: The map, a string of letters S (start), F (frozen), H (hole), G (goal) for each row; None for `map_name`.
        map_name: `"4x4"` or `"8x8"`; None, with no `desc`, for a random map of 8 x 8.
        is_slippery: Whether moves can go astray.
        success_rate: The probability, on slippery ice, that they do not.
        reward_schedule: The rewards for reaching the goal, a hole, a frozen field.

    Attributes:
        desc: The map, shape (rows, columns), dtype bytes of length 1. Another one changes pictures; `P` has the moves.
        nrow: Its rows.
        ncol: Its columns.

    Raises:
        ValueError: If the map has no start or no goal, rows of different lengths or an unknown letter, `map_name` is
            unknown, `success_rate` is no probability, or `reward_schedule` are not three numbers.
    """

    dynamics = FrozenLake
    # Pictures are drawn without pygame.
    agent_img = goal_flag_img = hole_img = ice_crack_imgs = ice_img = letter_g_img = letter_s_img = None
    clock = window_surface = None

    def __init__(
        self,
        render_mode: str | None = None,
        desc: Sequence[str] | None = None,
        map_name: str | None = "4x4",
        is_slippery: bool = True,
        success_rate: float = 1.0 / 3.0,
        reward_schedule: tuple[float, float, float] = (1, 0, 0),
    ) -> None:
        options = {
            "desc": _map(desc, map_name),
            "is_slippery": is_slippery,
            "success_rate": success_rate,
            "reward_schedule": reward_schedule,
        }
        super().__init__(FrozenLake(options), render_mode)
        self.reward_range = (min(reward_schedule), max(reward_schedule))

    @property
    def desc(self) -> NDArray[np.bytes_]:
        """The map, shape (nrow, ncol), one letter (bytes) a field.

        Raises:
            ValueError: If the value has other than two axes.
        """
        desc: NDArray[np.bytes_] = self.params.desc.view("S1")
        return desc

    @desc.setter
    def desc(self, value: Any) -> None:
        letters = np.array(value, "c")
        if letters.ndim != 2:
            raise ValueError(f"A map must be a list of strings, its rows, but {value!r} came")
        self.params = self.params._replace(desc=letters.view(np.uint8))

    @Derived
    def nrow(self) -> int:
        """The rows of the map."""
        return int(self.params.desc.shape[0])

    @Derived
    def ncol(self) -> int:
        """Its columns."""
        return int(self.params.desc.shape[1])

    @Derived
    def window_size(self) -> tuple[int, int]:
        """Width and height of a picture in pixels."""
        return min(64 * self.ncol, 512), min(64 * self.nrow, 512)

    @Derived
    def cell_size(self) -> tuple[int, int]:
        """Width and height of a field in pixels."""
        return self.window_size[0] // self.ncol, self.window_size[1] // self.nrow

    @staticmethod
    def _center_small_rect(
        big_rect: tuple[float, float, float, float], small_dims: tuple[float, float]
    ) -> tuple[float, float]:
        """Returns where a rectangle (width, height) begins in the middle of another (left, top, width, height)."""
        left, top, width, height = big_rect
        return left + (width - small_dims[0]) / 2, top + (height - small_dims[1]) / 2


def _map(desc: object, map_name: str | None) -> Any:
    if desc is not None:
        return desc
    if map_name is None:
        return generate_random_map()
    if map_name not in MAPS:
        raise ValueError(f"map_name must be one of {', '.join(MAPS)}, or None, but {map_name!r} came")
    return MAPS[map_name]


def _letters(desc: Any) -> NDArray[np.uint8]:
    """Returns the codes of the map's letters, shape (rows, columns)."""
    try:
        rows = desc.tolist() if isinstance(desc, np.ndarray) else desc
        letters = np.array([row.decode() if isinstance(row, bytes) else row for row in rows], "c")
    except (TypeError, ValueError) as error:
        raise ValueError(f"A map must be a list of strings of the same length, its rows, but {desc!r} came") from error
    if letters.ndim != 2:
        raise ValueError(f"A map must be a list of strings, its rows, but {desc!r} came")
    unknown = set(letters.ravel().tolist()) - {b"S", b"F", b"H", b"G"}
    if unknown:
        raise ValueError(f"The letters of a map are S, F, H and G, but {desc!r} has others: {sorted(unknown)}")
    for letter, name in ((b"S", "start"), (b"G", "goal")):
        if letter not in letters:
            raise ValueError(f"A map must have a {name}, the letter {letter.decode()}, but {desc!r} came")
    return letters.view(np.uint8)


def _schedule(rewards: Any) -> tuple[float, float, float]:
    try:
        goal, hole, frozen = rewards
        float(goal), float(hole), float(frozen)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"reward_schedule must be three numbers, for the goal, a hole and a frozen field, but {rewards!r} came"
        ) from error
    return goal, hole, frozen


@lru_cache(maxsize=16, typed=True)  # typed: rewards of 1 and 1.0 are different ones
def _process(
    letters: bytes, columns: int, is_slippery: bool, success_rate: float, goal: float, hole: float, frozen: float
) -> tuple[Table, Start]:
    fields = letters.decode()
    rows = len(fields) // columns
    rewards = {"G": goal, "H": hole, "F": frozen, "S": frozen}
    slip = (1.0 - success_rate) / 2.0

    def outcome(s: int, move: int, chance: float) -> Outcome:
        down, right = _MOVES[move]
        row, column = min(max(s // columns + down, 0), rows - 1), min(max(s % columns + right, 0), columns - 1)
        landing = row * columns + column
        return chance, landing, rewards[fields[landing]], fields[landing] in "GH"

    def outcomes(s: int, action: int) -> list[Outcome]:
        if fields[s] in "GH":
            return [(1.0, s, 0, True)]
        if not is_slippery:
            return [outcome(s, action, 1.0)]
        sides = (action - 1) % 4, (action + 1) % 4
        return [outcome(s, sides[0], slip), outcome(s, action, success_rate), outcome(s, sides[1], slip)]

    transitions = {s: {action: outcomes(s, action) for action in range(4)} for s in range(len(fields))}
    starts = fields.count("S")
    return tabulated(transitions), start_from((field == "S") / starts for field in fields)
