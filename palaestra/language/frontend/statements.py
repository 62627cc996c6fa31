"""The forms of statements."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from palaestra.language.frontend.attributes import attribute, set_attribute
from palaestra.language.frontend.binding import generator_in
from palaestra.language.frontend.building import NOTHING, State, Target
from palaestra.language.frontend.consumers import kept_behind
from palaestra.language.frontend.exceptions import error_of, write_try
from palaestra.language.frontend.expressions import BINARY, local_function, read_now
from palaestra.language.frontend.front import STATEMENTS, FrontEnd
from palaestra.language.frontend.generators import carried_too, write_loop
from palaestra.language.frontend.growing import containers_in, grow, kind_of, storage_of
from palaestra.language.frontend.iteration import (
    ChangesLength,
    Numbered,
    items_of,
    numbered,
    read_in_turn,
    refused_order,
    unpacked,
)
from palaestra.language.frontend.narrowing import narrow
from palaestra.language.frontend.refusals import NeedsConstant, Refused, check_kept
from palaestra.language.frontend.unordered import effects_of
from palaestra.language.program import BEYOND, INT64, Set, Slot, Value
from palaestra.language.source import assigned_in, nodes_in, read_by, read_in
from palaestra.language.types import (
    PYTHON,
    SETS,
    Array,
    Constant,
    Either,
    Number,
    Placed,
    Reference,
    Term,
    Tuple,
    Type,
    constant,
)


def statement(form: type[ast.stmt]) -> Callable[[Callable[[FrontEnd, Any], None]], Callable[[FrontEnd, Any], None]]:
    """Register the translation of a form of statement."""

    def register(handler: Callable[[FrontEnd, Any], None]) -> Callable[[FrontEnd, Any], None]:
        STATEMENTS[form] = handler
        return handler

    return register


@statement(ast.Pass)
def _pass(front: FrontEnd, node: ast.Pass) -> None:
    pass


@statement(ast.Expr)
def _expression(front: FrontEnd, node: ast.Expr) -> None:
    front.expression(node.value)


@statement(ast.Return)
def _return(front: FrontEnd, node: ast.Return) -> None:
    term = front.expression(node.value) if node.value else constant(None)
    front.state = State(kept_behind(front.state.names), front.state.heap)  # the names are not read again
    front.leave(front.activations[-1].returns, term)


@statement(ast.Assign)
def _assign(front: FrontEnd, node: ast.Assign) -> None:
    term = _value(front, node)
    for target in node.targets:
        assign(front, target, term)


def _value(front: FrontEnd, node: ast.Assign) -> Term:
    """What is assigned; a generator whose items are assigned to several names is read at once."""
    is_read = all(isinstance(one, ast.Tuple) for one in node.targets)
    return front.expression(read_now(front, node.value) if is_read else node.value)


@statement(ast.AnnAssign)
def _annotated(front: FrontEnd, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(front, node.target, front.expression(node.value))


@statement(ast.AugAssign)
def _augmented(front: FrontEnd, node: ast.AugAssign) -> None:
    in_place = getattr(operator, f"i{_word(BINARY[type(node.op)])}")
    match node.target:
        case ast.Name(id=name):
            before = front.named(name)
            front.state.names[name] = front.operate(in_place, before, front.expression(node.value))
        case ast.Subscript(value=value, slice=index):
            container, at = front.expression(value), front.expression(index)
            if isinstance(at.type, Array) and at.type.dtype.kind == "b":
                front.operate(
                    (operator.setitem, "masked"), constant(in_place), container, at, front.expression(node.value)
                )
                return
            item = front.operate(operator.getitem, container, at)
            is_dict = isinstance(container.type, Reference | Placed) and container.type.of is dict
            key: Any = (operator.setitem, "held") if is_dict else operator.setitem
            front.operate(key, container, at, front.operate(in_place, item, front.expression(node.value)))
        case ast.Attribute(value=value, attr=attr):
            name = front.activations[-1].source.mangled(attr)

            def change(owner: Term) -> Term:
                before = attribute(front, owner, name)
                set_attribute(front, owner, name, front.operate(in_place, before, front.expression(node.value)))
                return NOTHING

            front.split(front.expression(value), change)


def _word(function: Callable[..., Any]) -> str:
    return function.__name__.strip("_")


def assign(front: FrontEnd, target: ast.expr, term: Term) -> None:
    """Assign an object to a name, an item, an attribute, or its items to several."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        check_kept(term)
    match target:
        case ast.Name(id=name):
            if len(term.parts) == 1:
                term.part.called(name)
            front.state.names[name] = term
        case ast.Tuple(elts=targets) | ast.List(elts=targets):

            def assign_items(one: Term) -> Term:
                _assign_items(front, targets, one)
                return NOTHING

            front.split(term, assign_items)
        case ast.Subscript(value=value, slice=index):
            front.operate(operator.setitem, front.expression(value), front.expression(index), term)
        case ast.Attribute(value=value, attr=attr):
            name = front.activations[-1].source.mangled(attr)

            def set_it(owner: Term) -> Term:
                set_attribute(front, owner, name, term)
                return NOTHING

            front.split(front.expression(value), set_it, by_class=False)
        case _:
            raise Refused(f"an assignment to `{ast.unparse(target)}` is not in the language")


