"""The translation of statements, and of a function's body."""

from __future__ import annotations

import ast
from collections.abc import Mapping as Named
from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Any

from gymnasium.plain.expressions import SEED_TEST, Expressions
from gymnasium.plain.functions import checked_result, variable_parameters
from gymnasium.plain.kinds import (
    Array,
    Clash,
    Constant,
    Growing,
    Kind,
    Mapping,
    Opaque,
    Optional,
    Place,
    Tuple,
    Unjoined,
    Unknown,
    joined,
    told,
)
from gymnasium.plain.late import late
from gymnasium.plain.refusals import Refused
from gymnasium.plain.scope import STATIC
from gymnasium.plain.unit import Code, called, name

Locals = dict[str, Code]


class Statements(Expressions):
    """Translates a function."""

    def function(self, bound: Named[str, Code]) -> None:
        """Translate the function for these arguments, into `written`."""
        self._returns: list[tuple[ast.Return, Code]] = []
        self._loops: list[_Loop] = []
        self._sure_at_returns: list[set[str]] = []
        self.written.parameters = variable_parameters(bound)
        for key, code in bound.items():
            variable = key in self.written.parameters
            if isinstance(code.kind, Mapping):
                code = code._replace(origins=code.origins | {"dict of the caller"})
            self.locals[key] = Code(name(self.local(key)), code.kind, code.origins) if variable else code
        body = self.source.tree.body
        reachable = self.statements(body)
        if reachable:
            self.place = body[-1]
            self._return(Code(None, Constant(None)))
        self._finish()

    def _finish(self) -> None:
        codes = [code for _, code in self._returns]
        self.place = self.source.tree
        if self._sure_at_returns:
            self.written.sure = set.intersection(*self._sure_at_returns)
        try:
            kind: Kind = checked_result(codes, self) if codes else Constant(None)
        except Refused as refused:
            self.unit.refusals.add(self.source.file, self.source.tree, refused.reason, refused.instead)
            kind = Unknown()
        origins = frozenset[str]().union(*(code.origins for code in codes))
        static = isinstance(kind, (*STATIC, Unknown))
        stores: list[ast.expr] = [name(variable) for variable in self.written.stores]
        for statement, code in self._returns:
            parts = stores if static else [self.as_kind(code, kind), *stores]
            if parts:
                value = parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())
                for node in ast.walk(value):
                    if not hasattr(node, "lineno"):
                        ast.copy_location(node, statement)
                statement.value = value
        self.written.result = Code(None if static else name("_"), kind, origins)
        arguments = [*self.written.arguments(), *map(self.local, self.written.parameters)]
        tree = ast.FunctionDef(
            self.written.name,
            ast.arguments([], [ast.arg(one) for one in arguments], None, [], [], None, []),
            self.out or [ast.Pass()],
            [],
        )
        self.written.tree = ast.copy_location(tree, self.source.tree)
        ast.fix_missing_locations(tree)

    # Statements.

    def statements(self, body: Sequence[ast.stmt]) -> bool:
        """Translate statements; returns whether what follows them is reached."""
        for statement in body:
            self.place = statement
            mark = len(self.out)
            try:
                if not self._statement(statement):
                    return False
            except (Refused, Unjoined) as error:
                refused = error if isinstance(error, Refused) else Refused("values of several kinds meet here")
                node = refused.node if refused.node is not None else statement
                node = node if hasattr(node, "lineno") else statement
                self.unit.refusals.add(self.source.file, node, refused.reason, refused.instead)
                del self.out[mark:]
                self._poison(statement)
        return True

    def _poison(self, statement: ast.stmt) -> None:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.locals[node.id] = Code(None, Unknown())
            elif isinstance(node, ast.Return):
                self._returns.append((ast.Return(None), Code(None, Unknown())))

    def _statement(self, statement: ast.stmt) -> bool:
        method = getattr(self, f"_on_{type(statement).__name__.lower()}", None)
        if method is None:
            raise Refused(f"`{type(statement).__name__.lower()}` is not supported", _INSTEAD.get(type(statement), ""))
        return method(statement) is not False

    def _on_pass(self, statement: ast.Pass) -> None:
        """Nothing."""

    def _on_expr(self, statement: ast.Expr) -> None:
        if isinstance(statement.value, ast.Constant):
            return
        code = self.expr(statement.value)
        if code.node is not None and not isinstance(code.node, (ast.Constant, ast.Name)):
            self.emit(ast.Expr(code.node))

    def _on_import(self, statement: ast.Import) -> None:
        from importlib import import_module

        for alias in statement.names:
            module = import_module(alias.name)
            top = import_module(alias.name.partition(".")[0])
            self.locals[alias.asname or alias.name.partition(".")[0]] = self.of_value(module if alias.asname else top)

    def _on_importfrom(self, statement: ast.ImportFrom) -> None:
        from importlib import import_module

        if statement.level or statement.module is None:
            raise Refused("a relative import inside of a function", "import at the top of the module")
        module = import_module(statement.module)
        for alias in statement.names:
            self.locals[alias.asname or alias.name] = self.of_known(getattr(module, alias.name))

    def _on_assign(self, statement: ast.Assign) -> None:
        if len(statement.targets) == 1 and self._pairwise(statement.targets[0], statement.value):
            return
        code = self.expr(statement.value)
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
        held = [code if isinstance(code.kind, (*STATIC, Unknown)) else self._kept(code) for code in codes]
        for one, code in zip(target.elts, held, strict=True):
            self.assign(one, code)
        return True

    def _kept(self, code: Code) -> Code:
        if isinstance(code.node, ast.Constant):
            return code
        return code._replace(node=self.temporary(self.node_of(code)))

    def _on_annassign(self, statement: ast.AnnAssign) -> None:
        if statement.value is not None:
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
            store = late("places", "store")

            store(self, owner.kind, target.attr, code)
        elif isinstance(target, ast.Subscript):
            store_item = late("storing", "store_item")

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
            parts = [part if isinstance(part.kind, (*STATIC, Unknown)) else self._kept(part) for part in parts]
        for one, part in zip(targets, parts, strict=True):
            self.assign(one, part)

    def _on_augassign(self, statement: ast.AugAssign) -> None:
        target = statement.target
        if isinstance(target, ast.Subscript):
            held_target = late("storing", "held_target")

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
        self.assign(target, self.operation(statement.op, before, late))

    def _in_place(self, before: Code, statement: ast.AugAssign, value: Code) -> None:
        write_into = late("storing", "write_into")

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

    def _on_return(self, statement: ast.Return) -> bool:
        code = self.expr(statement.value) if statement.value is not None else Code(None, Constant(None))
        self._return(code)
        return False

    def _return(self, code: Code) -> None:
        if isinstance(code.kind, (Optional, Tuple, Mapping)) and not isinstance(code.node, ast.Tuple):
            code = self.held(code)
        marker = ast.Return(None)
        self.emit(marker)
        self._sure_at_returns.append(set(self.sure))
        self._returns.append((marker, code))

    def _on_assert(self, statement: ast.Assert) -> bool:
        test = self.test(statement.test)
        if test is True:
            return True
        raising: list[ast.stmt] = [ast.Raise(name("AssertionError"), None)]
        if test is False:
            self.emit(raising[0])
            return False
        self.written.effects = True
        self.emit(ast.If(ast.UnaryOp(ast.Not(), test), raising, []))
        return True

    def _on_raise(self, statement: ast.Raise) -> bool:
        self.written.effects = True
        self.emit(ast.Raise(name("ValueError"), None))  # Python repeats the step, and raises its own
        return False

    def _on_delete(self, statement: ast.Delete) -> None:
        for target in statement.targets:
            if not isinstance(target, ast.Name):
                raise Refused("`del` is supported for local variables only")
            self.locals.pop(target.id, None)

    def _on_with(self, statement: ast.With) -> bool:
        for item in statement.items:
            text = ast.unparse(item.context_expr)
            if "errstate" not in text and "printoptions" not in text:
                raise Refused("`with` is not supported", "leave it out", item.context_expr)
        return self.statements(statement.body)

    # Branches.

    def _on_if(self, statement: ast.If) -> bool:
        self._testing = isinstance(statement.test, ast.BoolOp)
        code = self.expr(statement.test)
        if code.kind == SEED_TEST:
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
            reached = self.statements(body)
            inner, self.out = self.out, before
            ends.append((inner, self.locals if reached else None))
            sures += [self.sure] if reached else []
        self.sure = set.intersection(*sures) if sures else sure
        self.place = statement
        self.locals = self._merged(ends)
        (body_block, body_end), (else_block, else_end) = ends
        self.emit(ast.If(test, body_block or [ast.Pass()], else_block))
        return body_end is not None or else_end is not None

    def _check_without_effect(self, statement: ast.If) -> None:
        """What depends on whether a seed came may do nothing that machine code would have to do."""
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
            except (Unjoined, Refused):
                result[key] = Code(None, _clash(key, codes))
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

    # Loops.

    def _with_else(self, statement: ast.While | ast.For) -> bool:
        """`else` of a loop, as a flag that every `break` sets."""
        self._temporaries += 1
        flag = f"broken{self._temporaries}"
        lowered = _at(ast.Assign([_named(flag, True, statement)], _at(ast.Constant(False), statement)), statement)
        unbroken = _at(ast.UnaryOp(ast.Not(), _named(flag, False, statement)), statement)
        after = _at(ast.If(unbroken, statement.orelse, []), statement)
        return self.statements([lowered, _Marking(flag).marked(statement), after])

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
        Unrolled = late("looping", "Unrolled")
        iteration = late("looping", "iteration")

        iterated = iteration(self, statement.iter)
        if isinstance(iterated, Unrolled):
            return self._unrolled(statement, iterated.items)
        self._temporaries += 1
        index = iterated.variable or f"_t{self._temporaries}"

        def begin() -> None:
            self.assign(statement.target, iterated.item(name(index)))

        def made(body: list[ast.stmt], test: Any, late: list[ast.stmt]) -> ast.stmt:
            return ast.For(ast.Name(index, ast.Store()), iterated.over, body, [])

        self._loop(statement.body, lambda: (True, []), made, begin)
        return True

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
            reached = self.statements(body)
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
            if self.unit.refusals.found != refused:  # what was refused here may be accepted with other kinds
                for key in set(self.unit.done) - known:
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
                with suppress(Unjoined):
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
            except Unjoined:
                loop.wider[key] = _clash(key, [first, code])
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


