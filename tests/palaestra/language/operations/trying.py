"""Trying entries of the table: arguments are drawn, and machine code is compared with what Python calls."""

from __future__ import annotations

import copy
import inspect
import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from palaestra.language.frontend.refusals import CannotCompile, Refused
from palaestra.language.operations.arithmetic import UFUNCS
from palaestra.language.operations.integers import BEYOND
from palaestra.language.operations.table import Entry, Tries
from palaestra.language.types import Constant, Type, type_of
from tests.palaestra.language.machines import Failed, machine_of, same

Machine = Callable[..., Any]


@dataclass
class Tried:
    """What came of trying an entry: runs, groups that were refused with reasons, and differences."""

    runs: int = 0
    beyond: int = 0
    refused: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def tried(entry: Entry, seed: int = 0, draws: int = 30, groups: int = 3) -> Tried:
    """Returns what came of trying an entry.

    Args:
        entry: The entry.
        seed: The seed of the arguments.
        draws: How many arguments are drawn from each of the entry's `tries`.
        groups: For how many types of arguments at most, for each of `tries`, programs are compiled.
    """
    result = Tried()
    reference = reference_of(entry.called)
    for draw in entry.tries:
        for group in grouped(draw, np.random.default_rng(seed), draws, groups):
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


def _try_group(entry: Entry, reference: Callable[..., Any], group: Sequence[tuple[Any, ...]], result: Tried) -> None:
    try:
        machine = _compiled(reference, group[0], constants_from=len(group[0]))
    except (Refused, CannotCompile) as refused:
        _try_with_constants(entry, reference, group, result, str(refused))
        return
    for arguments in group:
        _compare(entry, reference, machine, arguments, result)


def _try_with_constants(
    entry: Entry, reference: Callable[..., Any], group: Sequence[tuple[Any, ...]], result: Tried, reason: str
) -> None:
    """Arguments that must be known: all but the first are constants of a program for each of a few draws."""
    machines: dict[str, Machine] = {}
    for arguments in group:
        key = repr(arguments[1:])
        try:
            if key not in machines and len(machines) < 4 and len(arguments) > 1:
                machines[key] = _compiled(reference, arguments, constants_from=1)
        except (Refused, CannotCompile) as refused:
            reason = str(refused)
        if key in machines:
            _compare(entry, reference, machines[key], arguments, result)
    if not machines:
        result.refused.append(f"{', '.join(str(type_of(one)) for one in group[0])}: {reason}")


def _compiled(reference: Callable[..., Any], arguments: tuple[Any, ...], constants_from: int) -> Machine:
    """Returns machine code of a call, whose arguments from a number on are constants."""
    known = tuple(_frozen(one) for one in arguments[constants_from:])

    def called(*given: Any) -> Any:
        return reference(*given, *known)

    machine = machine_of(called, *arguments[:constants_from])
    return lambda *given: machine(*given[:constants_from])


def _frozen(one: Any) -> Any:
    return one


def _compare(
    entry: Entry, reference: Callable[..., Any], machine: Machine, arguments: tuple[Any, ...], result: Tried
) -> None:
    result.runs += 1
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    expected = outcome(lambda: _returned(reference(*theirs)))
    given = outcome(lambda: machine(*ours))
    if given == ("raises", BEYOND):
        result.beyond += 1
        if is_beyond(expected) or entry.note:
            return
    if given[0] != expected[0] or not same_object(given[1], expected[1]):
        text = ", ".join(repr(one) for one in arguments)
        result.differences.append(f"({text}): {_short(given)}, but Python {_short(expected)}")
    elif given[0] == "returns" and not all(map(_same_after, ours, theirs)):
        result.differences.append(f"{arguments}: the arguments are {ours} behind it, but for Python {theirs}")


def _short(given: Any) -> str:
    return f"{given[0]} {given[1]!r} ({type(given[1]).__name__})"


def outcome(call: Callable[[], Any]) -> tuple[str, Any]:
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


def is_beyond(expected: tuple[str, Any]) -> bool:
    """Returns whether Python raises, or returns an int beyond 64 bits."""
    kind, value = expected
    if kind == "raises":
        return True
    values = value if isinstance(value, tuple) else (value,)
    return any(type(one) is int and not -(2**63) <= one < 2**63 for one in values)


def same_object(one: Any, other: Any) -> bool:
    """Returns whether two results are the same; objects that are no numbers are compared by `==`."""
    if isinstance(one, (tuple, np.ndarray, np.generic, float)) or isinstance(other, (tuple, np.ndarray, np.generic, float)):
        return same(one, other)
    return type(one) is type(other) and bool(one == other)


def _same_after(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return same(one, other)
    if isinstance(one, np.random.Generator):
        return one.bit_generator.state == other.bit_generator.state
    return True


def is_constant(kind: Type) -> bool:
    """Returns whether objects of a type are known to the compiler."""
    return isinstance(kind, Constant)