def _assign_items(front: FrontEnd, targets: list[ast.expr], term: Term) -> None:
    star = next((k for k, one in enumerate(targets) if isinstance(one, ast.Starred)), None)
    items = unpacked(front, front.run_over(term), None if star is not None else len(targets))
    if star is not None:
        behind = len(targets) - star - 1
        if len(items) < len(targets) - 1:
            front.raise_("ValueError")
        middle = front.allocate(items[star : len(items) - behind], list)
        items = [*items[:star], middle, *items[len(items) - behind :]]
    if len(items) != len(targets):
        front.raise_("ValueError")
    for target, item in zip(targets, items, strict=True):
        assign(front, target.value if isinstance(target, ast.Starred) else target, item)


@statement(ast.Delete)
def _delete(front: FrontEnd, node: ast.Delete) -> None:
    for target in node.targets:
        if not isinstance(target, ast.Subscript):
            raise Refused("`del` of something else than an item is not in the language", "assign `None` instead")
        container, index = front.expression(target.value), front.expression(target.slice)
        front.operate(operator.delitem, container, index)


@statement(ast.If)
def _if(front: FrontEnd, node: ast.If) -> None:
    truth = front.truth(front.expression(node.test))
    if isinstance(truth, bool):
        front.statements(node.body if truth else node.orelse)
        return

    match node:
        case ast.If(body=[ast.Raise() as raises], orelse=[]):
            front.raise_if(truth, error_of(front, raises))
            narrow(front, node.test, False)
            return

    def side(holds: bool, nodes: list[ast.stmt]) -> Callable[[], Term]:
        def write() -> Term:
            narrow(front, node.test, holds)
            front.statements(nodes)
            return NOTHING

        return write

    front.branch(truth, side(True, node.body), side(False, node.orelse))


@statement(ast.Assert)
def _assert(front: FrontEnd, node: ast.Assert) -> None:
    truth = front.operate(operator.not_, front.expression(node.test))
    if not truth.known:
        front.raise_if(truth.part, "AssertionError")
        narrow(front, node.test, True)
    elif truth.value:
        front.raise_("AssertionError")


@statement(ast.Raise)
def _raise(front: FrontEnd, node: ast.Raise) -> None:
    front.raise_(error_of(front, node))


@statement(ast.Try)
def _try(front: FrontEnd, node: ast.Try) -> None:
    write_try(front, node)


@statement(ast.FunctionDef)
def _function(front: FrontEnd, node: ast.FunctionDef) -> None:
    if node.decorator_list:
        raise Refused("a decorated function inside a function is not in the language")
    front.state.names[node.name] = constant(local_function(front, node, node.name))


@statement(ast.Import)
@statement(ast.ImportFrom)
def _import(front: FrontEnd, node: ast.Import | ast.ImportFrom) -> None:
    """Import at compile time what Python would import at the first step."""
    names: dict[str, Any] = {}
    module = {name: _of_module(front, name) for name in ("__package__", "__name__", "__spec__")}
    try:
        exec(compile(ast.Module([node], []), "<import>", "exec"), module, names)
    except ImportError as error:
        front.raise_(type(error).__name__)
    front.state.names.update({name: constant(value) for name, value in names.items()})


