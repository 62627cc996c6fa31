"""Random functions of many statements, and what Python makes of each statement for each input."""

from __future__ import annotations

import ast
import linecache
import math
import random
import re
import signal
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from textwrap import indent
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np

from gymnasium.functional import ops
from tests.fuzz import expression_mixed as mixed
from tests.fuzz import expression_words as words
from tests.fuzz.expression_arguments import MADE, Record, inputs
from tests.fuzz.expression_arrays import ARRAYS
from tests.fuzz.expression_blocks import ODD_BLOCKS
from tests.fuzz.expression_idioms import IDIOM_BLOCKS, IDIOMS
from tests.fuzz.expression_numbers import NUMBERS
from tests.fuzz.expression_probe import is_accepted
from tests.fuzz.expression_writes import ARRAY_BLOCKS
from tests.fuzz.grammar import WRAPPED, Grammar, Item, Unfilled
from tests.fuzz.samples import LOCAL, kind_of
from tests.fuzz.words_blocks import Block

INPUTS = 192
STATEMENTS = 45
LARGEST = 2000  # numbers in an array
LONGEST = 8.0  # seconds of a statement, for all inputs
BLOCK = 3600  # statements of programs in a row that share templates and arguments, and helpers compiled for their types
SHARE = 0.3  # of the templates, in a block
DEPTH = 4  # of expressions in each other
NESTED = 0.75  # the chance that a number in an expression is another one
ALWAYS = ("V0", "T0", "I0", "B0")  # arguments of each block
OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.Subscript, ast.IfExp, ast.AugAssign)
SURE = 3  # verdicts of one kind on a template, after which it is not asked about again
ASKED_AGAIN = 0.1  # the chance of a template that seems to be refused always
_MISSING = object()

verdicts: dict[str, Counter[str]] = {}
"""By template, how often it was compiled as it is ("plain"), only as a float ("float"), or not at all ("refused")."""


def note(template: str, verdict: str) -> None:
    """Remember a verdict on a template."""
    verdicts.setdefault(template, Counter())[verdict] += 1


def expected(template: str) -> str:
    """Returns the verdict on a template that is all but sure; "" for none."""
    seen = verdicts.get(template, Counter())
    return next(iter(seen)) if len(seen) == 1 and seen.total() >= SURE else ""


class Side(IntEnum):
    """A global of the functions."""

    LEFT = 0
    RIGHT = 2


class Outcome(NamedTuple):
    """What a statement did in Python: it raised, or gave a value, of which 64 bits may be too few."""

    value: Any = None
    error: Exception | None = None

    @property
    def fits(self) -> bool:
        return self.error is None and fits(self.value)


@dataclass
class Statement:
    """A statement that gives `target` a value.

    Attributes:
        default: The text of a value for inputs of which it is left out.
        guarded: Whether it can be left out.
    """

    template: str
    target: str
    text: str
    default: str
    guarded: bool
    code: CodeType
    names: frozenset[str]

    @property
    def operations(self) -> int:
        """How many operators, calls, indices and conditions there are."""
        return sum(isinstance(node, OPERATIONS) for node in ast.walk(ast.parse(self.text)))


@dataclass
class Program:
    name: str
    calls: list[dict[str, Any]]
    statements: list[Statement] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    def arguments(self, statements: list[Statement]) -> list[str]:
        used = frozenset().union(*(statement.names for statement in statements))
        return [name for name in self.calls[0] if name in used]


def namespace() -> dict[str, Any]:
    """Returns the globals of the functions."""
    found: dict[str, Any] = {"np": np, "math": math, "ops": ops, "Record": Record}
    found |= {"G_D": {0: 0.5, 1: -0.0, 7: 3.0}, "G_P": {(0, 1): 2, (1, 1): -5}, "Side": Side}
    found |= {"G_S": {"gain": 1.5, "inner": {"count": 3}}}
    found |= {"G_F": 0.75, "G_I": 7, "G_T": (1.5, -2.0, 0.0), "G_A": np.array([0.5, -0.0, 3.0])}
    for name, text in words.HELPERS.items():
        place_source(f"<{name}>", text)
        exec(compile(text, f"<{name}>", "exec"), found)
    return found


def place_source(name: str, text: str) -> None:
    """Let tracebacks and refusals show the lines of a text."""
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name


GLOBALS = namespace()


def function_of(text: str, name: str) -> FunctionType:
    """Returns the function `program` of a text."""
    place_source(name, text)
    found = dict(GLOBALS)
    exec(compile(text, name, "exec"), found)
    return found["program"]  # type: ignore[no-any-return]


