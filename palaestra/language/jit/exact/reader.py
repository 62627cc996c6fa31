"""Reads a function of the dynamics with Numba's types, statement by statement, and enforces the rules."""

from __future__ import annotations

import linecache
import operator
from collections.abc import Collection
from typing import Any

from gymnasium.functional.stream import DRAWS
from palaestra.language.jit.backend import Assign, Expr, Inst, Var, numba_ir, types
from palaestra.language.jit.exact import arrays, functions, numbers, operators
from palaestra.language.jit.exact.calls import CallReader
from palaestra.language.jit.exact.casts import check_constant
from palaestra.language.jit.exact.elementwise import check_index, check_laid_out, check_record, is_static
from palaestra.language.jit.exact.kinds import MIXED, in_words, is_array, is_long_tuple, kind_of, parts_of
from palaestra.language.jit.exact.mixing import VALUES
from palaestra.language.jit.exact.operators import Unsupported
from palaestra.language.jit.exact.parts import may_meet, put_part
from palaestra.language.jit.exact.selection import larger, smaller
from palaestra.language.jit.fences import fenced, fenced_float, has_floats
from palaestra.language.jit.lanes.types import LanesType
from palaestra.language.jit.random.lane_draws import LaneStreamsType
from palaestra.language.jit.random.pcg64 import StreamType

_EASY = (
    *(types.Number, types.Boolean, types.BaseTuple, types.Array, types.List, types.NoneType, types.SliceType),
    *(types.RangeType, types.IteratorType, types.Pair, types.Function, types.Dispatcher, types.EnumerateType),
    *(types.Module, types.NumberClass, types.DType, types.NamedTupleClass, types.StringLiteral, types.UnicodeType),
    *(types.BoundFunction, types.Omitted, types.ExceptionClass, types.ExceptionInstance, types.EnumClass),
    *(types.EnumMember, types.ExternalFunction, types.ZipType, LanesType, StreamType, LaneStreamsType),
)
_INSTEAD = {
    types.Set: ": write a tuple, x in (0, 1)",
    types.DictType: ": write a tuple, or a dict of the module",
}

_ENDS = (numba_ir.Jump, numba_ir.Del, numba_ir.Raise, numba_ir.StaticRaise, numba_ir.DynamicRaise)


