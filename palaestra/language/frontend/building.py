"""Writing programs: statements, and the variables that branches, loops and blocks change.

Where paths of a program meet, each variable has an end of every path. If all ends are the same value, it stays; else
the paths set slots, of the type that all ends have in common, and the variable is read from there. A path that leaves a
block is an end of the block; so `return`, `break`, `continue` and a handled `raise` are the same thing.

After a branch with one dead side, the program goes on inside the other side. So code behind `if done: return` is
the `else` of the branch, and needs no jump where rows are stepped together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple, NoReturn, TypeVar

import numpy as np

from palaestra.language.frontend import growing
from palaestra.language.frontend.carrying import carried
from palaestra.language.frontend.choosing import renumbered, texts_in
from palaestra.language.frontend.lending import Lending, Lent
from palaestra.language.frontend.refusals import Follows, NeedsConstant, Refused
from palaestra.language.frontend.writing import Writer, root_of
from palaestra.language.program import (
    BEYOND,
    BOOL,
    EFFECTS,
    FULL,
    INT64,
    Block,
    If,
    Kind,
    Label,
    Leave,
    Loop,
    Place,
    Region,
    Set,
    Slot,
    Value,
    statements_of,
)
from palaestra.language.types import (
    CONTAINERS,
    NONE,
    UNBOUND,
    Array,
    Bounded,
    Chosen,
    Either,
    Given,
    Growing,
    Iterated,
    Keys,
    Method,
    Moved,
    Number,
    Placed,
    Pool,
    Reference,
    Shelf,
    Super,
    Term,
    Text,
    Tuple,
    Type,
    constant,
    grown,
    joined,
    loosened,
    united,
    widened,
)

NOTHING = Term(NONE)
Names = dict[str, Term]


class Missing(Follows):
    """An object of a number is used behind the paths of which one has made it."""

    def __init__(self, number: int) -> None:
        reason = "a list or dict that is made on one path only is used behind it"
        super().__init__(reason, "make it before the paths part")
        self.number = abs(number)


class GrowsInLoop(NeedsConstant):
    """A list gets another length in a loop, and holds what no list does that grows; see `growing.check_placed`.

    Args:
        kinds: What it holds on some paths.
    """

    def __init__(self, kinds: Sequence[Type]) -> None:
        super().__init__("a list gets another length in a loop", "keep numbers, texts or tuples of them in it")
        self.kinds = kinds


class Heap(dict[int, tuple[Term, ...]]):
    """The contents of objects that can be changed, by the object's number."""

    def __missing__(self, number: int) -> tuple[Term, ...]:
        raise Missing(number)


@dataclass
class State:
    """The variables of the running function, and the contents of objects that can be changed."""

    names: Names
    heap: Heap

    def copy(self) -> State:
        """Returns a state that changes apart from this one."""
        return State(dict(self.names), Heap(self.heap))


@dataclass
class End:
    """Where a path ends: its region, which may grow, its variables, and the object that it brings along."""

    region: Region
    state: State
    term: Term


class Ended(Exception):
    """The path ends by an exception of the program: nothing can follow it."""


class Opened(Exception):
    """A list, dict or array that was taken for a constant is written.

    Args:
        key: The `id` by which it is owned.
    """

    def __init__(self, key: int) -> None:
        super().__init__()
        self.key = key


class Target:
    """A block or loop that paths leave, or a loop's next turn."""

    def __init__(self, name: str) -> None:
        self.label = Label(name)
        self.ends: list[End] = []


class Mark(NamedTuple):
    """A place of a program to which it can be reset.

    Attributes:
        region: The region.
        length: How much of it was written.
        places: How many places raised.
        state: The variables.
        depth: The number of branches and loops around.
        handlers: The number of handlers.
        ends: How many paths had left each target around.
        refusals: How many expressions had been refused.
    """

    region: Region
    length: int
    places: int
    state: State
    depth: int
    handlers: int
    ends: list[tuple[Target, int]]
    refusals: int


@dataclass
class Handler:
    """What a `raise` leaves: the target, and the slot of the place's number.

    If rows raise `together`, a row that does not raise may count as one that does, because one beside it does.
    """

    label: Label
    failure: Slot
    together: bool = False
    around: Region = field(default_factory=lambda: [])


class Catch(NamedTuple):
    """A `try` whose body is being written: exceptions leave to `target`, each with the name of its class.

    `names` returns the names of the function with the `try`, which may have called another one.
    """

    target: Target
    names: Callable[[], Names]


