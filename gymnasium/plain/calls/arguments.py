"""The arguments of a call."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gymnasium.plain.refusals import Refused
from gymnasium.plain.translation.unit import Code

if TYPE_CHECKING:
    from gymnasium.plain.translation.expressions import Expressions


def arguments_of(scope: Expressions, node: ast.Call) -> tuple[list[Code], dict[str, Code]]:
    """Returns the arguments of a call, in their order of evaluation."""
    if any(one.arg is None for one in node.keywords):
        raise Refused("`**arguments` are not supported", "name them")
    if any(isinstance(one, ast.Starred) for one in node.args):
        positional = scope.unpacked(node.args)
        return positional, {one.arg: scope.expr(one.value) for one in node.keywords if one.arg}
    codes = scope.exprs([*node.args, *(one.value for one in node.keywords)])
    named = dict(zip([one.arg or "" for one in node.keywords], codes[len(node.args) :], strict=True))
    return codes[: len(node.args)], named
