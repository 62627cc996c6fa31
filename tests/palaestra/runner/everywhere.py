"""Entries of the table in both forms of dynamics, a class and a `FuncEnv`, written from arguments that they draw."""

from __future__ import annotations

import copy
import linecache
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import numpy as np

import gymnasium
from gymnasium.functional import FuncEnv
from gymnasium.spaces import Box, Discrete
from palaestra.language.frontend.entry import function_program
from palaestra.language.frontend.refusals import CannotCompile, Refused
from palaestra.language.operations.table import Entry
from palaestra.language.program import BEYOND
from palaestra.language.types import Bounded, Either, Tuple, Type, type_of
from tests.palaestra.language.machines import machine_of
from tests.palaestra.language.operations.trying import Arguments, grouped, is_beyond, outcome, reference_of, same_object

DRAWS = 4
"""How many arguments an entry is called with; an action is the number of the next ones."""
_NUMBERS: dict[type, Any] = {bool: np.bool_, int: np.int64, float: np.float64}


@dataclass(frozen=True)
class Case:
    """An entry, and what it is called with.

    Attributes:
        entry: The entry.
        draws: Arguments for some calls, which Python takes and machine code, too.
        known: Further arguments, which must be constants.
        kind: The type of the results.
        result: The first one.
    """

    entry: Entry
    draws: list[Arguments]
    known: Arguments
    kind: Type
    result: Any


def case_of(entry: Entry) -> Case | None:
    """Returns an entry with arguments that a state can hold, and such a result, if it has any; None for no calls."""
    rest = None
    for draws in (10, 60):
        for draw in entry.tries:
            for group in grouped(draw, np.random.default_rng(0), draws, 9):
                case = None if any(map(_is_number_in_array, group[0])) else _case_of_group(entry, group)
                if case is not None and _is_plain(case):
                    return case
                rest = rest or case
    return rest


def _is_number_in_array(value: object) -> bool:
    return isinstance(value, np.ndarray) and not value.ndim


def _is_plain(case: Case) -> bool:
    return not isinstance(case.kind, Either) and "float16" not in f"{case.kind} {[*map(type_of, case.draws[0])]}"


def _case_of_group(entry: Entry, group: list[Arguments]) -> Case | None:
    """A case whose arguments are all in the state; or all but the first, or all, are constants, where they must be."""
    reference = reference_of(entry.called)
    for given in dict.fromkeys((len(group[0]), 1, 0)):
        known = group[0][given:]

        def called(*arguments: Any, known: Arguments = known) -> Any:
            return reference(*arguments, *known)

        alike = [one[:given] for one in group if repr(one[given:]) == repr(known)]
        found = [(one, outcome(lambda one=one: called(*copy.deepcopy(one)))) for one in alike]
        found = [(one, result) for one, result in found if not is_beyond(result)]
        try:
            kind = function_program(called, [*map(type_of, group[0][:given])])[1] if found else None
        except (Refused, CannotCompile):
            continue
        if entry.note and found:
            found = _within(machine_of(called, *group[0][:given]), found)
        if found and kind is not None:
            return Case(entry, [one for one, _ in found][:DRAWS], known, kind, found[0][1][1])
    return None


def _within(machine: Any, found: list[tuple[Arguments, Any]]) -> list[tuple[Arguments, Any]]:
    """Those that machine code takes."""
    return [
        (one, result)
        for one, result in found
        if outcome(lambda one=one: machine(*copy.deepcopy(one))) != ("raises", BEYOND)
    ]


