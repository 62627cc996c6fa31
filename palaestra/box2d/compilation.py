"""Machine code for the functions that an environment hands over, and for the engine's hinges and reports."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.library import address_of, library_of
from gymnasium.envs.box2d._engine.vtable import Table
from gymnasium.envs.box2d._stepping.layout import address
from gymnasium.envs.box2d._stepping.program import MachineCode, Program
from gymnasium.logger import warn
from palaestra.box2d.contacts import begin_contact, end_contact
from palaestra.box2d.hinge import solve_velocity
from palaestra.box2d.island import begin_velocity, new_workspace
from palaestra.box2d.stand_ins import BEGIN_HINGE, STAND_INS
from palaestra.language.jit.backend import CONFIG, NumbaError
from palaestra.language.jit.cache import module_of
from palaestra.language.jit.lowering import Lowering
from palaestra.language.jit.progress import announced
from palaestra.language.jit.reach import Reach
from palaestra.language.jit.savings import linked_only

_KERNEL: Final = """
from numba import njit


@njit("({types})", cache=True, error_model="numpy")
def kernel({arguments}):
    return {name}({arguments})
"""
_METHOD: Final = """
from numba import cfunc, types


@cfunc(types.void(types.int64, types.int64), cache=True, error_model="numpy")
def kernel(this, argument):
    {name}(this, argument)
"""
_HINGE: Final = "_ZTV15b2RevoluteJoint"
_SOLVE: Final = "_ZN15b2RevoluteJoint24SolveVelocityConstraintsERK12b2SolverData"
_FILTER: Final = "b2_defaultFilter"
_LISTENER: Final = "_ZTV17b2ContactListener"
_BEGIN: Final = "_ZN17b2ContactListener12BeginContactEP9b2Contact"
_END: Final = "_ZN17b2ContactListener10EndContactEP9b2Contact"


def compiled(program: Program) -> MachineCode:
    """Returns the functions of a program: compiled, or loaded from the cache of an earlier process.

    Raises:
        OSError: If the engine's library cannot be opened.
        ValueError: If it does not export its functions, or if Numba is told to compile nothing, or fails.
    """
    if CONFIG.DISABLE_JIT:
        raise ValueError("machine code for Box2D needs Numba's compiler, which NUMBA_DISABLE_JIT turns off")
    with announced(program.name):
        try:
            functions = {one.__name__: _entry_point(one, types) for one, types in program.functions.items()}
            contacts = _contact_table() if program.marks_contacts else None
            its_filter = address_of(library_of(engine.BINDINGS), _FILTER)
            return MachineCode(functions, _hinge_table(), contacts, its_filter, address(_workspace()))
        except NumbaError as error:
            warn("This Numba cannot compile the machine code that speeds up %s: %s", program.name, error)
            raise ValueError("no machine code for Box2D") from error


def _entry_point(function: Any, types: str) -> Callable[..., Any]:
    """The machine code of a function for arguments of these types."""
    arguments = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
    kernel = _kernel(_KERNEL.format(name=function.__name__, arguments=arguments, types=types), function)
    (overload,) = kernel.overloads.values()
    entry_point: Callable[..., Any] = overload.entry_point
    return entry_point


@cache
def _hinge_table() -> Table:
    others = {BEGIN_HINGE: _method(begin_velocity), _SOLVE: _method(solve_velocity)}
    return Table(engine.BINDINGS, _HINGE, others, address(_workspace()))


@cache
def _workspace() -> NDArray[np.int64]:
    return new_workspace()


@cache
def _contact_table() -> Table:
    return Table(engine.BINDINGS, _LISTENER, {_BEGIN: _method(begin_contact), _END: _method(end_contact)})


def _method(function: Any) -> int:
    """The address of a function of an object and an argument, for the engine to call."""
    address: int = _kernel(_METHOD.format(name=function.__name__), function).address
    return address


def _kernel(source: str, function: Any) -> Any:
    """The compiled `kernel` of a text that calls a function."""
    reach = Reach(STAND_INS)
    reach.function(function)
    with linked_only():  # which lets one thread compile at a time
        names = {function.__name__: _lowering().inlined(function)}
        try:
            return module_of(source, reach.digest(), names).kernel
        except OSError:  # for example, the disk is full
            return module_of(source, reach.digest(), names, keep=False).kernel


@cache
def _lowering() -> Lowering:
    """What kernels have in common is compiled once."""
    return Lowering(STAND_INS, by_rules=False)  # trials compare the bits
