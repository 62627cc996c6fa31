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


def _buffers(words: Any) -> Buffers:
    floats = rows_at(words[7], (FLOATS,), types.float32)
    efforts = rows_at(words[8], (4,), types.float64)
    return Buffers(floats[:OWN], floats[OWN : FLOATS - 2], efforts, floats[FLOATS - 2 :])


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
