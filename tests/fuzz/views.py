"""What a program shows of its state: observation, reward, end, infos."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from tests.fuzz import words_lanes, words_tame, words_wild
from tests.fuzz.grammar import Grammar
from tests.fuzz.samples import Body
from tests.fuzz.setup import Setup

SHOWN = 5  # numbers in an observation


@dataclass
class Views:
    """The bodies of functions, and the space of what is observed; no infos where their text is empty."""

    space: str
    observation: str
    reward: str
    terminal: str
    info: str
    begin_info: str


def views_of(
    rng: random.Random,
    profile: str,
    grammar: Grammar,
    samples: list[dict[str, Any]],
    results: list[tuple[str, str]],
    setup: Setup,
) -> Views:
    """Returns the views of states of which there are samples."""
    writer = _Writer(rng, profile, Body(grammar, samples, True))
    fields = [(driver.name, driver.kind) for driver in setup.drivers] + results
    writer.look(["state"], fields, setup.seen)
    space, observation = writer.observation(fields)
    terminal = writer.terminal()
    writer.look(["state"], fields, setup.seen, False)
    begin = writer.info("begin", fields) if rng.random() < 0.3 else ""
    writer.look(["state", "next_state"], fields, setup.seen)
    reward = writer.reward()
    writer.draws = False
    info = writer.info("step", fields) if rng.random() < 0.4 else ""
    return Views(space, observation, reward, terminal, info, begin)


class _Writer:
    def __init__(self, rng: random.Random, profile: str, body: Body) -> None:
        self.rng, self.profile, self.body = rng, profile, body
        self.words = words_lanes if profile == "lanes" else words_tame

    def look(self, states: list[str], fields: list[tuple[str, str]], seen: list[str], draws: bool = True) -> None:
        self.draws = draws
        self.body.grammar.items.clear()
        self.body.see(text for text in seen if not text.startswith("action"))
        self.body.see(f"{state}.{name}" for state in states for name, _ in fields)

    def _one(self, kind: str) -> str:
        """An expression of a float, an int or a bool; it seldom draws numbers."""
        words = {"f": self.words.FLOATS, "i": self.words.INTS, "b": self.words.BOOLS}[kind]
        if self.profile == "wild" and self.rng.random() < 0.3:
            words = words_wild.ANY
        for _ in range(10):
            text = self.body.expression(words, kind)
            if text and ("rng" not in text or (self.draws and self.rng.random() < 0.3)):
                return text
        return {"f": "state.x0", "i": "state.k0", "b": "state.b0"}[kind]

    def observation(self, fields: list[tuple[str, str]]) -> tuple[str, str]:
        """The space and the body."""
        arrays = [name for name, kind in fields if kind.startswith("float64[") and "," not in kind]
        any_arrays = [name for name, kind in fields if "[" in kind]
        ways = ("floats", "floats", "single", "array", "other", "parts", "pairs", "whole", "wholes", "flags", "noisy")
        way = self.rng.choice(ways)
        if way == "array" and arrays:
            name = self.rng.choice(arrays)
            size = dict(fields)[name].partition("[")[2].rstrip("]")
            return f"Box(-np.inf, np.inf, ({size},), np.float64)", f"return state.{name}"
        if way == "other" and any_arrays:
            name = self.rng.choice(any_arrays)
            dtype, _, shape = dict(fields)[name].partition("[")
            shown = "float32" if dtype.startswith("float") else self.rng.choice(("int64", "int16", "uint8"))
            return f"Box(0, 100, ({shape.rstrip(']')},), np.{shown})", f"return state.{name}"
        if way == "pairs":
            space = "Tuple((Tuple((Discrete(50), Discrete(9, start=-4))), Box(-1.0, 1.0, (2, 2), np.float32)))"
            rows = f"({self._one('f')}, {self._one('f')}), ({self._one('f')}, {self._one('i')})"
            return space, f"return ({self._one('i')}, {self._one('b')}), ({rows})"
        if way == "flags":
            return "MultiBinary(2)", f"return {self._one('b')}, {self._one('b')}"
        if way == "parts":
            space = "Tuple((Box(-np.inf, np.inf, (2,), np.float32), Discrete(1000)))"
            return space, f"return ({self._one('f')}, {self._one('f')}), {self._one('i')}"
        if way == "whole":
            return "Discrete(1000000)", f"return {self._one('i')}"
        if way == "wholes":
            dtype = self.rng.choice(("int64", "int64", "int32", "uint8"))
            return f"Box(0, 100, (2,), np.{dtype})", f"return {self._one('i')}, {self._one('b')}"
        dtype = "float32" if way == "single" else "float64"
        shown = [self._one("f") for _ in range(SHOWN)]
        if way == "noisy":
            shown[0] = "state.x0 + rng.normal(0.0, 0.1)"
        return f"Box(-np.inf, np.inf, ({SHOWN},), np.{dtype})", f"return {', '.join(shown)}"

    def reward(self) -> str:
        if self.profile == "lanes" or self.rng.random() < 0.6:
            return f"return {self._one(self.rng.choice('ffib' if self.profile == 'wild' else 'fffi'))}"
        return f"if {self._one('b')}:\n    return {self._one('f')}\nreturn {self._one('f')}"

    def terminal(self) -> str:
        text = self._one("b")
        values = self.body.values(text)
        if sum(map(bool, values)) > 0.4 * len(values):
            return "return state.x0 > 12.0"
        if self.profile != "lanes" and self.rng.random() < 0.3:
            return f"if state.x0 > 15.0:\n    return True\nreturn {text}"
        return f"return {text}"

    def info(self, key: str, fields: list[tuple[str, str]]) -> str:
        arrays = [name for name, kind in fields if "[" in kind]
        pairs = [("both", self._one(self.rng.choice("ffi"))), (key, self._one(self.rng.choice("fib")))]
        if arrays:
            pairs.append(("array", f"state.{self.rng.choice(arrays)}{self.rng.choice(('', '.copy()'))}"))
        self.rng.shuffle(pairs)
        dictionary = ", ".join(f'"{name}": {text}' for name, text in pairs[: self.rng.randint(1, 2)])
        if self.profile == "wild" and self.rng.random() < 0.5:
            return f"info = {{{dictionary}}}\nif state.b0:\n    info['late'] = state.k0\nreturn info"
        return f"return {{{dictionary}}}"
