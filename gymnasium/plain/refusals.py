"""Reasons why a class cannot be compiled, collected so that its author sees all of them at once."""

from __future__ import annotations

import ast
import linecache

from gymnasium.error import Reason

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
        text = linecache.getline(file, line).strip()
        if isinstance(node, ast.expr):
            text = _unparsed(node)
        self.found.setdefault((file, line, reason), Reason(file, line, text, reason, instead))

    def reasons(self) -> tuple[Reason, ...]:
        """Returns all, by place."""
        return tuple(sorted(self.found.values(), key=lambda one: (one.file, one.line)))


def _unparsed(node: ast.expr) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else f"{text[:97]}..."
