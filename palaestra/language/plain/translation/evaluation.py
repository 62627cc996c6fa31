"""The translation of an expression by its kind of node, and of names and constants."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from enum import Enum
from typing import Any

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.kinds import (
    Constant,
    Incompatible,
    MixedKinds,
    Number,
    Text,
    Tuple,
    number_of,
)
from palaestra.language.plain.translation.known import check_plain
from palaestra.language.plain.translation.scope import Item, Scope, is_temporary
from palaestra.language.plain.translation.unit import Code, literal


class Evaluation(Scope):
    """Translates expressions, each by the method of its node."""

    def expr(self, node: ast.expr) -> Code:
        """Returns the translation of an expression; statements that must come before it are written.

        Raises:
            Refused: If it cannot be translated.
        """
        method = getattr(self, f"_on_{type(node).__name__.lower()}", None)
        if method is None:
            what = f"`{type(node).__name__.lower()}` is not supported"
            raise Refused(what, "write statements, numbers, or a function of the module", node)
        try:
            code: Code = method(node)
        except Refused as refused:
            refused.node = refused.node or node
            raise
        except Incompatible:
            raise Refused("values of several kinds meet here", "write values of one kind", node) from None
        return code

    def exprs(self, nodes: Sequence[ast.expr]) -> list[Code]:
        """Returns the translations of expressions, which are computed in this order."""
        found: list[Code] = []
        for node in nodes:
            mark = len(self.out)
            found.append(self.expr(node))
            if len(self.out) > mark:
                self._hold_before(found[:-1], found, mark)
        return found

    def _hold_before(self, earlier: list[Code], found: list[Code], mark: int) -> None:
        """Compute earlier values before the statements from `mark` on, which may change what they read."""
        late = self.out[mark:]
        del self.out[mark:]
        for k, code in enumerate(earlier):
            if code.node is not None and not isinstance(code.node, ast.Constant) and not is_temporary(code.node):
                found[k] = code._replace(node=self.temporary(code.node))
        self.out += late

    def tuple_of(self, codes: list[Code]) -> Code:
        """Returns a tuple of these values."""
        raise NotImplementedError

    def dict_of(self, found: dict[str, Item]) -> Code:
        """Returns a dict of these items."""
        raise NotImplementedError

    def may_have_returned(self) -> bool:
        """Returns whether some path has left the function before the statement that is translated."""
        raise NotImplementedError

    def value(self, node: ast.expr) -> Code:
        """Returns the translation of an expression whose value is used, so that it may not be None."""
        return self.present(self.expr(node))

    def _on_constant(self, node: ast.Constant) -> Code:
        number = number_of(node.value)
        if number is None:
            return self.of_value(node.value)
        if isinstance(node.value, int) and not -(2**63) <= node.value < 2**63:
            raise Refused("an integer beyond 64 bits")
        return Code(literal(node.value), number)

    def _on_name(self, node: ast.Name) -> Code:
        if node.id in self.locals:
            code = self.locals[node.id]
            if isinstance(code.kind, MixedKinds):
                raise Refused(code.kind.text, "let a variable always hold the same kind of value")
            return code
        if node.id in self.names:
            return self.of_known(self.names[node.id])
        if hasattr(builtins, node.id):
            return self.of_value(getattr(builtins, node.id))
        if node.id in self._assigned_names():
            raise Refused(f"`{node.id}` has no value on some path to this line", "give it one first")
        raise Refused(f"`{node.id}` is not defined")

    def _assigned_names(self) -> set[str]:
        return {one.id for one in ast.walk(self.source.tree) if isinstance(one, ast.Name)}

    def of_known(self, value: Any) -> Code:
        """Returns a value that is known before anything runs, a number as a number."""
        number = number_of(value)
        if number is None:
            check_plain(value)
        if number is None or isinstance(value, Enum):
            return self.of_value(value)
        return Code(self._constant_node(value), number)

    def static_int(self, node: ast.expr) -> int | None:
        """Returns the integer that an expression always is, None if that is not known."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        return None

    def static_value(self, code: Code) -> Any:
        """Returns a value that is known before anything runs.

        Raises:
            Refused: If it is not known.
        """
        if isinstance(code.kind, Constant):
            return code.kind.value
        if isinstance(code.kind, (Number, Tuple)) and code.node is not None:
            try:
                return ast.literal_eval(ast.unparse(code.node))
            except (ValueError, SyntaxError):
                pass
        raise Refused("this must be known before anything runs", "use literal numbers and texts")

    def _on_joinedstr(self, node: ast.JoinedStr) -> Code:
        return Code(None, Text())
