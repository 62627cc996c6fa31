"""The kernels in machine code, each compiled when it is first needed for a form."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from palaestra.language.frontend.entry import program_of
from palaestra.language.frontend.front import FrontEnd
from palaestra.language.llvm.engine import compiled
from palaestra.language.program import INT64, Value
from palaestra.language.types import PYTHON, Term, constant


@cache
def address_of(kernel: Callable[..., int], form: object, count: int) -> int:
    """Returns the address of the machine code of `kernel(form, words...)`, which takes `count` words."""

    def write(front: FrontEnd, values: dict[str, Value]) -> Value:
        words = [Term(PYTHON[int], (value,)) for value in values.values()]
        term = front.materialized(front.call_function(kernel, (constant(form), *words), {}))
        return front.convert(term.part, INT64)

    parameters = {f"word{k}": INT64 for k in range(count)}
    return compiled(program_of(kernel.__name__, parameters, write), loops="long").address
