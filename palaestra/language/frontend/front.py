"""The front end itself: a builder that knows the table of operations and walks syntax trees."""

from __future__ import annotations

import ast
import inspect
import itertools
import linecache
import math
import operator
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from types import FunctionType, GetSetDescriptorType
from typing import Any

import numpy as np

from gymnasium._extensions import is_own_file
from palaestra.language.frontend.binding import (
    LISTED,
    Generator,
    LocalFunction,
    Partial,
    bound,
    check_read_at_once,
    generator_in,
)
from palaestra.language.frontend.building import (
    NOTHING,
    Builder,
    Catch,
    End,
    Ended,
    GrowsInLoop,
    Mark,
    Missing,
    Names,
    State,
    Target,
)
from palaestra.language.frontend.consumers import Consumer, kept_behind
from palaestra.language.frontend.forms import form_of
from palaestra.language.frontend.groups import each_class, is_of_several
from palaestra.language.frontend.growing import check_placed, storage_of
from palaestra.language.frontend.passing import joined
from palaestra.language.frontend.records import check_record
from palaestra.language.frontend.recursion import (
    Called,
    Endless,
    Given,
    Recursion,
    check_end,
    given_of,
    recursion,
)
from palaestra.language.frontend.refusals import (
    UNKNOWN,
    Follows,
    NeedsConstant,
    Refusal,
    Refused,
    check_kept,
    is_unknown,
)
from palaestra.language.operations.table import REFUSED, Entry, entry_of
from palaestra.language.program import BEYOND, INT64, Place, Value
from palaestra.language.source import NoSource, Source, assigned_in, source_of
from palaestra.language.types import (
    CONTAINERS,
    DICTS,
    MOST_OPTIONS,
    SETS,
    UNBOUND,
    Array,
    Bounded,
    Chosen,
    Constant,
    Either,
    Iterated,
    Number,
    Placed,
    Reference,
    Seed,
    Term,
    Tuple,
    Type,
    constant,
    unwrapped,
)

_OF_OURS = re.compile(r"(^|[ (\[])\.[a-z]")
Handler = Callable[["FrontEnd", Any], Any]
EXPRESSIONS: dict[type[ast.AST], Handler] = {}
"""Maps each form of an expression to what translates it: a function of the front end and the node, to a term."""
STATEMENTS: dict[type[ast.AST], Handler] = {}
"""Maps each form of a statement to what translates it."""

SEE_PAGE = "the page 'What compiles' lists what is"
OF_CHOSEN = "chosen", "operation"
"""The entry that computes an operation for each of the objects that an argument may be; `NotImplemented` if not."""
OF_OBJECTS = "object", "operator"
"""The entry that does what an object's class does for an operator, by its name; `NotImplemented` if that is nothing."""
OF_METHODS = "object", "method"
"""The entry that calls a special method of an object's class; `NotImplemented` if there is none."""


@dataclass
class Activation:
    """A call of a function that is being translated.

    Attributes:
        source: The function.
        returns: Where its `return`s lead.
        given: What it is called with.
        loops: For each loop around, where `continue` and `break` lead.
        outer: The names of the function in which this one is defined, if that is running too.
        names: The names when it last called or defined a function; None once it has returned.
        functions: The functions that it defines, by definition and defaults if these are constants: each is one
            object, however often a loop is written.
        unordered: Whether it gives the same in whatever order its loops read the items of sets.
        consumer: The loop that runs over what it yields.
    """

    source: Source
    returns: Target
    given: Given
    loops: list[tuple[Target, Target]] = field(default_factory=list)
    outer: Callable[[str], Term | None] = lambda name: None
    names: Names | None = None
    functions: dict[tuple[ast.AST, tuple[Type, ...]], Any] = field(default_factory=dict)
    unordered: bool = False
    consumer: Consumer | None = None


