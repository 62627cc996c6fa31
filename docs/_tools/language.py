"""The tables of docs/palaestra/language.md: what the language takes, and a refusal, both from the language itself."""

from __future__ import annotations

import ast
import linecache
import operator
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from docs._tools.blocks import python_blocks
from docs._tools.tables import table
from docs._tools.writing import write
from gymnasium.functional import ops
from palaestra.language.frontend.entry import function_program
from palaestra.language.frontend.expressions import BINARY, COMPARISONS, UNARY
from palaestra.language.frontend.forms import form_of
from palaestra.language.frontend.front import EXPRESSIONS, STATEMENTS
from palaestra.language.frontend.refusals import CannotCompile
from palaestra.language.operations.table import REFUSED, Entry, entries
from palaestra.language.types import CONTAINERS, type_of

PAGE = Path("palaestra") / "language.md"
EXAMPLE = "glider.py"

_SYNTAX, _OPERATORS, _BUILTIN, _MATH = "Syntax", "Operators", "Python's built-ins", "`math`"
_CONTAINERS, _OPS, _OTHERS = "Containers", "`gymnasium.functional.ops`", "NumPy: other functions"
_NUMPY = {
    "NumPy: creation": ("creation",),
    "NumPy: indexing": ("indexing", "finding", "placing"),
    "NumPy: elementwise": ("elementwise", "scalars", "mathematics", "arithmetic"),
    "NumPy: reductions": ("reductions", "sorting", "statistics", "binning"),
    "NumPy: shaping": ("shaping",),
    "NumPy: linear algebra": ("products", "linear"),
    "NumPy: random numbers": ("draws", "bounded", "choices"),
    "NumPy: numbers": (),
}
"""The headings of NumPy's functions, with the modules of their entries."""
_ENVIRONMENTS = "Environments and spaces"
_GENERATORS = {"random_module": "`random`", "random_state": "NumPy: random numbers"}
"""The headings of functions that draw from generators of the whole process, by the modules of their entries."""
_ORDER = (_SYNTAX, _OPERATORS, _BUILTIN, _CONTAINERS, _ENVIRONMENTS, _MATH, "`random`", *_NUMPY, _OTHERS, _OPS)
_PARTS = {np.random: "NumPy: random numbers", np.linalg: "NumPy: linear algebra"}


class Row(NamedTuple):
    """What can be called.

    Attributes:
        heading: The table that it is in.
        called: How it is written.
        limits: What is special, or "".
    """

    heading: str
    called: str
    limits: str


def write_language(docs: Path) -> None:
    """Write the tables, and the refusal of the page's program."""
    folder = docs / "_generated" / "language"
    write(folder / "tables.md", tables())
    write(folder / "refusal.md", f"```text\n{refusal(python_blocks(docs / PAGE)[0])}\n```\n")


def tables() -> str:
    """Returns all tables, each below its heading, and what is refused with a remedy."""
    found = rows()
    headings = sorted({row.heading for row in found}, key=_place)
    parts = [f"## {heading}\n\n{_table(heading, found)}" for heading in headings]
    return "\n\n".join([*parts, _refused()]) + "\n"


def rows() -> list[Row]:
    """Returns the forms of syntax and the entries of the table; `np.sum` and `array.sum` share a row."""
    merged: dict[tuple[str, str], list[Row]] = {}
    for row, name in [*_forms(), *_entries()]:
        merged.setdefault((row.heading, name), []).append(row)
    return [_of_all(alike) for alike in merged.values()]


def _of_all(alike: list[Row]) -> Row:
    """One row for several, functions before methods of arrays."""
    called = sorted((row.called for row in alike), key=lambda one: one.startswith("`array."))
    return Row(alike[0].heading, _listed(called), _listed(row.limits for row in alike))


def _listed(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(filter(None, words)))


def refusal(source: str) -> str:
    """Returns the message for a program whose function `step` takes a float and an array.

    Raises:
        ValueError: If the language takes it.
    """
    linecache.cache[EXAMPLE] = len(source), None, source.splitlines(keepends=True), EXAMPLE
    names: dict[str, Any] = {}
    exec(compile(source, EXAMPLE, "exec"), names)
    try:
        function_program(names["step"], [type_of(1.0), type_of(np.zeros(2))])
    except CannotCompile as error:
        return "\n".join(map(str, error.refusals))
    finally:
        del linecache.cache[EXAMPLE]
    raise ValueError("The program of the page compiles: it no longer shows a refusal")


def _place(heading: str) -> tuple[int, str]:
    return (_ORDER.index(heading) if heading in _ORDER else len(_ORDER)), heading


def _table(heading: str, found: list[Row]) -> str:
    mine = [(row.called, row.limits) for row in found if row.heading == heading]
    if heading not in (_SYNTAX, _OPERATORS):
        mine.sort(key=lambda one: one[0].replace("`", "").lower())
    return table(("what", "limits"), mine)


def _forms() -> Iterator[tuple[Row, str]]:
    """Yields the forms of statements and expressions."""
    for node in (*STATEMENTS, *EXPRESSIONS):
        words = form_of(node).words
        yield Row(_SYNTAX, words, ""), words


def _entries() -> Iterator[tuple[Row, str]]:
    """Yields the entries for users, each with what it has in common with its aliases."""
    for entry in entries():
        heading = _heading(entry)
        if heading and entry.note != REFUSED:
            yield Row(heading, f"`{_written(entry.called)}`", entry.note), _common_name(entry.called)
            for name in ops.__all__:  # some are functions of `math`
                if heading != _OPS and getattr(ops, name) is entry.called:
                    yield Row(_OPS, f"`ops.{name}`", entry.note), name


