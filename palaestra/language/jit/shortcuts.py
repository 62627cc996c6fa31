"""Shortcuts: methods of Numba's, rewritten to do the same in less time.

They are called thousands of times for each kernel: searches for new functions and for the same sums of numbers, lists
of variables, events that nobody waits for, places of errors that do not occur.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from palaestra.language.jit.backend import (
    BaseFunction,
    Builder,
    Inst,
    NRTContext,
    NumbaError,
    OwnType,
    PostProcessor,
    TargetConfig,
    TargetContext,
    Type,
    TypingContext,
    Value,
    Var,
    VariableLifetime,
    canonicalize_cfg,
    errors,
    event,
    explaining,
    types,
)


def _if_grown(refresh: Callable[[Any], None]) -> Callable[[Any], None]:
    """Returns a method that looks into the registries only if functions were added."""

    def refreshed(context: object) -> None:
        if _seen.get(context) != _size(context):
            refresh(context)
            _seen[context] = _size(context)

    return refreshed


_seen: dict[Any, int] = {}


def _size(context: Any) -> int:
    """The number of functions in the registries of a context, and of the context for types that it holds."""
    inner = getattr(context, "typing_context", None)
    count, lists = _lists.get(context, (0, []))
    if count != len(context._registries):
        lists = [kept for one in context._registries for kept in vars(one).values() if isinstance(kept, list)]
        _lists[context] = len(context._registries), lists
    return sum(map(len, lists)) + (_size(inner) if inner else 0)


_lists: dict[Any, tuple[int, list[list[Any]]]] = {}  # the number of a context's registries, and their lists


def _asked_once(call_type: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a method that looks for the meaning of a function for some kinds of numbers, or of own types, once."""

    def asked(function: Any, context: Any, arguments: Any, named: Any) -> Any:
        if named or not all(isinstance(one, (types.Number, types.Boolean, OwnType)) for one in arguments):
            return call_type(function, context, arguments, named)
        key = id(function), id(context), arguments
        if key not in _answers:
            _answers[key] = function, context, call_type(function, context, arguments, named)
        return _answers[key][-1]

    return asked


_answers: dict[tuple[int, int, Any], tuple[Any, Any, Any]] = {}  # they hold what their keys are the ids of


def _without_lifetimes(run: Callable[..., None]) -> Callable[..., None]:
    """Returns a method that leaves out the lifetimes of variables, which only Python objects and generators need."""

    def ran(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        function = processor.func_ir
        if emit_dels or function.is_generator:
            run(processor, emit_dels, extend_lifetimes)
            return
        function.blocks = canonicalize_cfg(function.blocks)
        function.variable_lifetime = VariableLifetime(function.blocks)
        function.generator_info = None

    return ran


def _straight(search: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """Returns a method that finds the variables of a statement without a call for each of its parts."""

    def found(statement: Any, parts: Any) -> list[Any]:
        if type(parts) is not dict:
            return search(statement, parts)
        variables = []
        for part in parts.values():
            if type(part) is Var:
                variables.append(part)
            elif isinstance(part, Inst):
                variables += part.list_vars()
            elif isinstance(part, (list, tuple, dict)):
                variables += search(statement, part)
        return variables

    return found


def _counted_only(_: object) -> Callable[..., list[Any]]:
    """Returns a method that finds the references in a value without taking all other parts out of it."""

    def found(runtime: Any, builder: Builder, kind: Type, value: Value) -> list[Any]:
        model = runtime._context.data_model_manager[kind]
        if kind not in _holds_references:
            _holds_references[kind] = model.contains_nrt_meminfo()
        if not _holds_references[kind]:
            return []
        references = [(kind, model.get_nrt_meminfo(builder, value))] if model.has_nrt_meminfo() else []
        for part, taken in model.traverse(builder):
            if part not in _holds_references or _holds_references[part]:
                references += found(runtime, builder, part, taken(value))
        return references

    return found


_holds_references: dict[Any, bool] = {}  # of the values of a type


def _measured_once(measure: Callable[[Any, Any], int]) -> Callable[[Any, Any], int]:
    """Returns a method that lets LLVM measure each type of values once: it takes a module to do so."""

    def size(context: Any, kind: Any) -> int:
        if kind not in _sizes:
            _sizes[kind] = measure(context, kind)
        return _sizes[kind]

    return size


_sizes: dict[Any, int] = {}  # bytes


def _but_for_locks(tell: Callable[..., None]) -> Callable[..., None]:
    """Returns a function that tells of other events than that LLVM's lock was taken, thousands of times."""
    return lambda kind, *arguments, **named: None if kind == "numba:llvm_lock" else tell(kind, *arguments, **named)


def _with_defaults(_: Any) -> Callable[..., dict[str, Any]]:
    """Returns a method that returns all options, without a call for each of them."""

    def values(options: Any) -> dict[str, Any]:
        kind = type(options)
        if kind not in _defaults:
            _defaults[kind] = {name: option.default for name, option in kind.options.items()}
        return {**_defaults[kind], **options._values}

    return values


_defaults: dict[type, dict[str, Any]] = {}


class _Place:
    """The place of an error: the context of Numba's is made when one occurs."""

    __slots__ = ("_made",)

    def __init__(self, make: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        self._made = make, arguments, named

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, NumbaError):
            make, arguments, named = self._made
            try:
                with make(*arguments, **named):
                    raise error
            finally:
                errors.loc_info.clear()


def _made_when_needed(make: Callable[..., Any]) -> Callable[..., _Place]:
    """Returns a function that returns contexts which tell of errors, and cost less if there are none."""
    return lambda *arguments, **named: _Place(make, arguments, named)


def _nowhere(_: object) -> dict[str, Any]:
    """Returns no place, for machine code that raises: it would tell the last one known, perhaps of another function."""
    return {}


def _by_class(_: Any) -> Callable[[type, object], bool]:
    """Returns a method of the metaclass of Numba's types that looks at classes only, not at registered ones as well."""
    return type.__instancecheck__


SHORTCUTS: list[tuple[Any, str, Callable[[Any], Any]]] = [
    (TargetContext, "refresh", _if_grown),
    (TargetContext, "get_abi_sizeof", _measured_once),
    (TypingContext, "refresh", _if_grown),
    (BaseFunction, "get_call_type", _asked_once),
    (PostProcessor, "run", _without_lifetimes),
    (Inst, "_rec_list_vars", _straight),
    (NRTContext, "get_meminfos", _counted_only),
    (TargetConfig, "values", _with_defaults),
    (event, "start_event", _but_for_locks),
    (event, "end_event", _but_for_locks),
    (type(Type), "__instancecheck__", _by_class),
    (errors, "loc_info", _nowhere),
    *((module, "new_error_context", _made_when_needed) for module in explaining),
]
"""Classes or modules of Numba, the names of their functions, and what returns the rewritten one for the old one."""