class FrontEnd(Builder):
    """Translates functions.

    Attributes:
        refusals: What the language does not take, of all that was translated so far.
        activations: The calls around, the innermost last.
        narrows: Whether a number of 64 bits met one of fewer.
        fresh: The lists and arrays that Python has computed.
        is_loose: Whether a state keeps a number of NumPy where it is read as one of Python, or the other way round.
        sizes: The ints that programs are written for if they decide a shape: for a value its name, and the int.
        decisive: The names of those that do.
        counted: How many loops around may be unrolled instead, if something in them must be known.
        unrolls_none: Whether none of these can be.
        sets_read: How many loops have run over sets of unknown order.
        loaded: The number of the last object that was read from columns.
        own_calls: How many functions of those who use the language were called.
        ran_out: Whether the last attempt failed because a list had no room; None if none can.
        stream: The environment's random stream, in a method of an environment.
        resets: Whether this is the reset of an environment.
        entered: The branches and loops, and the calls, around that method.
        stand_ins: Maps what is called to the function that is called instead.
        is_seeded: Whether that has called `super().reset(seed=seed)`.
        errors: The classes of exceptions that were raised, by their names.
        caught: The exceptions that are handled around: the names that they have there, and those of their classes.
        hidden: What an environment has of its own beside its attributes, by the names of `hidden`.
        texts: The texts that an environment returns, with numbers that stand for them.
        sentinels: What the calls of `object()` return.
        comparing: The classes of the objects whose fields are being compared.
        read_only: The addresses of views that NumPy makes read-only.
        generating: The number of loops over generators around.
        cached: The types of the arguments of functions with a cache.
        drawn: Those of its generators that have drawn.
        endless: The functions that call themselves without an end that is known.
        nested: The functions that have called themselves.
        recursions: Those without a known end that are being written as routines, the innermost last.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refusals: list[Refusal] = []
        self.activations: list[Activation] = []
        self.narrows = self.is_loose = False
        self.fresh: list[Any] = []
        self.sizes: dict[Value, tuple[str, int]] = {}
        self.decisive: set[str] = set()
        self.counted = 0
        self.unrolls_none = False
        self.sets_read = self.own_calls = self.loaded = 0
        self.ran_out: Value | None = None
        self.stand_ins: Mapping[Any, Any] = {}
        self.stream: Term | None = None
        self.resets = self.is_seeded = False
        self.errors: dict[str, type[BaseException]] = {}
        self.caught: list[tuple[str | None, str]] = []
        self.hidden: Mapping[str, Term] | None = None
        self.drawn: set[str] = set()
        self.entered = 0, 0
        self.endless: set[ast.AST] = set()
        self.nested: set[object] = set()
        self.recursions: list[Recursion] = []
        self.texts: dict[str, int] = {}
        self.sentinels: list[object] = []
        self.comparing: list[type] = []
        self.generating = 0
        self.read_only: set[Value] = set()
        self.cached: dict[object, tuple[Type, ...]] = {}

    # Syntax.

    def expression(self, node: ast.expr) -> Term:
        """Returns the object of an expression."""
        handler = EXPRESSIONS.get(type(node))
        try:
            term: Term = handler(self, node) if handler else _refuse_form(self, node)
            return _made(term)
        except Refused as refused:
            self._locate(refused, node)
            raise

    def begun(self, term: Term) -> Term:
        """Returns an object; for one of a user's class, what its `__iter__` returns."""
        return self.split(term, lambda one: self.operate(iter, one)) if _is_object(term) else term

    def run_over(self, term: Term) -> Term:
        """Returns what `begun` returns; for a generator, the list of its items."""
        begun = self.begun(term)
        return self.operate(LISTED, begun) if generator_in(begun) else begun

    def argument(self, node: ast.expr) -> Term:
        """Returns the object of an argument; it may be unknown, since the call itself may be refused, too."""
        region, state, handlers = self.region, self.state, len(self.handlers)
        try:
            return self.expression(node)
        except Follows:
            if not self.refusals:
                raise
            self.region, self.state = region, state
            del self.handlers[handlers:]
            return Term(UNKNOWN)

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        """Translate statements, up to the first that is followed by none."""
        for node in joined(nodes, self.activations[-1].source.definition):
            if not self.live:
                return
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        source = self.activations[-1].source
        before, self.place = self.place, Place(source.file, node.lineno, source.name)
        region, state, handlers, depth = self.region, self.state, len(self.handlers), self.depth
        try:
            handler = STATEMENTS.get(type(node)) or _refuse_form
            with self.size.statement(self.place) if not _is_library(source) else nullcontext():
                handler(self, node)
        except Refused as refused:
            self._locate(refused, node)
            if _is_library(source) or (isinstance(refused, NeedsConstant) and self.counted):
                raise
            if isinstance(refused, Missing):
                self.unplaced(refused.number)
            self.refuse(refused)
            self.region, self.state, self.live, self.depth = region, state, True, depth
            del self.handlers[handlers:]
            self._skip(node)
        finally:
            self.place = before

    def _locate(self, refused: Refused, node: ast.expr | ast.stmt) -> None:
        source = self.activations[-1].source
        if not _is_library(source) and hasattr(node, "lineno"):  # a node of ours has none
            text = ast.unparse(node)
            if _OF_OURS.search(text):  # a name of what a comprehension is rewritten to
                text = linecache.getline(source.file, node.lineno).strip()
            refused.locate(Place(source.file, node.lineno, source.name), text)

    def mark(self) -> Mark:
        """Returns this place, see `reset`."""
        loops = [target for one in self.activations for loop in one.loops for target in loop]
        catches = [one.target for one in self.handlers if isinstance(one, Catch)]
        targets = [*(one.returns for one in self.activations), *loops, *catches]
        ends = [(target, len(target.ends)) for target in targets]
        length, places, refusals = len(self.region), len(self.places), len(self.refusals)
        return Mark(self.region, length, places, self.state.copy(), self.depth, len(self.handlers), ends, refusals)

    def reset(self, mark: Mark) -> None:
        """Forget what was written behind a place."""
        self.region, self.state, self.live, self.depth = mark.region, mark.state.copy(), True, mark.depth
        del self.region[mark.length :], self.places[mark.places :], self.refusals[mark.refusals :]
        del self.handlers[mark.handlers :]
        for target, count in mark.ends:
            del target.ends[count:]

    def refuse(self, refused: Refused) -> None:
        """Record a refusal, unless it may follow from another one.

        Raises:
            Unplaced: If objects of a class must have places in a pool.
        """
        if isinstance(refused, GrowsInLoop):
            check_placed(self, refused.kinds)
        if isinstance(refused, Follows) and self.refusals:
            return
        place = refused.place or self.place or Place("", 0, "")
        refusal = Refusal(place, refused.expression or place.function, refused.reason, refused.remedy)
        if refusal not in self.refusals:
            self.refusals.append(refusal)

    def _skip(self, node: ast.stmt) -> None:
        """Go on behind a refused statement: what it would have made or changed is unknown."""
        names, returns = self.state.names, self.activations[-1].returns
        for name in _changed_in(node):
            kind = names[name].type if name in names else UNKNOWN
            if isinstance(kind, Reference):
                self.state.heap.pop(kind.number, None)
        names.update(dict.fromkeys(assigned_in([node]), Term(UNKNOWN)))
        if isinstance(node, ast.Return):
            self.leave(returns, Term(UNKNOWN))
        elif any(isinstance(one, (ast.Return, ast.Yield, ast.YieldFrom)) for one in ast.walk(node)):
            returns.ends.append(End(self.region, self.state.copy(), Term(UNKNOWN)))

    # Operations.

    def operate(self, key: Any, /, *terms: Term, **named: Term) -> Term:
        """Returns what an operation of the table gives.

        Raises:
            Refused: If the table has none, or has it not for these types.
        """
        entry = entry_of(key)
        if entry is None:
            raise Refused(f"{_name_of(key)} is not in the language", SEE_PAGE)
        if entry.note != REFUSED or entry.folds:
            list(map(_made, (*terms, *named.values())))
        return self._entered(entry, terms, named)

    def _entered(self, entry: Entry, terms: tuple[Term, ...], named: Mapping[str, Term]) -> Term:
        if not entry.takes_seed:
            terms = tuple(map(self.without_seed, terms))
            named = {name: self.without_seed(term) for name, term in named.items()}
        if entry.called in _READ_ALL:
            terms = tuple(map(self.begun if named else self.run_over, terms))
        elif entry.called in _STOPPING:
            terms = tuple(map(self.begun, terms))
            generator = generator_in(terms[0]) if entry.called is enumerate and terms else None
            if generator:
                start = terms[1] if terms[1:] else named.get("start", constant(0))
                return constant(Generator(generator.source, generator.names, start))
            list(map(check_read_at_once, terms))
        if entry.folds and all(map(_is_foldable, (*terms, *named.values()))):
            return self._folded(entry, terms, named)
        if entry.called in _METHODS and terms and _is_object(terms[0]):
            answer = self.operate(OF_METHODS, constant(_METHODS[entry.called]), *terms)
            if not (answer.known and answer.value is NotImplemented):
                return answer
        if entry.called in _OPERATORS:
            name = _OPERATORS[entry.called]
            terms = tuple(unwrapped(term, name) for term in terms)
            found = self._operated(entry.called.__name__.strip("_"), terms)
            found = found or self._operated(name, terms)
            if found is not None:
                return found
        several = None if entry.takes_options else _first_of_several(terms[: self._searched(terms)], named)
        if several is not None:
            return self._each_entered(entry, terms, named, several)
        found = self._of_chosen(entry, terms, named)
        return self._built(entry, terms, named) if found is None else found

    def _built(self, entry: Entry, terms: tuple[Term, ...], named: Mapping[str, Term]) -> Term:
        for term in terms:
            if isinstance(term.type, Tuple):
                check_record(term.type.of)
            if isinstance(term.type, Iterated) and not _may_take(entry.called, term.type.by):
                raise Refused(f"{term.type} is more than run over", "make a list of its items: list(...)")
        self.narrows = self.narrows or _is_narrowing(entry.called, [*terms, *named.values()])
        if entry.function is not None:
            return self.call_function(entry.function, terms, named)
        assert entry.build is not None
        try:
            return entry.build(self, *terms, **named)
        except TypeError:
            if _fits(entry.build, (self, *terms), named):
                raise
            raise Refused(f"{_name_of(entry.called)} is not in the language with these arguments") from None

    def _of_chosen(self, entry: Entry, terms: tuple[Term, ...], named: Mapping[str, Term]) -> Term | None:
        """An operation of one of some objects that exist already; None for others."""
        pairs: list[tuple[int | str, Term]] = [*enumerate(terms), *named.items()]
        chosen = [(key, term) for key, term in pairs if isinstance(term.type, Chosen)]
        is_long = entry.called in _FINDING and len(terms) > 1 and _is_long(terms[0]) and not terms[1].known
        if entry.called == OF_CHOSEN or not (chosen or is_long):
            return None
        found = self.operate(OF_CHOSEN, constant(entry), *terms, **named)
        if not (found.known and found.value is NotImplemented):
            return found
        if not chosen:
            return None
        mark = self.mark()
        try:
            return self._built(entry, terms, named)
        except Refused:
            self.reset(mark)
        key, term = chosen[0]
        assert isinstance(term.type, Chosen)
        if len(term.type.options) > MOST_OPTIONS:
            raise Refused(f"{_name_of(entry.called)} of {term.type} is not in the language", "write it with numbers")
        opened = Term(Either(tuple(map(Constant, term.type.options))), (term.part,))
        if isinstance(key, str):
            return self._each_entered(entry, terms, {**named, key: opened}, key)
        return self._each_entered(entry, (*terms[:key], opened, *terms[key + 1 :]), named, key)

    def _searched(self, terms: Sequence[Term]) -> int | None:
        """The number of the arguments before a key, say, that is searched in a container as it is; None if none is."""
        kind = terms[0].type if terms else None
        is_one = isinstance(kind, Reference | Placed) and kind.of in (*DICTS, *SETS)
        return 1 if is_one and storage_of(self, terms[0]) is not None else None

    def _operated(self, name: str, terms: tuple[Term, ...]) -> Term | None:
        """What the class of an object does for an operator; None for other operands."""
        if len(terms) != 2 or any(isinstance(term.type, Either) for term in terms):
            return None
        one, other = terms
        if not _is_object(one) and _is_object(other) and one.known:
            one, other, name = other, one, _SWAPPED.get(name, "")
        if not (name and _is_object(one)):
            return None
        answer = self.operate(OF_OBJECTS, constant(name), one, other)
        return None if answer.known and answer.value is NotImplemented else answer

    def _each_entered(self, entry: Entry, terms: tuple[Term, ...], named: Mapping[str, Term], key: int | str) -> Term:
        """An operation whose argument `key` may be of several types: one for each."""

        def entered(one: Term) -> Term:
            if isinstance(key, str):
                return self._entered(entry, terms, {**named, key: one})
            try:
                return self._entered(entry, (*terms[:key], one, *terms[key + 1 :]), named)
            except Refused:
                if one == NOTHING and _takes_no_none(entry.called, key):
                    self.raise_("TypeError")
                raise

        return self.each_option(named[key] if isinstance(key, str) else terms[key], entered)

    def _folded(self, entry: Entry, terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
        """What Python itself computes from objects that exist."""
        list(map(check_read_at_once, terms))
        try:
            with np.errstate(all="ignore"):
                called = entry.called.__get__ if isinstance(entry.called, GetSetDescriptorType) else entry.called
                value = called(*(term.value for term in terms), **{name: one.value for name, one in named.items()})
        except Exception as error:
            self.raise_(type(error).__name__)
        if _is_fresh(value, [one.value for one in (*terms, *named.values())]):
            self.fresh.append(value)
        return constant(value)

    def split(self, term: Term, then: Callable[[Term], Term], by_class: bool = True) -> Term:
        """Returns what `then` returns for an object, for each option that it may be, and each class `by_class`."""
        if isinstance(term.type, Either):
            return self.each_option(term, lambda one: self.split(one, then, by_class))
        return each_class(self, term, then) if by_class and is_of_several(term) else then(term)

    def without_seed(self, term: Term) -> Term:
        """Returns an object; for the seed of a reset, an int or None."""
        if isinstance(term.type, Either) and any(isinstance(one, Seed) for one in term.type.options):
            return self.each_option(term, self.without_seed)
        return self.operate(("seed", "value"), term) if isinstance(term.type, Seed) else term

    # Calls.

    def call_function(
        self, function: Callable[..., Any], terms: Sequence[Term], named: Mapping[str, Term], unordered: bool = False
    ) -> Term:
        """Translate the call of a function where it is called; see `Activation` for `unordered`."""
        if not isinstance(function, FunctionType):
            raise Refused(f"{function!r} is not a Python function")
        try:
            source = source_of(function)
        except NoSource as error:
            refused = Refused(str(error), "define it in a file")
            if not self.activations:
                code = function.__code__
                refused.locate(Place(code.co_filename, code.co_firstlineno, function.__qualname__), function.__name__)
            raise refused from None
        names = bound(function, terms, named, self.gathered)
        if inspect.isgeneratorfunction(function):
            return constant(Generator(source, names))
        return self.run(source, names, unordered=unordered)

    def gathered(self, named: Mapping[str, Term]) -> Term:
        """Returns a dict of arguments by name."""
        return self.operate(dict, **named)

    def run(
        self,
        source: Source,
        names: Names,
        outer: Callable[[str], Term | None] = lambda name: None,
        unordered: bool = False,
        consumer: Consumer | None = None,
    ) -> Term:
        """Translate a function whose parameters have been bound; returns what it returns.

        A `consumer` runs over what it yields, and goes on with its own names changed.
        """
        ours = _is_own(source.file)  # what is ours reads an iterator once
        for name, term in names.items():
            for one in term.items() if isinstance(term.type, Tuple) else (term,):
                if not (ours or name.startswith(".")):  # what a comprehension runs over has no name
                    check_kept(one)
        self.own_calls += not _is_library(source)
        before, place, since = self.state.names, self.place, self.since
        self.since = self._objects
        if self.activations:
            self.activations[-1].names = before
        try:
            term = self._called(source, names, outer, unordered, consumer)
        finally:
            self.since = since
        behind = consumer.left(self.state.names) if consumer else before
        self.state = State(behind, self.state.heap)
        self.place = place
        if not self.live or (self.refusals and not self.activations):
            raise Ended
        return term

    def _called(
        self,
        source: Source,
        names: Names,
        outer: Callable[[str], Term | None],
        unordered: bool,
        consumer: Consumer | None,
    ) -> Term:
        """What a function returns: it is written out, or as a routine if it calls itself without a known end."""
        key, place = source.key, self.place
        frames = sum(not _is_library(one.source) for one in self.activations) + 1
        running = next((one for one in self.recursions if one.called.source.key is key), None)
        if running is not None:
            return running.again(names, frames)
        given = given_of(self, names)
        around = [one.given for one in self.activations if one.source.key is key]
        known = source.definition in self.endless
        write = self._writer(Activation(source, Target(""), given, outer=outer, unordered=unordered, consumer=consumer))
        if consumer:
            try:
                check_end(self, source, given, around, known)
            except Endless:
                reason = f"`{source.name}` yields, and calls itself without a known end"
                raise Refused(reason, "return a list") from None
            return write(names)
        if around:
            self.nested.add(key)
        if around or not known:
            check_end(self, source, given, around, known)
            if around or _is_library(source):
                return write(names)
            mark, count = self.mark(), self.size.count
            try:
                return write(dict(names))
            except Endless as endless:
                if endless.key is not key:
                    raise
            except RecursionError:  # as in Python, but much earlier
                if key not in self.nested:
                    raise
            self.reset(mark)
            self.place, self.size.count = place, count
            self.endless.add(source.definition)
        return recursion(self, Called(source, frames, write), self.recursions, names)

    def _writer(self, activation: Activation) -> Callable[[Names], Term]:
        """Returns what writes a function out, for its parameters."""
        consumer, source = activation.consumer, activation.source
        waiting = consumer.entered(self.state.names) if consumer else {}

        def write(names: Names) -> Term:
            def body(target: Target) -> Term:
                self.activations.append(replace(activation, returns=target, loops=[], functions={}))
                self.state = State({**names, **waiting}, self.state.heap)
                try:
                    self.statements(_body(source.definition))
                    self.state = State(kept_behind(self.state.names), self.state.heap)  # as after a `return`
                    return constant(None)
                finally:
                    self.activations.pop().names = None

            return self.block(source.name.rpartition(".")[2], body)

        return write

    # Names.

    def named(self, name: str) -> Term:
        """Returns the object of a name."""
        term, error = self.state.names.get(name), "UnboundLocalError"
        if term is None and name in self.activations[-1].source.locals:
            term = Term(UNBOUND)
        if term is None:
            term, error = self._outer(name), "NameError"
        return self.assigned(_made(term), error)

    def _outer(self, name: str) -> Term:
        activation = self.activations[-1]
        term = activation.outer(name)
        if term is not None:
            return term
        try:
            return constant(activation.source.lookup(name))
        except NameError as error:
            self.raise_(type(error).__name__)

    def assigned(self, term: Term, error: str) -> Term:
        """Returns an object that may be missing; the paths on which it is raise an exception."""
        if term.type == UNBOUND:
            self.raise_(error)
        if not (isinstance(term.type, Either) and UNBOUND in term.type.options):
            return term
        k = term.type.options.index(UNBOUND)
        self.raise_if(self.compare("eq", term.parts[0], self.number(k)), error)
        return self._without(term, k)

    def bound(self, term: Term, otherwise: Callable[[], Term]) -> Term:
        """Returns an object that may be missing, or what `otherwise` returns on the paths on which it is."""
        if not (isinstance(term.type, Either) and UNBOUND in term.type.options):
            return otherwise() if term.type == UNBOUND else term
        k = term.type.options.index(UNBOUND)
        is_missing = self.compare("eq", term.parts[0], self.number(k))
        return self.branch(is_missing, otherwise, partial(self._without, term, k))

    def _without(self, term: Term, k: int) -> Term:
        """What is not the option k of an object of several types."""
        assert isinstance(term.type, Either)
        return self._option_among(term, [n for n in range(len(term.type.options)) if n != k])

    def narrowed(self, term: Term, kept: Sequence[int]) -> Term:
        """Returns an object of several types that is one of some options here; see `narrowing`."""
        found = self._option_among(term, kept)
        self.wide[id(found)] = found, self.widest(term)
        return found

    def _option_among(self, term: Term, kept: Sequence[int]) -> Term:
        assert isinstance(term.type, Either)
        options = list(term.items())
        if len(kept) == 1:
            return options[kept[0]]
        tag = term.parts[0]
        for k in reversed([k for k in range(len(options)) if k not in kept]):
            above = self.convert(self.compare("gt", tag, self.number(k)), INT64)
            tag = self.compute("sub", tag, above)
        terms = [options[k] for k in kept]
        return Term(Either(tuple(one.type for one in terms)), (tag, *(part for one in terms for part in one.parts)))

    # What is known.

    def truth(self, term: Term) -> bool | Value:
        """Returns whether an object is true: a bool if that is known, or a value."""
        answer = self.operate(bool, term)
        return bool(answer.value) if answer.known else answer.part

    def integer(self, term: Term, what: str) -> int:
        """Returns an int that must be known: a constant, or one that the program is written for.

        Raises:
            NeedsConstant: If it is not.
        """
        size = None if term.known else self._size(term.parts[0]) if isinstance(term.type, Number) else None
        if size is not None:
            self.raise_if(self.compare("ne", self.convert(term.part, INT64), self.number(size)), BEYOND)
            return size
        if not term.known:
            raise NeedsConstant(f"{what} must be known when the program is compiled", "write one that never changes")
        if not hasattr(term.value, "__index__"):
            self.raise_("TypeError")
        return int(term.value.__index__())

    def is_size(self, term: Term) -> bool:
        """Returns whether `integer` takes a number that is no constant."""
        return self._size(term.part) is not None

    def _size(self, value: Value) -> int | None:
        """The int that the program is written for, if a value is computed from such alone."""
        if value in self.sizes:
            name, size = self.sizes[value]
            self.decisive.add(name)
            return size
        if value.operation == "constant":
            return int(value.attribute) if value.dtype == INT64 else None
        if value.operation not in _SIZED or value.kind != INT64:
            return None
        sizes = [self._size(one) for one in value.arguments]
        return None if None in sizes else int(_SIZED[value.operation](*sizes))


_SIZED: dict[str, Callable[..., Any]] = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}


