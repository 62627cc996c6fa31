"""The translation of `if`, and of variables that several paths lead to."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.conditions import is_joined
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.kinds import (
    Incompatible,
    MixedKinds,
    SeedTest,
    Unknown,
)
from palaestra.language.plain.translation.scope import STATIC
from palaestra.language.plain.translation.statements import Statements
from palaestra.language.plain.translation.unit import Code, Locals, name


class Branches(Statements):
    """Translates `if`."""

    def _on_if(self, statement: ast.If) -> bool:
        self._testing = is_joined(statement.test)
        code = self.expr(statement.test)
        if isinstance(code.kind, SeedTest):
            self._check_without_effect(statement)
            return True
        test = self.truth(code)
        if isinstance(test, bool):
            return self.statements(statement.body if test else statement.orelse)
        first, sure = dict(self.locals), set(self.sure)
        ends: list[tuple[list[ast.stmt], Locals | None]] = []
        sures: list[set[str]] = []
        for body in (statement.body, statement.orelse):
            self.locals, self.sure = dict(first), set(sure)
            before = self.block()
            self.unit.depth += 1
            reached = self.statements(body)
            self.unit.depth -= 1
            inner, self.out = self.out, before
            ends.append((inner, self.locals if reached else None))
            sures += [self.sure] if reached else []
        self.sure = set.intersection(*sures) if sures else sure
        self.place = statement
        self.locals = self._merged(ends)
        (body_block, body_end), (else_block, else_end) = ends
        self.emit(ast.If(test, body_block or [ast.Pass()], else_block))
        return body_end is not None or else_end is not None

    def _on_match(self, statement: ast.Match) -> bool:
        """`match` of a number or a text with values, as `if` and `elif`."""
        self._temporaries += 1
        own = f"matched{self._temporaries}"
        self.bind(own, self.expr(statement.subject))
        found: list[ast.stmt] = []
        for case in reversed(statement.cases):
            tests = [self._pattern_test(own, case.pattern)] if not _is_wildcard(case.pattern) else []
            tests += [case.guard] if case.guard is not None else []
            if not tests:
                found = case.body
                continue
            test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
            chosen = ast.If(ast.copy_location(test, case.pattern), case.body, found)
            found = [ast.copy_location(chosen, case.pattern)]
        return self.statements(found)

    def _pattern_test(self, own: str, pattern: ast.pattern) -> ast.expr:
        if isinstance(pattern, ast.MatchOr):
            each = [self._pattern_test(own, one) for one in pattern.patterns]
            return ast.copy_location(ast.BoolOp(ast.Or(), each), pattern)
        if isinstance(pattern, ast.MatchValue):
            compared = ast.Compare(ast.copy_location(name(own), pattern), [ast.Eq()], [pattern.value])
            return ast.copy_location(compared, pattern)
        raise Refused("this pattern of `match` is not supported", "match values, or write if and elif", pattern)

    def _check_without_effect(self, statement: ast.If) -> None:
        """Refuse a branch that has an effect and depends on whether a seed came."""
        first, before = dict(self.locals), self.block()
        self.statements(statement.body)
        self.statements(statement.orelse)
        inner, self.out = self.out, before
        self.locals = first
        if inner:
            raise Refused("what happens here depends on whether a seed came", "call super().reset(seed=seed) only")

    def _merged(self, ends: Sequence[tuple[list[ast.stmt], Locals | None]]) -> Locals:
        """Returns the variables after branches, each of which is brought to the kind that holds all of its values."""
        known = [(block, found) for block, found in ends if found is not None]
        if len(known) < 2:
            return dict(known[0][1]) if known else {}
        result: Locals = {}
        for key in dict.fromkeys(key for _, found in known for key in found):
            codes = [found[key] for _, found in known if key in found]
            if len(codes) < len(known) and isinstance(codes[0].kind, STATIC):
                continue
            try:
                result[key] = self._joined_variable(key, [(block, found.get(key)) for block, found in known])
            except (Incompatible, Refused):
                result[key] = Code(None, mixed_kinds(key, codes))
        return result

    def _joined_variable(self, key: str, sides: Sequence[tuple[list[ast.stmt], Code | None]]) -> Code:
        codes = [code for _, code in sides if code is not None]
        kind = self.join_of(codes)
        origins = frozenset[str]().union(*(code.origins for code in codes))
        if isinstance(kind, (*STATIC, Unknown)):
            return Code(None, kind)
        own = self.local(key)
        for block, code in sides:
            if code is None or (code.kind == kind and isinstance(code.node, ast.Name) and code.node.id == own):
                continue
            before, self.out = self.out, block
            try:
                self.emit(ast.Assign([ast.Name(own, ast.Store())], self.as_kind(code, kind)))
            finally:
                self.out = before
        return Code(name(own), kind, origins)


def _is_wildcard(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.name is None and pattern.pattern is None


def mixed_kinds(key: str, codes: Sequence[Code]) -> MixedKinds:
    """Returns the kind of a variable that holds values of several kinds."""
    return MixedKinds(f"`{key}` is a {' or a '.join(sorted({described(one.kind) for one in codes}))}")
