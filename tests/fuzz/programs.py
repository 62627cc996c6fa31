"""Random programs: a function `f`, a `FuncEnv` named `E`, or an ordinary class of environments named `E`.

`program(seed)` is always the same text for the same seed and table.
"""

from __future__ import annotations

import random
import re
from typing import Any

from tests.fuzz.writer import ARRAYS, NUMBERS, OR, OTHERS, Scope, Writer, indented

HEADER = """\
import math
import operator
from typing import Any, NamedTuple

import numpy as np

import gymnasium
from gymnasium.functional import FuncEnv, ops
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple


class Point(NamedTuple):
    x: float
    n: int = 3


"""
FORMS = ("function", "dynamics", "class")
PARAMETERS = {
    "rng": "rng",
    "a": "int",
    "b": "int",
    "x": "float",
    "y": "float",
    "c": "bool",
    "s": "float32",
    "k": "int64",
    "v": "float64[3]",
    "w": "int64[3]",
    "m": "bool[3]",
    "g": "float64[3, 3]",
    "t": "uint8[3]",
}
NUMERIC = {**{name: kind for name, kind in PARAMETERS.items() if "[" not in kind}, "y": "float64"}
FIELDS = ("int", "float", "bool", *NUMBERS, *ARRAYS, "float64[3]", "int64[3]", "float64[3, 3]")
ACTIONS = (  # spaces, the kinds of their actions for dynamics and for a class
    ("Discrete(3)", "int", "int64"),
    ("Discrete(5, start=-2)", "int", "int64"),
    ("Box(-1.0, 1.0, (3,), np.float32)", "", "float32[3]"),
    ("Box(-np.inf, np.inf, (3,), np.float64)", "", "float64[3]"),
    ("Box(-1.0, 1.0, (3, 3), np.float32)", "float32[3, 3]", "float32[3, 3]"),
    ("MultiDiscrete([2, 3, 4])", "int64[3]", "int64[3]"),
    ("MultiBinary(3)", "int8[3]", "int8[3]"),
)


def form_of(seed: int) -> str:
    """Returns the form of the program of a seed."""
    return FORMS[seed % len(FORMS)]


def program(seed: int, form: str = "") -> str:
    """Returns the program of a seed."""
    form = form or form_of(seed)
    chance = random.Random(f"{form} {seed}")
    return HEADER + {"function": _function, "dynamics": _dynamics, "class": _class}[form](chance)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


# Functions.


def _function(chance: random.Random) -> str:
    parameters = NUMERIC if chance.random() < 0.25 else PARAMETERS  # for lanes, which take no arrays
    writer = Writer(chance)
    body = writer.block(Scope(dict(parameters)), chance.randint(3, 9), writer.results)
    return _joined([f"def f({', '.join(parameters)}):", *indented([*body, f"return {writer.results()}"])])


# Environments.


def _kept(writer: Writer, kind: str) -> str:
    """An expression of a kind whose values stay small as a rule, though they are kept from step to step."""
    text, chance = writer.expression(kind), writer.chance.random()
    if kind in ("int", "float", "bool"):
        if chance < 0.1:
            return f"{kind}({text})"
        ways = {"int": "int({}) % 97", "float": "min(max(-9.0, float({})), 9.0)", "bool": "bool({})"}
        return ways[kind].format(text)
    if "[" not in kind:
        return text if kind in OTHERS else f"np.{kind}({text})"
    if kind.startswith(("float", "int")) and chance < 0.5:
        return f"np.clip({text}, -9, 9)"
    return text if chance < 0.8 else f"({text}).copy()"


def _set(writer: Writer, name: str, kind: str) -> str:
    return writer.assigned(name, kind, _kept(writer, kind))


def _helpers(writer: Writer) -> list[str]:
    lines = []
    for k in range(writer.chance.randint(0, 2)):
        more, kinds = writer.helper(f"h{k}")
        writer.functions[f"h{k}"] = kinds
        lines += [*more, "", ""]
    return lines


def _seen(writer: Writer) -> tuple[str, list[str]]:
    """A space, and the lines of a function that return what is observed."""
    chance, draw = writer.chance, writer.expression
    way = chance.choice(("floats", "floats", "array", "array", "whole", "flags", "pair", "dict"))
    size, name = chance.randint(1, 4), chance.choice(("float32", "float64", "float64"))
    numbers = [writer.assigned(f"o{k}", "float", draw(chance.choice(("float", "float", "int")))) for k in range(size)]
    floats, names = f"Box(-np.inf, np.inf, ({size},), np.{name})", ", ".join(f"o{k}" for k in range(size))
    whole = [writer.assigned("o9", "int", f"int({draw('int')}) % 50")]
    match way:
        case "array":
            kind = chance.choice(("float64[3]", "float64[3, 3]", "int64[3]", "float32[3]", "uint8[3]"))
            dtype, _, shape = kind.rstrip("]").partition("[")
            dtype = dtype if chance.random() < 0.8 else "float32"
            bounds = "0, 255" if dtype[0] == "u" else "-1000, 1000"
            return f"Box({bounds}, ({shape},), np.{dtype})", [writer.assigned("o", kind), "return o"]
        case "whole":
            return "Discrete(50)", [*whole, "return o9"]
        case "flags":
            flags = [writer.assigned(f"o{k}", "bool", f"bool({draw('bool')})") for k in range(2)]
            return "MultiBinary(2)", [*flags, "return np.array([o0, o1], np.int8)"]
        case "pair":
            return f"Tuple(({floats}, Discrete(50)))", [*numbers, *whole, f"return np.array([{names}], np.{name}), o9"]
        case "dict":
            shown = f'return {{"a": np.array([{names}], np.{name}), "b": o9}}'
            return f"Dict(a={floats}, b=Discrete(50))", [*numbers, *whole, shown]
    return floats, [*numbers, f"return np.array([{names}], np.{name if chance.random() < 0.8 else 'float64'})"]