def _body(definition: ast.Lambda | ast.FunctionDef) -> Sequence[ast.stmt]:
    if isinstance(definition, ast.Lambda):
        return [ast.copy_location(ast.Return(definition.body), definition.body)]
    return definition.body


_FINDING = frozenset((operator.getitem, operator.contains, dict.get))


def _is_long(term: Term) -> bool:
    """Whether an object is a constant of many items, or of texts and containers: its items are read from tables."""
    value: Any = term.value if term.known else ()
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "SUO" and value.ndim > 0
    if type(value) not in (list, tuple, dict, str) or len(value) < 2:
        return False
    items = value.values() if isinstance(value, dict) else value
    return len(value) > FEW or any(isinstance(one, (list, dict, frozenset)) for one in items)


FEW = 8
"""The most items of a constant among which an index is compared one by one, which lanes do faster than reading."""
_PLACES = {operator.getitem, operator.setitem}
_OF_BOOLS = {
    *(operator.and_, operator.or_, operator.xor, operator.not_, bool, int, float),
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge),
}


def _is_narrowing(called: Any, terms: Sequence[Term]) -> bool:
    """Whether numbers of NumPy give other results than Python's: beside those of fewer bits, or as sums of bools."""
    called = called[0] if isinstance(called, tuple) else called
    if called in _PLACES:
        return False
    if terms and called not in _OF_BOOLS and all(_is_bool(term) for term in terms):
        return True
    dtypes = [term.type.dtype for term in terms if isinstance(term.type, (Number, Array, Bounded))]
    wide = any(isinstance(term.type, Number) and term.type.dtype.itemsize == 8 for term in terms)
    return wide and any(dtype.kind != "b" and dtype.itemsize < 8 for dtype in dtypes)


