"""The lander's steps in the form that is compiled."""

from __future__ import annotations

from typing import Any, Final

from gymnasium.envs.box2d._lander import motors
from gymnasium.envs.box2d._lander.motors import SEEN_NUMBERS, Lander
from gymnasium.envs.box2d._lander.step import CONTINUOUS, DRAW, HULL, STATE, WIDTH, WORDS
from gymnasium.envs.box2d._stepping.draws import Source
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
from palaestra.box2d.island import simulate
from palaestra.box2d.rows import move_of, report, words_of
from palaestra.box2d.stand_ins import ADD_EDGES, add_edges
from palaestra.language.jit.addresses import rows_at
from palaestra.language.jit.backend import types


def step(call: Any) -> None:
    """Step landers."""
    phases = call[PHASES]
    for i in range(call[COUNT]):
        address = words_of(call, i)
        if address != 0:
            words = rows_at(address, (WORDS,), types.int64)
            lander = _lander(words)
            if phases & BEFORE:
                move = move_of(call, i, WIDTH)
                motors.before(lander, move[0], move[1])
            if phases & ENGINE:
                simulate(lander.world, words[WORKSPACE])
            if phases & AFTER:
                reward, over = motors.after(lander)
                report(call, i, reward, over, words[SEEN], SEEN_NUMBERS)


def _lander(words: Any) -> Lander:
    return Lander(
        words[WORLD],
        words[HULL],
        Source(words[DRAW], words[STATE]),
        rows_at(words[MARKS], (WATCHED,), types.uint8),
        rows_at(words[NUMBERS], (motors.NUMBERS,), types.float64),
        rows_at(words[SEEN], (SEEN_NUMBERS,), types.float32),
        words[CONTINUOUS] != 0,
    )


FUNCTIONS: Final[dict[Any, str]] = {step: "int64[::1],", add_edges: ADD_EDGES}
"""The functions to compile, and the types of their arguments."""
