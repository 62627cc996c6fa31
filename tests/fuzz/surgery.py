"""Parts taken out of a program, with all that needs them, so that the rest still runs."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from itertools import pairwise

BLANK = {"observation": 0, "reward": 0.0, "terminal": False}  # what is returned instead of what is gone
STATES = ("state", "next_state")


def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """The helpers and the dynamics, without `get_default_params`."""
    methods = [part for part in class_named(tree, "Program").body if isinstance(part, ast.FunctionDef)]
    return helpers(tree) + [method for method in methods if method.name != "get_default_params"]


def helpers(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions of the module."""
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def class_named(tree: ast.Module, name: str) -> ast.ClassDef:
    """A class of the module."""
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def fields(tree: ast.Module, name: str = "State") -> list[str]:
    """The fields of a NamedTuple of the module."""
    parts = class_named(tree, name).body
    return [part.target.id for part in parts if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)]


def statements(tree: ast.Module) -> list[ast.stmt]:
    """What may be taken out, in the order of the text: constants, helpers, and statements that are no returns."""
    found: list[ast.stmt] = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.Assign))]
    for function in functions(tree):
        inner = [node for node in ast.walk(function) if isinstance(node, ast.stmt) and node is not function]
        found += [node for node in inner if not isinstance(node, (ast.Return, ast.Pass))]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def without(source: str, numbers: set[int]) -> str:
    """Returns the program without the statements of these numbers, and without what needs them."""
    tree = ast.parse(source)
    drop(tree, [node for k, node in enumerate(statements(tree)) if k in numbers])
    settle(tree)
    return ast.unparse(tree)


def without_lines(source: str, lines: set[int]) -> str:
    """Returns the program without what these lines are part of, as far as that can be taken out: helpers as a whole."""
    tree = ast.parse(source)

    def there(node: ast.stmt) -> bool:
        return any(node.lineno <= line <= (node.end_lineno or node.lineno) for line in lines)

    gone: list[ast.stmt] = [node for node in helpers(tree) if there(node)]
    for function in functions(tree):
        for node in filter(there, function.body if function not in tree.body else []):
            if isinstance(node, ast.Return):
                _blank(tree, function, node)
            else:
                gone += _with_its_like(function, node)
    drop(tree, gone)
    settle(tree)
    return ast.unparse(tree)


def _with_its_like(function: ast.FunctionDef, node: ast.stmt) -> list[ast.stmt]:
    """A statement of a function and those that bind the same names, which else would be bound at times only."""
    names = set(bound(node))
    return [other for other in function.body if other is node or names & set(bound(other))]


def _blank(tree: ast.Module, function: ast.FunctionDef, node: ast.Return) -> None:
    """Let a view return constants."""
    if isinstance(node.value, ast.Dict):
        node.value = ast.Dict([], [])
    elif isinstance(node.value, ast.Tuple) and function.name == "observation":
        node.value.elts = [_zero_like(part) for part in node.value.elts]
    elif function.name in BLANK:
        node.value = _zero_view(tree, function)


def _zero_like(part: ast.expr) -> ast.expr:
    """A zero, or a tuple of them for a tuple."""
    if isinstance(part, ast.Tuple):
        return ast.Tuple([ast.Constant(0) for _ in part.elts], ast.Load())
    return ast.Constant(0)


def _zero_view(tree: ast.Module, function: ast.FunctionDef) -> ast.expr:
    """What a view may return; an observation has to have the shape of its space."""
    if function.name != "observation":
        return ast.Constant(BLANK.get(function.name, 0))
    space = next(part.value for part in class_named(tree, "Program").body if isinstance(part, ast.Assign))
    if isinstance(space, ast.Call) and len(space.args) > 2 and ast.unparse(space.args[2]) != "()":
        return ast.Call(ast.parse("np.zeros", mode="eval").body, [space.args[2]], [])
    return ast.Constant(0)


def settle(tree: ast.Module) -> None:
    """Take out what names something that is gone, until nothing does."""
    while _settle_once(tree):
        pass
    ast.fix_missing_locations(tree)


def _settle_once(tree: ast.Module) -> bool:
    known = {name for node in tree.body for name in bound(node, False)} | set(dir(builtins))
    kept = fields(tree)
    for function in functions(tree):
        names = known | set(bound(function))
        for node in ast.walk(function):
            if _broken(node, names, kept):
                _mend(tree, function, node)
                return True
    return False


def bound(root: ast.AST, deep: bool = True) -> Iterator[str]:
    """The names that a node binds, with all below it if `deep`."""
    for node in ast.walk(root):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg) and deep:
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
            if not deep:
                return
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (alias.asname or alias.name for alias in node.names)


def written(node: ast.AST) -> Iterator[str]:
    """The names that a statement binds, or writes into."""
    yield from bound(node)
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store) and isinstance(part.value, ast.Name):
            yield part.value.id


def _broken(node: ast.AST, names: set[str], kept: list[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id not in names
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in STATES):
        return False
    return node.attr not in kept and not node.attr.startswith("_")


def _mend(tree: ast.Module, function: ast.FunctionDef, broken: ast.AST) -> None:
    """Take out the smallest part that holds what is broken."""
    path = [*_path(function, broken), broken]
    for node, inner in pairwise(path):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "State":
            drop_field(tree, next(k for k, part in enumerate(node.args) if part is inner))
            return
    for k, node in enumerate(path):
        if isinstance(node, ast.Return) and function.name != "transition" and function not in tree.body:
            _mend_return(tree, function, node, path[k + 1 :])
            return
    if function in tree.body:
        drop(tree, [function])
    else:
        drop(tree, _with_its_like(function, next(node for node in path if isinstance(node, ast.stmt))))


def _mend_return(tree: ast.Module, function: ast.FunctionDef, node: ast.Return, path: list[ast.AST]) -> None:
    value = node.value
    if isinstance(value, ast.Dict):
        k = next(k for k, part in enumerate(value.values) if part is path[1])
        del value.keys[k], value.values[k]
    elif isinstance(value, ast.Tuple):
        value.elts = [_zero_like(part) if part is path[1] else part for part in value.elts]
    else:
        node.value = _zero_view(tree, function)


def _path(root: ast.AST, wanted: ast.AST) -> list[ast.AST]:
    """The nodes from below `root` down to `wanted`, both left out."""

    def search(node: ast.AST) -> list[ast.AST] | None:
        for child in ast.iter_child_nodes(node):
            if child is wanted:
                return []
            below = search(child)
            if below is not None:
                return [child, *below]
        return None

    return search(root) or []


def drop_field(tree: ast.Module, index: int) -> None:
    """Take a field out of the state, wherever one is made."""
    name = fields(tree)[index]
    state = class_named(tree, "State")
    state.body = [part for part in state.body if getattr(getattr(part, "target", None), "id", "") != name]
    state.body = state.body or [ast.Pass()]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "State":
            del node.args[index]


def drop(tree: ast.Module, gone: list[ast.stmt]) -> None:
    """Take statements out of the blocks that they are in."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "handlers", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                kept = [part for part in block if all(part is not one for one in gone)]
                if len(kept) < len(block):
                    setattr(node, name, kept or ([ast.Pass()] if name == "body" else []))
