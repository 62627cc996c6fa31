"""Functions in Python and in machine code, one row at a time and in lanes, compared."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from palaestra.language.llvm.lanes import NotInLanes
from palaestra.language.program import BEYOND
from tests.fuzz.bits import gaps
from tests.fuzz.programs import NUMERIC, PARAMETERS, values_of
from tests.fuzz.verdicts import Slow, Verdict, compiled, limited, quiet, told
from tests.palaestra.language.machines import Failed, lanes_of, machine_of

DRAWN = 6  # arguments of a program
ROWS = 11  # in lanes: more than are run at a time


def judged_function(text: str, seed: int) -> Verdict:
    """Returns the verdict of a program with a function `f`."""
    verdict = Verdict()

    def make(module: types.ModuleType) -> Any:
        function, kinds = module.f, {**PARAMETERS, **NUMERIC}
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        chosen = {name: (NUMERIC if "v" not in names else kinds)[name] for name in names}
        return function, chosen, machine_of(function, *values_of(chosen, seed))

    with quiet():
        made = compiled(text, make, verdict)
        if made is None:
            return verdict
        function, kinds, machine = made
        for k in range(DRAWN):
            _compare(verdict, partial(values_of, kinds, seed * 1000 + k), function, machine)
            if verdict.kind != "same":
                return verdict
        if "v" not in kinds:
            _compare_lanes(verdict, function, kinds, seed)
    return verdict


def _compare(
    verdict: Verdict, draw: Callable[[], Any], function: Callable[..., Any], machine: Callable[..., Any]
) -> None:
    theirs, ours = draw(), draw()
    try:
        expected = _outcome(lambda: _plain(function(*theirs)))
    except Slow:
        verdict.counts["slow"] += 1
        return
    given = _outcome(lambda: machine(*ours))
    if given == ("raises", BEYOND):
        verdict.counts["beyond"] += 1
        return
    found = list(gaps(given, expected, "f"))
    if not found and expected[0] == "returns":
        found = list(gaps(ours[1:], theirs[1:], "arguments")) + list(gaps(_state(ours[0]), _state(theirs[0]), "rng"))
    verdict.counts["returns" if expected[0] == "returns" else f"raises {expected[1]}"] += 1
    if found:
        verdict.kind, verdict.reason = "different", told(draw(), found)


def _compare_lanes(verdict: Verdict, function: Callable[..., Any], kinds: dict[str, str], seed: int) -> None:
    drawn = [values_of(kinds, seed * 1000 + k) for k in range(ROWS)]
    try:
        given = lanes_of(function, *drawn[0])(drawn)
    except NotInLanes:
        verdict.counts["not in lanes"] += 1
        return
    for k, one in enumerate(given):
        theirs = values_of(kinds, seed * 1000 + k)
        try:
            expected = _outcome(lambda: _plain(function(*theirs)))  # noqa: B023  # it is called at once
        except Slow:
            continue
        verdict.counts["in lanes"] += 1
        if one is Failed:  # the row is stepped alone then
            continue
        found = list(gaps(("returns", one), expected, "lanes"))
        found += list(gaps(_state(drawn[k][0]), _state(theirs[0]), "lanes, rng"))
        if found:
            verdict.kind, verdict.reason = "different", told(values_of(kinds, seed * 1000 + k), found)


def _outcome(call: Callable[[], Any]) -> tuple[str, Any]:
    with limited():
        try:
            return "returns", call()
        except Failed as failed:
            return "raises", _class_named(failed.args[0])
        except Exception as error:
            return "raises", _class_named(type(error).__name__.lstrip("_"))


def _class_named(name: str) -> str:
    """A name that is unbound in a comprehension is one thing for Python 3.11 and another for later ones."""
    return "NameError" if name == "UnboundLocalError" else name


def _plain(value: Any) -> Any:
    """A result with tuples instead of lists; a view is an array as any other."""
    if isinstance(value, list) or type(value) is tuple:
        return tuple(map(_plain, value))
    return np.array(value) if isinstance(value, np.ndarray) else value


def _state(rng: np.random.Generator) -> Any:
    return rng.bit_generator.state
