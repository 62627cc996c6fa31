"""Functions that dynamics call: with early returns, defaults, loops, arrays, several results."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tests.fuzz.grammar import Grammar, Item, Unfilled
from tests.fuzz.samples import kind_of
from tests.fuzz.words_blocks import Block, blocks

SAMPLES: dict[str, tuple[Any, ...]] = {
    "f": (0.0, -1.5, 3.25, 40.0),
    "i": (0, -2, 5, 17),
    "b": (True, False, True, True),
    "float64[3]": tuple(np.array([a, 0.5, -a]) for a in (0.0, 1.0, -7.5, 30.0)),
}

# The names of arguments tell their kinds: u, v floats, k an int, c a bool, m an array of three floats.
KINDS = {"u": "f", "v": "f", "k": "i", "c": "b", "m": "float64[3]"}

FLOATS = blocks("""
    def $name(u, v):
        if $f < $f:
            return $f
        return $f

    def $name(u, v=2.0):
        w = $f
        if $f < $f:
            w = w + $f
        elif $f < $f:
            return w
        return w * v

    def $name(u, k):
        total = 0.0
        for j in range(4):
            if j == k:
                return total
            total += $f
        return total

    def $name(m, k):
        total = 0.0
        for j in range(len(m)):
            total += float(m[j]) * k
        return total

    def $name(u, c=True):
        return $f if c else -u

    def $name(m):
        return float(m[0] * m[1] - m[2])

    def $name(u, v):
        \"""It has a docstring.\"""
        w = u
        while 1.0 < w < 1e9:
            w = w / 2.0 - 0.25
        return w + $f
""")

INTS = blocks("""
    def $name(k):
        if k > 3:
            return $i
        return $i

    def $name(u, k=3):
        n = 0
        for j in range(k % 6):
            if $f < $f:
                n += j
        return n

    def $name(k, c):
        if not c:
            return 0
        if k < 0:
            return -k
        return $i
""")

PAIRS = blocks("""
    def $name(u, v):
        return $f, $f

    def $name(u, k):
        if $f < $f:
            return u, 1
        return -u, 2
""")


def add_helpers(grammar: Grammar, texts: list[str]) -> list[str | Block]:
    """Write some helpers into `texts`, and return templates that call them."""
    calls: list[str | Block] = []
    for k in range(grammar.rng.randint(1, 4)):
        words = grammar.rng.choice((FLOATS, FLOATS, INTS, PAIRS))
        text = _written(grammar, grammar.rng.choice(words), f"h{k}")
        if text is None:
            continue
        texts.append(text)
        call = f"h{k}({', '.join(_holes(text, grammar))})"
        if words is PAIRS:
            calls.append(Block(f"_p, _q = {call}\n$r = _p + _q * 2.0", {}))
            calls.append(f"{call}[0]")
        else:
            calls.append(call)
    return calls


def _arguments(text: str) -> list[str]:
    return text.partition("(")[2].partition(")")[0].split(", ")


def _holes(text: str, grammar: Grammar) -> list[str]:
    holes = {"u": "$f", "v": "$f", "k": "$i", "c": "$b", "m": "$Vt"}
    arguments = _arguments(text)
    if "=" in arguments[-1] and grammar.rng.random() < 0.5:
        last = arguments.pop().partition("=")[0]
        named = [f"{last}={holes[last]}"] if grammar.rng.random() < 0.5 else []
        return [holes[name] for name in arguments] + named
    return [holes[argument.partition("=")[0]] for argument in arguments]


def _written(grammar: Grammar, block: Block, name: str) -> str | None:
    """Returns the text of a helper that works for samples of its arguments, with results of one kind."""
    arguments = [argument.partition("=")[0] for argument in _arguments(block.text)]
    for _ in range(20):
        grammar.items[:] = [Item(argument, KINDS[argument]) for argument in arguments]
        try:
            text = grammar.filled(block.text.replace("$name", name), 1)
        except Unfilled:
            continue
        finally:
            grammar.items.clear()
        if "rng" not in text and "params" not in text and _works(text, name, arguments):
            return text
    return None


def _works(text: str, name: str, arguments: list[str]) -> bool:
    namespace: dict[str, Any] = {}
    exec("import math\nimport numpy as np\nfrom gymnasium.functional import ops", namespace)
    exec(text, namespace)
    kinds = set()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for k in range(4):
            values = [SAMPLES[KINDS[argument]][(k + shift) % 4] for shift, argument in enumerate(arguments)]
            try:
                result = namespace[name](*values)
            except Exception:
                return False
            kinds.add(tuple(map(kind_of, result)) if isinstance(result, tuple) else kind_of(result))
    return len(kinds) == 1
