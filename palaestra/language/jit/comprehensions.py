"""Comprehensions written out, before a function is compiled: over fixed ranges as lists, all others as functions.

    [f(k) for k in range(3)]        [f(0), f(1), f(2)]
    [f(x) for x in xs]              made(xs), where `made` begins with [] and appends
    any(x > 0 for x in xs)          found(xs), a loop that returns at the first

They are found in the source of a function, whose lines are kept, so that refusals and errors name them.
"""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections.abc import Iterator
from copy import deepcopy
from types import CellType, CodeType, FunctionType
from typing import Any

LONGEST = 64  # elements that are written out
_INNER = ("<listcomp>", "<genexpr>")
_UNTIL = {"any": True, "all": False}  # what ends the search of these functions
_ITERATED, _MADE = "comprehended", "comprehension"  # variables of the functions
DEFINITION = "gymnasium_definition"
"""The attribute of a function that holds its syntax tree, where that is not the one of its source."""


def written_out(function: FunctionType) -> FunctionType:
    """Returns a function without comprehensions that does the same; the function itself if it has none to write out."""
    code = function.__code__
    mangled = any(name.startswith("_") and "__" in name[1:] for name in code.co_names)
    if not _has_any(code) or mangled or hasattr(function, "__wrapped__"):
        return function
    definition = _definition(function)
    if definition is None:
        return function
    writer = _Writer(function, [*code.co_varnames, *code.co_cellvars, *code.co_freevars])
    definition.body = [writer.visit(statement) for statement in definition.body]
    return _made(definition, function, writer.helpers)


def _has_any(code: CodeType) -> bool:
    inner = any(isinstance(one, CodeType) and one.co_name in _INNER for one in code.co_consts)
    return inner or any(one.opname == "LIST_APPEND" for one in dis.get_instructions(code))


