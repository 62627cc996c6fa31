"""Bytecode that Numba does not read: `f"{x:.2f}"`, `raise ... from None`, and `:=` inside an expression."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from palaestra.language.jit.backend import Interpreter, TraceRunner, numba_ir


@contextmanager
def readable() -> Iterator[None]:
    """While it lasts, Numba reads these.

    A text is only the message of an exception, and its cause is not raised by machine code: Python repeats the step,
    and makes both.
    """
    changes = [
        (TraceRunner, "op_FORMAT_VALUE", _without_format),
        (TraceRunner, "op_RAISE_VARARGS", _without_cause),
        (Interpreter, "_remove_unused_temporaries", _with_values_kept),
    ]
    with ExitStack() as stack:
        for owner, name, change in changes:
            if hasattr(owner, name):
                stack.enter_context(patch.object(owner, name, change(getattr(owner, name))))
        for owner, plain in ((TraceRunner, "op_FORMAT_SIMPLE"), (Interpreter, "op_FORMAT_SIMPLE")):
            if hasattr(owner, plain) and not hasattr(owner, "op_FORMAT_WITH_SPEC"):  # from Python 3.13 on
                method = getattr(owner, plain)
                made = _without_spec(method) if owner is TraceRunner else method
                stack.enter_context(patch.object(owner, "op_FORMAT_WITH_SPEC", made, create=True))
        yield


_HAS_SPEC = 4  # a bit of the argument


class _Plain:
    """An instruction with another argument."""

    def __init__(self, instruction: object, arg: int) -> None:
        self._instruction, self.arg = instruction, arg

    def __getattr__(self, name: str) -> Any:
        return getattr(self._instruction, name)


def _without_format(method: Callable[..., Any]) -> Callable[..., Any]:
    def read(self: Any, state: Any, instruction: Any) -> Any:
        if instruction.arg & _HAS_SPEC:
            state.pop()
        return method(self, state, _Plain(instruction, 0))

    return read


def _without_spec(method: Callable[..., Any]) -> Callable[..., Any]:
    def read(self: Any, state: Any, instruction: Any) -> Any:
        state.pop()
        return method(self, state, instruction)

    return read


def _without_cause(method: Callable[..., Any]) -> Callable[..., Any]:
    def read(self: Any, state: Any, instruction: Any) -> Any:
        if instruction.arg < 2:
            return method(self, state, instruction)
        state.pop()
        return method(self, state, _Plain(instruction, 1))

    return read


def _with_values_kept(method: Callable[..., Any]) -> Callable[..., Any]:
    """A value that is given a name while it is used has both: Numba forgets that it is also used."""

    def remove(self: Any) -> None:
        block = self.current_block
        before = [(one, one.target) for one in block.body if isinstance(one, numba_ir.Assign)]
        method(self)
        used = {one.name for statement in block.body for one in statement.list_vars()}
        used |= set(self.dfainfo.outgoing_phis.values())
        for statement, target in before:
            if statement.target is not target and target.name in used:
                kept = numba_ir.Assign(statement.target, target, statement.loc)
                block.body.insert(block.body.index(statement) + 1, kept)
                self.definitions[target.name] = [statement.target]

    return remove
