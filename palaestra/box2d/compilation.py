"""Machine code for the functions that an environment hands over, and for the engine's hinges and reports."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import cache
from typing import Final

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._engine.library import address_of, library_of
from gymnasium.envs.box2d._engine.vtable import Table
from gymnasium.envs.box2d._stepping.layout import address
from gymnasium.envs.box2d._stepping.program import Kernel, MachineCode, Program
from palaestra.box2d.contacts import begin_contact, end_contact
from palaestra.box2d.hinge import solve_velocity
from palaestra.box2d.island import begin_velocity, new_workspace
from palaestra.box2d.stand_ins import BEGIN_HINGE, STAND_INS
from palaestra.language import program as language
from palaestra.language.frontend.entry import program_of
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.llvm.engine import caller
from palaestra.language.llvm.engine import compiled as machine_of
from palaestra.language.llvm.numbers import NotSupported
from palaestra.language.program import INT64, Value
from palaestra.language.types import PYTHON, Term

_HINGE: Final = "_ZTV15b2RevoluteJoint"
_SOLVE: Final = "_ZN15b2RevoluteJoint24SolveVelocityConstraintsERK12b2SolverData"
_FILTER: Final = "b2_defaultFilter"
_LISTENER: Final = "_ZTV17b2ContactListener"
_BEGIN: Final = "_ZN17b2ContactListener12BeginContactEP9b2Contact"
_END: Final = "_ZN17b2ContactListener10EndContactEP9b2Contact"
_WORKSPACE: Final = new_workspace()


def compiled(program: Program) -> MachineCode:
    """Returns the machine code of the functions of a program.

    Raises:
        OSError: If the engine's library cannot be opened.
        ValueError: If it does not export its functions, or if there is no machine code of ours: for this processor, or
            because this installation has no source files.
    """
    try:
        functions = {one.__name__: entry_point(one) for one in program.functions}
        contacts = _contact_table() if program.marks_contacts else None
        its_filter = address_of(library_of(engine.BINDINGS), _FILTER)
        return MachineCode(functions, _hinge_table(), contacts, its_filter, address(_WORKSPACE))
    except (CannotCompile, NotSupported) as error:
        raise ValueError(f"no machine code for {program.name}: {error}") from error


def entry_point(function: Callable[..., None]) -> Kernel:
    """Returns the machine code of a function of words, for Python: it keeps the GIL, as one world has the workspace."""
    program = _program(function)
    errors = [getattr(builtins, name, OverflowError) for _, name in program.places]  # one is that of an int, by no name
    call = caller(machine_of(program).address, len(program.parameters), keeps_gil=True)
    return Kernel(call, lambda number: errors[-number - 1](f"in the machine code of {function.__qualname__}"))


def _method(function: Callable[[int, int], None]) -> int:
    """Returns the address of a function of an object and an argument, for the engine to call."""
    return machine_of(_program(function)).address


def _program(function: Callable[..., None]) -> language.Program:
    """The program of a function of words."""

    def write(front: FrontEnd, values: dict[str, Value]) -> Value:
        front.stand_ins = STAND_INS
        front.call_function(function, [Term(PYTHON[int], (value,)) for value in values.values()], {})
        return front.number(0)

    code = function.__code__
    return program_of(function.__name__, dict.fromkeys(code.co_varnames[: code.co_argcount], INT64), write)


@cache
def _hinge_table() -> Table:
    others = {BEGIN_HINGE: _method(begin_velocity), _SOLVE: _method(solve_velocity)}
    return Table(engine.BINDINGS, _HINGE, others, address(_WORKSPACE))


@cache
def _contact_table() -> Table:
    return Table(engine.BINDINGS, _LISTENER, {_BEGIN: _method(begin_contact), _END: _method(end_contact)})
