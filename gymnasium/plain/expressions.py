"""The translation of expressions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from types import ModuleType
from typing import Any

import numpy as np

from gymnasium.plain.kinds import (
    BOOL,
    INT,
    NONE,
    Array,
    Clash,
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
    Tuple,
    Unjoined,
    Unknown,
    number_of,
    same_constant,
    told,
)
from gymnasium.plain.late import late
from gymnasium.plain.refusals import Refused
from gymnasium.plain.scope import STATIC, Scope
from gymnasium.plain.unit import Code, called, indexed, literal, name, type_node
from gymnasium.spaces.space import Space

DTypes = np.dtype[Any]

_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: a**b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.LShift: lambda a, b: a << b,
    ast.RShift: lambda a, b: a >> b,
}
_LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)
TEXT = object()
"""A text that is made while the environment runs: it can be thrown away, or be the message of an exception."""
SEED_TEST = Constant("whether a seed came")


class Expressions(Scope):
    """Translates expressions."""

    def expr(self, node: ast.expr) -> Code:
        """Returns the translation of an expression; statements that must come before it are written.

        Raises:
            Refused: If it is outside of what can be translated.
        """
        method = getattr(self, f"_on_{type(node).__name__.lower()}", None)
        if method is None:
            raise Refused(f"`{type(node).__name__}` is not supported", "write statements and numbers", node)
        try:
            code: Code = method(node)
        except Refused as refused:
            refused.node = refused.node or node
            raise
        except Unjoined:
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
            if code.node is not None and not isinstance(code.node, ast.Constant) and not _is_temporary(code.node):
                found[k] = code._replace(node=self.temporary(code.node))
        self.out += late

    def value(self, node: ast.expr) -> Code:
        """Returns the translation of an expression whose value is used, so that it may not be None."""
        return self.present(self.expr(node))

    # Names and attributes.

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
            if isinstance(code.kind, Clash):
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
        if number is None or isinstance(value, Enum):
            return self.of_value(value)
        return Code(self._constant_node(value), number)

    def _on_attribute(self, node: ast.Attribute) -> Code:
        return self.attribute(self.expr(node.value), node.attr)

    def mangled(self, key: str) -> str:
        """Returns a name as the class has it: `__x` is private to it."""
        if self.kind is None or not key.startswith("__") or key.endswith("__"):
            return key
        return f"_{self.kind.__name__.lstrip('_')}{key}"

    def attribute(self, owner: Code, key: str) -> Code:
        """Returns an attribute of a value."""
        key = self.mangled(key)
        kind = owner.kind
        if isinstance(kind, Place):
            return self.of_place(kind, key)
        if isinstance(kind, (Optional, Packed)):
            return self.attribute(self.present(owner), key)
        if isinstance(kind, Unknown):
            return Code(None, Unknown())
        if isinstance(kind, Tuple) and kind.record is not None and key in kind.record._fields:
            k = kind.record._fields.index(key)
            return self.item(owner, k)
        if isinstance(kind, Constant):
            return self._of_constant(kind.value, key)
        if isinstance(kind, Array) and not kind.listed:
            return self._of_array(owner, kind, key)
        if isinstance(kind, Number) and kind.weak is not True and key == "dtype":
            return self.of_value(kind.dtype)
        raise Refused(f"`.{key}` of a {told(kind)} is not supported")

    def _of_constant(self, value: Any, key: str) -> Code:
        if not isinstance(value, (ModuleType, type, Enum, Space, np.dtype, np.ndarray, np.finfo, np.iinfo)):
            if number_of(value) is not None or isinstance(value, (str, list, dict, tuple)):
                return self.of_value(getattr(value, key)) if hasattr(value, key) else self._missing(value, key)
            named = key in getattr(type(value), "__dataclass_fields__", ())
            if not named and (not hasattr(value, "__dict__") or key not in vars(value)):
                raise Refused(f"`.{key}` of a {type(value).__name__} is not supported")
        if not hasattr(value, key):
            self._missing(value, key)
        found = getattr(value, key)
        if isinstance(value, Space) and callable(found):
            return self.of_value((value, key))
        return self.of_known(found)

    def _missing(self, value: Any, key: str) -> Code:
        raise Refused(f"there is no `{key}` in {told(Constant(value))}")

    def _of_array(self, owner: Code, kind: Array, key: str) -> Code:
        node = self.node_of(owner)
        if key == "shape":
            if kind.shape is not None:
                return self.of_shape(kind.shape)
            return Code(ast.Attribute(node, key, ast.Load()), Tuple((INT,) * kind.ndim))
        if key in ("size", "ndim"):
            return Code(ast.Attribute(node, key, ast.Load()), INT)
        if key == "T":
            shape = kind.shape[::-1] if kind.shape else None
            return Code(ast.Attribute(node, key, ast.Load()), Array(kind.dtype, kind.ndim, shape), owner.origins)
        if key == "dtype":
            return self.of_value(kind.dtype)
        raise Refused(f"`.{key}` of an array is not supported")

    def of_shape(self, shape: tuple[int, ...]) -> Code:
        """Returns a known shape."""
        return Code(literal(shape), Tuple((INT,) * len(shape)))

    def of_place(self, place: Place, key: str) -> Code:
        """Returns an attribute of the environment, or of an object in it."""
        attribute_of = late("places", "attribute_of")  # which translates properties, and so needs all of this

        handed: Code = attribute_of(self, place, key)
        return handed

    # Operators.

    def _on_binop(self, node: ast.BinOp) -> Code:
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List) and len(node.left.elts) == 1:
            return self._repeated(node.left.elts[0], node.right)
        a, b = self.exprs([node.left, node.right])
        return self.operation(node.op, a, b)

    def _repeated(self, item: ast.expr, count: ast.expr) -> Code:
        """`[item] * count`."""
        full = late("building", "full")

        one, number = self.exprs([item, count])
        size = self.number(number)
        handed: Code = full(self, (self.node_of(size),), (self.static_int(count),), self.number(one), listed=True)
        return handed

    def static_int(self, node: ast.expr) -> int | None:
        """Returns the integer that an expression always is, None if that is not known."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        return None

    def operation(self, operator: ast.operator, left: Code, right: Code) -> Code:
        """Returns the result of an operator of two values."""
        a, b = left.kind, right.kind
        known = all(isinstance(one, Constant) and _is_foldable(one.value) for one in (a, b))
        if known and not isinstance(operator, ast.MatMult):
            return self.of_known(_ARITHMETIC[type(operator)](self.static_value(left), self.static_value(right)))
        if isinstance(a, Mapping) and isinstance(b, Mapping) and isinstance(operator, ast.BitOr):
            return self.merged(left, right)
        if isinstance(operator, (ast.Add, ast.Sub, ast.Mult)):
            found = self._elementwise(operator, left, right)
            if found is not None:
                return found
        left, right = self.present(left), self.present(right)
        a, b = left.kind, right.kind
        if isinstance(a, Unknown) or isinstance(b, Unknown):
            return Code(None, Unknown())
        if any(isinstance(one, Tuple) and one.loose for one in (a, b)):
            raise Refused(
                "this is an array on one path and a tuple or a list on another",
                "let it always be the same, np.array(...)",
            )
        if isinstance(a, Tuple) and isinstance(b, Tuple) and isinstance(operator, ast.Add):
            return Code(self._binary(operator, left, right), Tuple(a.items + b.items))
        if isinstance(a, Array) and a.listed and isinstance(b, Array) and b.listed:
            if isinstance(operator, ast.Add) and a.dtype == b.dtype and a.ndim == b.ndim == 1:
                both = ast.Tuple([self.node_of(left), self.node_of(right)], ast.Load())
                shape = (a.shape[0] + b.shape[0],) if a.shape and b.shape else None
                return Code(called("np.concatenate", both), Array(a.dtype, 1, shape, listed=True))
            raise Refused("this operator of two lists is not supported", "use arrays")
        if isinstance(a, Array) and isinstance(b, (Tuple, Array)) and (isinstance(b, Tuple) or a.listed != b.listed):
            left, right = self.as_array(left), self.as_array(right)
        elif isinstance(b, Array) and isinstance(a, Tuple):
            left = self.as_array(left)
        elif isinstance(a, Array) and a.listed and isinstance(b, Number) and isinstance(operator, ast.Mult):
            count = right.node.value if isinstance(right.node, ast.Constant) else None
            shape = (a.shape[0] * count,) if a.shape and isinstance(count, int) and count >= 0 else None
            if a.ndim == 1:
                made = called(self.helper("repeated"), self.node_of(left), self.node_of(right))
                return Code(made, Array(a.dtype, 1, shape, listed=True))
        if any(isinstance(one.kind, Array) and one.kind.listed for one in (left, right)):
            raise Refused("this operator of a list and a number is not supported", "use an array")
        return self.arithmetic(operator, left, right)

    def _elementwise(self, operator: ast.operator, left: Code, right: Code) -> Code | None:
        """Returns the result for short arrays, number by number; None if they are of another kind."""
        sides = [self.plain(one) for one in (left, right)]
        counts = {few_of(one.kind) for one in sides if not isinstance(one.kind, Number)}
        numbers = [one.kind for one in sides if isinstance(one.kind, Number)]
        if len(counts) != 1 or None in counts or any(one.mixed or one.dtype not in WIDE for one in numbers):
            return None
        (count,) = counts
        sides = [self.held(one) for one in sides]
        rows = [
            [one if isinstance(one.kind, Number) else self.item(one, k) for one in sides] for k in range(count or 0)
        ]
        parts = [self.arithmetic(operator, *row) for row in rows]
        return packed(self, parts)

    def as_array(self, code: Code) -> Code:
        """Returns a list or a tuple of numbers as an array."""
        kind = code.kind
        if isinstance(kind, Array):
            return code._replace(kind=Array(kind.dtype, kind.ndim, kind.shape))
        if isinstance(kind, Tuple):
            array_of_codes = late("building", "array_of_codes")

            held = self.held(code)
            return self.present(array_of_codes(self, [self.item(held, k) for k in range(len(kind.items))], None))
        return code

    def _binary(self, operator: ast.operator, left: Code, right: Code) -> ast.expr:
        return ast.BinOp(self.node_of(left), operator, self.node_of(right))

    def arithmetic(self, operator: ast.operator, left: Code, right: Code) -> Code:
        """Returns the result of an operator of numbers and arrays."""
        a, b = left.kind, right.kind
        if not all(isinstance(kind, (Number, Array, Opaque)) for kind in (a, b)):
            raise Refused(f"this operator has no meaning for a {told(a)} and a {told(b)} here")
        if isinstance(a, Opaque) or isinstance(b, Opaque):
            return Code(self._binary(operator, left, right), Opaque())
        assert isinstance(a, (Number, Array)) and isinstance(b, (Number, Array))
        if isinstance(operator, ast.MatMult):
            return self._product(left, right)
        self._check_mixed(operator, a, b)
        dtype = _result_dtype(operator, a, b)
        square = isinstance(operator, ast.Pow) and isinstance(right.node, ast.Constant) and right.node.value == 2
        if square and isinstance(a, Number) and a.dtype == np.float32:
            from gymnasium.functional.ops import pow2f

            made = called(self.unit.constant(pow2f, "pow2f"), called("float", self.node_of(left)))
            return Code(called("np.float32", made), a)
        if dtype is not None and not (isinstance(operator, _LOGICAL) and dtype.kind == "b"):
            if dtype.kind in "iu" and dtype.itemsize < 8:
                return self._short_arithmetic(operator, left, right, dtype)
            left, right = self._in_dtype(left, dtype, operator), self._in_dtype(right, dtype, operator)
        mixed = any(isinstance(one, Number) and one.mixed for one in (a, b))
        mixed = mixed and all(isinstance(one, Number) and (one.mixed or one.dtype.kind == "i") for one in (a, b))
        node = self._binary(operator, left, right)
        return Code(node, self._result(operator, a, b, dtype, mixed and not isinstance(operator, ast.Div)))

    def _short_arithmetic(self, operator: ast.operator, left: Code, right: Code, dtype: DTypes) -> Code:
        """Short integers are computed in 64 bits; a result that NumPy would cut off raises."""
        wide = np.dtype(np.int64)
        sides = []
        for one in (left, right):
            if isinstance(one.kind, Array):
                node = self.node_of(one) if one.kind.dtype == wide else _astype(self.node_of(one), wide)
                sides.append(Code(node, Array(wide, one.kind.ndim, one.kind.shape)))
            else:
                sides.append(Code(called("int", self.node_of(one)), Number(wide, True)))
        result = self.arithmetic(operator, *sides)
        if isinstance(result.kind, Array):
            return Code(self.array_in(result, dtype), Array(dtype, result.kind.ndim, result.kind.shape))
        return Code(called(type_node(dtype), self.node_of(result)), Number(dtype, False))

    def _check_mixed(self, operator: ast.operator, a: Kind, b: Kind) -> None:
        """Refuse what may give -0.0 for 0, or depends on the type."""
        kinds = [one for one in (a, b) if isinstance(one, Number)]
        if any(one.mixed and one.dtype.kind == "i" for one in kinds):
            raise Refused("this may be an int of some bits only, with which NumPy computes otherwise", "write int(...)")
        if not any(one.mixed for one in kinds) or isinstance(operator, (ast.Add, ast.Sub)):
            return
        other = a if isinstance(b, Number) and b.mixed else b
        is_float = other.dtype.kind == "f" and not getattr(other, "mixed", False)  # type: ignore[attr-defined]
        if is_float and isinstance(operator, (ast.Mult, ast.Div)):
            return
        if isinstance(operator, ast.Div):
            return
        raise Refused(
            "one of the numbers may be an int or a float, and the result depends on it",
            "write 1.0 rather than 1 where it is set",
        )

    def _result(self, operator: ast.operator, a: Number | Array, b: Number | Array, dtype: Any, mixed: bool) -> Kind:
        if isinstance(a, Array) or isinstance(b, Array):
            if dtype is None:
                return Opaque()
            return _broadcast(a, b, dtype)
        weak = None if None in (a.weak, b.weak) else bool(a.weak and b.weak)
        if dtype is None:
            return Opaque()
        return Number(np.dtype(np.float64) if mixed else dtype, weak, mixed)

    def _in_dtype(self, code: Code, dtype: DTypes, operator: ast.operator) -> Code:
        """Returns an operand in the type in which NumPy computes, where machine code would not find that itself."""
        kind = code.kind
        assert isinstance(kind, (Number, Array))
        short = dtype.itemsize < 8 or kind.dtype.itemsize < 8
        if not short or kind.dtype == dtype or "b" in (kind.dtype.kind, dtype.kind):
            return code
        if isinstance(kind, Array):
            return Code(self.array_in(code, dtype), Array(dtype, kind.ndim, kind.shape))
        return Code(self.number_in(code, dtype), Number(dtype, False))

    def number_in(self, code: Code, dtype: DTypes) -> ast.expr:
        """Returns a number in a NumPy type, cut off where that holds integers."""
        kind, node = code.kind, self.node_of(code)
        if not isinstance(kind, Number):
            return called(type_node(dtype), node)
        if kind.dtype == dtype:
            return node
        if dtype == np.float64:
            return called("float", node)
        if dtype == np.float32:
            if isinstance(node, ast.Constant):
                return called("np.float32", literal(float(node.value)))  # type: ignore[arg-type]
            return called("np.float32", called("float", node) if kind.dtype.kind != "f" else node)
        if dtype.kind == "b":
            return ast.Compare(node, [ast.NotEq()], [ast.Constant(0)]) if kind.dtype.kind != "b" else node
        whole = node if kind.dtype == np.int64 else called("int", node)
        return whole if dtype == np.int64 else called(type_node(dtype), whole)

    def array_in(self, code: Code, dtype: DTypes) -> ast.expr:
        """Returns an array in another dtype, as `astype` gives it."""
        kind, node = code.kind, self.node_of(code)
        assert isinstance(kind, Array)
        if kind.dtype == dtype:
            return ast.Call(ast.Attribute(node, "copy", ast.Load()), [], [])
        if dtype.kind in "iu" and dtype != np.int64:
            NARROW = late("library", "NARROW")

            if dtype.name not in NARROW:
                raise Refused(f"astype({dtype.name}) is not supported", "use a shorter type")
            return called(self.unit.constant(NARROW[dtype.name], f"to_{dtype.name}"), self._whole(kind, node))
        if dtype == np.int64:
            return self._whole(kind, node)
        if dtype == np.float32 and kind.dtype.kind in "iu":
            node = _astype(node, np.dtype(np.float64))
        return _astype(node, dtype)

    def _whole(self, kind: Array, node: ast.expr) -> ast.expr:
        if kind.dtype.kind == "f":
            return called(self.helper("to_int64"), node)
        return node if kind.dtype == np.int64 else _astype(node, np.dtype(np.int64))

    def _product(self, left: Code, right: Code) -> Code:
        a, b = left.kind, right.kind
        if not (isinstance(a, Array) and isinstance(b, Array)):
            raise Refused("`@` takes two arrays")
        dtype = np.result_type(a.dtype, b.dtype)
        node = self._binary(ast.MatMult(), left, right)
        ndim = a.ndim + b.ndim - 2
        if ndim == 0:
            return Code(node, Number(dtype, False))
        shape = None
        if a.shape is not None and b.shape is not None:
            shape = a.shape[:-1] + (b.shape[:-2] + b.shape[-1:] if b.ndim > 1 else ())
        return Code(node, Array(dtype, ndim, shape))

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
                "-0 and -0.0 differ, and this may be an int or a float", "write 1.0 rather than 1 where it is set"
            )
        if isinstance(node.op, ast.Invert) and isinstance(kind, Number) and kind.dtype.kind == "b" and not kind.weak:
            return Code(ast.UnaryOp(ast.Not(), self.node_of(code)), kind)
        if (isinstance(kind, Array) and kind.listed) or not isinstance(kind, (Number, Array, Opaque)):
            raise Refused(f"this operator has no meaning for a {told(kind)}")
        if (
            isinstance(kind, Array)
            and isinstance(node.op, ast.USub)
            and kind.dtype.itemsize < 8
            and kind.dtype.kind != "f"
        ):
            return self.arithmetic(ast.Sub(), Code(ast.Constant(0), INT), code)
        return Code(ast.UnaryOp(node.op, self.node_of(code)), kind)

    # Conditions.

    def test(self, node: ast.expr) -> ast.expr | bool:
        """Returns the truth of an expression: known, or as an expression."""
        self._testing = isinstance(node, ast.BoolOp)
        try:
            code = self.expr(node)
        finally:
            self._testing = False
        if code.kind == SEED_TEST:
            raise Refused("the seed decides here", "draw from self.np_random")
        return self.truth(code)

    def truth(self, code: Code) -> ast.expr | bool:
        """Returns the truth of a value."""
        kind = code.kind
        if isinstance(kind, Packed):
            code = self.present(code)
            kind = code.kind
        if isinstance(kind, Constant):
            return bool(kind.value)
        if isinstance(kind, Place):
            return True
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
        raise Refused(f"a {told(kind)} has no truth value here", "write a comparison, .any() or .all()")

    _testing = False  # whether only the truth of a BoolOp is needed

    def _on_boolop(self, node: ast.BoolOp) -> Code:
        testing, self._testing = self._testing, False
        return self._of_operands(node, testing)

    def _of_operands(self, node: ast.BoolOp, testing: bool) -> Code:
        is_and = isinstance(node.op, ast.And)
        codes: list[Code] = []
        for k, operand in enumerate(node.values):
            before = self.block()
            try:
                code = self.expr(operand)
            finally:
                late, self.out = self.out, before
            if late and k > 0:
                return self._in_steps(codes, operand, node.values[k + 1 :], is_and)
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
        return self._together(codes, node.op, testing)

    def _known_truth(self, code: Code) -> bool | None:
        found = self.truth(code) if isinstance(code.kind, (Constant, Place)) or _is_literal(code.node) else None
        return found if isinstance(found, bool) else None

    def _together(self, codes: list[Code], operator: ast.boolop, testing: bool = False) -> Code:
        kinds = [code.kind for code in codes]
        if all(isinstance(kind, Number) and kind.dtype.kind == "b" for kind in kinds):
            weak = {kind.weak for kind in kinds if isinstance(kind, Number)}
            nodes = [self.node_of(code) for code in codes]
            return Code(ast.BoolOp(operator, nodes), Number(BOOL.dtype, weak.pop() if len(weak) == 1 else None))
        tests = [self.truth(code) for code in codes]
        nodes = [ast.Constant(test) if isinstance(test, bool) else _as_bool(test) for test in tests]
        if not testing and not all(_is_flag(kind) or isinstance(kind, Opaque) for kind in kinds):
            raise Refused("`and` and `or` of numbers give one of them", "write `a if condition else b`")
        return Code(ast.BoolOp(operator, nodes), Number(BOOL.dtype, None))

    def _in_steps(self, codes: list[Code], node: ast.expr, rest: list[ast.expr], is_and: bool) -> Code:
        """The rest of a BoolOp, whose operands need statements of their own."""
        operator: ast.boolop = ast.And() if is_and else ast.Or()
        first = self.truth(self._together(codes, operator) if len(codes) > 1 else codes[0])
        found = self.temporary(ast.Constant(first) if isinstance(first, bool) else _as_bool(first))
        before = self.block()
        value = ast.BoolOp(operator, [node, *rest]) if rest else node
        test = self.test(value)
        self.emit(
            ast.Assign(
                [ast.Name(found.id, ast.Store())], ast.Constant(test) if isinstance(test, bool) else _as_bool(test)
            )
        )
        inner, self.out = self.out, before
        self.emit(ast.If(found if is_and else ast.UnaryOp(ast.Not(), found), inner, []))
        return Code(found, Number(BOOL.dtype, None))

    def _on_ifexp(self, node: ast.IfExp) -> Code:
        test = self.test(node.test)
        if isinstance(test, bool):
            return self.expr(node.body if test else node.orelse)
        sides: list[tuple[Code, list[ast.stmt]]] = []
        for side in (node.body, node.orelse):
            before = self.block()
            try:
                code = self.expr(side)
            finally:
                late, self.out = self.out, before
            sides.append((code, late))
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
        found = self.temporary(_as_bool(test))
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

    def _on_compare(self, node: ast.Compare) -> Code:
        codes = self.exprs([node.left, *node.comparators])
        if len(node.ops) > 1:
            codes = [code if code.node is None else self.held(code) for code in codes]
        results = [self.comparison(op, codes[k], codes[k + 1]) for k, op in enumerate(node.ops)]
        if len(results) == 1:
            return results[0]
        return self._together(results, ast.And())

    def comparison(self, operator: ast.cmpop, left: Code, right: Code) -> Code:
        """Returns the result of a comparison."""
        a, b = left.kind, right.kind
        if isinstance(a, Unknown) or isinstance(b, Unknown):
            return Code(None, Unknown())
        negated = isinstance(operator, (ast.IsNot, ast.NotEq, ast.NotIn))
        if isinstance(operator, (ast.Is, ast.IsNot)):
            return self._identity(left, right, negated)
        if isinstance(operator, (ast.In, ast.NotIn)):
            contained = late("containing", "contained")

            return self.negated(contained(self, left, right), negated)
        if isinstance(operator, (ast.Eq, ast.NotEq)):
            found = self._equality(left, right)
            if found is not None:
                return self.negated(found, negated)
        elif isinstance(a, Constant) and isinstance(b, Constant) and _is_foldable(a.value) and _is_foldable(b.value):
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
            raise Refused(f"a {told(a)} and a {told(b)} cannot be compared here")
        if isinstance(a, Opaque) or isinstance(b, Opaque):
            return Code(self._compared(operator, left, right), Opaque())
        assert isinstance(a, (Number, Array)) and isinstance(b, (Number, Array))
        dtype = _common_dtype(a, b)
        if dtype is not None and not ({a.dtype.kind, b.dtype.kind} <= {"i", "u"}):
            left, right = self._in_dtype(left, dtype, ast.Add()), self._in_dtype(right, dtype, ast.Add())
        if isinstance(a, Array) or isinstance(b, Array):
            return Code(self._compared(operator, left, right), _broadcast(a, b, BOOL.dtype))
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
                and _is_flag(right.kind)
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

    # Items.

    def item(self, code: Code, k: int) -> Code:
        """Returns a part of a tuple or of a dict's tuple, or an element of an array."""
        kind = code.kind
        if isinstance(kind, (Tuple, Mapping)):
            if not -len(kind.items) <= k < len(kind.items):
                raise Refused("an index beyond the tuple")
            if isinstance(kind.items[k], STATIC):
                return Code(None, kind.items[k])
            if isinstance(code.node, ast.Tuple):
                return Code(code.node.elts[k], kind.items[k], code.origins)
            return Code(indexed(self.node_of(code), k), kind.items[k], code.origins)
        if isinstance(kind, Packed):
            node = code.node.elts[k] if isinstance(code.node, ast.Tuple) else indexed(self.node_of(code), k)
            return Code(node, Number(kind.dtype, False))
        if isinstance(kind, Array):
            return Code(
                indexed(self.node_of(code), k), _element(kind, 1), code.origins if kind.ndim > 1 else frozenset()
            )
        if isinstance(kind, Constant):
            return self.of_known(kind.value[k])
        if isinstance(kind, Growing) and kind.item is not None:
            return Code(indexed(self.node_of(code), k), kind.item)
        return Code(indexed(self.node_of(code), k), Opaque())

    def _on_subscript(self, node: ast.Subscript) -> Code:
        load = late("indexing", "load")

        handed: Code = load(self, node)
        return handed

    # Collections.

    def _on_tuple(self, node: ast.Tuple) -> Code:
        if any(isinstance(one, ast.Starred) for one in node.elts):
            return self._tuple_of(self.unpacked(node.elts))
        return self._tuple_of(self.exprs(node.elts))

    def unpacked(self, nodes: Sequence[ast.expr]) -> list[Code]:
        """Returns the translations of expressions, with those of `*a` in their places."""
        found: list[Code] = []
        for node in nodes:
            if not isinstance(node, ast.Starred):
                found.append(self.value(node))
                continue
            code = self.held(self.value(node.value))
            found += self.parts(code)
        return found

    def parts(self, code: Code) -> list[Code]:
        """Returns the items of a value whose number is known."""
        kind = code.kind
        if isinstance(kind, (Tuple, Mapping)):
            return [self.item(code, k) for k in range(len(kind.items))]
        if isinstance(kind, Array) and kind.shape is not None:
            return [self.item(code, k) for k in range(kind.shape[0])]
        if isinstance(kind, Constant) and isinstance(kind.value, (tuple, list)):
            return [self.of_known(one) for one in kind.value]
        raise Refused(f"the items of a {told(kind)} are not known here")

    def _tuple_of(self, codes: list[Code]) -> Code:
        if all(isinstance(code.kind, Constant) for code in codes):
            return self.of_value(tuple(code.kind.value for code in codes if isinstance(code.kind, Constant)))
        if any(isinstance(code.kind, Unknown) for code in codes):
            return Code(None, Unknown())
        codes = [self.plain(code) for code in codes]
        origins = frozenset[str]().union(*(code.origins for code in codes))
        nodes: list[ast.expr] = [
            ast.Constant(0) if isinstance(code.kind, STATIC) else self.node_of(code) for code in codes
        ]
        return Code(ast.Tuple(nodes, ast.Load()), Tuple(tuple(code.kind for code in codes)), origins)

    def _on_list(self, node: ast.List) -> Code:
        list_of = late("building", "list_of")

        handed: Code = list_of(self, self.unpacked(node.elts))
        return handed

    def _on_dict(self, node: ast.Dict) -> Code:
        keys: list[str] = []
        codes: list[Code] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                inner = self.held(self.value(value))
                if not isinstance(inner.kind, Mapping):
                    raise Refused("`**` takes a dict with known keys here")
                keys += inner.kind.keys
                codes += self.parts(inner)
                continue
            known = self.expr(key).kind
            if not (isinstance(known, Constant) and isinstance(known.value, str)):
                return self._constant_dict(node)
            keys.append(known.value)
            codes.append(self.plain(self.expr(value)))
        return self.mapping(keys, codes)

    def _constant_dict(self, node: ast.Dict) -> Code:
        found = {}
        for key, value in zip(node.keys, node.values, strict=True):
            a, b = self.expr(key) if key else None, self.expr(value)
            values = [self.static_value(one) for one in (a, b) if one is not None]
            found[values[0]] = values[1]
        return self.of_value(found)

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

    def mapping(self, keys: list[str], codes: list[Code]) -> Code:
        """Returns a dict of known keys; the last of equal keys wins."""
        found = dict(zip(keys, codes, strict=True))
        if any(isinstance(code.kind, Unknown) for code in found.values()):
            return Code(None, Unknown())
        nodes: list[ast.expr] = [
            ast.Constant(0) if isinstance(code.kind, STATIC) else self.node_of(code) for code in found.values()
        ]
        origins = frozenset[str]().union(*(code.origins for code in found.values()))
        kind = Mapping(tuple(found), tuple(code.kind for code in found.values()))
        return Code(ast.Tuple(nodes, ast.Load()), kind, origins)

    def merged(self, left: Code, right: Code) -> Code:
        """Returns a dict of the items of two."""
        if isinstance(left.kind, Constant) and not left.kind.value:
            return right
        if isinstance(right.kind, Constant) and not right.kind.value:
            return left
        a, b = self.held(left), self.held(right)
        if not (isinstance(a.kind, Mapping) and isinstance(b.kind, Mapping)):
            raise Refused("dicts with known keys are needed here")
        return self.mapping([*a.kind.keys, *b.kind.keys], [*self.parts(a), *self.parts(b)])

    def _on_joinedstr(self, node: ast.JoinedStr) -> Code:
        return self.of_value(TEXT)

    def _on_listcomp(self, node: ast.ListComp) -> Code:
        comprehension = late("building", "comprehension")

        handed: Code = comprehension(self, node)
        return handed

    def _on_generatorexp(self, node: ast.GeneratorExp) -> Code:
        comprehension = late("building", "comprehension")

        handed: Code = comprehension(self, node)
        return handed

    def _on_call(self, node: ast.Call) -> Code:
        call = late("calls", "call")

        handed: Code = call(self, node)
        return handed

    def _on_namedexpr(self, node: ast.NamedExpr) -> Code:
        code = self.expr(node.value)
        self.bind(node.target.id, code)
        return self.locals[node.target.id]

    def only_returned(self) -> set[str]:
        """Returns the variables that are only used as parts of what the function returns."""
        if self._only_returned is None:
            tree = self.source.tree
            handed = {
                id(node) for one in ast.walk(tree) if isinstance(one, ast.Return) for node in _handed_on(one.value)
            }
            names = [one for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
            self._only_returned = {one.id for one in names} - {one.id for one in names if id(one) not in handed}
        return self._only_returned

    _only_returned: set[str] | None = None

    def bind(self, variable: str, code: Code) -> None:
        """Assign a value to a local variable."""
        if isinstance(code.kind, STATIC):
            self.locals[variable] = code
            return
        if isinstance(code.kind, Unknown):
            self.locals[variable] = code
            return
        if isinstance(code.kind, Packed) and variable not in self.only_returned():
            code = self.present(code)
        own = self.local(variable)
        self.emit(ast.Assign([ast.Name(own, ast.Store())], self.node_of(code)))
        if isinstance(code.kind, Mapping) and isinstance(code.node, ast.Name) and not _is_temporary(code.node):
            code = code._replace(origins=code.origins | {"dict with two names"})
            for key, one in self.locals.items():
                if isinstance(one.node, ast.Name) and one.node.id == code.node.id:  # type: ignore[union-attr]
                    self.locals[key] = one._replace(origins=code.origins)
        self.locals[variable] = Code(name(own), code.kind, code.origins)


_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


def _handed_on(node: ast.expr | None) -> Iterator[ast.expr]:
    """Yields the parts of a returned expression that are handed on as they are."""
    if isinstance(node, ast.Tuple):
        for one in node.elts:
            yield from _handed_on(one)
    elif isinstance(node, ast.Dict):
        for one in node.values:
            yield from _handed_on(one)
    elif node is not None:
        yield node


def _is_foldable(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_is_foldable, value))
    return isinstance(value, (str, bytes, bool, int, float, np.ndarray))


