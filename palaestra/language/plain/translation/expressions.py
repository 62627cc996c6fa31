"""The translation of calls, indices and comprehensions, and of new variables."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from palaestra.language.plain.calls.calling import call
from palaestra.language.plain.translation.building import comprehension, list_of
from palaestra.language.plain.translation.comparisons import Comparisons
from palaestra.language.plain.translation.dicts import named_again
from palaestra.language.plain.translation.indexing import load
from palaestra.language.plain.translation.kinds import (
    Packed,
    Place,
    Unknown,
)
from palaestra.language.plain.translation.scope import STATIC
from palaestra.language.plain.translation.unit import Code, name


class Expressions(Comparisons):
    """Translates all expressions."""

    def _on_subscript(self, node: ast.Subscript) -> Code:
        return load(self, node)

    def _on_list(self, node: ast.List) -> Code:
        return list_of(self, self.unpacked(node.elts))

    def _on_listcomp(self, node: ast.ListComp) -> Code:
        with self.own_variables(node):
            return comprehension(self, node)

    def _on_generatorexp(self, node: ast.GeneratorExp) -> Code:
        with self.own_variables(node):
            return comprehension(self, node)

    def _on_call(self, node: ast.Call) -> Code:
        return call(self, node)

    def _on_namedexpr(self, node: ast.NamedExpr) -> Code:
        code = self.expr(node.value)
        self.bind(node.target.id, code)
        return self.locals[node.target.id]

    def only_returned(self) -> set[str]:
        """Returns the variables that are only used as parts of the result of the function."""
        if self._only_returned is None:
            tree = self.source.tree
            handed = {
                id(node) for one in ast.walk(tree) if isinstance(one, ast.Return) for node in _handed_on(one.value)
            }
            names = [one for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
            self._only_returned = {one.id for one in names} - {one.id for one in names if id(one) not in handed}
        return self._only_returned

    _only_returned: set[str] | None = None

    def bind(self, variable: str, code: Code) -> None:
        """Assign a value to a local variable."""
        if isinstance(code.kind, STATIC):
            if isinstance(code.kind, Place):
                self.unit.named.add(code.kind.path)
            self.locals[variable] = code
            return
        if isinstance(code.kind, Unknown):
            self.locals[variable] = code
            return
        if isinstance(code.kind, Packed) and variable not in self.only_returned():
            code = self.present(code)
        own = self.local(variable)
        self.emit(ast.Assign([ast.Name(own, ast.Store())], self.node_of(code)))
        code = named_again(self, code)
        self.locals[variable] = Code(name(own), code.kind, code.origins)


def _handed_on(node: ast.expr | None) -> Iterator[ast.expr]:
    """Yields the parts of a returned expression that are handed on as they are."""
    if isinstance(node, ast.Tuple):
        for one in node.elts:
            yield from _handed_on(one)
    elif isinstance(node, ast.Dict):
        for one in node.values:
            yield from _handed_on(one)
    elif node is not None:
        yield node
