"""A function's body, written statement by statement, each tried at once on some samples of what it will meet."""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Iterable
from textwrap import indent
from typing import Any

import numpy as np

from tests.fuzz.grammar import Grammar, Item, Unfilled
from tests.fuzz.words_blocks import Block

LOCAL = re.compile(r"\b_([a-z])\b")
LARGEST = 200  # numbers in an array
WORD = 2**63


def kind_of(value: Any) -> str:
    """The kind of a value, as an `Item` has it; "" for what no expression uses."""
    if type(value) in (bool, int, float):
        return type(value).__name__[0]
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, np.generic) and value.dtype.kind in "biuf":
        return str(value.dtype)
    if type(value) is tuple and value:
        kinds = {type(part) for part in value}
        if kinds <= {int, float}:
            return f"tuple {'m' if len(kinds) > 1 else kinds.pop().__name__[0]} {len(value)}"
    return ""


def storable(value: Any) -> bool:
    """Whether a state's field can hold a value."""
    kind = kind_of(value)
    if isinstance(value, np.ndarray):
        return kind != "" and 0 < value.size <= LARGEST and value.ndim <= 2
    return bool(kind) and not kind.startswith("tuple") and (kind != "i" or -WORD <= value < WORD)


class Body:
    """The statements of a function.

    Args:
        grammar: What fills templates; its items are those of this body.
        samples: Namespaces, each with what the function would see.
        tame: Whether a statement has to work for all samples, with results of one kind.
    """

    def __init__(self, grammar: Grammar, samples: list[dict[str, Any]], tame: bool) -> None:
        self.grammar, self.samples, self.tame = grammar, samples, tame
        self.lines: list[str] = []
        self._made = 0

    @property
    def text(self) -> str:
        """All statements, as they stand in a function of a class."""
        return "\n".join(self.lines)

    def see(self, texts: Iterable[str]) -> None:
        """Let expressions use these, if they have a kind."""
        for text in texts:
            kinds = {kind_of(value) for value in self.values(text)}
            if len(kinds) == 1 and "" not in kinds:
                self.grammar.items.append(Item(text, kinds.pop()))

    def values(self, text: str) -> list[Any]:
        """What an expression is for each sample; None where it raises."""
        return [outcome.get("_value") for outcome in self._tried(f"_value = {text}")]

    def add(self, template: str | Block, target: str) -> bool:
        """Add a statement that gives `target` a value; returns whether that has worked."""
        try:
            text = self._text(template, target)
        except Unfilled:
            return False
        outcomes = self._tried(text)
        values = [outcome[target] for outcome in outcomes if target in outcome]
        if not self._fine(values, len(outcomes)):
            return False
        self.samples = [outcome for outcome in outcomes if target in outcome] or self.samples
        self.lines += text.splitlines()
        kinds = [kind_of(value) for value in values]
        if values and len(set(kinds)) == 1:
            self.grammar.items.append(Item(target, kinds[0]))
        return True

    def add_known(self, text: str, *targets: str) -> None:
        """Add lines that are known to work."""
        self.samples = self._tried(text)
        self.lines += text.splitlines()
        self.see(targets)

    def expression(self, templates: Iterable[str], kind: str, tries: int = 30) -> str | None:
        """Returns an expression that has this kind in all samples."""
        choices = list(templates)
        for _ in range(tries):
            try:
                text = self.grammar.filled(self.grammar.rng.choice(choices))
            except Unfilled:
                continue
            if {kind_of(value) for value in self.values(text)} == {kind}:
                return text
        return None

    def _text(self, template: str | Block, target: str) -> str:
        if isinstance(template, str):
            return f"{target} = {self.grammar.filled(template)}"
        self._made += 1
        mark = "" if not self.tame and self.grammar.rng.random() < 0.5 else str(self._made)
        items = len(self.grammar.items)
        self.grammar.items += [Item(f"_{name}", kind) for name, kind in template.names.items()]
        try:
            text = self.grammar.filled(template.text.replace("$r", target), depth=1)
        finally:
            del self.grammar.items[items:]
        return LOCAL.sub(lambda match: f"{match[1]}{mark}", text)

    def _fine(self, values: list[Any], tried: int) -> bool:
        chance = self.grammar.rng.random()
        kinds = {kind_of(value) for value in values}
        if self.tame:
            return len(values) == tried and len(kinds) == 1 and all(map(storable, values))
        if len(values) < tried and chance > (0.4 if len(values) > tried / 2 else 0.03):
            return False
        if len(kinds) > 1 and chance > 0.3:
            return False
        return bool(values) and all(map(kind_of, values)) and (all(map(storable, values)) or chance < 0.02)

    def _tried(self, text: str) -> list[dict[str, Any]]:
        """Returns what each sample becomes by these statements; an empty one where they raise."""
        return [_run(text, sample) for sample in self.samples]


def _run(text: str, sample: dict[str, Any]) -> dict[str, Any]:
    namespace = {name: _copied(value) for name, value in sample.items()}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            exec(text, namespace)
        except Exception:
            return {}
    return namespace


def _copied(value: Any) -> Any:
    """Returns a value that may be changed in place."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_copied, value))
    return value


def in_function(text: str) -> str:
    """Lines as the body of a method."""
    return indent(text, " " * 8)


def spread(rng: random.Random, templates: Iterable[Any], others: Iterable[Any], share: float) -> Any:
    """Returns one of the templates, or with a chance of `share` one of the others."""
    return rng.choice(list(others if rng.random() < share else templates))
