"""Compares a compiled function with Python, statement by statement, for many inputs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from palaestra.language.jit.backend import numba, types
from tests.fuzz.bits import number_gaps
from tests.fuzz.expression_probe import LOWERING, forget
from tests.fuzz.expression_programs import (
    GLOBALS,
    LONGEST,
    Outcome,
    Program,
    Statement,
    TooLong,
    function_of,
    limited,
    note,
    run,
    source,
)

_LINE = re.compile(r"line (\d+)|> \((\d+)\)")
ROUNDS = 20


class Difference(NamedTuple):
    """A statement that gives something else compiled than in Python, without a word."""

    statement: Statement
    call: int
    ours: str
    theirs: str


@dataclass
class Tally:
    """What was compared.

    Attributes:
        expressions: Operators, calls, indices and conditions in the statements.
        evaluations: Statements times inputs, less those that raise.
        refusals: By template, how often compiled code raised where Python goes on.
        others: By template and exceptions, how often it raised another one than Python.
    """

    programs: int = 0
    statements: int = 0
    expressions: int = 0
    evaluations: int = 0
    raised: int = 0
    lost: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        for name in ("programs", "statements", "expressions", "evaluations", "raised", "lost"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.refused += other.refused
        self.refusals += other.refusals
        self.others += other.others


def differences(ours: Any, kind: Any, theirs: Any) -> Iterator[tuple[str, str]]:
    """Yields where a value of compiled code, of Numba's type `kind`, is not Python's.

    None is mixed, an int in Python and an equal float in machine code: programs make floats of such values.
    """
    if isinstance(kind, types.BaseTuple):
        if not isinstance(theirs, tuple) or len(theirs) != len(kind):
            yield repr(ours), repr(theirs)
            return
        for one, part, other in zip(ours, kind, theirs, strict=True):
            yield from differences(one, part, other)
    elif isinstance(kind, types.Array):
        if not isinstance(theirs, np.ndarray) or not _same(ours, theirs):
            yield repr(ours), repr(theirs)
    elif isinstance(kind, (types.Number, types.Boolean)):
        if not isinstance(theirs, (bool, int, float, np.generic)):
            yield f"{ours!r} ({kind})", repr(theirs)
            return
        is_bool = isinstance(kind, types.Boolean)
        a = np.bool_(ours) if is_bool else getattr(np, str(numba.types.unliteral(kind)))(ours)
        if not _same(a, np.asarray(theirs)[()]):
            yield f"{ours!r} ({kind})", f"{theirs!r} ({type(theirs).__name__})"
    else:
        yield f"{ours!r} ({kind})", repr(theirs)


def _same(a: Any, b: Any) -> bool:
    return next(number_gaps(a, b, ""), None) is None


class Compiled:
    """A function and its machine code.

    Raises:
        Exception: If it is refused.
    """

    def __init__(self, text: str, name: str, arguments: list[Any]) -> None:
        self.dispatcher = LOWERING.function(function_of(text, name))
        try:
            self.dispatcher.compile(tuple(numba.typeof(one) for one in arguments))
        finally:
            forget()
        (made,) = self.dispatcher.overloads.values()
        self.kind = made.signature.return_type
        # All calls have arguments of the same types, which Numba would look up for longer than the function takes.
        self.call = made.entry_point


class Duel:
    """One program against Python."""

    def __init__(self, program: Program) -> None:
        self.program, self.statements = program, list(program.statements)
        self.found: list[Difference] = []
        self.tally = Tally(programs=1, refused=Counter(program.refused))

    def fight(self) -> None:
        """Compile, dropping what is refused, and compare."""
        while self.statements:
            try:
                names = self.program.arguments(self.statements)
                text, places = source(self.statements, names)
                call = self.program.calls[0]
                on = (True,) * len(self.statements)
                self.compiled = Compiled(text, f"<{self.program.name}>", [on, *(call[name] for name in names)])
                break
            except Exception as error:
                self._drop(str(error), places)
        else:
            return
        self.tally.statements += len(self.statements)
        self.tally.expressions += sum(one.operations for one in self.statements)
        self._names = names
        for k in range(len(self.program.calls)):
            try:
                with limited(LONGEST):
                    self._compare(k)
            except TooLong:
                self.tally.lost += 1

    def _drop(self, told: str, places: list[range]) -> None:
        lines = {int(one or other) for one, other in _LINE.findall(told)}
        bad = [k for k, place in enumerate(places) if lines & set(place)]
        gone = {self.statements[k].target for k in bad} or {self.statements[-1].target}
        for one in self.statements:
            if one.target in gone:
                self.tally.refused[one.template] += 1
                note(one.template, "refused")
        for one in self.statements:
            if gone & one.names - {one.target}:
                gone.add(one.target)
        self.statements = [one for one in self.statements if one.target not in gone]

    def _python(self, call: int, off: set[int]) -> list[Outcome]:
        values = {**GLOBALS, **self.program.calls[call]}
        outcomes = []
        for k, one in enumerate(self.statements):
            outcome = Outcome(None, RuntimeError()) if k in off else run(one.code, one.target, values)
            if not outcome.fits:
                values[one.target] = eval(one.default, dict(GLOBALS))
            outcomes.append(outcome)
        return outcomes

    def _call(self, call: int, on: list[bool]) -> Any:
        inputs = self.program.calls[call]
        return self.compiled.call(tuple(on), *(inputs[name] for name in self._names))

    def _error(self, call: int, on: list[bool]) -> Exception | None:
        try:
            self._call(call, on)
        except Exception as error:
            return error
        return None

    def _compare(self, call: int) -> None:
        off: set[int] = set()
        for _ in range(ROUNDS):
            outcomes = self._python(call, off)
            on = [outcome.fits for outcome in outcomes]
            if any(not here and not one.guarded for here, one in zip(on, self.statements, strict=True)):
                break
            try:
                result = self._call(call, on)
            except Exception as error:
                culprit = self._culprit(call, on)
                if culprit is None:
                    break
                self.tally.refusals[f"{type(error).__name__}: {self.statements[culprit].template}"] += 1
                off.add(culprit)
                continue
            self._check(call, result, outcomes, on)
            self._check_errors(call, outcomes, on, off)
            return
        self.tally.lost += 1

    def _culprit(self, call: int, on: list[bool]) -> int | None:
        """The statement that raises in compiled code only, if it can be left out."""
        for k in range(len(on)):
            if on[k] and self.statements[k].guarded:
                some = [*on[: k + 1], *[False] * (len(on) - k - 1)]
                without = [*on[:k], *[False] * (len(on) - k)]
                if self._error(call, some) and not self._error(call, without):
                    return k
        return None

    def _check(self, call: int, result: Any, outcomes: list[Outcome], on: list[bool]) -> None:
        values = [one for part in result for one in part]
        kinds = [one for part in self.compiled.kind for one in part]
        wrong: set[str] = set()  # what follows from a difference is none of its own
        for one, ours, kind, outcome, here in zip(self.statements, values, kinds, outcomes, on, strict=True):
            if one.names & wrong:
                wrong.add(one.target)
            elif here:
                self.tally.evaluations += 1
                for a, b in differences(ours, kind, outcome.value):
                    self.found.append(Difference(one, call, a, b))
                    wrong.add(one.target)
                    break

    def _check_errors(self, call: int, outcomes: list[Outcome], on: list[bool], off: set[int]) -> None:
        for k, outcome in enumerate(outcomes):
            if on[k] or k in off:
                continue
            self.tally.raised += 1
            error = self._error(call, [*on[:k], True, *[False] * (len(on) - k - 1)])
            if error is None:
                theirs = f"raises {outcome.error!r}" if outcome.error else repr(outcome.value)
                self.found.append(Difference(self.statements[k], call, "goes on", theirs))
            elif outcome.error is not None and type(error) is not type(outcome.error):
                pair = f"{type(error).__name__} for {type(outcome.error).__name__}"
                self.tally.others[f"{pair}: {self.statements[k].template}"] += 1
