"""The programs of an environment's `reset` and `step`: the state of the columns in, what they return and leave out.

The front end writes each method twice. First alone, to find the types of what it leaves and returns: these make the
plan of the batch. Then within the frame, with the columns of that plan.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces.box import Box
from palaestra.language.frontend.attributes import attribute
from palaestra.language.frontend.building import CAPACITY
from palaestra.language.frontend.calling import call
from palaestra.language.frontend.collecting import Collector
from palaestra.language.frontend.entry import program_of
from palaestra.language.frontend.hidden import HIDDEN, SEEDED
from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.keeping import (
    Field,
    Loaded,
    Loader,
    described,
    fields_of,
    kept,
    most_room,
    narrowed,
    settle,
    shelve_as,
    written_rooms,
)
from palaestra.language.frontend.objects import held_by, is_of_objects, set_attribute_of
from palaestra.language.frontend.refusals import CannotCompile, Refusal, Refused
from palaestra.language.frontend.size import Size
from palaestra.language.operations.arrays import as_known
from palaestra.language.operations.table import built
from palaestra.language.program import ADDRESS, FULL, INT64, If, Kind, Place, Program, Set, Value, statements_of
from palaestra.language.source import source_of
from palaestra.language.types import (
    Array,
    Bounded,
    Column,
    Contents,
    Either,
    Former,
    Reference,
    Seed,
    Stream,
    Term,
    Tuple,
    Type,
    constant,
    tuple_of,
)
from palaestra.runner.classes import derived  # noqa: F401  (which adds entries)
from palaestra.runner.classes.actions import action_term
from palaestra.runner.classes.methods import begun, stepped
from palaestra.runner.classes.model import Model
from palaestra.runner.classes.results import Pairs, Report, finals, form_of, observed, reported
from palaestra.runner.classes.sharing import Bytes, Sharing, contents_of, lent_of, outer, shared_of
from palaestra.runner.frame.fitting import fitted_to
from palaestra.runner.kernels.columns import Leaf
from palaestra.runner.kernels.forms import InfoForm

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

RESET, STEP = "reset", "step"
COUNTS = {RESET: 2, STEP: 5}


class Returned(NamedTuple):
    """What a method returns, taken apart."""

    whole: Term
    observation: Pairs
    rest: tuple[Term, ...]  # reward, terminated, truncated
    info: Report


@dataclass
class Typed:
    """What is known of a method after it was written alone.

    Attributes:
        kind: What the environment holds after it.
        observation: The parts of an observation.
        info: The values of the info.
        numpy: The keys of NumPy's numbers among them.
        forms: The infos that are other objects.
        form: The Python types of an observation.
        draws: Whether it draws.
        seeds: Whether it seeds the environment.
        looked: The attributes that it reads, constants included.
        read: The attributes whose values at its begin it reads.
        written: The attributes whose lists, dicts, arrays or objects it changes.
        shared: Pairs of attributes that hold one of these at its end.
        outer: The attributes that hold one then that is not the environment's own: it belongs to the class, say.
        lent: The attributes whose arrays it returns as observations.
        grows: Whether it may have no room for the items of a list.
    """

    kind: Type
    observation: list[Leaf] = field(default_factory=list)
    info: list[Leaf] = field(default_factory=list)
    numpy: frozenset[str] = frozenset()
    forms: tuple[InfoForm, ...] = ()
    form: Any = None
    draws: bool = False
    seeds: bool = False
    looked: set[str] = field(default_factory=set)
    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    shared: set[tuple[str, str]] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)
    lent: set[str] = field(default_factory=set)
    grows: bool = False


def _always_raises(name: str, program: Program) -> CannotCompile:
    place, error = program.places[-1]
    where = place or Place("", 0, name)
    reason = f"this raises {error} in machine code, whatever the state is"
    return CannotCompile([Refusal(where, linecache.getline(where.file, where.line).strip(), reason, "")])


class Methods:
    """The methods of an environment, as programs.

    Args:
        model: The environment's attributes.
        keeps_final: Whether final observations are kept in the type that the environment returns.

    Attributes:
        columns: What the columns of the state hold.
        later: What they hold after a reset or a step.
        given: The types of the constants that the batch passes, by name.
        empty_options: Whether a reset gets an empty dict of options, as one of some environments does, and not None.
        room: The room of lists that grow while a method runs.
        texts: The texts of observations, with their numbers in columns.
    """

    def __init__(self, model: Model, keeps_final: bool) -> None:
        self.model, self.keeps_final = model, keeps_final
        self.columns: Contents = model.first
        self.later: Contents = model.later
        self.given: dict[str, Type] = {}
        self.empty_options = False
        self.room = CAPACITY
        self.texts: dict[str, int] = {}
        self._size = Size()
        self._collector: Collector | None = None

    def alone(self, name: str, kind: Contents) -> tuple[Program, Typed]:
        """Write a method alone.

        Args:
            name: Its name.
            kind: What the environment holds before it.

        Raises:
            palaestra.language.frontend.refusals.CannotCompile: If the language does not take it.
            palaestra.language.frontend.building.Opened: If it writes into a constant.
            palaestra.language.frontend.pools.Widened: If objects in pools hold other types.
        """
        found: list[Typed] = []
        fields = list(fields_of(kind, ""))

        def write(front: FrontEnd, values: dict[str, Value]) -> Value:
            front.size = self._size
            row = values["row"]
            terms = [_item(front, one, values[f"field{k}"], row) for k, one in enumerate(fields)]
            stream = Term(Stream(), (values["stream"],))
            action = action_term(front, self.model.env.action_space, values["action"]) if name == STEP else None
            given = [_item(front, field_of(one), values[f"given{k}"], row) for k, one in enumerate(self.given.values())]
            loaded, term = self._called(front, name, terms, kind, stream, action, given)
            found.append(self._found(front, name, loaded, term))
            return front.number(0)

        parameters: dict[str, Kind] = {f"field{k}": ADDRESS for k in range(len(fields))}
        parameters |= {f"given{k}": ADDRESS for k in range(len(self.given))}
        parameters |= {"stream": ADDRESS, "action": ADDRESS, "row": INT64}
        program = program_of(self._title(name), parameters, write, row="row", widens=True)
        if not found:
            raise _always_raises(name, program)
        found[0].grows = any(error == FULL for _, error in program.places)
        return program, found[0]

    def text(self, code: int) -> str:
        """Returns the text of a number of an observation."""
        return [*self.texts][int(code)]

    def _title(self, name: str) -> str:
        return f"{self.model.kind.__name__}.{name}"

    def _called(
        self,
        front: FrontEnd,
        name: str,
        fields: list[Term],
        kind: Contents,
        stream: Term,
        action: Term | None,
        given: list[Term],
    ) -> tuple[Loaded, Term]:
        """What is read before a method, and what it returns."""
        front.capacity = max(self.room, most_room(self.columns))
        constants = dict(zip(self.given, given, strict=True))
        former = Term(Former()) if name == RESET else stream
        loader = Loader(front, fields, self.model.env, stream, former, constants, self.model.in_place)
        held = narrowed(self.columns, kind)
        assert isinstance(held, Contents)
        loaded = loader.load(self.columns, held)
        front.texts, front.shelves.merged = self.texts, self.model.merged
        front.taken, front.can_place = set(), is_of_objects
        self._collector = Collector(front, loaded.term) if front.pools else None
        front.owned, front.stream, front.resets = self.model.owned, stream, name == RESET
        front.draws, front.entered = False, (front.depth, len(front.activations))
        self._hide(front, name, loaded.term)
        self._check_own(name)
        method = attribute(front, loaded.term, name)
        if action is not None:
            return loaded, call(front, method, [action], {})
        taken = inspect.signature(getattr(type(self.model.env), name)).parameters
        any_named = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in taken.values())
        options = front.operate(dict) if self.empty_options else constant(None)
        named = {"seed": Term(Seed()), "options": options}
        return loaded, call(front, method, [], {key: one for key, one in named.items() if key in taken or any_named})

    def _hide(self, front: FrontEnd, name: str, env: Term) -> None:
        """Let the program use what the environment has of its own; only one reset has its seed."""
        held = held_by(front, env)
        front.hidden, front.drawn = {key: held[key] for key in HIDDEN if key in held}, set()
        if name == RESET and SEEDED in held:
            set_attribute_of(front, env, SEEDED, constant(False))

    def _check_own(self, name: str) -> None:
        if name in vars(self.model.env):
            raise Refused(f"self.{name} is assigned, in the place of the method of the class", "define it in the class")
        if getattr(type(self.model.env), name) is getattr(Env, name):
            raise Refused(f"{self.model.kind.__name__} has no method `{name}` of its own", "define it in the class")

    def _returned(self, front: FrontEnd, name: str, term: Term) -> Returned:
        items = None if isinstance(term.type, Either) else items_of(front, term)
        if items is None or len(items) != COUNTS[name]:
            names = "observation, info" if name == RESET else "observation, reward, terminated, truncated, info"
            raise Refused(f"{name} returns {term.type}", f"return {names}, of the same types on each path")
        observation, *middle, info = items
        space = self.model.env.observation_space
        if isinstance(space, Box):
            observation = front.split(observation, lambda one: as_known(front, one, space.shape))
        pairs, report = observed(front, space, observation), reported(front, info)
        if middle and self.keeps_final:
            report = Report([*report.pairs, *finals(pairs, front, len(report.pairs))], *report[1:])
        if not middle:
            return Returned(observation, pairs, (), report)
        reward = front.split(middle[0], lambda one: _reward(front, one))
        flags = [front.materialized(front.operate(bool, one)) for one in middle[1:]]
        return Returned(observation, pairs, (reward, *flags), report)

    def _end_of(self, name: str) -> tuple[Place, str]:
        """The place of a method's first `return`, and its text."""
        source = source_of(getattr(self.model.kind, name))
        returns = [node for node in ast.walk(source.definition) if isinstance(node, ast.Return)]
        node = returns[0] if returns else source.definition
        return Place(source.file, node.lineno, source.name), linecache.getline(source.file, node.lineno).strip()

    def _found(self, front: FrontEnd, name: str, loaded: Loaded, term: Term) -> Typed:
        try:
            returned = self._returned(front, name, term)
        except Refused as refused:
            refused.locate(*self._end_of(name))
            raise
        shelve_as(front, self.model.later, loaded.term)
        typed = Typed(described(front, loaded.term), draws=front.draws, seeds=front.is_seeded)
        typed.observation = [leaf for leaf, _ in returned.observation]
        typed.info, (typed.numpy, typed.forms) = [leaf for leaf, _ in returned.info.pairs], returned.info[1:]
        if name == STEP and self.keeps_final:
            seen = described(front, returned.whole)
            typed.form = form_of(self.model.env.observation_space, seen, count(), self.text)
        front.lending.check(front.body)
        typed.read = _read(front, loaded)
        paths = {number: f"{name}." if name else "" for number, name in loaded.objects.items()}
        typed.looked = {f"{paths[number]}{name}" for number, name in front.looked if number in paths}
        rooms = written_rooms(front, loaded, front.body)
        typed.written = {loaded.names[loaded.rooms[room].field] for room in rooms}
        typed.written |= {loaded.objects[number] for number in front.changed if loaded.objects.get(number)}
        sharing = Sharing(front)
        pieces = list(sharing.pieces(loaded.term))
        typed.shared, typed.outer = shared_of(pieces) | lent_of(front, pieces), outer(pieces, self._own_pieces(front))
        lent = {one for _, part in returned.observation for one in sharing.parts(part)}
        roots = {one.root for one in lent if isinstance(one, Bytes)}
        typed.lent = {loaded.names[room.field] for address, room in loaded.rooms.items() if address in roots}
        return typed

    def _own_pieces(self, front: FrontEnd) -> list[Any]:
        """The lists, dicts and arrays among the constants that are the environment's own, or made by the program."""
        values = {id(value): value for value in (*self.model.owned.values(), *front.fresh)}
        return [piece for value in values.values() for piece in contents_of(value)]

    def write(
        self, front: FrontEnd, name: str, fields: list[Term], stream: Term, action: Term | None, given: list[Term]
    ) -> tuple[list[Term], Returned]:
        """Write a method within the frame; returns the fields of the state, None for those unchanged, and the rest."""
        kind = self.columns if name == RESET else self.later
        loaded, term = self._called(front, name, fields, kind, stream, action, given)
        returned = self._returned(front, name, term)
        shelve_as(front, self.columns, loaded.term)
        written = written_rooms(front, loaded, front.body)
        if self._collector is not None:
            self._collector.close()
        changed = kept(front, self.columns, loaded.term, loaded, written)
        settle(loaded, written)
        return [one or constant(None) for one in changed], returned


