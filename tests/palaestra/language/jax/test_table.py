"""Entries of the table under JAX, beside what Python does."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from palaestra.language.frontend.refusals import CannotCompile, Refused
from palaestra.language.jax.numbers import NotUnderJax
from palaestra.language.operations.table import Entry
from palaestra.language.program import BEYOND
from tests.palaestra.language.jax_machines import JaxFunction, close, together
from tests.palaestra.language.machines import Failed
from tests.palaestra.language.operations.test_table import SEED, TRIED
from tests.palaestra.language.operations.trying import grouped, name_of, outcome, reference_of
from tests.thorough import THOROUGH

pytestmark = pytest.mark.usefixtures("little_optimised")

EACH = 1 if THOROUGH else 32
"""A quick run takes one entry of so many; which one depends on the seed."""
DRAWS, TOGETHER = 12, 12


class Tried(NamedTuple):
    """A program with its arguments, and what Python returns or raises for each."""

    name: str
    function: JaxFunction
    arguments: list[tuple[Any, ...]]
    expected: list[tuple[str, Any]]


def _programs(entry: Entry) -> Iterator[Tried]:
    """Yields a program for the most frequent types of each of the draws of an entry."""
    for draw in entry.tries:
        (group,) = grouped(draw, np.random.default_rng(SEED), DRAWS, 1)
        for count in range(len(group[0]), 0, -1):
            known = group[0][count:]
            alike = [one for one in group if repr(one[count:]) == repr(known)]
            try:
                yield _program(entry, [one[:count] for one in alike], known)
            except (Refused, CannotCompile, NotUnderJax):
                continue
            break


def _program(entry: Entry, group: list[tuple[Any, ...]], known: tuple[Any, ...]) -> Tried:
    reference = reference_of(entry.called)

    def called(*given: Any) -> Any:
        return reference(*given, *known)

    function = JaxFunction(called, *group[0])
    expected = [_expected(called, copy.deepcopy(one)) for one in group]
    return Tried(name_of(entry.called), function, copy.deepcopy(group), expected)


def _expected(called: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[str, Any]:
    return outcome(lambda: _in_tuples(called(*arguments)))


def _in_tuples(value: Any) -> Any:
    return tuple(map(_in_tuples, value)) if isinstance(value, list) or type(value) is tuple else value


def _is_subnormal(value: Any) -> bool:
    """Whether it is, or holds, a float that XLA takes for zero."""
    if isinstance(value, tuple):
        return any(map(_is_subnormal, value))
    array = np.asarray(value) if isinstance(value, (float, np.floating, np.ndarray)) else np.zeros(0)
    return array.dtype.kind == "f" and bool(((array != 0) & (np.abs(array) < np.finfo(array.dtype).tiny)).any())


def _differences(tried: Tried, results: list[Any]) -> Iterator[str]:
    for arguments, result, (kind, value) in zip(tried.arguments, results, tried.expected, strict=True):
        if _is_subnormal((arguments, value)):
            continue
        if isinstance(result, Failed):
            is_same = result.args[0] == BEYOND or (kind, value) == ("raises", result.args[0])
        else:
            is_same = kind == "returns" and close(result, value)
        if not is_same:
            yield f"{tried.name}{arguments}: {result!r}, but Python {kind} {value!r}"


def test_entries_do_what_python_does() -> None:
    """Floats to 12 digits, everything else exactly; several programs are one for XLA."""
    programs = [one for entry in TRIED[SEED % EACH :: EACH] for one in _programs(entry)]
    found: list[str] = []
    for start in range(0, len(programs), TOGETHER):
        several = programs[start : start + TOGETHER]
        for tried, results in zip(several, together([(one.function, one.arguments) for one in several]), strict=True):
            found += _differences(tried, results)
    assert not found, "\n".join(found)
    assert len(programs) > len(TRIED) // EACH
