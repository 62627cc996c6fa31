"""Texts that a program makes: constants as far as they are known, and the objects to be formatted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from palaestra.language.types import Chosen, Constant, Either, Number, Term, Text, Tuple, Type, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

Piece = tuple[Term, int, str]
"""An object, with the conversion and the format specification of an f-string."""


def text_of(front: FrontEnd, pieces: Iterable[Piece]) -> Term:
    """Returns the text of pieces that are formatted one behind another."""
    template = ""
    items: list[Term] = []
    for term, conversion, specification in pieces:
        field = f"{{{f'!{chr(conversion)}' if conversion > 0 else ''}:{specification}}}"
        if term.known:
            template += _formatted(front, field, term.value).replace("{", "{{").replace("}", "}}")
        elif isinstance(term.type, Text) and term.type.template and field in ("{:}", "{!s:}"):
            template += term.type.template
            items += term.items()
        elif not _is_formatted(term.type):
            return Term(Text())
        else:
            for one in _examples(term.type):
                _formatted(front, field, one)
            template += field
            items.append(term)
    if not items:
        return constant(template.format())
    return Term(Text(template, tuple(one.type for one in items)), tuple(part for one in items for part in one.parts))


def _formatted(front: FrontEnd, field: str, value: object) -> str:
    """A text for an object; the program raises what Python raises."""
    try:
        return field.format(value)
    except (TypeError, ValueError) as error:
        front.raise_(type(error).__name__)


def _examples(kind: Type) -> Iterator[object]:
    """Yields an object of each type that an object may be of."""
    match kind:
        case Number(dtype=dtype, python=python):
            yield dtype.type(1).item() if python else dtype.type(1)
        case Constant(value=value):
            yield value
        case Chosen(options=options):
            yield from options
        case Tuple(items=kinds):
            yield tuple(next(_examples(one)) for one in kinds)
        case Either(options=kinds):
            for one in kinds:
                yield from _examples(one)
        case Text():
            yield ""


def _is_formatted(kind: Type) -> bool:
    """Whether numbers are all that a text needs of an object."""
    match kind:
        case Number() | Constant() | Chosen():
            return True
        case Text(template=template):
            return template is not None
        case Tuple(items=kinds) | Either(options=kinds):
            return all(map(_is_formatted, kinds))
    return False