class Reader(CallReader):
    """Reads one function, and changes it."""

    def read(self) -> None:
        """Go through the function."""
        for block in self._ir.blocks.values():
            body = []
            for statement in block.body:
                before: list[Any] = []
                self._dropped = False
                try:
                    self._statement(statement, before)
                except Unsupported as reason:
                    self._refuse(statement.loc, str(reason))
                body += before if self._dropped else [*before, statement, *self._fence_after(statement)]
            block.body = body

    def _refuse(self, place: Any, reason: str) -> None:
        text = linecache.getline(place.filename, place.line).strip()
        shown = f" (`{text}`)" if text else ""
        self.refusals.append(f"{self._name}, line {place.line} of {place.filename}{shown}: {reason}")

    # Statements.

    def _statement(self, statement: Inst, before: list[Inst]) -> None:
        if isinstance(statement, numba_ir.Assign):
            self._assign(statement, before)
        elif isinstance(statement, (numba_ir.SetItem, numba_ir.StaticSetItem)):
            self._set_item(statement, before)
        elif isinstance(statement, numba_ir.Branch):
            self._branch(statement)
        elif isinstance(statement, numba_ir.Return):
            self._return(statement, before)
        elif not isinstance(statement, _ENDS):
            raise Unsupported(
                "this statement is not supported: dynamics are made of assignments, if, for, while and raise"
            )

    def _branch(self, statement: Any) -> None:
        kind = self._types[statement.cond.name]
        if not (kind_of(kind) or isinstance(kind, types.NoneType)):
            raise Unsupported(f"{in_words(kind)} has no truth value here: write a comparison")

    def _fence_after(self, statement: Assign) -> list[Any]:
        """Put a fence around the floats of a variable that has several origins."""
        if getattr(getattr(statement, "value", None), "op", None) != "phi":
            return []
        target = statement.target
        after: list[Any] = []
        if has_floats(self._types[target.name]):
            statement.target = self._rewriter.renamed(target)
            fence = numba_ir.Assign(statement.target, target, statement.loc)
            self._rewriter.replace(fence, fenced, [statement.target], after)
            after.append(fence)
        return after

    def _return(self, statement: Any, before: list[Any]) -> None:
        kind = self._types[statement.value.name]
        if isinstance(kind, types.Optional):
            raise Unsupported("this function returns None on one path and a value on another: return a value on each")
        if statement.value.name in self._mixing.mixed:
            self._metadata[MIXED] = True
        if self._has_branches and has_floats(self._returned):
            is_float = kind_of(self._returned) == "f"
            function, kind = (fenced_float, self._returned) if is_float else (fenced, kind)
            statement.value = self._rewriter.called(function, [statement.value], statement, before, kind)

    def _set_item(self, statement: Any, before: list[Any]) -> None:
        target, value = self._types[statement.target.name], self._types[statement.value.name]
        if not is_array(target) or is_long_tuple(target):
            raise Unsupported(f"an element of {in_words(target)} cannot be set")
        if isinstance(statement, numba_ir.SetItem):
            index = self._types[statement.index.name]
            if is_array(index) and kind_of(index.dtype) == "b" and index.ndim == target.ndim:
                self._put_masked(statement, target, value, before)
                return
            check_index(target, index)
            if kind_of(target.dtype) == "i":
                self._copy_index(statement, index, before)
        elif not is_static(statement.index):
            raise Unsupported("this index is not supported")
        e, v = kind_of(target.dtype), kind_of(value.dtype) if is_array(value) else kind_of(value)
        if is_array(value):
            if value.dtype != target.dtype:
                raise Unsupported(f"{in_words(value)} does not go into {in_words(target)} without a change: use astype")
            self._put_part(statement, target, value, before)
            return
        if isinstance(value, types.List) and kind_of(value.dtype) == e and e in ("b", "i", "f"):
            return
        if e == "f" and v in ("f", "i") and self._has_branches and self._mixing.constant(statement.value) is not None:
            self._set_value(statement, fenced_float, target, before)
            return
        if (e, v) in (("f", "f"), ("f", "i"), ("f", "s"), ("i", "i"), ("i", "b"), ("b", "b"), ("s", "f"), ("s", "s")):
            return
        if e == "f" and v == "b":
            return
        if e == "n" and target.dtype == value:
            return
        if e == "n" and v == "i" and target.dtype in numbers.NARROWED:
            self._set_value(statement, numbers.NARROWED[target.dtype], target, before)
            return
        raise Unsupported(
            f"{in_words(value)} does not go into {in_words(target)} without a change: write int(...) or float(...)"
        )

    def _copy_index(self, statement: Any, index: Any, before: list[Any]) -> None:
        """Let `a[index] = value` use a copy of an array of indices, which may be a part of `a`."""
        if isinstance(index, types.BaseTuple) and any(map(is_array, parts_of(index))):
            raise Unsupported("an array beside other indices is not supported: write a[indices]")
        if is_array(index):
            copied = index.copy(layout="C", readonly=False)
            statement.index = self._rewriter.called(arrays.copied, [statement.index], statement, before, copied)
            taken = self._calls.pop(statement)
            self._calls[statement] = taken.replace(args=(taken.args[0], copied, *taken.args[2:]))

    def _put_masked(self, statement: Any, target: Any, value: Any, before: list[Any]) -> None:
        """`a[mask] = value`."""
        if not target.mutable:
            raise Unsupported("arrays of states, params and actions are read-only: write into a copy, array.copy()")
        e, v = kind_of(target.dtype), kind_of(value.dtype) if is_array(value) else kind_of(value)
        if is_array(value) and (value.dtype != target.dtype or value.ndim != 1):
            raise Unsupported(f"{in_words(value)} does not go into {in_words(target)} without a change: use astype")
        if is_array(value) and value.layout == "A":
            # NumPy reads some of them, such as a[::-1], while it writes, and others before.
            raise Unsupported("a part of an array is not assigned to a mask as it is: write .copy() behind it")
        if (e, v) not in (
            ("f", "f"),
            ("f", "i"),
            ("f", "b"),
            ("i", "i"),
            ("i", "b"),
            ("b", "b"),
            ("s", "s"),
            ("n", "n"),
        ):
            raise Unsupported(
                f"{in_words(value)} does not go into {in_words(target)} without a change: write int(...) or float(...)"
            )
        if e == "b":
            put = arrays.put_masked_row_of_flags if is_array(value) else arrays.put_masked_flags
        else:
            put = arrays.put_masked_row if is_array(value) else arrays.put_masked
        arguments = [statement.target, statement.index, statement.value]
        self._rewriter.called(put, arguments, statement, before, types.none)
        self._dropped = True

    def _put_part(self, statement: Any, target: Any, value: Any, before: list[Any]) -> None:
        """`a[i, 1:] = values`, where the values may be a part of `a`."""
        index = statement.index if isinstance(statement, numba_ir.SetItem) else statement.index_var
        if self._is_fresh(statement.value) or not may_meet(target, self._types[index.name], value):
            return
        self._rewriter.called(put_part, [statement.target, index, statement.value], statement, before, types.none)
        self._dropped = True

    def _set_value(self, statement: Assign, function: Any, target: Any, before: list[Any]) -> None:
        """Let an element of an array be set to a function of the value."""
        statement.value = self._rewriter.called(function, [statement.value], statement, before, target.dtype)
        taken = self._calls.pop(statement)
        self._calls[statement] = taken.replace(args=(*taken.args[:-1], target.dtype))

    def _assign(self, statement: Assign, before: list[Any]) -> None:
        name, value = statement.target.name, statement.value
        kind = self._types[name]
        if isinstance(kind, types.Optional):
            raise Unsupported("a variable is None on one path and a value on another: give it a value on each")
        if isinstance(kind, types.RecursiveCall):
            raise Unsupported("a function that calls itself has no end that machine code would notice: write a loop")
        if isinstance(kind, types.BaseNamedTuple):
            check_record(kind)
        if not isinstance(kind, _EASY):
            remedy = next((words for one, words in _INSTEAD.items() if isinstance(kind, one)), "")
            raise Unsupported(f"{in_words(kind)} is not supported{remedy}")
        if isinstance(value, numba_ir.Expr):
            getattr(self, f"_{value.op}", self._unknown)(statement, value, before)
        elif isinstance(value, numba_ir.Var):
            if isinstance(kind, types.List):
                self._check_list(value)
            self._mixing.check_joined(self._types[value.name], kind, value)
        elif isinstance(value, VALUES):
            check_constant(value.value, kind)

    # Expressions, by Numba's name for them.

    def _unknown(self, statement: Inst, value: Expr, before: list[Inst]) -> None:
        raise Unsupported(f"`{value.op}` is not supported: dynamics are made of numbers, tuples and arrays")

    def _pass(self, statement: Inst, value: object, before: list[Inst]) -> None:
        """For expressions with only one meaning."""

    _pair_first = _pair_second = _iternext = _exhaust_iter = _pass

    def _getiter(self, statement: Inst, value: Expr, before: list[Inst]) -> None:
        kind = self._types[value.value.name]
        if is_array(kind) and kind.ndim != 1:
            raise Unsupported("only arrays of one axis can be gone through: use an index")

    def _phi(self, statement: Assign, value: Expr, before: list[Any]) -> None:
        target = self._types[statement.target.name]
        for one in value.incoming_values:
            if one is numba_ir.UNDEFINED:
                raise Unsupported("this variable has no value on some path: give it one first")
            self._mixing.check_joined(self._types[one.name], target, one)

    def _cast(self, statement: Assign, value: Expr, before: list[Any]) -> None:
        self._mixing.check_joined(self._types[value.value.name], self._types[statement.target.name], value.value)

    def _unary(self, statement: Assign, value: Expr, before: list[Any]) -> None:
        function = value.fn
        check_laid_out(self._types[value.value.name])
        if value.value.name in self._mixing.mixed and function is operator.neg:
            if self._negate_selection(statement, value, before):
                return
            raise Unsupported(
                "-0 and -0.0 differ, and this may be an int or a float: write 1.0 rather than 1 where it is set"
            )
        exact = operators.unary(function, self._types[value.value.name])
        if exact:
            self._rewriter.replace(statement, exact, [value.value], before)

    def _negate_selection(self, statement: Assign, value: Expr, before: list[Any]) -> bool:
        """Replace `-max(0, x)` with `min(-0, -x)`, whose integer has no sign; returns whether it was one."""
        found: list[Any] = self._definitions.get(value.value.name, [])
        if len(found) != 1 or getattr(found[0], "op", None) != "call":
            return False
        (call,) = found
        key = getattr(self._types[call.func.name], "typing_key", None)
        if key not in (min, max) or any(one.name in self._mixing.mixed for one in call.args):
            return False
        turned = []
        for one in call.args:
            whole = kind_of(self._types[one.name]) == "i"
            kind, function = (types.int64, numbers.int_neg) if whole else (types.float64, numbers.float_neg)
            turned.append(self._rewriter.called(function, [one], statement, before, kind))
        self._rewriter.replace(statement, (larger if key is min else smaller)[len(turned)], turned, before)
        return True

    def _binop(self, statement: Assign, value: Expr, before: list[Any]) -> None:
        self._operator(statement, value, value.fn, before)

    def _inplace_binop(self, statement: Assign, value: Expr, before: list[Any]) -> None:
        kinds = [self._types[one.name] for one in (value.lhs, value.rhs)]
        if is_array(kinds[0]):
            if not kinds[0].mutable:
                raise Unsupported("arrays of states, params and actions are read-only: write into a copy, array.copy()")
            exact = operators.in_place(value.fn, kinds[0], kinds[1], self._is_fresh(value.rhs))
            if exact:
                self._rewriter.replace(statement, exact, [value.lhs, value.rhs], before)
            elif is_array(kinds[1]) and kinds[1].ndim:
                self._rewriter.called(arrays.check_fits, [value.lhs, value.rhs], statement, before, types.none)
            return
        self._operator(statement, value, operators.IN_PLACE[value.fn], before)

    def _is_fresh(self, value: Var) -> bool:
        """Whether a variable holds an array that an operation has just made."""
        found = self._definitions.get(value.name, [])
        return len(found) == 1 and isinstance(found[0], numba_ir.Expr) and found[0].op in ("binop", "unary")

    def _operator(self, statement: Assign, value: Expr, function: Any, before: list[Any]) -> None:
        a, b = self._types[value.lhs.name], self._types[value.rhs.name]
        self._mixing.check_operator(function, value, a, b)
        if is_array(a) or is_array(b):
            check_laid_out(a)
            check_laid_out(b)
        if function is operator.contains and isinstance(b, types.BaseTuple) and not isinstance(a, types.BaseTuple):
            a, b = b, a
        literal = self._mixing.constant(value.rhs)
        if literal is None and function not in (operator.pow,) and not is_array(a):
            literal = self._mixing.constant(value.lhs)
        exact = operators.binary(function, a, b, literal)
        if exact is operators.compare_whole:
            self._compare(statement, value, before)
        elif exact:
            self._rewriter.replace(statement, exact, [value.lhs, value.rhs], before)

    def _compare(self, statement: Assign, value: Expr, before: list[Any]) -> None:
        """A comparison of an integer and a float, which Python does exactly."""
        sides = []
        for one, other in ((value.lhs, value.rhs), (value.rhs, value.lhs)):
            if kind_of(self._types[one.name]) == "i":
                taken = [one, other]
                sides.append(self._rewriter.called(numbers.whole_beside, taken, statement, before, types.float64))
            else:
                sides.append(one)
        fresh = numba_ir.Expr.binop(value.fn, *sides, value.loc)
        function = self._typing.resolve_value_type(value.fn)
        self._calls[fresh] = function.get_call_type(self._typing, (types.float64, types.float64), {})
        statement.value = fresh

    def _build_tuple(self, statement: Inst, value: Expr, before: list[Inst]) -> None:
        if any(item.name in self._mixing.mixed for item in value.items):
            raise Unsupported("a tuple's part may be an int or a float: write 1.0 rather than 1 where it is set")

    def _check_list(self, value: Var) -> None:
        if value.name in self._mixing.mixed:
            raise Unsupported("this list holds ints and floats: write 1.0 rather than 1")

    def _build_list(self, statement: Assign, value: Expr, before: list[Any]) -> None:
        kinds = [self._types[item.name] for item in value.items]
        mixed = [item.name in self._mixing.mixed for item in value.items]
        if self._mixing.holds_both(value):
            if not any(kind_of(kind) == "f" and not one for kind, one in zip(kinds, mixed, strict=True)):
                raise Unsupported(
                    "a list holds values that may be ints or floats: write 1.0 rather than 1 where they are set"
                )
        elif len({in_words(getattr(kind, "dtype", kind)) for kind in kinds}) > 1:
            raise Unsupported("a list holds values of one type here")

    _build_slice = _pass

    def _getattr(self, statement: Inst, value: Expr, before: list[Inst]) -> None:
        owner = self._types[value.value.name]
        if isinstance(owner, types.BaseNamedTuple | types.Module | types.EnumClass | types.EnumMember):
            return
        known: Collection[str] = ()
        if is_array(owner) and not is_long_tuple(owner):
            known = ("shape", "size", "ndim", "T", "dtype", *functions.ARRAY_METHODS)
        elif isinstance(owner, (StreamType, LaneStreamsType)):
            known = DRAWS
        elif isinstance(owner, types.List):
            known = ("append",)
        if value.attr in known:
            return
        raise Unsupported(f"`.{value.attr}` of {in_words(owner)} is not supported")

    def _static_getitem(self, statement: Inst, value: Expr, before: list[Inst]) -> None:
        owner = self._types[value.value.name]
        if isinstance(owner, types.List) and isinstance(value.index, int):
            self._check_list(value.value)
            return
        if isinstance(owner, types.BaseTuple) or (is_array(owner) and is_static(value.index)):
            if is_long_tuple(owner) and not isinstance(value.index, int):
                raise Unsupported("a long tuple of the params can be indexed by ints only")
            return
        raise Unsupported(f"this index of {in_words(owner)} is not supported")

    def _getitem(self, statement: Assign, value: Expr, before: list[Any]) -> None:
        owner, index = self._types[value.value.name], self._types[value.index.name]
        if isinstance(owner, types.List):
            self._check_list(value.value)
        check_index(owner, index)
        if is_array(owner) and is_array(index) and kind_of(index.dtype) == "b":
            self._rewriter.replace(statement, arrays.masked, [value.value, value.index], before)
