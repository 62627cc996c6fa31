"""Functions with `yield`: the body of the loop that runs over their items stands where they yield one.

    for x, y in self.cells(n):          def cells(self, n):
        BODY                                for k in range(n):
                                                yield k, 2 * k   # x, y = k, 2 * k, and BODY

While one of the two functions runs, the names of the other wait among its own, behind a sign and the number of the
loop: "<0 x" are those of the function with the loop, ">0 k" those of the function that yields. So wherever paths meet,
the names of both are joined.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from palaestra.language.frontend.binding import Generator, LocalFunction, Partial
from palaestra.language.frontend.building import NOTHING, Catch, Names, State, Target
from palaestra.language.frontend.refusals import Refused
from palaestra.language.source import nodes_in
from palaestra.language.types import Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import Activation, FrontEnd

_WAITS, _YIELDED = "<", ">"


class Consumer:
    """A loop over the items of a generator.

    Attributes:
        number: The number of loops over generators around.
        activation: The function with the loop.
        carried: The names that a turn may change for the next one, or for what is behind the loop.
        out: Where `break` leads.
        since: See `Builder`.
        write: Writes the body of the loop for an item; its argument is where `continue` leads.
    """

    def __init__(self, front: FrontEnd, carried: list[str], out: Target, write: Callable[[Term, Target], None]) -> None:
        self.number = front.generating
        self.activation: Activation = front.activations[-1]
        self.carried, self.out, self.since, self.write = carried, out, front.since, write

    def entered(self, names: Names) -> Names:
        """Returns the names of the function with the loop, as they wait when the generator begins."""
        return {self._waits + name: term for name, term in names.items()}

    def left(self, names: Names) -> Names:
        """Returns them as they are in that function again; those of the generator wait now."""
        return _swapped(names, self._waits, self._yielded)

    def resumed(self, names: Names) -> Names:
        """Returns the names as they are in the generator again."""
        return _swapped(names, self._yielded, self._waits)

    def ended(self, names: Names) -> Names:
        """Returns the names of the function with the loop, without those of the generator."""
        return {name: term for name, term in names.items() if not name.startswith(self._yielded)}

    def carried_within(self) -> list[str]:
        """Returns the names that a turn may change, as they are in the generator."""
        return [self._waits + name for name in self.carried]

    @property
    def _waits(self) -> str:
        return f"{_WAITS}{self.number} "

    @property
    def _yielded(self) -> str:
        return f"{_YIELDED}{self.number} "


def _swapped(names: Names, sign: str, other: str) -> Names:
    return {name[len(sign) :] if name.startswith(sign) else other + name: term for name, term in names.items()}


def generator_in(term: Term) -> Generator | None:
    """Returns the call of a generator function that an object is; None for others."""
    return term.value if term.known and isinstance(term.value, Generator) else None


def check_read_at_once(term: Term) -> None:
    """Check that an object is not a generator, where its items may be read later, or not all.

    Raises:
        Refused: If it is one.
    """
    if generator_in(term):
        raise Refused("a generator computes its items one by one, when they are read", "run over it with `for`")


def check_yields_none(function: LocalFunction) -> None:
    """Check that a function that is defined in another is not a generator: it could read names that the loop changes.

    Raises:
        Refused: If it is one.
    """
    if _has_yield(function.source.definition):
        raise Refused("a function with `yield` is defined in another function", "make it a method, or return a list")


def write_loop(
    front: FrontEnd,
    generator: Generator,
    carried: list[str],
    write: Callable[[Term, Target, Target], None],
    end: Callable[[], None],
) -> None:
    """Write a loop over the items of a generator.

    Args:
        front: The front end.
        generator: The generator.
        carried: See `Consumer`.
        write: Writes the body for an item; its other arguments are where `continue` and `break` lead.
        end: Writes what follows if no `break` ends the loop.

    Raises:
        Refused: If the generator is given a function that reads the names of the one with the loop.
    """
    if any(one.known and isinstance(one.value, (LocalFunction, Partial)) for one in generator.names.values()):
        raise Refused("a generator is given a function that is made here", "give it a method, or one of the module")
    count = f".{len(front.activations[-1].loops)}"
    if generator.start is not None:
        front.state.names[count] = generator.start
        carried = [*carried, count]

    def write_numbered(item: Term, again: Target, out: Target) -> None:
        if generator.start is not None:
            number = front.state.names[count]
            item = tuple_of([number, item])
            front.state.names[count] = front.operate(operator.add, number, constant(1))
        write(item, again, out)

    def whole(out: Target) -> Term:
        consumer = Consumer(front, carried, out, lambda item, again: write_numbered(item, again, out))
        consumer.activation.loops.append((out, out))  # so that a reset forgets what has left for there
        front.generating += 1
        try:
            front.run(generator.source, generator.names, consumer=consumer)
        finally:
            consumer.activation.loops.pop()
            front.generating -= 1
        for one in out.ends:
            one.state = State(consumer.ended(one.state.names), one.state.heap)
        end()
        return NOTHING

    front.block("for", whole)
    front.state.names.pop(count, None)


def kept_behind(names: Names) -> Names:
    """Returns the names that are left when a function returns: none, but of what runs over the items that it yields."""
    return {name: term for name, term in names.items() if name.startswith(_WAITS)}


def carried_too(front: FrontEnd, node: ast.stmt) -> list[str]:
    """Returns the names of the function with the loop that a loop with a `yield` may change."""
    consumer = front.activations[-1].consumer
    return consumer.carried_within() if consumer and _has_yield(node) else []


def _has_yield(node: ast.AST) -> bool:
    return any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in nodes_in(node))


def yield_item(front: FrontEnd, item: Term) -> None:
    """Write the body of the loop for an item.

    Raises:
        Refused: If the function is not run over by a loop, or in a `try`.
    """
    consumer = front.activations[-1].consumer
    if consumer is None:
        raise Refused("a generator is sent to, or runs on its own", "run over it with `for`")
    if any(isinstance(one, Catch) for one in front.handlers):
        raise Refused("a `yield` within a `try`, or in a loop within one, is not in the language", "return a list")
    activation, since = front.activations.pop(), front.since
    front.since = consumer.since
    front.state = State(consumer.left(front.state.names), front.state.heap)
    try:
        front.block("turn", lambda again: _turn(consumer, item, again))
        consumer.activation.names = front.state.names
    finally:
        front.activations.append(activation)
        front.since = since
    front.state = State(consumer.resumed(front.state.names), front.state.heap)


def _turn(consumer: Consumer, item: Term, again: Target) -> Term:
    consumer.write(item, again)
    return NOTHING


def listed(front: FrontEnd, generator: Generator) -> Term:
    """Returns the list of a generator's items, which are all computed now."""
    made = front.allocate([], list)
    front.state.names["."] = made

    def write(item: Term, again: Target, out: Target) -> None:
        front.operate(list.append, front.state.names["."], item)

    write_loop(front, generator, ["."], write, lambda: None)
    return front.state.names.pop(".")
