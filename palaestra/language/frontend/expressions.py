"""The forms of expressions."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import Any

from palaestra.language.frontend.attributes import attribute
from palaestra.language.frontend.binding import LocalFunction
from palaestra.language.frontend.building import NOTHING, Names, State, Target
from palaestra.language.frontend.calling import call
from palaestra.language.frontend.front import EXPRESSIONS, Activation, FrontEnd
from palaestra.language.frontend.iteration import read_in_turn, unpacked
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.program import EFFECTS, Value, statements_of
from palaestra.language.source import Source
from palaestra.language.types import UNBOUND, Term, constant, tuple_of

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
    return tuple_of(_several(front, node.elts))


@expression(ast.List)
def _list(front: FrontEnd, node: ast.List) -> Term:
    return front.allocate(_several(front, node.elts), list)


def _several(
    front: FrontEnd, nodes: list[ast.expr], read: Callable[[FrontEnd, ast.expr], Term] = FrontEnd.expression
) -> list[Term]:
    terms: list[Term] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            terms += unpacked(front, front.expression(node.value))
        else:
            terms.append(read(front, node))
    return terms


@expression(ast.Dict)
def _dict(front: FrontEnd, node: ast.Dict) -> Term:
    made = front.operate(dict)
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            raise Refused("** in a dict is not in the language", "write its items out")
        at = front.expression(key)
        front.operate((operator.setitem, "dict"), made, at, front.expression(value))
    return made


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
        return _any_or_all(front, nodes[1:], any_of)

    return front.branch(truth, lambda: first, rest) if any_of else front.branch(truth, rest, lambda: first)


@expression(ast.Compare)
def _compare(front: FrontEnd, node: ast.Compare) -> Term:
    left = front.expression(node.left)
    return _chain(front, left, list(zip(node.ops, node.comparators, strict=True)))


def _chain(front: FrontEnd, left: Term, rest: list[tuple[ast.cmpop, ast.expr]]) -> Term:
    (op, node), *more = rest
    right = front.expression(node)
    if isinstance(op, (ast.In, ast.NotIn)):
        answer = front.operate(operator.contains, right, left)
        answer = front.operate(operator.not_, answer) if isinstance(op, ast.NotIn) else answer
    else:
        answer = front.operate(COMPARISONS[type(op)], left, right)
    if not more:
        return answer
    truth = front.truth(answer)
    if isinstance(truth, bool):
        return _chain(front, right, more) if truth else answer
    return front.branch(truth, lambda: _chain(front, right, more), lambda: answer)


@expression(ast.IfExp)
def _choice(front: FrontEnd, node: ast.IfExp) -> Term:
    truth = front.truth(front.expression(node.test))
    if isinstance(truth, bool):
        return front.expression(node.body if truth else node.orelse)
    return front.branch(truth, lambda: front.expression(node.body), lambda: front.expression(node.orelse))


@expression(ast.Attribute)
def _attribute(front: FrontEnd, node: ast.Attribute) -> Term:
    term = front.expression(node.value)
    return front.split(term, lambda one: attribute(front, one, node.attr))


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
    if _is_one_of(called, (any, all)) and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
        return _any_or_all_of(front, called, node.args[0])
    terms = _read_at_once(front, called, node.args)
    named: dict[str, Term] = {}
    for keyword in node.keywords:
        if keyword.arg is not None:
            named[keyword.arg] = front.argument(keyword.value)
            continue
        term = front.expression(keyword.value)
        if term.known and isinstance(term.value, dict):
            named |= {name: constant(value) for name, value in term.value.items()}
        else:
            raise Refused(f"{term.type} behind ** is not in the language", "write its items out")
    return front.split(called, lambda one: call(front, one, terms, named))


@expression(ast.NamedExpr)
def _walrus(front: FrontEnd, node: ast.NamedExpr) -> Term:
    term = front.expression(node.value)
    front.state.names[node.target.id] = term
    return term


@expression(ast.JoinedStr)
def _text(front: FrontEnd, node: ast.JoinedStr) -> Term:
    parts = [front.expression(one.value if isinstance(one, ast.FormattedValue) else one) for one in node.values]
    if not all(part.known for part in parts):
        raise NeedsConstant("a text with a number that changes is not in the language")
    names = {f"_{k}": part.value for k, part in enumerate(parts)}
    values: list[ast.expr] = [
        ast.FormattedValue(ast.Name(f"_{k}", ast.Load()), one.conversion, one.format_spec)
        if isinstance(one, ast.FormattedValue)
        else one
        for k, one in enumerate(node.values)
    ]
    text = ast.fix_missing_locations(ast.Expression(ast.JoinedStr(values)))
    return constant(eval(compile(text, "<text>", "eval"), names))


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
    source = Source(node, activation.source.file, f"{activation.source.name}.{name}", activation.source.lookup)
    function = LocalFunction(source, defaults, lambda wanted: _name_outside(activation, wanted))
    return function if defaults else activation.functions.setdefault(node, function)


def _name_outside(activation: Activation, name: str) -> Term | None:
    if activation.names is None:
        raise Refused(f"'{name}' belongs to a function that has returned")
    term = activation.names.get(name)
    if term is None and name in activation.source.locals:
        return Term(UNBOUND)
    return term if term is not None else activation.outer(name)


@expression(ast.ListComp)
def _list_comprehension(front: FrontEnd, node: ast.ListComp) -> Term:
    return front.allocate(_comprehended(front, node.elt, node.generators), list)


@expression(ast.GeneratorExp)
def _generator(front: FrontEnd, node: ast.GeneratorExp) -> Term:
    """Compute the items at once: without effects and exceptions, the order makes no difference."""
    region, start, places = front.region, len(front.region), len(front.places)
    items = _comprehended(front, node.elt, node.generators)
    written = [one for one in statements_of(front.region[start:]) if isinstance(one, Value)]
    if front.region is not region or len(front.places) > places or any(one.operation in EFFECTS for one in written):
        raise Refused("a generator whose items draw, fail or change something, each when it is read", "write a list")
    return tuple_of(items)


_READ_ALL = sum, min, max, tuple, list, sorted


def _is_one_of(called: Term, functions: tuple[Any, ...]) -> bool:
    return called.known and any(called.value is one for one in functions)


def _read_at_once(front: FrontEnd, called: Term, nodes: list[ast.expr]) -> list[Term]:
    """The arguments of a call; a function that reads all items of a generator at once may have any generator."""
    if _is_one_of(called, _READ_ALL) and nodes and isinstance(nodes[0], ast.GeneratorExp):
        items = tuple_of(_comprehended(front, nodes[0].elt, nodes[0].generators))
        return [items, *_several(front, nodes[1:], FrontEnd.argument)]
    return _several(front, nodes, FrontEnd.argument)


def _any_or_all_of(front: FrontEnd, called: Term, node: ast.GeneratorExp) -> Term:
    """`any` or `all` of a generator, which ends at the first answer."""
    answer = called.value is any
    before = dict(front.state.names)

    def write(target: Target) -> Term:
        for item in _turns(front, node.elt, node.generators):
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
    items = unpacked(front, term)
    if len(items) != len(target.elts):
        front.raise_("ValueError")
    for one, item in zip(target.elts, items, strict=True):
        _assign(front, one, item)


def _comprehended(front: FrontEnd, item: ast.expr, generators: list[ast.comprehension]) -> list[Term]:
    before = dict(front.state.names)
    terms = [*_turns(front, item, generators)]
    _restore(front, generators, before)
    return terms


def _restore(front: FrontEnd, generators: list[ast.comprehension], before: Names) -> None:
    """Give the names of a comprehension's own variables back to what is around it."""
    own = {one.id for each in generators for one in ast.walk(each.target) if isinstance(one, ast.Name)}
    names = {name: term for name, term in front.state.names.items() if name not in own}
    names |= {name: before[name] for name in own if name in before}
    front.state = State(names, front.state.heap)


def _turns(front: FrontEnd, item: ast.expr, generators: list[ast.comprehension]) -> Iterator[Term]:
    if not generators:
        yield front.expression(item)
        return
    generator, *inner = generators
    for read in read_in_turn(front, front.expression(generator.iter)):
        _assign(front, generator.target, read())
        truths = [front.truth(front.expression(test)) for test in generator.ifs]
        if not all(isinstance(truth, bool) for truth in truths):
            raise NeedsConstant("a condition in a comprehension must be known when the program is compiled")
        if all(truths):
            yield from _turns(front, item, inner)
