"""The function that is being translated: its variables, the statements written so far, and changes of kind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from palaestra.language.plain import library, library_of_draws, library_of_numbers, library_of_shapes
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sources import Source, names_of
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.kinds import (
    NONE,
    Array,
    Constant,
    Generator,
    Growing,
    Incompatible,
    Kind,
    Mapping,
    Number,
    Opaque,
    Optional,
    Packed,
    Partial,
    Place,
    Seed,
    SeedTest,
    Text,
    Tuple,
    Unknown,
    array_of,
    holds_dicts,
    joined,
    kind_of_value,
    number_of,
    partial_of,
)
from palaestra.language.plain.translation.records import parts_of_record
from palaestra.language.plain.translation.unit import (
    Code,
    Slot,
    Unit,
    Written,
    called,
    indexed,
    literal,
    name,
    type_node,
    zero_node,
)


class Item(NamedTuple):
    """An item of a dict: the expression of whether its key is missing, None if it is there on each path; its value."""

    missing: ast.expr | None
    value: Code


_LIBRARIES = (library, library_of_draws, library_of_numbers, library_of_shapes)
_RESERVED = ("self_", "_params", "_rng", "_t", "_constant")
STATIC = (Constant, Place, Generator, Seed, SeedTest, Text)
"""Kinds of values that no variable of translated code holds."""
_LONGEST = 64  # numbers of a constant list that are written out


class Scope:
    """One function being translated, for arguments of certain kinds."""

    def __init__(self, unit: Unit, source: Source, written: Written, kind: type[Any] | None) -> None:
        self.unit, self.source, self.written, self.kind = unit, source, written, kind
        self.names = names_of(source.function)
        self.locals: dict[str, Code] = {}
        self.out: list[ast.stmt] = []
        self.place: ast.AST = source.tree
        self.sure: set[str] = set()  # the attributes that have been assigned on every path to here
        self._temporaries = 0
        self._own_names: dict[str, str] = {}  # of the variables of comprehensions

    # Variables.

    def local(self, variable: str) -> str:
        """Returns the name of a local variable in translated code."""
        variable = self._own_names.get(variable, variable)
        return f"{variable}_" if variable.startswith(_RESERVED) or variable in self.unit.names else variable

    @contextmanager
    def own_variables(self, node: ast.ListComp | ast.GeneratorExp) -> Iterator[None]:
        """The variables of a comprehension, which those around it do not see.

        Raises:
            Refused: If it assigns one of those around it.
        """
        found = [one for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
        if any(isinstance(one, ast.NamedExpr) for one in ast.walk(node)):
            raise Refused("`:=` in a comprehension", "write a loop")
        kept, names = dict(self.locals), self._own_names
        self._temporaries += 1
        self._own_names = names | {one.id: f"{one.id}_in_{self._temporaries}" for one in found}
        try:
            yield
        finally:
            self._own_names = names
            self.locals = kept

    def temporary(self, node: ast.expr) -> ast.Name:
        """Write an assignment to a new variable, and return it."""
        self._temporaries += 1
        found = f"_t{self._temporaries}"
        self.emit(ast.Assign([ast.Name(found, ast.Store())], node))
        return name(found)

    def held(self, code: Code) -> Code:
        """Returns a value that may be used several times."""
        if code.node is None or is_simple(code.node):
            return code
        return code._replace(node=self.temporary(code.node))

    def fixed(self, code: Code) -> Code:
        """Returns a value as it is now, whatever is assigned to its variable later."""
        if code.node is None or isinstance(code.node, ast.Constant) or is_temporary(code.node):
            return code
        return code._replace(node=self.temporary(code.node))

    def emit(self, statement: ast.stmt) -> None:
        """Write a statement, with the line of its source."""
        for node in ast.walk(statement):
            if not hasattr(node, "lineno") and isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.keyword)):
                ast.copy_location(node, self.place)
        self.out.append(statement)

    def block(self) -> list[ast.stmt]:
        """Begin a block of statements, and return the one that goes on behind it."""
        before, self.out = self.out, []
        return before

    def slot_used(self, slot: Slot) -> None:
        """Note that the function reads or assigns an attribute."""
        self.written.slots.setdefault(slot.variable, slot)

    def slot_assigned(self, slot: Slot) -> None:
        """Note that the function assigns an attribute."""
        self.slot_used(slot)
        self.written.stores.setdefault(slot.variable, slot)

    # Constants.

    def of_value(self, value: Any) -> Code:
        """Returns a value that is known before anything runs."""
        return Code(None, Constant(value))

    def node_of(self, code: Code) -> ast.expr:
        """Returns the expression of a value; a constant is written out.

        Raises:
            Refused: If machine code has no such value.
        """
        if code.node is not None:
            return code.node
        if isinstance(code.kind, Constant):
            return self._constant_node(code.kind.value)
        if isinstance(code.kind, Unknown):
            return ast.Constant(0)
        raise Refused(f"an {described(code.kind)} has no place in a number's stead")

    def _constant_node(self, value: Any) -> ast.expr:
        number = number_of(value)
        if number is not None:
            node = literal(value.item() if isinstance(value, np.generic) else value)
            return node if number.dtype in _WIDE else called(type_node(number.dtype), node)
        parts = parts_of_record(value)
        if parts and kind_of_value(value) is not None and len(parts) <= _LONGEST:
            return ast.Tuple([self._constant_node(one) for one in parts], ast.Load())
        array = array_of(value)
        if array is not None:
            return self.unit.constant(np.ascontiguousarray(array))
        if isinstance(value, dict) and value:
            kind = kind_of_value(value)
            if isinstance(kind, Mapping):
                return ast.Tuple([self._constant_node(one) for one in value.values()], ast.Load())
        raise Refused(
            f"{described(Constant(value))} is no number" if value is not None else "None is used as a number here",
            "use numbers, and arrays of numbers",
        )

    def plain(self, code: Code) -> Code:
        """Returns a value whose kind is not that of a constant, if numbers can hold it."""
        if not isinstance(code.kind, Constant):
            return code
        kind = kind_of_value(code.kind.value)
        if kind is None or isinstance(kind, Constant):
            return code
        array = array_of(code.kind.value)
        origins = frozenset(["a constant"]) if array is not None else frozenset[str]()
        return Code(self.node_of(code), kind, origins)

    # Changes of kind.

    def present(self, code: Code) -> Code:
        """Returns a value that is not None; where it is, machine code raises, and Python tells why."""
        if isinstance(code.kind, Packed):
            made = called(self.helper(f"unpacked_{code.kind.dtype.name}"), self.node_of(code))
            return Code(made, code.kind.array)
        if not isinstance(code.kind, Optional):
            return self.plain(code)
        return Code(called(self.helper("present"), self.node_of(code)), code.kind.kind, code.origins)

    def helper(self, key: str) -> ast.expr:
        """Returns the name of a function of the library."""
        function = next(getattr(one, key) for one in _LIBRARIES if hasattr(one, key))
        self.unit.names.setdefault(key, function)
        return name(key)

    def as_kind(self, code: Code, kind: Kind) -> ast.expr:
        """Returns the expression of a value as a variable of a kind holds it.

        Raises:
            Incompatible: If it is of another kind.
        """
        if isinstance(kind, Optional):
            return self._as_optional(code, kind)
        if isinstance(kind, Partial) or (isinstance(kind, Mapping) and not kind.items):
            return self._as_partial(code, kind)
        if isinstance(code.kind, Optional):
            code = self.present(code)
        code = self.plain(code)
        if isinstance(code.kind, Packed) and code.kind != kind:
            code = self.present(code)
        if code.kind == kind or isinstance(code.kind, Unknown) or isinstance(kind, (Unknown, Opaque)):
            return self.node_of(code)
        if isinstance(kind, Number):
            return self._as_number(code, kind)
        if isinstance(kind, Array):
            return self._as_array(code, kind)
        if isinstance(kind, Tuple) and kind.loose and isinstance(code.kind, Array):
            code = self._items_of(code, code.kind, len(kind.items))
        if isinstance(kind, (Tuple, Mapping)) and isinstance(code.kind, type(kind)):
            if len(code.kind.items) != len(kind.items) or getattr(code.kind, "keys", 0) != getattr(kind, "keys", 0):
                raise Incompatible
            if isinstance(code.node, ast.Tuple):
                parts = code.node.elts
            else:
                held = self.held(code)
                parts = [indexed(self.node_of(held), k) for k in range(len(kind.items))]
            each = zip(parts, code.kind.items, kind.items, strict=True)
            return ast.Tuple([self.as_kind(Code(part, a), b) for part, a, b in each], ast.Load())
        if isinstance(kind, Growing) and isinstance(code.kind, Growing):
            return self.node_of(code)
        raise Incompatible

    def _items_of(self, code: Code, kind: Array, count: int) -> Code:
        """Returns a short array as the tuple of its numbers."""
        if kind.ndim != 1 or (kind.shape is not None and kind.shape != (count,)):
            raise Incompatible
        if kind.shape is None:
            code = code._replace(node=called(self.helper("of_size"), self.node_of(code), ast.Constant(count)))
        held = self.held(code)
        nodes: list[ast.expr] = [indexed(self.node_of(held), k) for k in range(count)]
        return Code(ast.Tuple(nodes, ast.Load()), Tuple((Number(kind.dtype, None, kind.mixed),) * len(nodes)))

    def _as_optional(self, code: Code, kind: Optional) -> ast.expr:
        if code.kind == NONE:
            return zero_node(kind)
        if isinstance(code.kind, Optional):
            if code.kind == kind:
                return self.node_of(code)
            held = self.held(code)
            inner = Code(indexed(self.node_of(held), 1), code.kind.kind)
            return ast.Tuple([indexed(self.node_of(held), 0), self.as_kind(inner, kind.kind)], ast.Load())
        return ast.Tuple([ast.Constant(False), self.as_kind(code, kind.kind)], ast.Load())

    def pairs(self, code: Code) -> dict[str, Item]:
        """Returns the items of a dict by their keys."""
        code = self.plain(code)
        kind = partial_of(code.kind)
        if kind is None:
            raise Refused("a dict with known keys is needed here", "write its keys out")
        items = enumerate(zip(kind.keys, kind.items, strict=True))
        return {key: self._item_of_dict(code, k, key, item) for k, (key, item) in items}

    def _item_of_dict(self, code: Code, k: int, key: str, item: Kind) -> Item:
        node = code.node.elts[k] if isinstance(code.node, ast.Tuple) else indexed(self.node_of(code), k)
        missing: ast.expr | None = None
        if isinstance(code.kind, Partial):
            missing, node = node.elts if isinstance(node, ast.Tuple) else (indexed(node, 0), indexed(node, 1))
            missing = missing if key not in code.kind.sure else None
        kept = code.origins if holds_dicts(item) else {one for one in code.origins if not one.startswith("dict ")}
        return Item(missing, Code(None, item) if isinstance(item, STATIC) else Code(node, item, frozenset(kept)))

    def _as_partial(self, code: Code, kind: Partial | Mapping) -> ast.expr:
        if partial_of(code.kind) is None:
            raise Incompatible
        if code.kind == kind:
            return self.node_of(code)
        found = self.pairs(code)
        pairs: list[ast.expr] = []
        for key, item in zip(kind.keys, kind.items, strict=True):
            one = found.get(key)
            nodes = [ast.Constant(True), zero_node(item)]
            if one is not None:
                nodes = [one.missing or ast.Constant(False), self.as_kind(one.value, item)]
            pairs.append(ast.Tuple(nodes, ast.Load()))
        return ast.Tuple(pairs, ast.Load())

    def _as_number(self, code: Code, kind: Number) -> ast.expr:
        if isinstance(code.kind, Opaque):
            return called("float", self.node_of(code)) if kind.mixed else self.node_of(code)
        if not isinstance(code.kind, Number):
            raise Incompatible
        if code.kind.dtype == kind.dtype:
            return self.node_of(code)
        if kind.mixed and code.kind.dtype.kind in "iu":
            return called("int" if kind.dtype.kind == "i" else "float", self.node_of(code))
        raise Incompatible

    def _as_array(self, code: Code, kind: Array) -> ast.expr:
        own = code.kind
        if isinstance(own, Array) and (own.dtype, own.ndim, own.listed) == (kind.dtype, kind.ndim, kind.listed):
            return self.node_of(code)
        if isinstance(own, Array) and own.listed and kind.mixed and own.ndim == kind.ndim and own.dtype == np.int64:
            return called(self.helper("as_floats"), self.node_of(code))
        if isinstance(code.kind, Growing) and kind.listed:
            return called("np.array", self.node_of(code))
        if isinstance(code.kind, Opaque) and not kind.listed:
            return self.node_of(code)
        raise Incompatible

    def join_of(self, codes: Sequence[Code]) -> Kind:
        """Returns the kind that holds each of some values.

        Raises:
            Incompatible: If there is none.
        """
        kind = codes[0].kind
        for one in codes[1:]:
            kind = joined(kind, one.kind)
        return kind

    def number(self, code: Code, what: str = "a number", instead: str = "") -> Code:
        """Returns a value that is one number.

        Raises:
            Refused: If it is something else.
        """
        code = self.present(code)
        if isinstance(code.kind, (Number, Opaque, Unknown)):
            return code
        raise Refused(f"{what} is needed here, but this is a {described(code.kind)}", instead)


def is_simple(node: ast.expr) -> bool:
    """Returns whether an expression costs nothing, so that it may be written several times."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(map(is_simple, node.elts))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant)
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "_params"
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant)
    return isinstance(node, (ast.Name, ast.Constant))


def is_temporary(node: ast.expr) -> bool:
    """Returns whether an expression is a variable of the translation itself, which is assigned once."""
    return isinstance(node, ast.Name) and re.fullmatch(r"_(t\d+(_value)?|constant\w*)", node.id) is not None


_WIDE = (np.float64, np.int64, np.bool_)
