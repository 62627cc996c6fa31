"""Taxi: pick the passenger up, and set them down at their destination.

Source: Dietterich (2000), "Hierarchical reinforcement learning with the MAXQ value function decomposition", JAIR 13;
the rain and the fickle passenger are those of its section 7.1.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.toy_text.table import Outcome, Start, Table, drawn_outcome, drawn_start, start_from, tabulated
from gymnasium.envs.toy_text.tabular import Tabular, TabularEnv
from gymnasium.envs.toy_text.utils import found_in, probability
from gymnasium.functional.attributes import Derived, is_replaced
from gymnasium.functional.env import Parameter
from gymnasium.functional.ops import where
from gymnasium.spaces import Discrete

__all__ = [
    "MAP",
    "TaxiEnv",
]

MAP = [
    "+---------+",
    "|R: | : :G|",
    "| : | : : |",
    "| : : : : |",
    "| | : | : |",
    "|Y| : |B: |",
    "+---------+",
]
"""A colon between two fields lets the taxi through."""

SIZE = 5  # rows, and columns
STANDS = ((0, 0), (0, 4), (4, 0), (4, 3))  # row and column of R, G, Y, B
IN_TAXI = 4  # the passenger's place, after those of the stands
STATES = SIZE * SIZE * 5 * 4  # taxi's row and column, passenger's place, destination
SOUTH, NORTH, EAST, WEST, PICKUP, DROPOFF = range(6)

_MOVES = {SOUTH: (1, 0), NORTH: (-1, 0), EAST: (0, 1), WEST: (0, -1)}  # rows and columns
_SIDES = {SOUTH: (EAST, WEST), NORTH: (WEST, EAST), EAST: (NORTH, SOUTH), WEST: (SOUTH, NORTH)}  # left and right

# The methods that make `P` where a subclass overrides one of them.
_BUILDERS = (
    "_build_dry_transitions",
    "_build_rainy_transitions",
    "_calc_new_position",
    "_dropoff",
    "_pickup",
    "encode",
)
_ORIGIN = (48, 128)  # pixels, where the first field of a picture begins

_DRAWING = "gymnasium.envs.toy_text.drawing.taxi"
__getattr__ = found_in(
    _DRAWING,
    "WINDOW_SIZE",
    "CANVAS_COLOR",
    "BACKGROUND_POS",
    "HOUSE_POS",
    "GRID_ORIGIN",
    "CELL_SIZE",
    "PASSENGER_OFFSET",
    "TAXI_H_OFFSET",
    "TAXI_V_OFFSET",
)


def _encode(row: int, column: int, passenger: int, destination: int) -> int:
    return ((row * SIZE + column) * 5 + passenger) * 4 + destination


def _decode(s: int) -> tuple[int, int, int, int]:
    return s // 100, s // 20 % SIZE, s // 4 % 5, s % 4


def _is_open(row: int, column: int, move: int) -> bool:
    """Returns whether the way is free of the border and of walls."""
    rows, columns = _MOVES[move]
    if rows:
        return 0 <= row + rows < SIZE
    return MAP[1 + row][2 * column + 1 + columns] == ":"


def _moved(row: int, column: int, move: int) -> tuple[int, int]:
    rows, columns = _MOVES[move]
    return (row + rows, column + columns) if _is_open(row, column, move) else (row, column)


def _move(s: int, move: int, rain: float | None) -> list[Outcome]:
    """Returns the outcomes of a move; `rain` is the probability that it succeeds when it rains, None when dry."""
    row, column, *people = _decode(s)
    here, there = (row, column), _moved(row, column, move)
    if rain is None:
        return [(1.0, _encode(*there, *people), -1, False)]
    left, right = (_moved(row, column, side) for side in _SIDES[move]) if there != here else (here, here)
    slip = (1 - rain) / 2
    return [(p, _encode(*to, *people), -1, False) for p, to in ((rain, there), (slip, left), (slip, right))]


def _pickup(s: int) -> Outcome:
    row, column, passenger, destination = _decode(s)
    if passenger != IN_TAXI and STANDS[passenger] == (row, column):
        return 1.0, _encode(row, column, IN_TAXI, destination), -1, False
    return 1.0, s, -10, False


def _dropoff(s: int) -> Outcome:
    row, column, passenger, destination = _decode(s)
    if passenger != IN_TAXI or (row, column) not in STANDS:
        return 1.0, s, -10, False
    stand = STANDS.index((row, column))
    arrived = stand == destination
    return 1.0, _encode(row, column, stand, destination), 20 if arrived else -1, arrived


@cache
def _table(rain: float | None) -> Table:
    return tabulated(
        {
            s: {move: _move(s, move, rain) for move in _MOVES} | {PICKUP: [_pickup(s)], DROPOFF: [_dropoff(s)]}
            for s in range(STATES)
        }
    )


@cache
def _start() -> Start:
    """A passenger waits at one stand and wants to go to another; the taxi is anywhere."""
    places = (_decode(s) for s in range(STATES))
    waiting = [passenger != IN_TAXI and passenger != destination for *_, passenger, destination in places]
    return start_from(flag / sum(waiting) for flag in waiting)


def _mask(s: int) -> list[bool]:
    row, column, passenger, _ = _decode(s)
    at_stand = (row, column) in STANDS
    waits_here = at_stand and passenger == STANDS.index((row, column))
    moves = [_is_open(row, column, move) for move in _MOVES]
    return [*moves, waits_here, at_stand and passenger == IN_TAXI]


@cache
def _masks() -> NDArray[np.int8]:
    """A mask of the actions that change something: shape (500, 6)."""
    return np.array([_mask(s) for s in range(STATES)], np.int8)


class State(NamedTuple):
    """The positions of taxi and passenger, and the last transition."""

    s: int
    lastaction: int = -1  # -1 before the first
    outcome: int = -1  # entry of the table that was drawn; -1 before the first
    done: bool = False  # whether that ended the episode
    orientation: int = 0  # the last move: the direction of the taxi
    fickle: bool = False  # whether the passenger will change their mind in this episode


class Params(NamedTuple):
    """The process, and the passenger's character."""

    table: Table
    start: Start
    masks: NDArray[np.int8]  # (500, 6), 1 for actions that change something
    fickle_passenger: bool
    fickle_probability: float  # the probability that a fickle passenger changes their mind during an episode


