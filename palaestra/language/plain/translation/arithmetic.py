"""The translation of operators, with the types in which NumPy computes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from palaestra.language.plain.library import NARROW
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.attributes import Attributes
from palaestra.language.plain.translation.building import array_of_codes, full, packed
from palaestra.language.plain.translation.descriptions import described, several_forms
from palaestra.language.plain.translation.elements import WIDE, few_of
from palaestra.language.plain.translation.kinds import (
    Array,
    Constant,
    DTypes,
    Kind,
    Mapping,
    Number,
    Opaque,
    Partial,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.unit import Code, called, literal, type_node

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


class Arithmetic(Attributes):
    """Translates operators of numbers, arrays, tuples and lists."""

    def _on_binop(self, node: ast.BinOp) -> Code:
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List) and len(node.left.elts) == 1:
            return self._repeated(node.left.elts[0], node.right)
        a, b = self.exprs([node.left, node.right])
        return self.operation(node.op, a, b)

    def _repeated(self, item: ast.expr, count: ast.expr) -> Code:
        """`[item] * count`."""
        one, number = self.exprs([item, count])
        size = self.number(number)
        return full(self, (self.node_of(size),), (self.static_int(count),), self.number(one), listed=True)

    def operation(self, operator: ast.operator, left: Code, right: Code) -> Code:
        """Returns the result of an operator of two values."""
        a, b = left.kind, right.kind
        known = all(isinstance(one, Constant) and is_foldable(one.value) for one in (a, b))
        if known and not isinstance(operator, ast.MatMult):
            return self.of_known(_ARITHMETIC[type(operator)](self.static_value(left), self.static_value(right)))
        if isinstance(operator, ast.BitOr) and all(isinstance(one, (Mapping, Partial)) for one in (a, b)):
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
            raise Refused(several_forms(a, b), "let it always be the same, np.array(..., dtype=...)")
        if isinstance(a, Tuple) and isinstance(b, Tuple) and isinstance(operator, ast.Add):
            return Code(self._binary(operator, left, right), Tuple(a.items + b.items))
        if isinstance(a, Array) and a.listed and isinstance(b, Array) and b.listed:
            alike = (a.dtype, a.mixed) == (b.dtype, b.mixed) and a.ndim == b.ndim == 1
            if isinstance(operator, ast.Add) and alike:
                both = ast.Tuple([self.node_of(left), self.node_of(right)], ast.Load())
                shape = (a.shape[0] + b.shape[0],) if a.shape and b.shape else None
                return Code(called("np.concatenate", both), Array(a.dtype, 1, shape, True, a.mixed))
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
                return Code(made, Array(a.dtype, 1, shape, True, a.mixed))
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
            if kind.mixed:
                raise Refused("an array of a list of ints and floats", "name its dtype: np.array(a, dtype=np.float64)")
            return code._replace(kind=Array(kind.dtype, kind.ndim, kind.shape))
        if isinstance(kind, Tuple):
            held = self.held(code)
            return self.present(array_of_codes(self, [self.item(held, k) for k in range(len(kind.items))], None))
        return code

    def _binary(self, operator: ast.operator, left: Code, right: Code) -> ast.expr:
        return ast.BinOp(self.node_of(left), operator, self.node_of(right))

    def arithmetic(self, operator: ast.operator, left: Code, right: Code) -> Code:
        """Returns the result of an operator of numbers and arrays."""
        a, b = left.kind, right.kind
        if not all(isinstance(kind, (Number, Array, Opaque)) for kind in (a, b)):
            raise Refused(f"this operator has no meaning for a {described(a)} and a {described(b)} here")
        if isinstance(a, Opaque) or isinstance(b, Opaque):
            return Code(self._binary(operator, left, right), Opaque())
        assert isinstance(a, (Number, Array)) and isinstance(b, (Number, Array))
        if isinstance(operator, ast.MatMult):
            return self._product(left, right)
        self._check_mixed(operator, a, b)
        dtype = _result_dtype(operator, a, b)
        _check_length(operator, left, right)
        square = isinstance(operator, ast.Pow) and isinstance(right.node, ast.Constant) and right.node.value == 2
        if square and isinstance(a, Array) and a.dtype == np.float32:
            held = self.held(left)
            return self.arithmetic(ast.Mult(), held, held)
        if square and isinstance(a, Number) and a.dtype == np.float32:
            from gymnasium.functional.ops import pow2f

            made = called(self.unit.constant(pow2f, "pow2f"), called("float", self.node_of(left)))
            return Code(called("np.float32", made), a)
        whole = dtype == np.int64 and isinstance(a, Number) and isinstance(b, Number)
        if whole and isinstance(operator, ast.Pow) and not isinstance(right.node, ast.Constant):
            sides = [called("int", self.node_of(one)) for one in (left, right)]
            return Code(called(self.helper("whole_power"), *sides), self._result(operator, a, b, dtype, False))
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
        """Refuse operators that may give -0.0 for 0, or depend on the type."""
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
            "write float(...) or int(...) around it, or 1.0 rather than 1",
        )

    def _result(self, operator: ast.operator, a: Number | Array, b: Number | Array, dtype: Any, mixed: bool) -> Kind:
        if isinstance(a, Array) or isinstance(b, Array):
            if dtype is None:
                return Opaque()
            return broadcast(a, b, dtype)
        weak = None if None in (a.weak, b.weak) else bool(a.weak and b.weak)
        if dtype is None:
            return Opaque()
        return Number(np.dtype(np.float64) if mixed else dtype, weak, mixed)

    def _in_dtype(self, code: Code, dtype: DTypes, operator: ast.operator) -> Code:
        """Returns an operand in the type in which NumPy computes, where machine code would not find that itself."""
        kind = code.kind
        assert isinstance(kind, (Number, Array))
        if isinstance(kind, Array) and kind.dtype.kind == "b" and dtype in (np.int64, np.float64):
            return Code(self.array_in(code, dtype), Array(dtype, kind.ndim, kind.shape))
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


def is_foldable(value: Any) -> bool:
    """Returns whether operators of a value may be computed before anything runs."""
    if isinstance(value, (tuple, list)):
        return all(map(is_foldable, value))
    return isinstance(value, (str, bytes, bool, int, float, np.ndarray))


def _check_length(operator: ast.operator, left: Code, right: Code) -> None:
    """Refuse an integer beyond 64 bits that is written out, `1 << 70`."""
    a, b = (one.node.value if isinstance(one.node, ast.Constant) else None for one in (left, right))
    if not (type(a) is int and type(b) is int) or not isinstance(operator, (ast.LShift, ast.Pow)) or not 0 <= b < 1024:
        return
    if not -(2**63) <= _ARITHMETIC[type(operator)](a, b) < 2**63:
        raise Refused("an integer beyond 64 bits", "keep it in several parts, or as a float")


def _astype(node: ast.expr, dtype: DTypes) -> ast.expr:
    if isinstance(node, ast.Subscript):  # a part of an array, which machine code casts in the order of memory
        node = ast.Call(ast.Attribute(node, "copy", ast.Load()), [], [])
    return ast.Call(ast.Attribute(node, "astype", ast.Load()), [type_node(dtype)], [])


def _weak_example(kind: Number | Array) -> Any:
    if isinstance(kind, Number) and kind.weak and kind.dtype.kind in "bif":
        return {"b": False, "i": 0, "f": 0.0}[kind.dtype.kind]
    return kind.dtype


def common_dtype(a: Number | Array, b: Number | Array) -> DTypes | None:
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
    dtype = common_dtype(a, b)
    if dtype is None:
        return None
    if isinstance(operator, ast.Div) and dtype.kind in "biu":
        return np.dtype(np.float64)
    if dtype.kind == "b" and not isinstance(operator, _LOGICAL):
        return np.dtype(np.int64) if not _has_strong(a, b) else None
    return dtype


def broadcast(a: Number | Array, b: Number | Array, dtype: DTypes) -> Array:
    """Returns the kind of the result of an operator of two arrays."""
    arrays = [one for one in (a, b) if isinstance(one, Array)]
    shape = None
    if all(one.shape is not None for one in arrays):
        try:
            shape = np.broadcast_shapes(*[one.shape for one in arrays if one.shape is not None])
        except ValueError:
            raise Refused("these arrays have shapes that do not fit") from None
    return Array(dtype, max(one.ndim for one in arrays), shape)
