"""The translation of loops, whose variables get kinds that hold all of their values."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Any

from palaestra.language.plain.outward import LENGTHS
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sources import Source
from palaestra.language.plain.translation.branches import Branches, mixed_kinds
from palaestra.language.plain.translation.iteration import Unrolled, iteration
from palaestra.language.plain.translation.kinds import (
    Incompatible,
    Kind,
    Unknown,
    joined,
)
from palaestra.language.plain.translation.scope import STATIC
from palaestra.language.plain.translation.unit import Code, Locals, Unit, Written, name, zero_node


class Loops(Branches):
    """Translates `for` and `while`."""

    def __init__(self, unit: Unit, source: Source, written: Written, kind: type | None) -> None:
        super().__init__(unit, source, written, kind)
        self._loops: list[_Loop] = []

    def _with_else(self, statement: ast.While | ast.For) -> bool:
        """`else` of a loop, as a flag that every `break` sets."""
        self._temporaries += 1
        flag = f"broken{self._temporaries}"
        lowered = _at(ast.Assign([_named(flag, True, statement)], _at(ast.Constant(False), statement)), statement)
        unbroken = _at(ast.UnaryOp(ast.Not(), _named(flag, False, statement)), statement)
        after = _at(ast.If(unbroken, statement.orelse, []), statement)
        known, mark = {*self.locals}, len(self.out)
        if not self.statements([lowered, _Marking(flag).marked(statement)]):
            return False
        sure = [*_assigned_at_breaks(statement.body, set()), _assigned(statement.orelse)]
        self._begin_with_zeros(set.intersection(*[one for one in sure if one is not None] or [set()]) - known, mark)
        return self.statements([after])

    def _begin_with_zeros(self, variables: set[str], mark: int) -> None:
        """Give variables a value at a place before a loop, which every path behind it replaces."""
        behind = self.out[mark:]
        del self.out[mark:]
        for key in sorted(variables & self.locals.keys()):
            kind = self.locals[key].kind
            if not isinstance(kind, (*STATIC, Unknown)):
                with suppress(Refused):
                    self.emit(ast.Assign([ast.Name(self.local(key), ast.Store())], zero_node(kind)))
        self.out += behind

    def _on_while(self, statement: ast.While) -> bool:
        if statement.orelse:
            return self._with_else(statement)

        def head() -> tuple[ast.expr | bool, list[ast.stmt]]:
            before = self.block()
            test = self.test(statement.test)
            late, self.out = self.out, before
            return test, late

        def made(body: list[ast.stmt], test: Any, late: list[ast.stmt]) -> ast.stmt:
            if late:
                stop: list[ast.stmt] = [ast.If(ast.UnaryOp(ast.Not(), test), [ast.Break()], [])]
                return ast.While(ast.Constant(True), [*late, *stop, *body], [])
            return ast.While(ast.Constant(True) if test is True else test, body, [])

        return self._loop(statement.body, head, made, None)

    def _on_for(self, statement: ast.For) -> bool:
        if statement.orelse:
            return self._with_else(statement)
        self._check_kept(statement)
        iterated = iteration(self, statement.iter)
        if isinstance(iterated, Unrolled):
            return self._unrolled(statement, iterated.items)
        self._temporaries += 1
        index = iterated.variable or f"_t{self._temporaries}"

        def begin() -> None:
            self.assign(statement.target, iterated.item(name(index)))

        def made(body: list[ast.stmt], test: object, late: list[ast.stmt]) -> ast.stmt:
            return ast.For(ast.Name(index, ast.Store()), iterated.over, body, [])

        self._loop(statement.body, lambda: (True, []), made, begin)
        return True

    def _check_kept(self, statement: ast.For) -> None:
        """Refuse a list that grows while a loop goes through it."""
        for one in _of_loop(statement.body, deeply=True):
            if not (isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in LENGTHS):
                continue
            if ast.dump(one.func.value) == ast.dump(statement.iter):
                raise Refused("a list changes its length while a loop goes through it", "write while i < len(a)", one)

    def _unrolled(self, statement: ast.For, items: Sequence[Code]) -> bool:
        if any(isinstance(one, (ast.Break, ast.Continue)) for one in _of_loop(statement.body)):
            raise Refused("a loop over values of several kinds with `break` or `continue`", "loop over numbers")
        for item in items:
            self.place = statement
            self.assign(statement.target, item)
            if not self.statements(statement.body):
                return False
        return True

    def _loop(self, body: Sequence[ast.stmt], head: Any, made: Any, begin: Any) -> bool:
        """A loop, whose variables are brought to kinds that hold all of their values; returns whether it ends."""
        place = self.place
        for _ in range(8):
            self.place = place
            entry, sure = dict(self.locals), set(self.sure)
            refused, known = dict(self.unit.refusals.found), set(self.unit.done)
            loop = _Loop(entry)
            self._loops.append(loop)
            test, late = head()
            before = self.block()
            if begin is not None:
                begin()
            self.unit.depth += 1
            reached = self.statements(body)
            self.unit.depth -= 1
            self.place = place
            if reached:
                self._converge(loop)
            inner, self.out = self.out, before
            self._loops.pop()
            self.sure = set.intersection(*loop.sure) if test is True and begin is None and loop.sure else sure
            if test is False:
                self.locals = entry
                return True
            if not loop.wider:
                self.locals = {**{key: code for key, code in loop.fresh.items() if key not in entry}, **loop.entry}
                self.emit(made(inner or [ast.Pass()], test, late))
                return test is not True or loop.breaks or begin is not None
            if not any(type(kind) is Unknown for kind in loop.wider.values()):
                # What was refused here may be accepted with other kinds.
                for key in set(self.unit.done) - known if self.unit.refusals.found != refused else ():
                    self.unit.functions.remove(self.unit.done.pop(key))
                self.unit.refusals.found = refused
            self.locals = entry
            for key, kind in loop.wider.items():
                self._widen_local(key, entry[key], kind)
        raise Refused("the variables of this loop have no kinds that stay")

    def _widen_local(self, key: str, code: Code, kind: Kind) -> None:
        if isinstance(kind, Unknown):
            self.locals[key] = Code(None, kind)
            return
        own = self.local(key)
        self.emit(ast.Assign([ast.Name(own, ast.Store())], self.as_kind(code, kind)))
        self.locals[key] = Code(name(own), kind, code.origins)

    def _converge(self, loop: _Loop) -> None:
        """Bring the variables to the kinds that they have at the beginning of the loop."""
        for key, code in self.locals.items():
            if key not in loop.entry:
                with suppress(Incompatible):
                    known = loop.fresh.get(key)
                    kind = joined(known.kind, code.kind) if known else code.kind
                    loop.fresh[key] = code._replace(kind=kind)
                continue
            first = loop.entry[key]
            if first is code:
                continue
            origins = first.origins | code.origins
            try:
                kind = joined(first.kind, code.kind)
            except Incompatible:
                loop.wider[key] = mixed_kinds(key, [first, code])
                continue
            if kind != first.kind or (first.node is None and code.node is not None and not isinstance(kind, Unknown)):
                loop.wider[key] = kind
            elif not isinstance(kind, (*STATIC, Unknown)):
                own = self.local(key)
                if not (isinstance(code.node, ast.Name) and code.node.id == own and code.kind == kind):
                    self.emit(ast.Assign([ast.Name(own, ast.Store())], self.as_kind(code, kind)))
                loop.entry[key] = Code(name(own), kind, origins)

    def _on_break(self, statement: ast.Break) -> bool:
        self._loops[-1].breaks = True
        self._loops[-1].sure.append(set(self.sure))
        self._converge(self._loops[-1])
        self.emit(ast.Break())
        return False

    def _on_continue(self, statement: ast.Continue) -> bool:
        self._converge(self._loops[-1])
        self.emit(ast.Continue())
        return False


def _assigned(body: Sequence[ast.stmt]) -> set[str] | None:
    """Returns the variables that statements surely assign; None if nothing behind them is reached."""
    found = set[str]()
    for one in body:
        if isinstance(one, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return None
        if isinstance(one, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and one.value is not None:
            found |= {at.id for at in ast.walk(one) if isinstance(at, ast.Name) and isinstance(at.ctx, ast.Store)}
        if isinstance(one, ast.If):
            ends = [end for end in (_assigned(one.body), _assigned(one.orelse)) if end is not None]
            if not ends:
                return None
            found |= set.intersection(*ends)
    return found


def _assigned_at_breaks(body: Sequence[ast.stmt], before: set[str]) -> Iterator[set[str]]:
    """Yields the variables that are surely assigned at each `break` of a loop."""
    for k, one in enumerate(body):
        here = before | (_assigned(body[:k]) or set())
        if isinstance(one, ast.Break):
            yield here
        elif isinstance(one, ast.If):
            yield from _assigned_at_breaks(one.body, here)
            yield from _assigned_at_breaks(one.orelse, here)
        elif isinstance(one, (ast.With, ast.Match, ast.Try)):
            yield set()  # a `break` in it is not looked for


class _Loop:
    """A loop being translated: the variables at its beginning, and at the end of its body."""

    def __init__(self, entry: Locals) -> None:
        self.entry = dict(entry)
        self.fresh: Locals = {}
        self.wider: dict[str, Kind] = {}
        self.breaks = False
        self.sure: list[set[str]] = []  # the attributes that are assigned before each break


class _Marking(ast.NodeTransformer):
    """Sets a flag before each `break` of one loop."""

    def __init__(self, flag: str) -> None:
        self._flag = flag

    def marked(self, loop: ast.While | ast.For) -> ast.stmt:
        """Returns the loop without its `else`."""
        copy = deepcopy(loop)
        copy.orelse = []
        copy.body = [part for one in copy.body for part in _listed(self.visit(one))]
        return copy

    def visit(self, node: ast.AST) -> Any:
        """Puts an assignment before each `break`, and leaves inner loops as they are."""
        if isinstance(node, ast.Break):
            return [_at(ast.Assign([_named(self._flag, True, node)], _at(ast.Constant(True), node)), node), node]
        return node if isinstance(node, (ast.For, ast.While)) else self.generic_visit(node)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _at(node: Any, place: ast.AST) -> Any:
    return ast.copy_location(node, place)


def _named(key: str, stored: bool, place: ast.AST) -> Any:
    return _at(ast.Name(key, ast.Store() if stored else ast.Load()), place)


def _of_loop(body: Sequence[ast.stmt], deeply: bool = False) -> list[ast.AST]:
    """Returns the nodes of a loop's body, without or with those of loops in it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(body)
    while waiting:
        one = waiting.pop()
        found.append(one)
        if deeply or not isinstance(one, (ast.For, ast.While)):
            waiting += list(ast.iter_child_nodes(one))
    return found