class Program:
    """The text of a step that calls entries with arguments from the state, and keeps what they return.

    Args:
        cases: The entries.
        state: What holds the arguments.
        stream: The generator.

    Attributes:
        names: What the text names.
        arguments: The expression of each argument, where `k` is the number of the call.
        lines: The statements that call.
        results: The expression of each result, and a value of its type.
    """

    def __init__(self, cases: Sequence[Case], state: str, stream: str) -> None:
        self._state, self._stream = state, stream
        self.names: dict[str, Any] = {"np": np, "gymnasium": gymnasium, "FuncEnv": FuncEnv, "NamedTuple": NamedTuple}
        self.names |= {"Any": Any, "Box": Box, "Discrete": Discrete, "__name__": "everywhere"}
        self.arguments: dict[str, str] = {}
        self.lines: list[str] = []
        self.results: dict[str, tuple[str, Any]] = {}
        self._checks: list[str] = []
        for k, case in enumerate(cases):
            self._call(str(k), case)
        kinds = " | ".join(f"({check}) << {k}" for k, check in enumerate(self._checks))
        self.results["kinds"] = f"int({kinds})", 0

    def made(self, text: str) -> Any:
        """Returns the class `Everywhere` of a text, which has a file of its own."""
        file = f"<everywhere {next(_files)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec"), self.names)
        return self.names["Everywhere"]

    def first(self) -> dict[str, str]:
        """Returns the expressions of the first state."""
        found = {name: text.replace("[k]", "[0]") for name, text in self.arguments.items()}
        for name, (_, value) in self.results.items():
            found[name] = self._named(f"Z{name}", _another(value)) + (".copy()" if np.ndim(value) else "")
        return found

    def next(self) -> dict[str, str]:
        """Returns the expressions of the state after a step."""
        return self.arguments | {name: text for name, (text, _) in self.results.items()}

    def _named(self, name: str, value: object) -> str:
        self.names[name] = value
        return name

    def _call(self, k: str, case: Case) -> None:
        columns = [*zip(*case.draws, strict=True)]
        texts = [self._argument(f"a{k}_{j}", column) for j, column in enumerate(columns)]
        changed = [j for j in range(len(texts)) if any(_changes(case, one, j) for one in case.draws)]
        for j in changed:  # in place, where a class does it with its attributes, and a `FuncEnv` with copies
            self.lines.append(f"m{k}_{j} = {texts[j]}{'.copy()' if self._state == 'state' else ''}")
            texts[j] = f"m{k}_{j}"
        texts += [self._named(f"K{k}_{j}", value) for j, value in enumerate(case.known)]
        reference = reference_of(case.entry.called)
        if columns and isinstance(columns[0][0], np.random.Generator):
            self.lines.append(f"r{k} = {self._stream}.{reference.__name__}({', '.join(texts[1:])})")
        else:
            self.lines.append(f"r{k} = {self._named(f'F{k}', reference)}({', '.join(texts)})")
        self._result(f"r{k}", f"r{k}", case.kind, case.result)
        for j in changed:
            self.results[f"m{k}_{j}"] = f"m{k}_{j}.copy()", columns[j][0]

    def _argument(self, name: str, values: Sequence[Any]) -> str:
        """Keep arguments of several calls; returns the expression of one."""
        value = values[0]
        if isinstance(value, tuple):
            parts = [self._argument(f"{name}_{j}", part) for j, part in enumerate(zip(*values, strict=True))]
            return f"({''.join(f'{part}, ' for part in parts)})"
        if not isinstance(value, (np.ndarray, np.generic, bool, int, float)):
            return self._named(f"C{name}", value)
        dtype = value.dtype if isinstance(value, (np.ndarray, np.generic)) else _NUMBERS[type(value)]
        table = self._named(f"T{name}", np.array([values[k % len(values)] for k in range(DRAWS)], dtype))
        self.arguments[name] = f"{type(value).__name__}({table}[k])" if type(value) in _NUMBERS else f"{table}[k]"
        if isinstance(value, np.ndarray):
            self.arguments[name] += ".copy()"
        return f"{self._state}.{name}"

    def _result(self, name: str, text: str, kind: Type | None, value: Any) -> None:
        """Keep a result, or its parts; and whether the types are Python's."""
        if isinstance(value, (tuple, list)):
            kinds: Sequence[Type | None] = kind.items if isinstance(kind, Tuple) else [None] * len(value)
            for j, (one, part) in enumerate(zip(kinds, value, strict=True)):
                self._result(f"{name}_{j}", f"{text}[{j}]", one, part)
        elif isinstance(kind, Bounded):
            room = np.zeros(kind.most, value.dtype)
            self._checks.append(f"{text}.dtype == {self._named(f'R{name}', room)}.dtype")
            ends = [f"{text}.shape[{axis}]" for axis in range(room.ndim)]
            self.lines += [f"p{name} = R{name}.copy()", f"p{name}[{', '.join(f':{end}' for end in ends)}] = {text}"]
            self.results |= {f"{name}_{axis}": (end, 0) for axis, end in enumerate(ends)}
            self.results[f"{name}_items"] = f"p{name}", room
        elif isinstance(value, np.ndarray):
            self.results[name] = text, value
        elif isinstance(value, (bool, int, float, np.generic)):
            self._checks.append(f"type({text}) is {self._named(f'Y{name}', type(value))}")
            self.results[name] = text, value
        else:
            self._checks.append(f"{text} is {self._named(f'Y{name}', value)}")