class Taxi(Tabular):
    """The dynamics of Taxi; options are the `is_rainy`, `rainy_probability` and fickle ones of the Env."""

    observation_space = Discrete(STATES)
    action_space = Discrete(6)
    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 4}
    drawing = _DRAWING
    is_rainy = False
    fickle_passenger = False
    rainy_probability = 0.8
    fickle_probability = 0.3

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns the params with these fields.

        Raises:
            ValueError: If a probability is out of range.
        """
        rain = probability("rainy_probability", self.rainy_probability)
        fickle = probability("fickle_probability", self.fickle_probability)
        table = _table(rain if self.is_rainy else None)
        return Params(table, _start(), _masks(), bool(self.fickle_passenger), fickle)._replace(**kwargs)

    @staticmethod
    def initial(rng: Any, params: Any = None) -> Any:
        """A passenger at one stand with another as the destination; a fickle one may already be wavering."""
        s = drawn_start(params.start, rng)
        fickle = False
        if params.fickle_passenger:
            fickle = rng.random() < params.fickle_probability
        return State(s, -1, -1, False, 0, fickle)

    @staticmethod
    def transition(state: Any, action: int, rng: Any, params: Any = None) -> Any:
        """One of the outcomes of the action in the table; then a fickle passenger may change their mind."""
        table = params.table
        outcome = drawn_outcome(table, state.s, action, rng)
        s, fickle = table.next_state[outcome], state.fickle
        # A branch on the state, and a random number in it: seeds give the trajectories of the reference, which draws
        # only when the passenger changes their mind.
        if params.fickle_passenger and fickle and state.s // 4 % 5 == IN_TAXI and s // 20 != state.s // 20:
            other = rng.integers(0, 3)  # of the three stands that are not the destination
            s, fickle = s - s % 4 + other + (other >= s % 4), False
        orientation = where(action < PICKUP, action, state.orientation)
        return State(s, action, outcome, table.terminated[outcome], orientation, fickle)

    @staticmethod
    def state_info(state: Any, params: Any = None) -> dict[str, Any]:
        """`"prob"`: 1, and `"action_mask"`: the actions that change something, shape (6,), dtype int8."""
        return {"prob": 1.0, "action_mask": params.masks[state.s].copy()}

    @staticmethod
    def transition_info(state: Any, action: int, next_state: Any, params: Any = None) -> dict[str, Any]:
        """`"prob"`: the probability of the outcome, and `"action_mask"` as after a reset."""
        return {"prob": params.table.probability[next_state.outcome], "action_mask": params.masks[next_state.s].copy()}


class TaxiEnv(TabularEnv):
    """Taxi: pick the passenger up at one of four stands, and set them down at another. Taxi-v4 allows 200 steps.

    Observation, `Discrete(500)`: see `encode`. Action, `Discrete(6)`: 0 south, 1 north, 2 east, 3 west, 4 pick up,
    5 set down. `info["action_mask"]` marks the actions that change something (shape (6,), int8), `info["prob"]` is the
    probability of the outcome.

    Reward: 20 for setting down at the destination, which ends the episode; -10 for an impossible pick-up or
    set-down; -1 for every other step.

    Args:
        render_mode: None, `"human"`, `"ansi"` or `"rgb_array"`.
        is_rainy: Whether moves can go astray, to the left or to the right.
        fickle_passenger: Whether a passenger may choose another destination, once, when the taxi starts to move.
        rainy_probability: The probability that a move does not go astray, when it rains.
        fickle_probability: The probability that a fickle passenger chooses another destination during an episode.

    Raises:
        ValueError: If a probability is out of range.
    """

    dynamics = Taxi
    max_row = max_col = 4  # the last of either
    is_rainy = False
    rainy_probability = 0.8
    cell_size = (88, 56)  # pixels of a picture, width and height
    fickle_passenger = Parameter()
    fickle_probability = Parameter()
    # Pictures are drawn without pygame.
    background_img = destination_img = house_img = passenger_img = taxi_full_imgs = taxi_imgs = clock = window = None

    def __init__(
        self,
        render_mode: str | None = None,
        is_rainy: bool = False,
        fickle_passenger: bool = False,
        rainy_probability: float = 0.8,
        fickle_probability: float = 0.3,
    ) -> None:
        options = {
            "is_rainy": is_rainy,
            "fickle_passenger": fickle_passenger,
            "rainy_probability": rainy_probability,
            "fickle_probability": fickle_probability,
        }
        super().__init__(Taxi(options), render_mode)
        self.is_rainy = is_rainy
        self.rainy_probability = rainy_probability
        self.desc = np.array(MAP, "c")
        self.locs = list(STANDS)
        self.locs_colors = [(255, 0, 0), (0, 255, 0), (255, 255, 0), (0, 0, 255)]
        if any(is_replaced(self, name) for name in _BUILDERS):
            self._build()

    def _build(self) -> None:
        """Make `P` by the methods of a subclass."""
        self.P = {s: {action: [] for action in range(6)} for s in range(STATES)}
        build = self._build_rainy_transitions if self.is_rainy else self._build_dry_transitions
        for s in range(STATES):
            for action in range(6):
                build(*self.decode(s), action)
        self.P = self.P  # now that it is complete

    def _build_dry_transitions(self, row: int, col: int, pass_idx: int, dest_idx: int, action: int) -> None:
        """Append the outcome of an action in a state to `P`.

        The constructor of a subclass that overrides it, or another method with which it works, makes `P` with it.
        """
        if action not in _MOVES:
            outcome = self._outcome_of_people((row, col), pass_idx, dest_idx, action)
        else:
            outcome = 1.0, self.encode(*_moved(row, col, action), pass_idx, dest_idx), -1, False
        self._append(row, col, pass_idx, dest_idx, action, outcome)

    def _build_rainy_transitions(self, row: int, col: int, pass_idx: int, dest_idx: int, action: int) -> None:
        """Append the outcomes of an action in a state, when it rains; likewise."""
        if action not in _MOVES:
            self._build_dry_transitions(row, col, pass_idx, dest_idx, action)
            return
        here, there = (row, col), _moved(row, col, action)
        sides = [self._calc_new_position(row, col, _MOVES[side]) if there != here else here for side in _SIDES[action]]
        slip = self._rainy_lateral_probability
        for p, to in zip((self.rainy_probability, slip, slip), (there, *sides), strict=True):
            self._append(row, col, pass_idx, dest_idx, action, (p, self.encode(*to, pass_idx, dest_idx), -1, False))

    def _outcome_of_people(self, here: tuple[int, int], pass_idx: int, dest_idx: int, action: int) -> Outcome:
        ends = False
        if action == PICKUP:
            pass_idx, reward = self._pickup(here, pass_idx, -1)
        else:
            pass_idx, reward, ends = self._dropoff(here, pass_idx, dest_idx, -1)
        return 1.0, self.encode(*here, pass_idx, dest_idx), reward, ends

    def _append(self, row: int, col: int, pass_idx: int, dest_idx: int, action: int, outcome: Outcome) -> None:
        self.P[self.encode(row, col, pass_idx, dest_idx)][action].append(outcome)

    def _calc_new_position(self, row: int, col: int, movement: tuple[int, int]) -> tuple[int, int]:
        """Returns the field behind a movement (rows, columns), or the same one if a wall or the border is between."""
        move = next(name for name, step in _MOVES.items() if step == tuple(movement))
        return _moved(row, col, move)

    def _pickup(self, taxi_loc: tuple[int, int], pass_idx: int, reward: float) -> tuple[int, float]:
        """Returns the passenger's place after a pick-up, and the reward: the given one, or -10 if it is impossible."""
        if pass_idx < IN_TAXI and taxi_loc == self.locs[pass_idx]:
            return IN_TAXI, reward
        return pass_idx, -10

    def _dropoff(
        self, taxi_loc: tuple[int, int], pass_idx: int, dest_idx: int, default_reward: float
    ) -> tuple[int, float, bool]:
        """Returns the passenger's place after a set-down, the reward, and whether they have arrived."""
        if pass_idx != IN_TAXI or taxi_loc not in self.locs:
            return pass_idx, -10, False
        stand = self.locs.index(taxi_loc)
        return (stand, 20, True) if stand == dest_idx else (stand, default_reward, False)

    @Derived
    def _rainy_lateral_probability(self) -> float:
        """The probability of each of the two sides to which a move can go astray."""
        return (1 - self.rainy_probability) / 2

    def get_surf_loc(self, map_loc: tuple[int, int]) -> tuple[int, int]:
        """Returns the pixel of a picture, from the left and from the top, at which a field (row, column) begins."""
        width, height = self.cell_size
        left, top = _ORIGIN
        return left + map_loc[1] * width, top + map_loc[0] * height

    def encode(self, taxi_row: int, taxi_col: int, pass_loc: int, dest_idx: int) -> int:
        """Returns the number of a state: ((row * 5 + column) * 5 + passenger) * 4 + destination.

        The passenger is at stand 0..3 (R, G, Y, B; see `locs`) or 4, in the taxi; the destination is a stand.
        """
        return _encode(taxi_row, taxi_col, pass_loc, dest_idx)

    def decode(self, i: int) -> tuple[int, int, int, int]:
        """Returns taxi's row and column, passenger and destination of state `i`, as in `encode`."""
        return _decode(i)

    def action_mask(self, state: int) -> NDArray[np.int8]:
        """Returns a mask of the actions that change something in `state`: shape (6,), dtype int8."""
        mask: NDArray[np.int8] = _masks()[state].copy()
        return mask

    @property
    def fickle_step(self) -> bool:
        """Whether the passenger will change their mind when the taxi next moves with them."""
        return self._dynamics_state is not None and bool(self._dynamics_state.fickle)

    @fickle_step.setter
    def fickle_step(self, value: bool) -> None:
        if self._dynamics_state is not None or value:
            self._dynamics_state = self._dynamics_state._replace(fickle=bool(value))

    @property
    def taxi_orientation(self) -> int:
        """The last move of the episode, which is the direction of the taxi; 0 before the first."""
        return 0 if self._dynamics_state is None else int(self._dynamics_state.orientation)

    @taxi_orientation.setter
    def taxi_orientation(self, move: int) -> None:
        if self._dynamics_state is not None or move:
            self._dynamics_state = self._dynamics_state._replace(orientation=int(move))

    def _state_at(self, s: int) -> State:
        return State(s)
