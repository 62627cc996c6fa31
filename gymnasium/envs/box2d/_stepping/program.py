"""An environment hands over a `Program`, and gets back its `MachineCode`. Neither loads the compiler."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine import offsets as at
from gymnasium.envs.box2d._engine.vtable import Table
from gymnasium.envs.box2d._stepping.layout import address

FEET: Final = 2  # the first of the watched shapes
WATCHED: Final = 3  # two feet, and a hull
# Words of a listener in machine code: after the pointer to its functions, that to the marks, and the shapes' names.
MARKS_WORD, NAMES_WORD = 1, 2


class Kernel(NamedTuple):
    """A function as machine code."""

    call: Callable[..., int]
    """Calls it with ints, and with arrays for the addresses of their first items. It returns 0 unless it raised."""
    error: Callable[[int], Exception]
    """Returns the exception that it raised, for the number that it returned."""


class MachineCode(NamedTuple):
    """A compiled program, which has passed its trial or is on trial."""

    functions: Mapping[str, Kernel]
    """By their names."""
    hinges: Table
    """The functions of a hinge, with ours among them."""
    contacts: Table | None
    """The functions of a listener, with those of `contacts` among them, if the program marks contacts."""
    filter: int
    """Address of the engine's own filter of contacts."""
    workspace: int
    """Address of the workspace of `island.simulate`."""

    def take_over(self, world: engine.World) -> None:
        """Solve the hinges of a world by `hinge.solve_velocity`."""
        for hinge in world.joints:
            self.hinges.install(hinge)

    def add_edges(self, edges: engine.Edges, body: engine.Body, points: NDArray[np.float64]) -> NDArray[np.int64]:
        """Adds the segments that join points, of shape (n, 2), to a body; returns the addresses of their shapes."""
        shapes = np.empty(len(points) - 1, np.int64)
        given = int(body.this), int(edges.definition), int(edges.shape), points, shapes, len(shapes)
        self.functions["add_edges"].call(*given)
        return shapes

    def watch(self, world: engine.World, marks: array[int], names: tuple[Any, ...]) -> int:
        """Mark the shapes that touch others, instead of the world's own listener.

        Args:
            world: The world.
            marks: Three bytes: of both feet and the hull.
            names: Their shapes' names in contacts, objects that live as long as the process.

        Returns:
            The address of the new listener; -1, which no listener has, if somebody has replaced the world's own in the
            engine, or the program marks none; nothing changes then.
        """
        pointer = ctypes.c_int64.from_address(int(world.this) + 8 * at.WORLD_LISTENER_64)
        if self.contacts is None or pointer.value != int(world.contactListener.this):
            return -1
        words = array("q", [self.contacts.address, address(marks), *map(id, names)])
        world.memory_of_listener = words, marks  # the engine has only their addresses
        pointer.value = address(words)
        return address(words)


class Program(NamedTuple):
    """The functions that an environment wants as machine code."""

    name: str
    """Of the environment, for messages."""
    functions: Sequence[Any]
    """Python functions of words: ints and addresses. They may call the functions of `bindings` that have stand-ins."""
    trial: Callable[[MachineCode | None], list[Any]]
    """Plays with machine code or without, and returns everything observed, which has to be the same in both."""
    marks_contacts: bool = False
    """Whether it has worlds in which machine code marks contacts."""
