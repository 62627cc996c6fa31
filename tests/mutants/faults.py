"""Small faults: a swapped comparison, operator or constant, a removed `raise` or `not`."""

from __future__ import annotations

import ast
import copy
from typing import NamedTuple

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


class Fault(NamedTuple):
    """A change of one place of a file.

    Attributes:
        line: Where, from 1 on.
        what: The expression or statement as it was, and as it is.
        source: The text of the whole file with the fault; its comments and layout are lost.
    """

    line: int
    what: str
    source: str


def places(source: str) -> int:
    """How many places of a file can be changed."""
    return len(_places(ast.parse(source)))


def fault(source: str, place: int) -> Fault:
    """The fault at one of these places, in the order of the nodes of the file."""
    tree = ast.parse(source)
    node = _places(tree)[place]
    before = _shown(node)
    changed = _change(node)
    return Fault(node.lineno, f"{before}  ->  {changed}", ast.unparse(ast.fix_missing_locations(tree)))


def _shown(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0][:90]


def _places(tree: ast.Module) -> list[ast.expr | ast.stmt]:
    """The nodes that can be changed; annotations, docstrings and `if TYPE_CHECKING` say nothing at run time."""
    found: list[ast.expr | ast.stmt] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            return
        if _is_changeable(node):
            assert isinstance(node, ast.expr | ast.stmt)
            found.append(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    visit(child)

    visit(tree)
    return found


def _is_changeable(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        return type(node.ops[0]) in _COMPARISONS
    if isinstance(node, ast.BinOp):
        return type(node.op) in _OPERATORS and not _is_text(node.left) and not _is_text(node.right)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool | int | float)
    return isinstance(node, ast.BoolOp | ast.Raise) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _change(node: ast.expr | ast.stmt) -> str:
    """Change a node in place; returns its new text."""
    if isinstance(node, ast.Compare):
        node.ops[0] = _COMPARISONS[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp):
        node.op = _OPERATORS[type(node.op)]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.Constant):
        value = node.value
        assert isinstance(value, bool | int | float)
        node.value = not value if isinstance(value, bool) else value + 1
    elif isinstance(node, ast.UnaryOp):
        operand = copy.copy(node.operand)
        node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), operand)  # `not not x`
    else:
        node.__class__ = ast.Pass  # type: ignore[assignment]
        return "pass"
    return _shown(node)
