"""The kernels of a batch of a `FuncEnv`, from the new language.

Dynamics that the new language does not take yet, and plans that `is_served` excludes, have the kernels of the old one.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.mistakes import impurities
from gymnasium.spaces.box import Box
from palaestra.language.frontend.entry import program_of
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.frontend.refusals import CannotCompile, Refused
from palaestra.language.jit.cache import Note, digest_of
from palaestra.language.jit.reach import Reach
from palaestra.language.llvm.engine import compiled
from palaestra.language.llvm.lanes import NotInLanes
from palaestra.language.printing import printed
from palaestra.language.program import ADDRESS, INT64, Loop, Program, Value, statements_of
from palaestra.language.types import PYTHON, Term, constant
from palaestra.runner.frame import steps
from palaestra.runner.frame.batch import Context
from palaestra.runner.kernels.loading import Kernels, NumbaKernels
from palaestra.runner.kernels.params_text import starts
from palaestra.runner.kernels.plan import LONGEST_TUPLE, Plan, in_lanes


class Dynamics:
    """The functions of a `FuncEnv`, and the facts about them that `steps` uses.

    Attributes:
        endless: Whether no episode begins or ends.
        lanes: Whether eight rows are stepped at a time.
        draws: Whether a step may draw random numbers.
        rests: Whether a row that rests must not act: in lanes it may, if nothing shows.
        keeps_last: Whether states are kept for infos that Python reports.
        action_form: What an action is: "number", "tuple" or "array".
        observed: The places of an observation's parts.
        informed: Those of a step's infos.
        first_informed: Those of a reset's infos.
        state_info, transition_info: The functions of infos, or None.
        draws_of_params: The functions `draw(bounds, rng, episode)` of params.
        owns: Whether rows have params of their own.
        waits: Whether rows may have options for their next reset.
    """

    def __init__(self, func_env: FuncEnv, plan: Plan, lanes: bool, draws: bool) -> None:
        self.initial, self.transition = _function(func_env, "initial"), _function(func_env, "transition")
        self.observation, self.reward = _function(func_env, "observation"), _function(func_env, "reward")
        self.terminal = _function(func_env, "terminal")
        infos = plan.infos
        self.state_info = _function(func_env, "state_info") if infos.begin else None
        self.transition_info = _function(func_env, "transition_info") if infos.step else None
        self.draws_of_params = tuple(draw.function for draw in plan.draws)
        self.owns, self.waits = bool(plan.own), plan.waits
        self.endless = plan.endless
        self.lanes, self.draws = lanes, draws
        self.rests = draws or not lanes
        self.keeps_last = infos.in_python
        self.action_form = _action_form(plan)
        self.observed = tuple(tuple(leaf.indices) for leaf in plan.observation)
        self.informed = tuple(tuple(leaf.indices) for leaf in infos.step.leaves) if infos.step else ()
        self.first_informed = tuple(tuple(leaf.indices) for leaf in infos.begin.leaves) if infos.begin else ()


def _function(func_env: FuncEnv, name: str) -> Any:
    return getattr(func_env, name)


def _action_form(plan: Plan) -> str:
    shape = plan.action.shape
    if not shape:
        return "number"
    if isinstance(plan.action_space, Box) and len(shape) == 1 and shape[0] > 0:
        return "tuple" if shape[0] <= LONGEST_TUPLE else "long"
    return "array"


def kernels_of(func_env: FuncEnv, plan: Plan, lanes: bool) -> Kernels:
    """Returns the kernels of a plan; see `Kernels` for the arguments.

    Raises:
        TypeError: If a function uses files, clocks or random numbers other than those of `rng`.
    """
    if plan.outcome_type is None:
        _check_pure(plan)
    return FrameKernels(func_env, plan, lanes) if plan.outcome_type is None else NumbaKernels(plan, lanes)


def _check_pure(plan: Plan) -> None:
    reach = Reach()
    for function in (*plan.functions.values(), *(draw.function for draw in plan.draws)):
        reach.function(function)
    impure = "; ".join(impurities(reach.functions))
    if impure:
        raise TypeError(f"{plan.name} cannot be compiled: {impure}. SyncVectorEnv runs it as it is")


Shapes = dict[str, tuple[int, ...]]
Numpy = dict[str, frozenset[int]]
Key = tuple[frozenset[str], tuple[tuple[str, tuple[int, ...]], ...], tuple[tuple[str, frozenset[int]], ...]]


class FrameKernels(Kernels):
    """The kernels of a `FuncEnv` in the new language, or Numba's where the new language does not take it yet."""

    def __init__(self, func_env: FuncEnv, plan: Plan, lanes: bool) -> None:
        super().__init__(plan, lanes)
        self._frame = Frame(func_env, plan)
        self._serves: dict[Key, bool] = {}
        self._laned: dict[Key, int | None] = {}

    @cached_property
    def _numba(self) -> NumbaKernels:
        return NumbaKernels(self.plan, self._lanes)

    def _is_new(self, each: frozenset[str]) -> bool:
        """Whether the new language takes these dynamics."""
        if None in self.numpy.values() or _action_form(self.plan) == "long":
            return False
        key = _key(each, self._forms)
        if key not in self._serves:
            try:
                self._frame.program("step", each, self._forms, self._may_be_laned(each))
                self._frame.program("begin", each | starts(self.plan, each), self._forms, lanes=False)
                self._serves[key] = not (self._frame.is_loose and self._frame.narrows)
            except (CannotCompile, Refused):
                self._serves[key] = False
        return self._serves[key]

    @property
    def _forms(self) -> Forms:
        """What is known of the params."""
        return Forms(self.shapes, {name: places or frozenset() for name, places in self.numpy.items()})

    def _may_be_laned(self, each: frozenset[str]) -> bool:
        return self._lanes and in_lanes(self.plan, each)

    def functions(self, each: frozenset[str]) -> dict[str, int]:
        """See `Kernels.functions`."""
        if not self._is_new(each):
            return self._numba.functions(each)
        laned = self._steps_of_lanes(each)
        if laned is None:
            return {"rows": self.address("step_row"), **self._alone(each)}
        return {"rows": self.address("step_rows"), "act": laned}

    def single_functions(self, each: frozenset[str]) -> dict[str, int]:
        """See `Kernels.single_functions`."""
        if not self._is_new(each):
            return self._numba.single_functions(each)
        return {"one_row": self.address("step_row"), **self._alone(each)}

    def _alone(self, each: frozenset[str]) -> dict[str, int]:
        return {"act_alone": self._frame.step_rows(each, self._forms, lanes=False)}

    def first_functions(self, each: frozenset[str], start: frozenset[str]) -> dict[str, int]:
        """See `Kernels.first_functions`."""
        if not self._is_new(each):
            return self._numba.first_functions(each, start)
        return {"begin": self._frame.begin_rows(each | start, self._forms)}

    def text(self, each: frozenset[str]) -> str:
        """See `Kernels.text`."""
        if not self._is_new(each):
            return self._numba.text(each)
        return printed(self._frame.program("step", each, self._forms, self.in_lanes(each)))

    def passed(self, each: frozenset[str]) -> Note:
        """See `Kernels.passed`."""
        if not self._is_new(each):
            return self._numba.passed(each)
        text = self._frame.text(each, starts(self.plan, each), self._forms, self.in_lanes(each))
        return Note(digest_of(text, ""), "passed")

    def python_infos_note(self) -> Note:
        """See `Kernels.python_infos_note`."""
        return self._numba.python_infos_note()

    def in_lanes(self, each: frozenset[str]) -> bool:
        """See `Kernels.in_lanes`."""
        if not self._is_new(each):
            return self._numba.in_lanes(each)
        return self._steps_of_lanes(each) is not None

    def _steps_of_lanes(self, each: frozenset[str]) -> int | None:
        key = _key(each, self._forms)
        if key not in self._laned:
            self._laned[key] = None
            if self._may_be_laned(each) and self._frame.pays_in_lanes(each, self._forms):
                with suppress(NotInLanes):
                    self._laned[key] = self._frame.step_rows(each, self._forms, lanes=True)
        return self._laned[key]


