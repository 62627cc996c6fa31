"""Insertion of calls of exact functions into a function that Numba has typed."""

from __future__ import annotations

from typing import Any

from palaestra.language.jit.backend import Assign, Expr, Signature, Type, TypingContext, numba_ir, types, unliteral
from palaestra.language.jit.exact.along import rounded, spaced
from palaestra.language.jit.exact.kinds import kind_of
from palaestra.language.jit.exact.numbers import whole_beside
from palaestra.language.jit.exact.operators import OF_FLOATS, OF_INTS


class Rewriter:
    """Changes statements, and keeps Numba's types of all variables and calls complete."""

    def __init__(
        self, typing_context: TypingContext, typemap: dict[str, Type], calltypes: dict[Expr, Signature]
    ) -> None:
        self._typing, self._types, self._calls = typing_context, typemap, calltypes
        self._count = 0

    def replace(self, statement: Assign, function: object, arguments: list[Any], before: list[Any]) -> None:
        """Let a statement assign the result of `function`."""
        statement.value = self._expression(function, arguments, statement, before)

    def called(self, function: object, arguments: list[Any], statement: Assign, before: list[Any], kind: Type) -> Any:
        """Returns a new variable, of a type, with the result of `function`."""
        variable = self._variable(arguments[0].scope, statement.loc, kind)
        expression = self._expression(function, arguments, statement, before)
        before.append(numba_ir.Assign(expression, variable, statement.loc))
        return variable

    def renamed(self, variable: Any) -> Any:
        """Returns a new variable of the same type."""
        return self._variable(variable.scope, variable.loc, self._types[variable.name])

    def _variable(self, scope: object, place: object, kind: Type) -> Any:
        variable = numba_ir.Var(scope, self._new_name(), place)
        self._types[variable.name] = kind
        return variable

    def _expression(self, function: object, arguments: list[Any], statement: Assign, before: list[Any]) -> Any:
        place = statement.loc
        kind = self._typing.resolve_value_type(function)
        called = self._variable(arguments[0].scope, place, kind)
        before.append(numba_ir.Assign(numba_ir.Global("exact", function, place), called, place))
        call = numba_ir.Expr.call(called, arguments, (), place)
        taken = [unliteral(self._types[one.name]) for one in arguments]
        self._calls[call] = kind.get_call_type(self._typing, self._wide(function, taken), {})
        return call

    def _wide(self, function: object, kinds: list[Type]) -> tuple[Any, ...]:
        """The argument types of a function of numbers: those of Python's numbers."""
        if function in (whole_beside, spaced, rounded):
            return tuple(kinds)
        if function in OF_INTS:
            return tuple(types.int64 for _ in kinds)
        if function in OF_FLOATS or types.float64 in kinds:
            return tuple(types.float64 if kind_of(kind) else kind for kind in kinds)
        return tuple(kinds)

    def _new_name(self) -> str:
        self._count += 1
        return f"$exact.{self._count}.{id(self)}"