class Builder(Writer):
    """Writes a program.

    Attributes:
        state: The variables at its end.
        live: Whether the program gets there.
        places: The places that raise, with the names of the exceptions.
        handlers: What catches exceptions around, the innermost last.
        existing: The objects that exist and to which constants refer, by the numbers that they have in the program.
        since: The number of the last object that was made before the running function was called.
        draws: Whether something was drawn from a random stream.
        owned: The `id`s of the lists, dicts and arrays among the constants that belong to an object with a state.
        changed: The numbers of the lists, dicts and objects that are changed.
        looked: The attributes of objects that are read: the object's number, and the name.
        depth: The number of branches and loops around, without those that ask whether there is a seed, where there is.
        seeded: Maps conditions to whether there is a seed if they hold: on the other side there is none.
        body: All that is written, from the begin of the program.
        given: What describes the constants that a batch passes, by their values.
        capacity: The room of lists that grow in the program.
        pools: The pools of objects that have places in memory, by the classes.
        taken: The classes of the pools in which objects are made.
        widened: The pools whose objects hold something of other types: the program is to be written again.
        can_place: Whether objects of a class may get places: `Unplaced` is raised for one that cannot be followed.
        lending: What is written and lent.
        turns: The number of loops around.
        shelves: The containers in others.
        classes: The classes of the objects that were made, by their numbers.
        wide: By the `id` of a term that is narrowed on a side of a branch: the term, and what it was before.
    """

    def __init__(self) -> None:
        super().__init__()
        self.owned: Mapping[int, object] = {}
        self.lending = Lending()
        self.changed: set[int] = set()
        self.looked: set[tuple[int, str]] = set()
        self.depth = 0
        self.seeded: dict[Value, bool] = {}
        self.capacity = CAPACITY
        self.body: Region = []
        self.given: dict[Value, Given] = {}
        self.wide: dict[int, tuple[Term, Term]] = {}
        self.pools: dict[type, Term] = {}
        self.taken: set[type] = set()
        self.widened: dict[type, Pool] = {}
        self.can_place: Callable[[type], bool] = lambda of: False
        self.turns = 0
        self.shelves: growing.Shelving
        self.classes: dict[int, type] = {}
        self.state = State({}, Heap())
        self.live = True
        self.places: list[tuple[Place | None, str]] = []
        self.handlers: list[Handler | Catch] = []
        self.draws = False
        self.since = 0
        self.existing: dict[int, object] = {}
        self._objects = 0

    @property
    def written(self) -> list[Value]:
        """See `Lending`."""
        return self.lending.written

    @property
    def lent(self) -> dict[Value, int]:
        """See `Lending`."""
        return self.lending.lent

    # Objects.

    def allocate(self, contents: Sequence[Term], of: type) -> Term:
        """Returns a new object that can be changed."""
        number = self._object()
        self.classes[number] = of
        self.state.heap[number] = tuple(contents)
        return Term(Reference(number, of))

    def writes(self, term: Term) -> None:
        """Note that what an object holds is changed.

        Raises:
            Opened: If it was taken for a constant, and belongs to an object with a state.
        """
        value: Any = term.value if term.known else None
        if isinstance(term.type, Reference):
            self.changed.add(term.type.number)
        elif isinstance(term.type, Array):
            root = root_of(term.part)
            if root in self.lent:
                raise Lent
            self.written.append(root)
            value = root.attribute if root.operation == "table" else None
        while value is not None:
            if id(value) in self.owned:
                raise Opened(id(value))
            value = getattr(value, "base", None) if isinstance(value, np.ndarray) else None

    def give(self, array: Term) -> None:
        """Note that a list or an object gets a copy of an array, which must not be changed any more."""
        root = root_of(array.parts[0])
        self.lent[root] = min(self.lent.get(root, len(self.written)), len(self.written))

    def operate(self, key: Any, /, *terms: Term, **named: Term) -> Term:
        """Returns what an operation of the table returns; a front end has one."""
        raise NotImplementedError

    def unplaced(self, number: int) -> None:
        """Check that an object of a number that cannot be followed could not be in a pool.

        Raises:
            Unplaced: If it could be.
        """
        of = self.classes.get(number)
        if of is not None and of not in CONTAINERS and self.can_place(of):
            raise growing.Unplaced(of)

    def widest(self, term: Term) -> Term:
        """Returns what a term was before it was narrowed."""
        return self.wide[id(term)][1] if id(term) in self.wide else term

    @property
    def newest(self) -> int:
        """The number of the last object that was made."""
        return self._objects

    def _object(self) -> int:
        self._objects += 1
        return self._objects

    def materialized(self, term: Term) -> Term:
        """Returns a constant number, tuple or array as parts of the program; other objects as they are."""
        return self.converted(term, widened(term.type))

    def converted(self, term: Term, kind: Type) -> Term:
        """Returns an object as a type that `joined` returned for it."""
        if term.type == kind:
            return term
        match kind:
            case Number(dtype=dtype) if term.known:
                return Term(kind, (self.number(term.value, dtype),))
            case Tuple(items=kinds):
                items = [constant(item) for item in term.value] if term.known else term.items()
                terms = [self.converted(item, one) for item, one in zip(items, kinds, strict=True)]
                return Term(kind, tuple(part for one in terms for part in one.parts))
            case Text(items=kinds):
                terms = [self.converted(item, one) for item, one in zip(term.items(), kinds, strict=True)]
                return Term(kind, tuple(part for one in terms for part in one.parts))
            case Array() if term.known:
                return Term(kind, (self.emit("table", kind.kinds[0], attribute=term.value),))
            case Placed() if isinstance(term.type, Reference):
                return self.shelves.shelved(term, kind.root)
            case Placed() if kind.is_container and not (isinstance(term.type, Placed) and term.type.root is kind.root):
                return self._on_other_shelf(term, kind)
            case Array() | Placed():
                return Term(kind, term.parts)
            case Bounded():
                return self._bounded(self.materialized(term), kind)
            case Either():
                return self._chosen(term, kind)
            case Chosen():
                return renumbered(self, term, kind)
            case Growing():
                return growing.retyped(self, term, kind)
        raise AssertionError(f"{term.type} is not {kind}")

    def _on_other_shelf(self, term: Term, kind: Placed) -> Term:
        """A container that should be on another shelf: if the shelves can be one, the program is written again."""
        options = term.type.options if isinstance(term.type, Either) else (term.type,)
        count = len(self.shelves.met)
        for one in options:
            self.shelves.meet(Either((one, kind)))
        if len(self.shelves.met) == count:
            raise Refused(f"{term.type} is in a place for {kind} of another form", "let all have one form")
        return self.nothing_like(kind)

    def _bounded(self, array: Term, kind: Bounded) -> Term:
        """An array as one whose lengths are found at run time."""
        assert isinstance(array.type, Array | Bounded)
        found = dict(zip(array.type.open, array.parts[1:], strict=True)) if isinstance(array.type, Bounded) else {}
        most = array.type.most if isinstance(array.type, Bounded) else array.type.shape
        return Term(kind, (array.parts[0], *(found.get(axis) or self.number(most[axis]) for axis in kind.open)))

    def _chosen(self, term: Term, kind: Either) -> Term:
        """An object as an option of several; the parts of the others are zeros."""
        if isinstance(term.type, Either):
            if [type(one) for one in term.type.options] == [type(one) for one in kind.options] and all(
                one == other or (isinstance(one, Placed) and joined(one, other) == other)
                for one, other in zip(term.type.options, kind.options, strict=True)
            ):
                return Term(kind, term.parts)
            return self.each_option(term, lambda one: self._chosen(one, kind), kind)
        if isinstance(term.type, Text) and term.type not in kind.options:
            term = self.converted(term, texts_in(term.type) or term.type)
        k = _option_of(term.type, kind)
        chosen = self.converted(term, kind.options[k])
        parts = [self.number(k)]
        for number, option in enumerate(kind.options):
            parts += chosen.parts if number == k else map(self.zero, option.kinds)
        return Term(kind, tuple(parts))

    def zero(self, kind: Kind) -> Value:
        """Returns a number or an address that is never used."""
        if isinstance(kind, np.dtype):
            return self.number(0, kind)
        return self.emit("address", kind, self.number(0))

    def each_option(self, term: Term, then: Callable[[Term], Term], into: Type | None = None) -> Term:
        """Returns what `then` returns for the option that an `Either` is."""
        options = list(term.items())
        tag = term.parts[0]

        def chosen(k: int) -> Term:
            if k == len(options) - 1:
                return then(options[k])
            is_k = self.compare("eq", tag, self.number(k))
            return self.branch(is_k, lambda: then(options[k]), lambda: chosen(k + 1), into)

        return chosen(0)

    # Control.

    def branch(
        self, condition: Value, then: Callable[[], Term], otherwise: Callable[[], Term], into: Type | None = None
    ) -> Term:
        """Write a branch, and return the object that the taken side returns."""
        statement = If(condition)
        self.region.append(statement)
        around, before = self.region, self.state
        seeded = self.seeded.get(condition)
        ends = [end for end in (self._side(statement.then, before, then, seeded is not True),) if end]
        ends += [end for end in (self._side(statement.otherwise, before, otherwise, seeded is not False),) if end]
        self.region, self.live = around, bool(ends)
        if len(ends) == 1:
            self.region, self.state = ends[0].region, ends[0].state
            return ends[0].term
        if not ends:
            self.state = before
            return NOTHING
        if condition.operation != "rarely" and _is_cheap(statement.then) and _is_cheap(statement.otherwise):
            return self._selected(statement, ends, into)
        return self.meet(ends, into=into)

    def _side(self, region: Region, before: State, write: Callable[[], Term], depth: int = 1) -> End | None:
        self.region, self.state, self.live = region, before.copy(), True
        self.depth += depth
        term = self._written(write)
        self.depth -= depth
        return End(self.region, self.state, term) if self.live else None

    def _written(self, write: Callable[[], Term]) -> Term:
        """What `write` returns; nothing if its path ends by an exception."""
        try:
            return write()
        except Ended:
            return NOTHING

    def _selected(self, statement: If, ends: list[End], into: Type | None) -> Term:
        """A branch whose sides only compute: both are computed, and one is selected."""
        assert self.region[-1] is statement
        self.region.pop()
        self.region += [*statement.then, *statement.otherwise]

        def select(terms: list[Term], kind: Type) -> Term:
            a, b = (self.converted(term, kind) for term in terms)
            pairs = zip(a.parts, b.parts, strict=True)
            parts = (x if x is y else self._select(statement.condition, x, y) for x, y in pairs)
            return Term(kind, tuple(parts))

        return self._joined(ends, select, into, self.region)

    def _select(self, condition: Value, a: Value, b: Value) -> Value:
        if a.operation == b.operation == "constant" and repr(a.attribute) == repr(b.attribute):
            return a
        return self.emit("select", a.kind, condition, a, b)

    def meet(
        self,
        ends: list[End],
        outside: State | None = None,
        into: Type | None = None,
        inside: Region | None = None,
    ) -> Term:
        """Go on where several paths end; returns the object that they bring along.

        Args:
            ends: The paths.
            outside: The variables before a loop: its own values must be read from slots behind it.
            into: The type of the object, if it is given.
            inside: The region of a block, whose values must be read from slots behind it, too: rows that have left it
                before have none.
        """
        known = {id(part) for term in _terms(outside) for part in term.parts} if outside else None
        made = {id(one) for one in statements_of(inside) if isinstance(one, Value)} if inside else set()
        stays = known is None and not made

        def is_there(part: Value) -> bool:
            return (part.operation in _EVERYWHERE or id(part) not in made) and (known is None or id(part) in known)

        def through_slots(terms: list[Term], kind: Type) -> Term:
            one = terms[0]
            if one.type == kind and all(term is one for term in terms) and all(map(is_there, one.parts)):
                return one
            slots = [Slot(one, "either") for one in kind.kinds]
            same = [True] * len(slots)
            first: list[Value | None] = [None] * len(slots)
            values = []
            for end, term in zip(ends, terms, strict=True):
                with self.writing(end.region):
                    parts = self.converted(term, kind).parts
                values.append(parts)
                for k, part in enumerate(parts):
                    first[k] = first[k] or part
                    same[k] &= part is first[k] and is_there(part)
            for end, parts in zip(ends, values, strict=True):
                end.region += [
                    Set(slot, part) for slot, part, alike in zip(slots, parts, same, strict=True) if not alike
                ]
            parts = tuple(values[0][k] if same[k] else self.get(slot) for k, slot in enumerate(slots))
            return Term(kind, parts)

        if len(ends) == 1 and outside is None and not inside:
            self.state = ends[0].state
            return ends[0].term if into is None else self.converted(ends[0].term, into)
        return self._joined(ends, through_slots, into, stays=stays)

    def _joined(
        self,
        ends: list[End],
        join: Callable[[list[Term], Type], Term],
        into: Type | None,
        region: Region | None = None,
        stays: bool = True,
    ) -> Term:
        """The state and the object of several paths, each variable joined by `join`; in one `region` if given.

        What is the same on all paths `stays`, or is joined, too.
        """
        for number in _differing(ends):
            if _must_grow([end.state.heap[number] for end in ends]):
                for end in ends:
                    self.store_items(number, end.state, end.region if region is None else region)
        ends = _with_shared_lists(ends, self._object, self.since)
        for end, number, held in list(_missing_contents(ends)):
            with self.writing(end.region if region is None else region):
                end.state.heap[number] = tuple(map(self._nothing_like, held))
        for number in [*_differing(ends), *_differing(ends)]:  # what grows puts its items on shelves
            self._grow_alike(ends, number, region)
        states = [end.state for end in ends]
        names: Names = {}
        for name in dict.fromkeys(name for state in states for name in state.names):
            terms = self._widened([state.names.get(name, Term(UNBOUND)) for state in states])
            is_one = stays and all(term is terms[0] for term in terms)
            names[name] = terms[0] if is_one else self._join_of(terms, join, None, f"'{name}'")
        heap = Heap()
        for number, held in states[0].heap.items():
            each = [held, *[state.heap[number] for state in states[1:] if number in state.heap]]
            if len(each) == len(states):
                heap[number] = self._joined_contents(each, join, stays)
        term = self._join_of([end.term for end in ends], join, into, "the result")
        self.state = State(names, heap)
        return term

    def _grow_alike(self, ends: list[End], number: int, region: Region | None) -> None:
        """Let a container grow on all paths if it grows on one of them, or has another length on another."""
        contents = [end.state.heap[number] for end in ends]
        if all(one is contents[0] for one in contents):
            return
        roots = _shelves_of(contents)
        if roots:
            for end in ends:
                self.shelve(number, roots[0], end.state, end.region if region is None else region)
            return
        if not _must_grow(contents):
            return
        for end in ends:
            self.store_items(number, end.state, end.region if region is None else region)
        contents = [end.state.heap[number] for end in ends]
        kinds = [growing.described_by(one) for one in contents]
        for end, one in zip(ends, contents, strict=True):
            if growing.storage_in(one) is None:
                with self.writing(end.region if region is None else region):
                    end.state.heap[number] = (growing.spilled(self, one, *kinds),)

    def store_items(self, number: int, state: State, region: Region) -> None:
        """Let the containers in a container that will grow be on shelves."""
        contents = state.heap[number]
        if growing.storage_in(contents) is not None or growing.fixed_in(contents) is not None:
            return
        before, self.state = self.state, state
        with self.writing(region):
            state.heap[number] = tuple(map(self.shelves.storable, contents))
        self.state = before

    def shelve(self, number: int, root: type[Shelf], state: State, region: Region) -> None:
        """Let a container have a place on a shelf in a state."""
        before, self.state = self.state, state
        with self.writing(region):
            self.shelves.shelved(Term(Reference(number, root.of)), root)
        self.state = before

    def nothing_like(self, kind: Type) -> Term:
        """Returns an object of a type whose value is never read."""
        return Term(kind, tuple(map(self.zero, kind.kinds)))

    def _nothing_like(self, term: Term) -> Term:
        """An object for a path that has none; its value is never read, but the items of a container may be copied."""
        kind = widened(term.type)
        if isinstance(kind, Growing):
            return growing.new(self, kind, self.number(0))
        return Term(kind, tuple(map(self.zero, kind.kinds)))

    def _joined_contents(
        self, contents: list[tuple[Term, ...]], join: Callable[[list[Term], Type], Term], stays: bool
    ) -> tuple[Term, ...]:
        if stays and all(one is contents[0] for one in contents):
            return (
                contents[0]
                if self.wide.keys().isdisjoint(map(id, contents[0]))
                else tuple(map(self.widest, contents[0]))
            )
        contents, loose = _with_all_keys(contents)
        self.size.count += len(contents[0])
        joined_items = []
        for k, terms in enumerate(zip(*contents, strict=True)):
            is_one = all(term is terms[0] for term in terms)
            wide = [self.widest(terms[0])] * len(terms) if is_one else self._widened(list(terms))
            if stays and k not in loose and all(term is wide[0] for term in wide):
                joined_items.append(wide[0])
            else:
                kind = _loose_type(wide) if k in loose else None
                joined_items.append(self._join_of(wide, join, kind, "an item"))
        return tuple(joined_items)

    def _join_of(
        self, terms: list[Term], join: Callable[[list[Term], Type], Term], into: Type | None, what: str
    ) -> Term:
        """One term for several paths: their common one, or a joined one."""
        if into is None and all(term == terms[0] for term in terms) and not terms[0].parts:
            return terms[0]
        kind = into or common_type([term.type for term in terms])
        if kind is not None:
            self.shelves.meet(kind)
        else:
            growing.check_placed(self, [term.type for term in terms])
            raise Refused(f"{what} has too many types: {', '.join(str(term.type) for term in terms)}")
        return join(terms, kind)

    def _widened(self, terms: list[Term]) -> list[Term]:
        """What paths hold; if each has narrowed the same term at most, that one."""
        wide = [self.widest(term) for term in terms]
        return wide if all(term is wide[0] for term in wide) else terms

    def leave(self, target: Target, term: Term = NOTHING) -> None:
        """End this path at a target, with an object."""
        target.ends.append(End(self.region, self.state, term))
        self.live = False

    def arrive(self, target: Target, outside: State | None = None, inside: Region | None = None) -> Term:
        """Go on behind a target, whose block or loop has just been written; returns the object that paths brought."""
        around = self.region
        self.live = bool(target.ends)
        if not target.ends:
            return NOTHING
        term = self.meet(target.ends, outside, inside=inside)
        for end in target.ends:
            end.region.append(Leave(target.label))
        assert self.region is around
        return term

    def block(self, name: str, write: Callable[[Target], Term]) -> Term:
        """Write a block; returns the object of the paths that leave it, or that `write` returns at its end."""
        target = Target(name)
        statement = Block(target.label)
        around = self.region
        self.region.append(statement)
        self.region = statement.body
        term = self._written(lambda: write(target))
        if self.live:
            self.leave(target, term)
        self.region = around
        if len(target.ends) == 1 and _is_last(target.ends[0].region, statement.body):  # nothing leaves early
            (end,) = target.ends
            around.remove(statement)
            around += statement.body
            self.region = around if end.region is statement.body else end.region
            self.live, self.state = True, end.state
            return end.term
        result = self.arrive(target, inside=statement.body)
        _without_last(statement.body, target.label)
        return result

    def loop(self, name: str, carried: Iterable[str], write: Callable[[Target, Target], None]) -> None:
        """Write a loop.

        The types of its variables are those at its begin, joined with those at the end of a turn. As these depend on
        each other, the body is written again until they agree, as a rule once.

        Args:
            name: The name of the loop.
            carried: The names that a turn may change for the next one.
            write: Writes the body: it leaves its first argument for the next turn, and its second to end the loop.
        """
        before = self.state
        kinds = {name: widened(before.names.setdefault(name, Term(UNBOUND)).type) for name in carried}
        self.repeated(before, kinds, lambda kept: _Loop(self, name, before, kinds, kept, write))

    def repeated(self, before: State, kinds: dict[str, Type], make: Callable[[Kept], AnyTurn]) -> AnyTurn:
        """Write what has turns until their types agree; returns the last way to write it, which it has closed.

        Args:
            before: The variables before it.
            kinds: The types of its variables, which the turns change.
            make: Returns a way to write it, for the types of what objects hold.
        """
        region, start = self.region, (len(self.region), len(self.places))
        kept: Kept = {}
        objects = self._objects
        for _ in range(MOST_TURNS):
            self._objects = objects
            turn = make(kept)
            if turn.write():
                turn.close()
                return turn
            self.region, self.state, self.live = region, before, True
            del region[start[0] :], self.places[start[1] :]
            for number, root in turn.moved.items():
                self.shelve(number, root, before, region)
                kept = {key: one for key, one in kept.items() if key[0] != number}
            for number, kind in turn.grown.items():
                before.heap[number] = (growing.spilled(self, before.heap[number], kind),)
                kept = {key: one for key, one in kept.items() if key[0] != number}
            start = len(region), len(self.places)
        growing.check_placed(self, [*kinds.values(), *kept.values()])
        raise Refused("the types of the loop's variables change with every turn")

    def begin_attempt(self) -> Handler:
        """Catch the exceptions of what follows, up to `end_attempt`."""
        handler = Handler(Label("attempt"), Slot(INT64, "failure"), together=True)
        self.region.append(Set(handler.failure, self.number(0)))
        block = Block(handler.label)
        self.region.append(block)
        handler.around, self.region = self.region, block.body
        self.handlers.append(handler)
        return handler

    def end_attempt(self, handler: Handler) -> Value:
        """Returns the number of the place that raised since `begin_attempt`, 0 for none."""
        assert self.handlers.pop() is handler
        self.region, self.live = handler.around, True
        return self.get(handler.failure)

    def raise_(self, error: str) -> NoReturn:
        """End this path by an exception, named by its class."""
        self._write_raise(error)
        self.live = False
        raise Ended

    def _handler(self, error: str) -> Handler | Catch:
        """What catches an exception; a `try` catches none that Python does not raise."""
        return next(one for one in reversed(self.handlers) if not (isinstance(one, Catch) and error in NOT_OF_PYTHON))

    def raise_if(self, condition: Value, error: str) -> None:
        """Raise an exception if a condition holds."""
        handler = self._handler(error)
        if isinstance(handler, Handler) and handler.together:
            condition = self.emit("any", BOOL, condition)
        statement = If(condition)
        self.region.append(statement)
        with self.writing(statement.then):
            self._write_raise(error)

    def _write_raise(self, error: str) -> None:
        handler = self._handler(error)
        if isinstance(handler, Catch):
            state = State(dict(handler.names()), self.state.copy().heap)
            handler.target.ends.append(End(self.region, state, constant(error)))
            return
        self.places.append((self.place, error))
        number = self.number(len(self.places))  # before the list is read: it grows
        self.region += [Set(handler.failure, number), Leave(handler.label)]


