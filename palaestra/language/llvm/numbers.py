"""The operations of numbers as instructions of LLVM, of one number or of eight.

Floats that a condition has chosen stand behind fences, through which LLVM does not look: it joins two choices with one
constant, `max(0.0, max(x, 0.0))` becomes `max(x, 0.0)`, which differs if x is -0.0 or NaN. Fences cost no instruction.
What LLVM leaves undefined is frozen: rows or lanes that do not count may shift too far.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from palaestra.language.llvm.text import Writer
from palaestra.language.program import WIDTH, Kind

_NUMBERS = {"?": "i1", "e": "half", "f": "float", "d": "double"}
_SHORT = {"half": "f16", "float": "f32", "double": "f64", "ptr": "p0"}
_FLOATS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_COMPARED = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
_FUNCTIONS = frozenset(("sqrt", "floor", "ceil", "trunc", "rint", "fabs", "copysign", "fma"))
_OVERFLOWS = {"add_overflows": "sadd", "sub_overflows": "ssub", "mul_overflows": "smul"}


class NotSupported(Exception):
    """No machine code can be made of a program on this processor, or of such numbers on any."""


def element(kind: Kind) -> str:
    """Returns LLVM's type of a number or an address in a register.

    Raises:
        NotSupported: If there is none.
    """
    if not isinstance(kind, np.dtype):
        return "ptr"
    if kind.kind in "iu":
        return f"i{8 * kind.itemsize}"
    if kind.char not in _NUMBERS or (kind.char == "e" and not _has_half()):
        raise NotSupported(f"there is no machine code for numbers of {kind}")
    return _NUMBERS[kind.char]


@cache
def _has_half() -> bool:
    """Whether the processor converts float16; elsewhere LLVM calls functions that a process need not have."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return True
    return bool(llvm.get_host_cpu_features().get("f16c", False))


def number_of(kind: Kind, number: Any) -> str:
    """Returns the text of a constant."""
    if not isinstance(kind, np.dtype):
        return f"inttoptr (i64 {int(number)} to ptr)" if number else "null"
    if kind.kind == "b":
        return "true" if number else "false"
    if kind.kind in "iu":
        bits = 8 * kind.itemsize
        return str((int(number) + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1))
    element(kind)
    exact = kind.type(number)
    if kind.char == "e":
        return f"0xH{exact.view(np.uint16) if exact == exact else 0x7E00:04X}"
    return f"0x{struct.unpack('Q', struct.pack('d', exact))[0] if exact == exact else 0x7FF8 << 48:016X}"


def is_float(kind: Kind | None) -> bool:
    """Returns whether numbers of a kind are floats."""
    return isinstance(kind, np.dtype) and kind.kind == "f"


