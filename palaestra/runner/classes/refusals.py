"""Reasons why a class cannot be compiled, collected so that its author sees all of them at once."""

from __future__ import annotations

import ast
import inspect
import linecache

from palaestra.error import Reason
from palaestra.language.source import NoSource, functions_of, source_of

PLAINLY = "write it with numbers, arrays of fixed shape, ifs and loops"
"""The remedy where there is no better one."""


class Refused(Exception):
    """A part of the source cannot be translated.

    Args:
        reason: Why.
        instead: The remedy.
        node: The place, if it is another than where this is caught.
    """

    def __init__(self, reason: str, instead: str = "", node: ast.AST | None = None) -> None:
        super().__init__(reason)
        self.reason, self.instead, self.node = reason, instead, node


class Refusals:
    """The reasons found so far."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, int, str], Reason] = {}

    def add(self, file: str, node: ast.AST, reason: str, instead: str = "") -> None:
        """Add a reason at the place of a node."""
        line = getattr(node, "lineno", 0)
        instead = instead or PLAINLY
        text = shown(_unparsed(node) if isinstance(node, ast.expr) else "", file, line)
        self.found.setdefault((file, line, reason), Reason(file, line, text, reason, instead))

    def reasons(self) -> tuple[Reason, ...]:
        """Returns all, by place."""
        return tuple(sorted(self.found.values(), key=lambda one: (one.file, one.line)))


def shown(text: str, file: str, line: int) -> str:
    """Returns an expression of a file, or its whole line."""
    return text or linecache.getline(file, line).strip()


def place_of_class(kind: type) -> tuple[str, int]:
    """Returns the file and the line of a class."""
    try:
        return inspect.getsourcefile(kind) or "", inspect.getsourcelines(kind)[1]
    except (OSError, TypeError):
        return "", 0


def _unparsed(node: ast.expr) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else f"{text[:97]}..."


def place_of_attribute(kind: type, name: str) -> tuple[str, int, str]:
    """Returns file, line and text of a class's first assignment of an attribute, or the place of the class."""
    for function in functions_of(kind):
        try:
            source = source_of(function)
        except NoSource:
            continue
        for node in ast.walk(source.definition):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr == name:
                return source.file, node.lineno, linecache.getline(source.file, node.lineno).strip()
    return (*place_of_class(kind), "")