def _is_bool(term: Term) -> bool:
    return isinstance(term.type, Number) and term.type.dtype.kind == "b"


def _first_of_several(terms: Sequence[Term], named: Mapping[str, Term]) -> int | str | None:
    """The first argument that may be of several types."""
    for k, term in enumerate(terms):
        if isinstance(term.type, Either):
            return k
    return next((name for name, term in named.items() if isinstance(term.type, Either)), None)


def _takes_no_none(called: Any, key: int) -> bool:
    """Whether Python raises TypeError where None is an argument, whatever the others are."""
    if called in (operator.getitem, operator.setitem):
        return key == 0
    return called in _OF_NUMBERS or getattr(math, getattr(called, "__name__", ""), None) is called


_READERS = frozenset((sum, min, max, any, all, tuple, list, sorted, dict, len, enumerate, zip, reversed, iter, next))
_READERS |= {one for one in vars(itertools).values() if isinstance(one, type)} | {itertools.chain.from_iterable}
_READERS |= {
    dict.update,
    dict.fromkeys,
    Counter,
    Counter.update,
    defaultdict,
    deque,
    set,
    frozenset,
    deque.extend,
    deque.extendleft,
    set.update,
    set.union,
    set.intersection,
}
_READERS |= {operator.contains, list.extend, math.prod, (operator.add, "in place"), operator.iadd}