def source(statements: list[Statement], arguments: list[str]) -> tuple[str, list[range]]:
    """Returns the text of a function, and the lines of each statement."""
    lines = [f"def program({', '.join(['on', *arguments])}):"]
    places = []
    for k, one in enumerate(statements):
        begin = len(lines) + 1
        if one.guarded:
            lines += [f"    if on[{k}]:", *indent(one.text, " " * 8).splitlines()]
            lines += ["    else:", f"        {one.target} = {one.default}"]
        else:
            lines += indent(one.text, "    ").splitlines()
        places.append(range(begin, len(lines) + 1))
    targets = [one.target for one in statements]
    parts = [f"({', '.join(targets[k : k + 15])},)" for k in range(0, len(targets), 15)]
    lines.append(f"    return {', '.join(parts)},")
    return "\n".join(lines) + "\n", places


def fits(value: Any) -> bool:
    """Whether compiled code can hold a value."""
    if isinstance(value, tuple):
        return all(map(fits, value))
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind in "biuf"
    return type(value) in (bool, float) or (type(value) is int and -(2**63) <= value < 2**63)


def default_of(value: Any) -> str:
    """Returns the text of another value of the same type."""
    if isinstance(value, tuple):
        return f"({''.join(f'{default_of(part)}, ' for part in value)})"
    if isinstance(value, np.ndarray):
        return f"np.zeros({(1,) * value.ndim}, np.{'bool_' if value.dtype == bool else value.dtype})"
    if isinstance(value, (bool, np.bool_)):
        return "False"
    if isinstance(value, (int, np.int64)):
        return "0"
    return "0.0" if isinstance(value, float) else f"np.{value.dtype}({'0.0' if value.dtype.kind == 'f' else 0})"


class TooLong(Exception):
    """A statement that runs on and on."""


def _stop(*_: Any) -> None:
    raise TooLong


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `TooLong` after so much time."""
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def run(code: CodeType, target: str, values: dict[str, Any]) -> Outcome:
    """Execute a statement in Python."""
    values.pop(target, None)
    try:
        exec(code, values)
        return Outcome(values[target])
    except TooLong:
        raise
    except Exception as error:
        return Outcome(None, error)


def quiet() -> None:
    """Keep NumPy's warnings to itself."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")


