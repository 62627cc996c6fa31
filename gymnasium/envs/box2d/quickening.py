"""When machine code takes over from the bindings: after so many steps that what loading it takes is won back.

Loading takes about half a second, and on a machine's first run compiling some seconds. Whoever looks at a few episodes
is spared that, and whoever trains does not notice it: a step is the same bit for bit, whichever computes it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from gymnasium.error import DependencyNotInstalled

if TYPE_CHECKING:
    from gymnasium.envs.box2d.machine_code import MachineCode

PATIENCE = 10_000  # steps of this process

_steps = 0


def count_step() -> None:
    """Note that a step was taken without machine code."""
    global _steps
    _steps += 1


def machine_code() -> MachineCode | None:
    """Returns the compiled functions; None before they pay, or where they do not give what the engine gives."""
    return _proven() if _steps >= PATIENCE else None


@cache
def _proven() -> MachineCode | None:
    try:
        from gymnasium.envs.box2d import machine_code, trial

        code = machine_code.MachineCode()
    except (DependencyNotInstalled, OSError, ValueError):  # the engine's library does not name its functions, say
        return None
    return code if trial.agrees(code) else None
