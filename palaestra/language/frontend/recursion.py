"""Functions that call themselves: each call is written out if the end is known, else the function is a routine.

A routine is like a loop: its parameters are the variables, and a call of itself begins another turn, after which the
turn before goes on. So what objects hold is in slots that all runs share if a run changes it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from palaestra.language.frontend.building import (
    NOTHING,
    Builder,
    Catch,
    End,
    Ended,
    Handler,
    Heap,
    Kept,
    Names,
    State,
    Turn,
)
from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.writing import roots_of, sets_of
from palaestra.language.program import (
    ADDRESS,
    BEYOND,
    BOOL,
    INT64,
    Again,
    Block,
    If,
    Label,
    Leave,
    Routine,
    Set,
    Slot,
    Value,
    statements_of,
)
from palaestra.language.source import Source
from palaestra.language.types import Reference, Term, Type, joined, widened

DEEPEST = 24  # calls of a function in each other
MOST_OF_CALLS = 20_000  # of a function in each other
REMEDY = "write a loop with a list of what is left to do"


class Given(NamedTuple):
    """What a function is called with.

    Attributes:
        terms: Its arguments, by name.
        contents: What those of them hold that can be changed.
        newest: The number of the last object that was made before.
        written: How much of the program was written before.
    """

    terms: Mapping[str, Term]
    contents: Mapping[int, tuple[Term, ...]]
    newest: int
    written: int


def given_of(builder: Builder, names: Mapping[str, Term]) -> Given:
    """Returns what a function is called with."""
    numbers = {one.type.number for one in names.values() if isinstance(one.type, Reference)}
    return Given(
        dict(names), {number: builder.state.heap[number] for number in numbers}, builder.newest, builder.size.count
    )


class Endless(Exception):
    """A function calls itself, and where that ends is not known before it runs.

    Args:
        key: The function's key, see `Source`.
    """

    def __init__(self, key: object) -> None:
        super().__init__()
        self.key = key


def check_end(builder: Builder, source: Source, given: Given, around: Sequence[Given], known: bool) -> None:
    """Check that a call ends, and that the program does not become too large.

    Args:
        builder: What writes the program.
        source: The function.
        given: What it is called with.
        around: What the calls of the function around are.
        known: Whether it is known not to end, if it calls itself.

    Raises:
        CannotCompile: If the program becomes too large.
        Endless: If it is called by itself with the same types and constants, too deep in itself, or too often.
    """
    if not around:
        return
    is_large = builder.size.count - around[0].written > MOST_OF_CALLS
    if known or is_large or len(around) >= DEEPEST or any(_is_same(given, one) for one in around):
        raise Endless(source.key)


def _is_same(one: Given, other: Given) -> bool:
    """Whether a call leads to itself: its arguments have the same types, and are the same constants."""
    if one.terms.keys() != other.terms.keys():
        return False
    return all(_is_alike(one, term, other, other.terms[name]) for name, term in one.terms.items())


def _is_alike(one: Given, a: Term, other: Given, b: Term) -> bool:
    first, second = a.type, b.type
    if isinstance(first, Reference) and isinstance(second, Reference):
        if first.number != second.number and first.number <= other.newest:
            return False  # objects that were there before: a chain of them ends
        x, y = one.contents[first.number], other.contents[second.number]
        return first.of is second.of and list(map(_kind_of, x)) == list(map(_kind_of, y))
    return _kind_of(a) == _kind_of(b) or (not a.known and a.type == widened(b.type))


def _kind_of(term: Term) -> Type:
    if isinstance(term.type, Reference):
        return Reference(0, term.type.of)
    return term.type if term.known else widened(term.type)


@dataclass
class Called:
    """The first call of a function that calls itself.

    Attributes:
        source: The function.
        frames: How many calls of Python's functions are around.
        write: Writes the function, and returns what it returns.
        returns: The type of that; none as long as no path is known that returns.
    """

    source: Source
    frames: int
    write: Callable[[Names], Term]
    returns: list[Type] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The function's name."""
        return self.source.name