class Numbers:
    """Writes operations of numbers.

    Args:
        writer: The function.
        lanes: Whether each value is eight numbers.
    """

    def __init__(self, writer: Writer, lanes: bool = False) -> None:
        self._writer, self._lanes = writer, lanes

    def type(self, kind: Kind) -> str:
        """Returns LLVM's type of a value; addresses of lanes are words."""
        return self._of(element(kind))

    def constant(self, kind: Kind, number: Any) -> str:
        """Returns the text of a constant."""
        text = number_of(kind, number)
        return f"splat ({element(kind)} {text})" if self._lanes else text

    def write(self, operation: str, kind: Kind, given: Kind, arguments: list[str]) -> str:
        """Write an operation; returns its result.

        Args:
            operation: Its name.
            kind: The kind of the result.
            given: The kind of the first argument; of the second for `select`.
            arguments: The arguments.

        Raises:
            NotSupported: If there is no such instruction for these numbers.
            KeyError: If it is not an operation of numbers.
        """
        if operation in _COMPARED:
            return self._comparison(operation, given, arguments)
        if operation in _FUNCTIONS:
            return self._function(operation, given, arguments)
        if operation in _OVERFLOWS:
            return self._overflow(_OVERFLOWS[operation], given, arguments)
        special = _SPECIAL.get(operation)
        if special is not None:
            return special(self, kind, given, arguments)
        return self._binary(operation, given, arguments)

    def fence(self, kind: Kind, value: str) -> str:
        """Write a fence around a float; returns it."""
        if not is_float(kind):
            return value
        return self._call("arithmetic.fence", kind, [value])

    def freeze(self, kind: Kind, value: str) -> str:
        """Write that a number is one number even if LLVM does not define which."""
        return self._writer.value(f"freeze {self.type(kind)} {value}")

    def _of(self, single: str) -> str:
        return f"<{WIDTH} x {single}>" if self._lanes else single

    def _call(self, name: str, kind: Kind, arguments: list[str], result: str | None = None) -> str:
        single = element(kind)
        suffix = (f"v{WIDTH}" if self._lanes else "") + _SHORT.get(single, single)
        taken = self._of(single)
        given = [f"{taken} {one}" for one in arguments]
        declared = f"@llvm.{name}.{suffix}"
        kinds = ", ".join([taken] * len(given))
        self._writer.module.declare(declared, f"declare {result or taken} {declared}({kinds})")
        return self._writer.value(f"call {result or taken} {declared}({', '.join(given)})")

    def _binary(self, operation: str, kind: Kind, arguments: list[str]) -> str:
        if isinstance(kind, np.dtype):
            if kind.kind == "f":
                operation = _FLOATS[operation]
            elif operation in ("div", "rem"):
                operation = f"{'s' if kind.kind == 'i' else 'u'}{operation}"
        return self._writer.value(f"{operation} {self.type(kind)} {arguments[0]}, {arguments[1]}")

    def _comparison(self, operation: str, kind: Kind, arguments: list[str]) -> str:
        if is_float(kind):
            text = f"fcmp {_COMPARED[operation]}"
        else:
            signed = isinstance(kind, np.dtype) and kind.kind == "i"
            text = f"icmp {operation if operation in ('eq', 'ne') else ('s' if signed else 'u') + operation}"
        return self._writer.value(f"{text} {self.type(kind)} {arguments[0]}, {arguments[1]}")

    def _function(self, name: str, kind: Kind, arguments: list[str]) -> str:
        if name == "fma" and element(kind) == "half":
            raise NotSupported("float16 has no product and sum rounded once")
        return self._call(name, kind, arguments)

    def _overflow(self, name: str, kind: Kind, arguments: list[str]) -> str:
        pair = f"{{ {self.type(kind)}, {self._of('i1')} }}"
        both = self._call(f"{name}.with.overflow", kind, arguments, pair)
        return self._writer.value(f"extractvalue {pair} {both}, 1")

    def _negative(self, kind: Kind, given: Kind, arguments: list[str]) -> str:
        return self._writer.value(f"fneg {self.type(kind)} {arguments[0]}")

    def _complement(self, kind: Kind, given: Kind, arguments: list[str]) -> str:
        ones = f"splat ({element(kind)} -1)" if self._lanes else "-1"
        return self._writer.value(f"xor {self.type(kind)} {arguments[0]}, {ones}")

    def _shift_left(self, kind: Kind, given: Kind, arguments: list[str]) -> str:
        return self.freeze(kind, self._binary("shl", kind, arguments))

    def _shift_right(self, kind: Kind, given: Kind, arguments: list[str]) -> str:
        signed = isinstance(kind, np.dtype) and kind.kind == "i"
        return self.freeze(kind, self._binary("ashr" if signed else "lshr", kind, arguments))

    def _upper_word(self, kind: Kind, given: Kind, arguments: list[str]) -> str:
        word, double = self._of("i64"), self._of("i128")
        wide = [self._writer.value(f"zext {word} {one} to {double}") for one in arguments]
        product = self._writer.value(f"mul {double} {wide[0]}, {wide[1]}")
        shift = "splat (i128 64)" if self._lanes else "64"
        upper = self._writer.value(f"lshr {double} {product}, {shift}")
        return self._writer.value(f"trunc {double} {upper} to {word}")

    def _choice(self, kind: Kind, given: Kind, arguments: list[str]) -> str:
        taken = self.type(kind)
        condition, first, second = arguments
        chosen = f"select {self._of('i1')} {condition}, {taken} {first}, {taken} {second}"
        return self.fence(kind, self._writer.value(chosen))

    def _bits(self, kind: Kind, given: Kind, arguments: list[str]) -> str:
        if element(kind) == element(given):
            return arguments[0]
        if "i1" in (element(kind), element(given)):
            return self._conversion(kind, given, arguments)
        return self.fence(kind, self._writer.value(f"bitcast {self.type(given)} {arguments[0]} to {self.type(kind)}"))

    def _conversion(self, kind: Kind, given: Kind, arguments: list[str]) -> str:
        assert isinstance(kind, np.dtype) and isinstance(given, np.dtype)
        value = arguments[0]
        if element(kind) == element(given):
            return value
        if kind.kind == "b":
            return self._comparison("ne", given, [value, self.constant(given, 0)])
        if kind.kind == "f":
            return self._to_float(kind, given, value)
        if given.kind == "f":
            instruction = "fptosi" if kind.kind == "i" else "fptoui"
            return self.freeze(kind, self._converted(instruction, kind, given, value))
        if kind.itemsize < given.itemsize:
            return self._converted("trunc", kind, given, value)
        return self._converted("sext" if given.kind == "i" else "zext", kind, given, value)

    def _converted(self, instruction: str, kind: Kind, given: Kind, value: str) -> str:
        return self._writer.value(f"{instruction} {self.type(given)} {value} to {self.type(kind)}")

    def _to_float(self, kind: np.dtype[Any], given: np.dtype[Any], value: str) -> str:
        if given.kind != "f":
            return self._converted("sitofp" if given.kind == "i" else "uitofp", kind, given, value)
        if {kind.char, given.char} != {"e", "d"}:
            instruction = "fpext" if kind.itemsize > given.itemsize else "fptrunc"
            return self._converted(instruction, kind, given, value)
        if kind.char == "d":
            return self._converted("fpext", kind, _FLOAT32, self._converted("fpext", _FLOAT32, given, value))
        return self._converted("fptrunc", kind, _FLOAT32, self._rounded_to_odd(value))

    def _rounded_to_odd(self, value: str) -> str:
        """The float32 towards zero of a float64, odd if it is not exact: rounded again, it is rounded once."""
        nearest = self._converted("fptrunc", _FLOAT32, _FLOAT64, value)
        back = self._converted("fpext", _FLOAT64, _FLOAT32, nearest)
        sizes = [self._call("fabs", _FLOAT64, [one]) for one in (back, value)]
        further = self._converted("zext", _WORD32, _BOOL, self._comparison("gt", _FLOAT64, sizes))
        inexact = self._writer.value(f"fcmp one {self.type(_FLOAT64)} {back}, {value}")
        odd = self._converted("zext", _WORD32, _BOOL, inexact)
        bits = self._bits(_WORD32, _FLOAT32, [nearest])
        bits = self._binary("or", _WORD32, [self._binary("sub", _WORD32, [bits, further]), odd])
        return self._bits(_FLOAT32, _WORD32, [bits])


_BOOL, _FLOAT32, _FLOAT64, _WORD32 = (np.dtype(name) for name in ("bool", "float32", "float64", "uint32"))
_SPECIAL: dict[str, Callable[[Numbers, Kind, Kind, list[str]], str]] = {
    "neg": Numbers._negative,
    "not": Numbers._complement,
    "shl": Numbers._shift_left,
    "shr": Numbers._shift_right,
    "mulhi": Numbers._upper_word,
    "select": Numbers._choice,
    "convert": Numbers._conversion,
    "bits": Numbers._bits,
}

NUMBERS = frozenset((*_FLOATS, "rem", "and", "or", "xor", *_COMPARED, *_FUNCTIONS, *_OVERFLOWS, *_SPECIAL))
"""The operations of numbers."""
