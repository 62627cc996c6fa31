"""Texts that are made of what changes: what an f-string, `str`, `format`, `+` and `join` return.

They are not compared, and no attribute keeps them: a program passes on their numbers, and Python formats them.
"""

from __future__ import annotations

import operator
import string
from types import MethodDescriptorType
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import NeedsConstant, Refused
from palaestra.language.frontend.texts import Piece, text_of
from palaestra.language.operations.table import TABLE, built
from palaestra.language.types import Constant, Either, Text, Tuple, Type, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd
    from palaestra.language.types import Term


@built(str, note="in infos and messages")
def _str(front: FrontEnd, *terms: Term) -> Term:
    return text_of(front, [(one, ord("s"), "") for one in terms])


@built(repr, note="in infos and messages")
def _repr(front: FrontEnd, x: Term) -> Term:
    return text_of(front, [(x, ord("r"), "")])


@built(format, note="in infos and messages")
def _format(front: FrontEnd, x: Term, specification: Term = constant("")) -> Term:  # noqa: B008
    return text_of(front, [(x, -1, _known(specification))])


@built(str.format, note="in infos and messages")
def _formatted(front: FrontEnd, text: Term, *terms: Term, **named: Term) -> Term:
    pieces: list[Piece] = []
    automatic = 0
    for literal, name, specification, conversion in string.Formatter().parse(_known(text)):
        pieces.append((constant(literal), -1, ""))
        if name is None:
            continue
        key: str | int = automatic if name == "" else int(name) if name.isdigit() else name
        automatic += name == ""
        if not (key in named if isinstance(key, str) else key < len(terms)) or "{" in (specification or ""):
            raise Refused(f"the field {{{name}}} of a format is not in the language", "write an f-string")
        term = named[key] if isinstance(key, str) else terms[key]
        pieces.append((term, ord(conversion) if conversion else -1, specification or ""))
    return text_of(front, pieces)


@built(str.join, note="in infos and messages")
def _join(front: FrontEnd, text: Term, container: Term) -> Term:
    items = items_of(front, container)
    if items is None:
        raise NeedsConstant("the number of texts that are joined must be known", "join a tuple")
    if not all(_is_text(one.type) for one in items):
        front.raise_("TypeError")
    pieces = [piece for one in items for piece in ((text, -1, ""), (one, -1, ""))]
    return text_of(front, pieces[1:])


@built((operator.add, "texts"), folds=False)
def _joined(front: FrontEnd, a: Term, b: Term) -> Term:
    if not all(_is_text(one.type) for one in (a, b)):
        front.raise_("TypeError")
    return text_of(front, [(a, -1, ""), (b, -1, "")])


@built((operator.mod, "texts"), folds=False)
def _in_percents(front: FrontEnd, text: Term, values: Term) -> Term:
    parts = _known(text).split("%s")
    if any("%" in one for one in parts):
        raise Refused("a text with `%` is not in the language, but for `%s`", "write an f-string")
    items = list(values.items()) if isinstance(values.type, Tuple) else [values]
    if len(items) != len(parts) - 1:
        front.raise_("TypeError")
    pieces: list[Piece] = [(constant(parts[0]), -1, "")]
    for item, part in zip(items, parts[1:], strict=True):
        pieces += [(item, ord("s"), ""), (constant(part), -1, "")]
    return text_of(front, pieces)


def _is_text(kind: Type) -> bool:
    if isinstance(kind, Either):
        return all(map(_is_text, kind.options))
    return isinstance(kind, Text) or (isinstance(kind, Constant) and isinstance(kind.value, str))


def _of_known(method: Any) -> None:
    """Add a method that Python itself computes of texts that are known, one for each that a text may be."""

    @built(method, note="known texts")
    def build(front: FrontEnd, text: Term, *terms: Term, **named: Term) -> Term:
        raise Refused("a text of what changes is not in the language", "compare numbers instead")


for _name, _method in vars(str).items():
    if isinstance(_method, MethodDescriptorType) and not _name.startswith("_") and _method not in TABLE:
        _of_known(_method)


def _known(term: Term) -> str:
    if not term.known or not isinstance(term.value, str):
        raise NeedsConstant("a format must be known when the program is compiled", "write it as text")
    return term.value