def _may_take(called: Any, by: str) -> bool:
    """Whether an operation takes an iterator or a view: it reads the items of an object one by one."""
    return by == "tolist" or called in _READERS or (by == "flat" and called in _PLACES)


_SIGNS = ["add", "sub", "mul", "truediv", "floordiv", "matmul", "and", "or", "xor", "lshift", "rshift"]
_NAMES = (*_SIGNS, *(f"i{sign}" for sign in _SIGNS), "pow", "ipow", "neg", "pos", "invert", "lt", "le", "gt", "ge")
_OF_NUMBERS = frozenset((abs, len, int, float, *(getattr(operator, f"__{name}__") for name in _NAMES)))


def _is_object(term: Term) -> bool:
    return isinstance(term.type, Reference | Placed) and term.type.of not in CONTAINERS


_SWAPPED = {"eq": "eq", "ne": "ne"}
_METHODS: dict[Any, str] = {
    getattr(operator, name): f"__{name.strip('_')}__"
    for name in ("getitem", "setitem", "delitem", "contains", "neg", "pos", "invert")
} | {len: "__len__", iter: "__iter__", abs: "__abs__", int: "__int__", float: "__float__", round: "__round__"}
"""Maps operations to the special methods of their first operand that do them."""
_READ_ALL = frozenset((sum, min, max, tuple, list, sorted, set, frozenset))
"""What reads all items of its arguments at once."""
_STOPPING = frozenset((any, all, enumerate, zip, reversed))
"""What may not read all items, or not at once."""
_OPERATORS = {
    getattr(operator, f"__{name}__"): name.removeprefix("i") if name.startswith("i") and name != "invert" else name
    for name in (*_NAMES, "eq", "ne")
}


