"""The translation of comparisons."""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from gymnasium.plain.refusals import Refused
from gymnasium.plain.translation.arithmetic import broadcast, common_dtype, is_foldable
from gymnasium.plain.translation.conditions import SEED_TEST, Conditions, is_flag
from gymnasium.plain.translation.containing import contained
from gymnasium.plain.translation.descriptions import described
from gymnasium.plain.translation.evaluation import TEXT
from gymnasium.plain.translation.kinds import (
    BOOL,
    NONE,
    Array,
    Constant,
    Number,
    Opaque,
    Optional,
    Seed,
    Tuple,
    Unknown,
    same_constant,
)
from gymnasium.plain.translation.unit import Code, called, indexed, name


class Comparisons(Conditions):
    """Translates comparisons of numbers, of arrays, and of values that may be None."""

    def _on_compare(self, node: ast.Compare) -> Code:
        testing, self._testing = self._testing, False
        left, right = self.exprs([node.left, node.comparators[0]])
        if len(node.ops) == 1:
            return self.comparison(node.ops[0], left, right)
        # a < b < c is a < b and b < c, with b computed once, and c only if a < b.
        middle = right if right.node is None else self.held(right)
        known = {"first of a chain": self.comparison(node.ops[0], left, middle), "middle of a chain": middle}
        outer = {key: self.locals[key] for key in known if key in self.locals}
        self.locals |= known
        first, second = (ast.copy_location(name(key), node) for key in known)
        rest = ast.copy_location(ast.Compare(second, node.ops[1:], node.comparators[1:]), node)
        self._testing = testing
        try:
            return self.expr(ast.copy_location(ast.BoolOp(ast.And(), [first, rest]), node))
        except Refused as refused:
            refused.node = node
            raise
        finally:
            for key in known:
                self.locals.pop(key, None)
            self.locals |= outer

    def comparison(self, operator: ast.cmpop, left: Code, right: Code) -> Code:
        """Returns the result of a comparison."""
        a, b = left.kind, right.kind
        if isinstance(a, Unknown) or isinstance(b, Unknown):
            return Code(None, Unknown())
        negated = isinstance(operator, (ast.IsNot, ast.NotEq, ast.NotIn))
        if isinstance(operator, (ast.Is, ast.IsNot)):
            return self._identity(left, right, negated)
        if isinstance(operator, (ast.In, ast.NotIn)):
            return self.negated(contained(self, left, right), negated)
        if isinstance(operator, (ast.Eq, ast.NotEq)):
            found = self._equality(left, right)
            if found is not None:
                return self.negated(found, negated)
        elif isinstance(a, Constant) and isinstance(b, Constant) and is_foldable(a.value) and is_foldable(b.value):
            return Code(ast.Constant(_COMPARED[type(operator)](a.value, b.value)), BOOL)
        left, right = self.present(left), self.present(right)
        a, b = left.kind, right.kind
        if any(isinstance(one, Tuple) and one.loose for one in (a, b)):
            raise Refused(
                "this is an array on one path and a tuple or a list on another",
                "let it always be the same, np.array(...)",
            )
        if isinstance(a, Array) and isinstance(b, Tuple):
            left, right = self.as_array(left), self.as_array(right)
        elif isinstance(b, Array) and isinstance(a, Tuple):
            left = self.as_array(left)
        a, b = left.kind, right.kind
        if isinstance(a, Tuple) and isinstance(b, Tuple):
            return Code(self._compared(operator, left, right), BOOL)
        if not all(isinstance(kind, (Number, Array, Opaque)) for kind in (a, b)):
            raise Refused(f"a {described(a)} and a {described(b)} cannot be compared here")
        if isinstance(a, Opaque) or isinstance(b, Opaque):
            return Code(self._compared(operator, left, right), Opaque())
        assert isinstance(a, (Number, Array)) and isinstance(b, (Number, Array))
        whole = {a.dtype.kind, b.dtype.kind} <= {"i", "u"}  # compared as numbers, whatever their bits
        dtype = None if whole else common_dtype(a, b)
        if dtype is not None:
            left, right = self._in_dtype(left, dtype, ast.Add()), self._in_dtype(right, dtype, ast.Add())
        if isinstance(a, Array) or isinstance(b, Array):
            return Code(self._compared(operator, left, right), broadcast(a, b, BOOL.dtype))
        weak = a.weak if a.weak == b.weak else (False if False in (a.weak, b.weak) else None)
        return Code(self._compared(operator, left, right), Number(BOOL.dtype, weak))

    def _compared(self, operator: ast.cmpop, left: Code, right: Code) -> ast.expr:
        return ast.Compare(self.node_of(left), [operator], [self.node_of(right)])

    def negated(self, code: Code, negated: bool) -> Code:
        """Returns a flag, or its opposite."""
        if not negated:
            return code
        if isinstance(code.node, ast.Constant):
            return code._replace(node=ast.Constant(not code.node.value))
        return code._replace(node=ast.UnaryOp(ast.Not(), self.node_of(code)))

    def _identity(self, left: Code, right: Code, negated: bool) -> Code:
        if NONE not in (left.kind, right.kind):
            if (
                isinstance(right.kind, Number)
                and is_flag(right.kind)
                and isinstance(left.kind, Number)
                and left.kind.weak
            ):
                return self.negated(Code(self._compared(ast.Eq(), left, right), BOOL), negated)
            if isinstance(left.kind, Constant) and isinstance(right.kind, Constant):
                return Code(ast.Constant((left.kind.value is right.kind.value) != negated), BOOL)
            raise Refused("`is` compares with None here", "write ==")
        other = right if left.kind == NONE else left
        if isinstance(other.kind, Seed):
            return Code(None, SEED_TEST)
        if isinstance(other.kind, Optional):
            return self.negated(Code(indexed(self.node_of(other), 0), BOOL), negated)
        return Code(ast.Constant((other.kind == NONE) != negated), BOOL)

    def _equality(self, left: Code, right: Code) -> Code | None:
        """Returns the result of `==` if it is not that of numbers."""
        a, b = left.kind, right.kind
        if NONE in (a, b):
            return self._identity(left, right, negated=False)
        if any(isinstance(one, Constant) and one.value is TEXT for one in (a, b)):
            raise Refused("a text that is made here is compared", "compare numbers")
        if isinstance(a, Constant) and isinstance(b, Constant) and np.dtype in (type(a.value), type(b.value)):
            return Code(ast.Constant(bool(a.value == b.value)), BOOL)
        if isinstance(a, Constant) and isinstance(b, Constant):
            return Code(ast.Constant(bool(same_constant(a.value, b.value))), BOOL)
        if isinstance(a, Optional) or isinstance(b, Optional):
            return self._equal_or_none(left, right)
        left, right = self.plain(left), self.plain(right)
        a, b = left.kind, right.kind
        if isinstance(a, Constant) or isinstance(b, Constant):
            text = next(one.value for one in (a, b) if isinstance(one, Constant))
            if isinstance(text, (str, Enum)):
                return Code(ast.Constant(False), BOOL)
        if isinstance(a, Array) and isinstance(b, Array) and a.listed and b.listed:
            if a.ndim != 1 or b.ndim != 1:
                raise Refused("lists of lists are not compared here", "use arrays, and np.array_equal")
            return Code(called(self.helper("same_items"), self.node_of(left), self.node_of(right)), BOOL)
        return None

    def _equal_or_none(self, left: Code, right: Code) -> Code:
        kind = self.join_of([left, right])
        assert isinstance(kind, Optional)
        if not isinstance(kind.kind, (Number, Tuple)):
            raise Refused("what may be None is compared with `==` as a number only", "test `is None` first")
        nodes = [self.as_kind(one, kind) for one in (left, right)]
        return Code(called(self.helper("same_or_none"), *nodes), BOOL)


_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}