def _reward(front: FrontEnd, term: Term) -> Term:
    try:
        return fitted_to(front, Column(np.dtype(np.float64)), term)
    except Refused:
        raise Refused(f"the reward is {term.type}", "return a number: float(...)") from None


def field_of(kind: Type) -> Field:
    """Returns the field of a number or an array."""
    (one,) = fields_of(kind, "given")
    return one


def _item(front: FrontEnd, one: Field, address: Value, row: Value) -> Term:
    column = Term(Column(one.dtype, one.shape, numpy=one.is_numpy), (address,))
    return front.operate(operator.getitem, column, Term(_INT, (row,)))


_INT = Column(INT64).item


def _read(front: FrontEnd, loaded: Loaded) -> set[str]:
    """The attributes whose values at the begin are used, or held at the end."""
    used: set[Value] = set()
    copies = {one for room in loaded.rooms.values() for one in (room.copy, *room.copy.arguments[2:])}  # and their sizes
    for statement in statements_of(front.body):
        match statement:
            case Value() if statement not in copies:
                used.update(statement.arguments)
            case Set(value=value) | If(condition=value):
                used.add(value)
    used.update(part for one in _terms_in(front, loaded.term) for part in one.parts)
    places = {loaded.rooms[room].field for room in loaded.rooms if room in used}
    places |= {k for k, term in enumerate(loaded.fields) if not isinstance(term.type, Array) and term.part in used}
    return {loaded.names[k] for k in places if k in loaded.names}