def _info(writer: Writer, name: str) -> list[str]:
    """Lines that make a dict of infos, with items on some paths only."""
    chance = writer.chance

    def item(key: str) -> str:
        kind = chance.choice(("int", "float", "bool", *NUMBERS, "float64[3]", "int64[3]"))
        return writer.assigned(f'{name}["{key}"]', kind, writer.expression(kind, 1))

    lines = [f"{name} = {{}}", *(item(key) for key in "pqr"[: chance.randint(0, 3)])]
    if chance.random() < 0.4:
        condition = f"if {writer.expression('bool', 1)}:{OR}if False:"
        lines += [condition, "    " + item(chance.choice("ps"))]
    return lines


def _terminal(writer: Writer) -> str:
    return f"(bool({writer.expression('bool', 1)}) and {writer.expression('int', 0)} % 3 == 1)"


# FuncEnvs.


def _dynamics(chance: random.Random) -> str:
    writer = Writer(chance, nested=False, risk=0.2)
    fields = {f"s{k}": chance.choice(FIELDS) for k in range(chance.randint(3, 6))} | {"n": "int", "u": "float"}
    params = {f"p{k}": chance.choice(("float", "int", "bool", "float64[3]", "int64[3]")) for k in range(3)}
    space, kind, _ = chance.choice(ACTIONS)
    settled = {"rng": "rng", **{f"params.{name}": one for name, one in params.items()}}
    helpers = _helpers(writer)

    def scope(*states: str, draws: bool = True, acts: bool = False) -> Scope:
        bound = {f"{state}.{name}": one for state in states for name, one in fields.items()} | settled
        if acts:
            bound |= {"action": kind} if kind else {"action[0]": "float", "action[2]": "float"}
        if not draws:
            del bound["rng"]
        return Scope(bound, frozenset(bound))

    def state(count: int, where: Scope) -> list[str]:
        body = writer.block(where, count)
        lines = [_set(writer, name, one) for name, one in fields.items()]
        return [*body, *lines, f"return State({', '.join(fields)})"]

    parts: list[tuple[str, str, list[str]]] = []

    def method(name: str, arguments: str, body: list[str]) -> None:
        parts.append((name, arguments, body))

    method("initial", "rng, params", state(chance.randint(0, 2), scope()))
    method("transition", "state, action, rng, params", state(chance.randint(2, 5), scope("state", acts=True)))
    body = writer.block(scope("state", draws=chance.random() < 0.2), chance.randint(0, 2))
    observed, shown = _seen(writer)
    method("observation", "state, rng, params", [*body, *shown])
    body = writer.block(scope("state", "next_state", acts=True, draws=False), chance.randint(0, 3))
    rewarded = writer.expression(chance.choice(("float", "float", "int", "bool", "float64", "float32")))
    method("reward", "state, action, next_state, rng, params", [*body, f"return {rewarded}{OR}return 0.5"])
    writer.scope = scope("state", draws=False)
    method("terminal", "state, rng, params", [f"return {_terminal(writer)}{OR}return False"])
    if chance.random() < 0.5:
        writer.scope = scope("state", draws=False)
        method("state_info", "state, params", [*_info(writer, "info"), "return info"])
        writer.scope = scope("state", "next_state", acts=True, draws=False)
        method("transition_info", "state, action, next_state, params", [*_info(writer, "info"), "return info"])
    lines = [*_tuple("Params", params, writer, True), *_tuple("State", fields, writer, False), *helpers]
    lines += ["class E(FuncEnv):", *indented([f"observation_space = {observed}", f"action_space = {space}", ""])]
    lines += indented(["def get_default_params(self, **kwargs):", "    return Params(**kwargs)"])
    return _joined([*lines, *(line for part in parts for line in _static(*part))])


def _static(name: str, arguments: str, body: list[str]) -> list[str]:
    return ["", *indented(["@staticmethod", f"def {name}({arguments}):", *indented(body)])]


