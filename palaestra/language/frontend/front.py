"""The front end itself: a builder that knows the table of operations and walks syntax trees."""

from __future__ import annotations

import ast
import inspect
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from palaestra.language.frontend.binding import bound
from palaestra.language.frontend.building import NOTHING, Builder, End, Ended, Names, State, Target
from palaestra.language.frontend.forms import form_of
from palaestra.language.frontend.records import check_record
from palaestra.language.frontend.refusals import UNKNOWN, Follows, NeedsConstant, Refusal, Refused, is_unknown
from palaestra.language.operations import table
from palaestra.language.operations.table import REFUSED, Entry, entry_of
from palaestra.language.program import Place, Value
from palaestra.language.source import NoSource, Source, assigned_in, source_of
from palaestra.language.types import UNBOUND, Array, Constant, Either, Number, Reference, Term, Tuple, constant

Handler = Callable[["FrontEnd", Any], Any]
EXPRESSIONS: dict[type[ast.AST], Handler] = {}
"""Maps each form of an expression to what translates it: a function of the front end and the node, to a term."""
STATEMENTS: dict[type[ast.AST], Handler] = {}
"""Maps each form of a statement to what translates it."""

SEE_PAGE = "the page 'What compiles' lists what is"
DEEPEST = 40  # calls in calls: more is a recursion


@dataclass
class Activation:
    """A call of a function that is being translated.

    Attributes:
        source: The function.
        returns: Where its `return`s lead.
        loops: For each loop around, where `continue` and `break` lead.
        outer: The names of the function in which this one is defined, if that is running too.
        names: The names when it last called or defined a function; None once it has returned.
        functions: The functions without defaults that it defines: each is one object, however often a loop is written.
    """

    source: Source
    returns: Target
    loops: list[tuple[Target, Target]] = field(default_factory=list)
    outer: Callable[[str], Term | None] = lambda name: None
    names: Names | None = None
    functions: dict[ast.AST, Any] = field(default_factory=dict)


