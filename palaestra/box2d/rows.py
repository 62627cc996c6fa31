"""Access to the words of `layout` for the kernels of all families, as compiled functions."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._stepping.layout import (
    COUNT,
    ENDED,
    ENGINE,
    FILTER,
    LISTENER,
    MOVES,
    OBSERVATIONS,
    OWN,
    PHASES,
    RESULTS,
    REWARDS,
    SKIPPED,
    TABLE,
    WENT_ON,
    WORLD,
)
from palaestra.language.jit.addresses import copied_at, rows_at
from palaestra.language.jit.backend import types


def words_of(call: Any, i: int) -> int:
    """Returns the address of the words of environment i; 0, and a result, if it cannot be stepped here.

    Its world may have got another listener or filter, which may be Python and raise: no exception passes through
    machine code.
    """
    address: int = rows_at(call[TABLE], (call[COUNT],), types.int64)[i]
    if address != 0 and call[PHASES] & ENGINE:
        words = rows_at(address, (OWN,), types.int64)
        world = rows_at(words[WORLD], (at.WORLD_WORDS_64,), types.int64)
        if world[at.WORLD_LISTENER_64] != words[LISTENER] or world[at.WORLD_FILTER_64] != words[FILTER]:
            address = 0
    if address == 0:
        rows_at(call[RESULTS], (call[COUNT],), types.uint8)[i] = SKIPPED
    return address


def move_of(call: Any, i: int, width: int) -> Any:
    """Returns the action of environment i, as an array of `width` numbers."""
    return rows_at(call[MOVES] + 8 * width * i, (width,), types.float64)


def report(call: Any, i: int, reward: float, over: bool, seen: int, size: int) -> None:
    """Write the result of environment i, and its observation of `size` numbers if they are wanted."""
    rows_at(call[REWARDS], (call[COUNT],), types.float64)[i] = reward
    rows_at(call[RESULTS], (call[COUNT],), types.uint8)[i] = ENDED if over else WENT_ON
    if call[OBSERVATIONS] != 0:
        copied_at(call[OBSERVATIONS] + 4 * size * i, seen, 4 * size)
