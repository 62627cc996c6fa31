"""The typed program: what the front end writes, and what the back ends read.

A program is a region: a list of statements. A `Value` computes one number or address from others and never changes. A
slot is what changes: `Slot`: `Set` writes it, and a value of the operation `get` reads it. Control is structured:

    If(condition, then, otherwise)   one region or the other
    Block(label, body)               a region that `Leave(label)` ends early
    Loop(label, body)                a region repeated until `Leave(label)` ends it
    Routine(label, body)             a region that `Again(label)` runs anew, from within

There are no calls of functions, no returns and no exceptions: a called function is a block whose returns set slots and
leave it, and a `raise` sets the number of its place and leaves the block that handles it. Only a function that calls
itself to a depth found at run time is a routine: each run has slots and rooms of its own, but shares the slots that
are also used outside of the routine, and values from outside. No `Leave` leads out of one. So a back end for eight
rows with a mask knows five kinds of statements and the operations of `OPERATIONS`, and one for a row at a time seven.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np


class Address:
    """The kind of an address; `ADDRESS` is the only one."""

    itemsize = 8

    def __repr__(self) -> str:
        return "address"


ADDRESS: Final = Address()
Kind: TypeAlias = "np.dtype[Any] | Address"

OPERATIONS: dict[str, str] = {
    # Numbers. Both arguments have one kind, which the result has too, unless it says otherwise.
    "constant": "the number `attribute`",
    "add": "a sum; integers wrap, here and below",
    "sub": "a difference",
    "mul": "a product",
    "div": "a quotient of floats; for integers rounded towards zero, and the divisor is neither 0 nor overflows",
    "rem": "the remainder of such a division of integers",
    "neg": "the negative of a float, its sign bit changed",
    "and": "the bits, or the truths, of both",
    "or": "of either",
    "xor": "of one",
    "not": "the other bits, or the other truth",
    "shl": "bits to the left; fewer than there are",
    "shr": "bits to the right; with the sign of a signed number",
    "mulhi": "the upper word of a product of two uint64",
    "add_overflows": "whether a sum of two signed integers is beyond their kind: a bool",
    "sub_overflows": "a difference",
    "mul_overflows": "a product",
    "eq": "whether two are equal: a bool, as are those below; NaN is not",
    "ne": "whether they differ; NaN does",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "select": "the second if the first, a bool, is true, and else the third",
    "convert": "another kind of number: floats rounded, integers wrapped, a float that fits rounded towards zero",
    "bits": "the same bits as another kind of the same size",
    "sqrt": "the square root of a float, NaN below zero",
    "floor": "the integer below, as a float",
    "ceil": "the integer above",
    "trunc": "the integer towards zero",
    "rint": "the nearest integer, even between two",
    "fabs": "the size of a float",
    "copysign": "the size of the first float with the sign of the second",
    "fma": "the first times the second plus the third, rounded once",
    "any": "whether a bool is true in one of the rows that run together and are here: what follows may be for all",
    "rarely": "a bool that is seldom true, or hard to wait for: what depends on it is branched to, not chosen",
    # Memory. An address is of bytes.
    "room": "the address of `attribute` bytes, which last until the program ends",
    "room_each": "the same, new each time that the program comes by",
    "table": "the address of the constant array `attribute`",
    "offset": "an address, and bytes further: int64",
    "load": "the number at an address; with the attribute FIXED it does not change while the program runs",
    "store": "write a number, the second, at an address",
    "copy": "copy bytes to an address, the first, from another; the third is their number; they may overlap if the "
    "attribute is OVERLAPS",
    "word": "an address as an int64",
    "address": "an int64 as an address",
    # Functions outside, by the symbol `attribute`.
    "call": "the float of the C library's pure function `attribute` of floats",
    "loop": "NumPy's loop `attribute`: the addresses of the operands, their strides in bytes, the number of items; "
    "for products, the strides of the operands' own axes stand behind their strides, and their lengths at the end",
    # Threads, and functions at addresses: for the frame.
    "invoke": "the number that the function at an address returns for int64 arguments",
    "foreign": "what the function `attribute`, a symbol and its address, returns for numbers; it may change memory",
    "load_shared": "the int64 at an address that other threads write, in one order for all",
    "store_shared": "write such an int64",
    "add_shared": "add to such an int64; the result is the number before",
    "pause": "let the processor know that this is a waiting loop",
    "prefetch": "the line of memory at an address will be written soon; any address may be given",
    # Slots.
    "get": "what the slot `attribute` holds",
}
"""The operations of values, with their meanings: all that a back end has to know."""

WIDTH = 8
"""Rows that run together: a register of AVX-512; LLVM uses several shorter ones elsewhere."""

BEYOND: Final = "beyond 64 bits"
"""The name, among the places that raise, of a number that machine code cannot hold."""

FULL: Final = "beyond the room of a list"
"""The name of a list that has more items than there is room for."""

FIXED, OVERLAPS = "fixed", "overlaps"
EFFECTS = frozenset(
    (
        *("store", "copy", "loop", "invoke", "foreign", "pause", "prefetch"),
        *("store_shared", "add_shared", "room", "room_each"),
    )
)
"""The operations that stay where they are, even if their results are not read."""

BOOL, INT64, UINT64, FLOAT64 = (np.dtype(name) for name in ("bool", "int64", "uint64", "float64"))


class Place(NamedTuple):
    """A line of the user's source, and the function that it is in."""

    file: str
    line: int
    function: str


