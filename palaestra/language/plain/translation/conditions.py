"""The translation of conditions: truth, `not`, `and`, `or` and `a if b else c`."""

from __future__ import annotations

import ast

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.arithmetic import Arithmetic
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.dicts import named_again
from palaestra.language.plain.translation.kinds import (
    BOOL,
    INT,
    Array,
    Constant,
    Growing,
    Kind,
    Mapping,
    Number,
    Opaque,
    Optional,
    Packed,
    Place,
    Seed,
    SeedTest,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.known import truth_of
from palaestra.language.plain.translation.scope import STATIC
from palaestra.language.plain.translation.unit import Code, called, indexed, name


class Conditions(Arithmetic):
    """Translates conditions."""

    def _on_unaryop(self, node: ast.UnaryOp) -> Code:
        if isinstance(node.op, ast.Not):
            test = self.test(node.operand)
            if isinstance(test, bool):
                return Code(ast.Constant(not test), BOOL)
            return Code(ast.UnaryOp(ast.Not(), test), BOOL)
        code = self.value(node.operand)
        kind = code.kind
        if isinstance(kind, Unknown):
            return code
        if isinstance(kind, Number) and kind.mixed and isinstance(node.op, ast.USub):
            raise Refused(
                "-0 and -0.0 differ, and this may be an int or a float",
                "write float(...) or int(...) around it, or 0.0 rather than 0",
            )
        if isinstance(node.op, ast.Invert) and isinstance(kind, Number) and kind.dtype.kind == "b" and not kind.weak:
            return Code(ast.UnaryOp(ast.Not(), self.node_of(code)), kind)
        if (isinstance(kind, Array) and kind.listed) or not isinstance(kind, (Number, Array, Opaque)):
            raise Refused(f"this operator has no meaning for a {described(kind)}")
        if (
            isinstance(kind, Array)
            and isinstance(node.op, ast.USub)
            and kind.dtype.itemsize < 8
            and kind.dtype.kind != "f"
        ):
            return self.arithmetic(ast.Sub(), Code(ast.Constant(0), INT), code)
        return Code(ast.UnaryOp(node.op, self.node_of(code)), kind)

    def test(self, node: ast.expr) -> ast.expr | bool:
        """Returns the truth of an expression: known, or as an expression."""
        self._testing = is_joined(node)
        try:
            code = self.expr(node)
        finally:
            self._testing = False
        return self.truth(code)

    def truth(self, code: Code) -> ast.expr | bool:
        """Returns the truth of a value."""
        kind = code.kind
        if isinstance(kind, Packed):
            code = self.present(code)
            kind = code.kind
        if isinstance(kind, (Seed, SeedTest)):
            raise Refused("the seed decides here", "draw from self.np_random")
        if isinstance(kind, Constant):
            return truth_of(kind.value)
        if isinstance(kind, Place):
            if any(hasattr(self.unit.model.places[kind.path], one) for one in ("__bool__", "__len__")):
                raise Refused("this object has a truth value of its own", "write a comparison")
            return True
        if isinstance(kind, Tuple) and kind.loose:
            raise Refused("what may be an array has no truth value here", "write a comparison")
        if isinstance(code.node, ast.Constant) and isinstance(kind, Number):
            return bool(code.node.value)
        if isinstance(kind, Optional):
            held = self.held(code)
            inner = self.truth(Code(indexed(self.node_of(held), 1), kind.kind))
            there: ast.expr = ast.UnaryOp(ast.Not(), indexed(self.node_of(held), 0))
            if isinstance(inner, bool):
                return there if inner else False
            return ast.BoolOp(ast.And(), [there, inner])
        if isinstance(kind, (Number, Opaque, Unknown)):
            return self.node_of(code)
        if isinstance(kind, Growing) or (isinstance(kind, Array) and kind.listed):
            return ast.Compare(called("len", self.node_of(code)), [ast.Gt()], [ast.Constant(0)])
        if isinstance(kind, (Tuple, Mapping)):
            return bool(kind.items)
        if isinstance(kind, Array) and kind.shape is not None and set(kind.shape) == {1}:
            index = ast.Tuple([ast.Constant(0)] * kind.ndim, ast.Load())
            return indexed(self.node_of(code), index if kind.ndim > 1 else ast.Constant(0))
        raise Refused(f"a {described(kind)} has no truth value here", "write a comparison, .any() or .all()")

    _testing = False  # whether only the truth of a BoolOp is needed

    def _on_boolop(self, node: ast.BoolOp) -> Code:
        testing, self._testing = self._testing, False
        return self._of_operands(node, testing)

    def _of_operands(self, node: ast.BoolOp, testing: bool) -> Code:
        is_and = isinstance(node.op, ast.And)
        codes: list[Code] = []
        for k, operand in enumerate(node.values):
            sure, before = set(self.sure), self.block()
            try:
                code = self.expr(operand)
            finally:
                late, self.out = self.out, before
            self.sure = sure if k else self.sure  # the others may be left out
            if late and k > 0:
                return self._in_steps(codes, operand, node.values[k + 1 :], is_and, testing)
            self.out += late
            known = self._known_truth(code)
            if known is None:
                codes.append(code)
            elif known is not is_and:  # the rest is never reached
                codes.append(code)
                break
            elif k == len(node.values) - 1:
                codes.append(code)
        if len(codes) == 1:
            return codes[0]
        return self.together(codes, node.op, testing)

    def _known_truth(self, code: Code) -> bool | None:
        found = self.truth(code) if isinstance(code.kind, (Constant, Place)) or _is_literal(code.node) else None
        return found if isinstance(found, bool) else None

    def together(self, codes: list[Code], operator: ast.boolop, testing: bool = False) -> Code:
        """Returns `and` or `or` of several values."""
        kinds = [code.kind for code in codes]
        if all(isinstance(kind, Number) and kind.dtype.kind == "b" for kind in kinds):
            weak = {kind.weak for kind in kinds if isinstance(kind, Number)}
            nodes = [self.node_of(code) for code in codes]
            return Code(ast.BoolOp(operator, nodes), Number(BOOL.dtype, weak.pop() if len(weak) == 1 else None))
        tests = [self.truth(code) for code in codes]
        nodes = [ast.Constant(test) if isinstance(test, bool) else as_bool(test) for test in tests]
        if not testing and not all(is_flag(kind) or isinstance(kind, Opaque) for kind in kinds):
            return self._one_of(codes, operator)
        return Code(ast.BoolOp(operator, nodes), Number(BOOL.dtype, None))

    def _one_of(self, codes: list[Code], operator: ast.boolop) -> Code:
        """`and` or `or` of numbers, which is one of them."""
        first, *others = codes
        codes = [self.held(first), *others]
        tests = [self.truth(code) for code in codes[:-1]]
        if isinstance(operator, ast.Or):  # what is true is not None
            codes = [*map(_never_none, codes[:-1]), codes[-1]]
        kind, mark = self.join_of(codes), len(self.out)
        *earlier, result = [self.as_kind(code, kind) for code in codes]
        if len(self.out) > mark:
            raise Refused("`and` and `or` of these values give one of them", "write `a if condition else b`")
        for node, test in zip(earlier[::-1], tests[::-1], strict=True):
            condition = ast.Constant(test) if isinstance(test, bool) else as_bool(test)
            sides = (result, node) if isinstance(operator, ast.And) else (node, result)
            result = ast.IfExp(condition, *sides)
        origins = frozenset[str]().union(*(code.origins for code in codes))
        return Code(result, kind, origins)

    def _in_steps(self, codes: list[Code], node: ast.expr, rest: list[ast.expr], is_and: bool, testing: bool) -> Code:
        """The rest of a BoolOp, whose operands need statements of their own."""
        operator: ast.boolop = ast.And() if is_and else ast.Or()
        value = ast.BoolOp(operator, [node, *rest]) if rest else node
        before_it = self.together(codes, operator, testing) if len(codes) > 1 else codes[0]
        if not testing:
            return self._chosen_in_steps(self.held(before_it), value, is_and)
        first = self.truth(before_it)
        found = self.temporary(ast.Constant(first) if isinstance(first, bool) else as_bool(first))
        sure, before = set(self.sure), self.block()
        test = self.test(value)
        self.sure = sure
        self.emit(
            ast.Assign(
                [ast.Name(found.id, ast.Store())], ast.Constant(test) if isinstance(test, bool) else as_bool(test)
            )
        )
        inner, self.out = self.out, before
        self.emit(ast.If(found if is_and else ast.UnaryOp(ast.Not(), found), inner, []))
        return Code(found, Number(BOOL.dtype, None))

    def _chosen_in_steps(self, first: Code, node: ast.expr, is_and: bool) -> Code:
        """`first and node`, or with `or`, of which `node` needs statements of its own."""
        test = self.truth(first)
        found = self.temporary(ast.Constant(test) if isinstance(test, bool) else as_bool(test))
        sure, before = set(self.sure), self.block()
        second = self.expr(node)
        late, self.out, self.sure = self.out, before, sure
        sides = [(second, late), (first if is_and else _never_none(first), [])]
        return self._written_choice(found, sides if is_and else sides[::-1])

    def _on_ifexp(self, node: ast.IfExp) -> Code:
        test = self.test(node.test)
        if isinstance(test, bool):
            return self.expr(node.body if test else node.orelse)
        sides: list[tuple[Code, list[ast.stmt]]] = []
        sure = set(self.sure)
        for side in (node.body, node.orelse):
            before = self.block()
            try:
                code = named_again(self, self.expr(side))
            finally:
                late, self.out = self.out, before
            sides.append((code, late))
            self.sure = set(sure)
        (a, a_late), (b, b_late) = sides
        kind = self.join_of([a, b])
        if isinstance(kind, STATIC):
            return a
        origins = a.origins | b.origins
        if not a_late and not b_late:
            mark = len(self.out)
            nodes = [self.as_kind(a, kind), self.as_kind(b, kind)]
            if len(self.out) == mark:
                return Code(ast.IfExp(test, *nodes), kind, origins)
            del self.out[mark:]
        return self._written_choice(self.temporary(as_bool(test)), sides)

    def _written_choice(self, found: ast.Name, sides: list[tuple[Code, list[ast.stmt]]]) -> Code:
        """Write `if found`, and in it the statements of each side; returns the value of the side."""
        kind = self.join_of([code for code, _ in sides])
        origins = frozenset[str]().union(*(code.origins for code, _ in sides))
        result = f"{found.id}_value"
        blocks = []
        for code, late in sides:
            before = self.block()
            self.out += late
            self.emit(ast.Assign([ast.Name(result, ast.Store())], self.as_kind(code, kind)))
            inner, self.out = self.out, before
            blocks.append(inner)
        self.emit(ast.If(found, *blocks))
        return Code(name(result), kind, origins)


def _never_none(code: Code) -> Code:
    return Code(indexed(code.node, 1), code.kind.kind, code.origins) if isinstance(code.kind, Optional) else code  # type: ignore[arg-type]


def is_joined(node: ast.expr) -> bool:
    """Returns whether an expression is an `and`, an `or` or a chain of comparisons."""
    return isinstance(node, ast.BoolOp) or (isinstance(node, ast.Compare) and len(node.ops) > 1)


def _is_literal(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float))


def is_flag(kind: Kind) -> bool:
    """Returns whether a kind is that of truth values."""
    return isinstance(kind, Number) and kind.dtype.kind == "b"


def as_bool(node: ast.expr) -> ast.expr:
    """Returns an expression as a truth value."""
    if isinstance(node, (ast.Compare, ast.BoolOp)) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        return node
    return called("bool", node)
