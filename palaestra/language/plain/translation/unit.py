"""A translation: the functions written so far, and the attributes that they use."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from palaestra.language.plain.model import Model, leaves_of
from palaestra.language.plain.refusals import Refusals, Refused
from palaestra.language.plain.sharing import Path
from palaestra.language.plain.sources import Source
from palaestra.language.plain.translation.kinds import (
    Array,
    Constant,
    Kind,
    Mapping,
    Number,
    Optional,
    Place,
    Tuple,
    array_of,
    number_of,
)

if TYPE_CHECKING:
    from palaestra.language.plain.translation.body import Body

SHORT = 8  # a longer tuple of numbers is an array among the params


class Code(NamedTuple):
    """An expression of translated code.

    Attributes:
        node: The expression; None if the kind says it all.
        kind: The kind of its value.
        origins: The attributes whose arrays its value may share memory with.
    """

    node: ast.expr | None
    kind: Kind
    origins: frozenset[str] = frozenset()


class Method(NamedTuple):
    """A function of a class, bound to its first argument, an object's place or a class, if it has one."""

    function: Any
    owner: type[Any]
    place: Place | Constant | None


@dataclass
class Slot:
    """An attribute that changes."""

    path: Path
    variable: str  # in translated functions
    field: str  # the start of the names of its columns
    kind: Kind


@dataclass
class Written:
    """A translated function.

    Attributes:
        name: Its name.
        parameters: Those of its arguments that machine code passes.
        slots: The attributes that it, or a function that it calls, reads or assigns.
        stores: Those that it assigns.
        draws: Whether it draws random numbers.
        result: Its result; without an expression if the kind says it all.
        mutates: Its parameters whose arrays it writes into.
    """

    name: str
    source: Source
    parameters: list[str] = field(default_factory=list)
    slots: dict[str, Slot] = field(default_factory=dict)
    stores: dict[str, Slot] = field(default_factory=dict)
    draws: bool = False
    result: Code = field(default_factory=lambda: Code(None, Constant(None)))
    tree: ast.FunctionDef | None = None
    sure: set[str] = field(default_factory=set)  # the attributes that it assigns on every path
    early: set[str] = field(default_factory=set)  # those that it may read before it has assigned them
    effects: bool = False  # whether it does anything besides its result and `stores`
    kept: dict[str, str] = field(default_factory=dict)  # the origins of attributes, by the parameters that they keep
    changed: set[str] = field(default_factory=set)  # the origins of the dicts that it changes
    seeds: bool = False  # whether it calls `super().reset(seed=seed)`

    def arguments(self) -> Iterator[str]:
        """Yields the names of the first arguments, before those of the caller."""
        yield "_params"
        if self.draws:
            yield "_rng"
        yield from self.slots


Locals = dict[str, Code]


class TranslationRestart(Exception):
    """An attribute holds more than was known: the translation starts anew."""


