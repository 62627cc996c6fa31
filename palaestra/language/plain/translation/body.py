"""The translation of a whole function, for arguments of certain kinds."""

from __future__ import annotations

import ast
from collections.abc import Mapping as Named

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.dicts import CALLERS
from palaestra.language.plain.translation.functions import checked_result, variable_parameters
from palaestra.language.plain.translation.kinds import (
    Constant,
    Kind,
    Mapping,
    Partial,
    Place,
    Unknown,
)
from palaestra.language.plain.translation.loops import Loops
from palaestra.language.plain.translation.scope import STATIC
from palaestra.language.plain.translation.unit import Code, name


class Body(Loops):
    """Translates the body of a function."""

    def function(self, bound: Named[str, Code]) -> None:
        """Translate the function for these arguments, into `written`."""
        self.written.parameters = variable_parameters(bound)
        self.unit.named |= {code.kind.path for code in [*bound.values()][1:] if isinstance(code.kind, Place)}
        for key, code in bound.items():
            variable = key in self.written.parameters
            if isinstance(code.kind, (Mapping, Partial)):
                code = code._replace(origins=code.origins | {CALLERS})
            self.locals[key] = Code(name(self.local(key)), code.kind, code.origins) if variable else code
        body = self.source.tree.body
        reachable = self.statements(body)
        if reachable:
            self.place = body[-1]
            self._return(Code(None, Constant(None)))
        self._finish()

    def _finish(self) -> None:
        codes = [code for _, code in self._returns]
        self.place = self.source.tree
        if self._sure_at_returns:
            self.written.sure = set.intersection(*self._sure_at_returns)
        try:
            kind: Kind = checked_result(codes, self) if codes else Constant(None)
        except Refused as refused:
            self.unit.refusals.add(self.source.file, self.source.tree, refused.reason, refused.instead)
            kind = Unknown()
        origins = frozenset[str]().union(*(code.origins for code in codes))
        static = isinstance(kind, (*STATIC, Unknown))
        stores: list[ast.expr] = [name(variable) for variable in self.written.stores]
        for statement, code in self._returns:
            parts = stores if static else [self.as_kind(code, kind), *stores]
            if parts:
                value = parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())
                statement.value = _placed(value, statement)
        self.written.result = Code(None if static else name("_"), kind, origins)
        arguments = [*self.written.arguments(), *map(self.local, self.written.parameters)]
        tree = ast.FunctionDef(
            self.written.name,
            ast.arguments([], [ast.arg(one) for one in arguments], None, [], [], None, []),
            self.out or [ast.Pass()],
            [],
        )
        self.written.tree = ast.copy_location(tree, self.source.tree)
        ast.fix_missing_locations(tree)


def _placed(value: ast.expr, statement: ast.stmt) -> ast.expr:
    """Returns an expression with the line of a statement wherever it has none."""
    for node in ast.walk(value):
        if not hasattr(node, "lineno"):
            ast.copy_location(node, statement)
    return value
