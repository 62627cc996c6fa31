"""The only import of Numba, and its decorators, typed for the callers of the decorated functions."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, TypeAlias, TypeVar
from unittest.mock import patch

from gymnasium.dependencies import not_installed

try:
    import llvmlite.binding as llvm
    import numba
    from llvmlite import ir
    from numba import _helperlib as _helpers
    from numba import types
    from numba._dynfunc import make_function as function_at
    from numba.core import cgutils as _cgutils
    from numba.core import errors as _errors
    from numba.core import event, extending, imputils
    from numba.core import ir as _numba_ir
    from numba.core import lowering as _lowering
    from numba.core import postproc as _postproc
    from numba.core import transforms as _transforms
    from numba.core import typeinfer as _typeinfer
    from numba.core.base import BaseContext as TargetContext
    from numba.core.byteflow import TraceRunner
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.compiler_machinery import FunctionPass, register_pass
    from numba.core.cpu import CPUContext
    from numba.core.dispatcher import Dispatcher
    from numba.core.errors import NumbaError
    from numba.core.interpreter import Interpreter
    from numba.core.ir import Assign, Expr, Inst, Var
    from numba.core.registry import cpu_target
    from numba.core.runtime import _nrt_python as _runtime  # type: ignore[attr-defined]  # an extension module
    from numba.core.runtime.context import NRTContext
    from numba.core.targetconfig import TargetConfig
    from numba.core.typeconv.castgraph import Conversion
    from numba.core.typed_passes import NopythonRewrites, NopythonTypeInference
    from numba.core.types import Array as ArrayType
    from numba.core.types import Type
    from numba.core.types.functions import BaseFunction
    from numba.core.typing import templates
    from numba.core.typing.context import BaseContext as TypingContext
    from numba.core.typing.npydecl import NumpyRulesInplaceArrayOperator as InPlaceOperator
    from numba.core.typing.templates import Signature
    from numba.core.unsafe.eh import mark_try_block
    from numba.core.untyped_passes import InlineClosureLikes, ReconstructSSA
    from numba.np import arrayobj as _arrayobj
    from numba.np import linalg as _linalg
    from numba.np.random import _constants as ziggurat
except ImportError as error:
    raise not_installed("Numba", "compiled environments", error, "numba") from error

__all__ = [
    "CONFIG",
    "OPTIONS",
    "ArrayType",
    "Assign",
    "BaseFunction",
    "Builder",
    "CPUContext",
    "CompilerBase",
    "Conversion",
    "DefaultPassBuilder",
    "Dispatcher",
    "Expr",
    "FunctionPass",
    "InPlaceOperator",
    "InlineClosureLikes",
    "Inst",
    "Interpreter",
    "JITCodeLibrary",
    "Meaning",
    "NRTContext",
    "NopythonRewrites",
    "NopythonTypeInference",
    "NumbaError",
    "OwnType",
    "PostProcessor",
    "ReconstructSSA",
    "Signature",
    "TargetConfig",
    "TargetContext",
    "TraceRunner",
    "Type",
    "Typed",
    "TypingContext",
    "Value",
    "Values",
    "Var",
    "VariableLifetime",
    "Writer",
    "add_helpers",
    "arithmetic",
    "arrays",
    "canonicalize_cfg",
    "cast_to",
    "cgutils",
    "compiled",
    "conversion_of",
    "cpu_target",
    "errors",
    "event",
    "explaining",
    "function_at",
    "global_compiler_lock",
    "intrinsic",
    "ir",
    "kernel",
    "llvm",
    "mark_try_block",
    "meaning_of",
    "method_of",
    "models",
    "named",
    "numba",
    "numba_ir",
    "operation",
    "populate_array",
    "register_model",
    "register_pass",
    "signature_of",
    "types",
    "unliteral",
    "word_at",
    "wrapping_integers",
    "ziggurat",
]


def _check_scipy() -> None:
    """Raise ImportError if products of floats cannot be compiled with SciPy."""
    if find_spec("scipy") is None:
        raise ImportError("No module named 'scipy'")


# Numba would import SciPy to see whether it is there, in a sixth of a second; it imports it again where it is used.
with patch.object(_linalg, "ensure_blas", _check_scipy):
    import numba.np.arraymath

numba_ir: Any = _numba_ir
errors: Any = _errors
explaining: tuple[Any, ...] = (_errors, _lowering, _typeinfer)  # the modules that tell where an error occurred
unliteral: Any = types.unliteral
CONFIG: Any = numba.config  # sets its names at run time
cgutils: Any = _cgutils
canonicalize_cfg: Any = _transforms.canonicalize_cfg
PostProcessor: Any = _postproc.PostProcessor
VariableLifetime: Any = _postproc.VariableLifetime
arrays: Any = _arrayobj
populate_array: Any = _arrayobj.populate_array
models, register_model = extending.models, extending.register_model
signature_of: Any = templates.signature


class OwnType(types.Type):
    """A type of this package's. What a function means for such types depends on nothing else: it is looked up once."""


Function = TypeVar("Function", bound=Callable[..., Any])
Builder: TypeAlias = ir.IRBuilder
Value: TypeAlias = ir.Value
Values: TypeAlias = Sequence[Value]
Writer: TypeAlias = Callable[[CPUContext, Builder, Signature, Values], Value]
"""Writes LLVM code that computes a value from the values of arguments."""
Typed: TypeAlias = tuple[Signature, Writer]
"""The types of a function of machine code, and its code."""
Meaning: TypeAlias = Callable[..., Any] | None
"""A function in the language of Numba; None if there is none for these types."""

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}
"""For every compiled function: division by zero is infinite or NaN, as in NumPy. No `fastmath`: bits matter."""


