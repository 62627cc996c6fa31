"""Whether a function is in the closed language, told without making machine code of it."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from palaestra.language.jit.backend import FunctionPass, numba, register_pass
from palaestra.language.jit.exact.language import ExactCompiler, ExactPass, taken_error, taken_refusals
from palaestra.language.jit.lowering import Lowering

LOWERING = Lowering()
"""That of all programs, which compiles the helpers that they share once."""


class Accepted(Exception):
    """The end of a probe."""


@register_pass(mutates_CFG=False, analysis_only=True)  # type: ignore[no-untyped-call]
class _EndPass(FunctionPass):
    _name = "fuzz_end"

    def __init__(self) -> None:
        FunctionPass.__init__(self)  # type: ignore[no-untyped-call]

    def run_pass(self, state: Any) -> bool:
        raise Accepted


class _Probe(ExactCompiler):
    def define_pipelines(self) -> list[Any]:
        (passes,) = super().define_pipelines()
        passes._finalized = False
        passes.add_pass_after(_EndPass, ExactPass)
        passes.finalize()
        return [passes]


def is_accepted(function: FunctionType, values: dict[str, Any]) -> bool:
    """Whether a function of arguments like these is compiled."""
    dispatcher = LOWERING.function(function)
    dispatcher._compiler.pipeline_class = _Probe
    try:
        dispatcher.compile(tuple(numba.typeof(value) for value in values.values()))
    except Accepted:
        return True
    except Exception:
        return False
    finally:
        forget()
    return False


def forget() -> None:
    """Forget what was refused and raised."""
    taken_refusals()
    taken_error()
