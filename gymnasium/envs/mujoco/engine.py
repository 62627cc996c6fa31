"""The only module that imports the engine, the `mujoco` package."""

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
    """Remove the clock that the bindings gave the engine for its profile, `MjData.timer`.

    The engine reads it dozens of times in each evaluation of the dynamics, which takes a tenth to a fifth of a step,
    and nothing here uses the profile. To enable it again, call `mujoco.set_mjcb_time(None)`.
    """
    if mujoco.get_mjcb_time() is not None:  # the user's own clock
        return
    try:
        # The bindings cannot express "no clock", but are linked to the engine, which has this variable.
        clock = ctypes.c_void_p.in_dll(ctypes.CDLL(mujoco._functions.__file__), "mjcb_time")
    except (OSError, ValueError, AttributeError):  # another build of the bindings
        return
    clock.value = None


stop_the_clock()