def add_helpers() -> None:
    """Let LLVM find Numba's own functions, which allocate arrays, reshape them and so on; compiling does this too."""
    for prefix, module in (("NRT_", _runtime), ("numba_", _helpers)):
        for name, address in module.c_helpers.items():
            llvm.add_symbol(name if name.startswith("_") else f"{prefix}{name}", address)


def intrinsic(function: Callable[..., Typed]) -> Callable[..., Any]:
    """Decorates a function of the typing context and argument types that returns a signature and writes LLVM code."""
    made: Any = extending.intrinsic(function)
    return made  # type: ignore[no-any-return]  # called with its arguments alone


def compiled(function: Function, **options: Any) -> Function:
    """Decorates a function that is compiled when compiled code first calls it."""
    decorate: Any = numba.njit(**OPTIONS, **options)
    return decorate(function)  # type: ignore[no-any-return]  # called as before


def kernel(function: Function) -> Function:
    """Decorates a function that is called at its address, or by other kernels, but never as a function of Python."""
    return compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def named(function: Any, name: str) -> None:
    """Give a compiled function, one of several with the same text, a name for error messages."""
    function.py_func.__name__ = name


def method_of(kind: type, name: str) -> Callable[[Function], Function]:
    """Decorates a function that returns, for types, the method `name` of values of a Numba type `kind`."""
    overload: Any = extending.overload_method
    # Not strict: Numba also compares annotations, which a lambda lacks.
    return overload(kind, name, strict=False)  # type: ignore[no-any-return]


def meaning_of(function: Callable[..., Any]) -> Callable[[Function], Function]:
    """Decorates a function that returns, for types, the compiled form of `function`, inlined into its callers."""
    overload: Any = extending.overload
    # Not strict, as in `method_of`.
    return overload(function, jit_options={"forceinline": True, **OPTIONS}, strict=False)  # type: ignore[no-any-return]


@contextmanager
def wrapping_integers() -> Iterator[None]:
    """While it lasts, sums, differences and products of integers wrap, as NumPy's do.

    Numba tells LLVM otherwise, which then takes `m + 1 > m` for true.
    """
    places = [sys.modules[name] for name in _ARITHMETIC if hasattr(sys.modules.get(name), _FLAGS)]
    before = [getattr(place, _FLAGS) for place in places]
    for place in places:
        setattr(place, _FLAGS, lambda kind: [])
    try:
        yield
    finally:
        for place, flags in zip(places, before, strict=True):
            setattr(place, _FLAGS, flags)


_ARITHMETIC, _FLAGS = ("numba.cpython.numbers", "numba.np.math.numbers"), "_int_arith_flags"


def cast_to(family: type) -> Callable[[Function], Function]:
    """Decorates a function that writes the conversion of a number to a type of a family."""
    lower_cast: Any = imputils.lower_cast

    def decorate(function: Function) -> Function:
        for number in (types.Number, types.Boolean):
            lower_cast(number, family)(function)
        return function

    return decorate


def conversion_of(source: type, target: type) -> Callable[[Function], Function]:
    """Decorates a function that writes the conversion of a value of one family of types to another."""
    lower_cast: Any = imputils.lower_cast
    return lower_cast(source, target)  # type: ignore[no-any-return]


def word_at(builder: Builder, address: Value, k: Value) -> Value:
    """Writes the reading of the word `k` of those at an address."""
    words = builder.inttoptr(address, ir.IntType(64).as_pointer())
    return builder.load(builder.gep(words, [k]))


def operation(
    function: Callable[..., Any], rule: Callable[..., Signature | None], family: type
) -> Callable[[Writer], Writer]:
    """Decorates a writer of an operation, for example `operator.getitem`, on values of a family of types.

    `rule(typing_context, *types)` returns its signature, or None if the operation is undefined for them.
    """
    infer_global: Any = templates.infer_global
    lower_builtin: Any = imputils.lower_builtin

    class Meaning(templates.AbstractTemplate):
        key = function

        def generic(self, arguments: Any, keywords: Any) -> Any:
            return rule(self.context, *arguments)

    infer_global(function)(Meaning)
    others = (types.Any,) * (1 if function is operator.getitem else 2)
    return lower_builtin(function, family, *others)  # type: ignore[no-any-return]


def arithmetic(
    function: Callable[..., Any],
    count: int,
    family: type,
    kind: Callable[..., Any],
    result: Any,
    taken: Callable[..., Any],
    generate: Callable[..., Any],
) -> None:
    """Teach Numba the meaning of `function` for types of a family.

    Args:
        function: A function of the module `math` or `operator`, or a built-in one.
        count: The number of its arguments.
        family: The class of the types; at least one argument must have such a type, others may be numbers.
        kind: `kind(*types)` returns the type of the computation, or None if the function is undefined for them.
        result: The type of the result; None for the type of the computation.
        taken: `taken(context, builder, value, type, kind)` returns a value converted to `kind`.
        generate: `generate(context, builder, *values)` writes LLVM code.
    """
    infer_global: Any = templates.infer_global
    lower_builtin: Any = imputils.lower_builtin

    class Meaning(templates.AbstractTemplate):
        key = function

        def generic(self, arguments: Any, keywords: Any) -> Any:
            computed = kind(*arguments) if len(arguments) == count and not keywords else None
            return computed and signature_of(result or computed, *arguments)

    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        computed = kind(*signature.args)
        pairs = zip(arguments, signature.args, strict=True)
        return generate(context, builder, *(taken(context, builder, value, one, computed) for value, one in pairs))

    infer_global(function)(Meaning)
    sides: list[tuple[Any, ...]] = [(family,)] if count == 1 else [(family, family)]
    if count == 2:
        sides += [side for one in (types.Number, types.Boolean) for side in ((family, one), (one, family))]
    for side in sides:
        lower_builtin(function, *side)(lowered)
