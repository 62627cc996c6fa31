"""The switch from the bindings to machine code: after so many steps that loading the code pays.

Compiling takes about two seconds. Short programs avoid this, and long trainings do not notice it: a step is the same
bit for bit in both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from gymnasium._extensions import extension
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.library import is_known
from gymnasium.envs.box2d._stepping.program import MachineCode, Program
from gymnasium.error import DependencyNotInstalled

STEPS_BEFORE = 10_000  # steps of this process

_steps = 0


def count_step() -> None:
    """Count a step that was taken without machine code."""
    global _steps
    _steps += 1


def machine_code(program: Callable[[], Program]) -> MachineCode | None:
    """Returns the compiled functions of a program; None before they pay, or if they do not give the engine's bits.

    Args:
        program: Returns it, and imports it no sooner: it needs the compiler.
    """
    return _tried(program) if _steps >= STEPS_BEFORE else None


@cache
def _tried(program: Callable[[], Program]) -> MachineCode | None:
    if not is_known(engine.BINDINGS):
        return None
    try:
        handed = program()
        code = extension("box2d.compiled")(handed)
    except (DependencyNotInstalled, OSError, ValueError):  # for example, no llvmlite
        return None
    return code if handed.trial(code) == handed.trial(None) else None
