"""What a class does under JAX, as data: why it is refused, or what is not as in Python to the bit, with lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from gymnasium._extensions import is_own_file
from gymnasium.envs._jax.library import enable_x64, jax
from gymnasium.envs.registration import make
from palaestra.error import CannotCompile, Reason
from palaestra.jax.classes.runner import ClassRunner
from palaestra.language.jax.numbers import NotUnderJax
from palaestra.language.program import BEYOND, FULL, Place, Program, Value, statements_of
from palaestra.runner.classes.refusals import place_of_class


class Difference(NamedTuple):
    """Something that is not as in Python to the bit."""

    file: str
    line: int
    what: str


class JaxReport(NamedTuple):
    """The result of `explain_under_jax`."""

    name: str
    runs: bool
    """Whether it runs under JAX."""
    reasons: tuple[Reason, ...]
    """All places that cannot."""
    differences: tuple[Difference, ...]
    """What is not as in Python to the bit."""


def explain_under_jax(environment: str | Callable[..., Any], **kwargs: object) -> JaxReport:
    """Returns what a class does under JAX; it is traced, and not compiled.

    Args:
        environment: An id, or a class or function that makes one.
        **kwargs: Arguments for the environment.

    Raises:
        gymnasium.error.Error: If there is no such id.
    """
    made: Callable[..., Any] = (
        partial(make, environment, max_episode_steps=-1, disable_env_checker=True)
        if isinstance(environment, str)
        else environment
    )
    maker = partial(made, **kwargs)
    kind = type(maker().unwrapped)
    try:
        runner = ClassRunner(lambda: maker().unwrapped, 1)
        functions = runner.functions
        with enable_x64(True):  # traced, and not compiled
            moment = functions.first()
            jax.eval_shape(functions.begin, moment)
            jax.eval_shape(functions.advance, moment, functions.no_action())
    except CannotCompile as error:
        return JaxReport(error.name, False, error.reasons, ())
    except NotUnderJax as error:
        file, line = error.place or place_of_class(kind)
        reason = f"{error.args[0]} has no counterpart under JAX"
        return JaxReport(kind.__name__, False, (Reason(file, line, "", reason, _INSTEAD),), ())
    found = {one: None for program in functions.programs for one in _differences(program)}
    return JaxReport(functions.name, True, (), tuple(sorted(found)))


_INSTEAD = "use vectorization_mode='compiled'"


def _differences(program: Program) -> Iterator[Difference]:
    for one in statements_of(program.body):
        if isinstance(one, Value) and _is_of_user(one.place):
            name = _rounded(one)
            if name:
                yield _at(one.place, f"the last digits of {name} are XLA's")
            elif one.kind in (np.float32, np.float16) and one.operation in ("add", "sub", "mul", "div"):
                yield _at(one.place, f"{one.kind} is rounded as XLA does, to 6 digits or so")
    for place, error in program.places:
        if _is_of_user(place):
            what = _RAISED.get(error, f"{error} is raised")
            yield _at(place, f"{what}, by the next call")


_RAISED = {
    FULL: "a list that is much longer than those of a few episodes raises",
    BEYOND: "an int beyond 64 bits raises",
}


def _is_of_user(place: Place | None) -> TypeGuard[Place]:
    """Whether it is a line of the user's, and not of the language's library."""
    return place is not None and not is_own_file(Path(place.file))


def _at(place: Place, what: str) -> Difference:
    return Difference(place.file, place.line, what)


def _rounded(value: Value) -> str:
    """The name of a function whose results are rounded otherwise; "" for none."""
    if value.operation == "call" and value.attribute not in ("fmod", "remainder", "nextafter"):
        return str(value.attribute)
    if value.operation == "loop":
        name, _, letters = value.attribute.partition(":")
        exact = "add", "subtract", "multiply", "divide", "negative", "absolute", "maximum", "minimum", "sqrt"
        return name if letters[-1] in "efd" and name not in exact else ""
    return ""