def _terms_in(front: FrontEnd, term: Term) -> Iterator[Term]:
    """Yields what an object holds, and what is in that."""
    if isinstance(term.type, Reference):
        for one in front.state.heap[term.type.number]:
            yield one
            if isinstance(one.type, Reference) and one.type.number > term.type.number:
                yield from _terms_in(front, one)


# In the frame.


@built(stepped, folds=False)
def _stepped(
    front: FrontEnd, methods: Term, state: Term, action: Term, rng: Term, params: Term, columns: Term, infos: Term
) -> Term:
    own: Methods = methods.value
    taken = action_term(front, own.model.env.action_space, action)
    fields, returned = own.write(front, STEP, _fields(front, state), rng, taken, _given(front, params))
    parts = _fitted(front, columns, returned.observation)
    values = _fitted(front, infos, returned.info.pairs)
    return _together(tuple_of(fields), tuple_of(parts), tuple_of(values), *returned.rest)


@built(begun, folds=False)
def _begun(front: FrontEnd, methods: Term, state: Term, rng: Term, params: Term, columns: Term, infos: Term) -> Term:
    own: Methods = methods.value
    fields, returned = own.write(front, RESET, _fields(front, state), rng, None, _given(front, params))
    parts = _fitted(front, columns, returned.observation)
    return _together(tuple_of(fields), tuple_of(parts), tuple_of(_fitted(front, infos, returned.info.pairs)))


def _given(front: FrontEnd, params: Term) -> list[Term]:
    """The constants that the batch passes; each is a term of its own."""
    return [] if params == constant(None) else [Term(one.type, one.parts) for one in params.items()]


def _together(*terms: Term) -> Term:
    return Term(Tuple(tuple(term.type for term in terms)), tuple(part for term in terms for part in term.parts))


def _fields(front: FrontEnd, state: Term) -> list[Term]:
    return items_of(front, state) or []


def _fitted(front: FrontEnd, columns: Term, pairs: Pairs) -> list[Term]:
    kinds = [one.type for one in items_of(front, columns) or []]
    if len(kinds) != len(pairs):  # an attribute is constant in the episodes, and another before the first one
        raise Refused("whether there is an info depends on an attribute that each reset sets alike", "report it always")
    return [front.split(term, _fitting(front, kind)) for (_, term), kind in zip(pairs, kinds, strict=True)]


def _fitting(front: FrontEnd, kind: Type) -> Callable[[Term], Term]:
    """Fits values to a column; the items of a list in an info are written as far as there are any."""
    return lambda one: one if isinstance(one.type, Bounded) else fitted_to(front, kind, one)
