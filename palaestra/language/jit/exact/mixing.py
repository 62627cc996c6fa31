"""Variables of floats that may hold an integer in Python: `x = 0` on one path, `x = 0.5` on another.

Numba makes floats of both. That makes no difference in a sum with a float, but it does in `-x`, since -0 is not -0.0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.functional import ops
from palaestra.language.jit.backend import Assign, Expr, Type, Var, numba_ir, types, unliteral
from palaestra.language.jit.exact import numbers
from palaestra.language.jit.exact.conversions import to_float, to_int
from palaestra.language.jit.exact.kinds import MIXED, in_words, is_array, is_long_tuple, kind_of, number_kind, parts_of
from palaestra.language.jit.exact.operators import COMPARED, PLAIN, Unsupported

SELECTING = frozenset([min, max, ops.where, ops.clip, ops.minimum, ops.maximum])
"""Functions that return one of their arguments."""

VALUES = (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)


class Mixing:
    """The knowledge about a function's variables beyond their types.

    Args:
        func_ir: The function.
        typemap: The types of its variables.
        calltypes: The signatures of its calls.

    Attributes:
        mixed: The names of the variables that may hold an integer in Python, and of lists that hold both.
    """

    def __init__(self, func_ir: Any, typemap: Any, calltypes: Any) -> None:
        self._ir, self._types, self._calls = func_ir, typemap, calltypes
        self._definitions = func_ir._definitions
        self.mixed: set[str] = set()
        while self._find():  # follows loops too
            pass

    def _find(self) -> bool:
        known = len(self.mixed)
        for block in self._ir.blocks.values():
            for statement in block.body:
                if isinstance(statement, numba_ir.Assign) and self._is_mixed(statement):
                    self.mixed.add(statement.target.name)
        return len(self.mixed) > known

    def _is_mixed(self, statement: Assign) -> bool:
        target, value = self._types[statement.target.name], statement.value
        if isinstance(target, types.List):
            return self._list_is_mixed(value)
        if kind_of(target) not in ("f", "l"):
            return False
        if isinstance(value, (numba_ir.Var, *VALUES)):
            return self._becomes_mixed(value, target)
        if not isinstance(value, numba_ir.Expr):
            return False
        if value.op == "phi":
            return any(
                self._becomes_mixed(one, target) for one in value.incoming_values if one is not numba_ir.UNDEFINED
            )
        if value.op == "cast":
            return self._becomes_mixed(value.value, target)
        if value.op == "unary":
            return value.value.name in self.mixed
        if value.op == "call":
            return self._call_is_mixed(value) or self._is_abs_of_mixed(value)
        return False

    def _list_is_mixed(self, value: Any) -> bool:
        if isinstance(value, numba_ir.Var):
            return value.name in self.mixed
        op = getattr(value, "op", None)
        if op == "phi":
            return any(getattr(one, "name", None) in self.mixed for one in value.incoming_values)
        return op == "build_list" and self.holds_both(value)

    def holds_both(self, built: Expr) -> bool:
        """Whether a list that is written out holds ints and floats, or values that may be either."""
        kinds = {kind_of(self._types[item.name]) for item in built.items}
        return kinds == {"i", "f"} or any(item.name in self.mixed for item in built.items)

    def _becomes_mixed(self, value: Any, target: Type) -> bool:
        if isinstance(value, numba_ir.Var):
            return value.name in self.mixed or self._kinds_differ(self._types[value.name], target)
        return isinstance(value.value, int)

    def _kinds_differ(self, source: Type, target: Type) -> bool:
        kinds = (number_kind(source), number_kind(target))
        return kinds[1] == "f" and kinds[0] in ("i", "b", "n")

    def _is_abs_of_mixed(self, call: Expr) -> bool:
        function = getattr(self._types[call.func.name], "typing_key", None)
        return function is abs and call.args[0].name in self.mixed

    def _call_is_mixed(self, call: Expr) -> bool:
        function = self._types[call.func.name]
        if isinstance(function, types.Dispatcher):
            made = function.dispatcher.get_compile_result(self._calls[call])
            return bool(made.metadata.get(MIXED))
        if getattr(function, "typing_key", None) not in SELECTING:
            return False
        arguments = call.args[1:] if function.typing_key is ops.where else call.args
        found = {number_kind(self._types[one.name]) for one in arguments}
        return len(found) > 1 or any(one.name in self.mixed for one in arguments)

    def _check_parts_joined(self, source: tuple[Type, ...], target: tuple[Type, ...]) -> None:
        if len(source) != len(target):
            raise Unsupported("a variable holds tuples of different lengths")
        for a, b in zip(source, target, strict=True):
            if number_kind(a) != number_kind(b):
                raise Unsupported("a tuple has an int on one path and a float on another: write 1.0 rather than 1")
            self.check_joined(a, b)

    def check_joined(self, source: Type, target: Type, value: Any = None) -> None:
        """Raise if a variable takes values of several kinds, on several paths."""
        x, y = number_kind(source), number_kind(target)
        if x == y and (x is None or _narrow(source) == _narrow(target)):
            if isinstance(source, types.BaseTuple) and isinstance(target, types.BaseTuple):
                self._check_parts_joined(parts_of(source), parts_of(target))
            if is_array(source) and is_array(target) and is_long_tuple(source) != is_long_tuple(target):
                raise Unsupported("a variable is a long tuple on one path and an array on another")
            return
        if y == "f" and x == "i" and self.is_small(source, value):
            return
        raise Unsupported(
            f"a variable is {in_words(source)} on one path and {in_words(target)} on another: write the same kind on "
            "each, 1.0 rather than 1, float(...) or int(...)"
        )

    def is_small(self, source: object, value: object) -> bool:
        """Whether an integer is a literal with an equal float."""
        found = source.literal_value if isinstance(source, types.IntegerLiteral) else None
        if found is None and isinstance(value, numba_ir.Var):
            found = self.constant(value)
        return isinstance(found, int) and abs(found) <= numbers.WHOLE

    def constant(self, value: Var) -> Any:
        """Returns the number that a variable always is, or None."""
        kind = self._types.get(value.name)
        if isinstance(kind, types.IntegerLiteral):
            return kind.literal_value
        found = self._definitions.get(value.name, [])
        if len(found) != 1:
            return None
        (one,) = found
        if isinstance(one, VALUES) and type(one.value) in (int, float):
            return one.value
        return self.constant(one) if isinstance(one, numba_ir.Var) else None

    def check_operator(self, function: Any, value: Expr, a: Any, b: Any) -> None:
        """Raise if an operator's result depends on whether an operand is an integer."""
        mixed = [one.name in self.mixed for one in (value.lhs, value.rhs)]
        if not any(mixed):
            return
        both = {number_kind(a), number_kind(b)}
        held = [kind_of(kind.dtype) for kind in (a, b) if is_array(kind)]
        if function in COMPARED or held == ["f"]:
            return
        if both == {"f"} and not all(mixed) and function in PLAIN:
            return
        raise Unsupported(
            "this may be an int or a float, and the result depends on it: write 1.0 rather than 1 where it is set"
        )

    def check_function(self, key: Any, value: Expr) -> None:
        """Raise if a function gets a value that may be an integer, and would return one."""
        if key in SELECTING or key in (abs, to_int, to_float, bool, len) or getattr(key, "__module__", "") == "math":
            return
        for one in value.args:
            kind = self._types[one.name]
            if isinstance(kind, types.List) and kind_of(kind.dtype) != "f" and key not in (np.array, sum, min, max):
                raise Unsupported("of an empty list NumPy makes an array of floats: write np.array of it before")
            if one.name in self.mixed and not (key is np.array and isinstance(self._types[one.name], types.List)):
                raise Unsupported(
                    "this may be an int or a float, and so may the result: write 1.0 rather than 1 where it is set"
                )

    def is_literal_list(self, value: Var) -> bool:
        """Returns whether a variable is a list that is written out."""
        found = self._definitions.get(value.name, [])
        return len(found) == 1 and getattr(found[0], "op", None) == "build_list" and len(found[0].items) > 0

    def check_selection(self, key: Any, value: Expr) -> None:
        """Raise if a function returns one of its arguments, and these are ints and floats."""
        if key not in SELECTING:
            return
        arguments = list(value.args[1:] if key is ops.where else value.args)
        found = {number_kind(self._types[one.name]) for one in arguments}
        if len(found) > 1 and found <= {"i", "f"}:
            for one in arguments:
                kind = self._types[one.name]
                if number_kind(kind) == "i" and not self.is_small(kind, one):
                    raise Unsupported("its result is an int or a float: write float(...) around the int")
        elif len(found) > 1:
            raise Unsupported("its result is a bool or a number: write int(...) or float(...)")

    def check_arguments(self, value: Expr, of: str) -> None:
        """Raise if a function or a record gets a value that may be an integer."""
        if value.vararg is not None and not isinstance(self._types[value.vararg.name], types.BaseTuple):
            raise Unsupported("`*arguments` must be a tuple")
        for one in (*value.args, *(one for _, one in value.kws)):
            if one.name in self.mixed:
                raise Unsupported(f"{of} may be an int or a float: write 1.0 rather than 1 where it is set")


def _narrow(kind: Type) -> str:
    return str(unliteral(kind)) if kind_of(kind) in ("n", "s") else ""
