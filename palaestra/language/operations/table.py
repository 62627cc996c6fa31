"""The table: entries, and how they are added and found.

An entry belongs to the Python object that is called: `math.sin`, `operator.add`, `np.ndarray.sum`. That object is the
reference, too: a test calls it beside the entry, with arguments that the entry draws.

Its meaning is a function in the language (`written`), or one that builds the program (`built`):

    @written(np.ptp, tries=arrays())
    def _ptp(a):
        return np.max(a) - np.min(a)

    @built(math.sqrt, tries=numbers())
    def _sqrt(front, x):
        ...
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from palaestra.language.types import Term

Arguments = tuple[Any, ...]
Tries = Callable[[np.random.Generator], Arguments]
"""Draws positional arguments that try an operation."""
Build = Callable[..., "Term"]
F = TypeVar("F", bound=Callable[..., Any])

MODULES: tuple[str, ...] = "arithmetic", "comparisons", "mathematics", "builtin", "sequences", "memory", "scalars"
MODULES += "dictionaries", "lists", "searching", "rounding", "inspection", "counting", "distances"
MODULES += "draws", "families", "bounded", "choices", "foreign"
MODULES += "creation", "indexing", "elementwise", "shaping", "reductions", "sorting", "products", "derived"
MODULES += "bounded_parts", "bounded_ufuncs", "bounded_reductions", "finding", "environments", "copying"
"""The modules of entries."""


@dataclass(frozen=True)
class Entry:
    """An operation.

    Attributes:
        called: What Python calls.
        build: Builds it from terms, or None.
        function: The function in the language that it is, or None.
        folds: Whether Python computes it at once where all arguments are known.
        takes_options: Whether `build` takes an object that may be of several types; others get it option by option.
        tries: Draws arguments that try it; several for several kinds of them.
        note: What is special, in a word or two, for the page on what compiles.
    """

    called: Any
    build: Build | None = None
    function: FunctionType | None = None
    folds: bool = True
    takes_options: bool = False
    tries: tuple[Tries, ...] = ()
    note: str = ""


REFUSED = "refused"
"""The note of what is in the table for its remedy alone."""
TABLE: dict[Any, Entry] = {}


def built(
    *called: Any, folds: bool = True, takes_options: bool = False, tries: tuple[Tries, ...] = (), note: str = ""
) -> Callable[[F], F]:
    """Add an operation that a function of the front end and of terms builds."""

    def add(build: F) -> F:
        for one in called:
            TABLE[one] = Entry(one, build, None, folds, takes_options, tries, note)
        return build

    return add


def written(*called: Any, folds: bool = True, tries: tuple[Tries, ...] = (), note: str = "") -> Callable[[F], F]:
    """Add an operation that is a function in the language."""

    def add(function: F) -> F:
        assert isinstance(function, FunctionType)
        for one in called:
            TABLE[one] = Entry(one, None, function, folds, False, tries, note)
        return function

    return add


def entry_of(called: Any) -> Entry | None:
    """Returns the entry of what Python calls; None if there is none."""
    _load()
    try:
        return TABLE.get(called)
    except TypeError:  # not hashable
        return None


def of_bounded(entry: Entry) -> Entry:
    """Returns the entry of the same operation for arrays whose lengths are found at run time; itself if none is."""
    called = entry.called if isinstance(entry.called, tuple) else (entry.called,)
    return TABLE.get((*called, "bounded"), entry)


def entries() -> Iterator[Entry]:
    """Yields the entries."""
    _load()
    yield from TABLE.values()


@cache
def _load() -> None:
    for name in MODULES:
        importlib.import_module(f"palaestra.language.operations.{name}")