class Unit:
    """The translation of one environment, by a `translator` of functions.

    Args:
        model: Its attributes.
        translator: The class of a function that is being translated.
        keeps_final: Whether observations are kept in the type that the environment returns, beside that of its space.
    """

    def __init__(self, model: Model, translator: type[Body], keeps_final: bool = False) -> None:
        self.model, self.translator = model, translator
        self.keeps_final = keeps_final
        self.refusals = Refusals()
        self.functions: list[Written] = []
        self.done: dict[Any, Written] = {}
        self.open: list[FunctionType] = []  # those being translated
        self.names: dict[str, Any] = {"np": np}  # the globals of all translated functions
        self.slots: dict[Path, Slot] = {}
        self.params: dict[Path, tuple[str, Any]] = {}
        self.baked: dict[Path, Any] = {}
        self.read: set[Path] = set()  # the attributes that the translation has looked up
        self.shared: set[tuple[str, str]] = set()
        self.written_into: dict[str, tuple[str, ast.AST]] = {}
        self.seeded = False
        self.depth = 0  # of branches and loops around the statement that is translated
        self.phase = "reset"
        self.packed: list[int] = []  # of each part of an observation, the numbers of the tuple that reset gives, or 0
        self.renewed: set[str] = set()  # the attributes that reset has assigned so far
        self.reused: set[str] = set()  # those whose arrays reset writes into, without having assigned them
        self.draws_at: tuple[str, ast.AST] | None = None
        self.made_anew: dict[Path, tuple[str, ast.AST]] = {}  # the objects in whose places others are made
        self.named: set[Path] = set()  # the objects that have had a name besides
        self._taken: set[str] = set()

    def slot(self, path: Path) -> Slot:
        """Returns an attribute that changes.

        Raises:
            Refused: If it can be no state.
        """
        if path not in self.slots:
            kind = self.model.state_kind(path)
            plain = self._fresh("_".join(part.strip("_") or "_" for part in path) or "value")
            self.slots[path] = Slot(path, f"self_{plain}", plain, kind)
        return self.slots[path]

    def _fresh(self, name: str) -> str:
        plain = "".join(char if char.isalnum() or char == "_" else "_" for char in name).lstrip("_") or "value"
        if plain[0].isdigit():
            plain = f"n{plain}"
        found, k = plain, 2
        while found in self._taken:
            found, k = f"{plain}_{k}", k + 1
        self._taken.add(found)
        return found

    def widen(self, path: Path, kind: Kind) -> None:
        """Let an attribute hold another kind too.

        Raises:
            TranslationRestart: If that is new.
            Refused: If no state can hold both.
        """
        if self.model.widen(path, kind):
            raise TranslationRestart
        raise Refused(
            f"self.{'.'.join(path)} holds another kind of value here than elsewhere",
            "let it always hold the same kind: one type of number, and arrays of one shape and dtype",
        )

    def param(self, path: Path, value: Any) -> Code | None:
        """Returns a constant attribute as a field of the params; None if it is part of the code instead."""
        number, array = number_of(value), array_of(value)
        kind: Kind
        if number is not None and number.dtype.kind != "b" and number.dtype != np.uint64:
            kind, held = number, value
        elif array is not None and array.size and array.dtype != np.uint64:
            kind, held = Array(array.dtype, array.ndim, array.shape, isinstance(value, list)), array
            held = np.ascontiguousarray(held)
        elif type(value) is tuple and 0 < len(value) <= SHORT and _is_uniform(value):
            kind, held = Tuple(tuple(one for one in map(number_of, value) if one is not None)), value
        else:
            self.baked.setdefault(path, value)
            return None
        if isinstance(held, int) and not -(2**63) <= held < 2**63:
            raise Refused("an integer beyond 64 bits")
        if path not in self.params:
            self.params[path] = self._fresh("_".join(part.strip("_") or "_" for part in path)), held
        node = ast.Attribute(name("_params"), self.params[path][0], ast.Load())
        return Code(
            node, kind, frozenset([f"the constant self.{'.'.join(path)}"]) if array is not None else frozenset()
        )

    def constant(self, value: Any, hint: str = "constant") -> ast.expr:
        """Returns the name of a global of the translated functions that holds a value."""
        for key, known in self.names.items():
            if known is value:
                return name(key)
        key, k = f"_{hint}", 2
        while key in self.names:
            key, k = f"_{hint}{k}", k + 1
        self.names[key] = value
        return name(key)

    def wrote_into(self, origins: frozenset[str], file: str, node: ast.AST) -> None:
        """Note that arrays of these origins are written into."""
        if self.phase == "reset":
            self.reused |= origins - self.renewed
        for one in origins:
            self.written_into.setdefault(one, (file, node))

    def check_shared(self, renewed: set[str]) -> None:
        """Refuse arrays that two attributes, or all copies, would share, of which one is written into.

        Args:
            renewed: The attributes that each reset assigns.
        """
        fresh = renewed - self.reused
        for path in self.made_anew.keys() & self.named:
            reason = f"self.{'.'.join(path)} is made anew, but a variable may hold the one before it"
            self.refusals.add(*self.made_anew[path], reason, f"write self.{'.'.join(path)} in its place")
        kept = {one for one in self.written_into if one.removeprefix("dict ") not in fresh}
        for path in self.model.common:
            for one in sorted(kept & self._names_of(path)):
                reason = f"{_shown(one)} is the same in all environments, which all change with one"
                self.refusals.add(*self.written_into[one], reason, "make it anew in __init__, or a copy, with .copy()")
        for first, second in self.model.twins:
            self.shared |= {(a, b) for a in self._names_of(first) & kept for b in self._names_of(second) - renewed}
            self.shared |= {(a, b) for a in self._names_of(second) & kept for b in self._names_of(first) - renewed}
        groups: dict[str, set[str]] = {}
        for a, b in self.shared:
            both = groups.get(a, {a}) | groups.get(b, {b})
            for one in both:
                groups[one] = both
        for one, (file, node) in self.written_into.items():
            others = sorted({*map(_shown, groups.get(one, {one}) - {one})})
            if others:
                self.refusals.add(
                    file,
                    node,
                    f"{_shown(one)} may be the same as {', '.join(others)}, which this would change",
                    "assign a copy, with .copy()",
                )

    def _names_of(self, path: Path) -> set[str]:
        """Returns the origins that stand for an attribute, if it is used."""
        text, slot = ".".join(path), self.slots.get(path)
        found = {f"the constant self.{text}", f"dict {text}"} if path in self.params or path in self.baked else set()
        return found | ({slot.variable, f"dict {slot.variable}"} if slot else set())

    def check_first(self, reset: Written) -> None:
        """Let attributes hold what they held before the first reset, if that may still be seen after it.

        Raises:
            TranslationRestart: If that is new.
        """
        seen = [slot for slot in self.slots.values() if slot.variable in reset.early or slot.variable not in reset.sure]
        if any([self.model.widen_by_first(slot.path) for slot in seen]):
            raise TranslationRestart

    def state_fields(self) -> list[tuple[Slot, list[Any]]]:
        """Returns the attributes of the state, each with its columns."""
        return [(slot, list(leaves_of(slot.kind, slot.field))) for slot in self.slots.values()]