Kept = dict[tuple[int, int], Type]
"""The types of contents of objects, by the object's number and their own."""
AnyTurn = TypeVar("AnyTurn", bound="Turn")
NOT_OF_PYTHON = BEYOND, FULL
"""What leaves a row to Python, rather than raise in it."""
MOST_TURNS = 12
CAPACITY = 64


class Turn(ABC):
    """What is written with some types of its variables, which are read from slots where it begins: a turn of a loop.

    Args:
        builder: The builder.
        before: The variables before it.
        kinds: The types of the carried names; `write` joins what it finds.
        kept: The types of the carried contents of objects, by the object's number and their own, likewise.

    Attributes:
        grown: The lists that a turn lets grow, which must do so before it.
    """

    def __init__(self, builder: Builder, before: State, kinds: dict[str, Type], kept: Kept) -> None:
        self._builder, self._before = builder, before
        self._kinds, self._kept = kinds, kept
        self._slots: dict[Any, list[Slot]] = {}
        self._ends: list[End] = []
        self._around = builder.region
        self.grown: dict[int, Growing] = {}
        self.moved: dict[int, type[Shelf]] = {}

    @abstractmethod
    def write(self) -> bool:
        """Write it; returns whether the types agree with those that it began with."""

    @abstractmethod
    def close(self) -> None:
        """Write what turns leave to each other, and go on behind them."""

    def _begin(self) -> None:
        """Set the slots that are read where it begins."""
        for name, kind in self._kinds.items():
            self._set(name, self._before.names[name], kind)
        for (number, k), kind in self._kept.items():
            self._set((number, k), self._before.heap[number][k], kind)

    def _set(self, key: Any, term: Term, kind: Type) -> None:
        self._slots[key] = [Slot(one, key if isinstance(key, str) else "item") for one in kind.kinds]
        parts = self._builder.converted(term, kind).parts
        self._builder.region += [Set(slot, part) for slot, part in zip(self._slots[key], parts, strict=True)]

    def _go_in(self) -> None:
        """Read the slots: these are the variables at its begin."""
        self._head = self._before.copy()
        for name, kind in self._kinds.items():
            self._head.names[name] = self._current(name, kind)
        self._read_kept(self._head.heap)
        self._builder.state = self._head.copy()

    def _read_kept(self, heap: Heap) -> None:
        for (number, k), kind in self._kept.items():
            contents = list(heap[number])
            contents[k] = self._current((number, k), kind)
            heap[number] = tuple(contents)

    def _current(self, key: Any, kind: Type) -> Term:
        kind = _aged(kind, self._before.heap)
        return Term(kind, tuple(map(self._builder.get, self._slots[key])))

    def _grew(self) -> bool:
        """Join the types at the ends of a turn; returns whether one of them is new."""
        grew = False
        for end in self._ends:
            self._replace_lists(end)
            for name in self._before.names:
                kind = self._kinds.get(name, self._before.names[name].type)
                after = self._builder.widest(end.state.names[name])
                changed = name in self._kinds or after != self._head.names[name]
                grew |= changed and _join_in(self._kinds, name, kind, after.type)
            for number, contents in self._before.heap.items():
                if self._moves(end, number, contents):
                    grew = True
                    continue
                self._spill(end, number, contents)
                held = tuple(map(self._builder.widest, end.state.heap[number]))
                if self._grows(end, number, contents):
                    grew = True
                    continue
                if len(held) != len(contents) or keys_of(held) != keys_of(contents):
                    self._before.heap[number] = _with_more_keys(contents, held)
                    grew = True
                    continue
                for k, item in enumerate(contents):
                    changed = (number, k) in self._kept or held[k] != self._head.heap[number][k]
                    kind = self._kept.get((number, k), item.type)
                    grew |= changed and _join_in(self._kept, (number, k), kind, held[k].type)
        return grew

    def _replace_lists(self, end: End) -> None:
        """Let a new list that a turn gives to a name be the one which the name had before; see `_replace_lists`."""
        names = {name: term for name, term in end.state.names.items() if name in self._before.names}
        end.state = State(names, Heap(end.state.heap))
        for name in self._kinds:
            kind = self._before.names[name].type
            if not isinstance(kind, Reference) or kind.number <= self._builder.since:
                continue
            if kind.of not in CONTAINERS:
                take_over_object(end, name, kind)
            elif kind != names[name].type and names[name].type.numbers[:1] > (max(self._before.heap),):
                take_over(end, name, kind)

    def _moves(self, end: End, number: int, contents: tuple[Term, ...]) -> bool:
        """Whether a turn puts a container on a shelf, which must be there before the loop, then."""
        held = end.state.heap[number]
        roots = _shelves_of([contents, held])
        if not roots or contents is held:
            return False
        if growing.moved_in(contents) is None:
            self.moved[number] = roots[0]
            return True
        self._builder.shelve(number, roots[0], end.state, end.region)
        return False

    def _spill(self, end: End, number: int, contents: tuple[Term, ...]) -> None:
        """Let a list that grows do so at the end of a turn, too, if that has replaced it by one of known length."""
        storage, held = growing.storage_in(contents), end.state.heap[number]
        if storage is not None and growing.storage_in(held) is None:
            with self._builder.writing(end.region):
                end.state.heap[number] = (growing.spilled(self._builder, held, storage.type),)

    def _grows(self, end: End, number: int, contents: tuple[Term, ...]) -> bool:
        """Whether a turn changes the length of a list, or another container, which must grow before the loop, then."""
        if growing.storage_in(contents) is not None or not _must_grow([contents, end.state.heap[number]]):
            return False
        self._builder.store_items(number, end.state, end.region)
        kinds = [self._stored(number), growing.described_by(end.state.heap[number])]
        kind = grown([*kinds, *([self.grown[number]] if number in self.grown else [])])
        if kind is None:
            raise GrowsInLoop(kinds)
        self.grown[number] = kind
        return True

    def _stored(self, number: int) -> Type:
        """The type of what a container holds before the loop, once the containers in it are on shelves."""
        state = self._before.copy()
        self._builder.store_items(number, state, [])
        return growing.described_by(state.heap[number])

    def _pairs(self, end: End) -> list[tuple[Slot, Value]]:
        """The slots with what an end sets them to."""
        pairs: list[tuple[Slot, Value]] = []
        with self._builder.writing(end.region):
            for key, slots in self._slots.items():
                term = end.state.names[key] if isinstance(key, str) else end.state.heap[key[0]][key[1]]
                term = self._builder.widest(term)
                kind = self._kinds[key] if isinstance(key, str) else self._kept[key]
                pairs += zip(slots, self._builder.converted(term, kind).parts, strict=True)
        return pairs


