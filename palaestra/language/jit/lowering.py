"""Dynamics prepared for Numba: their functions, and all functions reached through their globals, compiled.

Numba compiles a function whose globals are constants, known modules, or compiled functions. So each function is copied
with new globals: Python functions become compiled functions, those of `ops` their taught meanings, and other modules
and classes ("helpers.f", "MyFuncEnv.terminal") namespaces of their used members.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from palaestra.language.jit import ops  # noqa: F401  (it teaches Numba the meanings)
from palaestra.language.jit.backend import Dispatcher, compiled, numba
from palaestra.language.jit.exact.language import Check, exact
from palaestra.language.jit.random import choices  # noqa: F401  (it teaches Numba more draws)
from palaestra.language.jit.reach import Reach


class Lowering(Reach):
    """Lowers functions, each once.

    Args:
        stand_ins: Maps a function to the one compiled in its place.
        by_rules: Whether the functions follow the rules of `exact`; if not, Numba's defaults apply, for callers that
            compare the bits.
    """

    def __init__(
        self, stand_ins: Mapping[Callable[..., Any], FunctionType] | None = None, by_rules: bool = True
    ) -> None:
        super().__init__(stand_ins)
        self._by_rules = by_rules

    def inlined(self, function: FunctionType, check: Check | None = None) -> Any:
        """Returns the compiled function of a Python function, which is compiled when it is first called.

        It is inlined into its callers, so that Numba need not count references to its array arguments. `check` may
        reject its return type.
        """
        return self.function(function, lambda copy: self._compiled(copy, inline=True, check=check))

    def made(self, copy: FunctionType) -> Any:
        """Returns the compiled function of a function that others call, and into which it is inlined."""
        return self._compiled(copy, inline=True, check=None)

    def made_alike(self, copy: FunctionType, compiled: object) -> Any:
        """Returns a function compiled with the user's options; Python calls the user's own, kernels call this one."""
        return numba.jit(**compiled.targetoptions)(copy) if isinstance(compiled, Dispatcher) else compiled

    def _compiled(self, function: FunctionType, inline: bool, check: Check | None) -> Any:
        return exact(function, inline, check) if self._by_rules else compiled(function, forceinline=inline)

    def record(self, kind: type[Any]) -> Any:
        """Returns a constructor of a NamedTuple in compiled code; Numba by itself does not know defaults."""
        super().record(kind)
        defaults: dict[str, Any] = getattr(kind, "_field_defaults", {})
        if not defaults:
            return kind
        if id(kind) not in self._done:
            fields: tuple[str, ...] = kind._fields
            text = f"lambda {', '.join(fields)}: Record({', '.join(fields)})"
            maker: FunctionType = eval(text, {"Record": kind, "__builtins__": __builtins__})
            maker.__defaults__ = tuple(defaults.values())
            self._remember(kind, compiled(maker))
        return self._done[id(kind)]
