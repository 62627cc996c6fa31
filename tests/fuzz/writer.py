"""Random statements and expressions of the language.

The statements are those of the grammar here; operations and functions are those of the table (`catalogue`). A line may
end with a comment, `# or ...`, that is what can stand in its place where Python raises or the language refuses it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.fuzz.catalogue import PLACE, catalogue, dtype_and_shape, plain

NUMBERS = ("bool", "int", "float", "float32", "float64", "int64", "int32", "int8", "uint8", "bool_")
VECTORS = ("float64[3]", "int64[3]", "bool[3]", "float32[3]", "uint8[3]", "int8[3]")
ARRAYS = (*VECTORS, "float64[3, 3]", "int64[3, 3]", "bool[3, 3]", "float32[3, 3]")
OTHERS = ("pair", "list", "point", "optional")
KINDS = (*NUMBERS, *ARRAYS, *OTHERS)
WEIGHTS = (4, 12, 12, 2, 4, 4, 2, 1, 1, 1, 4, 3, 2, 1, 1, 1, 2, 1, 1, 1, 3, 3, 2, 2)
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
OR = "  # or "
DRAWN = {
    "float": ("rng.random()", "rng.uniform(-1, 1)", "rng.normal()", "rng.normal(0.5, 0.5)", "rng.exponential(2.0)"),
    "int64": ("rng.integers(5)", "rng.integers(-2, 3)", "rng.choice([1, 2, 3])"),
    "int": ("int(rng.integers(4))", "int(rng.choice(4))", "int(rng.choice(3, p=[0.2, 0.3, 0.5]))"),
    "bool": ("bool(rng.integers(2))", "(rng.random() < 0.5)"),
    "float64[3]": ("rng.random(3)", "rng.normal(size=3)", "rng.uniform(-1, 1, size=(3,))", "rng.permutation(3) * 0.5"),
    "int64[3]": ("rng.integers(0, 5, size=3)", "rng.permutation(3)"),
}


@dataclass
class Scope:
    """The names of a function.

    Attributes:
        bound: Those that are bound, with their kinds.
        fixed: Those of them that are not assigned.
        doubtful: Those that may be unbound.
    """

    bound: dict[str, str]
    fixed: frozenset[str] = frozenset()
    doubtful: dict[str, str] = field(default_factory=dict)


class Writer:
    """Writes parts of a program.

    Args:
        chance: Where chance comes from.
        nested: Whether functions stand within functions.
        risk: How likely what may raise is, from 0 to 1.
    """

    def __init__(self, chance: random.Random, nested: bool = True, risk: float = 1.0) -> None:
        self.chance, self.scope = chance, Scope({})
        self.functions: dict[str, tuple[str, ...]] = {}  # the kinds of arguments and result, by name
        self._nested, self._risk = nested, risk
        self._count, self._depth = 0, 0
        self._in_loop = False
        self._returned: Callable[[], str] | None = None

    def block(self, scope: Scope, count: int, returned: Callable[[], str] | None = None) -> list[str]:
        """Returns the lines of some statements, which add to the scope; `returned` writes what may be returned."""
        self.scope, self._returned = scope, returned
        return self._block(count)

    def new(self) -> str:
        """Returns a name that nothing has."""
        self._count += 1
        return f"z{self._count}"

    def plain(self, kind: str) -> str:
        """Returns an object of a kind, without names."""
        match kind:
            case "pair":
                return f"({self.plain('int')}, {self.plain('float')})"
            case "list":
                return f"[{self.plain('int')}, {self.plain('int')}, {self.plain('int')}]"
            case "point":
                return f"Point({self.plain('float')}, {self.plain('int')})"
            case "optional":
                return self.chance.choice(("None", self.plain("int")))
        return plain(kind, self.chance)

    def assigned(self, name: str, kind: str, text: str = "") -> str:
        """Returns an assignment of an expression of a kind."""
        return f"{name} = {text or self.expression(kind)}{OR}{name} = {self.plain(kind)}"

    def results(self) -> str:
        """Returns a tuple of some names."""
        names = [name for name, kind in self.scope.bound.items() if kind != "rng"]
        chosen = self.chance.sample(names, min(len(names), self.chance.randint(1, 6)))
        if self.scope.doubtful and self._is(0.1):
            chosen.append(self.chance.choice(list(self.scope.doubtful)))
        return f"({', '.join(chosen)},)"

    # Choices.

    def _is(self, share: float) -> bool:
        return self.chance.random() < share

    def _kind(self) -> str:
        return self.chance.choices(KINDS, WEIGHTS)[0] if self._is(0.95) else self.chance.choice(list(catalogue()))

    def _variable(self, kind: str, written: bool = False) -> str | None:
        bound, fixed = self.scope.bound, self.scope.fixed if written else ()
        names = [name for name, one in bound.items() if one == kind and name not in fixed]
        if self._is(0.015 * self._risk):
            names = [name for name, one in self.scope.doubtful.items() if one == kind] or names
        return self.chance.choice(names) if names else None

    # Expressions.

    def expression(self, kind: str, depth: int = 2) -> str:
        """Returns an expression of a kind."""
        name = self._variable(kind)
        if depth <= 0 or self._is(0.25):
            return name if name is not None and self._is(0.8) else self._converted(kind) or self.plain(kind)
        return self._compound(kind, depth - 1) if kind in OTHERS else self._number(kind, depth - 1)

    def _converted(self, kind: str) -> str | None:
        """A name of another kind, as this kind."""
        dtype, _, shape = kind.partition("[")
        bound = self.scope.bound.items()
        names = [name for name, one in bound if one.partition("[")[2] == shape and (shape or one in NUMBERS)]
        if kind in OTHERS or not names or self._is(0.3):
            return None
        name = self.chance.choice(names)
        if shape:
            return f"{name}.astype(np.{'bool_' if dtype == 'bool' else dtype})"
        if kind == "bool":
            return f"({name} {self.chance.choice(COMPARISONS)} {self.chance.choice((0, 1, 2.5))})"
        return f"{kind}({name})" if kind in ("int", "float") else f"np.{kind}({name})"

    def _compound(self, kind: str, depth: int) -> str:
        def part(one: str) -> str:
            return self.expression(one, depth)

        match kind:
            case "pair":
                return f"({part('int')}, {part('float')})"
            case "list":
                return self._comprehension(depth) if self._is(0.3) else f"[{', '.join(part('int') for _ in range(3))}]"
            case "point":
                return f"Point({part('float')}, {part('int')})" if self._is(0.6) else f"Point(x={part('float')})"
        return f"(None if {part('bool')} else {part('int')})"

    def _comprehension(self, depth: int) -> str:
        name, before = self.new(), dict(self.scope.bound)
        source = self.chance.choice(("range(3)", self.expression("list", 0), f"({self.expression('int', 0)}, 5, 4)"))
        self.scope.bound[name] = "int"
        item = self.expression("int", depth)
        self.scope.bound = before
        return f"[{item} for {name} in {source}]"

    def _number(self, kind: str, depth: int) -> str:
        forms: list[Callable[[str, int], str | None]] = [self._called] * 5
        forms += [self._ternary, self._and_or, self._walrus, self._item, self._item, self._local_call]
        forms += [self._drawn, self._compared, self._arithmetic, self._arithmetic, self._arithmetic]
        for _ in range(6):
            text = self.chance.choice(forms)(kind, depth)
            if text is not None:
                return text
        return self.plain(kind)

    def _called(self, kind: str, depth: int) -> str | None:
        groups = catalogue().get(kind)
        if not groups:
            return None
        call = self.chance.choice(self.chance.choice(groups))
        if call.text.startswith("rng.") and "rng" not in self.scope.bound:
            return None
        parts = call.text.split(PLACE)
        text = parts[0]
        for one, fixed, part in zip(call.kinds, call.fixed, parts[1:], strict=True):
            given = self._argument(one, depth) if one and self._is(0.85) else fixed
            text += (f"({given})" if given.startswith("-") else given) + part
        return text

    def _argument(self, kind: str, depth: int) -> str:
        if kind.endswith("[3]") and self._is(0.06):  # of a length that is found at run time
            return f"{self.expression(kind, 0)}[{self.expression('bool[3]', depth)}]"
        return self.expression(kind, depth)

    def _arithmetic(self, kind: str, depth: int) -> str | None:
        if kind == "bool":
            return f"(not {self.expression(self.chance.choice(NUMBERS), depth)})"
        if "[" in kind:
            return self._of_arrays(kind, depth)
        if kind not in ("int", "float", "float64", "float32", "int64"):
            return None
        a, is_whole = self.expression(kind, depth), kind.startswith("int")
        b = self.expression(kind if is_whole else self.chance.choice((kind, "int", "float")), depth)
        if is_whole and self._is(0.4):
            sign = self.chance.choice(("//", "%", "&", "|", "^"))
            b = b if self._is(0.2 + 0.2 * self._risk) else str(self.chance.choice((3, 7, 10)))
            return f"({a} {sign} {b})"
        if is_whole and self._in_loop:  # products of products would take Python for ever
            return f"({a} * {self.chance.choice((2, 3, -1))})" if self._is(0.4) else f"({a} - {b})"
        if is_whole and self._is(0.2):
            return self.chance.choice((f"(-{a})", f"(~{a})", f"({a} << {self.chance.randint(0, 3)})", f"({a} ** 2)"))
        return f"({a} {self.chance.choice('+-*' if is_whole else '+-*/')} {b})"

    def _of_arrays(self, kind: str, depth: int) -> str:
        dtype, shape = dtype_and_shape(kind)
        a = self.expression(kind, depth)
        if dtype == "bool":
            other = self.chance.choice(("float64", "int64", "float32", "uint8"))
            sign = self.chance.choice(COMPARISONS)
            if self._is(0.5):
                return f"({a} {self.chance.choice('&|^')} {self.expression(kind, depth)})"
            given = self.expression(self.chance.choice(("int", "float", f"{other}{list(shape)}")), depth)
            return f"({self.expression(f'{other}{list(shape)}', depth)} {sign} {given})"
        weak = "float" if dtype.startswith("float") else "int"
        return f"({a} {self.chance.choice('+-*')} {self.expression(self.chance.choice((kind, kind, weak)), depth)})"

    def _ternary(self, kind: str, depth: int) -> str:
        condition = self.expression("bool", depth)
        return f"({self.expression(kind, depth)} if {condition} else {self.expression(kind, depth)})"

    def _and_or(self, kind: str, depth: int) -> str:
        if "[" in kind:
            return self._ternary(kind, depth)
        word = self.chance.choice(("and", "or"))
        return f"({self.expression(kind, depth)} {word} {self.expression(kind, depth)})"

    def _walrus(self, kind: str, depth: int) -> str | None:
        if not self._is(0.3) or self._depth > 1:
            return None
        name = self.new()
        text = f"({name} := {self.expression(kind, depth)})"
        self.scope.doubtful[name] = kind
        return text

    def _item(self, kind: str, depth: int) -> str | None:
        if kind in ("int", "float") and self._is(0.3):
            return f"{self.expression('point', 0)}.{'n' if kind == 'int' else 'x'}"
        if kind in ("int", "float") and self._is(0.7):
            source = "list" if kind == "int" and self._is(0.7) else "pair"
            index = self._index(depth) if source == "list" else "0" if kind == "int" else "1"
            return f"{self.expression(source, 0)}[{index}]"
        if "[" in kind:
            return self._part(kind, depth)
        dtype = "bool" if kind == "bool_" else "" if kind in ("int", "float", "bool") else kind
        return f"{self.expression(f'{dtype}[3]', 0)}[{self._index(depth)}]" if dtype else None

    def _part(self, kind: str, depth: int) -> str | None:
        dtype, shape = dtype_and_shape(kind)
        if shape == (3, 3):
            return f"{self.expression(kind, 0)}{self.chance.choice(('.T', '[::-1]', '[:, ::-1]', '.copy()'))}"
        if shape != (3,):
            return None
        square = self.expression(f"{dtype}[3, 3]", 0)
        index = self._index(depth)
        vector = f"{self.expression(kind, 0)}[{self.chance.choice(('::-1', ':', self.expression('int64[3]', 0)))}]"
        return self.chance.choice((f"{square}[{index}]", f"{square}[:, {index}]", vector))

    def _index(self, depth: int) -> str:
        if self._is(0.5):
            return str(self.chance.choice((0, 1, 2, -1)))
        number = self.expression(self.chance.choice(("int", "int", "int64")), depth)
        return self.chance.choice((f"({number} % 3)", f"({number} & 1)"))

    def _local_call(self, kind: str, depth: int) -> str | None:
        names = [name for name, kinds in self.functions.items() if kinds[-1] == kind]
        if not names:
            return None
        name = self.chance.choice(names)
        given = [self.expression(one, depth) for one in self.functions[name][:-1]]
        return f"{name}({', '.join(given)})"

    def _drawn(self, kind: str, depth: int) -> str | None:
        if kind not in DRAWN or "rng" not in self.scope.bound:
            return None
        return self.chance.choice(DRAWN[kind])

    def _compared(self, kind: str, depth: int) -> str | None:
        if kind != "bool":
            return None
        one = self.chance.choice(NUMBERS)
        parts = [self.expression(one, depth)]
        for _ in range(1 if self._is(0.7) else 2):
            other = one if self._is(0.6) else self.chance.choice(NUMBERS)
            parts += [self.chance.choice(COMPARISONS), self.expression(other, depth)]
        text = " ".join(parts)
        if self._is(0.1):
            one = self._variable("optional") or self._compound("optional", 0)
            text = f"{one} is {self.chance.choice(('', 'not '))}None"
        elif self._is(0.1):
            text = f"{self.expression('int', 0)} in {self.chance.choice(('(1, 2, 3)', self.expression('list', 0)))}"
        return f"bool({text})" if self._is(0.5) else f"(not ({text}))"

    # Statements.

    def _block(self, count: int) -> list[str]:
        self._depth += 1
        lines: list[str] = []
        for _ in range(count):
            lines += self._statement()
        self._depth -= 1
        return lines or ["pass"]

    def _statement(self) -> list[str]:
        forms: list[tuple[float, Callable[[], list[str]]]] = [(8, self._assignment), (4, self._augmented)]
        forms += [(2, self._unpacking), (3, self._stored), (self._risk, self._checked), (1, self._return)]
        if self._depth < 4:
            forms += [(5, self._branch), (3, self._for), (2, self._while), (2 * self._nested, self._function)]
        if self._in_loop:
            forms += [(1, self._jump)]
        return self.chance.choices([form for _, form in forms], [weight for weight, _ in forms])[0]()

    def _assignment(self) -> list[str]:
        kind = self._kind()
        bound, fixed = self.scope.bound.items(), self.scope.fixed
        names = [name for name, one in bound if name not in fixed and one not in ("counter", "rng")]
        if names and self._is(0.5):
            name = self.chance.choice(names)
            kind = self.scope.bound[name] if "." in name or self._is(0.85) else kind
        else:
            name = self.new()
        line = self.assigned(name, kind)
        self._bind(name, kind)
        return [line]

    def _bind(self, name: str, kind: str) -> None:
        self.scope.bound[name] = kind
        self.scope.doubtful.pop(name, None)

    def _augmented(self) -> list[str]:
        kind = self.chance.choice(("int", "float", "float64", "int64", "float64[3]", "float64[3, 3]", "int64[3]"))
        name = self._variable(kind, written=True)
        if name is None:
            return self._assignment()
        if kind.startswith("int"):
            sign = self.chance.choice(("+", "-", "*", "//", "%", "|", "&"))
            other = self.expression(kind, 1) if sign in "+-" else str(self.chance.choice((2, 3, 5)))
            return [f"{name} {sign}= {other}"]
        other = self.expression(self.chance.choice(("float", kind)), 1)
        return [f"{name} {self.chance.choice('+-*')}= {other}"]

    def _unpacking(self) -> list[str]:
        a, b = self.new(), self.new()
        source, kinds = self.chance.choice(
            ((self.expression("pair"), ("int", "float")), (self.expression("point"), ("float", "int")))
        )
        line = f"{a}, {b} = {source}{OR}{a}, {b} = {self.plain(kinds[0])}, {self.plain(kinds[1])}"
        if self._is(0.3):
            line, kinds = f"{a}, *{b} = {self.expression('list')}", ("int", "")
        self._bind(a, kinds[0])
        if kinds[1]:
            self._bind(b, kinds[1])
        return [line]

    def _stored(self) -> list[str]:
        kind = self.chance.choice(("list", "float64[3]", "int64[3]", "bool[3]", "float32[3]", "float64[3, 3]"))
        name = self._variable(kind, written=True)
        if name is None:
            return self._assignment()
        if kind == "list":
            return [f"{name}[{self.chance.choice((0, 1, 2, -1))}] = {self.expression('int', 1)}"]
        one = {"b": "bool", "f": "float"}.get(kind[0], "int")
        place = f"{self._index(1)}{', 1' * (', ' in kind)}"
        ways = [f"[{place}] {self.chance.choice(('', '+'))}= {self.expression(one, 1)}"]
        ways += [f"[:] = {self.expression(kind, 1)}", f"[1:] = {self.expression(one, 1)}"]
        if kind.endswith("[3]"):
            ways += [f"[{self.expression('bool[3]', 1)}] = {self.expression(one, 1)}"]
        return [f"{name}{self.chance.choice(ways)}"]

    def _checked(self) -> list[str]:
        number, k = self.expression("int", 0), self.chance.randint(-3, 3)
        if self._is(0.5):
            return [f"assert {self.expression('bool', 1)} or {self.expression('bool', 1)} or {number} != {k}"]
        return [f"if {self.expression('bool', 1)} and {number} == {k}:", "    raise ValueError('no')"]

    def _return(self) -> list[str]:
        if self._returned is None:
            return self._assignment()
        number = self.expression("int", 0)
        head = f"if {self.expression('bool', 1)} and {number} > {self.chance.randint(-3, 9)}:{OR}if False:"
        return [head, f"    return {self._returned()}"]

    def _jump(self) -> list[str]:
        return [f"if {self.expression('bool', 1)}:{OR}if False:", f"    {self.chance.choice(('break', 'continue'))}"]

    def _inner(self, count: int) -> list[str]:
        """A block that may not run: the names that it binds may be unbound behind it."""
        before = dict(self.scope.bound)
        lines = self._block(count)
        after, self.scope.bound = self.scope.bound, {}
        for name, kind in after.items():
            if name in before:
                self.scope.bound[name] = before[name]
            else:
                self.scope.doubtful[name] = kind
        return lines

    def _condition(self, word: str) -> str:
        return f"{word} {self.expression('bool')}:{OR}{word} {self.chance.choice(('True', 'False'))}:"

    def _branch(self) -> list[str]:
        lines = [self._condition("if"), *indented(self._inner(self.chance.randint(1, 3)))]
        if self._is(0.25):
            lines += [self._condition("elif"), *indented(self._inner(self.chance.randint(1, 2)))]
        if self._is(0.6):
            lines += ["else:", *indented(self._inner(self.chance.randint(1, 3)))]
        return lines

    def _for(self) -> list[str]:
        name, other = self.new(), self.new()
        source, bound = self.chance.choice(
            (
                ("range(3)", {name: "int"}),
                (f"range({self.expression('int', 0)} % 5)", {name: "int"}),
                ("range(4, -1, -2)", {name: "int"}),
                (self.expression("list", 0), {name: "int"}),
                (self.expression("float64[3]", 0), {name: "float64"}),
                (f"enumerate({self.expression('float64[3]', 0)})", {name: "int", other: "float64"}),
                (
                    f"zip({self.expression('list', 0)}, {self.expression('int64[3]', 0)})",
                    {name: "int", other: "int64"},
                ),
                (self.expression("float64[3, 3]", 0), {name: "float64[3]"}),
                ("(1, 2.5, True)", {name: "float"}),
            )
        )
        names = ", ".join(bound)
        lines = [f"for {names} in {source}:{OR}for {names} in ():", *indented(self._loop_body(bound))]
        if self._is(0.2):
            lines += ["else:", *indented(self._inner(1))]
        return lines

    def _while(self) -> list[str]:
        name, most = self.new(), self.chance.randint(1, 5)
        lines = [f"{name} = 0", f"while {name} < {most} and {self.expression('bool', 1)}:{OR}while {name} < {most}:"]
        self._bind(name, "counter")
        lines += [f"    {name} += 1", *indented(self._loop_body({}))]
        self.scope.bound[name] = "int"
        if self._is(0.2):
            lines += ["else:", *indented(self._inner(1))]
        self.scope.bound[name] = "counter"
        return lines

    def _loop_body(self, bound: dict[str, str]) -> list[str]:
        before, was_in_loop = dict(self.scope.bound), self._in_loop
        self.scope.bound |= bound
        self._in_loop = True
        lines = self._inner(self.chance.randint(1, 4))
        self._in_loop = was_in_loop
        for name, kind in bound.items():
            self.scope.doubtful[name] = kind
        self.scope.bound = before
        return lines

    def _function(self) -> list[str]:
        name, before, functions = self.new(), self.scope, dict(self.functions)
        if self._is(0.4):
            p, q, kinds = self.new(), self.new(), self._kinds()
            self.scope = Scope({**before.bound, p: kinds[0], q: kinds[1]}, before.fixed)
            lines = [f"{name} = lambda {p}, {q}: {self.expression(kinds[2])}"]
        else:
            lines, kinds = self.helper(name)
        self.scope = before
        self.functions = {**functions, name: kinds} if self._depth == 1 else functions
        if self._is(0.5):
            found, given = self.new(), [self.expression(one, 1) for one in kinds[:-1]]
            lines.append(self.assigned(found, kinds[-1], f"{name}({', '.join(given)})"))
            self._bind(found, kinds[-1])
        return lines

    def _kinds(self) -> tuple[str, ...]:
        return tuple(self.chance.choices(("int", "float", "bool", "float64[3]", "int64"), (4, 4, 3, 2, 1), k=3))

    def helper(self, name: str, first: str = "", seen: Scope | None = None) -> tuple[list[str], tuple[str, ...]]:
        """Returns a function of two arguments, with an early return, and the kinds of its arguments and its result.

        `first` stands before the arguments; the function also sees the names of a scope. It may call itself.
        """
        p, q, kinds = self.new(), self.new(), self._kinds()
        left = self.new() if not first and self._is(0.3) else ""
        if left and kinds[2].endswith("[3]"):
            kinds = (*kinds[:2], "float")
        kept = self._in_loop, self._depth, self._returned, self._nested
        self._in_loop, self._depth, self._nested = False, 3, False
        seen = seen or Scope({})
        self.scope = Scope({**seen.bound, p: kinds[0], q: kinds[1]}, seen.fixed)
        self._returned = lambda: self.expression(kinds[2])
        body = self._again(name, kinds, left) if left else []
        body += self._block(self.chance.randint(1, 3))
        result = f"return {self.expression(kinds[2])}{OR}return {self.plain(kinds[2])}"
        self._in_loop, self._depth, self._returned, self._nested = kept
        more = f", {left}={self.chance.randint(2, 4)}" if left else ""
        return [f"def {name}({first}{p}, {q}{more}):", *indented([*body, result])], kinds

    def _again(self, name: str, kinds: tuple[str, ...], left: str) -> list[str]:
        """A function's calls of itself: so deep as a number says, of which it takes more or less."""
        lines = [f"{left} -= 1 + int({self.expression('bool', 1)}){OR}{left} -= 1"]
        lines += [f"if {left} < 0:", f"    return {self.plain(kinds[2])}"]
        self._bind(left, "counter")
        lines += self._block(self.chance.randint(0, 2))
        given, found = [self.expression(one, 1) for one in kinds[:2]], self.new()
        call = f"{found} = {name}({', '.join(given)}, {left}){OR}{found} = {self.plain(kinds[2])}"
        lines += (
            [f"{found} = {self.plain(kinds[2])}", f"for {self.new()} in range(2):", f"    {call}"]
            if self._is(0.3)
            else [call]
        )
        self._bind(found, kinds[2])
        return lines


def indented(lines: list[str]) -> list[str]:
    """Returns lines in a block."""
    return [f"    {line}" for line in lines]


def repaired(text: str, numbers: list[int]) -> str:
    """Returns a program with something else in the place of some lines, counted from 1."""
    lines = text.splitlines()
    for number in numbers:
        line = lines[number - 1]
        indent = line[: len(line) - len(line.lstrip())]
        other = line.partition(OR)[2] or ("" if line.lstrip().startswith(("return", "def", "class", "@")) else "pass")
        lines[number - 1] = indent + other if other else line
    return "\n".join(lines) + "\n"
