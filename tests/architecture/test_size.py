"""Functions stay small enough to be read in one go, and few types are `Any`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import ROOT, files, tree

MAX_FUNCTION_LINES = 50
MAX_ANY = 76  # in 1,000 lines of code

# Kept as they came with the recordings.
FOREIGN = {Path("tests/golden/record.py"), Path("tests/golden/verify.py")}

FILES = [path.relative_to(ROOT) for path in files("gymnasium", "palaestra", "examples", "benchmarks", "tests")]
FILES = [path for path in FILES if path not in FOREIGN]


def _functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions below a node, which are among its statements: to look into expressions takes most of the time."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for child in getattr(node, part, ()):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield child
            yield from _functions(child)


def _function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, the docstring left out: a public one may be long."""
    first = node.body[0]
    documented = ast.get_docstring(node) is not None
    docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
    return (node.end_lineno or 0) - node.lineno + 1 - docstring


def test_functions_are_short() -> None:
    """At most 50 lines, without the docstring."""
    lines = {f"{path}: {node.name}": _function_lines(node) for path in FILES for node in _functions(tree(ROOT / path))}

    assert {name: count for name, count in lines.items() if count > MAX_FUNCTION_LINES} == {}


def _code_lines(text: str, module: ast.Module) -> int:
    """Lines without blank ones, comments and strings that stand alone, such as docstrings."""
    strings = {
        line
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    lines = enumerate(text.splitlines(), 1)
    return sum(i not in strings and not line.strip().startswith("#") for i, line in lines if line.strip())


def test_few_types_are_any() -> None:
    """Most values have a type: at most 76 times in 1,000 lines of code it is `Any`."""
    lines = unknown = 0
    for path in files("gymnasium", "palaestra"):
        module = tree(path)
        lines += _code_lines(path.read_text(encoding="utf-8"), module)
        unknown += sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(module))

    assert unknown / lines < MAX_ANY / 1000
