"""The only module that imports the engine, the `mujoco` package."""

from __future__ import annotations

import ctypes
from typing import Any

from gymnasium.dependencies import not_installed

try:
    import mujoco
except ImportError as reason:
    raise not_installed("mujoco", "the MuJoCo environments", reason, "mujoco") from reason

__all__ = ["VERSION", "engine_batch", "mujoco", "without_clock"]

VERSION: tuple[int, ...] = tuple(int(part) for part in mujoco.__version__.split(".")[:3] if part.isdigit())


def engine_batch(model: mujoco.MjModel, n: int, threads: int) -> Any:
    """Returns the engine's own batch of simulations, which versions from 4 on have."""
    from mujoco.batch import Batch

    return Batch(model, n, threads)


def _clock() -> ctypes.c_void_p | None:
    """Returns the engine's variable that holds its clock; None for bindings without it."""
    try:
        return ctypes.c_void_p.in_dll(ctypes.CDLL(mujoco._functions.__file__), "mjcb_time")
    except (OSError, ValueError, AttributeError):  # another build of the bindings
        return None


class Stopped:
    """Within the `with` block, the engine has no clock for its profile, `MjData.timer`, which nothing here uses.

    It reads the clock dozens of times in each evaluation of the dynamics, which takes a tenth to a fifth of a step. The
    bindings cannot express "no clock", but are linked to the engine, which has this variable. A clock of the user's own
    goes on. Where threads are in such blocks at the same time, the first to leave starts the clock again.

    Attributes:
        clock: The engine's variable; None if it cannot be reached, or the user has set a clock.
        usual: The bindings' clock.
    """

    def __init__(self) -> None:
        self.clock = _clock() if mujoco.get_mjcb_time() is None else None
        self.usual = None if self.clock is None else self.clock.value

    def __enter__(self) -> None:
        if self.clock is not None and self.clock.value == self.usual:
            self.clock.value = None

    def __exit__(self, *error: object) -> None:
        if self.clock is not None and self.clock.value is None:
            self.clock.value = self.usual


without_clock = Stopped()
