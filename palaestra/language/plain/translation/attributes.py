"""The translation of attributes."""

from __future__ import annotations

import ast
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from gymnasium.spaces.space import Space
from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.sources import defined_in
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.functions import call_function
from palaestra.language.plain.translation.items import Items
from palaestra.language.plain.translation.kinds import (
    INT,
    Array,
    Constant,
    Number,
    Optional,
    Packed,
    Place,
    Tuple,
    Unknown,
    number_of,
)
from palaestra.language.plain.translation.places import attribute_of
from palaestra.language.plain.translation.records import fields_of, is_record
from palaestra.language.plain.translation.unit import Code, Method


class Attributes(Items):
    """Translates attributes of the environment, of arrays and of constants."""

    def _on_attribute(self, node: ast.Attribute) -> Code:
        return self.attribute(self.expr(node.value), node.attr)

    def mangled(self, key: str) -> str:
        """Returns a name as the class has it: `__x` is private to it."""
        if self.kind is None or not key.startswith("__") or key.endswith("__"):
            return key
        return f"_{self.kind.__name__.lstrip('_')}{key}"

    def attribute(self, owner: Code, key: str) -> Code:
        """Returns an attribute of a value."""
        key = self.mangled(key)
        kind = owner.kind
        if isinstance(kind, Place):
            return self.of_place(kind, key)
        if isinstance(kind, (Optional, Packed)):
            return self.attribute(self.present(owner), key)
        if isinstance(kind, Unknown):
            return Code(None, Unknown())
        if isinstance(kind, Tuple) and kind.record is not None:
            if key in fields_of(kind.record):
                return self.item(owner, fields_of(kind.record).index(key))
            return self._of_record(owner, kind.record, key)
        if isinstance(kind, Constant):
            known = self.plain(owner) if is_record(type(kind.value)) else owner
            return self._of_constant(kind.value, key) if known is owner else self.attribute(known, key)
        if isinstance(kind, Array) and not kind.listed:
            return self._of_array(owner, kind, key)
        if isinstance(kind, Number) and kind.weak is not True and key == "dtype":
            return self.of_value(kind.dtype)
        if kind == INT and key == "value":  # of a member of an IntEnum
            return owner
        raise Refused(f"`.{key}` of a {described(kind)} is not supported")

    def _of_record(self, owner: Code, record: type[Any], key: str) -> Code:
        """Returns a property of a record, or an attribute of its class."""
        kind, member = defined_in(record, key) or (record, None)
        if isinstance(member, property) and isinstance(member.fget, FunctionType):
            return call_function(self, Method(member.fget, kind, None), [owner], {})
        if member is None or callable(member):
            raise Refused(f"`.{key}` of a {record.__name__} is not supported")
        return self.of_known(member)

    def _of_constant(self, value: Any, key: str) -> Code:
        if not isinstance(value, (ModuleType, type, Enum, Space, np.dtype, np.ndarray, np.finfo, np.iinfo)):
            if number_of(value) is not None or isinstance(value, (str, list, dict, tuple)):
                return self.of_value(getattr(value, key)) if hasattr(value, key) else self._missing(value, key)
            named = key in getattr(type(value), "__dataclass_fields__", ())
            if not named and (not hasattr(value, "__dict__") or key not in vars(value)):
                raise Refused(f"`.{key}` of a {type(value).__name__} is not supported")
        if not hasattr(value, key):
            self._missing(value, key)
        found = getattr(value, key)
        if isinstance(value, Space) and callable(found):
            return self.of_value((value, key))
        return self.of_known(found)

    def _missing(self, value: Any, key: str) -> Code:
        raise Refused(f"there is no `{key}` in {described(Constant(value))}")

    def _of_array(self, owner: Code, kind: Array, key: str) -> Code:
        node = self.node_of(owner)
        if key == "shape":
            if kind.shape is not None:
                return self.of_shape(kind.shape)
            return Code(ast.Attribute(node, key, ast.Load()), Tuple((INT,) * kind.ndim))
        if key in ("size", "ndim"):
            return Code(ast.Attribute(node, key, ast.Load()), INT)
        if key == "T":
            shape = kind.shape[::-1] if kind.shape else None
            return Code(ast.Attribute(node, key, ast.Load()), Array(kind.dtype, kind.ndim, shape), owner.origins)
        if key == "dtype":
            return self.of_value(kind.dtype)
        raise Refused(f"`.{key}` of an array is not supported")

    def of_place(self, place: Place, key: str) -> Code:
        """Returns an attribute of the environment, or of an object in it."""
        return attribute_of(self, place, key)