def _is_temporary(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id.startswith("_")


def _is_literal(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float))


def _is_flag(kind: Kind) -> bool:
    return isinstance(kind, Number) and kind.dtype.kind == "b"


def _as_bool(node: ast.expr) -> ast.expr:
    if isinstance(node, (ast.Compare, ast.BoolOp)) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        return node
    return called("bool", node)


def _astype(node: ast.expr, dtype: DTypes) -> ast.expr:
    return ast.Call(ast.Attribute(node, "astype", ast.Load()), [type_node(dtype)], [])


def _element(kind: Array, axes: int) -> Kind:
    if kind.ndim == axes:
        # A list's floats may be Python's or NumPy's.
        return Number(kind.dtype, (None if kind.dtype.kind == "f" else True) if kind.listed else False)
    shape = kind.shape[axes:] if kind.shape is not None else None
    return Array(kind.dtype, kind.ndim - axes, shape, kind.listed)


def element_of(kind: Array, axes: int = 1) -> Kind:
    """Returns the kind of what some first indices of an array lead to."""
    return _element(kind, axes)


WIDE = (np.float64, np.int64)
_FEW = 4  # numbers of an array with which machine code computes one by one


def few_of(kind: Kind) -> int | None:
    """Returns the length of a short array of numbers of 64 bits; None for anything else."""
    if isinstance(kind, Packed):
        return kind.count if kind.dtype in WIDE and kind.count <= _FEW else None
    if not isinstance(kind, Array) or kind.listed or kind.ndim != 1 or kind.shape is None or kind.dtype not in WIDE:
        return None
    return kind.shape[0] if 0 < kind.shape[0] <= _FEW else None


