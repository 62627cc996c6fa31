"""Functions of arrays in Python and in machine code: both must do the same."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from palaestra.language.program import BEYOND
from tests.palaestra.language.machines import Failed, machine_of, same


def check(function: Callable[..., Any], *arguments: Any, may_be_left: bool = False) -> Any:
    """Assert that machine code of a function does what Python does; returns what that is.

    Args:
        function: The function.
        *arguments: Its arguments.
        may_be_left: Whether machine code may leave these arguments to Python.
    """
    return check_machine(machine_of(function, *arguments), function, *arguments, may_be_left=may_be_left)


def check_machine(machine: Any, function: Callable[..., Any], *arguments: Any, may_be_left: bool = False) -> Any:
    """Assert the same of machine code that is there already."""
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    expected: Any
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = _of_lists(function(*theirs))
        except Exception as error:
            expected = error
    try:
        given = machine(*ours)
    except Failed as failed:
        (name,) = failed.args
        assert (may_be_left and name == BEYOND) or name in [one.__name__ for one in type(expected).__mro__], expected
        return expected
    assert same(given, expected), f"{arguments}: {given!r}, but Python {expected!r}"
    assert all(same(one, other) for one, other in zip(ours, theirs, strict=True) if isinstance(one, np.ndarray))
    return expected


def _of_lists(value: Any) -> Any:
    return tuple(map(_of_lists, value)) if isinstance(value, (list, tuple)) else value
