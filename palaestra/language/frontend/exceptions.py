"""`raise` and `try`: a body whose exceptions leave to what handles them, with the names of their classes."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from palaestra.language.frontend.building import NOTHING, Catch, Ended, Names, Target
from palaestra.language.frontend.refusals import Refused
from palaestra.language.types import Term, Text

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def error_of(front: FrontEnd, node: ast.Raise) -> str:
    """Returns the name of the exception that a `raise` raises; Python makes the exception itself."""
    error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    caught = front.caught[-1] if front.caught else None
    if error is None or (isinstance(error, ast.Name) and caught is not None and error.id == caught[0]):
        return caught[1] if caught else "RuntimeError"
    term = front.expression(error)
    if not (term.known and isinstance(term.value, type) and issubclass(term.value, BaseException)):
        return ast.unparse(error)
    front.errors[term.value.__name__] = term.value
    return term.value.__name__


def write_try(front: FrontEnd, node: ast.Try) -> None:
    """Write a `try` with its handlers."""
    if node.finalbody:
        raise Refused("`finally` is not in the language", "write its lines behind the `try`, and in each `except`")

    activation = front.activations[-1]

    def names() -> Names:
        called = front.activations[-1] is not activation
        return (activation.names or {}) if called else front.state.names

    def whole(behind: Target) -> Term:
        def guarded(raised: Target) -> Term:
            catch = Catch(raised, names)
            front.handlers.append(catch)
            try:
                front.statements(node.body)
            finally:
                front.handlers.remove(catch)
            if front.live:
                front.statements(node.orelse)
            if front.live:
                front.leave(behind)
            raise Ended

        error = front.block("try", guarded)
        if not front.live:
            raise Ended  # nothing raises
        front.split(error, lambda one: _handled(front, node, one.value))
        return NOTHING

    front.block("handled", whole)


def _handled(front: FrontEnd, node: ast.Try, name: str) -> Term:
    """Write what handles an exception; it is raised again if nothing does."""
    raised = front.errors.get(name) or getattr(builtins, name, None)
    if raised is None:
        raise Refused(f"{name} is raised in a `try`, whose class is not known here", "raise a class by its name")
    for clause in node.handlers:
        caught = front.expression(clause.type).value if clause.type else BaseException
        if not issubclass(raised, caught):
            continue
        if clause.name:
            front.state.names[clause.name] = Term(Text())
        front.caught.append((clause.name, name))
        try:
            front.statements(clause.body)
        finally:
            front.caught.pop()
        if clause.name:
            front.state.names.pop(clause.name, None)
        return NOTHING
    front.raise_(name)