class _Loop(Turn):
    """A loop; `write` writes its body, see `Builder.loop`."""

    def __init__(
        self,
        builder: Builder,
        name: str,
        before: State,
        kinds: dict[str, Type],
        kept: Kept,
        write: Callable[[Target, Target], None],
    ) -> None:
        super().__init__(builder, before, kinds, kept)
        self._write = write
        self._again, self._out = Target("next"), Target(name)
        self._ends = self._again.ends
        self._loop = Loop(self._out.label)

    def write(self) -> bool:
        """Write the loop; returns whether the types agree with those that it began with."""
        builder = self._builder
        self._begin()
        builder.region.append(self._loop)
        builder.region = self._loop.body
        self._go_in()
        body = Block(self._again.label)
        builder.region.append(body)
        builder.region = body.body
        builder.depth, builder.turns = builder.depth + 1, builder.turns + 1
        self._written = len(builder.lending.written)
        with suppress(Ended):
            self._write(self._again, self._out)
        builder.depth, builder.turns = builder.depth - 1, builder.turns - 1
        if builder.live:
            builder.leave(self._again)
        builder.region = self._loop.body
        return not self._grew()

    def close(self) -> None:
        """Write what each turn leaves to the next one, and go on behind the loop."""
        builder = self._builder
        ends = [(end.region, self._pairs(end)) for end in self._ends]
        places = builder.lending.places
        for (region, _), pairs in zip(ends, carried(builder, self._loop.body, ends, places), strict=True):
            region += [
                Set(slot, part) for slot, part in pairs if not (part.operation == "get" and part.attribute is slot)
            ]
            region.append(Leave(self._again.label))
        body = self._loop.body
        block = next(one for one in body if isinstance(one, Block) and one.label is self._again.label)
        _without_last(block.body, self._again.label)
        builder.lending.check(builder.body, self._loop.body, self._written)
        builder.region = self._around
        builder.arrive(self._out, outside=self._before)


