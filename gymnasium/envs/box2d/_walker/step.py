"""The steps of one walker in its world: as Python, or as machine code."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium._extensions import extension
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._stepping.layout import OWN, address
from gymnasium.envs.box2d._stepping.program import MachineCode
from gymnasium.envs.box2d._stepping.stepping import MachineStepper, PythonStepper
from gymnasium.envs.box2d._walker import motors
from gymnasium.envs.box2d._walker.lidar import obstacles_of, surface_of
from gymnasium.envs.box2d._walker.motors import Walker
from gymnasium.envs.box2d._walker.terrain import Pieces, Terrain

# The walker's own words, after those of `layout`: of surface and obstacles, their count and the address of each column.
HULL, HINGES, ROUNDED, RAY, SURFACE, OBSTACLES = OWN, OWN + 1, OWN + 5, OWN + 6, OWN + 7, OWN + 10
WORDS: Final = OWN + 15
WIDTH: Final = 4  # numbers of an action


class Body(NamedTuple):
    """A walker in its world."""

    world: engine.World
    hull: engine.Body
    hinges: Sequence[engine.Joint]
    marks: array[int]
    numbers: array[float]
    seen: NDArray[np.float32]


def python_stepper(body: Body, terrain: Terrain, pieces: Pieces) -> PythonStepper:
    """Returns the steps of a walker on a ground of fixtures."""
    walker = Walker(
        body.world,
        body.hull.this,
        [hinge.this for hinge in body.hinges],
        body.marks,
        body.numbers,
        body.seen[: motors.OWN],
        body.seen[motors.OWN :],
        array("f", (0.0, 0.0)),
        surface_of(terrain, pieces.surface),
        obstacles_of(terrain, pieces.obstacles),
        engine.Ray(),
    )
    return PythonStepper(body.world, partial(motors.before, walker), partial(motors.after, walker))


def board(
    stepper: MachineStepper, body: Body, terrain: Terrain, pieces: Pieces, listener: int, code: MachineCode
) -> None:
    """Let machine code step a walker on a ground of shapes, whose addresses `pieces` has."""
    columns: list[Any] = [body.marks, body.numbers, body.seen]
    words = [int(body.world.this), listener, code.filter, code.workspace, *map(address, columns)]
    columns += [np.zeros(2, np.float32), extension("box2d.new_ray")()]
    words += [int(body.hull.this), *(int(hinge.this) for hinge in body.hinges), *map(address, columns[-2:])]
    for shapes, *numbers, length in (surface_of(terrain, pieces.surface), obstacles_of(terrain, pieces.obstacles)):
        arrays = [shapes, *(np.array(column, np.float64) for column in numbers)]
        words += [length, *map(address, arrays)]
        columns += arrays
    stepper.board(body.world, words, columns)
