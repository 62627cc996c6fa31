"""The translation of assignments."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.dicts import store_dict
from palaestra.language.plain.translation.expressions import Expressions
from palaestra.language.plain.translation.kinds import (
    Array,
    Constant,
    Growing,
    Opaque,
    Place,
    Unknown,
    holds_dicts,
)
from palaestra.language.plain.translation.objects import make_anew
from palaestra.language.plain.translation.places import store
from palaestra.language.plain.translation.scope import STATIC
from palaestra.language.plain.translation.storing import held_target, store_item, write_into
from palaestra.language.plain.translation.unit import Code, called


class Assignments(Expressions):
    """Translates assignments to variables, attributes and elements."""

    def _on_assign(self, statement: ast.Assign) -> None:
        if len(statement.targets) == 1 and self._pairwise(statement.targets[0], statement.value):
            return
        if len(statement.targets) == 1 and self._made_anew(statement.targets[0], statement.value):
            return
        value = statement.value
        if isinstance(value, ast.GeneratorExp):
            if len(statement.targets) > 1 or not isinstance(statement.targets[0], (ast.Tuple, ast.List)):
                raise Refused("a generator is kept, and computed later", "write a list, [...]")
            value = ast.copy_location(ast.ListComp(value.elt, value.generators), value)  # all of it is taken at once
        code = self.expr(value)
        if len(statement.targets) > 1:
            code = self.held(self.plain(code)) if not isinstance(code.kind, STATIC) else code
        for target in statement.targets:
            self.assign(target, code)

    def _pairwise(self, target: ast.expr, value: ast.expr) -> bool:
        """`a, b = x, y`: every value first, then every assignment."""
        if not (isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List))):
            return False
        parts = [*target.elts, *value.elts]
        if len(target.elts) != len(value.elts) or any(isinstance(one, ast.Starred) for one in parts):
            return False
        codes = [self.plain(code) for code in self.exprs(value.elts)]
        held = [code if isinstance(code.kind, (*STATIC, Unknown)) else self._copied(code) for code in codes]
        for one, code in zip(target.elts, held, strict=True):
            self.assign(one, code)
        return True

    def _copied(self, code: Code) -> Code:
        if isinstance(code.node, ast.Constant):
            return code
        return code._replace(node=self.temporary(self.node_of(code)))

    def _made_anew(self, target: ast.expr, value: ast.expr) -> bool:
        """`self.agent = Agent(...)`, where an object of this class was: its attributes are assigned."""
        if not (isinstance(target, ast.Attribute) and isinstance(value, ast.Call)):
            return False
        if not isinstance(value.func, (ast.Name, ast.Attribute)) or not isinstance(target.value, ast.Name):
            return False
        owner = self.expr(target.value).kind
        if not isinstance(owner, Place) or (*owner.path, self.mangled(target.attr)) not in self.unit.model.places:
            return False
        made = self.expr(value.func).kind
        if not (isinstance(made, Constant) and isinstance(made.value, type)):
            return False
        return make_anew(self, Place((*owner.path, self.mangled(target.attr))), made.value, value)

    def _on_annassign(self, statement: ast.AnnAssign) -> None:
        if statement.value is not None and not self._made_anew(statement.target, statement.value):
            self.assign(statement.target, self.expr(statement.value))

    def assign(self, target: ast.expr, code: Code) -> None:
        """Assign a value to a variable, an attribute, an element, or to several of them."""
        if isinstance(target, ast.Name):
            self._assign_name(target.id, code)
        elif isinstance(target, ast.Attribute):
            owner = self.expr(target.value)
            if isinstance(owner.kind, Unknown):
                return
            if not isinstance(owner.kind, Place):
                raise Refused("an attribute of something that is not kept in self is assigned", "", target)
            store(self, owner.kind, target.attr, code)
        elif isinstance(target, ast.Subscript):
            store_item(self, target, code)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._assign_parts(target.elts, code)
        else:
            raise Refused("this cannot be assigned to", "", target)

    def _assign_name(self, variable: str, code: Code) -> None:
        if variable in self._declared_global():
            raise Refused(f"the global `{variable}` is assigned", "keep it in an attribute of self")
        self.bind(variable, code)

    def _declared_global(self) -> set[str]:
        found = (one for one in ast.walk(self.source.tree) if isinstance(one, (ast.Global, ast.Nonlocal)))
        return {key for one in found for key in one.names}

    def _assign_parts(self, targets: Sequence[ast.expr], code: Code) -> None:
        if any(isinstance(one, ast.Starred) for one in targets):
            raise Refused("`a, *b = ...` is not supported", "write indices")
        code = self.present(code)
        if isinstance(code.kind, Unknown):
            for one in targets:
                if isinstance(one, ast.Name):
                    self.locals[one.id] = code
            return
        code = self.held(code)
        if isinstance(code.kind, Array) and code.kind.shape is None:
            size = ast.Constant(len(targets))
            code = self.held(code._replace(node=called(self.helper("of_size"), self.node_of(code), size)))
        elif not isinstance(code.kind, (Opaque, Growing)):
            count = len(self.parts(code))
            if count != len(targets):
                raise Refused(f"{len(targets)} variables on the left, but {count} values on the right")
        # All values first, because an assignment may change what the next one is read from.
        parts = [self.item(code, k) for k in range(len(targets))]
        named = [one.id for one in targets if isinstance(one, ast.Name)]
        again = isinstance(code.node, ast.Name) and code.node.id in named
        if again or len(named) < len(targets) or isinstance(code.kind, Array) or isinstance(code.node, ast.Tuple):
            parts = [part if isinstance(part.kind, (*STATIC, Unknown)) else self._copied(part) for part in parts]
        for one, part in zip(targets, parts, strict=True):
            self.assign(one, part)

    def _on_augassign(self, statement: ast.AugAssign) -> None:
        target = statement.target
        if isinstance(target, ast.Subscript):
            known = set(self.locals)
            target = held_target(self, target)
            held = set(self.locals) - known
            try:
                self._augmented(statement, target)
            finally:
                for key in held:
                    self.locals.pop(key, None)
            return
        self._augmented(statement, target)

    def _augmented(self, statement: ast.AugAssign, target: ast.expr) -> None:
        load: Any = ast.copy_location(type(target)(**{**_fields(target), "ctx": ast.Load()}), target)
        before = self.expr(load)
        mark, late = len(self.out), self.value(statement.value)
        if len(self.out) > mark:  # the right side may change what has been read
            found = [before, late]
            self._hold_before(found[:1], found, mark)
            before = found[0]
        if isinstance(before.kind, Array) and not before.kind.listed:
            if not isinstance(target, ast.Subscript):
                self._in_place(before, statement, late)
                return
            result = self.present(self.operation(statement.op, before, late))
            if not isinstance(result.kind, Array) or not _fits_in_place(result.kind, before.kind):
                raise Refused("this changes an array in a way that is not known here", "write a[i] = a[i] ... b")
            self.assign(target, result)
            return
        if isinstance(before.kind, (Growing,)) or (isinstance(before.kind, Array) and before.kind.listed):
            raise Refused("`+=` of a list is not supported", "use an array, or append")
        result = self.operation(statement.op, before, late)
        if holds_dicts(before.kind):
            store_dict(self, load, before, result)
        else:
            self.assign(target, result)

    def _in_place(self, before: Code, statement: ast.AugAssign, value: Code) -> None:
        before = self.held(before)
        assert isinstance(before.kind, Array)
        result = self.present(self.operation(statement.op, before, value))
        if not isinstance(result.kind, Array):
            raise Refused("this changes an array in a way that is not known here", "write a = a ... b")
        if result.kind.dtype != before.kind.dtype:
            if not _same_kind(result.kind, before.kind):
                raise Refused(f"NumPy does not put {result.kind.dtype} into an array of {before.kind.dtype}")
            result = result._replace(node=self.array_in(result, before.kind.dtype))
        write_into(self, before, statement)
        self.written.effects = True
        whole = ast.Subscript(self.node_of(before), ast.Slice(), ast.Store())
        self.emit(ast.Assign([whole], self.temporary(self.node_of(result))))


def _fields(node: ast.expr) -> dict[str, Any]:
    return {key: getattr(node, key) for key in node._fields}


def _fits_in_place(source: Array, target: Array) -> bool:
    return source.dtype == target.dtype or _same_kind(source, target)


def _same_kind(source: Array, target: Array) -> bool:
    return source.dtype.kind == target.dtype.kind == "f"