def _with_more_keys(contents: tuple[Term, ...], after: tuple[Term, ...]) -> tuple[Term, ...]:
    """The contents of a dict before a loop, with the keys that a turn adds: they are unbound."""
    (before, _), _ = _with_all_keys([contents, after])
    return before


def _join_in(kinds: dict[Any, Type], key: Any, kind: Type, other: Type) -> bool:
    """Join a type to that of a key; returns whether it is new there."""
    both = joined(widened(kind), widened(other))
    if both is None:
        raise Refused(f"in a loop, '{key}' has too many types: {kind}, {other}")
    grew = kinds.get(key) != both
    kinds[key] = both
    return grew


def _terms(state: State) -> Iterator[Term]:
    yield from state.names.values()
    for contents in state.heap.values():
        yield from contents


def _with_all_keys(contents: list[tuple[Term, ...]]) -> tuple[list[tuple[Term, ...]], set[int]]:
    """The contents of a dict or object on several paths: keys that some of them do not have are unbound there.

    Also the places of those that have no common order.
    """
    keys = [keys_of(one) for one in contents]
    if None in keys or len({*map(tuple, keys)}) == 1:  # type: ignore[arg-type]
        return contents, set()
    known = [one for one in keys if one is not None]
    every, loose = united(known)
    found = [dict(zip(each, one[1:], strict=True)) for each, one in zip(known, contents, strict=True)]
    filled = [(constant(every), *(one.get(key, Term(UNBOUND)) for key in every)) for one in found]
    return filled, {k for k, key in enumerate(every, 1) if key in loose}


