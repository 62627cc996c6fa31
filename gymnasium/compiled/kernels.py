"""The compiled functions of an environment, each compiled, or loaded from disk, when first needed."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from gymnasium.compiled.backend import OPTIONS, numba, types
from gymnasium.compiled.cache import Note, module_of
from gymnasium.compiled.diagnosis import explained
from gymnasium.compiled.lowering import Lowering
from gymnasium.compiled.plan import Plan
from gymnasium.compiled.progress import announced
from gymnasium.compiled.source import in_lanes, record_types, reset_source, step_source

_WORDS = types.int64[::1]


class Kernels:
    """The kernels of a plan.

    They are `step(context, actions)` and `step_some(context, actions, rows)`; for threads that share a `job`
    `step_shared(context, actions, job)`, `work(context, job, patience)`, `leave(job)` and `abandon(job)`; and
    `reset(context, mask)`.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._lowering = Lowering()
        functions = dict(plan.functions)
        for name, report in (("state_info", plan.infos.begin), ("transition_info", plan.infos.step)):
            if report:
                functions[name] = report.function
        self._names: dict[str, Any] = {
            name: self._lowering.function(one, inline=True) for name, one in functions.items()
        }
        self._names |= {"State": self._lowering.record(plan.state_type), "OPTIONS": OPTIONS}
        for k, kind in enumerate(record_types(plan.params)):
            self._names[f"Record{k}"] = self._lowering.record(kind)
        self._no_lanes = False  # once it is known that the dynamics have no meaning for them
        self._ready: dict[tuple[str, frozenset[str]], Any] = {}
        self._modules: dict[tuple[str, bool], ModuleType] = {}
        actions = numba.from_dtype(plan.action.dtype)
        batch = types.Array(actions, 1 + len(plan.action.shape), "C")
        self._arguments = {
            "step": (_WORDS, batch),
            "step_some": (_WORDS, batch, _WORDS),
            "step_shared": (_WORDS, batch, _WORDS),
            "work": (_WORDS, _WORDS, types.int64),
            "leave": (_WORDS,),
            "abandon": (_WORDS,),
            "reset": (_WORDS, types.boolean[::1]),
        }

    def get(self, name: str, each: frozenset[str] = frozenset()) -> Any:
        """Returns the kernel `name`, compiled.

        Args:
            name: Of the kernel.
            each: The names of the params' values that differ between environments.

        Raises:
            TypeError: If Numba cannot compile the dynamics; it says which function and line, and why.
        """
        if (name, each) not in self._ready:
            if name == "reset":
                self._ready[name, each] = self._made(reset_source(self.plan, each), name)
            else:
                self._ready[name, each] = self._in_lanes(name, each) or self._made(step_source(self.plan, each), name)
        return self._ready[name, each]

    def _in_lanes(self, name: str, each: frozenset[str]) -> Any:
        """Returns the kernel that steps eight rows at a time; None where the dynamics have no meaning for lanes."""
        if self._no_lanes or not in_lanes(self.plan, each):
            return None
        source = step_source(self.plan, each, lanes=True)
        note = Note(source, self._lowering.digest())
        if not note.exists():
            try:
                return self._made(source, name)
            except TypeError:
                note.write()
        self._no_lanes = True
        return None

    def _made(self, source: str, name: str) -> Any:
        try:
            return self._compiled(source, name, keep=True)
        except OSError:  # the disk is full, say
            return self._compiled(source, name, keep=False)

    def _compiled(self, source: str, name: str, keep: bool) -> Any:
        if (source, keep) not in self._modules:
            self._modules[source, keep] = module_of(source, self._lowering.digest(), self._names, keep)
        kernel = getattr(self._modules[source, keep], name)
        if not kernel.signatures:
            with announced(self.plan.name), explained(self.plan.name, self._lowering.functions):
                kernel.compile(self._arguments[name])
            kernel.disable_compile()
        return kernel
