"""Access to the words of `layout` for the kernels of all families, as compiled functions."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._stepping.layout import (
    ENDED,
    ENGINE,
    FILTER,
    LISTENER,
    MOVES,
    OBSERVATIONS,
    PHASES,
    RESULTS,
    REWARDS,
    SKIPPED,
    TABLE,
    WENT_ON,
    WORLD,
)
from palaestra.box2d.columns import doubles, octets, words
from palaestra.language.operations.memory import copy_at, row_at


def words_of(call: Any, i: int) -> int:
    """Returns the address of the words of environment i; 0, and a result, if it cannot be stepped here.

    Its world may have got another listener or filter, which may be Python and raise: no exception passes through
    machine code.
    """
    address: int = words(call[TABLE])[i]
    if address != 0 and call[PHASES] & ENGINE:
        own = words(address)
        world = words(own[WORLD])
        if world[at.WORLD_LISTENER_64] != own[LISTENER] or world[at.WORLD_FILTER_64] != own[FILTER]:
            address = 0
    if address == 0:
        octets(call[RESULTS])[i] = SKIPPED
    return address


def move_of(call: Any, i: int, width: int) -> Any:
    """Returns the action of environment i, a column of `width` numbers."""
    return doubles(row_at(call[MOVES], 8 * width, i))


def report(call: Any, i: int, reward: float, over: bool, seen: int, size: int) -> None:
    """Write the result of environment i, and its observation of `size` numbers if they are wanted."""
    doubles(call[REWARDS])[i] = reward
    octets(call[RESULTS])[i] = ENDED if over else WENT_ON
    if call[OBSERVATIONS] != 0:
        copy_at(row_at(call[OBSERVATIONS], 4 * size, i), seen, 4 * size)
