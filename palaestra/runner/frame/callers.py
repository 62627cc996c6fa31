"""The calls of `calls` in machine code, for batches with actions of one form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Any

from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.multi_binary import MultiBinary
from gymnasium.spaces.multi_discrete import MultiDiscrete
from palaestra.language.frontend.entry import program_of
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.llvm.calls import Caller
from palaestra.language.llvm.engine import Build, caller
from palaestra.language.program import INT64, Program, Value
from palaestra.language.types import PYTHON, Term, constant
from palaestra.runner.frame import calls
from palaestra.runner.frame.calls import PARAMETERS, Form
from palaestra.runner.kernels.layout import Layout
from palaestra.runner.kernels.plan import Plan


class Calls:
    """The calls of a plan; each is compiled when it is first needed.

    With `many` rows, fast loops over them are worth four times the time that it takes to compile others.
    """

    def __init__(self, plan: Plan) -> None:
        self._form = form_of(plan)
        self._builds: dict[tuple[str, bool], tuple[Build, int]] = {}

    def get(self, name: str, many: bool = False) -> Caller:
        """Returns a call as a callable of words and of arrays, whose addresses it passes on."""
        return caller(self.address(name, many), PARAMETERS[name])

    def address(self, name: str, many: bool = False) -> int:
        """Returns the address of a call."""
        self._build((name,), many)
        build, k = self._builds[name, many]
        return build.machine(k).address

    def begin(self, names: Sequence[str], many: bool = False) -> None:
        """Let another thread compile calls."""
        build = self._build(names, many)
        if build:
            build.begin()

    def _build(self, names: Sequence[str], many: bool) -> Build | None:
        """Compile calls together, but for those that are; returns None if all are."""
        new = tuple(name for name in names if (name, many) not in self._builds)
        if not new:
            return None
        build = _build(new, self._form._replace(places=None), tuple(self._form.places.items()), many)
        self._builds |= {(name, many): (build, k) for k, name in enumerate(new)}
        return build


@cache
def _build(names: tuple[str, ...], form: Form, places: tuple[tuple[str, int], ...], many: bool) -> Build:
    known = constant(form._replace(places=dict(places)))
    return Build(*(_program(name, known) for name in names), loops="long" if many else "short")


def _program(name: str, form: Term) -> Program:
    def write(front: FrontEnd, values: dict[str, Value]) -> Value:
        words = [Term(PYTHON[int], (value,)) for value in values.values()]
        term = front.materialized(front.call_function(getattr(calls, name), (form, *words), {}))
        return front.convert(term.part, INT64)

    parameters = {f"word{k}": INT64 for k in range(PARAMETERS[name])}
    return program_of(name, parameters, write)


WORDS = (
    *("n", "rows", "one_row", "act", "act_alone", "begin", "mask", "failed", "copies", "table", "some", "mode"),
    *("actions", "padded_actions", "lowest", "highest", "checked", "episode_returns", "begun"),
    *("finished", "fresh", "skipped", "terminations", "truncations", "rewards"),
)
"""The words of `context` that calls read and write."""


def form_of(plan: Plan) -> Form:
    """Returns the form of a plan's batch."""
    slots, action = Layout(plan).slots, plan.action
    space: Any = plan.action_space
    check, ranges = "none", ()
    if isinstance(space, Discrete):
        check = "discrete"
    elif isinstance(space, MultiDiscrete | MultiBinary):
        check, ranges = "parts", tuple(_ranges(space))
    elif action.dtype.kind == "f":
        check = "floats"
    places = {name: slots[name] for name in WORDS}
    return Form(places, action.dtype, math.prod(action.shape), check, ranges, plan.grows)


def _ranges(space: MultiDiscrete | MultiBinary) -> Any:
    """Yields the numbers of an action from one on, up to another, that have one lowest and one highest value."""
    if isinstance(space, MultiBinary):
        bounds = [(0, 1)] * math.prod(space.shape)
    else:
        starts = [int(start) for start in space.start.ravel()]
        bounds = [(low, low + int(n) - 1) for low, n in zip(starts, space.nvec.ravel(), strict=True)]
    end = 0
    for (low, high), alike in groupby(bounds):
        first, end = end, end + len(list(alike))
        yield first, end, low, high
