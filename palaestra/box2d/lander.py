"""The lander's steps in the form that is compiled."""

from __future__ import annotations

from typing import Any, Final

from gymnasium.envs.box2d._lander import motors
from gymnasium.envs.box2d._lander.motors import SEEN_NUMBERS, Lander
from gymnasium.envs.box2d._lander.step import CONTINUOUS, DRAW, HULL, STATE, WIDTH
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
from palaestra.box2d.columns import doubles, floats, octets, words
from palaestra.box2d.island import simulate
from palaestra.box2d.rows import move_of, report, words_of
from palaestra.box2d.stand_ins import add_edges


def step(call_at: int) -> None:
    """Step landers: `call_at` is the address of the words of a call."""
    call = words(call_at)
    phases = call[PHASES]
    for i in range(call[COUNT]):
        address = words_of(call, i)
        if address != 0:
            own = words(address)
            lander = _lander(own)
            if phases & BEFORE:
                move = move_of(call, i, WIDTH)
                motors.before(lander, move[0], move[1])
            if phases & ENGINE:
                simulate(lander.world, own[WORKSPACE])
            if phases & AFTER:
                reward, over = motors.after(lander)
                report(call, i, reward, over, own[SEEN], SEEN_NUMBERS)


def _lander(own: Any) -> Lander:
    return Lander(
        own[WORLD],
        own[HULL],
        Source(own[DRAW], own[STATE]),
        octets(own[MARKS]),
        doubles(own[NUMBERS]),
        floats(own[SEEN]),
        own[CONTINUOUS] != 0,
    )


FUNCTIONS: Final = (step, add_edges)
"""The functions to compile."""
