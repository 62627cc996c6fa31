"""The arguments of a call."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.unit import Code

if TYPE_CHECKING:
    from palaestra.language.plain.translation.expressions import Expressions


def arguments_of(scope: Expressions, node: ast.Call) -> tuple[list[Code], dict[str, Code]]:
    """Returns the arguments of a call, in their order of evaluation."""
    if any(isinstance(one, ast.Starred) for one in node.args):
        positional = scope.unpacked(node.args)
        return positional, _named(scope, node, [scope.expr(one.value) for one in node.keywords])
    codes = scope.exprs([*node.args, *(one.value for one in node.keywords)])
    return codes[: len(node.args)], _named(scope, node, codes[len(node.args) :])


def _named(scope: Expressions, node: ast.Call, codes: list[Code]) -> dict[str, Code]:
    named: dict[str, Code] = {}
    for keyword, code in zip(node.keywords, codes, strict=True):
        if keyword.arg is not None:
            named[keyword.arg] = code
            continue
        items = scope.pairs(scope.held(code))
        if named.keys() & items.keys() or any(one.missing is not None for one in items.values()):
            raise Refused("`**arguments` whose names differ between calls", "name them")
        named |= {key: one.value for key, one in items.items()}
    return named
