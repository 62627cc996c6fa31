"""The one place where the engine, the `mujoco` package, is imported."""

from __future__ import annotations

import ctypes

from gymnasium.dependencies import not_installed

try:
    import mujoco
except ImportError as reason:
    raise not_installed("mujoco", "the MuJoCo environments", reason, "mujoco") from reason

__all__ = ["VERSION", "mujoco", "stop_the_clock"]

VERSION: tuple[int, ...] = tuple(int(part) for part in mujoco.__version__.split(".")[:3] if part.isdigit())


def stop_the_clock() -> None:
    """Take the engine the clock that its bindings gave it for its profile, `MjData.timer`.

    It reads it dozens of times in each evaluation of the dynamics, which takes a tenth to a fifth of a step, and
    nothing here looks at the profile. Who wants one calls `mujoco.set_mjcb_time(None)`, which puts the clock back.
    """
    if mujoco.get_mjcb_time() is not None:  # a clock of the user's
        return
    try:
        # The bindings have no name for "no clock", but are linked to the engine, whose variable this is.
        clock = ctypes.c_void_p.in_dll(ctypes.CDLL(mujoco._functions.__file__), "mjcb_time")
    except (OSError, ValueError, AttributeError):  # another build of the bindings
        return
    clock.value = None


stop_the_clock()
