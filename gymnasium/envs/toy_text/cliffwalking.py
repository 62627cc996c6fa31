"""Cliff walking: reach the goal along the edge of a cliff.

Source: Sutton and Barto (2018), "Reinforcement Learning: An Introduction", example 6.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.toy_text.table import Outcome, Start, Table, Transitions, start_from, tabulated
from gymnasium.envs.toy_text.tabular import Tabular, TabularEnv
from gymnasium.envs.toy_text.utils import found_in
from gymnasium.functional.attributes import Derived, is_replaced
from gymnasium.spaces import Discrete

__all__ = [
    "DOWN",
    "LEFT",
    "POSITION_MAPPING",
    "RIGHT",
    "UP",
    "CliffWalkingEnv",
]

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
POSITION_MAPPING = {UP: [-1, 0], RIGHT: [0, 1], DOWN: [1, 0], LEFT: [0, -1]}  # rows and columns of a move

ROWS, COLUMNS = 4, 12
START, GOAL = 36, 47  # the lower corners; between them lies the cliff
CLIFF = range(37, 47)

_DRAWING = "gymnasium.envs.toy_text.drawing.cliffwalking"
__getattr__ = found_in(_DRAWING, "ART_CELL_SIZE", "LETTER_OFFSET", "FLAG_OFFSET", "AGENT_OFFSET")


def _outcome(s: int, move: int, probability: float) -> Outcome:
    rows, columns = POSITION_MAPPING[move]
    row = min(max(s // COLUMNS + rows, 0), ROWS - 1)
    column = min(max(s % COLUMNS + columns, 0), COLUMNS - 1)
    landing = row * COLUMNS + column
    if landing in CLIFF:
        return probability, START, -100, False
    return probability, landing, -1, landing == GOAL


def _transitions(is_slippery: bool) -> Transitions:
    def outcomes(s: int, action: int) -> list[Outcome]:
        if not is_slippery:
            return [_outcome(s, action, 1.0)]
        return [_outcome(s, move % 4, 1 / 3) for move in (action - 1, action, action + 1)]

    return {s: {action: outcomes(s, action) for action in range(4)} for s in range(ROWS * COLUMNS)}


class Params(NamedTuple):
    """The process, and the map of its states."""

    table: Table
    start: Start
    cliff: NDArray[np.bool_]  # (rows, columns), whether each field belongs to the cliff; for pictures


@cache
def _params(is_slippery: bool) -> Params:
    fields = range(ROWS * COLUMNS)
    cliff = np.isin(fields, CLIFF).reshape(ROWS, COLUMNS)
    return Params(tabulated(_transitions(is_slippery)), start_from(s == START for s in fields), cliff)


class CliffWalking(Tabular):
    """The dynamics of CliffWalking; an option is `is_slippery`."""

    observation_space = Discrete(ROWS * COLUMNS)
    action_space = Discrete(4)
    metadata = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 4}
    drawing = _DRAWING
    is_slippery = False

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns the params with these fields."""
        return _params(bool(self.is_slippery))._replace(**kwargs)


class CliffWalkingEnv(TabularEnv):
    """CliffWalking: from the lower left corner of 4 x 12 fields to the lower right one; between them is a cliff.

    Observation, `Discrete(48)`: row * 12 + column. Action, `Discrete(4)`: 0 up, 1 right, 2 down, 3 left. A move out
    of the grid stays. `info["prob"]` is the probability of the outcome.

    Reward: -1 a step; -100 for a fall, which leads back to the start. The goal ends the episode.

    Args:
        render_mode: None, `"human"`, `"rgb_array"` or `"ansi"`.
        is_slippery: Whether two of three moves go astray, one to each side of the intended one.
    """

    dynamics = CliffWalking
    start_state_index = START
    is_slippery = False
    cell_size = (64, 64)  # pixels, width and height
    # Pictures are drawn without pygame.
    agent_img = cliff_imgs = goal_flag_img = goal_img = ground_img = start_img = None
    clock = window_surface = None

    def __init__(self, render_mode: str | None = None, is_slippery: bool = False) -> None:
        super().__init__(CliffWalking({"is_slippery": is_slippery}), render_mode)
        self.is_slippery = is_slippery
        if is_replaced(self, "_calculate_transition_prob") or is_replaced(self, "_limit_coordinates"):
            self.P = {
                s: {a: self._calculate_transition_prob(np.array(divmod(s, COLUMNS)), a) for a in range(4)}
                for s in range(self.nS)
            }

    def _calculate_transition_prob(self, current: Sequence[int] | NDArray[np.int64], move: int) -> list[Outcome]:
        """Returns the outcomes of a move from a row and column, with the present `shape` and `_cliff`.

        The constructor of a subclass that overrides it, or `_limit_coordinates`, makes `P` with it.
        """
        moves = [(move - 1) % 4, move, (move + 1) % 4] if self.is_slippery else [move]
        return [self._landing(np.add(current, POSITION_MAPPING[m]), 1 / len(moves)) for m in moves]

    def _landing(self, target: NDArray[np.int64], probability: float) -> Outcome:
        row, column = map(int, self._limit_coordinates(target))
        if self._cliff[row, column]:
            return probability, int(self.start_state_index), -100, False
        rows, columns = self.shape
        return probability, row * columns + column, -1, (row, column) == (rows - 1, columns - 1)

    def _limit_coordinates(self, coord: NDArray[np.int64]) -> NDArray[np.int64]:
        """Moves a row and column into the grid, in place, and returns them."""
        np.clip(coord, 0, (self.shape[0] - 1, self.shape[1] - 1), out=coord)
        return coord

    @Derived
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.params.cliff.shape
        return rows, columns

    @property
    def _cliff(self) -> NDArray[np.bool_]:
        """A mask of the cliff, shape (rows, columns); it changes pictures, and `P` has the moves.

        Raises:
            ValueError: If the value has other than two axes.
        """
        if not self.params.cliff.flags.owndata:  # a view, the one that all environments share
            self.params = self.params._replace(cliff=self.params.cliff.copy())
        cliff: NDArray[np.bool_] = self.params.cliff
        return cliff

    @_cliff.setter
    def _cliff(self, mask: Any) -> None:
        cliff = np.array(mask, np.bool_)
        if cliff.ndim != 2:
            raise ValueError(f"_cliff is a mask of shape (rows, columns), but one of shape {cliff.shape} came")
        self.params = self.params._replace(cliff=cliff)

    @Derived
    def window_size(self) -> tuple[int, int]:
        """Width and height of a picture in pixels."""
        return self.shape[1] * self.cell_size[0], self.shape[0] * self.cell_size[1]
