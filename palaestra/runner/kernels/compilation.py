"""The compilation of kernels by Numba."""

from __future__ import annotations

import re
import threading
from types import FunctionType
from typing import Any, NamedTuple

from palaestra.language.jit.backend import types
from palaestra.language.jit.cache import module_of
from palaestra.language.jit.diagnosis import explained
from palaestra.language.jit.lowering import Lowering
from palaestra.language.jit.progress import announced
from palaestra.language.jit.savings import complete, linked_only
from palaestra.runner.kernels.checks import checks_of
from palaestra.runner.kernels.params import record_types
from palaestra.runner.kernels.plan import Plan

COMPILING = threading.Lock()  # Numba compiles one function at a time
_CALLED = re.compile(r'^declare .*?@"?([^"(]+)"?\(', re.MULTILINE)


class Compiled(NamedTuple):
    """A compiled function: its address, and an object file of it with the names of the functions that it calls."""

    address: int
    code: bytes
    function: str
    symbols: list[str]


class Compilation:
    """Compiles kernels of a plan.

    Args:
        plan: The plan.
        functions: The functions of the dynamics, by their names in the kernels.
    """

    def __init__(self, plan: Plan, functions: dict[str, FunctionType]) -> None:
        self._plan, self._lowering = plan, Lowering()
        checks = checks_of(plan)
        self._names: dict[str, Any] = {
            name: self._lowering.inlined(function, checks[name]) for name, function in functions.items()
        }
        self._names |= {"State": self._lowering.record(plan.state_type)}
        for k, kind in enumerate([*record_types(plan.params), *record_types(plan.bounds)]):
            self._names |= {f"Record{k}": self._lowering.record(kind), f"Kind{k}": kind}

    def compiled(self, source: str, content: str, name: str) -> Compiled:
        """Returns a function of a text of kernels.

        Args:
            source: The text.
            content: The digest of the dynamics.
            name: The function.

        Raises:
            TypeError: If Numba cannot compile it; the message names the dynamics' function, line and reason.
        """
        with COMPILING, announced(self._plan.name), explained(self._plan.name, self._lowering.functions):
            kernel = getattr(module_of(source, content, self._names, keep=False), name)
            return machine_code(kernel, 3)


def machine_code(kernel: Any, count: int) -> Compiled:
    """Returns a function decorated by `kernel`, compiled for `count` int64; it returns one."""
    takes = (types.int64,) * count
    with linked_only():
        kernel.compile(types.int64(*takes))
    made = kernel.overloads[takes]
    complete(made.library)
    return _compiled(made.library, made.fndesc.llvm_func_name)


def _compiled(library: Any, function: str) -> Compiled:
    address = int(library.get_pointer_to_function(function))
    _, _, (code, _) = library.serialize_using_object_code()
    symbols = [one for one in _CALLED.findall(library.get_llvm_str()) if not one.startswith("llvm.")]
    return Compiled(address, code, function, symbols)