def _shown(origin: str) -> str:
    origin = origin.removeprefix("dict ")
    return f"self.{origin.removeprefix('self_')}" if " " not in origin else origin


def _is_uniform(values: Sequence[Any]) -> bool:
    kinds = {number_of(one) for one in values}
    found = next(iter(kinds))
    return len(kinds) == 1 and found is not None and found.dtype.kind in "if"


def name(key: str) -> ast.Name:
    """Returns a name as an expression."""
    return ast.Name(key, ast.Load())


def literal(value: Any) -> ast.expr:
    """Returns a number, or a tuple of such, as an expression."""
    if isinstance(value, tuple):
        return ast.Tuple([literal(one) for one in value], ast.Load())
    if isinstance(value, (bool, np.bool_)):
        return ast.Constant(bool(value))
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            text = {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}[repr(float(value))]
            return ast.parse(text, mode="eval").body
        constant: ast.expr = ast.Constant(abs(float(value)))
        return ast.UnaryOp(ast.USub(), constant) if np.signbit(value) else constant
    return ast.UnaryOp(ast.USub(), ast.Constant(-int(value))) if value < 0 else ast.Constant(int(value))


def called(function: ast.expr | str, *arguments: ast.expr) -> ast.Call:
    """Returns a call as an expression."""
    return ast.Call(_dotted(function) if isinstance(function, str) else function, list(arguments), [])


def _dotted(text: str) -> ast.expr:
    first, *rest = text.split(".")
    node: ast.expr = name(first)
    for part in rest:
        node = ast.Attribute(node, part, ast.Load())
    return node


def indexed(node: ast.expr, index: int | ast.expr) -> ast.Subscript:
    """Returns an indexed expression."""
    return ast.Subscript(node, literal(index) if isinstance(index, int) else index, ast.Load())


def zero_node(kind: Kind) -> ast.expr:
    """Returns an expression of a value of a kind, all of zeros."""
    if isinstance(kind, Number):
        zero = literal(kind.dtype.type(0).item())
        wide = kind.dtype in (np.float64, np.int64, np.bool_)
        return zero if wide else called(f"np.{kind.dtype.name}", zero)
    if isinstance(kind, Array):
        if kind.shape is None:
            raise Refused("an array of unknown shape may be None here")
        return called("np.zeros", literal(kind.shape), type_node(kind.dtype))
    if isinstance(kind, (Tuple, Mapping)):
        return ast.Tuple([zero_node(item) for item in kind.items], ast.Load())
    if isinstance(kind, Optional):
        return ast.Tuple([ast.Constant(True), zero_node(kind.kind)], ast.Load())
    raise Refused("this may be None here, and machine code has no value for that")


def type_node(dtype: np.dtype[Any]) -> ast.expr:
    """Returns a dtype as an expression."""
    return _dotted("np.bool_" if dtype.kind == "b" else f"np.{dtype.name}")


Handler = Callable[..., Code]
