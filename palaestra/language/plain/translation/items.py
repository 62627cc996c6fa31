"""The translation of tuples and dicts, and of their items."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from palaestra.language.plain.refusals import Refused
from palaestra.language.plain.translation.descriptions import described
from palaestra.language.plain.translation.dicts import named_again
from palaestra.language.plain.translation.elements import element_of
from palaestra.language.plain.translation.evaluation import Evaluation
from palaestra.language.plain.translation.kinds import (
    INT,
    Array,
    Constant,
    Growing,
    Mapping,
    Number,
    Opaque,
    Packed,
    Partial,
    Tuple,
    Unknown,
)
from palaestra.language.plain.translation.scope import STATIC, Item
from palaestra.language.plain.translation.unit import Code, indexed, literal


class Items(Evaluation):
    """Translates values of several parts."""

    def of_shape(self, shape: tuple[int, ...]) -> Code:
        """Returns a known shape."""
        return Code(literal(shape), Tuple((INT,) * len(shape)))

    def item(self, code: Code, k: int) -> Code:
        """Returns a part of a tuple or of a dict's tuple, or an element of an array."""
        kind = code.kind
        if isinstance(kind, (Tuple, Mapping)):
            if not -len(kind.items) <= k < len(kind.items):
                raise Refused("an index beyond the tuple")
            if isinstance(kind.items[k], STATIC):
                return Code(None, kind.items[k])
            if isinstance(code.node, ast.Tuple):
                return Code(code.node.elts[k], kind.items[k], code.origins)
            return Code(indexed(self.node_of(code), k), kind.items[k], code.origins)
        if isinstance(kind, Packed):
            node = code.node.elts[k] if isinstance(code.node, ast.Tuple) else indexed(self.node_of(code), k)
            return Code(node, Number(kind.dtype, False))
        if isinstance(kind, Array):
            return Code(
                indexed(self.node_of(code), k), element_of(kind), code.origins if kind.ndim > 1 else frozenset()
            )
        if isinstance(kind, Constant):
            return self.of_known(kind.value[k])
        if isinstance(kind, Growing) and kind.item is not None:
            return Code(indexed(self.node_of(code), k), kind.item)
        return Code(indexed(self.node_of(code), k), Opaque())

    def parts(self, code: Code) -> list[Code]:
        """Returns the items of a value whose number is known."""
        kind = code.kind
        if isinstance(kind, (Tuple, Mapping)):
            return [self.item(code, k) for k in range(len(kind.items))]
        if isinstance(kind, Array) and kind.shape is not None:
            return [self.item(code, k) for k in range(kind.shape[0])]
        if isinstance(kind, Constant) and isinstance(kind.value, (tuple, list)):
            return [self.of_known(one) for one in kind.value]
        raise Refused(f"the items of a {described(kind)} are not known here")

    def unpacked(self, nodes: Sequence[ast.expr]) -> list[Code]:
        """Returns the translations of expressions, with those of `*a` in their places."""
        codes = self.exprs([node.value if isinstance(node, ast.Starred) else node for node in nodes])
        found: list[Code] = []
        for node, code in zip(nodes, map(self.present, codes), strict=True):
            found += self.parts(self.held(code)) if isinstance(node, ast.Starred) else [code]
        return found

    def _on_tuple(self, node: ast.Tuple) -> Code:
        if any(isinstance(one, ast.Starred) for one in node.elts):
            return self.tuple_of(self.unpacked(node.elts))
        return self.tuple_of(self.exprs(node.elts))

    def tuple_of(self, codes: list[Code], returned: bool = False) -> Code:
        """Returns a tuple of these values; if it is `returned`, no name holds them any more."""
        if all(isinstance(code.kind, Constant) for code in codes):
            return self.of_value(tuple(code.kind.value for code in codes if isinstance(code.kind, Constant)))
        if any(isinstance(code.kind, Unknown) for code in codes):
            return Code(None, Unknown())
        codes = [self.plain(code) if returned else named_again(self, self.plain(code)) for code in codes]
        origins = frozenset[str]().union(*(code.origins for code in codes))
        nodes: list[ast.expr] = [
            ast.Constant(0) if isinstance(code.kind, STATIC) else self.node_of(code) for code in codes
        ]
        return Code(ast.Tuple(nodes, ast.Load()), Tuple(tuple(code.kind for code in codes)), origins)

    def _on_set(self, node: ast.Set) -> Code:
        return self.of_value(frozenset(self.static_value(code) for code in self.exprs(node.elts)))

    def _on_dict(self, node: ast.Dict) -> Code:
        found: dict[str, Item] = {}
        for key, code in zip(node.keys, self.exprs(node.values), strict=True):
            if key is None:
                _add(found, self.pairs(self.held(self.present(code))))
                continue
            known = self.expr(key).kind
            if not (isinstance(known, Constant) and isinstance(known.value, str)):
                return self._constant_dict(node)
            found[known.value] = Item(None, named_again(self, self.plain(code)))
        return self.dict_of(found)

    def _constant_dict(self, node: ast.Dict) -> Code:
        found = {}
        for key, value in zip(node.keys, node.values, strict=True):
            a, b = self.expr(key) if key else None, self.expr(value)
            values = [self.static_value(one) for one in (a, b) if one is not None]
            found[values[0]] = values[1]
        return self.of_value(found)

    def mapping(self, keys: list[str], codes: list[Code]) -> Code:
        """Returns a dict of known keys; the last of equal keys wins."""
        return self.dict_of({key: Item(None, code) for key, code in zip(keys, codes, strict=True)})

    def dict_of(self, found: dict[str, Item]) -> Code:
        """Returns a dict of these items."""
        codes = [one.value for one in found.values()]
        if any(isinstance(code.kind, Unknown) for code in codes):
            return Code(None, Unknown())
        nodes: list[ast.expr] = [
            ast.Constant(0) if isinstance(code.kind, STATIC) else self.node_of(code) for code in codes
        ]
        origins = frozenset[str]().union(*(code.origins for code in codes))
        whole = Mapping(tuple(found), tuple(code.kind for code in codes))
        if all(one.missing is None for one in found.values()):
            return Code(ast.Tuple(nodes, ast.Load()), whole, origins)
        if any(isinstance(code.kind, STATIC) for code in codes):
            text = next(key for key, one in found.items() if isinstance(one.value.kind, STATIC))
            raise Refused(f"a dict whose keys are there on some paths only holds {text!r}, no number", "leave it out")
        pairs: list[ast.expr] = [
            ast.Tuple([one.missing or ast.Constant(False), node], ast.Load())
            for one, node in zip(found.values(), nodes, strict=True)
        ]
        sure = frozenset(key for key, one in found.items() if one.missing is None)
        return Code(ast.Tuple(pairs, ast.Load()), Partial(whole.keys, whole.items, sure), origins)

    def merged(self, left: Code, right: Code) -> Code:
        """Returns a dict of the items of two."""
        found = self.pairs(self.held(left))
        _add(found, self.pairs(self.held(right)))
        return self.dict_of(found)


def _add(found: dict[str, Item], others: dict[str, Item]) -> None:
    for key, one in others.items():
        if key in found and one.missing is not None:
            raise Refused(f"the key {key!r} may come from either of two dicts", "assign it behind that")
        found[key] = one
