"""Places in pools to which nothing refers any more: they are found at the begin of a program, and free again.

What an environment refers to is known there: its attributes, and what these refer to, are marked; all other places are
chained as free. That is done only by programs that make objects, and once less than half of a pool is free.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from palaestra.language.frontend import growing
from palaestra.language.frontend.groups import kind_of, word_at
from palaestra.language.frontend.pools import attribute_at, free_count, refers, set_free
from palaestra.language.program import ADDRESS, BOOL, INT64, Block, If, Label, Leave, Loop, Value
from palaestra.language.types import WORD, Either, Growing, Placed, Reference, Term, Tuple, Type

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


class Collector:
    """Frees places, at a place of the program that is filled at its end, when it is known which pools are needed.

    Args:
        front: The front end, which has just read the attributes of an environment.
        env: The environment.
    """

    def __init__(self, front: FrontEnd, env: Term) -> None:
        self._front, self._env, self._heap = front, env, dict(front.state.heap)
        self._pools = dict(front.pools)
        self._block = Block(Label("collect"))
        self._around = front.region
        front.region.append(self._block)
        self._marks: dict[type, Value] = {}
        self._stacks: dict[type, Value] = {}
        self._seen: set[int] = set()

    def close(self) -> None:
        """Write what frees places of the pools in which the program makes objects."""
        front = self._front
        taken = [root for root in self._pools if root in front.taken]
        if not taken:
            self._around.remove(self._block)
            return
        with front.writing(self._block.body):
            few = front.emit("constant", BOOL, attribute=False)
            for root in taken:
                pool = self._pools[root]
                half = front.number(kind_of(pool).capacity // 2)
                few = front.compute("or", few, front.compare("lt", free_count(front, pool), half))
            self._when(few, lambda: self._collect(taken))

    def _when(self, condition: Value, write: Callable[[], None]) -> None:
        statement = If(condition)
        self._front.region.append(statement)
        with self._front.writing(statement.then):
            write()

    def _collect(self, taken: list[type]) -> None:
        for root, pool in self._pools.items():
            self._begin(root, kind_of(pool).capacity)
        self._visit(self._env)
        if self._stacks:
            self._empty_stacks()
        for root in taken:
            self._chain(root)

    def _begin(self, root: type, capacity: int) -> None:
        front = self._front
        marks = self._marks[root] = front.emit("room", ADDRESS, attribute=WORD * capacity)
        growing.each_number(front, front.number(capacity), lambda k: self._put(marks, k, front.number(0)))
        if any(refers(one) for layout in kind_of(self._pools[root]).layouts for one in layout.items):
            self._stacks[root] = front.emit("room", ADDRESS, attribute=WORD * (1 + capacity))
            self._put(self._stacks[root], front.number(0), front.number(0))

    def _at(self, start: Value, k: Value) -> Value:
        front = self._front
        return front.emit("offset", ADDRESS, start, front.compute("mul", k, front.number(WORD)))

    def _put(self, start: Value, k: Value, value: Value) -> None:
        self._front.emit("store", None, self._at(start, k), value)

    def _get(self, start: Value, k: Value) -> Value:
        return self._front.emit("load", INT64, self._at(start, k))

    def _visit(self, term: Term) -> None:
        """Mark what a term refers to."""
        front = self._front
        match term.type:
            case Placed():
                self._mark(term)
            case Tuple():
                for one in term.items():
                    self._visit(one)
            case Either():
                for k, one in enumerate(term.items()):
                    if refers(one.type):
                        is_k = front.compare("eq", term.parts[0], front.number(k))
                        self._when(is_k, lambda one=one: self._visit(one))  # type: ignore[misc]
            case Growing(item=item) if refers(item):
                length = growing.length_of(front, term)
                growing.each_number(front, length, lambda k: self._visit(growing.item_at(front, term, k)))
            case Reference(number=number) if number not in self._seen:
                self._seen.add(number)
                for one in self._heap.get(number, ()):
                    self._visit(one)

    def _mark(self, term: Term) -> None:
        assert isinstance(term.type, Placed)
        front, root, k = self._front, term.type.root, term.part

        def mark() -> None:
            self._put(self._marks[root], k, front.number(1))
            if root in self._stacks:
                stack = self._stacks[root]
                count = front.compute("add", self._get(stack, front.number(0)), front.number(1))
                self._put(stack, count, k)
                self._put(stack, front.number(0), count)

        self._when(front.compare("eq", self._get(self._marks[root], k), front.number(0)), mark)

    def _empty_stacks(self) -> None:
        """Mark what the objects refer to that have been marked, until there is no more."""
        front, label = self._front, Label("marks")
        loop = Loop(label)
        front.region.append(loop)
        with front.writing(loop.body):
            left = front.emit("constant", BOOL, attribute=False)
            for stack in self._stacks.values():
                is_left = front.compare("gt", self._get(stack, front.number(0)), front.number(0))
                left = front.compute("or", left, is_left)
            goes_on = If(left)
            goes_on.otherwise.append(Leave(label))
            front.region.append(goes_on)
            for root, stack in self._stacks.items():
                is_left = front.compare("gt", self._get(stack, front.number(0)), front.number(0))
                self._when(is_left, lambda root=root: self._pop(root))  # type: ignore[misc]

    def _pop(self, root: type) -> None:
        front, stack, pool = self._front, self._stacks[root], self._pools[root]
        count = self._get(stack, front.number(0))
        k = self._get(stack, count)
        self._put(stack, front.number(0), front.compute("sub", count, front.number(1)))
        tag = front.emit("load", INT64, word_at(front, pool, k, 0))
        for number, layout in enumerate(kind_of(pool).layouts):
            pairs = [pair for pair in zip(layout.keys, layout.items, strict=True) if refers(pair[1])]

            def visit(pairs: list[tuple[str, Type]] = pairs) -> None:
                for key, kind in pairs:
                    self._visit(attribute_at(front, pool, k, key, kind))

            if pairs:
                self._when(front.compare("eq", tag, front.number(number)), visit)

    def _chain(self, root: type) -> None:
        """Let the places that are not marked be free."""
        front, pool = self._front, self._pools[root]
        capacity = kind_of(pool).capacity
        set_free(front, pool, front.number(0), front.number(0))

        def free(j: Value) -> None:
            k = front.compute("sub", front.number(capacity - 1), j)
            is_free = front.compare("eq", self._get(self._marks[root], k), front.number(0))
            self._when(is_free, lambda: _free(front, pool, k))

        growing.each_number(front, front.number(capacity), free)


def _free(front: FrontEnd, pool: Term, k: Value) -> None:
    first = front.emit("load", INT64, pool.part)
    count = front.compute("add", free_count(front, pool), front.number(1))
    front.emit("store", None, word_at(front, pool, k, 0), first)
    set_free(front, pool, k, count)