def _definition(function: FunctionType) -> ast.FunctionDef | None:
    """The syntax tree of a function, with its line numbers."""
    if hasattr(function, DEFINITION):
        return deepcopy(getattr(function, DEFINITION))  # type: ignore[no-any-return]  # an attribute of this package
    try:
        lines, first = inspect.getsourcelines(function)
        (definition,) = ast.parse(textwrap.dedent("".join(lines))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    if not isinstance(definition, ast.FunctionDef):
        return None
    ast.increment_lineno(definition, first - 1)
    return definition


class _Writer(ast.NodeTransformer):
    """Writes out the comprehensions of one function.

    Args:
        function: The function.
        names: The names of its variables.
    """

    def __init__(self, function: FunctionType, names: list[str]) -> None:
        self._function, self._names = function, names
        self.helpers: list[ast.FunctionDef] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return node  # an inner function, which is refused, as is a lambda

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        name = node.func.id if isinstance(node.func, ast.Name) and self._is_builtin(node.func.id) else ""
        inner = node.args[0] if len(node.args) == 1 and not node.keywords else None
        if isinstance(inner, (ast.GeneratorExp, ast.ListComp)):
            if name in _UNTIL and isinstance(inner, ast.GeneratorExp):
                return self._search(inner, _UNTIL[name])
            if name == "tuple" and (parts := self._parts(inner)) is not None:
                return ast.copy_location(ast.Tuple([self.visit(part) for part in parts], ast.Load()), node)
            if name in ("sum", "min", "max", "list", "sorted"):  # which take all elements
                made = self.visit_ListComp(inner)
                return made if name == "list" else ast.copy_location(ast.Call(node.func, [made], []), node)
        return self.generic_visit(node)

    def _is_builtin(self, name: str) -> bool:
        return name not in self._names and name not in self._function.__globals__

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> Any:
        parts = self._parts(node)
        if parts is not None:
            return ast.copy_location(ast.List([self.visit(part) for part in parts], ast.Load()), node)
        append = ast.Call(ast.Attribute(ast.Name(_MADE, ast.Load()), "append", ast.Load()), [node.elt], [])
        begin = ast.Assign([ast.Name(_MADE, ast.Store())], ast.List([], ast.Load()))
        return self._helper(node, [begin], [ast.Expr(append)], ast.Name(_MADE, ast.Load()))

    def _search(self, node: ast.GeneratorExp, found: bool) -> Any:
        """A call of a function that returns `found` at the first element that is, as a condition."""
        test = node.elt if found else ast.UnaryOp(ast.Not(), node.elt)
        inner = ast.If(test, [ast.Return(ast.Constant(found))], [])
        return self._helper(node, [], [inner], ast.Constant(not found))

    def _parts(self, node: ast.ListComp | ast.GeneratorExp) -> list[ast.expr] | None:
        """The elements of a comprehension over fixed ranges without conditions; None for all others."""
        stores = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
        if len(stores) > len(node.generators) or len(set(stores)) < len(stores):
            return None  # there are other comprehensions inside
        parts = [node.elt]
        for generator in reversed(node.generators):
            values = None if generator.ifs else self._values(generator.iter, stores)
            if values is None or len(parts) * len(values) > LONGEST or not isinstance(generator.target, ast.Name):
                return None
            name = generator.target.id
            parts = [_Placed(name, value).visit(deepcopy(part)) for value in values for part in parts]
        return parts

    def _values(self, iterated: ast.expr, stores: list[str]) -> list[int] | None:
        """The numbers of a fixed range, which does not depend on the variables of the comprehension."""
        if not (isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) and iterated.func.id == "range"):
            return None
        if iterated.keywords or not self._is_builtin("range"):
            return None
        bounds = [self._whole(one, stores) for one in iterated.args]
        if None in bounds or not bounds or (len(bounds) == 3 and bounds[2] == 0):
            return None
        values = range(*bounds)  # type: ignore[arg-type]  # no None
        return list(values) if len(values) <= LONGEST else None

    def _whole(self, node: ast.expr, stores: list[str]) -> int | None:
        """The number that an expression always is, or None."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self._whole(node.operand, stores)
            return None if inner is None else -inner
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.Name) and node.id not in (*self._names, *stores):
            value = self._function.__globals__.get(node.id)
        return value if type(value) is int else None

    def _helper(
        self, node: ast.ListComp | ast.GeneratorExp, begin: list[ast.stmt], inner: list[ast.stmt], result: ast.expr
    ) -> ast.expr:
        """A call of a new function that goes through the elements."""
        bound = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        first = node.generators[0].iter
        used = [one.id for part in self._inside(node) for one in ast.walk(part) if isinstance(one, ast.Name)]
        free = sorted({name for name in used if name in self._names} - bound)
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                inner = [ast.If(test, inner, [])]
            inner = [ast.For(generator.target, generator.iter, inner, [])]
        loop = inner[0]
        assert isinstance(loop, ast.For)
        loop.iter = ast.Name(_ITERATED, ast.Load())
        name = f"comprehension_{node.lineno}_{len(self.helpers)}"
        arguments = ast.arguments([], [ast.arg(one) for one in (_ITERATED, *free)], None, [], [], None, [])
        body: list[ast.stmt] = [*begin, *inner, ast.Return(result)]
        helper = ast.FunctionDef(name, arguments, body, [], None, None)
        setattr(helper, "type_params", [])  # noqa: B010  # which Python 3.12 asks for
        self.helpers.append(helper)
        within = _Writer(self._function, [*self._names, *bound, _ITERATED, _MADE])
        within.helpers = self.helpers
        helper.body = [within.visit(statement) for statement in helper.body]
        _place(helper, node)
        taken = [self.visit(first), *(ast.Name(one, ast.Load()) for one in free)]
        call = ast.Call(ast.Name(name, ast.Load()), taken, [])
        _place(call, node)
        return call

    def _inside(self, node: ast.ListComp | ast.GeneratorExp) -> Iterator[ast.AST]:
        """What is evaluated for each element."""
        yield node.elt
        for k, generator in enumerate(node.generators):
            yield from generator.ifs
            if k > 0:
                yield generator.iter


class _Placed(ast.NodeTransformer):
    """Puts a number in the place of a variable."""

    def __init__(self, name: str, value: int) -> None:
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id != self._name or not isinstance(node.ctx, ast.Load):
            return node
        number: ast.expr = ast.Constant(abs(self._value))
        return _place(number if self._value >= 0 else ast.UnaryOp(ast.USub(), number), node)


def _place(node: Any, like: ast.expr) -> Any:
    """Give the parts of a new tree a place in the source."""
    for one in ast.walk(node):
        if not hasattr(one, "lineno"):
            ast.copy_location(one, like)
    return node


def _made(definition: ast.FunctionDef, function: FunctionType, helpers: list[ast.FunctionDef]) -> FunctionType:
    """Returns a function of the changed syntax tree, with the globals and the outer variables of the first."""
    definition.decorator_list, definition.returns = [], None
    definition.args.defaults, definition.args.kw_defaults = [], [None for _ in definition.args.kwonlyargs]
    for argument in ast.walk(definition.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    namespace = dict(function.__globals__)
    free = function.__code__.co_freevars
    outer = ast.parse(f"def outer({', '.join(free)}):\n    return inner\n").body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body = [definition, *outer.body]
    text = ast.fix_missing_locations(ast.Module([*helpers, outer], []))
    file = function.__code__.co_filename
    code = compile(text, file, "exec", dont_inherit=True)
    codes = {one.co_name: one for one in code.co_consts if isinstance(one, CodeType)}
    inner = next(one for one in codes["outer"].co_consts if isinstance(one, CodeType))
    for helper in helpers:
        namespace[helper.name] = FunctionType(codes[helper.name], namespace, helper.name)
        namespace[helper.name].__module__ = function.__module__
    cells: dict[str, CellType] = dict(zip(free, function.__closure__ or (), strict=True))
    made = FunctionType(
        inner, namespace, function.__name__, function.__defaults__, tuple(cells[name] for name in inner.co_freevars)
    )
    made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
    made.__module__ = function.__module__
    return made
