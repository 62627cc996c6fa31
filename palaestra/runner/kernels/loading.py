"""The compiled functions of an environment, each loaded from disk, or compiled, when first needed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import FunctionType
from typing import TYPE_CHECKING

from gymnasium.functional.mistakes import impurities
from gymnasium.functional.rebinding import names_in
from gymnasium.functional.stream import DRAWS
from palaestra.language.jit import symbols  # noqa: F401  (which machine code from the disk calls)
from palaestra.language.jit.cache import Note, Stored, digest_of
from palaestra.language.jit.reach import Reach
from palaestra.language.llvm.calls import Caller
from palaestra.runner.frame.bridge import in_words
from palaestra.runner.frame.callers import Calls
from palaestra.runner.kernels.layout import Layout
from palaestra.runner.kernels.params import record_types
from palaestra.runner.kernels.params_text import starts
from palaestra.runner.kernels.plan import Plan, in_lanes
from palaestra.runner.kernels.source import begin_source, step_source

if TYPE_CHECKING:
    from palaestra.runner.kernels.compilation import Compilation, Compiled

_ADDRESSES: dict[tuple[str, str], int] = {}  # of the functions that this process has loaded or compiled
_LATER = ("initial", "state_info")  # the functions of a reset only


class Kernels(ABC):
    """The kernels of a plan: functions that step and begin rows, and the calls of `frame.calls` around them.

    Args:
        plan: The plan of the kernels.
        lanes: Whether they may step eight rows at a time. They then read as many actions as `columns.padded` says.

    Attributes:
        shapes: The shapes of params that are arrays, by name.
        numpy: For `params` and `start`, the places of the numbers of NumPy, see `numpy_leaves`.
    """

    def __init__(self, plan: Plan, lanes: bool) -> None:
        self.plan, self._lanes = plan, lanes
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.numpy: dict[str, frozenset[int] | None] = {}
        self._calls = Calls(plan)

    def get(self, name: str) -> Caller:
        """Returns a call."""
        return self._calls.get(name)

    def address(self, name: str) -> int:
        """Returns the address of a call."""
        return self._calls.address(name)

    @abstractmethod
    def functions(self, each: frozenset[str]) -> dict[str, int]:
        """Returns the addresses of the functions that step rows, by the slot of each.

        Args:
            each: The names of the param values that differ between environments.

        Raises:
            TypeError: If the dynamics cannot be compiled; it names the function, the line and the reason.
        """

    @abstractmethod
    def single_functions(self, each: frozenset[str]) -> dict[str, int]:
        """Returns those that also step a single row on request."""

    @abstractmethod
    def first_functions(self, each: frozenset[str], start: frozenset[str]) -> dict[str, int]:
        """Returns those that begin episodes; `start` are the names of the params for first states that differ."""

    @abstractmethod
    def text(self, each: frozenset[str]) -> str:
        """Returns the text of what steps rows."""

    @abstractmethod
    def python_infos_note(self) -> Note:
        """Returns the note that the info functions of these dynamics are called in Python."""

    @abstractmethod
    def passed(self, each: frozenset[str]) -> Note:
        """Returns the note that these kernels have passed their trial."""

    @abstractmethod
    def in_lanes(self, each: frozenset[str]) -> bool:
        """Returns whether the compiled kernels step eight rows at a time."""


class NumbaKernels(Kernels):
    """The kernels of a plan, from its text by Numba.

    Raises:
        TypeError: If a function uses files, clocks or random numbers other than those of `rng`.
    """

    def __init__(self, plan: Plan, lanes: bool) -> None:
        super().__init__(plan, lanes)
        functions = dict(plan.functions)
        for name, report in (("state_info", plan.infos.begin), ("transition_info", plan.infos.step)):
            if report and report.function is not None:
                functions[name] = report.function
        self._functions: dict[str, FunctionType] = {name: functions[name] for name in functions if name not in _LATER}
        reach = Reach()
        for function in self._functions.values():
            reach.function(function)
        self._draws = any(DRAWS.intersection(names_in(one.__code__)) for one in reach.functions)
        for name in _LATER:
            if name in functions:
                self._functions[name] = functions[name]
                reach.function(functions[name])
        for k, draw in enumerate(plan.draws):
            self._functions[f"draw{k}"] = draw.function
            reach.function(draw.function)
        impure = "; ".join(impurities(reach.functions))
        if impure:
            raise TypeError(f"{plan.name} cannot be compiled: {impure}. SyncVectorEnv runs it as it is")
        for kind in (plan.state_type, *record_types(plan.params), *record_types(plan.bounds)):
            reach.record(kind)
        self._content = reach.digest()
        self._not_in_lanes: set[frozenset[str]] = set()  # once lanes are known not to support these
        self._compilation: Compilation | None = None
        self._rows: dict[frozenset[str], int] = {}
        self._steps: dict[frozenset[str], int] = {}
        self._begins: dict[tuple[frozenset[str], frozenset[str]], int] = {}

    def functions(self, each: frozenset[str]) -> dict[str, int]:
        """See `Kernels.functions`."""
        return {"rows": self._in_words(self._rows_of(each))}

    def single_functions(self, each: frozenset[str]) -> dict[str, int]:
        """See `Kernels.single_functions`."""
        return {"one_row": self._in_words(self._one_row(each))}

    def first_functions(self, each: frozenset[str], start: frozenset[str]) -> dict[str, int]:
        """See `Kernels.first_functions`."""
        address = self._begins_of(each, start)
        return {"begin": self._in_words(address), "begin_in_lanes": address}

    def _in_words(self, address: int) -> int:
        return in_words(address, 3, Layout(self.plan).slots["error"])

    def _rows_of(self, each: frozenset[str]) -> int:
        """Returns the address of `step_rows(context, low, high)`.

        Args:
            each: The names of the param values that differ between environments.

        Raises:
            TypeError: If Numba cannot compile the dynamics; it names the function, the line and the reason.
        """
        if each not in self._rows:
            self._rows[each] = self._laned(each) or self._one_row(each)
        return self._rows[each]

    def _one_row(self, each: frozenset[str]) -> int:
        """Returns the address of a function that also steps a single row on request."""
        if each not in self._steps:
            source = step_source(self.plan, each, draws=self._draws)
            self._steps[each] = self._found(source, "step_rows", self._content)
        return self._steps[each]

    def _begins_of(self, each: frozenset[str], start: frozenset[str]) -> int:
        """Returns the address of a function that begins episodes.

        It is `begin_episodes`, unless rows are stepped one by one: `step_rows` then begins them too.

        Args:
            each: The names of the param values that differ between environments.
            start: Those of the params for the first state.
        """
        if (each, start) not in self._begins:
            address = self._rows_of(each)
            if start != starts(self.plan, each) or self.in_lanes(each):
                address = self._found(begin_source(self.plan, each, start), "begin_episodes", self._content)
            self._begins[each, start] = address
        return self._begins[each, start]

    def text(self, each: frozenset[str]) -> str:
        """Returns the text of `step_rows`."""
        return step_source(self.plan, each, lanes=self._laned(each) is not None, draws=self._draws)

    def python_infos_note(self) -> Note:
        """Returns the note that the info functions of these dynamics are called in Python."""
        return Note(digest_of("info functions in Python", self._content), "told")

    def passed(self, each: frozenset[str]) -> Note:
        """Returns the note that these kernels have passed their trial."""
        source = step_source(self.plan, each, lanes=self.in_lanes(each), draws=self._draws)
        if self.in_lanes(each):
            source += begin_source(self.plan, each, starts(self.plan, each))
        return Note(digest_of(source, self._content), "passed")

    def in_lanes(self, each: frozenset[str]) -> bool:
        """Returns whether the compiled kernels step eight rows at a time."""
        return self._lanes and each not in self._not_in_lanes and in_lanes(self.plan, each)

    def _laned(self, each: frozenset[str]) -> int | None:
        """Returns the address of a function that steps eight rows at a time; None if lanes do not fit the dynamics."""
        if not self.in_lanes(each):
            return None
        source = step_source(self.plan, each, lanes=True, draws=self._draws)
        note = Note(digest_of(source, self._content), "not-compiled")
        if not note.exists():
            try:
                return self._found(source, "step_rows", self._content)
            except TypeError:
                note.write()
        self._not_in_lanes.add(each)
        return None

    def _found(self, source: str, name: str, content: str) -> int:
        """Returns the address of a function of a text, whose globals have the digest `content`; "" for a caller."""
        digest = digest_of(source, content)
        if (digest, name) not in _ADDRESSES:
            stored = Stored(digest, name)
            address = stored.address()
            if address is None:
                compiled = self._compiled(source, name, content)
                address = compiled.address
                stored.keep(compiled.code, compiled.function, compiled.symbols)
            _ADDRESSES[digest, name] = address
        return _ADDRESSES[digest, name]

    def _compiled(self, source: str, name: str, content: str) -> Compiled:
        # Numba takes a third of a second to import; machine code from the disk does without it.
        from palaestra.runner.kernels.compilation import Compilation

        if self._compilation is None:
            self._compilation = Compilation(self.plan, self._functions)
        return self._compilation.compiled(source, content, name)