_files: Iterator[int] = count()


def _changes(case: Case, arguments: Arguments, j: int) -> bool:
    """Returns whether a call changes its argument j."""
    given = copy.deepcopy(arguments)
    outcome(lambda: reference_of(case.entry.called)(*given, *case.known))
    return isinstance(given[j], np.ndarray) and not same_object(given[j], arguments[j])


def _another(value: Any) -> Any:
    """Another value of the same type: an attribute that always held one would be a constant."""
    if isinstance(value, np.ndarray):
        return np.zeros_like(value)
    return type(value)(not value)


def _indented(*lines: str) -> str:
    return "".join(f"        {line}\n" for line in lines)


_SPACES = f"""\
    observation_space = Box(-1.0, 1.0, (1,), np.float64)
    action_space = Discrete({DRAWS})
"""


def class_of(cases: Sequence[Case]) -> Any:
    """Returns a class of environments, whose `seen` returns its attributes."""
    program = Program(cases, "self", "self.np_random")
    first, then = program.first(), program.next()
    return program.made(
        f"class Everywhere(gymnasium.Env):\n{_SPACES}    def reset(self, *, seed=None, options=None):\n"
        + _indented("super().reset(seed=seed)", *(f"self.{name} = {text}" for name, text in first.items()))
        + _indented("return np.zeros(1), {}")
        + "    def step(self, action):\n"
        + _indented("k = int(action)", *program.lines, *(f"self.{name} = {text}" for name, text in then.items()))
        + _indented("return np.zeros(1), 0.0, False, False, {}")
        + "    def seen(self):\n"
        + _indented(f"return {{{', '.join(f'{name!r}: self.{name}' for name in first)}}}")
    )


_OTHERS = """\
    @staticmethod
    def observation(state, rng, params):
        return np.zeros(1)
    @staticmethod
    def reward(state, action, next_state, rng, params):
        return 0.0
    @staticmethod
    def terminal(state, rng, params):
        return False
"""


def dynamics_of(cases: Sequence[Case]) -> Any:
    """Returns a `FuncEnv`."""
    program = Program(cases, "state", "rng")
    first, then = program.first(), program.next()
    return program.made(
        "class State(NamedTuple):\n"
        + "".join(f"    {name}: Any\n" for name in first)
        + f"class Everywhere(FuncEnv):\n{_SPACES}{_OTHERS}    @staticmethod\n    def initial(rng, params):\n"
        + _indented(f"return State({', '.join(f'{name}={text}' for name, text in first.items())})")
        + "    @staticmethod\n    def transition(state, action, rng, params):\n"
        + _indented("k = int(action)", *program.lines)
        + _indented(f"return State({', '.join(f'{name}={text}' for name, text in then.items())})")
    )()