def _loose_type(terms: list[Term]) -> Type | None:
    kind = common_type([term.type for term in terms])
    return loosened(kind) if kind is not None else None


def keys_of(contents: Sequence[Term]) -> Keys | None:
    """Returns the keys of a dict, or the names of an object's attributes; None for a list."""
    first = contents[0] if contents else None
    return first.value if first is not None and first.known and isinstance(first.value, Keys) else None


def _with_shared_lists(ends: list[End], new: Callable[[], int], since: int) -> list[End]:
    """The ends of paths, of which each has made a list of its own for one name: it is one list behind them.

    A list is left alone if the path has another name for it: then it matters which list it is. Lists from before the
    paths part are left alone, too, unless a function returns, and has made them: it has no names for them any more.
    """
    returned = not any(end.state.names for end in ends)
    ends = [End(end.region, end.state.copy(), end.term) for end in ends]
    if not returned and _have_one_heap(ends):
        return ends
    common = set.intersection(*[set(end.state.heap) for end in ends])
    _replace_lists(ends, common, since)
    uses = [Counter(_numbers_in([*_terms(end.state), end.term])) for end in ends]
    for name in [None, *ends[0].state.names]:
        terms = [end.term if name is None else end.state.names.get(name, Term(UNBOUND)) for end in ends]
        for path in _paths_of(terms[0].type):
            found = [_at_path(term.type, path) for term in terms]
            kinds = [kind for kind in found if isinstance(kind, Reference)]
            if len(kinds) < len(ends) or len({kind.of for kind in kinds}) > 1:
                continue
            numbers = [kind.number for kind in kinds]
            alone = all(
                count[number] == 1 and (number not in common or (returned and since < number not in others))
                for count, number, others in zip(uses, numbers, _uses_of_others(uses), strict=True)
            )
            contents = [end.state.heap[number] for end, number in zip(ends, numbers, strict=True) if alone]
            if alone and (_is_one_length(contents) or all(keys_of(one) is not None for one in contents)):
                _rename(ends, name, path, numbers, new())
    return ends


