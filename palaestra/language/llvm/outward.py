"""What leaves a program, as instructions of LLVM: functions outside, functions at addresses, memory, the processor."""

from __future__ import annotations

import platform

from palaestra.language.llvm import symbols
from palaestra.language.llvm.numbers import NotSupported
from palaestra.language.llvm.text import Writer


def loaded(writer: Writer, kind: str, place: str, fixed: bool) -> str:
    """Write a load of one of LLVM's types; returns the result. Memory may be fixed while the program runs."""
    if fixed:
        return writer.fixed(f"load {kind}, ptr {place}, align 1, !invariant.load !1")
    return writer.effect(f"load {kind}, ptr {place}, align 1")


def copy(writer: Writer, target: str, source: str, size: str, overlaps: bool = False) -> None:
    """Write a copy of `size` bytes between addresses."""
    kinds, name = "ptr, ptr, i64, i1", f"@llvm.mem{'move' if overlaps else 'cpy'}.p0.p0.i64"
    writer.module.declare(name, f"declare void {name}({kinds})")
    writer.line(f"call void {name}(ptr {target}, ptr {source}, i64 {size}, i1 false)")


def called(writer: Writer, symbol: str, arguments: list[str]) -> str:
    """Write a call of a function of the C library; returns its result.

    Raises:
        NotSupported: If there is no such function.
    """
    outside = symbols.c_function(symbol)
    if outside is None or symbols.arity(symbol) != len(arguments):
        raise NotSupported(f"the C library has no function {symbol} of {len(arguments)} floats")
    kind = "double" if symbol in symbols.C_FUNCTIONS else "float"
    taken = ", ".join([kind] * len(arguments))
    name = writer.module.declare_outside(outside, f"declare {kind} @NAME({taken}) {_PURE}")
    return writer.value(f"call {kind} {name}({', '.join(f'{kind} {one}' for one in arguments)})")


def looped(writer: Writer, symbol: str, arguments: list[str]) -> None:
    """Write a call of one of NumPy's loops: the addresses of its operands, their strides, the number of items.

    A product such as `matmul` has the strides of each operand's own axes behind those of the operands, and their
    lengths behind the number of items.

    Raises:
        NotSupported: If there is no such loop.
    """
    loop = symbols.loop(symbol)
    if loop is None or len(arguments) != loop.operands + loop.strides + loop.counts:
        raise NotSupported(f"NumPy has no loop {symbol} for these operands, or is laid out differently")
    function = writer.module.declare_outside(loop.function, "declare void @NAME(ptr, ptr, ptr, ptr) nounwind")
    data = "null" if loop.data is None else writer.module.declare_outside(loop.data, "@NAME = external global i8")
    places, rest = arguments[: loop.operands], arguments[loop.operands :]
    first = _listed(writer, "ptr", places)
    count = _listed(writer, "i64", rest[loop.strides :])
    steps = _listed(writer, "i64", rest[: loop.strides])
    writer.line(f"call void {function}(ptr {first}, ptr {count}, ptr {steps}, ptr {data})")


def invoked(writer: Writer, kind: str, arguments: list[str]) -> str:
    """Write a call of the function at an address with words; returns its result, of one of LLVM's types."""
    words = ", ".join(f"i64 {one}" for one in arguments[1:])
    return writer.effect(f"call {kind} {arguments[0]}({words})")


def foreign(
    writer: Writer, function: tuple[str, int], kind: str | None, taken: list[str], arguments: list[str]
) -> str | None:
    """Write a call of a symbol at an address with arguments of LLVM's types; returns its result of another, if any."""
    symbol, address = function
    outside = symbols.Outside(f"palaestra_foreign_{symbol}", address)
    name = writer.module.declare_outside(outside, f"declare {kind or 'void'} @NAME({', '.join(taken)})")
    given = ", ".join(f"{one} {argument}" for one, argument in zip(taken, arguments, strict=True))
    if kind is not None:
        return writer.effect(f"call {kind} {name}({given})")
    writer.line(f"call void {name}({given})")
    return None


def pause(writer: Writer) -> None:
    """Write the instruction of waiting loops."""
    if platform.machine().lower() in ("x86_64", "amd64"):
        name = writer.module.declare("@llvm.x86.sse2.pause", "declare void @llvm.x86.sse2.pause()")
        writer.line(f"call void {name}()")
    else:
        writer.line('call void asm sideeffect "yield", "~{memory}"()')


def prefetch(writer: Writer, address: str) -> None:
    """Write that the line at an address will be written soon."""
    name = writer.module.declare("@llvm.prefetch.p0", "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
    writer.line(f"call void {name}(ptr {address}, i32 1, i32 3, i32 1)")


def _listed(writer: Writer, kind: str, items: list[str]) -> str:
    """The address of an array of items."""
    place = writer.stack(f"[{len(items)} x {kind}]")
    for k, item in enumerate(items):
        at = writer.value(f"getelementptr {kind}, ptr {place}, i64 {k}")
        writer.line(f"store {kind} {item}, ptr {at}")
    return place


_PURE = "nounwind willreturn memory(none)"
