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
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from palaestra.language.frozen import frozen

if TYPE_CHECKING:
    from palaestra.language.types import Term

Arguments = tuple[Any, ...]
Tries = Callable[[np.random.Generator], Arguments]
"""Draws positional arguments that try an operation."""
Build = Callable[..., "Term"]
F = TypeVar("F", bound=Callable[..., Any])

MODULES: tuple[str, ...] = "arithmetic", "comparisons", "mathematics", "builtin", "sequences", "memory", "scalars"
MODULES += "draws", "searching", "dictionaries", "indexing", "lists", "rounding", "inspection", "counting", "distances"
MODULES += "bounded", "choices", "families", "foreign"
MODULES += "creation", "elementwise", "shaping", "reductions", "sorting", "products", "derived"
MODULES += "finding", "environments", "copying", "texts", "choosing", "random_module", "random_state", "generators"
MODULES += "deques", "heaps", "sets", "hashing", "mappings", "iterators"
MODULES += "binning", "placing", "statistics", "kinds", "linear", "rare_families", "vectors"
"""The modules of entries, those that most programs need first: each is imported when an entry is not found before."""


@frozen
class Entry:
    """An operation.

    Attributes:
        called: What Python calls.
        build: Builds it from terms, or None.
        function: The function in the language that it is, or None.
        folds: Whether Python computes it at once where all arguments are known.
        takes_options: Whether `build` takes an object that may be of several types; others get it option by option.
        takes_seed: Whether it takes the seed of a reset; others get an int or None.
        tries: Draws arguments that try it; several for several kinds of them.
        note: What is special, in a word or two, for the page on what compiles.
    """

    called: Any
    build: Build | None = None
    function: FunctionType | None = None
    folds: bool = True
    takes_options: bool = False
    takes_seed: bool = False
    tries: tuple[Tries, ...] = ()
    note: str = ""


REFUSED = "refused"
"""The note of what is in the table for its remedy alone."""
TABLE: dict[Any, Entry] = {}


def built(
    *called: Any,
    folds: bool = True,
    takes_options: bool = False,
    takes_seed: bool = False,
    tries: tuple[Tries, ...] = (),
    note: str = "",
) -> Callable[[F], F]:
    """Add an operation that a function of the front end and of terms builds."""

    def add(build: F) -> F:
        for one in called:
            TABLE[one] = Entry(one, build, None, folds, takes_options, takes_seed, tries, note)
        return build

    return add


def written(*called: Any, folds: bool = True, tries: tuple[Tries, ...] = (), note: str = "") -> Callable[[F], F]:
    """Add an operation that is a function in the language."""

    def add(function: F) -> F:
        assert isinstance(function, FunctionType)
        for one in called:
            TABLE[one] = Entry(one, None, function, folds, False, False, tries, note)
        return function

    return add


def entry_of(called: Any) -> Entry | None:
    """Returns the entry of what Python calls; None if there is none."""
    try:
        found = TABLE.get(called)
    except TypeError:  # not hashable
        return None
    left = iter(() if found or is_elsewhere(called) else MODULES)
    while found is None and (name := next(left, None)):
        _load(name)
        found = TABLE.get(called)
    return found


def is_elsewhere(called: Any) -> bool:
    """Returns whether something is no entry of `MODULES`, but a function, class or field of who uses the language."""
    if not isinstance(called, FunctionType | type):
        return type(called) is _FIELD
    home = str(called.__module__)
    is_of_library = home.partition(".")[0] in _LIBRARIES and not home.startswith(_USERS)
    return not is_of_library


_FIELD = type(NamedTuple("Fields", [("one", int)]).one)  # type: ignore[attr-defined]
_LIBRARIES = {*sys.stdlib_module_names, "numpy", "gymnasium", "palaestra"}
_USERS = ("gymnasium.envs.", "palaestra.runner.", "palaestra.box2d.")  # they add entries of their own at once


def entries() -> Iterator[Entry]:
    """Yields the entries."""
    for name in MODULES:
        _load(name)
    yield from TABLE.values()


@cache
def _load(name: str) -> None:
    importlib.import_module(f"palaestra.language.operations.{name}")