def _common_name(called: Any) -> str:
    """What a function has in common with the method, and `a + b` with `a += b`."""
    written = _written(_IN_PLACE.get(called, called))
    return written if _ufunc_of(called) else written.rpartition(".")[2]


def _refused() -> str:
    names = sorted(f"`{_written(entry.called)}`" for entry in entries() if entry.note == REFUSED and _heading(entry))
    return f"## Refused\n\nThese are refused by name, most with a remedy: {', '.join(names)}."


# Headings.


def _heading(entry: Entry) -> str | None:
    """Returns the heading of an entry; None if it is a helper of others."""
    called, module = entry.called, _module_of(entry)
    if isinstance(called, tuple):
        if called[0] not in _SIGNS or called[-1] == "bounded" or module in ("memory", *_NUMPY["NumPy: elementwise"]):
            return None
        return "NumPy: indexing" if module == "indexing" else _CONTAINERS
    if called in _SIGNS:
        return _OPERATORS
    if module in _GENERATORS and not str(getattr(called, "__module__", "")).startswith("palaestra"):
        return _GENERATORS[module]
    owner = _owner_of(called)
    home = str(getattr(called, "__module__", None) or getattr(owner, "__module__", ""))
    if isinstance(called, property) or (home.startswith("gymnasium.") and home != ops.__name__):
        return _ENVIRONMENTS
    if home.startswith("palaestra"):
        return None
    if home.startswith("numpy"):
        return _of_numpy_object(called, owner, home, module)
    if owner in (tuple, *CONTAINERS) or called in CONTAINERS or home == "collections":
        return None if called.__name__.startswith("__") else _CONTAINERS
    if home == "_operator":
        return None
    named = {"builtins": _BUILTIN, "io": _BUILTIN, "math": _MATH, ops.__name__: _OPS}
    return named.get(home, f"`{home.removeprefix('_')}`")


def _of_numpy_object(called: Any, owner: type | None, home: str, module: str) -> str:
    for part, heading in _PARTS.items():
        if home.startswith(part.__name__):
            return heading
    kind = called if isinstance(called, type) else owner
    return "NumPy: numbers" if kind and issubclass(kind, np.generic) else _of_numpy(module)


def _of_numpy(module: str) -> str:
    return next((heading for heading, modules in _NUMPY.items() if module in modules), _OTHERS)


def _owner_of(called: Any) -> type | None:
    """Returns the class of a method."""
    of = getattr(called, "__self__", None)
    owner: type | None = getattr(called, "__objclass__", of if isinstance(of, type) else None)
    return np.ufunc if _ufunc_of(called) else owner


def _ufunc_of(called: Any) -> np.ufunc | None:
    """Returns the ufunc of a method such as `np.add.reduce`."""
    of = getattr(called, "__self__", None)
    return of if isinstance(of, np.ufunc) else None


def _module_of(entry: Entry) -> str:
    """Returns the last name of the module of an entry."""
    meaning = entry.build or entry.function
    return str(getattr(meaning, "__module__", "")).rpartition(".")[2]


# How things are written.

_IN_PLACE = {getattr(operator, f"i{key.__name__.strip('_')}"): key for key in BINARY.values()}
"""Maps the function of `a += b` to that of `a + b`."""


def _signs() -> dict[Callable[..., Any], str]:
    """Returns the functions of operators, as operators are written."""
    a, b = ast.Name("a"), ast.Name("b")
    signs: dict[Callable[..., Any], ast.AST] = {key: ast.BinOp(a, op(), b) for op, key in BINARY.items()}
    signs |= {in_place: ast.AugAssign(a, op(), b) for in_place, op in zip(_IN_PLACE, BINARY, strict=True)}
    signs |= {key: ast.UnaryOp(op(), a) for op, key in UNARY.items()}
    signs |= {key: ast.Compare(a, [op()], [b]) for op, key in COMPARISONS.items()}
    written = {key: ast.unparse(ast.fix_missing_locations(node)) for key, node in signs.items()}
    return {
        **written,
        operator.getitem: "a[i]",
        operator.setitem: "a[i] = b",
        operator.delitem: "del a[i]",
        operator.contains: "a in b",
    }


_SIGNS = _signs()
_SHORT = {"builtins": "", "io": "", "numpy": "np", "numpy.linalg": "np.linalg", ops.__name__: "ops"}
"""Maps modules to what users write for them."""


def _written(called: Any) -> str:
    """Returns how something is called: `a + b`, `np.sin`, `array.sum`, `rng.integers`."""
    called = called[0] if isinstance(called, tuple) else called
    if called in _SIGNS:
        return _SIGNS[called]
    ufunc = called if isinstance(called, np.ufunc) else _ufunc_of(called)
    if ufunc:
        return f"np.{ufunc.__name__}" + f".{called.__name__}" * (ufunc is not called)
    if isinstance(called, property):
        return f"self.{called.fget.__name__}" if called.fget else "self"
    of = getattr(called, "__self__", None)
    if isinstance(of, random.Random):
        return f"random.{called.__name__}"
    module = str(getattr(called, "__module__", ""))
    if isinstance(of, np.random.RandomState) or module == "numpy.random":
        return f"np.random.{called.__name__}"
    if module.startswith("gymnasium.") and module != ops.__name__:
        return str(called.__qualname__)
    if called.__qualname__.startswith("Generator."):
        return f"rng.{called.__name__}"
    owner = _owner_of(called)
    if owner is not None:
        kind = "array" if owner is np.ndarray else "number" if issubclass(owner, np.generic) else owner.__name__
        return f"{kind}.{called.__name__}"
    home = called.__module__.removeprefix("_")
    if home == "collections":
        return str(called.__qualname__)
    return f"{_SHORT.get(home, home)}.{called.__name__}".removeprefix(".")