_PLAIN = int, float, complex, str, bytes, type(None), np.generic, np.dtype, type, slice, np.ndarray, range


def _is_fresh(value: Any, given: Sequence[Any]) -> bool:
    """Whether a list or an array that Python has computed from plain objects is new, and no part of these."""
    if not isinstance(value, (list, dict, np.ndarray)) or not all(isinstance(one, (*_PLAIN, tuple)) for one in given):
        return False
    if not isinstance(value, np.ndarray):
        return not any(isinstance(one, tuple) and any(value is item for item in one) for one in given)
    return all(isinstance(one, _PLAIN) and not np.may_share_memory(value, np.asarray(one)) for one in given)


def _fits(build: Callable[..., Term], terms: Sequence[Any], named: Mapping[str, Term]) -> bool:
    try:
        inspect.signature(build).bind(*terms, **named)
    except TypeError:
        return False
    return True


def _is_foldable(term: Term) -> bool:
    """Whether an object is known, and cannot be changed meanwhile."""
    kinds = list, dict, set, deque, LocalFunction, Partial
    return isinstance(term.type, Constant) and not isinstance(term.type.value, kinds)


def _refuse_form(front: FrontEnd, node: ast.AST) -> Any:
    form = form_of(type(node))
    raise Refused(f"{form.words} is not in the language", form.remedy)


def _made(term: Term) -> Term:
    """An object that is not that of a refused expression."""
    if is_unknown(term):
        raise Follows("an expression that was refused gives no object")
    return term


def _is_library(source: Source) -> bool:
    """Whether a function is of this package, NumPy or Python's library: a refusal in it is blamed on the call."""
    return _is_library_file(source.file)


@cache
def _is_library_file(file: str) -> bool:
    is_of_python = file.startswith(_STDLIB) and "site-packages" not in file
    return is_of_python or file.startswith(_NUMPY) or _is_own(file)


@cache
def _is_own(file: str) -> bool:
    return is_own_file(Path(file))


_NUMPY = str(Path(np.__file__).parent)
_STDLIB = str(Path(inspect.__file__).parent)


def _changed_in(node: ast.stmt) -> Iterator[str]:
    """Yields the names whose objects a statement may change: of items it assigns, and of methods it calls."""
    for one in ast.walk(node):
        match one:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
                yield name


def _name_of(key: Any) -> str:
    if isinstance(key, tuple):
        return ".".join(map(str, key))
    module = getattr(key, "__module__", None)
    name = getattr(key, "__qualname__", getattr(key, "__name__", repr(key)))
    return f"{module}.{name}" if module and module != "builtins" else str(name)
