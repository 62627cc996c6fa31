"""Mathematics written as LLVM's text by Python's operators, for one float64 or for eight."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from palaestra.language.llvm.numbers import Numbers
from palaestra.language.llvm.text import Writer
from palaestra.language.program import BOOL, FLOAT64, INT64, WIDTH, Kind


class Traced:
    """A float64, a word of bits or a truth, or eight, that writes the operations on it."""

    def __init__(self, writer: Writer, numbers: Numbers, kind: Kind, text: str) -> None:
        self.writer, self.numbers, self.kind, self.text = writer, numbers, kind, text

    def take(self, other: Traced | float) -> str:
        """Returns the text of another one, or of a number of this kind."""
        return other.text if isinstance(other, Traced) else self.numbers.constant(self.kind, other)

    def apply(self, operation: str, *others: Traced | float, kind: Kind | None = None) -> Traced:
        """Returns the result of an operation with others of this kind, of the kind given or else the same."""
        result = self.kind if kind is None else kind
        given = [self.text, *map(self.take, others)]
        return Traced(self.writer, self.numbers, result, self.numbers.write(operation, result, self.kind, given))

    def __add__(self, other: Traced | float) -> Traced:
        return self.apply("add", other)

    def __sub__(self, other: Traced | float) -> Traced:
        return self.apply("sub", other)

    def __mul__(self, other: Traced | float) -> Traced:
        return self.apply("mul", other)

    def __rsub__(self, other: float) -> Traced:
        return Traced(self.writer, self.numbers, self.kind, self.take(other)) - self

    def __neg__(self) -> Traced:
        return self.apply("neg") if self.kind == FLOAT64 else 0 - self

    def __abs__(self) -> Traced:
        return self.apply("fabs")

    def __and__(self, other: Traced | int) -> Traced:
        return self.apply("and", other)

    def __or__(self, other: Traced | int) -> Traced:
        return self.apply("or", other)

    def __xor__(self, other: Traced | int) -> Traced:
        return self.apply("xor", other)

    def __lshift__(self, other: int) -> Traced:
        return self.apply("shl", other)

    def __lt__(self, other: Traced | float) -> Traced:
        return self.apply("lt", other, kind=BOOL)

    def __ge__(self, other: Traced | float) -> Traced:
        return self.apply("ge", other, kind=BOOL)


def fma(x: Traced, y: Traced | float, z: Traced | float) -> Traced:
    """Returns `x * y + z`, rounded once."""
    return x.apply("fma", y, z)


def bits_of(x: Traced) -> Traced:
    """Returns the bits of floats."""
    return x.apply("bits", kind=INT64)


def bits_of_number(number: float) -> int:
    """Returns the bits of a positive float: they are in the order of floats, with NaN above all."""
    return int(struct.unpack("q", struct.pack("d", number))[0])


def float_of(bits: Traced) -> Traced:
    """Returns the floats of bits."""
    return bits.apply("bits", kind=FLOAT64)


def choose(condition: Traced, first: Traced, second: Traced) -> Traced:
    """Returns the first where the condition is true, and else the second."""
    given = [condition.text, first.text, second.text]
    return Traced(first.writer, first.numbers, first.kind, first.numbers.write("select", first.kind, first.kind, given))


def corrected(value: str, doubtful: str, writer: Writer, numbers: Numbers, answer: Callable[[], str]) -> str:
    """Write a number with another one, written by `answer` in a block of its own, if it is doubtful; returns it."""
    wrong, right = writer.label(), writer.label()
    before = writer.label()
    writer.branch(before)
    writer.start(before)
    writer.fork(doubtful, wrong, right)
    writer.start(wrong)
    with writer.region():
        other = answer()
    after = writer.block
    writer.branch(right)
    writer.start(right)
    chosen = writer.effect(f"phi double [ {value}, %{before} ], [ {other}, %{after} ]")
    return numbers.fence(FLOAT64, chosen)


def corrected_lanes(
    values: str, doubtful: str, writer: Writer, given: list[tuple[str, str]], answer: Callable[[list[str]], str]
) -> str:
    """Write lanes of float64, each of which is replaced if it is doubtful; returns them.

    Args:
        values: The lanes.
        doubtful: A bit for each.
        writer: The function.
        given: What an answer depends on: lanes, and the type of one.
        answer: Writes the right number of a lane, from the numbers given of that lane.
    """
    place = writer.stack(f"<{WIDTH} x double>", 64)
    before, wrong, right = (writer.label() for _ in range(3))
    writer.branch(before)
    writer.start(before)
    bits = writer.value(f"bitcast <{WIDTH} x i1> {doubtful} to i{WIDTH}")
    writer.fork(writer.value(f"icmp ne i{WIDTH} {bits}, 0"), wrong, right, rarely=True)
    writer.start(wrong)
    with writer.region():
        writer.line(f"store <{WIDTH} x double> {values}, ptr {place}")
        with each_lane(writer, bits, given) as (lane, numbers):
            at = writer.value(f"getelementptr double, ptr {place}, i64 {lane}")
            writer.line(f"store double {answer(numbers)}, ptr {at}")
        answered = writer.effect(f"load <{WIDTH} x double>, ptr {place}")
    after = writer.block
    writer.branch(right)
    writer.start(right)
    return writer.effect(f"phi <{WIDTH} x double> [ {values}, %{before} ], [ {answered}, %{after} ]")


@contextmanager
def each_lane(writer: Writer, bits: str, given: list[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """Write a loop over the lanes whose bits are set, at least one; yields the lane and its numbers of `given`."""
    places = [(writer.stack(f"<{WIDTH} x {kind}>", 64), kind) for _, kind in given]
    for (lanes, kind), (place, _) in zip(given, places, strict=True):
        writer.line(f"store <{WIDTH} x {kind}> {lanes}, ptr {place}")
    left_at = writer.stack(f"i{WIDTH}")
    writer.line(f"store i{WIDTH} {bits}, ptr {left_at}")
    body, end = writer.label(), writer.label()
    writer.branch(body)
    writer.start(body)
    with writer.region():
        left = writer.effect(f"load i{WIDTH}, ptr {left_at}")
        name = writer.module.declare(f"@llvm.cttz.i{WIDTH}", f"declare i{WIDTH} @llvm.cttz.i{WIDTH}(i{WIDTH}, i1)")
        lane = writer.value(f"zext i{WIDTH} {writer.value(f'call i{WIDTH} {name}(i{WIDTH} {left}, i1 true)')} to i64")
        numbers = []
        for place, kind in places:
            at = writer.value(f"getelementptr {kind}, ptr {place}, i64 {lane}")
            numbers.append(writer.effect(f"load {kind}, ptr {at}"))
        yield lane, numbers
        rest = writer.value(f"and i{WIDTH} {left}, {writer.value(f'sub i{WIDTH} {left}, 1')}")
        writer.line(f"store i{WIDTH} {rest}, ptr {left_at}")
        writer.fork(writer.value(f"icmp ne i{WIDTH} {rest}, 0"), body, end)
    writer.start(end)