class _Loop:
    """A loop being translated: the variables at its beginning, and what its body makes of them."""

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


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _at(node: Any, place: ast.AST) -> Any:
    return ast.copy_location(node, place)


def _named(key: str, stored: bool, place: ast.AST) -> Any:
    return _at(ast.Name(key, ast.Store() if stored else ast.Load()), place)


def _clash(key: str, codes: Sequence[Code]) -> Clash:
    return Clash(f"`{key}` is a {' or a '.join(sorted({told(one.kind) for one in codes}))}")


def _of_loop(body: Sequence[ast.stmt]) -> list[ast.AST]:
    """Returns the statements of a loop's body without those of loops in it."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = list(body)
    while waiting:
        one = waiting.pop()
        found.append(one)
        if not isinstance(one, (ast.For, ast.While)):
            waiting += list(ast.iter_child_nodes(one))
    return found


def _fields(node: ast.expr) -> dict[str, Any]:
    return {key: getattr(node, key) for key in node._fields}


def _fits_in_place(source: Array, target: Array) -> bool:
    return source.dtype == target.dtype or _same_kind(source, target)


def _same_kind(source: Array, target: Array) -> bool:
    return source.dtype.kind == target.dtype.kind == "f"


_INSTEAD: dict[type[ast.stmt], str] = {
    ast.Try: "test for the condition before",
    ast.FunctionDef: "write a method, or a function of the module",
    ast.ClassDef: "define it at the top of the module",
    ast.Global: "keep it in an attribute of self",
    ast.Nonlocal: "keep it in an attribute of self",
    ast.Match: "write if and elif",
}