def _of_module(front: FrontEnd, name: str) -> Any:
    """A global name of the function's module, which says what `from . import` means; None if it has none."""
    try:
        return front.activations[-1].source.lookup(name)
    except NameError:
        return None


@statement(ast.Break)
def _break(front: FrontEnd, node: ast.Break) -> None:
    front.leave(front.activations[-1].loops[-1][1])


@statement(ast.Continue)
def _continue(front: FrontEnd, node: ast.Continue) -> None:
    front.leave(front.activations[-1].loops[-1][0])


@statement(ast.While)
def _while(front: FrontEnd, node: ast.While) -> None:
    first = front.truth(front.expression(node.test)) if isinstance(node.test, ast.Constant) else None
    if first is False:
        front.statements(node.orelse)
        return

    def turn(again: Target, out: Target) -> None:
        truth = front.truth(front.expression(node.test))
        if truth is False:
            _end(front, node, out)
            return
        if truth is not True:
            _leave_unless(front, truth, lambda: _end(front, node, out))
        _body(front, node.body, again, out)

    front.loop("while", _carried(front, node), turn)


def _leave_unless(front: FrontEnd, goes_on: Value, leave: Callable[[], None]) -> None:
    def stop() -> Term:
        leave()
        return NOTHING

    front.branch(goes_on, lambda: NOTHING, stop)


def _end(front: FrontEnd, node: ast.While | ast.For, out: Target) -> None:
    """The end of a loop without a `break`."""
    front.statements(node.orelse)
    if front.live:
        front.leave(out)


def _body(front: FrontEnd, nodes: list[ast.stmt], again: Target, out: Target) -> None:
    loops = front.activations[-1].loops
    loops.append((again, out))
    try:
        front.statements(nodes)
    finally:
        loops.pop()


def _carried(front: FrontEnd, node: ast.While | ast.For) -> list[str]:
    """The names that a turn of a loop may leave to the next one, or to what is behind the loop."""
    others = carried_too(front, node)
    assigned = list(dict.fromkeys(assigned_in([node])))
    behind = _read_outside(front, node)
    inside = read_in([node])
    return [
        name
        for name in assigned
        if name in front.state.names or name in behind or (name in inside and not _sets_first(node, name))
    ] + others


def _read_outside(front: FrontEnd, node: ast.stmt) -> set[str]:
    definition = front.activations[-1].source.definition
    if isinstance(definition, ast.Lambda):
        return set()
    inside = {id(one) for one in nodes_in(node)}
    return read_by(one for one in nodes_in(definition) if id(one) not in inside)


def _sets_first(node: ast.While | ast.For, name: str) -> bool:
    """Whether a turn assigns a name, whatever happens, before it reads it."""
    if isinstance(node, ast.For) and name in assigned_in([ast.Assign([node.target], node.iter)]):
        return True
    if isinstance(node, ast.While) and name in read_in([ast.Expr(node.test)]):
        return False
    for one in node.body:
        if isinstance(one, (ast.Assign, ast.AnnAssign)) and name not in read_in([one]) and name in assigned_in([one]):
            return True
        if name in read_in([one]) or name in assigned_in([one]):
            return False
    return True


@statement(ast.For)
def _for(front: FrontEnd, node: ast.For) -> None:
    def loop(iterated: Term) -> Term:
        generator = generator_in(front.begun(iterated))
        if generator:
            write_loop(front, generator, _carried(front, node), turn, lambda: front.statements(node.orelse))
        else:
            _over(front, node, front.run_over(iterated))
        return NOTHING

    def turn(item: Term, again: Target, out: Target) -> None:
        assign(front, node.target, item)
        _body(front, node.body, again, out)

    front.split(front.expression(node.iter), loop)