class FrontEnd(Builder):
    """Translates functions.

    Attributes:
        refusals: What the language does not take, of all that was translated so far.
        activations: The calls around, the innermost last.
        narrows: Whether a number of 64 bits met one of fewer.
        is_loose: Whether a state keeps a number of NumPy where it is read as one of Python, or the other way round.
        counted: How many loops around may be unrolled instead, if something in them must be known.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refusals: list[Refusal] = []
        self.activations: list[Activation] = []
        self.narrows = self.is_loose = False
        self.counted = 0

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
        for node in nodes:
            if not self.live:
                return
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        source = self.activations[-1].source
        before, self.place = self.place, Place(source.file, node.lineno, source.name)
        region, state, handlers = self.region, self.state, len(self.handlers)
        try:
            handler = STATEMENTS.get(type(node)) or _refuse_form
            handler(self, node)
        except Refused as refused:
            self._locate(refused, node)
            if _is_library(source) or (isinstance(refused, NeedsConstant) and self.counted):
                raise
            self.refuse(refused)
            self.region, self.state, self.live = region, state, True
            del self.handlers[handlers:]
            self._skip(node)
        finally:
            self.place = before

    def _locate(self, refused: Refused, node: ast.expr | ast.stmt) -> None:
        source = self.activations[-1].source
        if not _is_library(source):
            refused.locate(Place(source.file, node.lineno, source.name), ast.unparse(node))

    def refuse(self, refused: Refused) -> None:
        """Record a refusal, unless it may follow from another one."""
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
        if entry.folds and all(map(_is_foldable, (*terms, *named.values()))):
            return self._folded(entry, terms, named)
        several = None if entry.takes_options else _first_of_several(terms, named)
        if several is not None:
            return self._each_entered(entry, terms, named, several)
        for term in terms:
            if isinstance(term.type, Tuple):
                check_record(term.type.of)
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
        try:
            with np.errstate(all="ignore"):
                value = entry.called(
                    *(term.value for term in terms), **{name: one.value for name, one in named.items()}
                )
        except Exception as error:
            self.raise_(type(error).__name__)
        return constant(value)

    def split(self, term: Term, then: Callable[[Term], Term]) -> Term:
        """Returns what `then` returns for an object, for each option that it may be."""
        return self.each_option(term, then) if isinstance(term.type, Either) else then(term)

    # Calls.

    def call_function(self, function: Callable[..., Any], terms: Sequence[Term], named: Mapping[str, Term]) -> Term:
        """Translate the call of a function where it is called."""
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
        return self.run(source, bound(function, terms, named))

    def run(self, source: Source, names: Names, outer: Callable[[str], Term | None] = lambda name: None) -> Term:
        """Translate a function whose parameters have been bound; returns what it returns."""
        if len(self.activations) >= DEEPEST:
            raise Refused(f"{source.name} calls itself", "write a loop")
        before, place = self.state.names, self.place
        if self.activations:
            self.activations[-1].names = before

        def write(target: Target) -> Term:
            self.activations.append(Activation(source, target, outer=outer))
            self.state = State(names, self.state.heap)
            try:
                self.statements(_body(source.definition))
                self.state = State({}, self.state.heap)  # as after a `return`
                return constant(None)
            finally:
                self.activations.pop().names = None

        term = self.block(source.name.rpartition(".")[2], write)
        self.state = State(before, self.state.heap)
        self.place = place
        if not self.live or (self.refusals and not self.activations):
            raise Ended
        return term

    # Names.

    def named(self, name: str) -> Term:
        """Returns the object of a name."""
        term, error = self.state.names.get(name), "UnboundLocalError"
        if term is None and name in self.activations[-1].source.locals:
            term = Term(UNBOUND)
        if term is None:
            term, error = self._outer(name), "NameError"
        if _made(term).type == UNBOUND:
            self.raise_(error)
        if isinstance(term.type, Either) and UNBOUND in term.type.options:
            return self._bound(term, term.type, error)
        return term

    def _outer(self, name: str) -> Term:
        activation = self.activations[-1]
        term = activation.outer(name)
        if term is not None:
            return term
        try:
            return constant(activation.source.lookup(name))
        except NameError as error:
            self.raise_(type(error).__name__)

    def _bound(self, term: Term, kind: Either, error: str) -> Term:
        """An object that may be missing, on the paths on which it is there."""
        k = kind.options.index(UNBOUND)
        self.raise_if(self.compare("eq", term.parts[0], self.number(k)), error)
        rest = [option for option in kind.options if option != UNBOUND]
        if len(rest) == 1:
            return Term(rest[0], term.parts[1:])
        tag = term.parts[0]
        above = self.convert(self.compare("gt", tag, self.number(k)), self.number(0).dtype)
        return Term(Either(tuple(rest)), (self.compute("sub", tag, above), *term.parts[1:]))

    # What is known.

    def truth(self, term: Term) -> bool | Value:
        """Returns whether an object is true: a bool if that is known, or a value."""
        answer = self.operate(bool, term)
        return bool(answer.value) if answer.known else answer.part

    def integer(self, term: Term, what: str) -> int:
        """Returns an int that must be known.

        Raises:
            NeedsConstant: If it is not.
        """
        if not term.known:
            raise NeedsConstant(f"{what} must be known when the program is compiled", "write one that never changes")
        if not hasattr(term.value, "__index__"):
            self.raise_("TypeError")
        return int(term.value.__index__())


def _body(definition: ast.Lambda | ast.FunctionDef) -> Sequence[ast.stmt]:
    if isinstance(definition, ast.Lambda):
        return [ast.copy_location(ast.Return(definition.body), definition.body)]
    return definition.body


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
    dtypes = [term.type.dtype for term in terms if isinstance(term.type, (Number, Array))]
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


_SIGNS = ["add", "sub", "mul", "truediv", "floordiv", "matmul", "and", "or", "xor", "lshift", "rshift"]
_NAMES = (*_SIGNS, *(f"i{sign}" for sign in _SIGNS), "pow", "ipow", "neg", "pos", "invert", "lt", "le", "gt", "ge")
_OF_NUMBERS = frozenset((abs, len, int, float, *(getattr(operator, f"__{name}__") for name in _NAMES)))


def _fits(build: Callable[..., Term], terms: Sequence[Any], named: Mapping[str, Term]) -> bool:
    try:
        inspect.signature(build).bind(*terms, **named)
    except TypeError:
        return False
    return True


def _is_foldable(term: Term) -> bool:
    """Whether an object is known, and cannot be changed meanwhile."""
    return isinstance(term.type, Constant) and not isinstance(term.type.value, (list, dict, set))


def _refuse_form(front: FrontEnd, node: ast.AST) -> Any:
    form = form_of(type(node))
    raise Refused(f"{form.words} is not in the language", form.remedy)


def _made(term: Term) -> Term:
    """An object that is not that of a refused expression."""
    if is_unknown(term):
        raise Follows("an expression that was refused gives no object")
    return term


_LIBRARY = str(Path(table.__file__).parent)


def _is_library(source: Source) -> bool:
    """Whether a function is an operation of the table: what it refuses is the call's fault."""
    return source.file.startswith(_LIBRARY)


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
