"""The walker's functions in the form that is compiled.

They are called in every step, so they take a walker as `words`, addresses and counts in one array: each further
argument would take time.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._fast.stand_ins import add_edges, new_ray
from gymnasium.envs.box2d._walker.lidar import Obstacles, Surface
from gymnasium.envs.box2d._walker.motors import FLOATS, OWN, Buffers, Walker, drive, observe
from gymnasium.jit.addresses import rows_at
from gymnasium.jit.backend import types

# Places in `words`.
_HULL, _HINGES, _STANDING, _RAY, _FLOATS, _EFFORTS = 0, 1, 5, 6, 7, 8
_SURFACE, _OBSTACLES = 9, 12  # the number of pieces, then the address of each column


def packed(walker: Walker, floats: NDArray[np.float32]) -> tuple[NDArray[np.int64], list[Any]]:
    """Returns a walker of addresses as `words`, and the memory that has to live as long.

    Args:
        walker: The pieces of its ground are arrays; its ray is not used.
        floats: Receives the observation, and two more numbers of workspace.
    """
    kept = [walker.standing, new_ray(), floats, np.zeros(len(walker.hinges))]
    words = [walker.hull, *walker.hinges, *map(_address, kept)]
    for pieces, *columns in (walker.surface, walker.obstacles):
        arrays = [pieces, *(np.array(column, np.float64) for column in columns)]
        words += [len(pieces), *map(_address, arrays)]
        kept += arrays
    return np.array(words, np.int64), kept


def _address(array: Any) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _walker(words: Any) -> Walker:
    n, m = words[_SURFACE], words[_OBSTACLES]
    surface = Surface(_pieces(words[_SURFACE + 1], n), _numbers(words[_SURFACE + 2], n))
    obstacles = Obstacles(
        _pieces(words[_OBSTACLES + 1], m),
        _numbers(words[_OBSTACLES + 2], m),
        _numbers(words[_OBSTACLES + 3], m),
        _numbers(words[_OBSTACLES + 4], m),
    )
    standing = rows_at(words[_STANDING], (2,), types.uint8)
    return Walker(words[_HULL], words[_HINGES:_STANDING], standing, surface, obstacles, words[_RAY])


def _buffers(words: Any) -> Buffers:
    floats = rows_at(words[_FLOATS], (FLOATS,), types.float32)
    return Buffers(floats[:OWN], floats[OWN : FLOATS - 2], _numbers(words[_EFFORTS], 4), floats[FLOATS - 2 :])


def _pieces(address: int, count: int) -> Any:
    return rows_at(address, (count,), types.int64)


def _numbers(address: int, count: int) -> Any:
    return rows_at(address, (count,), types.float64)


def drive_packed(words: Any, hip1: float, knee1: float, hip2: float, knee2: float) -> None:
    """Set the motors."""
    drive(_walker(words), _buffers(words), hip1, knee1, hip2, knee2)


def observe_packed(words: Any, shaping_before: float) -> Any:
    """Write the observation; returns the hull's x, the shaping and the reward."""
    return observe(_walker(words), _buffers(words), shaping_before)


FUNCTIONS: Final[dict[Any, str]] = {
    drive_packed: "int64[::1], float64, float64, float64, float64",
    observe_packed: "int64[::1], float64",
    add_edges: "int64, int64, int64, float64[:, ::1], int64[::1]",
}
"""The functions to compile, and the types of their arguments."""
