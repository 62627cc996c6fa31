"""Savings: functions that only compiled code calls need less from Numba than those that Python calls.

Numba makes each function ready for Python: it optimises it by itself, makes machine code of it and writes two entry
points. A kernel calls dozens of functions, which are linked into it and optimised there. Without the rest, and with the
shortcuts of `shortcuts`, a kernel is compiled in half the time.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch
from weakref import WeakSet

from palaestra.language.jit.backend import (
    CompilerBase,
    CPUContext,
    JITCodeLibrary,
    function_at,
    global_compiler_lock,
)
from palaestra.language.jit.shortcuts import SHORTCUTS


@contextmanager
def linked_only() -> Iterator[None]:
    """While it lasts, a function that is compiled because another one calls it is made for compiled callers only.

    Other threads compile before or after it: Python calls what they compile.
    """
    with global_compiler_lock, _linked_only():
        yield


@contextmanager
def _linked_only() -> Iterator[None]:
    global _changed
    if _changed:
        yield
        return
    depth = 0

    def counted(compile: Callable[..., Any]) -> Callable[..., Any]:
        def compiled(self: object) -> Any:
            nonlocal depth
            depth += 1
            try:
                return compile(self)
            finally:
                depth -= 1

        return compiled

    def inner(instead: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def changed(method: Callable[..., Any]) -> Callable[..., Any]:
            return lambda *arguments, **named: (instead if depth > 1 else method)(*arguments, **named)

        return changed

    changes: list[tuple[Any, str, Callable[[Any], Any]]] = [
        (CompilerBase, "_compile_core", counted),
        (CPUContext, "create_cpython_wrapper", inner(_nothing)),
        (CPUContext, "create_cfunc_wrapper", inner(_nothing)),
        (CPUContext, "get_executable", inner(_linked)),
        (JITCodeLibrary, "_optimize_final_module", inner(_nothing)),
        (JITCodeLibrary, "_finalize_final_module", inner(_close)),
        *SHORTCUTS,
    ]
    with ExitStack() as stack:
        if not all(hasattr(owner, name) for owner, name, _ in changes):
            yield  # another version of Numba
            return
        _changed = True
        if gc.isenabled():  # no garbage, but a million objects to look through
            gc.disable()
            stack.callback(_collect_garbage_again)
        for owner, name, change in changes:
            stack.enter_context(patch.object(owner, name, change(getattr(owner, name))))
        try:
            yield
        finally:
            _changed = False


_changed = False


def _collect_garbage_again() -> None:
    """Enable the collector, but let it take the million objects for old ones, which it looks through later.

    That would release the objects of a program that froze some. To count those takes long, so it is done until there
    are some: they are meant to stay.
    """
    global _somebody_froze
    _somebody_froze = _somebody_froze or gc.get_freeze_count() > 0
    if not _somebody_froze:
        gc.freeze()
        gc.unfreeze()
    gc.enable()


_somebody_froze = False


def _nothing(*_: object, **__: object) -> None:
    """Do nothing."""


def _close(library: Any) -> None:
    """Let nobody add to a library."""
    library._finalize_dynamic_globals()
    library._verify_declare_only_symbols()
    library._finalized = True
    _linked_libraries.add(library)


_linked_libraries: WeakSet[Any] = WeakSet()


def complete(library: Any) -> None:
    """Make machine code of a function that so far was only linked into others."""
    if library in _linked_libraries:
        _linked_libraries.remove(library)
        library._optimize_final_module()
        library._final_module.verify()
        library._finalize_final_module()


def _linked(context: Any, library: Any, description: Any, environment: Any) -> Any:
    """Link a function with those that it calls; returns a function that raises if Python calls it."""
    library._ensure_finalized()
    raising = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value
    return function_at(description.lookup_module(), description.qualname, "", raising, environment, (library,))
