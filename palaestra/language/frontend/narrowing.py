"""What a condition says about the types of variables: in `if x is not None:`, x is not None.

On a side of a branch, a variable or an attribute of several types has those that fit the condition. Where the sides
meet, it is what it was before, unless it was assigned.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.building import keys_of
from palaestra.language.frontend.groups import is_of_several
from palaestra.language.frontend.refusals import Refused
from palaestra.language.types import UNBOUND, Constant, Either, Placed, Reference, Seed, Term, Type

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

Test = Callable[[Type], bool | None]
"""Returns whether objects of a type pass a condition; None if some do and some do not."""


def narrow(front: FrontEnd, condition: ast.expr, holds: bool) -> None:
    """Let variables have the types with which a condition holds, or does not."""
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            narrow(front, operand, not holds)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) == holds:
            for value in values:
                narrow(front, value, holds)
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]):
            _keep(front, left, _is_none, holds == isinstance(op, ast.Is))
        case ast.Name() | ast.Attribute():
            _keep(front, condition, _is_true, holds)
        case ast.Call(func=ast.Name(id="isinstance"), args=[place, ast.Name() | ast.Attribute() as of]):
            _keep_instances(front, place, of, holds)


def true_of(front: FrontEnd, term: Term) -> Term:
    """Returns an object that is true, without the options that are not."""
    if not isinstance(term.type, Either):
        return term
    kept = [k for k, option in enumerate(term.type.options) if _is_true(option) is not False]
    return front.narrowed(term, kept) if 0 < len(kept) < len(term.type.options) else term


def _is_none(kind: Type) -> bool:
    return isinstance(kind, Constant) and kind.value is None


def _is_true(kind: Type) -> bool | None:
    return False if isinstance(kind, Constant) and kind.value in (None, False) and kind != UNBOUND else None


def _keep_instances(front: FrontEnd, place: ast.expr, of: ast.expr, holds: bool) -> None:
    from palaestra.language.frontend.attributes import class_of

    classes = front.expression(of)
    if not (classes.known and isinstance(classes.value, type)):
        return

    def test(kind: Type) -> bool | None:
        try:
            return issubclass(class_of(kind), classes.value)
        except (Refused, TypeError):
            return None

    _keep(front, place, test, holds)


def _keep(front: FrontEnd, place: ast.expr, test: Test, holds: bool) -> None:
    """Keep the options of what is at a place that pass a test, or that do not."""
    found = _found_at(front, place)
    if found is None:
        return
    term, write = found
    if term.type == Seed() and test is _is_none and not holds:
        given = Term(Seed(True))
        front.wide[id(given)] = given, front.widest(term)
        write(given)
    if is_of_several(term):
        _keep_classes(front, term, write, test, holds)
    if not isinstance(term.type, Either):
        return
    kept = [k for k, option in enumerate(term.type.options) if test(option) is not (not holds)]
    if 0 < len(kept) < len(term.type.options):
        write(front.narrowed(term, kept))


def _keep_classes(front: FrontEnd, term: Term, write: Callable[[Term], None], test: Test, holds: bool) -> None:
    """Keep the classes of an object in a pool that pass a test, or that do not."""
    assert isinstance(term.type, Placed)
    root = term.type.root
    kept = tuple(of for of in term.type.classes if test(Placed(root, (of,))) is not (not holds))
    if 0 < len(kept) < len(term.type.classes):
        found = Term(Placed(root, kept), term.parts)
        front.wide[id(found)] = found, front.widest(term)
        write(found)


def _found_at(front: FrontEnd, place: ast.expr) -> tuple[Term, Callable[[Term], None]] | None:
    """What a variable or an attribute holds, and what writes another object there; None for other expressions."""
    match place:
        case ast.NamedExpr(target=ast.Name(id=name)) | ast.Name(id=name):
            term = front.state.names.get(name)
            return None if term is None else (term, lambda one: front.state.names.__setitem__(name, one))
        case ast.Attribute(value=value, attr=attr):
            owner = _found_at(front, value)
            if owner is None or not isinstance(owner[0].type, Reference):
                return None
            return _held_by(front, owner[0].type, front.activations[-1].source.mangled(attr))
    return None


def _held_by(front: FrontEnd, owner: Reference, name: str) -> tuple[Term, Callable[[Term], None]] | None:
    contents: Any = front.state.heap.get(owner.number)
    keys = keys_of(contents) if contents else None
    if owner.of is dict or keys is None or name not in keys:
        return None
    k = keys.index(name) + 1

    def write(term: Term) -> None:
        before = front.state.heap[owner.number]
        front.state.heap[owner.number] = (*before[:k], term, *before[k + 1 :])

    return contents[k], write
