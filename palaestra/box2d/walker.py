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
from gymnasium.envs.box2d._walker import motors
from gymnasium.envs.box2d._walker.lidar import Obstacles, Surface
from gymnasium.envs.box2d._walker.motors import SEEN_NUMBERS, Walker
from gymnasium.envs.box2d._walker.step import HINGES, HULL, OBSTACLES, RAY, ROUNDED, SURFACE, WIDTH
from palaestra.box2d.columns import doubles, floats, octets, words
from palaestra.box2d.island import simulate
from palaestra.box2d.rows import move_of, report, words_of
from palaestra.box2d.stand_ins import add_edges


def step(call_at: int) -> None:
    """Step walkers: `call_at` is the address of the words of a call."""
    call = words(call_at)
    phases = call[PHASES]
    for i in range(call[COUNT]):
        address = words_of(call, i)
        if address != 0:
            own = words(address)
            walker = _walker(address, own)
            if phases & BEFORE:
                move = move_of(call, i, WIDTH)
                motors.before(walker, move[0], move[1], move[2], move[3])
            if phases & ENGINE:
                simulate(walker.world, own[WORKSPACE])
            if phases & AFTER:
                reward, over = motors.after(walker)
                report(call, i, reward, over, own[SEEN], SEEN_NUMBERS)


def _walker(address: int, own: Any) -> Walker:
    ground, things = words(address, 8 * SURFACE), words(address, 8 * OBSTACLES)
    return Walker(
        own[WORLD],
        own[HULL],
        words(address, 8 * HINGES),
        octets(own[MARKS]),
        doubles(own[NUMBERS]),
        floats(own[SEEN]),
        floats(own[SEEN], 4 * motors.OWN),
        floats(own[ROUNDED]),
        Surface(words(ground[1]), doubles(ground[2]), ground[0]),
        Obstacles(words(things[1]), doubles(things[2]), doubles(things[3]), doubles(things[4]), things[0]),
        own[RAY],
    )


FUNCTIONS: Final = (step, add_edges)
"""The functions to compile."""
