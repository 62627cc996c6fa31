"""The translation of comparisons."""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import Enum
from typing import Any

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.arithmetic import broadcast, common_dtype
from palaestra.language.plain.translation.conditions import Conditions, is_flag
from palaestra.language.plain.translation.containing import contained
from palaestra.language.plain.translation.descriptions import described, several_forms
from palaestra.language.plain.translation.kinds import (
    BOOL,
    NONE,
    Array,
    Constant,
    Growing,
    Kind,
    Mapping,
    Number,
    Opaque,
    Optional,
    Partial,
    Seed,
    SeedTest,
    Text,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.known import decided, is_data, same_object
from palaestra.language.plain.translation.records import is_compared_as_tuple
from palaestra.language.plain.translation.scope import STATIC
from palaestra.language.plain.translation.unit import Code, called, indexed, name


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
        if isinstance(a, Constant) and isinstance(b, Constant):
            known = decided(_COMPARED[type(operator)], a.value, b.value)
            if known is not None:
                return Code(ast.Constant(known), BOOL)
        if isinstance(operator, (ast.Eq, ast.NotEq)):
            found = self._equality(operator, left, right)
            if found is not None:
                return found
        left, right = self.present(left), self.present(right)
        a, b = left.kind, right.kind
        if any(isinstance(one, Tuple) and one.loose for one in (a, b)):
            raise Refused(several_forms(a, b), "let it always be the same, np.array(..., dtype=...)")
        if isinstance(a, Array) and isinstance(b, Tuple):
            left, right = self.as_array(left), self.as_array(right)
        elif isinstance(b, Array) and isinstance(a, Tuple):
            left = self.as_array(left)
        a, b = left.kind, right.kind
        if isinstance(a, Tuple) and isinstance(b, Tuple):
            if not is_compared_as_tuple(a.record, b.record, not isinstance(operator, (ast.Eq, ast.NotEq))):
                raise Refused("these records are compared in a way of their own", "compare their parts")
            if any(isinstance(item, STATIC) for one in (a, b) for item in one.items):
                raise Refused("tuples that hold texts are compared", "compare their parts")
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
        a, b = left.kind, right.kind
        if NONE not in (a, b):
            if all(isinstance(one, Number) and is_flag(one) and one.weak for one in (a, b)):
                return self.negated(Code(self._compared(ast.Eq(), left, right), BOOL), negated)
            if isinstance(a, Constant) and isinstance(b, Constant):
                return Code(ast.Constant(same_object(a.value, b.value) != negated), BOOL)
            raise Refused("`is` compares with None here", "write ==")
        other = right if a == NONE else left
        if isinstance(other.kind, Seed):
            return Code(None, SeedTest())
        if isinstance(other.kind, Optional):
            return self.negated(Code(indexed(self.node_of(other), 0), BOOL), negated)
        return Code(ast.Constant((other.kind == NONE) != negated), BOOL)

    def _equality(self, operator: ast.cmpop, left: Code, right: Code) -> Code | None:
        """Returns the result of `==`, or of `!=`, if it is not that of numbers."""
        a, b = left.kind, right.kind
        negated = isinstance(operator, ast.NotEq)
        if NONE in (a, b):
            other = b if a == NONE else a
            if not _is_another(other.kind if isinstance(other, Optional) else other) and not isinstance(other, Seed):
                raise Refused("this is compared with None by ==", "write `is None`")
            return self._identity(left, right, negated)
        if any(isinstance(one, (Text, SeedTest)) for one in (a, b)):
            raise Refused("a text that is made here, or a test of the seed, is compared", "compare numbers")
        if isinstance(a, Optional) or isinstance(b, Optional):
            return self.negated(self._equal_or_none(left, right), negated)
        left, right = self.plain(left), self.plain(right)
        a, b = left.kind, right.kind
        known = next((one.value for one in (a, b) if isinstance(one, Constant)), None)
        if isinstance(known, (str, Enum)):
            if not all(_is_another(one) for one in (a, b)) or _is_number(known):
                raise Refused(f"a {described(a)} and a {described(b)} cannot be compared here")
            return Code(ast.Constant(negated), BOOL)
        tuples, lists = _are(Tuple, a, b), [one for one in (a, b) if isinstance(one, Array) and one.listed]
        if tuples == 1 and (lists or _are(Growing, a, b)) and _is_another(a) and _is_another(b):
            return Code(ast.Constant(negated), BOOL)  # a list is no tuple
        if len(lists) == 2:
            if any(one.ndim != 1 for one in lists):
                raise Refused("lists of lists are not compared here", "use arrays, and np.array_equal")
            same = Code(called(self.helper("same_items"), self.node_of(left), self.node_of(right)), BOOL)
            return self.negated(same, negated)
        return None

    def _equal_or_none(self, left: Code, right: Code) -> Code:
        kind = self.join_of([left, right])
        assert isinstance(kind, Optional)
        if not isinstance(kind.kind, (Number, Tuple)):
            raise Refused("what may be None is compared with `==` as a number only", "test `is None` first")
        nodes = [self.as_kind(one, kind) for one in (left, right)]
        return Code(called(self.helper("same_or_none"), *nodes), BOOL)


def _is_another(kind: Kind) -> bool:
    """Returns whether values of a kind equal neither None nor a text, and no member of an Enum that is no number."""
    if isinstance(kind, Constant):
        return is_data(kind.value)
    if isinstance(kind, Array):
        return kind.listed
    return isinstance(kind, (Number, Mapping, Partial, Growing)) or (isinstance(kind, Tuple) and not kind.loose)


def _are(kind: type[Kind], *values: Kind) -> int:
    return sum(isinstance(one, kind) for one in values)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, complex))


_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}