class Recursion(Turn):
    """A function that calls itself, written as a routine with some types of its parameters, and of what it returns.

    Args:
        builder: The builder.
        called: The first call.
        around: The functions that are being written as routines, the innermost last.
        before: The parameters of the first call, and what objects hold then.
        kinds: The types of the parameters.
        kept: The types of what objects hold, of that which is changed.
    """

    def __init__(
        self,
        builder: Builder,
        called: Called,
        around: list[Recursion],
        before: State,
        kinds: dict[str, Type],
        kept: Kept,
    ) -> None:
        super().__init__(builder, before, kinds, kept)
        self.called, self._open, self._outer = called, around, around[-1] if around else None
        self._routine = Routine(Label(called.name.rpartition(".")[2]))
        self._handler = Handler(Label("raised"), Slot(INT64, "raised"))
        self._deep = Slot(INT64, "depth")
        self._results = [Slot(kind, "result") for one in called.returns for kind in one.kinds]
        self._newest = builder.newest
        self._base: Value
        self._written = 0
        self._last: End | None = None

    def write(self) -> bool:
        """Write the function; returns whether the types agree with those that it began with."""
        builder = self._builder
        self._begin()
        self._set_depth(self.called.frames)
        self._base = self._outer._base if self._outer else self._stack()
        shared = [self._handler.failure, *self._results]  # as they are used outside of the routine
        builder.region += [Set(slot, zero) for slot, zero in [(one, builder.zero(one.kind)) for one in shared]]
        builder.region.append(self._routine)
        block = Block(self._handler.label)
        self._routine.body.append(block)
        builder.region = block.body
        builder.handlers.append(self._handler)
        builder.depth, builder.turns = builder.depth + 1, builder.turns + 1
        self._written = len(builder.lending.written)
        self._open.append(self)
        try:
            with suppress(Ended):
                self._go_in()
                self._check_depth()
                self._return(self.called.write(builder.state.names))
        finally:
            self._open.remove(self)
            builder.depth, builder.turns = builder.depth - 1, builder.turns - 1
        builder.handlers.remove(self._handler)
        builder.region = self._around
        return not self._grew()

    # Depth.

    def _set_depth(self, frames: int) -> None:
        """Let the next run be deeper, by the calls of Python's functions since the run began that is being written."""
        builder, depth = self._builder, self._builder.number(0)
        if self._open:
            here = self._open[-1]
            depth = builder.compute("add", here._depth, builder.number(frames - here.called.frames))
        builder.region.append(Set(self._deep, depth))

    def _stack(self) -> Value:
        """An address in the thread's stack."""
        return self._builder.emit("word", INT64, self._builder.emit("room", ADDRESS, attribute=INT64.itemsize))

    def _check_depth(self) -> None:
        builder = self._builder
        self._depth = builder.get(self._deep)
        builder.raise_if(builder.compare("gt", self._depth, builder.number(deepest())), "RecursionError")
        used = builder.compute("sub", self._base, self._stack())
        builder.raise_if(builder.compare("gt", used, builder.number(most_bytes())), BEYOND)

    # Calls and returns.

    def again(self, names: Names, frames: int) -> Term:
        """Write a call of the function by itself; returns what it returns."""
        builder = self._builder
        self._check_made(names.values(), "passes")
        self._end_here(State(dict(names), Heap(builder.state.heap)), NOTHING)
        self._set_depth(frames)
        builder.region.append(Again(self._routine.label))
        return self.go_on()

    def _end_here(self, state: State, term: Term) -> None:
        """Leave a place where slots are set once the types are known."""
        block = Block(Label("given"))
        self._builder.region.append(block)
        self._ends.append(End(block.body, state, term))

    def _return(self, term: Term) -> None:
        builder = self._builder
        if builder.live:
            self._check_made([term], "returns")
            self._end_here(State(dict(self._head.names), Heap(builder.state.heap)), term)
            self._last = self._ends[-1]

    def go_on(self) -> Term:
        """Go on behind a call, unless it has raised; returns what it returns."""
        builder, handler = self._builder, self._builder.handlers[-1]
        if isinstance(handler, Catch):
            raise Refused(f"`{self.called.name}` calls itself, and is called in a `try`", "test beforehand what raises")
        number = builder.get(self._handler.failure)
        failed = If(builder.emit("rarely", BOOL, builder.compare("ne", number, builder.number(0))))
        failed.then += [Set(handler.failure, number), Leave(handler.label)]
        builder.region.append(failed)
        if not self.called.returns:
            builder.live = False
            raise Ended
        self._read_kept(builder.state.heap)
        return Term(self.called.returns[0], tuple(map(builder.get, self._results)))

    def _check_made(self, terms: Iterable[Term], what: str) -> None:
        """Check that no object that a run has made, and that has no place in a pool, is passed on or kept."""
        for number in (number for term in terms for number in term.type.numbers):
            if number > self._newest:
                self._builder.unplaced(number)
                made = f"a {self._builder.classes[number].__name__} that it has made"
                raise Refused(f"`{self.called.name}` calls itself, and {what} {made}", "make it before the first call")

    # Types.

    def _replace_lists(self, end: End) -> None:
        """Leave them: the turn before goes on with its own."""

    def _grew(self) -> bool:
        grew = super()._grew()
        for end in self._ends:
            self._check_made((one for number in self._before.heap for one in end.state.heap[number]), "keeps")
        if self._last is None:
            return grew
        kind, returns = widened(self._last.term.type), self.called.returns
        both = joined(returns[0], kind) if returns else kind
        if both is None:
            raise Refused(f"`{self.called.name}` returns too many types: {returns[0]}, {kind}")
        if returns != [both]:
            returns[:] = [both]
            return True
        return grew

    def close(self) -> None:
        """Set the slots before each call, and where the function returns."""
        for end in self._ends:
            pairs = self._pairs(end)
            if end is self._last:
                with self._builder.writing(end.region):
                    parts = self._builder.converted(end.term, self.called.returns[0]).parts
                own = {slot for key, slots in self._slots.items() if isinstance(key, str) for slot in slots}
                pairs = [pair for pair in pairs if pair[0] not in own] + [*zip(self._results, parts, strict=True)]
                self._check_rooms([part for _, part in pairs])
            end.region += [Set(slot, part) for slot, part in pairs]
        self._builder.lending.check(self._builder.body, self._routine.body, self._written)

    def _check_rooms(self, parts: Sequence[Value]) -> None:
        """Check that nothing lasts in memory that a run has made."""
        rooms = {one for one in statements_of(self._routine.body) if isinstance(one, Value) and one.operation == "room"}
        sets = sets_of(self._routine.body)
        if any(not rooms.isdisjoint(roots_of(part, sets)) for part in parts if part.kind is ADDRESS):
            reason = f"`{self.called.name}` calls itself, and returns or keeps an array or a list that it has made"
            raise Refused(reason, "make it before the first call, and change its items")


def recursion(builder: Builder, called: Called, around: list[Recursion], names: Names) -> Term:
    """Write the first call of a function that calls itself; returns what it returns."""
    before = State(names, builder.state.heap)
    kinds: dict[str, Type] = {}  # of those that a call changes
    turn = builder.repeated(before, kinds, lambda kept: Recursion(builder, called, around, before, kinds, kept))
    builder.state, builder.live = State({}, Heap(before.heap)), True
    return turn.go_on()


MARGIN = 100
"""The calls that may be around a step, or a reset, in Python."""


def deepest() -> int:
    """Returns how deep calls may be in each other if Python surely does not raise."""
    limit = sys.getrecursionlimit()
    return max(limit - MARGIN, limit // 2)


def most_bytes() -> int:
    """Returns how many bytes of a thread's stack calls may take: a part of it, since it is not empty."""
    sizes = [threading.stack_size()]
    with suppress(ImportError):
        import resource

        sizes.append(resource.getrlimit(resource.RLIMIT_STACK)[0])
    return min([1 << 20, *(size // 4 for size in sizes if size > 0)])
