"""Random programs in the language, for comparing machine code with Python.

The statements are those of the grammar here; operations and functions are those of the table, with the arguments that
its entries draw (`tries`). `program(seed)` is always the same text for the same seed and table.
"""

from __future__ import annotations

import builtins
import math
import operator
import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from palaestra.language.operations.table import Entry, entries

PARAMETERS = {
    "rng": "rng",
    "a": "int",
    "b": "int",
    "x": "float",
    "y": "float",
    "c": "bool",
    "s": "float32",
    "v": "vector",
}
NUMBERS = ("bool", "int", "float", "float32", "float64", "int64", "int32")
KINDS = (*NUMBERS, "pair", "list", "vector", "point", "optional")
WEIGHTS = (2, 6, 6, 1, 2, 2, 1, 2, 2, 2, 1, 1)
OPERATORS = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.and_: "&",
    operator.or_: "|",
    operator.xor: "^",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Point(NamedTuple):
    """A NamedTuple of programs."""

    x: float
    n: int = 3


GLOBALS = {"np": np, "math": math, "operator": operator, "inf": math.inf, "nan": math.nan, "Point": Point}


@dataclass(frozen=True)
class Call:
    """A call in the table: its text with a place for each argument, and the arguments' kinds, "" for fixed texts."""

    text: str
    kinds: tuple[str, ...]
    fixed: tuple[str, ...]


def kind_of(value: Any) -> str:
    """Returns the kind of an object; "" for others than those of programs."""
    if isinstance(value, np.ndarray):
        return "vector" if value.dtype == np.float64 and value.shape == (3,) else ""
    if isinstance(value, np.generic):
        name = value.dtype.name
        return name if name in NUMBERS and name != "bool" else ""
    name = type(value).__name__
    return name if name in ("bool", "int", "float") and (name != "int" or abs(value) < 2**63) else ""


