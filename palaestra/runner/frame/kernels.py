"""The kernels of a batch: the programs of the frame around its dynamics, as machine code."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional.func_env import FuncEnv
from gymnasium.functional.mistakes import impurities, place_of, reached_from
from gymnasium.spaces.box import Box
from palaestra.language.frontend.entry import program_of
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.llvm.calls import Caller
from palaestra.language.llvm.engine import Build
from palaestra.language.llvm.lanes import NotInLanes
from palaestra.language.llvm.store import Note
from palaestra.language.printing import printed
from palaestra.language.program import ADDRESS, INT64, Program, Value, has_loops
from palaestra.language.types import PYTHON, Term, constant
from palaestra.runner.frame import steps
from palaestra.runner.frame.batch import Context
from palaestra.runner.frame.callers import Calls
from palaestra.runner.kernels.plan import LONGEST_TUPLE, Plan, in_lanes, starts


class Dynamics:
    """The functions of a `FuncEnv`, and the facts about them that `steps` uses.

    Attributes:
        methods: The methods of an environment's class, in the place of functions; else None.
        endless: Whether no episode begins or ends.
        lanes: Whether eight rows are stepped at a time.
        draws: Whether a step may draw random numbers.
        rests: Whether a row that rests must not act: in lanes it may, if nothing shows.
        keeps_last: Whether states are kept for infos that Python reports.
        action_form: What an action is: "number", "tuple", "long" (a tuple in memory) or "array".
        observed: The places of an observation's parts.
        informed: Those of a step's infos.
        first_informed: Those of a reset's infos.
        state_info, transition_info: The functions of infos, or None.
        draws_of_params: The functions `draw(bounds, rng, episode)` of params.
        owns: Whether rows have params of their own.
        waits: Whether rows may have options for their next reset.
        grows: Whether the state has lists that grow, or may have no room for those of a step.
    """

    def __init__(self, func_env: FuncEnv, plan: Plan, lanes: bool, draws: bool) -> None:
        self.methods = getattr(func_env, "methods", None)
        self.initial, self.transition = _function(func_env, "initial"), _function(func_env, "transition")
        self.observation, self.reward = _function(func_env, "observation"), _function(func_env, "reward")
        self.terminal = _function(func_env, "terminal")
        infos = plan.infos
        self.state_info = _function(func_env, "state_info") if infos.begin else None
        self.transition_info = _function(func_env, "transition_info") if infos.step else None
        self.draws_of_params = tuple(draw.function for draw in plan.draws)
        self.owns, self.waits = bool(plan.own), plan.waits
        self.endless, self.grows = plan.endless, plan.grows
        self.lanes, self.draws = lanes, draws
        self.rests = draws or not lanes or self.methods is not None  # `reset` reads the state
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
    check_pure(plan)
    return Kernels(func_env, plan, lanes)


def check_pure(plan: Plan) -> None:
    """Check that functions of a `FuncEnv` are pure; a class is read as it is.

    Raises:
        TypeError: If one uses files, clocks or random numbers other than those of `rng`.
    """
    if plan.outcome_type is not None:
        return
    functions = (*plan.functions.values(), *(draw.function for draw in plan.draws))
    impure = "; ".join(impurities(reached_from(functions)))
    if impure:
        raise TypeError(f"{plan.name} cannot be compiled: {impure}. SyncVectorEnv runs it as it is")


def check_types(plan: Plan) -> None:
    """Refuse functions of a `FuncEnv` whose programs are loose and narrow, see `Frame`.

    Raises:
        TypeError: If it is one.
    """
    if plan.outcome_type is None:
        where = place_of(plan.functions["transition"])
        reason = "the state holds numbers of Python and of NumPy in turn, beside numbers of fewer bits"
        raise TypeError(f"{plan.name} cannot be compiled: {where}: {reason}. SyncVectorEnv runs it as it is")


Shapes = dict[str, tuple[int, ...]]
Numpy = dict[str, frozenset[int]]
Key = tuple[frozenset[str], tuple[tuple[str, Any], ...]]


class Kernels:
    """The kernels of a plan: functions that step and begin rows, and the calls of `frame.calls` around them.

    Args:
        func_env: The dynamics, or those of an ordinary class.
        plan: Their plan.
        lanes: Whether they may step eight rows at a time. They then read as many actions as `columns.padded` says.

    Attributes:
        shapes: The shapes of params that are arrays, by name.
        sizes: The params that are ints, by name: where they decide shapes, programs are written for them.
        numpy: For `params` and `start`, the places of the numbers of NumPy, see `numpy_leaves`.
        many: Whether there are many rows, see `Calls`.
    """

    def __init__(self, func_env: FuncEnv, plan: Plan, lanes: bool) -> None:
        self.plan, self._lanes = plan, lanes
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.sizes: dict[str, int] = {}
        self.numpy: dict[str, frozenset[int] | None] = {}
        self.many = False
        self._calls = Calls(plan)
        self._frame = Frame(func_env, plan)
        self._checked: set[Key] = set()
        self._laned: dict[Key, Build | None] = {}

    def begin(self, each: frozenset[str], *calls: str) -> None:
        """Let another thread compile what steps rows, and calls.

        Raises:
            TypeError: If the dynamics cannot be compiled; it names the functions, the lines and the reasons.
        """
        self._calls.begin(["step_rows" if self.in_lanes(each) else "step_row", *calls], self.many)

    def get(self, name: str) -> Caller:
        """Returns a call."""
        return self._calls.get(name, self.many)

    def address(self, name: str) -> int:
        """Returns the address of a call."""
        return self._calls.address(name, self.many)

    def _check(self, each: frozenset[str]) -> None:
        """Check that the language takes these dynamics.

        Raises:
            TypeError: If it does not; it names the functions, the lines and the reasons.
        """
        if self._frame.key(each, self._forms) in self._checked:
            return
        if None in self.numpy.values():
            raise self._refused("a param is a number of NumPy in some environments, and Python's in others")
        try:
            self._frame.check(each, starts(self.plan, each), self._forms, self._may_be_laned(each))
        except CannotCompile as error:
            if self.plan.outcome_type is not None:
                raise
            raise self._refused(str(error)) from error
        if self._frame.is_loose and self._frame.narrows:
            check_types(self.plan)
        self._checked.add(self._frame.key(each, self._forms))

    def _refused(self, reason: str) -> TypeError:
        return TypeError(f"{self.plan.name} cannot be compiled: {reason}. SyncVectorEnv runs it as it is")

    @property
    def _forms(self) -> Forms:
        """What is known of the params."""
        numpy = {name: places or frozenset() for name, places in self.numpy.items()}
        return Forms(self.shapes, numpy, self.sizes)

    def _may_be_laned(self, each: frozenset[str]) -> bool:
        return self._lanes and not self.plan.grows and in_lanes(self.plan, each)

    def functions(self, each: frozenset[str]) -> dict[str, int]:
        """Returns the addresses of the functions that step rows, by the slot of each.

        Args:
            each: The names of the param values that differ between environments.

        Raises:
            TypeError: If the dynamics cannot be compiled; it names the functions, the lines and the reasons.
        """
        self._check(each)
        laned = self._steps_of_lanes(each)
        if laned is None:
            return {"rows": self.address("step_row"), **self._alone(each)}
        return {"rows": self.address("step_rows"), "act": _rows(laned)}

    def single_functions(self, each: frozenset[str]) -> dict[str, int]:
        """Returns those that also step a single row on request."""
        self._check(each)
        return {"one_row": self.address("step_row"), **self._alone(each)}

    def _alone(self, each: frozenset[str]) -> dict[str, int]:
        return {"act_alone": self._frame.turn_rows(each | starts(self.plan, each), self._forms)}

    def first_functions(self, each: frozenset[str], start: frozenset[str]) -> dict[str, int]:
        """Returns those that begin episodes; `start` are the names of the params for first states that differ."""
        self._check(each)
        return {"begin": self._frame.begin_rows(each | start, self._forms, self._steps_of_lanes(each) is not None)}

    def text(self, each: frozenset[str], name: str = "step") -> str:
        """Returns the program of a function of `steps`, as a text."""
        in_lanes = self._lanes and self.in_lanes(each)
        if self.plan.outcome_type is None:
            self._check(each)
        return printed(self._frame.program(name, each, self._forms, in_lanes))

    def passed(self, each: frozenset[str]) -> Note:
        """Returns the note that these kernels have passed their trial."""
        self._check(each)
        text = self._frame.text(each, starts(self.plan, each), self._forms, self.in_lanes(each))
        return Note(text, sys.version, np.__version__)

    def in_lanes(self, each: frozenset[str]) -> bool:
        """Returns whether the compiled kernels step eight rows at a time."""
        self._check(each)
        return self._steps_of_lanes(each) is not None

    def _steps_of_lanes(self, each: frozenset[str]) -> Build | None:
        key = self._frame.key(each, self._forms)
        if key not in self._laned:
            self._laned[key] = None
            if self._may_be_laned(each) and self._frame.pays_in_lanes(each, self._forms):
                with suppress(NotInLanes):
                    self._laned[key] = self._frame.build("step", each, self._forms, lanes=True)
        return self._laned[key]


class Forms(NamedTuple):
    """The shapes of params that are arrays, by name, the places of those that are numbers of NumPy, and ints."""

    shapes: Shapes
    numpy: Numpy
    sizes: dict[str, int]


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
        self._decisive: set[str] = set()
        self._programs: dict[tuple[str, Key, bool], Program] = {}
        self._builds: dict[tuple[str, Key, bool], Build] = {}

    def key(self, each: frozenset[str], forms: Forms) -> Key:
        """Returns what programs depend on; ints among the params do not count unless they decide a shape."""
        sizes = {name: forms.sizes.get(name) for name in self._decisive}
        return each, tuple(
            sorted([*forms.shapes.items(), *forms.numpy.items(), *sizes.items()], key=lambda one: one[0])
        )

    def pays_in_lanes(self, each: frozenset[str], forms: Forms) -> bool:
        """Returns whether eight rows at a time are faster than one: not in loops, which each takes at its own pace."""
        return not has_loops(self.program("step", each, forms, lanes=True))

    def turn_rows(self, each: frozenset[str], forms: Forms) -> int:
        """Returns the address of `rows(context, low, high)`: `steps.turn`, or `steps.step` if no episode ends."""
        return _rows(self.build(self._others(in_lanes=False)[0], each, forms, lanes=False))

    def check(self, each: frozenset[str], start: frozenset[str], forms: Forms, lanes: bool) -> None:
        """Write the programs of steps and of the beginnings in them, and let another thread compile them.

        Raises:
            CannotCompile: If the language does not take the dynamics.
        """
        in_lanes = lanes and self.pays_in_lanes(each, forms)
        if in_lanes:
            with suppress(NotInLanes):
                self.build("step", each, forms, lanes=True).begin()
        for name in self._others(in_lanes):
            build = self.build(name, each | start, forms, lanes=False)
            if name != "begin" or not self._plan.endless:  # a policy begins no episodes
                build.begin()

    def _others(self, in_lanes: bool) -> tuple[str, ...]:
        """The programs beside that of steps in lanes, if there is one."""
        if in_lanes:
            return ("begin",)
        return ("step", "begin") if self._plan.endless else ("turn",)

    def begin_rows(self, each: frozenset[str], forms: Forms, lanes: bool) -> int:
        """Returns the address of `rows(context, low, high)`, which runs `steps.begin`.

        In a reset, `turn` does, too; behind a step in `lanes` it would step again.
        """
        known = not lanes and ("turn", self.key(each, forms), False) in self._builds
        return _rows(self.build("turn" if known else "begin", each, forms, lanes=False))

    def text(self, each: frozenset[str], start: frozenset[str], forms: Forms, lanes: bool) -> str:
        """Returns LLVM's text of all functions."""
        laned = self.build("step", each, forms, lanes=True).text if lanes else ""
        others = (self.build(name, each | start, forms, lanes=False).text for name in self._others(lanes))
        return laned + "".join(others)

    def build(self, name: str, each: frozenset[str], forms: Forms, lanes: bool) -> Build:
        """Returns a function of `steps` on its way to machine code.

        Raises:
            CannotCompile: If the language does not take the dynamics.
            NotInLanes: If they cannot be stepped eight at a time.
        """
        program = self.program(name, each, forms, lanes)
        key = name, self.key(each, forms), lanes
        if key not in self._builds:
            self._builds[key] = Build(program, lanes=lanes)
        return self._builds[key]

    def program(self, name: str, each: frozenset[str], forms: Forms, lanes: bool) -> Program:
        """Returns the program of a function of `steps`.

        Whether a step draws is known once it is written: if so, it is written again.
        """
        key = name, self.key(each, forms), lanes
        if key not in self._programs:
            program, draws = self._written(name, each, forms, lanes)
            if lanes and draws and not self._draws and not has_loops(program):
                self._draws = True
                program, _ = self._written(name, each, forms, lanes)
            key = name, self.key(each, forms), lanes
            self._programs[key] = program
        return self._programs[key]

    def _written(self, name: str, each: frozenset[str], forms: Forms, lanes: bool) -> tuple[Program, bool]:
        """A program, and whether it draws."""
        dynamics = Dynamics(self._func_env, self._plan, lanes, self._draws)
        fronts: list[FrontEnd] = []

        def write(front: FrontEnd, values: dict[str, Value]) -> Value:
            fronts.append(front)
            batch = Context(front, values["context"], self._plan, each, *forms).batch(starts=name != "step")
            row = Term(PYTHON[int], (values["row"],))
            result = front.call_function(getattr(steps, name), (constant(dynamics), batch, row), {})
            return front.convert(front.materialized(result).part, INT64)

        program = program_of(name, {"context": ADDRESS, "row": INT64}, write, row="row", together=True)
        (front,) = fronts
        self.is_loose |= front.is_loose
        self.narrows |= front.narrows
        self._decisive |= front.decisive
        return program, front.draws


def _rows(build: Build) -> int:
    """Returns the address of `rows(context, low, high)`, once it is compiled."""
    rows = build.machine().rows
    assert rows is not None
    return rows
