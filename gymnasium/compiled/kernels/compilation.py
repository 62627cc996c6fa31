"""The compiled functions of an environment, each compiled, or loaded from disk, when first needed."""

from __future__ import annotations

import threading
from typing import Any

from gymnasium.compiled.kernels.checks import checks_of
from gymnasium.compiled.kernels.params import record_types
from gymnasium.compiled.kernels.plan import Plan, in_lanes
from gymnasium.compiled.kernels.source import calls_source, reset_source, step_source
from gymnasium.functional.mistakes import impurities
from gymnasium.functional.rebinding import names_in
from gymnasium.jit.addresses import CONTEXT
from gymnasium.jit.backend import OPTIONS, numba, types
from gymnasium.jit.cache import Note, forget, module_of
from gymnasium.jit.diagnosis import explained
from gymnasium.jit.exact import symbols  # noqa: F401  (which machine code from the disk calls)
from gymnasium.jit.lowering import Lowering
from gymnasium.jit.progress import announced
from gymnasium.jit.random.draws import METHODS

_COMPILING = threading.Lock()  # environments of several threads may share a kernel


class Kernels:
    """The kernels of a plan.

    `step_rows(context, low, high)` and `reset(context, mask)` are compiled from the dynamics. All others only call
    `step_rows`: `step(context, actions)` and `step_some(context, actions, rows)`; and, for threads that share a `job`,
    `step_shared(context, actions, job)`, `work(context, job, patience)`, `leave(job)` and `abandon(job)`.

    Args:
        plan: The plan of the kernels.
        lanes: Whether they may step eight rows at a time. They then read as many actions as `columns.padded` says.

    Raises:
        TypeError: If a function uses files, clocks or random numbers other than those of `rng`.
    """

    def __init__(self, plan: Plan, lanes: bool) -> None:
        self.plan = plan
        self._lowering = Lowering()
        functions = dict(plan.functions)
        for name, report in (("state_info", plan.infos.begin), ("transition_info", plan.infos.step)):
            if report:
                functions[name] = report.function
        checks = checks_of(plan)
        # The functions of a step come first, then those of a reset.
        later = ("initial", "state_info")
        self._names: dict[str, Any] = {
            name: self._lowering.function(functions[name], inline=True, check=checks[name])
            for name in functions
            if name not in later
        }
        self._draws = any(METHODS.intersection(names_in(one.__code__)) for one in self._lowering.functions)
        for name in later:
            if name in functions:
                self._names[name] = self._lowering.function(functions[name], inline=True, check=checks[name])
        impure = "; ".join(impurities(self._lowering.functions))
        if impure:
            raise TypeError(f"{plan.name} cannot be compiled: {impure}. SyncVectorEnv runs it as it is")
        self._names |= {"State": self._lowering.record(plan.state_type), "OPTIONS": OPTIONS}
        for k, kind in enumerate(record_types(plan.params)):
            self._names[f"Record{k}"] = self._lowering.record(kind)
        self._no_lanes = not lanes  # or once lanes are known not to support the dynamics
        self._ready: dict[str, Any] = {}
        actions = numba.from_dtype(plan.action.dtype)
        batch = types.Array(actions, 1 + len(plan.action.shape), "C")
        self._arguments = {
            "step_rows": (CONTEXT, types.int64, types.int64),
            "step": (CONTEXT, batch),
            "step_some": (CONTEXT, batch, CONTEXT),
            "step_shared": (CONTEXT, batch, CONTEXT),
            "work": (CONTEXT, CONTEXT, types.int64),
            "leave": (CONTEXT,),
            "abandon": (CONTEXT,),
            "reset": (CONTEXT, types.boolean[::1]),
        }

    def get(self, name: str) -> Any:
        """Returns the kernel `name`, which calls `step_rows` at an address."""
        if name not in self._ready:
            self._ready[name] = self._made(calls_source(self.plan), name, "", {"OPTIONS": OPTIONS})
        return self._ready[name]

    def entry(self, name: str) -> Any:
        """Returns a faster caller of a kernel from `get`, which does not check the arguments' types."""
        return self.get(name).overloads[self._arguments[name]].entry_point

    def rows(self, each: frozenset[str]) -> int:
        """Returns the address of `step_rows(context, low, high)`.

        Args:
            each: The names of the param values that differ between environments.

        Raises:
            TypeError: If Numba cannot compile the dynamics; it names the function, the line and the reason.
        """
        laned = self._laned(each)
        return self._address(laned) if laned else self.one_row(each)

    def one_row(self, each: frozenset[str]) -> int:
        """Returns the address of a function that may also be told to step a single row."""
        return self._address(self._dynamic(step_source(self.plan, each, draws=self._draws), "step_rows"))

    def reset(self, each: frozenset[str]) -> Any:
        """Returns the kernel `reset`; `each` may also name values of the params for the first state."""
        return self._dynamic(reset_source(self.plan, each), "reset")

    def passed(self, each: frozenset[str]) -> Note:
        """Returns the note that these kernels have passed their trial."""
        source = step_source(self.plan, each, lanes=self.in_lanes(each), draws=self._draws)
        return Note(source, self._lowering.digest(), "passed")

    def in_lanes(self, each: frozenset[str]) -> bool:
        """Returns whether the compiled kernels step eight rows at a time."""
        return not self._no_lanes and in_lanes(self.plan, each)

    def _laned(self, each: frozenset[str]) -> Any:
        """Returns the function that steps eight rows at a time; None if lanes do not support the dynamics."""
        if not self.in_lanes(each):
            return None
        source = step_source(self.plan, each, lanes=True, draws=self._draws)
        note = Note(source, self._lowering.digest(), "not-compiled")
        if not note.exists():
            try:
                return self._dynamic(source, "step_rows")
            except TypeError:
                note.write()
        self._no_lanes = True
        return None

    def _dynamic(self, source: str, name: str) -> Any:
        """Returns a kernel with the name of the dynamics."""
        if source not in self._ready:
            self._ready[source] = self._made(source, name, self._lowering.digest(), self._names)
        return self._ready[source]

    def _made(self, source: str, name: str, content: str, names: dict[str, Any]) -> Any:
        try:
            return self._compiled(source, name, content, names, keep=True)
        except OSError:  # for example, the disk is full
            return self._compiled(source, name, content, names, keep=False)

    def _compiled(self, source: str, name: str, content: str, names: dict[str, Any], keep: bool) -> Any:
        with _COMPILING, announced(self.plan.name), explained(self.plan.name, self._lowering.functions):
            try:
                return self._loaded(source, name, content, names, keep)
            except OSError:
                raise
            except Exception:
                # The file may be truncated, or belong to someone else: it is rebuilt, if it existed.
                if not (keep and forget(source, content, name)):
                    raise
                return self._loaded(source, name, content, names, keep)

    def _loaded(self, source: str, name: str, content: str, names: dict[str, Any], keep: bool) -> Any:
        kernel = getattr(module_of(source, content, names, keep), name)
        if self._arguments[name] not in kernel.overloads:
            kernel.disable_compile(False)
            kernel.compile(self._arguments[name])
            kernel.disable_compile()
        return kernel

    def _address(self, kernel: Any) -> int:
        """Returns the address of the machine code of `step_rows`."""
        made = kernel.overloads[self._arguments["step_rows"]]
        return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))
