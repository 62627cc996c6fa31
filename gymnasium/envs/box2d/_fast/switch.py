"""The switch from the bindings to machine code: after so many steps that loading the code pays.

Loading takes about half a second, and compiling takes some seconds on a machine's first run. Short programs avoid this,
and long trainings do not notice it: a step is the same bit for bit in both.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from gymnasium.error import DependencyNotInstalled

if TYPE_CHECKING:
    from gymnasium.envs.box2d._fast.machine_code import MachineCode

PATIENCE = 10_000  # steps of this process

_steps = 0


def count_step() -> None:
    """Count a step that was taken without machine code."""
    global _steps
    _steps += 1


def machine_code() -> MachineCode | None:
    """Returns the compiled functions; None before they pay, or if they do not give the engine's bits."""
    return _proven() if _steps >= PATIENCE else None


@cache
def _proven() -> MachineCode | None:
    try:
        from gymnasium.envs.box2d._fast import machine_code, trial

        code = machine_code.MachineCode()
    except (DependencyNotInstalled, OSError, ValueError):  # for example, the engine's library exports no symbols
        return None
    return code if trial.agrees(code) else None
