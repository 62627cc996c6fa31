"""The steps of one lander in its world: as Python, or as machine code."""

from __future__ import annotations

from functools import partial
from typing import Final

from gymnasium.envs.box2d._lander.motors import Lander, after, before
from gymnasium.envs.box2d._stepping.draws import source_of
from gymnasium.envs.box2d._stepping.layout import OWN, address
from gymnasium.envs.box2d._stepping.program import MachineCode
from gymnasium.envs.box2d._stepping.stepping import MachineStepper, PythonStepper

# The lander's own words, after those of `layout`.
HULL, CONTINUOUS, DRAW, STATE = range(OWN, OWN + 4)
WORDS: Final = OWN + 4
WIDTH: Final = 2  # numbers of an action


def python_stepper(lander: Lander) -> PythonStepper:
    """Returns the steps of a lander of bodies."""
    handles = lander._replace(hull=lander.hull.this)
    return PythonStepper(lander.world, partial(before, handles), partial(after, handles))


def board(stepper: MachineStepper, lander: Lander, listener: int, code: MachineCode) -> None:
    """Let machine code step a lander of bodies."""
    source = source_of(lander.rng)
    columns = [lander.marks, lander.numbers, lander.seen]
    common = [int(lander.world.this), listener, code.filter, code.workspace, *map(address, columns)]
    words = [*common, int(lander.hull.this), int(lander.continuous), *source]
    stepper.board(lander.world, words, lander)
