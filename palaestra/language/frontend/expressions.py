"""The forms of expressions."""

from __future__ import annotations

import ast
import operator
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from palaestra.language.frontend.attributes import attribute
from palaestra.language.frontend.binding import LocalFunction, generator_in
from palaestra.language.frontend.building import NOTHING, Mark, Names, State, Target
from palaestra.language.frontend.calling import call
from palaestra.language.frontend.front import EXPRESSIONS, Activation, FrontEnd
from palaestra.language.frontend.generators import yield_item
from palaestra.language.frontend.iteration import items_of, read_in_turn, unpacked
from palaestra.language.frontend.narrowing import narrow, true_of
from palaestra.language.frontend.refusals import NeedsConstant, Refused, check_kept
from palaestra.language.frontend.texts import Piece, text_of
from palaestra.language.frontend.writing import is_within
from palaestra.language.program import BEYOND, EFFECTS, FULL, Value, statements_of
from palaestra.language.source import Source
from palaestra.language.types import PYTHON, UNBOUND, Either, Iterated, Term, constant, tuple_of

BINARY: dict[type[ast.operator], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
UNARY: dict[type[ast.unaryop], Callable[..., Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
COMPARISONS: dict[type[ast.cmpop], Callable[..., Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


def expression(form: type[ast.expr]) -> Callable[[Callable[[FrontEnd, Any], Term]], Callable[[FrontEnd, Any], Term]]:
    """Register the translation of a form of expression."""

    def register(handler: Callable[[FrontEnd, Any], Term]) -> Callable[[FrontEnd, Any], Term]:
        EXPRESSIONS[form] = handler
        return handler

    return register


@expression(ast.Constant)
def _constant(front: FrontEnd, node: ast.Constant) -> Term:
    return constant(node.value)


@expression(ast.Name)
def _name(front: FrontEnd, node: ast.Name) -> Term:
    return front.named(node.id)


@expression(ast.Tuple)
def _tuple(front: FrontEnd, node: ast.Tuple) -> Term:
    return tuple_of(_kept(front, node.elts))


@expression(ast.List)
def _list(front: FrontEnd, node: ast.List) -> Term:
    mark = front.mark()
    try:
        return front.allocate(_kept(front, node.elts), list)
    except NeedsConstant:
        if not any(isinstance(one, ast.Starred) for one in node.elts) or (front.counted and not front.unrolls_none):
            raise
        front.reset(mark)
    made = front.allocate([], list)
    for one in node.elts:
        is_starred = isinstance(one, ast.Starred)
        term = front.expression(read_now(front, one.value) if isinstance(one, ast.Starred) else one)
        front.operate(list.extend if is_starred else list.append, made, term)
    return made


def _kept(front: FrontEnd, nodes: list[ast.expr]) -> list[Term]:
    terms = _several(front, nodes)
    for term in terms:
        check_kept(term)
    return terms


@expression(ast.Set)
def _set(front: FrontEnd, node: ast.Set) -> Term:
    items = _several(front, node.elts)
    if not all(item.known for item in items) or any(isinstance(one, ast.Starred) for one in node.elts):
        return front.operate(set, tuple_of(items))
    names = {f"_{k}": item.value for k, item in enumerate(items)}
    is_written_out = all(isinstance(one, ast.Constant) for one in node.elts)  # then Python keeps it ready-made
    display = node if is_written_out else ast.Set([ast.Name(name, ast.Load()) for name in names])
    code = compile(ast.fix_missing_locations(ast.Expression(display)), "<set>", "eval")
    try:
        made = eval(code, names)
    except TypeError:
        front.raise_("TypeError")
    return front.operate((set, "fixed"), constant(made))


def read_now(front: FrontEnd, node: ast.expr) -> ast.expr:
    """Returns an expression whose items are read at once; those of a generator are those of a list."""
    node = _unmapped(front, node)
    if not isinstance(node, ast.GeneratorExp):
        return node
    return ast.copy_location(ast.ListComp(node.elt, node.generators), node)


def _unmapped(front: FrontEnd, node: ast.expr) -> ast.expr:
    """Returns a call of `map` or `filter` as the generator that it is."""
    match node:
        case ast.Call(func=ast.Name(id="map" | "filter"), args=[function, *sources], keywords=[]):
            called = front.expression(node.func)
        case _:
            return node
    is_starred = any(isinstance(one, ast.Starred) for one in node.args)
    if not sources or is_starred or not called.known or called.value not in (map, filter):
        return node
    names = [f".{k}" for k in range(len(sources))]
    targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    items: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
    several = len(sources) > 1
    source = ast.Call(_object(zip), sources, []) if several else sources[0]
    target = ast.Tuple(targets, ast.Store()) if several else targets[0]
    is_none = isinstance(function, ast.Constant) and function.value is None
    result: ast.expr = items[0] if is_none else ast.Call(function, items, [])
    if called.value is map:
        generator = ast.GeneratorExp(result, [ast.comprehension(target, source, [], 0)])
    else:
        generator = ast.GeneratorExp(items[0], [ast.comprehension(target, source, [result], 0)])
    return ast.fix_missing_locations(ast.copy_location(generator, node))


def _object(value: Any) -> ast.expr:
    """An expression of an object, whatever its name means here."""
    return ast.Constant(value)


def _several(
    front: FrontEnd, nodes: list[ast.expr], read: Callable[[FrontEnd, ast.expr], Term] = FrontEnd.expression
) -> list[Term]:
    terms: list[Term] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            terms += unpacked(front, front.expression(read_now(front, node.value)))
        else:
            terms.append(read(front, node))
    return terms


@expression(ast.Dict)
def _dict(front: FrontEnd, node: ast.Dict) -> Term:
    made = front.operate(dict)
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            front.operate(dict.update, made, front.expression(value))
            continue
        at = front.expression(key)
        front.operate((operator.setitem, "dict"), made, at, front.expression(value))
    return made


@expression(ast.DictComp)
def _dict_comprehension(front: FrontEnd, node: ast.DictComp) -> Term:
    first = _first_of(front, node.generators)
    if generator_in(first):
        return _grown(front, node, first)
    mark = front.mark()
    try:
        made = front.operate(dict)
        for pair in _comprehended(front, ast.Tuple([node.key, node.value], ast.Load()), node.generators, first):
            front.operate((operator.setitem, "dict"), made, *unpacked(front, pair))
        return made
    except NeedsConstant:
        if front.counted and not front.unrolls_none:
            raise
        front.reset(mark)
    return _grown(front, node, first)


@expression(ast.SetComp)
def _set_comprehension(front: FrontEnd, node: ast.SetComp) -> Term:
    generator = ast.copy_location(ast.GeneratorExp(node.elt, node.generators), node)
    call_of_set = ast.copy_location(ast.Call(ast.Name("set", ast.Load()), [generator], []), node)
    return _with_generator(front, constant(set), call_of_set, generator)


@expression(ast.BinOp)
def _binary(front: FrontEnd, node: ast.BinOp) -> Term:
    left = front.expression(node.left)
    return front.operate(BINARY[type(node.op)], left, front.expression(node.right))


@expression(ast.UnaryOp)
def _unary(front: FrontEnd, node: ast.UnaryOp) -> Term:
    return front.operate(UNARY[type(node.op)], front.expression(node.operand))


@expression(ast.BoolOp)
def _bool_op(front: FrontEnd, node: ast.BoolOp) -> Term:
    return _any_or_all(front, node.values, isinstance(node.op, ast.Or))


def _any_or_all(front: FrontEnd, nodes: list[ast.expr], any_of: bool) -> Term:
    first = front.expression(nodes[0])
    if len(nodes) == 1:
        return first
    truth = front.truth(first)
    if isinstance(truth, bool):
        return first if truth == any_of else _any_or_all(front, nodes[1:], any_of)

    def rest() -> Term:
        narrow(front, nodes[0], not any_of)
        return _any_or_all(front, nodes[1:], any_of)

    if any_of:
        return front.branch(truth, lambda: true_of(front, first), rest)
    return front.branch(truth, rest, lambda: first)


@expression(ast.Compare)
def _compare(front: FrontEnd, node: ast.Compare) -> Term:
    left = front.expression(node.left)
    return _chain(front, left, list(zip(node.ops, node.comparators, strict=True)))


def _chain(front: FrontEnd, left: Term, rest: list[tuple[ast.cmpop, ast.expr]]) -> Term:
    (op, node), *more = rest
    is_member = isinstance(op, (ast.In, ast.NotIn))
    right = _members(front, node) if is_member and isinstance(node, ast.Set) else front.expression(node)
    if is_member:
        item = front.operate((hash, "key"), left) if isinstance(node, ast.Set) else left
        answer = front.operate(operator.contains, right, item)
        answer = front.operate(operator.not_, answer) if isinstance(op, ast.NotIn) else answer
    else:
        answer = front.operate(COMPARISONS[type(op)], left, right)
    if not more:
        return answer
    truth = front.truth(answer)
    if isinstance(truth, bool):
        return _chain(front, right, more) if truth else answer
    return front.branch(truth, lambda: _chain(front, right, more), lambda: answer)


def _members(front: FrontEnd, node: ast.Set) -> Term:
    """The items of a set, of which nothing is read but whether one is in it."""
    return tuple_of([front.operate((hash, "key"), item) for item in _several(front, node.elts)])


@expression(ast.IfExp)
def _choice(front: FrontEnd, node: ast.IfExp) -> Term:
    truth = front.truth(front.expression(node.test))
    if isinstance(truth, bool):
        return front.expression(node.body if truth else node.orelse)

    def side(holds: bool, value: ast.expr) -> Callable[[], Term]:
        def write() -> Term:
            narrow(front, node.test, holds)
            return front.expression(value)

        return write

    return front.branch(truth, side(True, node.body), side(False, node.orelse))


@expression(ast.Attribute)
def _attribute(front: FrontEnd, node: ast.Attribute) -> Term:
    term = front.expression(node.value)
    name = front.activations[-1].source.mangled(node.attr)
    return front.split(term, lambda one: attribute(front, one, name), by_class=False)


@expression(ast.Subscript)
def _subscript(front: FrontEnd, node: ast.Subscript) -> Term:
    term = front.expression(node.value)
    return front.operate(operator.getitem, term, front.expression(node.slice))


@expression(ast.Slice)
def _slice(front: FrontEnd, node: ast.Slice) -> Term:
    parts = [front.expression(one) if one else constant(None) for one in (node.lower, node.upper, node.step)]
    return front.operate(slice, *parts)


@expression(ast.Call)
def _call(front: FrontEnd, node: ast.Call) -> Term:
    called = front.expression(node.func)
    first = _unmapped(front, node.args[0]) if node.args else None
    if isinstance(first, ast.GeneratorExp):
        return _with_generator(front, called, node, first)
    parts = [(isinstance(one, ast.Starred), _argument(front, one)) for one in node.args]
    named = _named(front, node.keywords)
    return front.split(called, lambda one: _called(front, one, parts, named))


def _argument(front: FrontEnd, node: ast.expr) -> Term:
    return front.expression(read_now(front, node.value)) if isinstance(node, ast.Starred) else front.argument(node)


def _called(front: FrontEnd, called: Term, parts: list[tuple[bool, Term]], named: dict[str, Term]) -> Term:
    """A call with arguments of which some are behind a star, and may be of several types."""
    terms: list[Term] = []
    for k, (is_starred, term) in enumerate(parts):
        if is_starred and isinstance(term.type, Either):
            before, behind = [(False, one) for one in terms], parts[k + 1 :]
            return front.each_option(term, lambda one: _called(front, called, [*before, (True, one), *behind], named))  # noqa: B023
        terms += unpacked(front, term) if is_starred else [term]
    return call(front, called, terms, named)


def _named(front: FrontEnd, keywords: list[ast.keyword]) -> dict[str, Term]:
    """The arguments by name."""
    named: dict[str, Term] = {}
    for keyword in keywords:
        if keyword.arg is not None:
            pairs = [(constant(keyword.arg), front.argument(keyword.value))]
        else:
            pairs = _pairs_in(front, front.expression(keyword.value))
        for name, value in pairs:
            if name.value in named or not isinstance(name.value, str):
                front.raise_("TypeError")
            named[name.value] = value
    return named


def _pairs_in(front: FrontEnd, term: Term) -> list[tuple[Term, Term]]:
    """The keys and values of a dict behind `**`."""
    pairs = items_of(front, front.operate((dict.items, "now"), term)) or []
    return [(key, value) for key, value in (unpacked(front, pair) for pair in pairs)]


@expression(ast.NamedExpr)
def _walrus(front: FrontEnd, node: ast.NamedExpr) -> Term:
    term = front.expression(node.value)
    check_kept(term)
    front.state.names[node.target.id] = term
    return term


@expression(ast.JoinedStr)
def _text(front: FrontEnd, node: ast.JoinedStr) -> Term:
    return text_of(front, (_piece(front, one) for one in node.values))


def _piece(front: FrontEnd, node: ast.expr) -> Piece:
    if not isinstance(node, ast.FormattedValue):
        return front.expression(node), -1, ""
    specification = _text(front, node.format_spec) if isinstance(node.format_spec, ast.JoinedStr) else constant("")
    if not specification.known:
        raise NeedsConstant("a format must be known when the program is compiled", "write it as text")
    return front.expression(node.value), node.conversion, specification.value


@expression(ast.Lambda)
def _lambda(front: FrontEnd, node: ast.Lambda) -> Term:
    return constant(local_function(front, node, "<lambda>"))


def local_function(front: FrontEnd, node: ast.Lambda | ast.FunctionDef, name: str) -> LocalFunction:
    """Returns a function that is defined here."""
    activation = front.activations[-1]
    activation.names = front.state.names
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [*zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True)]
    pairs += [(one, default) for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True) if default]
    defaults = {one.arg: front.expression(default) for one, default in pairs}
    source = Source(node, activation.source.file, f"{activation.source.name}.<locals>.{name}", activation.source.lookup)
    function = LocalFunction(source, defaults, lambda wanted: _name_outside(activation, wanted))
    key = node, tuple(term.type for term in defaults.values())
    return activation.functions.setdefault(key, function) if all(one.known for one in defaults.values()) else function


def _name_outside(activation: Activation, name: str) -> Term | None:
    if activation.names is None:
        raise Refused(f"'{name}' belongs to a function that has returned")
    term = activation.names.get(name)
    if term is None and name in activation.source.locals:
        return Term(UNBOUND)
    return term if term is not None else activation.outer(name)


@expression(ast.Yield)
def _yield(front: FrontEnd, node: ast.Yield) -> Term:
    yield_item(front, front.expression(node.value) if node.value else constant(None))
    return constant(None)


@expression(ast.YieldFrom)
def _yield_from(front: FrontEnd, node: ast.YieldFrom) -> Term:
    """Each item of an object, as a loop yields them."""
    item = ast.Yield(ast.Name(".item", ast.Load()))
    loop = ast.For(ast.Name(".item", ast.Store()), node.value, [ast.Expr(item)], [])
    front.statements([ast.fix_missing_locations(ast.copy_location(loop, node))])
    return constant(None)


@expression(ast.ListComp)
def _list_comprehension(front: FrontEnd, node: ast.ListComp) -> Term:
    first = _first_of(front, node.generators)
    if generator_in(first):
        return _grown(front, node, first)
    mark = front.mark()
    try:
        return front.allocate(_comprehended(front, node.elt, node.generators, first), list)
    except NeedsConstant:
        if front.counted and not front.unrolls_none:
            raise
        front.reset(mark)
    return _grown(front, node, first)


Comprehension = ast.ListComp | ast.GeneratorExp | ast.DictComp


def _first_of(front: FrontEnd, generators: list[ast.comprehension]) -> Term:
    """What the first loop of a comprehension runs over."""
    return front.begun(front.expression(generators[0].iter))


def _grown(front: FrontEnd, node: Comprehension, first: Term, unordered: bool = False) -> Term:
    """A list of as many items as are found when the program runs: a function with the comprehension's loops."""
    if any(isinstance(one, ast.NamedExpr) for one in ast.walk(node)):
        raise Refused("an assignment in a comprehension of unknown length is not in the language", "write a loop")
    if isinstance(node, ast.DictComp):
        name, items, empty = "__setitem__", [node.key, node.value], "{}"
    else:
        name, items, empty = "append", [node.elt], "[]"
    add = ast.Attribute(ast.Name(".made", ast.Load()), name, ast.Load())
    body: list[ast.stmt] = [ast.Expr(ast.Call(add, items, []))]
    body = [
        ast.Assign([ast.Name(".made", ast.Store())], ast.parse(empty, mode="eval").body),
        *_loops_around(body, node.generators),
        ast.Return(ast.Name(".made", ast.Load())),
    ]
    arguments = ast.arguments([], [ast.arg(ITEMS)], None, [], [], None, [])
    function = ast.FunctionDef("<listcomp>", arguments, body, [])
    made = local_function(front, ast.fix_missing_locations(ast.copy_location(function, node)), "<listcomp>")
    return front.run(made.source, {ITEMS: first}, made.outer, unordered)


ITEMS = ".items"


def _loops_around(body: list[ast.stmt], generators: list[ast.comprehension]) -> list[ast.stmt]:
    """The loops of a comprehension, the first over the name `ITEMS`."""
    for k, each in reversed(list(enumerate(generators))):
        for test in reversed(each.ifs):
            body = [ast.If(test, body, [])]
        body = [ast.For(each.target, each.iter if k else ast.Name(ITEMS, ast.Load()), body, [])]
    return body


@expression(ast.GeneratorExp)
def _generator(front: FrontEnd, node: ast.GeneratorExp) -> Term:
    raise Refused("a generator computes its items when they are read, which may be later", "write a list: [...]")


_READ_ALL = sum, min, max, tuple, list, sorted, deque, set, frozenset
_IN_LOOPS = sum, any, all


def _is_one_of(called: Term, functions: tuple[Any, ...]) -> bool:
    return called.known and any(called.value is one for one in functions)


def _with_generator(front: FrontEnd, called: Term, node: ast.Call, generator: ast.GeneratorExp) -> Term:
    """A call whose first argument is a generator: its items are read when the other arguments are there."""
    first = _first_of(front, generator.generators)
    terms, named = _several(front, node.args[1:], FrontEnd.argument), _named(front, node.keywords)
    if _is_one_of(called, (next,)):
        return _next_of(front, generator, [first, *terms], named)
    mark, read = front.mark(), front.sets_read
    try:
        if generator_in(first):
            raise NeedsConstant("a generator computes its items one by one", "write a `for` loop")
        if _is_one_of(called, (any, all)) and not terms:
            return _any_or_all_of(front, called, generator, first)
        items = tuple_of(_comprehended(front, generator.elt, generator.generators, first))
    except NeedsConstant:
        in_loops, has_names = (
            _is_one_of(called, _IN_LOOPS),
            any(isinstance(one, ast.NamedExpr) for one in ast.walk(generator)),
        )
        is_list = _is_one_of(called, _READ_ALL) and (not front.counted or front.unrolls_none or generator_in(first))
        if has_names or not (in_loops or is_list):
            raise
        front.reset(mark)
        if in_loops:
            answer = _in_loops(front, called.value, generator, [first, *terms], named)
            if front.sets_read > read:
                _check_unordered(front, mark, called.value, answer, named)
            return answer
        items = _grown(front, generator, first, _is_one_of(called, _OF_ANY_ORDER))
        if front.sets_read > read:
            _check_unordered(front, mark, called.value, items, named)
    if not _is_one_of(called, _READ_ALL):
        _check_pure(front, mark)
        items = Term(Iterated("generator", (items.type,)), items.parts)
    return front.split(called, lambda one: call(front, one, [items, *terms], named))


_OF_ANY_ORDER = sum, any, all, min, max, sorted, set, frozenset


def _check_unordered(front: FrontEnd, mark: Mark, called: Any, term: Term, named: dict[str, Term]) -> None:
    """Refuse a generator that runs over a set if the order of its items can be seen."""
    written = [one for one in statements_of(mark.region[mark.length :]) if isinstance(one, Value)]
    effects = [one for one in written if one.operation in EFFECTS and not is_within(one, {*written})]
    errors = {error for _, error in front.places[mark.places :]}
    is_open = called in (any, all) and not errors <= {BEYOND, FULL}  # it may end before what raises
    if effects or is_open or "key" in named or not front.operate((set, "exact"), term).value:
        reason = "the order in which items of a set are read can be seen here"
        raise Refused(reason, "run over sorted(...) of it")


def _check_pure(front: FrontEnd, mark: Mark) -> None:
    """Refuse items whose computation at once makes a difference: they have effects, or may fail."""
    written = [one for one in statements_of(mark.region[mark.length :]) if isinstance(one, Value)]
    is_pure = front.region is mark.region and len(front.places) == mark.places
    if not is_pure or any(one.operation in EFFECTS for one in written):
        raise Refused("a generator whose items draw, fail or change something, each when it is read", "write a list")


def _in_loops(
    front: FrontEnd, called: Any, generator: ast.GeneratorExp, terms: list[Term], named: dict[str, Term]
) -> Term:
    """A call of `sum`, `any` or `all` with a generator, as a function with the generator's loops."""
    total = ".total"
    body = _loops_around(_statement_of(called, generator.elt, total), generator.generators)
    end = ast.Name(total, ast.Load()) if called is sum else ast.Constant(called is all)
    names = [ITEMS, total] if called is sum else [ITEMS]
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    function = ast.FunctionDef(called.__name__, arguments, [*body, ast.Return(end)], [])
    made = local_function(front, ast.fix_missing_locations(ast.copy_location(function, generator)), called.__name__)
    start = [named.pop("start", constant(0))] if called is sum and len(terms) == 1 else []
    if named or len(terms) + len(start) != len(names):
        front.raise_("TypeError")
    answer = front.run(made.source, dict(zip(names, [*terms, *start], strict=True)), made.outer, unordered=True)
    if (
        called is sum
        and sys.version_info >= (3, 12)
        and PYTHON[float] in (answer.type.options if isinstance(answer.type, Either) else (answer.type,))
    ):
        raise Refused("sum() of floats depends on the version of Python", "write a loop")
    return answer


def _next_of(front: FrontEnd, generator: ast.GeneratorExp, terms: list[Term], named: dict[str, Term]) -> Term:
    """The first item of a generator, or else a default, as a function with the generator's loops."""
    if named or len(terms) > 2:
        front.raise_("TypeError")
    if any(isinstance(one, ast.NamedExpr) for one in ast.walk(generator)):
        raise Refused("an assignment in a generator that next() reads is not in the language", "write a loop")
    names = [ITEMS, ".default"][: len(terms)]
    end: ast.stmt = ast.Raise(ast.Name("StopIteration", ast.Load()))
    if len(terms) == 2:
        end = ast.Return(ast.Name(".default", ast.Load()))
    body = [*_loops_around([ast.Return(generator.elt)], generator.generators), end]
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    function = ast.FunctionDef("next", arguments, body, [])
    made = local_function(front, ast.fix_missing_locations(ast.copy_location(function, generator)), "next")
    return front.run(made.source, dict(zip(names, terms, strict=True)), made.outer)


def _statement_of(called: Any, item: ast.expr, total: str) -> list[ast.stmt]:
    """What is done with an item."""
    if called is sum:
        return [ast.Assign([ast.Name(total, ast.Store())], ast.BinOp(ast.Name(total, ast.Load()), ast.Add(), item))]
    test = item if called is any else ast.UnaryOp(ast.Not(), item)
    return [ast.If(test, [ast.Return(ast.Constant(called is any))], [])]


def _any_or_all_of(front: FrontEnd, called: Term, node: ast.GeneratorExp, first: Term) -> Term:
    """`any` or `all` of a generator, which ends at the first answer."""
    answer = called.value is any
    before = dict(front.state.names)

    def write(target: Target) -> Term:
        for item in _turns(front, node.elt, node.generators, first):
            _leave_if(front, item, answer, target)
            if not front.live:
                return NOTHING
        return constant(not answer)

    term = front.block(called.value.__name__, write)
    _restore(front, node.generators, before)
    return term


def _leave_if(front: FrontEnd, item: Term, answer: bool, target: Target) -> None:
    truth = front.truth(item)

    def leave() -> Term:
        front.leave(target, constant(answer))
        return NOTHING

    def stay() -> Term:
        return NOTHING

    if not isinstance(truth, bool):
        front.branch(truth, *((leave, stay) if answer else (stay, leave)))
    elif truth == answer:
        leave()


def _assign(front: FrontEnd, target: ast.expr, term: Term) -> None:
    """Assign an item of what a comprehension runs over."""
    if isinstance(target, ast.Name):
        front.state.names[target.id] = term
        return
    if not isinstance(target, (ast.Tuple, ast.List)):
        raise Refused(f"an assignment to `{ast.unparse(target)}` in a comprehension is not in the language")
    items = unpacked(front, term, len(target.elts))
    if len(items) != len(target.elts):
        front.raise_("ValueError")
    for one, item in zip(target.elts, items, strict=True):
        _assign(front, one, item)


def _comprehended(
    front: FrontEnd, item: ast.expr, generators: list[ast.comprehension], first: Term | None = None
) -> list[Term]:
    before = dict(front.state.names)
    terms = [*_turns(front, item, generators, first)]
    _restore(front, generators, before)
    return terms


def _restore(front: FrontEnd, generators: list[ast.comprehension], before: Names) -> None:
    """Give the names of a comprehension's own variables back to what is around it."""
    own = {one.id for each in generators for one in ast.walk(each.target) if isinstance(one, ast.Name)}
    names = {name: term for name, term in front.state.names.items() if name not in own}
    names |= {name: before[name] for name in own if name in before}
    front.state = State(names, front.state.heap)


def _turns(
    front: FrontEnd, item: ast.expr, generators: list[ast.comprehension], first: Term | None = None
) -> Iterator[Term]:
    """Yields the items of a comprehension; `first` is what its first loop runs over, if that is known."""
    if not generators:
        yield front.expression(item)
        return
    generator, *inner = generators
    for read in read_in_turn(front, _first_of(front, generators) if first is None else first):
        _assign(front, generator.target, read())
        if _passes(front, generator.ifs):
            yield from _turns(front, item, inner)


def _passes(front: FrontEnd, tests: list[ast.expr]) -> bool:
    for test in tests:
        truth = front.truth(front.expression(test))
        if not isinstance(truth, bool):
            reason = "a condition in a comprehension must be known when the program is compiled"
            raise NeedsConstant(reason, "write a loop with `if`")
        if not truth:
            return False
    return True