def _replace_lists(ends: list[End], common: set[int], since: int) -> None:
    """Let a new list that a path gives to a name be the list which the name has on another path.

    This is so if the running function has made that list, and the path has no other name for either.
    """
    for name, term in ends[0].state.names.items():
        terms = [end.state.names.get(name, term) for end in ends]
        kinds = {one.type for one in terms if isinstance(one.type, Reference) and one.type.number in common}
        first = kinds.pop() if len(kinds) == 1 else None
        if isinstance(first, Reference) and first.of in CONTAINERS and first.number > since:
            for end, one in zip(ends, terms, strict=True):
                held = [end.state.heap[first.number], _contents_of(end, one, first)]
                if one.type != first and (first.of is not dict or _grow(held)) and _is_one_length(held):
                    take_over(end, name, first)


def _contents_of(end: End, term: Term, like: Reference) -> tuple[Term, ...]:
    """What the heap holds for a container like another; for other objects nothing that is as long as any."""
    kind = term.type
    is_like = isinstance(kind, Reference) and kind.of is like.of and kind.number in end.state.heap
    return end.state.heap[kind.number] if is_like and isinstance(kind, Reference) else (NOTHING,) * 1000


def take_over(end: End, name: str, kind: Reference) -> None:
    """Let the list of a name be another one, if the path has no other name for it, and none for the other."""
    state, found = end.state, end.state.names[name].type
    is_like = isinstance(found, Reference) and found.of is kind.of and found.of in CONTAINERS
    if not isinstance(found, Reference) or not is_like or found.number not in state.heap:
        return
    held = [state.heap[one.number] for one in (found, kind)]
    if not _are_of_one_kind(held) or (found.of is dict and not _grow(held)):
        return
    count = Counter(_numbers_in([*_terms(state), end.term]))
    if found.number > kind.number and count[found.number] == 1 and count[kind.number] == 0:
        state.heap[kind.number] = state.heap.pop(found.number)
        state.names[name] = Term(kind)


def take_over_object(end: End, name: str, kind: Reference) -> None:
    """Let the object of a name be another one of its class, with the lists and objects in it, as `take_over` does."""
    state, found = end.state, end.state.names[name].type
    if not isinstance(found, Reference) or found == kind or found.of is not kind.of:
        return
    pairs = _parallel(state.heap, found, kind)
    if pairs is None or any(new <= max(old for _, old in pairs) for new, _ in pairs):
        return
    count = Counter(_numbers_in([*_terms(state), end.term]))
    if any(count[new] != 1 for new, _ in pairs) or any(count[old] != (k > 0) for k, (_, old) in enumerate(pairs)):
        return
    names = dict(pairs)
    for new, old in pairs:
        state.heap[old] = tuple(_renumbered(one, names) for one in state.heap.pop(new))
    state.names[name] = Term(kind)


def _parallel(heap: Heap, one: Reference, other: Reference) -> list[tuple[int, int]] | None:
    """The numbers of two objects of one structure, and of those in them; None if they differ in it."""
    if one.of is not other.of or one.number not in heap or other.number not in heap:
        return None
    a, b = heap[one.number], heap[other.number]
    if keys_of(a) != keys_of(b) or (one.of is list and not _is_one_length([a, b])):
        return None
    found = [(one.number, other.number)]
    for x, y in zip(a, b, strict=False):
        if isinstance(x.type, Reference) and isinstance(y.type, Reference):
            inner = _parallel(heap, x.type, y.type)
            if inner is None:
                return None
            found += inner
        elif x.type.numbers or y.type.numbers:
            return None
    return found


def _renumbered(term: Term, names: Mapping[int, int]) -> Term:
    kind = term.type
    if isinstance(kind, Reference) and kind.number in names:
        return Term(Reference(names[kind.number], kind.of))
    return term


def _is_one_length(contents: list[tuple[Term, ...]]) -> bool:
    """Whether lists have one known length, or one of them grows."""
    return (len({*map(len, contents)}) == 1 or _grow(contents)) and _are_of_one_kind(contents)


def _grow(contents: Iterable[tuple[Term, ...]]) -> bool:
    """Whether a container grows."""
    return any(growing.storage_in(one) is not None or growing.moved_in(one) is not None for one in contents)


def _shelves_of(contents: Iterable[tuple[Term, ...]]) -> list[type[Shelf]]:
    """The shelves on which a container is on some paths."""
    found = [moved.type for one in contents if (moved := growing.moved_in(one)) is not None]
    return list(dict.fromkeys(kind.to.root for kind in found if isinstance(kind, Moved)))


def _are_of_one_kind(contents: Iterable[tuple[Term, ...]]) -> bool:
    """Whether containers that grow have one `maxlen`, or one default, too."""
    several = list(contents)
    storages = [storage for one in several if (storage := growing.storage_in(one)) is not None]
    return (
        len(_shelves_of(contents)) <= 1
        and len({(growing.kind_of(one).of, growing.kind_of(one).more) for one in storages}) <= 1
    )


