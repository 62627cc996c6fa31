"""The translation of simple statements, one after the other."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from palaestra.language.plain.outward import REMEDIES, named
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sources import Source
from palaestra.language.plain.translation.assignments import Assignments
from palaestra.language.plain.translation.kinds import (
    Constant,
    Incompatible,
    Mapping,
    Optional,
    Partial,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.unit import Code, Unit, Written, name


class Statements(Assignments):
    """Translates statements, each by the method of its node."""

    def __init__(self, unit: Unit, source: Source, written: Written, kind: type[Any] | None) -> None:
        super().__init__(unit, source, written, kind)
        self._returns: list[tuple[ast.Return, Code]] = []
        self._sure_at_returns: list[set[str]] = []

    def may_have_returned(self) -> bool:
        """Returns whether some path has left the function before the statement that is translated."""
        return bool(self._returns)

    def statements(self, body: Sequence[ast.stmt]) -> bool:
        """Translate statements; returns whether what follows them is reached."""
        for statement in body:
            self.place = statement
            mark = len(self.out)
            try:
                if not self._statement(statement):
                    return False
            except (Refused, Incompatible) as error:
                refused = error if isinstance(error, Refused) else Refused("values of several kinds meet here")
                node = refused.node if refused.node is not None else statement
                node = node if hasattr(node, "lineno") else statement
                self.unit.refusals.add(self.source.file, node, refused.reason, refused.instead)
                del self.out[mark:]
                self._poison(statement)
        return True

    def _poison(self, statement: ast.stmt) -> None:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.locals[node.id] = Code(None, Unknown())
            elif isinstance(node, ast.Return):
                self._returns.append((ast.Return(None), Code(None, Unknown())))

    def _statement(self, statement: ast.stmt) -> bool:
        method = getattr(self, f"_on_{type(statement).__name__.lower()}", None)
        if method is None:
            raise Refused(f"{named(statement)} is not supported", REMEDIES.get(type(statement), ""))
        return method(statement) is not False

    def _on_pass(self, statement: ast.Pass) -> None:
        """Nothing."""

    def _on_expr(self, statement: ast.Expr) -> None:
        if isinstance(statement.value, ast.Constant):
            return
        code = self.expr(statement.value)
        if code.node is not None and not isinstance(code.node, (ast.Constant, ast.Name)):
            self.emit(ast.Expr(code.node))

    def _on_import(self, statement: ast.Import) -> None:
        from importlib import import_module

        for alias in statement.names:
            module = import_module(alias.name)
            top = import_module(alias.name.partition(".")[0])
            self.locals[alias.asname or alias.name.partition(".")[0]] = self.of_value(module if alias.asname else top)

    def _on_importfrom(self, statement: ast.ImportFrom) -> None:
        from importlib import import_module

        if statement.level or statement.module is None:
            raise Refused("a relative import inside of a function", "import at the top of the module")
        module = import_module(statement.module)
        for alias in statement.names:
            self.locals[alias.asname or alias.name] = self.of_known(getattr(module, alias.name))

    def _on_return(self, statement: ast.Return) -> bool:
        value = statement.value
        if isinstance(value, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in value.elts):
            self._return(self.tuple_of(self.exprs(value.elts), returned=True))
        else:
            self._return(self.expr(value) if value is not None else Code(None, Constant(None)))
        return False

    def _return(self, code: Code) -> None:
        code = self._settled(code)
        marker = ast.Return(None)
        self.emit(marker)
        self._sure_at_returns.append(set(self.sure))
        self._returns.append((marker, code))

    def _settled(self, code: Code) -> Code:
        """Returns a result whose parts can be taken without a statement."""
        if not isinstance(code.kind, (Optional, Tuple, Mapping, Partial)):
            return code
        if not isinstance(code.node, ast.Tuple):
            return self.held(code)
        if not isinstance(code.kind, (Tuple, Mapping)):
            return code
        parts = zip(code.node.elts, code.kind.items, strict=True)
        nodes = [self._settled(Code(node, kind)).node or node for node, kind in parts]
        return code._replace(node=ast.Tuple(nodes, ast.Load()))

    def _on_assert(self, statement: ast.Assert) -> bool:
        test = self.test(statement.test)
        if test is True:
            return True
        raising: list[ast.stmt] = [ast.Raise(name("AssertionError"), None)]
        if test is False:
            self.emit(raising[0])
            return False
        self.written.effects = True
        self.emit(ast.If(ast.UnaryOp(ast.Not(), test), raising, []))
        return True

    def _on_raise(self, statement: ast.Raise) -> bool:
        self.written.effects = True
        self.emit(ast.Raise(name("ValueError"), None))  # Python repeats the step, and raises its own
        return False

    def _on_delete(self, statement: ast.Delete) -> None:
        for target in statement.targets:
            if not isinstance(target, ast.Name):
                raise Refused("`del` is supported for local variables only")
            self.locals.pop(target.id, None)

    def _on_with(self, statement: ast.With) -> bool:
        for item in statement.items:
            text = ast.unparse(item.context_expr)
            if "errstate" not in text and "printoptions" not in text:
                raise Refused("`with` is not supported", "leave it out", item.context_expr)
        return self.statements(statement.body)