def _over(front: FrontEnd, node: ast.For, iterated: Term) -> None:
    storage = storage_of(front, iterated)
    if storage is not None and kind_of(storage).of in SETS and not front.activations[-1].unordered:
        _over_set(front, node, iterated)
        return
    numbers = numbered(front, iterated)
    mark = front.mark()
    if numbers is None or _is_short(node, numbers):
        try:
            _unrolled(front, node, iterated)
            return
        except ChangesLength:
            front.reset(mark)
            if not _grow(front, iterated):
                raise
        numbers = numbered(front, iterated)
        if numbers is None:
            raise ChangesLength
    mark = front.mark()
    front.counted += 1
    try:
        _counted(front, node, numbers)
        return
    except NeedsConstant:
        front.reset(mark)
        items = items_of(front, iterated)
        is_long = items is None or len(items) > MOST_UNROLLED
        if is_long and (front.unrolls_none or front.counted > 1):
            raise
    finally:
        front.counted -= 1
    if not is_long:
        _unrolled(front, node, iterated)
        return
    front.unrolls_none = True  # so what could be known in each turn is found when the program runs
    try:
        _counted(front, node, numbers)
    finally:
        front.unrolls_none = False


def _over_set(front: FrontEnd, node: ast.For, iterated: Term) -> None:
    """A loop over a set, whose turns may come in any order.

    Raises:
        Refused: If it can be seen in which.
    """
    effects, activation, calls = effects_of(node), front.activations[-1], front.own_calls
    if effects is None or not all(_is_searched(front.expression(one).type) for one in effects.searched):
        raise refused_order()
    activation.unordered = True
    numbers = numbered(front, iterated)
    activation.unordered = False
    assert numbers is not None

    def own(k: Value) -> Term:
        item = numbers.item(k)
        _refuse_below(front, item)
        return item

    _counted(front, node, numbers._replace(item=own) if effects.owns else numbers)
    sums = [front.state.names[name] for name in effects.sums]
    if front.own_calls > calls or any(front.materialized(one).type != PYTHON[int] for one in sums):
        raise refused_order()


def _refuse_below(front: FrontEnd, item: Term) -> None:
    """Raise for a number below zero: as an index it may be the place of another item."""
    for one in item.items() if isinstance(item.type, Tuple) else (item,):
        if isinstance(one.type, Number):
            front.raise_if(front.compare("lt", one.part, front.number(0, one.type.dtype)), BEYOND)


def _is_searched(kind: Type) -> bool:
    """Whether an item may be searched in objects of a type, which no turn of the loop changes."""
    if isinstance(kind, Either):
        return all(map(_is_searched, kind.options))
    return isinstance(kind, Reference | Tuple) or (
        isinstance(kind, Constant) and not isinstance(kind.value, np.ndarray)
    )


def _grow(front: FrontEnd, iterated: Term) -> bool:
    """Let lists that a loop runs over, and changes, grow; returns whether there are any."""
    found = containers_in(iterated)
    for one in found:
        if not storage_of(front, one):
            grow(front, one)
    return bool(found)


def _is_short(node: ast.For, items: Numbered) -> bool:
    """Whether a loop of some known turns is better written out: then the types of its variables are known, too."""
    turns = items.length.attribute if items.length.operation == "constant" else None
    return turns is not None and turns <= FEW_TURNS and sum(1 for one in node.body for _ in ast.walk(one)) <= FEW_NODES


MOST_UNROLLED = 64
FEW_TURNS, FEW_NODES = 3, 40


def _counted(front: FrontEnd, node: ast.For, items: Numbered) -> None:
    """A loop over items that are computed from their number."""
    counter = Slot(INT64, "turn")
    front.region.append(Set(counter, front.number(0)))

    def turn(again: Target, out: Target) -> None:
        k = front.get(counter)
        front.region.append(Set(counter, front.compute("add", k, front.number(1))))
        _leave_unless(front, front.compare("lt", k, items.reads()), lambda: _end(front, node, out))
        assign(front, node.target, items.item(k))
        _body(front, node.body, again, out)

    front.loop("for", _carried(front, node), turn)


def _unrolled(front: FrontEnd, node: ast.For, iterated: Term) -> None:
    """A loop whose turns are written one behind the other."""
    reads = read_in_turn(front, iterated)

    def turn(read: Callable[[], Term], out: Target) -> Callable[[Target], Term]:
        def write(again: Target) -> Term:
            assign(front, node.target, read())
            _body(front, node.body, again, out)
            return NOTHING

        return write

    def write(out: Target) -> Term:
        for read in reads:
            front.block("turn", turn(read, out))
            if not front.live:
                return NOTHING
        if any(storage_of(front, one) for one in containers_in(iterated)) or len(read_in_turn(front, iterated)) != len(
            reads
        ):
            raise ChangesLength
        front.statements(node.orelse)
        return NOTHING

    front.block("for", write)