def _differing(ends: list[End]) -> list[int]:
    """The numbers of the objects that all paths have, and that do not hold the same on all."""
    first, others = ends[0].state.heap, [end.state.heap for end in ends[1:]]
    differing = [number for number, held in first.items() if not all(heap.get(number, held) is held for heap in others)]
    return [number for number in differing if all(number in heap for heap in others)]


def _have_one_heap(ends: list[End]) -> bool:
    """Whether all paths have the same objects."""
    return all(end.state.heap.keys() == ends[0].state.heap.keys() for end in ends)


def _uses_of_others(uses: list[Counter[int]]) -> list[set[int]]:
    """For each path, the numbers that other paths use."""
    return [{number for j, one in enumerate(uses) if j != k for number in one} for k in range(len(uses))]


Path = tuple[int, ...]
"""The numbers of items that lead into tuples in tuples."""


def _paths_of(kind: Type, path: Path = ()) -> Iterator[Path]:
    """Yields the paths to the lists, dicts and objects in a tuple."""
    if isinstance(kind, Reference):
        yield path
    elif isinstance(kind, Tuple):
        for k, item in enumerate(kind.items):
            yield from _paths_of(item, (*path, k))


def _at_path(kind: Type, path: Path) -> Type | None:
    for k in path:
        if not isinstance(kind, Tuple) or k >= len(kind.items):
            return None
        kind = kind.items[k]
    return kind


def _with_at(kind: Type, path: Path, other: Type) -> Type:
    if not path:
        return other
    assert isinstance(kind, Tuple)
    items = list(kind.items)
    items[path[0]] = _with_at(items[path[0]], path[1:], other)
    return Tuple(tuple(items), kind.of)


def _rename(ends: list[End], name: str | None, path: Path, numbers: list[int], to: int) -> None:
    """Give the list of a name, or that paths bring along, the same number on all paths."""
    for end, number in zip(ends, numbers, strict=True):
        term = end.term if name is None else end.state.names[name]
        before = _at_path(term.type, path)
        assert isinstance(before, Reference)
        end.state.heap[to] = end.state.heap.pop(number)
        renamed = Term(_with_at(term.type, path, Reference(to, before.of)), term.parts)
        if name is None:
            end.term = renamed
        else:
            end.state.names[name] = renamed


def _missing_contents(ends: list[End]) -> Iterator[tuple[End, int, tuple[Term, ...]]]:
    """Yields each end without an object that another path has made and that can be reached behind the paths."""
    if _have_one_heap(ends):
        return
    common = set.intersection(*[set(end.state.heap) for end in ends])
    found: dict[int, tuple[Term, ...]] = {}
    for end in ends:
        new = list(_numbers_in([*_terms(end.state), end.term]))
        while new:
            number = new.pop()
            if number not in common and number not in found and number in end.state.heap:
                found[number] = end.state.heap[number]
                new += _numbers_in(found[number])
    for number, contents in found.items():
        for end in ends:
            if number not in end.state.heap:
                yield end, number, contents


def _aged(kind: Type, heap: Heap) -> Type:
    """The type of a variable in a loop's next turn: an object that a turn has made is out of reach there."""
    match kind:
        case Reference(number=number, of=of) if number not in heap:
            return Reference(-abs(number), of)
        case Tuple(items=kinds, of=of):
            return Tuple(tuple(_aged(one, heap) for one in kinds), of)
        case Either(options=kinds):
            return Either(tuple(_aged(one, heap) for one in kinds))
        case Text(template=template, items=kinds):
            return Text(template, tuple(_aged(one, heap) for one in kinds))
        case Iterated(by=by, sources=kinds):
            return Iterated(by, tuple(_aged(one, heap) for one in kinds))
        case Method(receiver=receiver, function=function):
            return Method(_aged(receiver, heap), function)
        case Super(receiver=receiver, after=after):
            return Super(_aged(receiver, heap), after)
    return kind


def _must_grow(contents: list[tuple[Term, ...]]) -> bool:
    """Whether what paths hold for one object has nothing in common but a storage."""
    if any(growing.storage_in(one) is not None for one in contents):
        return True
    if any(growing.fixed_in(one) is not None for one in contents):
        return any(one[0] != contents[0][0] for one in contents)
    keys = [keys_of(one) for one in contents]
    if all(one is None for one in keys):
        return len({*map(len, contents)}) > 1
    differing = {key for one in keys for key in one or () if any(key not in (other or ()) for other in keys)}
    return any(not isinstance(key, str) for key in differing)  # texts are fields, as in an info


def _numbers_in(terms: Iterable[Term]) -> Iterator[int]:
    """Yields the numbers of the objects that terms are, or hold."""
    for term in terms:
        yield from term.type.numbers


def common_type(types: list[Type]) -> Type | None:
    """Returns the type of a variable that has one of these types on each path; None if they are too many."""
    return reduce(lambda a, b: joined(a, b) if a else None, types[1:], types[0])  # type: ignore[arg-type,return-value]


def _option_of(kind: Type, either: Either) -> int:
    for k, option in enumerate(either.options):
        if option == kind:
            return k
    for k, option in enumerate(either.options):
        both = joined(option, kind)
        if both == option:
            return k
    raise AssertionError(f"{kind} is no option of {either}")


_FEW = 12  # operations that are computed on both sides rather than jumped over
_COSTLY = EFFECTS | {"any", "div", "rem", "load", "call", "load_shared"}


_EVERYWHERE = frozenset(("constant", "table", "parameter"))


def _is_last(region: Region, body: Region) -> bool:
    """Whether a region is the end of another: itself, or a side of the condition that the other ends with."""
    if region is body:
        return True
    last = body[-1] if body else None
    return isinstance(last, If) and (_is_last(region, last.then) or _is_last(region, last.otherwise))


def _is_cheap(region: Region) -> bool:
    """Whether a region only computes a few numbers, which can neither fail nor be seen."""
    values = [one for one in region if isinstance(one, Value)]
    few = len(values) == len(region) and sum(value.operation not in ("constant", "get") for value in values) <= _FEW
    return few and not any(_is_costly(value) for value in values)


def _is_costly(value: Value) -> bool:
    if value.operation == "div":
        return value.dtype.kind != "f"
    return value.operation in _COSTLY


def _without_last(region: Region, label: Label) -> None:
    """Drop the `Leave`s of a label that end its block anyway."""
    while region:
        match region[-1]:
            case Leave(label=left) if left is label:
                region.pop()
                continue
            case If(then=then, otherwise=otherwise):
                _without_last(then, label)
                _without_last(otherwise, label)
        return