class Focus:
    """The templates and arguments of a block of programs; all blocks together have all of them.

    Args:
        name: The name of a program, `seed-number`.
        statements: How many each program of the block has.
    """

    def __init__(self, name: str, statements: int) -> None:
        seed, _, number = name.rpartition("-")
        self._rng = random.Random(f"block {int(number) // (BLOCK // statements)} of {seed}")
        self.templates = [(self._some(found), weight) for found, weight in TEMPLATES]
        arrays = [name for name in MADE if name[0].isupper() and name not in (*ALWAYS, "X0", "Y0", "Z0", "P0")]
        chosen = self._rng.sample(arrays, len(arrays) // 3)
        self.arguments = [name for name in MADE if name not in arrays or name in chosen]

    def _some(self, templates: Sequence[Any]) -> list[Any]:
        return self._rng.sample(list(templates), max(6, int(SHARE * len(templates))))


TEMPLATES: tuple[tuple[Sequence[Any], int], ...] = (
    *((NUMBERS, 30), (ARRAYS, 26), (words.PLAIN, 10), (words.WILD, 3), (words.HELPED, 4)),
    *((IDIOMS, 20), (IDIOM_BLOCKS, 4)),
    *((ARRAY_BLOCKS, 8), (mixed.MIXED_BLOCKS, 9), (ODD_BLOCKS, 6), (words.PLAIN_BLOCKS, 4)),
)
"""Templates of statements, and how often they are taken."""


class Writer:
    """Writes one program."""

    def __init__(self, name: str, statements: int = STATEMENTS) -> None:
        quiet()
        self.rng = random.Random(name)
        self.focus = Focus(name, statements)
        self.wanted = statements
        self.program = Program(name, inputs(self.rng, list(MADE), INPUTS))
        self.samples = [{**GLOBALS, **call} for call in self.program.calls]
        raw = {"fp": "$f", "fm": "$f", "fu": "$f", "Dm": "$D", "Sm": "$S"}
        self.grammar = Grammar(self.rng, words.FLOATS, words.INTS, words.BOOLS, (*words.FLOATS, *words.INTS), True)
        self.grammar.nested = NESTED
        self.grammar.wrapped = {**WRAPPED, **(raw if self.rng.random() < 0.4 else {})}
        self._made = 0
        for name in self.focus.arguments:
            self._see(name)

    def _see(self, name: str) -> None:
        for text in (name, f"{name}.x", f"{name}.n", f"{name}.row") if name == "P0" else (name,):
            kind = kind_of(eval(text, self.samples[0]))
            if kind:
                self.grammar.items.append(Item(text, kind))

    def write(self) -> Program:
        """Returns the program."""
        for _ in range(12 * self.wanted):
            if len(self.program.statements) >= self.wanted:
                break
            template = self._template()
            text = template.text if isinstance(template, Block) else template
            try:
                self._add(text, isinstance(template, Block))
            except (Unfilled, TooLong):
                continue
        return self.program

    def _template(self) -> Any:
        choices = self.focus.templates
        (found,) = self.rng.choices([one for one, _ in choices], [weight for _, weight in choices])
        return self.rng.choice(found)

    def _add(self, template: str, is_block: bool) -> None:
        """Add a statement, if it has a value for enough inputs and is compiled."""
        if expected(template) == "refused" and self.rng.random() > ASKED_AGAIN:
            return
        target = f"r{self._made}"
        self._made += 1
        plain = template
        if is_block:
            template = template.replace("$e", self.rng.choice(mixed.MIXED_USES))
            text = self.grammar.filled(template.replace("$r", target), DEPTH - 1)
        else:
            text = f"{target} = {self.grammar.filled(template, DEPTH)}"
        text = LOCAL.sub(lambda match: f"{match[1]}_{self._made}", text)
        try:
            code = compile(text, "<statement>", "exec")
        except SyntaxError:
            return
        outcomes = self._outcomes(code, target)
        if not self._is_useful(outcomes):
            return
        sample = [outcome.fits for outcome in outcomes].index(True)
        verdict = expected(plain) or self._verdict(text, target, code, outcomes, sample)
        if verdict == "refused":
            note(plain, verdict)
            self.program.refused[template] += 1
            return
        if verdict == "float":
            text += f"\n{target} = float({target})"  # no tuple takes what may be an int or a float
            code = compile(text, "<statement>", "exec")
            outcomes = self._outcomes(code, target)
            if not self._is_useful(outcomes):
                return
        note(plain, verdict)
        fine = [outcome.value for outcome in outcomes if outcome.fits]
        guarded = len(fine) < len(outcomes) or not isinstance(fine[0], np.ndarray) or self.rng.random() < 0.3
        statement = Statement(plain, target, text, default_of(fine[0]), guarded, code, names_of(code))
        self.program.statements.append(statement)
        self._keep(statement, outcomes)

    def _outcomes(self, code: CodeType, target: str) -> list[Outcome]:
        with limited(LONGEST):
            return [run(code, target, dict(sample)) for sample in self.samples]

    def _verdict(self, text: str, target: str, code: CodeType, outcomes: list[Outcome], sample: int) -> str:
        """How a statement is compiled."""
        if self._is_accepted(text, target, names_of(code), sample):
            return "plain"
        text += f"\n{target} = float({target})"
        is_number = type(outcomes[sample].value) in (int, float)
        names = names_of(compile(text, "<statement>", "exec"))
        return "float" if is_number and self._is_accepted(text, target, names, sample) else "refused"

    def _is_useful(self, outcomes: list[Outcome]) -> bool:
        first = outcomes[0]
        if first.error is None and not kind_of(first.value) and not isinstance(first.value, tuple):
            return False
        fine = [outcome.value for outcome in outcomes if outcome.fits]
        if not fine or (len(fine) < len(outcomes) * 0.25 and self.rng.random() < 0.9):
            return False
        return all(one.size <= LARGEST for one in fine if isinstance(one, np.ndarray))

    def _is_accepted(self, text: str, target: str, names: frozenset[str], sample: int) -> bool:
        values = self.samples[sample]
        used = {name: values[name] for name in sorted(names - GLOBALS.keys() - {target}) if name in values}
        text = f"def program({', '.join(used)}):\n{indent(text, '    ')}\n    return ({target},)\n"
        return is_accepted(function_of(text, f"<{target}>"), used)

    def _keep(self, statement: Statement, outcomes: list[Outcome]) -> None:
        """Let later statements use the value of one."""
        target = statement.target
        default = eval(statement.default, dict(GLOBALS))
        for sample, outcome in zip(self.samples, outcomes, strict=True):
            sample[target] = outcome.value if outcome.fits else default
        kinds = {re.sub(r"\[.*", "", kind_of(outcome.value)) for outcome in outcomes if outcome.fits}
        kind = kind_of(self.samples[0][target])
        if kind and np.size(self.samples[0][target]) and len(kinds) == 1 and not kind.endswith("[]"):
            self.grammar.items.append(Item(target, kind))


def names_of(code: CodeType) -> frozenset[str]:
    """Returns the global names in a code, also those in its functions."""
    inner = (names_of(one) for one in code.co_consts if isinstance(one, CodeType))
    return frozenset(code.co_names).union(*inner)
