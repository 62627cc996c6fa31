"""Functions of the new language under the old convention: a status, and the result at an address."""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding as llvm

from palaestra.runner.frame.steps import FAILED

_KEPT: list[Any] = []


def bridged(name: str, address: int, slots: dict[str, int], begins: bool) -> int:
    """Returns the address of `name(result, exception, context, low, high)`, which returns a status.

    Args:
        name: Its name.
        address: A function `rows(context, low, high)` of the new language.
        slots: The slots of `context`.
        begins: Whether the function at the slot `begin` is called after it, if episodes begin.
    """
    return _bridged(name, address, slots["failed"], slots["begin"] if begins else -1)


@cache
def _bridged(name: str, address: int, failed: int, begin: int) -> int:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    text = _TEXT.format(name=name, address=address, failed=8 * failed, failing=FAILED, begin=8 * max(begin, 0))
    text += (_BEGINS if begin >= 0 else _ENDS).format(begin=8 * begin)
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    _KEPT.append(engine)
    return int(engine.get_function_address(name))


_TEXT = """\
define i32 @{name}(ptr %result, ptr %exception, i64 %context, i64 %low, i64 %high) {{
  store i64 0, ptr %result
  store i64 0, ptr %exception
  %failed_at = add i64 %context, {failed}
  %failed = inttoptr i64 %failed_at to ptr
  store i64 9223372036854775807, ptr %failed
  %rows = inttoptr i64 {address} to ptr
  %context_at = inttoptr i64 %context to ptr
  %came = call i64 %rows(ptr %context_at, i64 %low, i64 %high)
  %fails = icmp uge i64 %came, {failing}
  br i1 %fails, label %raised, label %goes_on
raised:
  ret i32 1
goes_on:
"""
_ENDS = """\
  store i64 %came, ptr %result
  ret i32 0
}}
"""
_BEGINS = """\
  %fresh = trunc i64 %came to i32
  %any = icmp ne i32 %fresh, 0
  br i1 %any, label %begin, label %end
begin:
  %slot = add i64 %context, {begin}
  %at = inttoptr i64 %slot to ptr
  %word = load i64, ptr %at
  %function = inttoptr i64 %word to ptr
  %status = call i32 %function(ptr %result, ptr %exception, i64 %context, i64 %low, i64 %high)
  %bad = icmp ne i32 %status, 0
  br i1 %bad, label %raised, label %end
end:
  store i64 %came, ptr %result
  ret i32 0
}}
"""
