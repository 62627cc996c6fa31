"""Generated environments: plain classes whose `reset` and `step` are random small programs."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Any

FLOATS = ("self.f", "self.g")
INTS = ("self.i", "self.k")
CALM = "if abs(self.{0}) > 1e6: self.{0} = self.{0} % 7.5"

TEMPLATE = """
import math
import numpy as np
import gymnasium as gym
from gymnasium import spaces

LIMIT = 12
STEPS = (1, -2, 3)


class Program(gym.Env):
    TABLE = np.array([0.5, -1.25, 2.0, 3.75])
    weights = {{0: 0.5, 1: -1.5, 2: 4.0}}

    def __init__(self):
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(-np.inf, np.inf, (11,), np.float64)
        self.f = None

    def observe(self):
        return np.concatenate([[self.f, self.g, self.i, self.k, self.flag], self.a, self.n]).astype(np.float64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.f = self.np_random.normal()
        self.g = 0.0
        self.i = int(self.np_random.integers(-5, 6))
        self.k = 0
        self.flag = False
        self.a = self.np_random.uniform(-1, 1, size=3)
        self.n = np.zeros(3, dtype=np.int64)
        action = 0
        x, j = 0.5, 2
{reset}
        return self.observe(), {{"j": j}}

    def weigh(self, v, w=0.25):
{weigh}

    def turn(self, m):
{turn}

    def step(self, action):
        action = int(action)
        x, j = 0.0, 0
{step}
        self.calm()
        reward = {reward}
        return self.observe(), float(reward), bool({terminal}), False, {{"x": x, "j": j, "a": self.a.copy()}}

    def calm(self):
        self.i = self.i % 1000003 - 500000 if abs(self.i) > 500000 else self.i
        self.k = self.k % 1000003 - 500000 if abs(self.k) > 500000 else self.k
        self.n %= 1009
        self.f = self.f if abs(self.f) < 1e6 else 1.0
        self.g = self.g if abs(self.g) < 1e6 else -1.0
        self.a = np.where(np.abs(self.a) < 1e6, self.a, 0.0)
"""


class Words:
    """Writes expressions and statements; `helpers` tells whether they may call the class's own."""

    def __init__(self, rng: Random, helpers: bool, names: tuple[str, ...] = ()) -> None:
        self.rng, self.helpers = rng, helpers
        self.floats = [*FLOATS, "x", *names]
        self.ints = [*INTS, "j", "action"]
        self.deep = 0

    def pick(self, choices: list[Callable[[], str]]) -> str:
        """One of these, made."""
        return self.rng.choice(choices)()

    def real(self, d: int = 2) -> str:
        """A float."""
        e, i, c = self.real, self.whole, self.rng.choice
        if d <= 0:
            return c([*self.floats, f"self.a[{c([0, 1, 2, -1, -3])}]", repr(c([0.5, -1.5, 2.0, 0.1, 3.0]))])
        choices = [
            lambda: f"({e(d - 1)} {c('+-*')} {e(d - 1)})",
            lambda: f"({e(d - 1)} {c('+-*')} {i(d - 1)})",
            lambda: f"{e(d - 1)} / (abs({e(d - 1)}) + 0.5)",
            lambda: f"{c(['min', 'max'])}({e(d - 1)}, {e(d - 1)})",
            lambda: (
                f"{c(['math.sin', 'math.cos', 'np.sin', 'abs', 'np.floor', 'math.atan', '-', 'np.sign'])}({e(d - 1)})"
            ),
            lambda: f"math.sqrt(abs({e(d - 1)}))",
            lambda: f"({e(d - 1)} % {c(['2.5', '-1.5', '1'])})",
            lambda: f"({e(d - 1)} // {c(['0.75', '-2.0'])})",
            lambda: f"({e(d - 1)} if {self.truth(d - 1)} else {e(d - 1)})",
            lambda: f"self.a[{i(d - 1)} % 3]",
            lambda: c(
                ["self.a.sum()", "np.mean(self.a)", "self.a.max()", "float(np.min(self.a))", "(self.a @ self.a)"]
            ),
            lambda: f"np.clip({e(d - 1)}, -1.0, {c(['1.0', '2.5'])})",
            lambda: f"self.TABLE[{i(d - 1)} % 4]",
            lambda: f"self.weights[{i(d - 1)} % 3]",
            lambda: f"float({i(d - 1)})",
            lambda: f"{e(d - 1)} ** 2",
            lambda: c(["self.np_random.random()", "self.np_random.uniform(-1, 2)", "self.np_random.normal(0.5, 2.0)"]),
        ]
        if self.helpers:
            choices += [lambda: f"self.weigh({e(d - 1)})", lambda: f"self.weigh({e(0)}, w={e(d - 1)})"]
        return self.pick(choices)

    def whole(self, d: int = 2) -> str:
        """An int."""
        e, i, c = self.real, self.whole, self.rng.choice
        if d <= 0:
            return c([*self.ints, f"int(self.n[{c([0, 1, 2, -1])}])", str(c([0, 1, 2, 3, 7, -1, -4])), "LIMIT"])
        choices = [
            lambda: f"({i(d - 1)} {c('+-')} {i(d - 1)})",
            lambda: f"({i(d - 1)} * {c([2, 3, -5])})",
            lambda: f"({i(d - 1)} {c(['%', '//'])} {c([2, 3, 7, -3])})",
            lambda: f"({i(d - 1)} {c('&|^')} {i(d - 1)})",
            lambda: f"({i(d - 1)} >> {c([1, 2])})",
            lambda: f"int(np.clip({e(d - 1)}, -50, 50))",
            lambda: f"{c(['abs', '-', '~'])}({i(d - 1)})",
            lambda: f"{c(['min', 'max'])}({i(d - 1)}, {i(d - 1)})",
            lambda: f"int({self.truth(d - 1)})",
            lambda: f"int({c(['np.argmax', 'np.argmin'])}({c(['self.a', 'self.n'])}))",
            lambda: c(["int(self.n.sum())", "len(self.a)", "int(np.count_nonzero(self.n))", "int((self.a > 0).sum())"]),
            lambda: f"divmod({i(d - 1)}, 4)[{c([0, 1])}]",
            lambda: f"STEPS[{i(d - 1)} % 3]",
            lambda: f"({i(d - 1)} if {self.truth(d - 1)} else {i(d - 1)})",
            lambda: c(["int(self.np_random.integers(5))", "int(self.np_random.integers(-2, 9))"]),
        ]
        return self.pick(choices + [lambda: f"self.turn({i(d - 1)})"] * self.helpers)

    def truth(self, d: int = 1) -> str:
        """A bool."""
        e, i, t, c = self.real, self.whole, self.truth, self.rng.choice
        choices = [
            lambda: f"{e(d - 1)} {c(['<', '>', '<=', '>='])} {e(d - 1)}",
            lambda: f"{i(d - 1)} {c(['<', '>=', '==', '!='])} {i(d - 1)}",
            lambda: c(["self.flag", "self.n.any()", "bool(np.all(self.a < 0.5))", "np.array_equal(self.n, [0, 0, 0])"]),
            lambda: f"{i(d - 1)} in (0, 1, {c([2, -1, 5])})",
            lambda: f"0 <= {i(d - 1)} < {i(d - 1)}",
        ]
        if d > 0:
            choices += [lambda: f"({t(d - 1)} {c(['and', 'or'])} {t(d - 1)})", lambda: f"(not {t(d - 1)})"]
        return self.pick(choices)

    def block(self, d: int, loop: bool = False) -> str:
        """Some statements."""
        return "\n".join(self.statement(d, loop) for _ in range(self.rng.randint(1, 3)))

    def statement(self, d: int, loop: bool = False) -> str:
        """One statement, with those in it."""
        e, i, c = self.real, self.whole, self.rng.choice
        choices = [
            lambda: f"{c(['self.f', 'self.g', 'x'])} {c(['=', '=', '+=', '-='])} {e()}",
            lambda: f"{c(['self.i', 'self.k', 'j'])} {c(['=', '=', '+=', '-='])} {i()}",
            lambda: f"self.flag = {self.truth()}",
            lambda: f"self.a[{i(1)} % 3] {c(['=', '+=', '*='])} {e(1)}",
            lambda: f"self.n[{c([0, -1, '1:', ':2', 'j % 3'])}] {c(['=', '+=', '-='])} {i(1)} % 100",
            lambda: f"self.a = self.a {c('+*-')} {e(1)}",
            lambda: "self.a[0], self.a[2] = self.a[2], self.a[0]",
            lambda: f"self.f, self.g = {e(1)}, self.f",
            lambda: f"b = self.a\nb[{c([0, 1, 2])}] = {e(1)}",
            lambda: f"self.a[self.a {c('<>')} {e(0)}] = {e(0)}",
            lambda: c(
                ["self.n = np.roll(self.n, 1)", "self.np_random.shuffle(self.n)", "self.a = self.a[::-1].copy()"]
            ),
        ]
        if d > 0:
            choices += [lambda: self.branch(d, loop), lambda: self.branch(d, loop), lambda: self.loop(d)]
        if loop:
            choices += [lambda: f"if {self.truth(0)}:\n    {c(['break', 'continue'])}"]
        return self.pick(choices)

    def branch(self, d: int, loop: bool) -> str:
        """An if, perhaps with other branches."""
        text = f"if {self.truth()}:\n{indent(self.block(d - 1, loop), '    ')}"
        if self.rng.random() < 0.3:
            text += f"\nelif {self.truth()}:\n{indent(self.block(d - 1, loop), '    ')}"
        if self.rng.random() < 0.5:
            text += f"\nelse:\n{indent(self.block(d - 1, loop), '    ')}"
        return text

    def loop(self, d: int) -> str:
        """A loop of few turns."""
        self.deep += 1
        name = f"t{self.deep}"
        heads = [
            f"for {name} in range({self.rng.randint(1, 4)}):",
            f"for {name}, v{name} in enumerate(self.a):",
            f"for {name} in STEPS:",
        ]
        body = indent(self.block(d - 1, loop=True), "    ")
        kind = self.rng.choice([*heads, "while"])
        if kind == "while":
            return f"{name} = 0\nwhile {name} < 3:\n    {name} += 1\n{body}"
        tail = f"\nelse:\n{indent(self.block(0), '    ')}" if self.rng.random() < 0.15 else ""
        return f"{kind}\n{body}\n    j += {name}{tail}"


def program(rng: Random) -> str:
    """The text of a module with a class `Program`."""
    words, inner = Words(rng, helpers=True), Words(rng, helpers=False, names=("v", "w"))
    inner.ints = [*INTS, "m"]
    inner.floats = [*FLOATS, "v", "w"]
    turn = Words(rng, helpers=False)
    turn.ints, turn.floats = [*INTS, "m"], list(FLOATS)
    inner = _without(inner, "m")
    weigh = f"if {inner.truth()}:\n    return {inner.real(1)}\nself.g = {inner.real(1)}\nreturn {inner.real()}"
    turning = f"self.k += 1\nif m > {rng.randint(-1, 4)}:\n    return {turn.whole(1)}\nreturn {turn.whole()}"
    body = "\n".join(words.statement(2) for _ in range(rng.randint(2, 5)))
    parts = {
        "reset": "\n".join(words.statement(1) for _ in range(rng.randint(0, 2))) or "pass",
        "weigh": weigh,
        "turn": turning,
        "step": body,
    }
    indented = {name: indent(text, " " * 8) for name, text in parts.items()}
    return TEMPLATE.format(**indented, reward=words.real(), terminal=words.truth())


def _without(words: Words, name: str) -> Words:
    words.ints = [one for one in words.ints if one != name]
    return words


def loaded(text: str, folder: Path, name: str) -> Any:
    """The class of such a module, written into a file, as a user's is."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module.Program