def literal(value: Any) -> str:
    """Returns the text of an object, or of one like it."""
    if isinstance(value, np.ndarray):
        return f"np.array({value.tolist()}, np.{value.dtype.name})"
    if isinstance(value, np.dtype):
        return f"np.{value.name}"
    if isinstance(value, type):
        return f"np.{value.__name__}" if issubclass(value, np.generic) else value.__name__
    if isinstance(value, np.generic):
        return f"np.{type(value).__name__.rstrip('_')}({value.item()!r})"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(literal, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    return repr(value)


def _name_of(called: Any) -> str:
    """The text of a function with its arguments' places; "" if it has none."""
    if called in OPERATORS:
        return f"({{}} {OPERATORS[called]} {{}})"
    name = getattr(called, "__name__", "")
    for module, prefix in ((builtins, ""), (math, "math."), (np, "np.")):
        if name and getattr(module, name, None) is called:
            return f"{prefix}{name}(...)"
    if name and getattr(np.ndarray, name, None) is called:
        return f"{{}}.{name}(...)"
    if name and getattr(np.random.Generator, name, None) is called:
        return f"rng.{name}(...)"
    return ""


def _text(name: str, count: int) -> str:
    behind = count - name.count("{}")
    return name.replace("...", ", ".join(["{}"] * behind))


@cache
def catalogue() -> dict[str, list[Call]]:
    """Returns the calls that the entries of the table try, by the kind of what they return."""
    found: dict[str, list[Call]] = {kind: [] for kind in (*NUMBERS, "vector")}
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for entry in entries():
            name = "" if isinstance(entry.called, tuple) else _name_of(entry.called)
            for kind, call in _calls(entry, name, rng) if name else ():
                found[kind].append(call)
    return found


def _calls(entry: Entry, name: str, rng: np.random.Generator) -> Iterator[tuple[str, Call]]:
    for draw in entry.tries:
        for _ in range(6):
            arguments = draw(rng)
            if name.startswith("rng."):
                arguments = arguments[1:]
            given = (np.random.default_rng(0), *arguments) if name.startswith("rng.") else arguments
            try:
                kind = kind_of(entry.called(*given))
            except Exception:  # it is drawn to raise
                continue
            if kind and not any(callable(one) and not isinstance(one, type) for one in arguments):
                kinds = ["" if _is_fixed(entry.called, k, one) else kind_of(one) for k, one in enumerate(arguments)]
                call = Call(_text(name, len(arguments)), tuple(kinds), tuple(map(literal, arguments)))
                yield kind, call


def _is_fixed(called: Any, k: int, argument: Any) -> bool:
    """Whether an argument, such as an axis, must be known."""
    is_int = type(argument) in (int, bool)
    return (
        is_int and k > 0 and (called is round or _is_of_arrays(called) or called.__name__ in vars(np.random.Generator))
    )


def _is_of_arrays(called: Any) -> bool:
    name = getattr(called, "__name__", "")
    return not isinstance(called, np.ufunc) and any(getattr(one, name, None) is called for one in (np, np.ndarray))


class Program(NamedTuple):
    """A program: the text of `def f(rng, a, b, x, y, c, s, v)`."""

    seed: int
    text: str


@dataclass
class _Scope:
    """The names of a function: those that are bound, by name, with their kinds, and those that may be unbound."""

    bound: dict[str, str]
    doubtful: dict[str, str] = field(default_factory=dict)


class Writer:
    """Writes one program.

    Args:
        seed: The seed.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._scope = _Scope(dict(PARAMETERS))
        self._count = 0
        self._depth = 0
        self._in_loop = False
        self._functions: dict[str, tuple[str, ...]] = {}

    def program(self) -> str:
        """Returns the text."""
        body = self._block(self._random.randint(3, 9))
        return "\n".join([f"def f({', '.join(PARAMETERS)}):", *_indented([*body, f"return {self._results()}"])]) + "\n"

    # Choices.

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _new(self) -> str:
        self._count += 1
        return f"z{self._count}"

    def _kind(self) -> str:
        return self._random.choices(KINDS, WEIGHTS)[0]

    def _variable(self, kind: str) -> str | None:
        names = [name for name, one in self._scope.bound.items() if one == kind]
        if self._chance(0.015):
            names = [name for name, one in self._scope.doubtful.items() if one == kind] or names
        return self._random.choice(names) if names else None

    def _results(self) -> str:
        names = [name for name, kind in self._scope.bound.items() if kind != "rng"]
        chosen = self._random.sample(names, min(len(names), self._random.randint(1, 5)))
        if self._scope.doubtful and self._chance(0.1):
            chosen.append(self._random.choice(list(self._scope.doubtful)))
        return f"({', '.join(chosen)},)"

    # Expressions.

    def expression(self, kind: str, depth: int = 2) -> str:
        """Returns an expression of a kind."""
        name = self._variable(kind)
        if depth <= 0 or self._chance(0.25):
            return name if name is not None and self._chance(0.75) else self._plain(kind)
        if kind in NUMBERS or kind == "vector":
            return self._number(kind, depth - 1)
        return self._compound(kind, depth - 1)

    def _plain(self, kind: str) -> str:
        r = self._random
        match kind:
            case "bool":
                return r.choice(("True", "False", "c"))
            case "int":
                return str(r.choice((0, 1, 2, 3, -1, -4, 7, r.randint(-50, 50))))
            case "float":
                return repr(r.choice((0.0, 1.0, -0.5, 2.5, 1e-3, -0.0, r.uniform(-9.0, 9.0))))
            case "vector":
                return "v.copy()" if self._chance(0.5) else "np.array([1.5, -2.0, 0.5])"
            case "int64" | "int32":
                return f"np.{kind}({r.randint(-9, 9)})"
            case "float32" | "float64":
                return f"np.{kind}({r.uniform(-3, 3)!r})"
        return self._compound(kind, 0)

    def _compound(self, kind: str, depth: int) -> str:
        def part(one: str) -> str:
            return self.expression(one, depth)

        match kind:
            case "pair":
                return f"({part('int')}, {part('float')})"
            case "list":
                if self._chance(0.3):
                    return self._comprehension(depth)
                return f"[{part('int')}, {part('int')}, {part('int')}]"
            case "point":
                return f"Point({part('float')}, {part('int')})" if self._chance(0.6) else f"Point(x={part('float')})"
            case _:
                return f"(None if {part('bool')} else {part('int')})"

    def _comprehension(self, depth: int) -> str:
        name = self._new()
        before = dict(self._scope.bound)
        source, kind = self._random.choice(
            (("range(3)", "int"), (self.expression("list", 0), "int"), ("(a, b, 4)", "int"))
        )
        self._scope.bound[name] = kind
        item = self.expression("int", depth)
        self._scope.bound = before
        return f"[{item} for {name} in {source}]"

    def _number(self, kind: str, depth: int) -> str:
        forms: list[Callable[[str, int], str | None]] = [self._called] * 5
        forms += [self._ternary, self._and_or, self._walrus, self._item, self._local_call]
        forms += [self._drawn, self._compared, self._arithmetic, self._arithmetic, self._arithmetic]
        for _ in range(6):
            text = self._random.choice(forms)(kind, depth)
            if text is not None:
                return text
        return self._plain(kind)

    def _called(self, kind: str, depth: int) -> str | None:
        calls = catalogue()[kind]
        if not calls:
            return None
        call = self._random.choice(calls)
        given = [
            self.expression(one, depth) if one and self._chance(0.6) else fixed
            for one, fixed in zip(call.kinds, call.fixed, strict=True)
        ]
        return call.text.format(*[f"({one})" if one.startswith("-") else one for one in given])

    def _arithmetic(self, kind: str, depth: int) -> str | None:
        if kind == "bool":
            return f"(not {self.expression(self._random.choice(NUMBERS), depth)})"
        if kind not in ("int", "float", "float64", "vector"):
            return None
        other = kind if kind == "int" else self._random.choice((kind, "int", "float"))
        a, b = self.expression(kind, depth), self.expression(other, depth)
        if kind == "int" and self._chance(0.4):
            sign = self._random.choice(("//", "%", "&", "|", "^"))
            return f"({a} {sign} {b})" if self._chance(0.4) else f"({a} {sign} {self._random.choice((3, 7, 10))})"
        if kind == "int" and self._in_loop:  # products of products would take Python for ever
            return f"({a} * {self._random.choice((2, 3, -1))})" if self._chance(0.4) else f"({a} - {b})"
        if kind == "int" and self._chance(0.2):
            return self._random.choice((f"(-{a})", f"(~{a})", f"({a} << {self._random.randint(0, 3)})", f"({a} ** 2)"))
        return f"({a} {self._random.choice(('+', '-', '*', '/') if kind != 'int' else ('+', '-', '*'))} {b})"

    def _ternary(self, kind: str, depth: int) -> str:
        return (
            f"({self.expression(kind, depth)} if {self.expression('bool', depth)} else {self.expression(kind, depth)})"
        )

    def _and_or(self, kind: str, depth: int) -> str:
        if kind == "vector":
            return self._ternary(kind, depth)
        word = self._random.choice(("and", "or"))
        return f"({self.expression(kind, depth)} {word} {self.expression(kind, depth)})"

    def _walrus(self, kind: str, depth: int) -> str | None:
        if not self._chance(0.3) or self._depth > 1:
            return None
        name = self._new()
        text = f"({name} := {self.expression(kind, depth)})"
        self._scope.doubtful[name] = kind
        return text

    def _item(self, kind: str, depth: int) -> str | None:
        sources = {"int": ("pair", "[0]"), "float": ("pair", "[1]"), "float64": ("vector", "[{}]")}
        if kind == "int" and self._chance(0.5):
            return f"{self.expression('list', 0)}[{self._index(depth)}]"
        if kind in ("int", "float") and self._chance(0.3):
            return f"{self.expression('point', 0)}.{'n' if kind == 'int' else 'x'}"
        if kind not in sources:
            return None
        source, index = sources[kind]
        return f"{self.expression(source, 0)}{index.format(self._index(depth))}"

    def _index(self, depth: int) -> str:
        if self._chance(0.6):
            return str(self._random.choice((0, 1, 2, -1)))
        return self._random.choice((f"({self.expression('int', depth)} % 3)", f"({self.expression('int', depth)} & 1)"))

    def _local_call(self, kind: str, depth: int) -> str | None:
        names = [name for name, kinds in self._functions.items() if kinds[-1] == kind]
        if not names:
            return None
        name = self._random.choice(names)
        return f"{name}({', '.join(self.expression(one, depth) for one in self._functions[name][:-1])})"

    def _drawn(self, kind: str, depth: int) -> str | None:
        r = self._random
        texts = {
            "float": (
                "rng.random()",
                "rng.uniform(-1, 1)",
                "rng.normal()",
                "rng.normal(x, 0.5)",
                "rng.exponential(2.0)",
            ),
            "int64": (
                "rng.integers(5)",
                "rng.integers(-2, 3)",
                "rng.choice([1, 2, 3])",
                "rng.integers(1 + abs(a) % 9)",
            ),
            "int": ("int(rng.integers(4))", "rng.choice(4)", "rng.choice(3, p=[0.2, 0.3, 0.5])"),
            "bool": ("bool(rng.integers(2))", "(rng.random() < 0.5)"),
            "vector": ("rng.random(3)", "rng.normal(size=3)", "rng.uniform(-1, 1, size=(3,))"),
        }
        return r.choice(texts[kind]) if kind in texts else None

    def _compared(self, kind: str, depth: int) -> str | None:
        if kind != "bool":
            return None
        one = self._random.choice(NUMBERS)
        parts = [self.expression(one, depth)]
        for _ in range(1 if self._chance(0.7) else 2):
            other = one if self._chance(0.6) else self._random.choice(NUMBERS)
            parts += [self._random.choice(COMPARISONS), self.expression(other, depth)]
        text = " ".join(parts)
        if self._chance(0.1):
            text = f"{self.expression('optional', 0)} is {self._random.choice(('', 'not '))}None"
        if self._chance(0.1):
            text = f"{self.expression('int', 0)} in {self._random.choice(('(1, 2, 3)', self.expression('list', 0)))}"
        return f"bool({text})" if self._chance(0.5) else f"(not ({text}))"

    # Statements.

    def _block(self, count: int) -> list[str]:
        self._depth += 1
        lines: list[str] = []
        for _ in range(count):
            lines += self._statement()
        self._depth -= 1
        return lines or ["pass"]

    def _statement(self) -> list[str]:
        forms: list[tuple[int, Callable[[], list[str]]]] = [
            (8, self._assignment),
            (4, self._augmented),
            (2, self._unpacking),
        ]
        forms += [(2, self._stored), (1, self._checked), (1, self._returned)]
        if self._depth < 4:
            forms += [(5, self._branch), (3, self._for), (2, self._while), (2, self._function)]
        if self._in_loop:
            forms += [(1, self._jump)]
        return self._random.choices([form for _, form in forms], [weight for weight, _ in forms])[0]()

    def _assignment(self) -> list[str]:
        kind = self._kind()
        names = [name for name, one in self._scope.bound.items() if name not in PARAMETERS]
        if names and self._chance(0.5):
            name = self._random.choice(names)
            kind = self._scope.bound[name] if self._chance(0.85) else kind
        else:
            name = self._new()
        text = f"{name} = {self.expression(kind)}"
        self._bind(name, kind)
        return [text]

    def _bind(self, name: str, kind: str) -> None:
        self._scope.bound[name] = kind
        self._scope.doubtful.pop(name, None)

    def _augmented(self) -> list[str]:
        names = [name for name, kind in self._scope.bound.items() if kind in ("int", "float", "float64", "vector")]
        name = self._random.choice(names)
        kind = self._scope.bound[name]
        if kind == "int":
            sign = self._random.choice(("+", "-", "*", "//", "%", "|"))
            other = self.expression("int", 1) if sign in "+-" else str(self._random.choice((2, 3, 5)))
            return [f"{name} {sign}= {other}"]
        return [f"{name} {self._random.choice('+-*')}= {self.expression('float', 1)}"]

    def _unpacking(self) -> list[str]:
        a, b = self._new(), self._new()
        source, kinds = self._random.choice(
            ((self.expression("pair"), ("int", "float")), (self.expression("point"), ("float", "int")))
        )
        line = f"{a}, {b} = {source}"
        if self._chance(0.3):
            line, kinds = f"{a}, *{b} = {self.expression('list')}", ("int", "")
        self._bind(a, kinds[0])
        if kinds[1]:
            self._bind(b, kinds[1])
        return [line]

    def _stored(self) -> list[str]:
        kind = self._random.choice(("list", "vector"))
        name = self._variable(kind)
        if name is None:
            return ["pass"]
        index = self._random.choice((0, 1, 2, -1)) if kind == "list" else self._index(1)
        return [f"{name}[{index}] = {self.expression('int' if kind == 'list' else 'float', 1)}"]

    def _checked(self) -> list[str]:
        if self._chance(0.5):
            return [f"assert {self.expression('bool', 1)} or {self.expression('bool', 1)} or c or a > 0"]
        return [
            f"if {self.expression('bool', 1)} and a == {self._random.randint(-3, 3)}:",
            "    raise ValueError('no')",
        ]

    def _returned(self) -> list[str]:
        value = self._random.choice((self.expression(self._kind()), self._results(), "None"))
        return [f"if {self.expression('bool', 1)} and b > {self._random.randint(-3, 9)}:", f"    return {value}"]

    def _jump(self) -> list[str]:
        return [f"if {self.expression('bool', 1)}:", f"    {self._random.choice(('break', 'continue'))}"]

    def _inner(self, count: int) -> list[str]:
        """A block that may not run: the names that it binds may be unbound behind it."""
        before = dict(self._scope.bound)
        lines = self._block(count)
        after, self._scope.bound = self._scope.bound, {}
        for name, kind in after.items():
            if name in before:
                self._scope.bound[name] = before[name]
            else:
                self._scope.doubtful[name] = kind
        return lines

    def _branch(self) -> list[str]:
        lines = [f"if {self.expression('bool')}:", *_indented(self._inner(self._random.randint(1, 3)))]
        if self._chance(0.25):
            lines += [f"elif {self.expression('bool')}:", *_indented(self._inner(self._random.randint(1, 2)))]
        if self._chance(0.6):
            lines += ["else:", *_indented(self._inner(self._random.randint(1, 3)))]
        return lines

    def _for(self) -> list[str]:
        name, other = self._new(), self._new()
        source, bound = self._random.choice(
            (
                ("range(3)", {name: "int"}),
                (f"range({self.expression('int', 0)} % 5)", {name: "int"}),
                ("range(4, -1, -2)", {name: "int"}),
                (self.expression("list", 0), {name: "int"}),
                (self.expression("vector", 0), {name: "float64"}),
                (f"enumerate({self.expression('vector', 0)})", {name: "int", other: "float64"}),
                (f"zip({self.expression('list', 0)}, {self.expression('vector', 0)})", {name: "int", other: "float64"}),
                ("(1, 2.5, True)", {name: "float"}),
            )
        )
        lines = [f"for {', '.join(bound)} in {source}:", *_indented(self._loop_body(bound))]
        if self._chance(0.2):
            lines += ["else:", *_indented(self._inner(1))]
        return lines

    def _while(self) -> list[str]:
        name = self._new()
        head = [f"{name} = 0", f"while {name} < {self._random.randint(1, 5)} and {self.expression('bool', 1)}:"]
        self._bind(name, "counter")
        lines = [*head, f"    {name} += 1", *_indented(self._loop_body({}))]
        self._scope.bound[name] = "int"
        if self._chance(0.2):
            lines += ["else:", *_indented(self._inner(1))]
        self._scope.bound[name] = "counter"
        return lines

    def _loop_body(self, bound: dict[str, str]) -> list[str]:
        before, was_in_loop = dict(self._scope.bound), self._in_loop
        self._scope.bound |= bound
        self._in_loop = True
        lines = self._inner(self._random.randint(1, 4))
        self._in_loop = was_in_loop
        for name, kind in bound.items():
            self._scope.doubtful[name] = kind
        self._scope.bound = before
        return lines

    def _function(self) -> list[str]:
        name, p, q = self._new(), self._new(), self._new()
        kinds = tuple(self._random.choices(("int", "float", "bool"), k=3))
        before, functions = self._scope, dict(self._functions)
        self._scope = _Scope({**before.bound, p: kinds[0], q: kinds[1]})
        if self._chance(0.4):
            lines = [f"{name} = lambda {p}, {q}: {self.expression(kinds[2])}"]
        else:
            was_in_loop, self._in_loop, depth, self._depth = self._in_loop, False, self._depth, 4
            self._scope = _Scope({p: kinds[0], q: kinds[1], "a": "int", "x": "float"})
            body = [f"{self._new()} = {self.expression('int')}"]
            body += [f"if {self.expression('bool')}:", f"    return {self.expression(kinds[2])}"]
            lines = [f"def {name}({p}, {q}):", *_indented([*body, f"return {self.expression(kinds[2])}"])]
            self._in_loop, self._depth = was_in_loop, depth
        self._scope = before
        if self._depth == 1:
            self._functions = {**functions, name: kinds}
        else:
            self._functions = functions
        return lines


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def program(seed: int) -> Program:
    """Returns the program of a seed."""
    return Program(seed, Writer(seed).program())


def arguments_of(seed: int) -> tuple[Any, ...]:
    """Returns arguments for a program, of the kinds of `PARAMETERS`."""
    r = random.Random(seed)
    ints = [r.choice((0, 1, -1, 2, 5, r.randint(-20, 20), r.choice((2**62, -(2**63), 2**53 + 1)))) for _ in range(2)]
    floats = [
        r.choice((0.0, -0.0, 1.0, -2.5, r.uniform(-5, 5), r.choice((math.inf, math.nan, 1e300)))) for _ in range(2)
    ]
    vector = np.array([r.uniform(-3, 3) for _ in range(3)])
    return np.random.default_rng(seed), *ints, *floats, r.random() < 0.5, np.float32(r.uniform(-3, 3)), vector
