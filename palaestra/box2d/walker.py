"""The walker's functions in the form that is compiled."""

from __future__ import annotations

from typing import Any, Final

from gymnasium.envs.box2d._stepping.layout import (
    AFTER,
    BEFORE,
    COUNT,
    ENGINE,
    MARKS,
    NUMBERS,
    PHASES,
    SEEN,
    WORKSPACE,
    WORLD,
)
from gymnasium.envs.box2d._stepping.program import WATCHED
from gymnasium.envs.box2d._walker import motors
from gymnasium.envs.box2d._walker.lidar import Obstacles, Surface
from gymnasium.envs.box2d._walker.motors import SEEN_NUMBERS, Walker
from gymnasium.envs.box2d._walker.step import HINGES, HULL, OBSTACLES, RAY, ROUNDED, SURFACE, WIDTH, WORDS
from palaestra.box2d.island import simulate
from palaestra.box2d.rows import move_of, report, words_of
from palaestra.box2d.stand_ins import ADD_EDGES, add_edges
from palaestra.language.jit.addresses import rows_at
from palaestra.language.jit.backend import types


def step(call: Any) -> None:
    """Step walkers."""
    phases = call[PHASES]
    for i in range(call[COUNT]):
        address = words_of(call, i)
        if address != 0:
            words = rows_at(address, (WORDS,), types.int64)
            walker = _walker(words)
            if phases & BEFORE:
                move = move_of(call, i, WIDTH)
                motors.before(walker, move[0], move[1], move[2], move[3])
            if phases & ENGINE:
                simulate(walker.world, words[WORKSPACE])
            if phases & AFTER:
                reward, over = motors.after(walker)
                report(call, i, reward, over, words[SEEN], SEEN_NUMBERS)


def _walker(words: Any) -> Walker:
    n, m = words[SURFACE], words[OBSTACLES]
    surface = Surface(_pieces(words[SURFACE + 1], n), _numbers(words[SURFACE + 2], n))
    obstacles = Obstacles(
        _pieces(words[OBSTACLES + 1], m),
        _numbers(words[OBSTACLES + 2], m),
        _numbers(words[OBSTACLES + 3], m),
        _numbers(words[OBSTACLES + 4], m),
    )
    seen = rows_at(words[SEEN], (SEEN_NUMBERS,), types.float32)
    return Walker(
        words[WORLD],
        words[HULL],
        words[HINGES:ROUNDED],
        rows_at(words[MARKS], (WATCHED,), types.uint8),
        _numbers(words[NUMBERS], motors.NUMBERS),
        seen[: motors.OWN],
        seen[motors.OWN :],
        rows_at(words[ROUNDED], (2,), types.float32),
        surface,
        obstacles,
        words[RAY],
    )


def _pieces(address: int, count: int) -> Any:
    return rows_at(address, (count,), types.int64)


def _numbers(address: int, count: int) -> Any:
    return rows_at(address, (count,), types.float64)


FUNCTIONS: Final[dict[Any, str]] = {step: "int64[::1],", add_edges: ADD_EDGES}
"""The functions to compile, and the types of their arguments."""
