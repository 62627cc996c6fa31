"""The numbers of a step without branches, with their kinds."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

import numpy as np

from gymnasium.functional import ops


class Branching(Exception):
    """A step that cannot be written without branches."""


@dataclass(frozen=True)
class Number:
    """An expression of a number.

    Attributes:
        node: The expression.
        kind: "f" for floats, "i" for ints, "b" for bools, "s" for floats of single precision, which are only
            stored, and "?" for what is not known.
    """

    node: ast.expr
    kind: str


Value: TypeAlias = Union[Number, tuple["Value", ...]]  # noqa: UP007  (it names itself)

CHOSEN = "_where_in_lanes"
KINDS: dict[type, str] = {float: "f", int: "i", bool: "b"}


def kind_of_dtype(dtype: Any) -> str:
    """Returns the kind of a column's numbers."""
    known: dict[Any, str] = {np.dtype(np.float64): "f", np.dtype(np.int64): "i", np.dtype(np.bool_): "b"}
    known[np.dtype(np.float32)] = "s"
    return known.get(np.dtype(dtype), "?")


def called(function: str, *arguments: ast.expr) -> ast.Call:
    """Returns a call as an expression."""
    return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


def flag_of(value: Value) -> Number:
    """Returns the truth of a number."""
    if isinstance(value, Number) and value.kind == "b":
        return value
    if isinstance(value, Number) and value.kind in "if":
        if isinstance(value.node, ast.Constant):
            return Number(ast.Constant(bool(value.node.value)), "b")
        zero = ast.Constant(0.0 if value.kind == "f" else 0)
        return Number(ast.Compare(value.node, [ast.NotEq()], [zero]), "b")
    raise Branching


def compared(operator: ast.cmpop, a: Any, b: Any) -> Number:
    """Returns a comparison of two numbers of one kind."""
    a, b = _as_float(a, b), _as_float(b, a)
    if a.kind != b.kind or a.kind not in "fi" or not isinstance(operator, _COMPARED):
        raise Branching
    return Number(ast.Compare(a.node, [operator], [b.node]), "b")


def is_param(node: ast.expr) -> bool:
    """Returns whether an expression is a constant of the environment."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "_params"


def _as_float(a: Any, other: Any) -> Any:
    """Returns a literal int as a float, if it meets one."""
    literal = a.node.value if isinstance(a.node, ast.Constant) else None
    if type(literal) is int and other.kind == "f" and abs(literal) < 2**53:
        return Number(ast.Constant(float(literal)), "f")
    if a.kind == "i" and other.kind == "f" and is_param(a.node):
        return Number(a.node, "f")  # one number for all, which lanes take for a float
    return a


_COMPARED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def computed(operator: ast.operator, a: Number, b: Number) -> Number:
    """Returns the result of an operator of two numbers."""
    kinds = {a.kind, b.kind}
    if isinstance(operator, ast.Pow):
        if isinstance(b.node, ast.Constant) and b.node.value == 2 and a.kind == "f":
            return Number(called("_square_in_lanes", a.node), "f")
        raise Branching
    if isinstance(operator, (ast.BitAnd, ast.BitOr, ast.BitXor)) and kinds in ({"b"}, {"i"}):
        return Number(ast.BinOp(a.node, operator, b.node), a.kind)
    if isinstance(operator, (ast.Add, ast.Sub, ast.Mult)) and kinds <= {"f", "i"}:
        return Number(ast.BinOp(a.node, operator, b.node), "f" if "f" in kinds else "i")
    if isinstance(operator, (ast.Div, ast.Mod, ast.FloorDiv)) and "f" in kinds and kinds <= {"f", "i"}:
        return Number(ast.BinOp(a.node, operator, b.node), "f")
    raise Branching


FUNCTIONS: dict[Any, str] = {
    np.cos: "_cos_in_lanes",
    np.sin: "_sin_in_lanes",
    np.absolute: "abs",
    np.sqrt: "_sqrt_in_lanes",
    ops.cos: "_cos_in_lanes",  # that of `math`
    ops.sin: "_sin_in_lanes",
    ops.sqrt: "_sqrt_in_lanes",
}

GLOBALS = {
    "_where_in_lanes": ops.where,
    "_cos_in_lanes": ops.cos,
    "_sin_in_lanes": ops.sin,
    "_sqrt_in_lanes": ops.sqrt,
    "_single_in_lanes": ops.float32,
    "_square_in_lanes": ops.pow2,
}
"""The globals of a step without branches, besides those of the translation."""