@statement(ast.Match)
def _match(front: FrontEnd, node: ast.Match) -> None:
    def cases(subject: Term) -> Term:
        _first_case(front, subject, node.cases)
        return NOTHING

    front.split(front.expression(node.subject), cases)


def _first_case(front: FrontEnd, subject: Term, cases: list[ast.match_case]) -> None:
    """The first case that fits."""
    if not cases:
        return
    case, *rest = cases
    truth = _fits(front, case.pattern, subject)

    def chosen() -> Term:
        _bind(front, case.pattern, subject)
        guard = True if case.guard is None else front.truth(front.expression(case.guard))
        _either(front, guard, lambda: front.statements(case.body), lambda: _first_case(front, subject, rest))
        return NOTHING

    _either(front, truth, chosen, lambda: _first_case(front, subject, rest))


def _either(front: FrontEnd, truth: bool | Value, then: Callable[[], object], otherwise: Callable[[], object]) -> None:
    def side(write: Callable[[], object]) -> Callable[[], Term]:
        def written() -> Term:
            write()
            return NOTHING

        return written

    if isinstance(truth, bool):
        then() if truth else otherwise()
    else:
        front.branch(truth, side(then), side(otherwise))


def _fits(front: FrontEnd, pattern: ast.pattern, subject: Term) -> bool | Value:
    """Whether an object fits a pattern."""
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=inner) if inner is not None:
            return _fits(front, inner, subject)
        case ast.MatchValue(value=value):
            return front.truth(front.operate(operator.eq, subject, front.expression(value)))
        case ast.MatchSingleton(value=value):
            return front.truth(front.operate(operator.is_, subject, constant(value)))
        case ast.MatchOr(patterns=patterns):
            return _fits_one(front, patterns, subject)
        case ast.MatchSequence(patterns=patterns) if not any(isinstance(one, ast.MatchStar) for one in patterns):
            items = items_of(front, subject) if isinstance(subject.type, Tuple | Reference | Constant) else None
            if items is not None and not (subject.known and isinstance(subject.value, (str, bytes, dict, set))):
                return len(items) == len(patterns) and _fit_all(front, list(zip(patterns, items, strict=True)))
    raise Refused(f"the pattern `{ast.unparse(pattern)}` of {subject.type} is not in the language", "write `if`")


def _fits_one(front: FrontEnd, patterns: list[ast.pattern], subject: Term) -> bool | Value:
    first = _fits(front, patterns[0], subject)
    if len(patterns) == 1 or first is True:
        return first
    if first is False:
        return _fits_one(front, patterns[1:], subject)
    return front.truth(
        front.branch(first, lambda: constant(True), lambda: _as_term(_fits_one(front, patterns[1:], subject)))
    )


def _fit_all(front: FrontEnd, pairs: list[tuple[ast.pattern, Term]]) -> bool | Value:
    if not pairs:
        return True
    first = front.split(pairs[0][1], lambda one: _as_term(_fits(front, pairs[0][0], one)))
    truth = front.truth(first)
    if isinstance(truth, bool):
        return truth and _fit_all(front, pairs[1:])
    return front.truth(front.branch(truth, lambda: _as_term(_fit_all(front, pairs[1:])), lambda: constant(False)))


def _as_term(truth: bool | Value) -> Term:
    return constant(truth) if isinstance(truth, bool) else Term(PYTHON[bool], (truth,))


def _bind(front: FrontEnd, pattern: ast.pattern, subject: Term) -> None:
    """Assign what a pattern names."""
    match pattern:
        case ast.MatchAs(pattern=inner, name=name):
            if inner is not None:
                _bind(front, inner, subject)
            if name is not None:
                front.state.names[name] = subject
        case ast.MatchSequence(patterns=patterns):
            for one, item in zip(patterns, items_of(front, subject) or [], strict=True):
                _bind(front, one, item)