def packed(scope: Expressions, parts: list[Code]) -> Code:
    """Returns a new array of some numbers of one type."""
    dtypes = {part.kind.dtype for part in parts if isinstance(part.kind, Number)}
    (dtype,) = dtypes
    return Code(ast.Tuple([scope.node_of(part) for part in parts], ast.Load()), Packed(dtype, len(parts)))


def _weak_example(kind: Number | Array) -> Any:
    if isinstance(kind, Number) and kind.weak and kind.dtype.kind in "bif":
        return {"b": False, "i": 0, "f": 0.0}[kind.dtype.kind]
    return kind.dtype


def _common_dtype(a: Number | Array, b: Number | Array) -> DTypes | None:
    """Returns the type in which NumPy computes; None if whether a number is Python's is not known, and decides."""
    if any(isinstance(one, Number) and one.weak is None for one in (a, b)):
        if a.dtype.itemsize == b.dtype.itemsize == 8:
            return np.result_type(a.dtype, b.dtype)
        if "b" in (a.dtype.kind, b.dtype.kind):
            return np.result_type(a.dtype, b.dtype)
        raise Refused("a number is Python's on one path and NumPy's on another", "write float(...) or int(...)")
    return np.result_type(_weak_example(a), _weak_example(b)) if _has_strong(a, b) else np.result_type(a.dtype, b.dtype)


def _has_strong(a: Number | Array, b: Number | Array) -> bool:
    return not all(isinstance(one, Number) and one.weak for one in (a, b))


def _result_dtype(operator: ast.operator, a: Number | Array, b: Number | Array) -> DTypes | None:
    dtype = _common_dtype(a, b)
    if dtype is None:
        return None
    if isinstance(operator, ast.Div) and dtype.kind in "biu":
        return np.dtype(np.float64)
    if dtype.kind == "b" and not isinstance(operator, _LOGICAL):
        return np.dtype(np.int64) if not _has_strong(a, b) else None
    return dtype


def _broadcast(a: Number | Array, b: Number | Array, dtype: DTypes) -> Array:
    arrays = [one for one in (a, b) if isinstance(one, Array)]
    shape = None
    if all(one.shape is not None for one in arrays):
        try:
            shape = np.broadcast_shapes(*[one.shape for one in arrays if one.shape is not None])
        except ValueError:
            raise Refused("these arrays have shapes that do not fit") from None
    return Array(dtype, max(one.ndim for one in arrays), shape)


def codes_origins(codes: Iterable[Code]) -> frozenset[str]:
    """Returns the origins of several values."""
    return frozenset[str]().union(*(code.origins for code in codes))
