"""The pass over a function of the dynamics that enforces the rules, after Numba has inferred all types.

An operation with a rule is replaced with a call of its replacement; an operation on no list is refused. All refusals of
a function are collected, so that its author sees them at once.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from palaestra.language.jit.backend import (
    CompilerBase,
    DefaultPassBuilder,
    FunctionPass,
    InlineClosureLikes,
    Inst,
    NopythonRewrites,
    NopythonTypeInference,
    ReconstructSSA,
    compiled,
    numba_ir,
    register_pass,
    wrapping_integers,
)
from palaestra.language.jit.exact import records  # noqa: F401  (which teaches Numba to join NamedTuples)
from palaestra.language.jit.exact.bytecode import readable
from palaestra.language.jit.exact.in_place import in_place_typed
from palaestra.language.jit.exact.kinds import MIXED
from palaestra.language.jit.exact.naming import put_stand_ins
from palaestra.language.jit.savings import linked_only

CHECK = "gymnasium_check"
"""The attribute of a function that can reject its return type, and whether that may be mixed."""


class Refused(Exception):
    """A function that is not in the language."""


Check = Callable[[Any, bool], list[str]]
"""Takes a function's return type, and whether it may be mixed; returns its faults."""

_refusals: list[str] = []
_errors: list[Exception] = []


def remember(error: Exception) -> None:
    """Keep an error of Numba's, which Numba would hide behind others."""
    _errors.append(error)


def taken_error() -> Exception | None:
    """Returns the first of the errors that were kept since the last call."""
    found = _errors[:1]
    _errors.clear()
    return found[0] if found else None


def taken_refusals() -> list[str]:
    """Returns the refusals since the last call, each with place, reason and remedy."""
    found = list(dict.fromkeys(_refusals))
    _refusals.clear()
    return found


def exact(function: FunctionType, inline: bool, check: Check | None = None) -> Any:
    """Returns a function as compiled code that follows the rules; with `inline` it is inlined into its callers."""
    setattr(function, CHECK, check)
    return compiled(function, pipeline_class=ExactCompiler, boundscheck=True, forceinline=inline)


class ExactCompiler(CompilerBase):
    """Numba's compiler, with this pass."""

    def _compile_core(self) -> Any:
        with wrapping_integers(), readable(), in_place_typed(), linked_only():
            return super()._compile_core()  # type: ignore[no-untyped-call]

    def define_pipelines(self) -> list[Any]:
        """Returns Numba's passes and this one."""
        code = self.state.func_id.code
        inner = [one.co_firstlineno for one in code.co_consts if isinstance(one, CodeType)]
        if inner or code.co_flags & _SUSPENDED:
            _refuse_inner(self.state.func_id, min(inner, default=self.state.func_id.firstlineno))
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        # Once the one has work to do, it removes stores and indices whose results it considers unused; the other joins
        # operations of arrays, and computes what lies between in wider integers than NumPy.
        left_out = (InlineClosureLikes, NopythonRewrites)
        passes.passes = [one for one in passes.passes if one[0] not in left_out]
        passes.add_pass_after(ExactNamesPass, ReconstructSSA)
        passes.add_pass_after(ExactPass, NopythonTypeInference)
        passes.finalize()
        return [passes]


@register_pass(mutates_CFG=False, analysis_only=False)
class ExactNamesPass(FunctionPass):
    """Replaces names with functions of this package."""

    _name = "gymnasium_exact_names"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Change the function."""
        refused = put_stand_ins(state.func_ir, returns_tuples=getattr(state.func_id.func, CHECK, None) is not None)
        state.typingctx.refresh()  # it may have made functions
        state.targetctx.refresh()
        if refused:
            name = state.func_id.func_qualname
            _refusals.extend(f"{name}, line {place.line} of {place.filename}: {reason}" for place, reason in refused)
            raise Refused(name)
        for block in state.func_ir.blocks.values():
            if isinstance(block.body[-1], numba_ir.DynamicRaise):
                _forget_message(block)
        return True


_SUSPENDED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def _refuse_inner(function: Any, line: int) -> None:
    reason = (
        f"{function.func_qualname}, line {line} of {function.filename}: a lambda, an inner function, a generator or a "
        "coroutine is not supported: write a loop, a function of the module, or a list [... for ...]"
    )
    _refusals.append(reason)
    raise Refused(reason)


def _forget_message(block: Any) -> None:
    """Raise the exception without its message, which is text: Python repeats the step and makes the message."""
    last = block.body[-1]
    block.body[-1] = numba_ir.StaticRaise(last.exc_class, (), last.loc)
    while True:
        used = {one.name for statement in block.body for one in statement.list_vars() if one is not _target(statement)}
        kept = [one for one in block.body if not (_is_temporary(one) and one.target.name not in used)]
        if len(kept) == len(block.body):
            return
        block.body = kept


def _target(statement: Inst) -> Any:
    return getattr(statement, "target", None)


def _is_temporary(statement: Inst) -> bool:
    return isinstance(statement, numba_ir.Assign) and statement.target.name.startswith("$")


@register_pass(mutates_CFG=False, analysis_only=False)
class ExactPass(FunctionPass):
    """Replaces operations whose results differ from Python's, and refuses those not known to have the same."""

    _name = "gymnasium_exact"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Change the function."""
        # The reader takes a while to import, and cached machine code does not need it.
        from palaestra.language.jit.exact.reader import Reader

        reader = Reader(state)
        reader.read()
        check = getattr(state.func_id.func, CHECK, None)
        if check is not None and not reader.refusals:
            reader.refusals += check(state.return_type, bool(state.metadata.get(MIXED)))
        if reader.refusals:
            _refusals.extend(reader.refusals)
            raise Refused("; ".join(reader.refusals))
        return True
