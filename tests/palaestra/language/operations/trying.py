"""Trying entries of the table: arguments are drawn, and machine code is compared with what Python calls."""

from __future__ import annotations

import copy
import inspect
import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from palaestra.language.frontend.refusals import CannotCompile, Refused
from palaestra.language.llvm.lanes import NotInLanes
from palaestra.language.operations.arithmetic import UFUNCS
from palaestra.language.operations.table import Entry, Tries
from palaestra.language.program import BEYOND
from palaestra.language.types import type_of
from tests.palaestra.language.machines import Failed, lanes_of, machine_of, same
from tests.thorough import THOROUGH

Machine: TypeAlias = "Callable[..., Any]"
Arguments: TypeAlias = "tuple[Any, ...]"
Outcome: TypeAlias = "tuple[str, Any]"


@dataclass
class Tried:
    """What came of trying an entry.

    Attributes:
        runs: The calls that were compared.
        beyond: Those that machine code left to Python.
        in_lanes: The programs that were compared in lanes, too.
        refused: The types of arguments that were refused, with reasons.
        differences: What differed.
        tries_lanes: Whether a program is compared in lanes, too: one of the first of several groups.
        of_parts: Whether arrays are slices: one item that is broadcast may be left to Python.
    """

    runs: int = 0
    beyond: int = 0
    in_lanes: int = 0
    refused: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    tries_lanes: bool = True
    of_parts: bool = False


def tried(entry: Entry, seed: int = 0, draws: int = 30, groups: int = 3, of_parts: bool = False) -> Tried:
    """Returns what came of trying an entry.

    Args:
        entry: The entry.
        seed: The seed of the arguments.
        draws: How many arguments are drawn from each of the entry's `tries`.
        groups: For how many types of arguments at most, for each of `tries`, programs are compiled.
        of_parts: Whether the first argument is an array whose length is found: a slice of what is drawn.
    """
    result = Tried(of_parts=of_parts)
    reference = reference_of(entry.called)
    if of_parts:
        reference = _of_part(reference)
    for draw in map(_with_end, entry.tries) if of_parts else entry.tries:
        for k, group in enumerate(grouped(draw, np.random.default_rng(seed), draws, groups)):
            result.tries_lanes = k == 0
            _try_group(entry, reference, group, result)
    return result


def reference_of(called: Any) -> Callable[..., Any]:
    """Returns the function of Python that an entry's key stands for."""
    if isinstance(called, tuple):
        first, kind = called[0], called[-1]
        if kind == "in place":
            return next((in_place(one) for one, ufunc in UFUNCS.items() if first in (one, ufunc)), first)
        return first  # type: ignore[no-any-return]
    if inspect.isgetsetdescriptor(called) or inspect.ismemberdescriptor(called):
        name = called.__name__
        return lambda x: getattr(x, name)
    return called  # type: ignore[no-any-return]


def _of_part(called: Any) -> Callable[..., Any]:
    """A function of an array, of where a slice of it ends, and of other arguments; and of that slice."""

    def of_part(a: Any, n: int, *rest: Any) -> Any:
        return called(a[:n], *rest)

    return of_part


def _with_end(draw: Tries) -> Tries:
    """Draws where a slice of the first argument ends, too, which is made an array with axes."""

    def drawn(rng: np.random.Generator) -> Arguments:
        first, *rest = draw(rng)
        row = np.atleast_1d(first)
        return row, int(rng.integers(-len(row) - 1, len(row) + 2)), *rest

    return drawn


def name_of(called: Any) -> str:
    """Returns the name of an entry's key."""
    parts = called if isinstance(called, tuple) else (called,)
    return ".".join(getattr(one, "__qualname__", getattr(one, "__name__", str(one))) for one in parts)


def in_place(one: Any) -> Any:
    """Returns the operator in place of another."""
    return getattr(operator, f"i{one.__name__.strip('_')}")


def grouped(draw: Tries, rng: np.random.Generator, draws: int, groups: int) -> Iterator[list[tuple[Any, ...]]]:
    """Yields drawn arguments of the same types, the most frequent ones first."""
    found: dict[Any, list[tuple[Any, ...]]] = {}
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(draws):
            arguments = draw(rng)
            found.setdefault(tuple(map(type_of, arguments)), []).append(arguments)
    yield from sorted(found.values(), key=len, reverse=True)[:groups]


def _try_group(entry: Entry, reference: Callable[..., Any], group: Sequence[Arguments], result: Tried) -> None:
    try:
        _try_program(entry, reference, group, len(group[0]), result)
    except (Refused, CannotCompile) as refused:
        _try_with_constants(entry, reference, group, result, str(refused))


