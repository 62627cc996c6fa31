"""The slow parts of the environments as machine code, with the same bits.

Functions called in every step take `words`, addresses and counts in one array, so that a call has few arguments.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.vtable import Table
from gymnasium.envs.box2d._fast.hinge import solve_velocity
from gymnasium.envs.box2d._fast.stand_ins import RAY, STAND_INS, add_edges
from gymnasium.envs.box2d._lander.motors import fire, look
from gymnasium.envs.box2d._walker.lidar import Obstacles, Surface
from gymnasium.envs.box2d._walker.motors import FLOATS, OWN, Memory, Walker, drive, sense
from gymnasium.jit.addresses import CONTEXT, rows_at
from gymnasium.jit.backend import CONFIG, NumbaError, types
from gymnasium.jit.cache import module_of
from gymnasium.jit.lowering import Lowering
from gymnasium.jit.progress import announced
from gymnasium.logger import warn

_SOURCE: Final = """
from numba import cfunc, njit, types


@cfunc(types.void(types.int64, types.int64), cache=True, error_model="numpy")
def solve_hinge(hinge, data):
    solve_velocity(hinge, data)


@njit(cache=True, error_model="numpy")
def drive_walker(words, hip1, knee1, hip2, knee2):
    drive(_walker(words), _memory(words), hip1, knee1, hip2, knee2)


@njit(cache=True, error_model="numpy")
def sense_walker(words, shaping_before):
    return sense(_walker(words), _memory(words), shaping_before)


@njit(cache=True, error_model="numpy")
def fire_jets(hull, main, side, along, across):
    fire(hull, main, side, along, across)


@njit(cache=True, error_model="numpy")
def look_down(seen, hull, standing, pad_y):
    return look(seen, hull, standing, pad_y)


@njit(cache=True, error_model="numpy")
def add_lines(body, definition, shape, points, shapes):
    add_edges(body, definition, shape, points, shapes)
"""
_ARGUMENTS: Final = {
    "drive_walker": (CONTEXT, *[types.float64] * 4),
    "sense_walker": (CONTEXT, types.float64),
    "fire_jets": (types.int64, *[types.float64] * 4),
    "look_down": (types.float32[::1], types.int64, types.uint8[::1], types.float64),
    "add_lines": (*[types.int64] * 3, types.float64[:, ::1], types.int64[::1]),
}
_HINGE: Final = "_ZTV15b2RevoluteJoint"
_SOLVE: Final = "_ZN15b2RevoluteJoint24SolveVelocityConstraintsERK12b2SolverData"


class MachineCode:
    """The functions: compiled, or loaded from the cache of an earlier process.

    Attributes:
        drive: That of `_walker.motors`, for a walker and its memory as `words`.
        sense: Likewise.
        fire: That of `_lander.motors`.
        look: Likewise.

    Raises:
        OSError: If the engine's library cannot be opened.
        ValueError: If it does not export its functions, or if Numba is told to compile nothing, or fails.
    """

    def __init__(self) -> None:
        if CONFIG.DISABLE_JIT:
            raise ValueError("machine code for Box2D needs Numba's compiler, which NUMBA_DISABLE_JIT turns off")
        lowering = Lowering(STAND_INS, by_rules=False)  # `trial` compares the bits
        functions: tuple[Any, ...] = (solve_velocity, drive, sense, fire, look, add_edges, _walker, _memory)
        names = {one.__name__: lowering.function(one, inline=True) for one in functions}
        with announced("Box2D's environments"):
            try:
                module, entries = _compiled(lowering.digest(), names)
            except OSError:  # for example, the disk is full
                module, entries = _compiled(lowering.digest(), names, keep=False)
            except NumbaError as error:
                warn("This Numba cannot compile the machine code that speeds up Box2D's environments: %s", error)
                raise ValueError("no machine code for Box2D") from error
        self.drive, self.sense, self.fire, self.look, self._add_lines = entries
        self._hinges = Table(engine.BINDINGS, _HINGE, {_SOLVE: module.solve_hinge.address})

    def take_over(self, world: engine.World) -> None:
        """Solve the hinges of a world by `hinge.solve_velocity`."""
        for hinge in world.joints:
            self._hinges.give(hinge)

    def add_edges(self, body: engine.Body, edges: engine.Edges, points: NDArray[np.float64]) -> NDArray[np.int64]:
        """Adds the segments of `edges.add`; returns the addresses of the shapes."""
        shapes = np.empty(len(points) - 1, np.int64)
        self._add_lines(int(body.this), int(edges.definition), int(edges.shape), points, shapes)
        return shapes

    def words(self, walker: Walker, floats: NDArray[np.float32]) -> Words:
        """Returns the arguments of `drive` and `sense` for a walker of addresses; the functions write `floats`."""
        return Words(walker, floats)


def _compiled(content: str, names: dict[str, Any], keep: bool = True) -> tuple[ModuleType, list[Any]]:
    """Returns the module of the functions, and faster versions of them, which do not check arguments' types."""
    module = module_of(_SOURCE, content, names, keep)
    kernels = {name: getattr(module, name) for name in _ARGUMENTS}
    for name, kernel in kernels.items():
        kernel.compile(_ARGUMENTS[name])
    return module, [kernel.overloads[_ARGUMENTS[name]].entry_point for name, kernel in kernels.items()]


class Words:
    """The arguments of `drive` and `sense` for a walker.

    Args:
        walker: Of addresses: those of its pieces as arrays.
        floats: The observation, and two more numbers of workspace.

    Attributes:
        array: The memory of the functions, which lives as long as this object.
    """

    def __init__(self, walker: Walker, floats: NDArray[np.float32]) -> None:
        ray = np.zeros(RAY, np.float32)
        ray[[4, 13]] = 1.0  # the maximum fraction; the cosine of an angle of 0
        self._kept = [walker.standing, ray, floats, np.zeros(len(walker.hinges))]
        words = [walker.hull, *walker.hinges, *map(_address, self._kept)]
        for pieces, *columns in (walker.surface, walker.obstacles):
            arrays = [pieces, *(np.array(column, np.float64) for column in columns)]
            words += [len(pieces), *map(_address, arrays)]
            self._kept += arrays
        self.array = np.array(words, np.int64)


def _address(array: Any) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _walker(words: Any) -> Walker:
    n, m = words[9], words[12]
    return Walker(
        words[0],
        words[1:5],
        rows_at(words[5], (2,), types.uint8),
        Surface(rows_at(words[10], (n,), types.int64), rows_at(words[11], (n,), types.float64)),
        Obstacles(
            rows_at(words[13], (m,), types.int64),
            rows_at(words[14], (m,), types.float64),
            rows_at(words[15], (m,), types.float64),
            rows_at(words[16], (m,), types.float64),
        ),
        words[6],
    )


def _memory(words: Any) -> Memory:
    floats = rows_at(words[7], (FLOATS,), types.float32)
    efforts = rows_at(words[8], (4,), types.float64)
    return Memory(floats[:OWN], floats[OWN : FLOATS - 2], efforts, floats[FLOATS - 2 :])