class Slot:
    """Memory for one number or address that changes while the program runs."""

    __slots__ = ("kind", "name")

    def __init__(self, kind: Kind, name: str) -> None:
        self.kind, self.name = kind, name


class Label:
    """What `Leave` leaves."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Value:
    """A number or an address, computed by an operation; its kind is None if the operation gives nothing.

    `name` is that of the variable which first held it, "" if there is none; it means nothing.
    """

    __slots__ = ("arguments", "attribute", "kind", "name", "operation", "place")

    def __init__(
        self,
        operation: str,
        kind: Kind | None,
        arguments: tuple[Value, ...] = (),
        attribute: Any = None,
        place: Place | None = None,
    ) -> None:
        self.operation, self.kind, self.arguments = operation, kind, arguments
        self.attribute, self.place = attribute, place
        self.name = ""

    def called(self, name: str) -> None:
        """Give it a name, unless it has one."""
        self.name = self.name or name

    @property
    def dtype(self) -> np.dtype[Any]:
        """The kind of a number."""
        assert isinstance(self.kind, np.dtype)
        return self.kind


@dataclass(slots=True, eq=False)
class Set:
    """Write a slot."""

    slot: Slot
    value: Value


@dataclass(slots=True, eq=False)
class If:
    """Run one of two regions."""

    condition: Value
    then: Region = field(default_factory=lambda: [])
    otherwise: Region = field(default_factory=lambda: [])


@dataclass(slots=True, eq=False)
class Block:
    """Run a region, of which `Leave` skips the rest."""

    label: Label
    body: Region = field(default_factory=lambda: [])


@dataclass(slots=True, eq=False)
class Loop:
    """Run a region again and again, until `Leave` ends it."""

    label: Label
    body: Region = field(default_factory=lambda: [])


@dataclass(slots=True, eq=False)
class Routine:
    """Run a region, in which `Again` runs it anew."""

    label: Label
    body: Region = field(default_factory=lambda: [])


@dataclass(slots=True, eq=False)
class Again:
    """Run the routine of a label, which is around this statement, and go on here."""

    label: Label


@dataclass(slots=True, eq=False)
class Leave:
    """Go on behind the block or loop of a label, which is around this statement."""

    label: Label


Statement: TypeAlias = "Value | Set | If | Block | Loop | Routine | Again | Leave"
Region: TypeAlias = "list[Statement]"


@dataclass(slots=True, eq=False)
class Program:
    """A function of numbers and addresses that returns an int64.

    Attributes:
        name: Its name.
        parameters: Values of the operation `parameter`.
        body: What it does.
        result: The slot of what it returns, int64.
        places: The places that can raise, with the exceptions; a frame returns or keeps their index.
    """

    name: str
    parameters: list[Value]
    body: Region
    result: Slot
    places: list[tuple[Place | None, str]] = field(default_factory=list)


def statements_of(region: Region) -> Iterator[Statement]:
    """Yields the statements of a region, and of the regions in it."""
    waiting = [iter(region)]
    while waiting:
        for statement in waiting[-1]:
            yield statement
            if type(statement) is If:
                waiting += [iter(statement.otherwise), iter(statement.then)]
                break
            if type(statement) is Block or type(statement) is Loop or type(statement) is Routine:
                waiting.append(iter(statement.body))
                break
        else:
            waiting.pop()


def has_loops(program: Program) -> bool:
    """Returns whether a program has loops, or routines."""
    return any(type(one) is Loop or type(one) is Routine for one in statements_of(program.body))