def _tuple(name: str, fields: dict[str, str], writer: Writer, usual: bool) -> list[str]:
    lines = [f"{one}: Any{f' = {writer.plain(kind)}' if usual else ''}" for one, kind in fields.items()]
    kinds = [] if usual else [f"KINDS = {fields!r}"]
    return [f"class {name}(NamedTuple):", *indented(lines), "", "", *kinds]


# Classes.


def _class(chance: random.Random) -> str:
    writer = Writer(chance, nested=False, risk=0.2)
    kept = {f"self.s{k}": chance.choice((*FIELDS, "pair", "list", "optional")) for k in range(chance.randint(3, 6))}
    kept |= {"self.n": "int", "self.u": "float"}
    fixed = {f"self.k{k}": chance.choice(("int", "float", "bool", "float64[3]", "int64[3]", "pair")) for k in range(3)}
    space, _, kind = chance.choice(ACTIONS)
    helpers = _helpers(writer)
    begun = [name for name in kept if chance.random() < 0.6] or ["self.n"]

    def scope(draws: bool = True, acts: bool = False, writes: bool = True) -> Scope:
        bound = {**kept, **fixed, **({"rng": "rng"} if draws else {}), **({"action": kind} if acts else {})}
        return Scope(bound, frozenset(bound) if not writes else frozenset({*fixed, "rng", "action"}))

    extra = _methods(writer, kept, fixed)
    made = [f"{name} = {writer.plain(one)}" for name, one in {**kept, **fixed}.items()]
    body = writer.block(scope(), chance.randint(0, 2))
    reset = ["super().reset(seed=seed)", *body, *(_set(writer, name, kept[name]) for name in begun)]
    reset += [*_info(writer, "info"), "return self.seen(), info"]
    writer.scope = scope(draws=False, writes=False)
    observed, seen = _seen(writer)
    step = writer.block(scope(acts=True), chance.randint(2, 5))
    step += [_set(writer, name, one) for name, one in kept.items() if chance.random() < 0.5]
    number = writer.expression(chance.choice(("float", "float", "int", "float64")))
    rewarded = writer.assigned("reward", "float", number)
    ends = writer.assigned("done", "bool", _terminal(writer))
    cut = writer.assigned("cut", "bool", _terminal(writer) if chance.random() < 0.2 else "False")
    step += [rewarded, ends, cut, *_info(writer, "info"), "return self.seen(), reward, done, cut, info"]
    methods = [
        *("def __init__(self):", *indented([f"self.observation_space = {observed}", f"self.action_space = {space}"])),
        *(*indented(made), "", *extra),
        *("def reset(self, *, seed=None, options=None):", *indented(reset), ""),
        *("def seen(self):", *indented(seen), ""),
        *("def step(self, action):", *indented(step)),
    ]
    text = _joined(["class E(gymnasium.Env):", *indented(methods)])
    return _joined(helpers) + re.sub(r"\brng\b", "self.np_random", text)


def _methods(writer: Writer, kept: dict[str, str], fixed: dict[str, str]) -> list[str]:
    """Methods that change attributes, and properties; both may be called from then on."""
    lines: list[str] = []
    for k in range(writer.chance.randint(0, 2)):
        before = dict(writer.functions)
        more, kinds = writer.helper(f"m{k}", "self, ", Scope({**kept, **fixed}, frozenset(fixed)))
        lines += [*more, ""]
        writer.functions = {**before, f"self.m{k}": kinds}
    if writer.chance.random() < 0.5:
        one = writer.chance.choice(("int", "float", "bool", "float64[3]"))
        bound = {**kept, **fixed}
        writer.scope = Scope(dict(bound), frozenset(bound))
        returned = f"return {writer.expression(one)}{OR}return {writer.plain(one)}"
        lines += ["@property", "def seen_now(self):", *indented([returned]), ""]
        fixed["self.seen_now"] = one
    return lines


def values_of(kinds: dict[str, str], seed: int) -> tuple[Any, ...]:
    """Returns arguments of these kinds."""
    import numpy as np

    from tests.fuzz.catalogue import LARGE, SPECIAL, dtype_and_shape

    chance = random.Random(seed)

    def number(dtype: str) -> Any:
        if dtype.startswith("bool"):
            return chance.random() < 0.5
        if dtype.startswith("float"):
            special = float(chance.choice(SPECIAL).replace("math.", ""))
            return chance.choice((0.0, -0.0, 1.0, -2.5, chance.uniform(-5, 5), special))
        low = 0 if dtype.startswith("u") else -20
        if dtype == "int" and chance.random() < 0.06:
            return chance.choice(LARGE)
        return chance.choice((0, 1, 2, 5, chance.randint(low, 20)))

    def value(kind: str) -> Any:
        if kind == "rng":
            return np.random.default_rng(seed)
        if "[" in kind:
            dtype, shape = dtype_and_shape(kind)
            return np.array([number(dtype) for _ in range(int(np.prod(shape)))]).astype(dtype).reshape(shape)
        return number(kind) if kind in ("int", "float", "bool") else getattr(np, kind)(number(kind))

    with np.errstate(all="ignore"):
        return tuple(value(kind) for kind in kinds.values())
