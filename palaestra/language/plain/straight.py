"""A translated step without branches, for eight environments at a time.

Every function is written in its caller's place, tuples are taken apart, both sides of each `if` are computed, and
`where` chooses between their values. What raises on a side that is not taken raises here too: the rows are then stepped
one by one, by the translation with branches, so that only speed is lost.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from palaestra.language.plain.straight_values import (
    CHOSEN,
    FUNCTIONS,
    KINDS,
    Branching,
    Number,
    Value,
    called,
    compared,
    computed,
    flag_of,
    is_param,
    kind_of_dtype,
)

LONGEST = 400  # statements of a function
_TURNS = 16  # of a loop


def straight(
    functions: Mapping[str, ast.FunctionDef],
    transition: ast.FunctionDef,
    action: object,
    columns: Mapping[str, object],
    names: Mapping[str, object],
) -> ast.FunctionDef | None:
    """Returns a step without branches; None if it cannot be written so.

    Args:
        functions: The translated functions, by name.
        transition: The step.
        action: The column of actions.
        columns: The dtypes of what it reads, `state.x` and `_params.x`.
        names: The globals of the functions.
    """
    writer = _Writer(functions, columns, names)
    try:
        known: dict[str, Value] = {name: Number(ast.Name(name, ast.Load()), "?") for name in ("state", "_params")}
        result, _ = writer.block(transition.body, known | {"action": _action(action)})
        body = [*writer.out, ast.Return(_outcome(result))]
    except Branching:
        return None
    tree = ast.FunctionDef(f"{transition.name}_in_lanes", transition.args, body, [])
    return ast.fix_missing_locations(ast.copy_location(tree, transition))


def _action(column: Any) -> Value:
    node, kind = ast.Name("action", ast.Load()), kind_of_dtype(column.dtype)
    if not column.shape:
        return Number(node, kind)
    size = column.shape[0] if len(column.shape) == 1 else 0
    return tuple(Number(ast.Subscript(node, ast.Constant(k), ast.Load()), kind) for k in range(size))


def _outcome(result: Value | None) -> ast.expr:
    if not isinstance(result, tuple):
        raise Branching
    *state, observation, reward, terminated, truncated, info = result
    return called(
        "Outcome", *map(_packed, [*state, observation, reward, flag_of(terminated), flag_of(truncated), info])
    )


def _packed(value: Value) -> ast.expr:
    return ast.Tuple([_packed(one) for one in value], ast.Load()) if isinstance(value, tuple) else value.node


class _Writer:
    """Writes assignments of numbers, each to a name of its own."""

    def __init__(
        self, functions: Mapping[str, ast.FunctionDef], columns: Mapping[str, object], names: Mapping[str, object]
    ) -> None:
        self._functions, self._columns, self._names = functions, columns, names
        self.out: list[ast.stmt] = []
        self._opposites: dict[str, Number] = {}  # of flags
        self._path: list[Number] = []  # the conditions around what is written

    # Statements.

    def block(self, body: list[ast.stmt], known: dict[str, Value]) -> tuple[Value | None, bool]:
        """Write statements; returns the result of a `return`, and whether what follows them is reached."""
        for k, statement in enumerate(body):
            rest = body[k + 1 :]
            if isinstance(statement, ast.Return):
                return (self._value(statement.value, known) if statement.value else ()), False
            if isinstance(statement, ast.If):
                leaves = any(isinstance(one, ast.Return) for one in ast.walk(statement))
                result, reached = self._if(statement, rest if leaves else [], known)
                if leaves or not reached:
                    return result, reached
            elif isinstance(statement, ast.Raise):
                self._stop()
                return None, False
            else:
                self._statement(statement, known)
        return None, True

    def _statement(self, statement: ast.stmt, known: dict[str, Value]) -> None:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            self._assign(statement.targets[0], self._value(statement.value, known), known)
        elif isinstance(statement, ast.For):
            self._for(statement, known)
        elif isinstance(statement, ast.Expr):
            self._value(statement.value, known)
        elif not isinstance(statement, ast.Pass):
            raise Branching

    def _assign(self, target: ast.expr, value: Value, known: dict[str, Value]) -> None:
        if isinstance(target, ast.Name):
            known[target.id] = self._named(value)
        elif isinstance(target, ast.Tuple) and isinstance(value, tuple) and len(value) == len(target.elts):
            for one, part in zip(target.elts, value, strict=True):
                self._assign(one, part, known)
        else:
            raise Branching

    def _named(self, value: Value) -> Value:
        """Returns a value that costs nothing to be used several times."""
        if isinstance(value, tuple):
            return tuple(map(self._named, value))
        if isinstance(value.node, (ast.Name, ast.Constant)) or is_param(value.node):
            return value
        if len(self.out) >= LONGEST:
            raise Branching
        name = f"v{len(self.out)}"
        self.out.append(ast.Assign([ast.Name(name, ast.Store())], value.node))
        return Number(ast.Name(name, ast.Load()), value.kind)

    def _for(self, statement: ast.For, known: dict[str, Value]) -> None:
        turns = statement.iter.args if isinstance(statement.iter, ast.Call) else []
        numbers = [one.value for one in turns if isinstance(one, ast.Constant) and type(one.value) is int]
        is_range = isinstance(statement.iter, ast.Call) and ast.unparse(statement.iter.func) == "range"
        leaves = any(isinstance(one, (ast.Break, ast.Continue, ast.Return)) for one in ast.walk(statement))
        if not is_range or leaves or len(numbers) != len(turns) or len(range(*numbers)) > _TURNS:
            raise Branching
        for k in range(*numbers):
            self._assign(statement.target, Number(ast.Constant(k), "i"), known)
            self.block(statement.body, known)

    def _if(self, statement: ast.If, rest: list[ast.stmt], known: dict[str, Value]) -> tuple[Value | None, bool]:
        test = self._flag(statement.test, known)
        if isinstance(test.node, ast.Constant):
            return self.block([*(statement.body if test.node.value else statement.orelse), *rest], known)
        sides = []
        for body, condition in ((statement.body, test), (statement.orelse, self._opposite(test))):
            own = dict(known)
            self._path.append(condition)
            result, reached = self.block([*body, *rest], own)
            self._path.pop()
            sides.append((own, result, reached))
        (a, a_result, a_reached), (b, b_result, b_reached) = sides
        if not a_reached and a_result is None:  # it raises
            known.update(b)
            return b_result, b_reached
        if not b_reached and b_result is None:
            known.update(a)
            return a_result, a_reached
        if a_reached != b_reached:
            raise Branching
        if not a_reached:
            assert a_result is not None and b_result is not None
            return self._chosen(test, a_result, b_result), False
        for key in dict.fromkeys([*a, *b]):
            if key in a and key in b:
                known[key] = self._chosen(test, a[key], b[key])
            else:
                known[key] = a[key] if key in a else b[key]
        return None, True

    def _opposite(self, flag: Number) -> Number:
        key = ast.unparse(flag.node)
        if key not in self._opposites:
            found = self._named(Number(called(CHOSEN, flag.node, ast.Constant(False), ast.Constant(True)), "b"))
            assert isinstance(found, Number)
            self._opposites |= {key: found, ast.unparse(found.node): flag}
        return self._opposites[key]

    def _chosen(self, test: Number, a: Value, b: Value) -> Value:
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            return tuple(self._chosen(test, x, y) for x, y in zip(a, b, strict=True))
        if isinstance(a, tuple) or isinstance(b, tuple):
            raise Branching
        if ast.dump(a.node) == ast.dump(b.node):
            return a
        if a.kind != b.kind or a.kind == "?":
            raise Branching
        return self._named(Number(called(CHOSEN, test.node, a.node, b.node), a.kind))

    def _stop(self, flag: Number | None = None) -> None:
        """Raise for the environments on this path, and where a flag is set."""
        conditions = [*self._path, *([flag] if flag is not None else [])]
        if not conditions:
            raise Branching
        node = conditions[0].node
        for one in conditions[1:]:
            node = ast.BinOp(node, ast.BitAnd(), one.node)
        marked = called(CHOSEN, node, ast.UnaryOp(ast.USub(), ast.Constant(1.0)), ast.Constant(1.0))
        self._named(Number(called("_sqrt_in_lanes", marked), "f"))  # of a negative number it raises

    # Expressions.

    def _flag(self, node: ast.expr, known: dict[str, Value]) -> Number:
        found = self._named(flag_of(self._value(node, known)))
        assert isinstance(found, Number)
        return found

    def _number(self, node: ast.expr, known: dict[str, Value]) -> Number:
        value = self._value(node, known)
        if isinstance(value, tuple):
            raise Branching
        return value

    def _value(self, node: ast.expr, known: dict[str, Value]) -> Value:
        method = getattr(self, f"_on_{type(node).__name__.lower()}", None)
        if method is None:
            raise Branching
        value: Value = method(node, known)
        return value

    def _on_constant(self, node: ast.Constant, known: dict[str, Value]) -> Value:
        kind = KINDS.get(type(node.value))
        if kind is None:
            raise Branching
        return Number(ast.Constant(node.value), kind)

    def _on_name(self, node: ast.Name, known: dict[str, Value]) -> Value:
        if node.id not in known:
            raise Branching
        return known[node.id]

    def _on_attribute(self, node: ast.Attribute, known: dict[str, Value]) -> Value:
        text = ast.unparse(node)
        if text in self._columns:
            return Number(node, kind_of_dtype(self._columns[text]))
        if text in ("np.inf", "np.nan", "np.pi"):
            return Number(node, "f")
        raise Branching

    def _on_subscript(self, node: ast.Subscript, known: dict[str, Value]) -> Value:
        text = ast.unparse(node)
        if text in self._columns:  # a number of a tuple among the params
            return Number(node, kind_of_dtype(self._columns[text]))
        value, index = self._value(node.value, known), ast.literal_eval(node.slice) if _is_literal(node.slice) else None
        if not isinstance(value, tuple) or not isinstance(index, int):
            raise Branching
        return value[index]

    def _on_tuple(self, node: ast.Tuple, known: dict[str, Value]) -> Value:
        return tuple(self._value(one, known) for one in node.elts)

    def _on_unaryop(self, node: ast.UnaryOp, known: dict[str, Value]) -> Value:
        if isinstance(node.op, ast.Not):
            return self._opposite(self._flag(node.operand, known))
        value = self._number(node.operand, known)
        if not isinstance(node.op, ast.USub) or value.kind not in "if":
            raise Branching
        return Number(ast.UnaryOp(ast.USub(), value.node), value.kind)

    def _on_binop(self, node: ast.BinOp, known: dict[str, Value]) -> Value:
        return computed(node.op, self._number(node.left, known), self._number(node.right, known))

    def _on_compare(self, node: ast.Compare, known: dict[str, Value]) -> Value:
        sides = [self._named(self._number(one, known)) for one in (node.left, *node.comparators)]
        tests = [compared(op, a, b) for op, a, b in zip(node.ops, sides, sides[1:], strict=False)]
        found = tests[0]
        for one in tests[1:]:
            found = Number(ast.BinOp(found.node, ast.BitAnd(), one.node), "b")
        return found

    def _on_boolop(self, node: ast.BoolOp, known: dict[str, Value]) -> Value:
        flags = [self._flag(one, known) for one in node.values]
        operator: ast.operator = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        found = flags[0].node
        for one in flags[1:]:
            found = ast.BinOp(found, operator, one.node)
        return Number(found, "b")

    def _on_ifexp(self, node: ast.IfExp, known: dict[str, Value]) -> Value:
        test = self._flag(node.test, known)
        if isinstance(test.node, ast.Constant):
            return self._value(node.body if test.node.value else node.orelse, known)
        return self._chosen(test, *(self._named(self._value(one, known)) for one in (node.body, node.orelse)))

    def _on_call(self, node: ast.Call, known: dict[str, Value]) -> Value:
        if node.keywords:
            raise Branching
        if isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "_rng":
            return self._drawn(node, known)
        text = ast.unparse(node.func)
        if text == "Outcome":
            return tuple(self._value(one, known) for one in node.args)
        if text in self._functions:
            return self._inlined(self._functions[text], node, known)
        arguments = [self._value(one, known) for one in node.args]
        if text == "present" and isinstance(arguments[0], tuple):
            absent, value = arguments[0]
            assert isinstance(absent, Number)
            self._stop(absent)
            return value
        if any(isinstance(one, tuple) for one in arguments):
            raise Branching
        return self._of_numbers(text, [self._named(one) for one in arguments])

    def _inlined(self, function: ast.FunctionDef, node: ast.Call, known: dict[str, Value]) -> Value:
        own: dict[str, Value] = {}
        for parameter, argument in zip(function.args.args, node.args, strict=True):
            is_stream = isinstance(argument, ast.Name) and argument.id == "_rng"
            own[parameter.arg] = Number(argument, "?") if is_stream else self._named(self._value(argument, known))
        result, reached = self.block(function.body, own)
        if result is None and not reached:
            raise Branching
        return result if result is not None else ()

    def _drawn(self, node: ast.Call, known: dict[str, Value]) -> Value:
        assert isinstance(node.func, ast.Attribute)
        kind = {"random": "f", "uniform": "f", "normal": "f", "standard_normal": "f", "integers": "i"}.get(
            node.func.attr
        )
        if kind is None or self._path:
            raise Branching
        arguments = [self._number(one, known).node for one in node.args]
        return self._named(Number(ast.Call(node.func, arguments, []), kind))

    def _of_numbers(self, text: str, arguments: list[Any]) -> Value:
        kinds = "".join(one.kind for one in arguments)
        nodes = [one.node for one in arguments]
        if text == "bool" and len(nodes) == 1:
            return flag_of(arguments[0])
        if text == "float" and kinds in ("f", "i", "s"):
            return (
                Number(nodes[0], "f")
                if kinds in "fs"
                else Number(ast.BinOp(nodes[0], ast.Mult(), ast.Constant(1.0)), "f")
            )
        if text == "int" and kinds == "i":
            return arguments[0]  # type: ignore[no-any-return]
        if text == "int" and kinds == "b":
            return Number(called(CHOSEN, nodes[0], ast.Constant(1), ast.Constant(0)), "i")
        if text == "np.float32" and kinds in ("f", "s"):
            return Number(nodes[0] if kinds == "s" else called("_single_in_lanes", *nodes), "s")
        if text in ("min", "max") and len({*kinds}) == 1 and kinds[0] in "fi":
            return self._extreme(text, arguments)
        if text == "np.clip" and kinds == "fff":
            x, low, high = arguments
            return self._bounded(ast.Gt(), self._bounded(ast.Lt(), x, low), high)
        known = self._names.get(text)
        function = FUNCTIONS.get(known) if callable(known) else None
        if text == "abs" and kinds == "f":
            function = "abs"
        if function is None or kinds != "f":
            raise Branching
        return Number(called(function, *nodes), "f")

    def _bounded(self, operator: ast.cmpop, x: Any, bound: Any) -> Number:
        """Returns `bound` where `x` compares so with it, or it is NaN, and `x` elsewhere: a half of NumPy's `clip`."""
        tests = [compared(operator, x, bound).node, compared(ast.NotEq(), bound, bound).node]
        found = self._named(Number(called(CHOSEN, ast.BinOp(tests[0], ast.BitOr(), tests[1]), bound.node, x.node), "f"))
        assert isinstance(found, Number)
        return found

    def _extreme(self, text: str, arguments: list[Any]) -> Value:
        """`min` or `max`: the first of equal numbers."""
        best = arguments[0]
        for one in arguments[1:]:
            better = compared(ast.Lt() if text == "min" else ast.Gt(), one, best)
            best = self._named(Number(called(CHOSEN, better.node, one.node, best.node), best.kind))
        return best  # type: ignore[no-any-return]


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant))
