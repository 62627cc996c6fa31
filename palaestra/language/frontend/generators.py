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

from palaestra.language.frontend.binding import LISTED, Generator, LocalFunction, Partial
from palaestra.language.frontend.building import NOTHING, Catch, State, Target
from palaestra.language.frontend.consumers import Consumer
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.table import built
from palaestra.language.source import nodes_in
from palaestra.language.types import Term, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


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
        def write_turn(item: Term, again: Target) -> None:
            write_numbered(item, again, out)

        consumer = Consumer(front.generating, carried, out, front.since, write_turn)
        loops = front.activations[-1].loops
        loops.append((out, out))  # so that a reset forgets what has left for there
        front.generating += 1
        try:
            front.run(generator.source, generator.names, consumer=consumer)
        finally:
            loops.pop()
            front.generating -= 1
        for one in out.ends:
            one.state = State(consumer.ended(one.state.names), one.state.heap)
        end()
        return NOTHING

    front.block("for", whole)
    front.state.names.pop(count, None)


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
        front.activations[-1].names = front.state.names
    finally:
        front.activations.append(activation)
        front.since = since
    front.state = State(consumer.resumed(front.state.names), front.state.heap)


def _turn(consumer: Consumer, item: Term, again: Target) -> Term:
    consumer.write(item, again)
    return NOTHING


@built(LISTED, folds=False)
def _listed(front: FrontEnd, term: Term) -> Term:
    """Returns the list of a generator's items, which are all computed now."""
    made = front.allocate([], list)
    front.state.names["."] = made

    def write(item: Term, again: Target, out: Target) -> None:
        front.operate(list.append, front.state.names["."], item)

    write_loop(front, term.value, ["."], write, lambda: None)
    return front.state.names.pop(".")
