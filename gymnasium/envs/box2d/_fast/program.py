"""What an environment hands over, and what it gets back: a `Program`, and its `MachineCode`. Neither loads Numba."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.vtable import Table


class MachineCode(NamedTuple):
    """A compiled program, which has passed its trial or is on trial."""

    functions: Mapping[str, Callable[..., Any]]
    """By their names. They do not check the types of their arguments."""
    hinges: Table
    """The functions of a hinge, with ours among them."""

    def take_over(self, world: engine.World) -> None:
        """Solve the hinges of a world by `hinge.solve_velocity`."""
        for hinge in world.joints:
            self.hinges.install(hinge)


class Program(NamedTuple):
    """The functions that an environment wants as machine code."""

    name: str
    """Of the environment, for messages."""
    functions: Mapping[Any, str]
    """Python functions, and the types of their arguments as Numba writes them: `"int64, float64[:, ::1]"`. They may
    call the functions of `bindings` that have stand-ins."""
    trial: Callable[[MachineCode | None], list[Any]]
    """Plays with machine code or without, and returns everything observed, which has to be the same in both."""