def _try_with_constants(
    entry: Entry, reference: Callable[..., Any], group: Sequence[Arguments], result: Tried, reason: str
) -> None:
    """Arguments that must be known: all but the first, or all, are constants, of a program for each of a few draws."""
    for count in (1, 0) if len(group[0]) > 1 else (0,):
        several: dict[str, list[Arguments]] = {}
        for arguments in group:
            several.setdefault(repr(arguments[count:]), []).append(arguments)
        before = result.runs
        for alike in [*several.values()][: 4 if THOROUGH else 2]:
            try:
                _try_program(entry, reference, alike, count, result)
            except (Refused, CannotCompile) as refused:
                reason = str(refused)
        if result.runs > before:
            return
    result.refused.append(f"{', '.join(str(type_of(one)) for one in group[0])}: {reason}")


def _try_program(
    entry: Entry, reference: Callable[..., Any], group: Sequence[Arguments], count: int, result: Tried
) -> None:
    """Compare a program whose first `count` arguments are given, and the others constants."""
    known = group[0][count:]

    def called(*given: Any) -> Any:
        return reference(*given, *known)

    machine = machine_of(called, *group[0][:count])
    outcomes = [_compared(entry, called, machine, arguments[:count], result) for arguments in group]
    if count and result.tries_lanes and not result.differences:
        _compare_lanes(called, [arguments[:count] for arguments in group], outcomes, result)


def _compared(
    entry: Entry, called: Callable[..., Any], machine: Machine, arguments: Arguments, result: Tried
) -> Outcome:
    """Compare one row with Python; returns what came of it."""
    result.runs += 1
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    expected = outcome(lambda: _returned(called(*theirs)))
    given = outcome(lambda: machine(*ours))
    if given == ("raises", BEYOND):
        result.beyond += 1
        if is_beyond(expected) or entry.note or result.of_parts:
            return given
    text = ", ".join(repr(one) for one in arguments)
    if not same_outcome(given, expected):
        result.differences.append(f"({text}): {_short(given)}, but Python {_short(expected)}")
    elif given[0] == "returns" and not all(map(_same_after, ours, theirs)):
        result.differences.append(f"({text}): the arguments are {ours} behind it, but for Python {theirs}")
    return given


def _compare_lanes(
    called: Callable[..., Any], group: Sequence[Arguments], outcomes: Sequence[Outcome], result: Tried
) -> None:
    """Compare rows that are run eight at a time with the same rows run alone.

    No frame runs loops so, and the tests of lanes have some: only a thorough run compiles those of each entry.
    """
    try:
        lanes = lanes_of(called, *group[0], loops=THOROUGH)
    except NotInLanes:
        return
    result.in_lanes += 1
    result.tries_lanes = THOROUGH
    for arguments, given, expected in zip(group, lanes(copy.deepcopy(group)), outcomes, strict=True):
        alike = given is Failed if expected[0] == "raises" else same_outcome(("returns", given), expected)
        if not alike:
            result.differences.append(f"{arguments}: in lanes {given!r}, but alone {_short(expected)}")


def same_outcome(given: Outcome, expected: Outcome) -> bool:
    """Returns whether two calls came to the same."""
    return given[0] == expected[0] and same_object(given[1], expected[1])


def _short(given: Any) -> str:
    return f"{given[0]} {given[1]!r} ({type(given[1]).__name__})"


def outcome(call: Callable[[], Any]) -> Outcome:
    """Returns what a call returns, or the name of what it raises."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return "returns", call()
        except Failed as failed:
            return "raises", failed.args[0]
        except Exception as error:
            return "raises", type(error).__name__.lstrip("_")


def _returned(value: Any) -> Any:
    """An object as `machine_of` returns it: lists are tuples."""
    if isinstance(value, list) or type(value) is tuple:
        return tuple(map(_returned, value))
    return value


def is_beyond(expected: Outcome) -> bool:
    """Returns whether Python raises, or returns an int beyond 64 bits or a complex number."""
    kind, value = expected
    if kind == "raises":
        return True
    values = value if isinstance(value, tuple) else (value,)
    return any(isinstance(one, complex) or (type(one) is int and not -(2**63) <= one < 2**63) for one in values)


def same_object(one: Any, other: Any) -> bool:
    """Returns whether two results are the same; objects that are no numbers are compared by `==`."""
    if isinstance(one, (tuple, np.ndarray, np.generic, float)) or isinstance(
        other, (tuple, np.ndarray, np.generic, float)
    ):
        return same(one, other)
    return type(one) is type(other) and bool(one == other)


def _same_after(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return same(one, other)
    if isinstance(one, np.random.Generator):
        return one.bit_generator.state == other.bit_generator.state
    return True