class Forms(NamedTuple):
    """The shapes of params that are arrays, by name, and the places of those that are numbers of NumPy."""

    shapes: Shapes
    numpy: Numpy


def _key(each: frozenset[str], forms: Forms) -> Key:
    return each, tuple(sorted(forms.shapes.items())), tuple(sorted(forms.numpy.items()))


class Frame:
    """Makes the two functions of a plan, each once.

    Args:
        func_env: The dynamics.
        plan: Their plan.

    Attributes:
        is_loose, narrows: Those of the front end, for any program so far: both together are refused.
    """

    def __init__(self, func_env: FuncEnv, plan: Plan) -> None:
        self._func_env, self._plan = func_env, plan
        self._draws = self.is_loose = self.narrows = False
        self._programs: dict[tuple[str, Key, bool], Program] = {}

    def step_rows(self, each: frozenset[str], forms: Forms, lanes: bool) -> int:
        """Returns the address of `rows(context, low, high)`, which runs `steps.step`.

        Raises:
            CannotCompile: If the language does not take the dynamics.
            NotInLanes: If they cannot be stepped eight at a time.
        """
        rows = compiled(self.program("step", each, forms, lanes), lanes=lanes).rows
        assert rows is not None
        return rows

    def pays_in_lanes(self, each: frozenset[str], forms: Forms) -> bool:
        """Returns whether eight rows at a time are faster than one: not in loops, which each takes at its own pace."""
        body = self.program("step", each, forms, lanes=True).body
        return not any(isinstance(one, Loop) for one in statements_of(body))

    def begin_rows(self, each: frozenset[str], forms: Forms) -> int:
        """Returns the address of `rows(context, low, high)`, which runs `steps.begin`."""
        rows = compiled(self.program("begin", each, forms, lanes=False)).rows
        assert rows is not None
        return rows

    def text(self, each: frozenset[str], start: frozenset[str], forms: Forms, lanes: bool) -> str:
        """Returns LLVM's text of both functions."""
        step = compiled(self.program("step", each, forms, lanes), lanes=lanes).text
        return step + compiled(self.program("begin", each | start, forms, lanes=False)).text

    def program(self, name: str, each: frozenset[str], forms: Forms, lanes: bool) -> Program:
        """Returns the program of a function of `steps`.

        Whether a step draws is known once it is written: if so, it is written again.
        """
        key = name, _key(each, forms), lanes
        if key not in self._programs:
            program, draws = self._written(name, each, forms, lanes)
            if name == "step" and draws and not self._draws:
                self._draws = True
                program, _ = self._written(name, each, forms, lanes)
            self._programs[key] = program
        return self._programs[key]

    def _written(self, name: str, each: frozenset[str], forms: Forms, lanes: bool) -> tuple[Program, bool]:
        """A program, and whether it draws."""
        dynamics = Dynamics(self._func_env, self._plan, lanes, self._draws)
        fronts: list[FrontEnd] = []

        def write(front: FrontEnd, values: dict[str, Value]) -> Value:
            fronts.append(front)
            batch = Context(front, values["context"], self._plan, each, *forms).batch(starts=name == "begin")
            row = Term(PYTHON[int], (values["row"],))
            result = front.call_function(getattr(steps, name), (constant(dynamics), batch, row), {})
            return front.convert(front.materialized(result).part, INT64)

        program = program_of(name, {"context": ADDRESS, "row": INT64}, write, row="row", together=True)
        (front,) = fronts
        self.is_loose |= front.is_loose
        self.narrows |= front.narrows
        return program, front.draws
