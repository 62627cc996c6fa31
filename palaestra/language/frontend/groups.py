"""Objects in pools that may be of several classes: the memory of a place, whose first word is the object's class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from palaestra.language.frontend.building import Builder
from palaestra.language.program import ADDRESS, INT64, Value
from palaestra.language.types import HEAD, WORD, Placed, Pool, Term


def pool_of(front: Builder, term: Term) -> Term:
    """Returns the pool of an object that has a place."""
    assert isinstance(term.type, Placed)
    return front.pools[term.type.root]


def kind_of(pool: Term) -> Pool:
    """Returns the type of a pool."""
    assert isinstance(pool.type, Pool)
    return pool.type


def word_at(front: Builder, pool: Term, k: Value, at: int) -> Value:
    """Returns the address of a word of the place k."""
    kind = kind_of(pool)
    start = front.compute("mul", k, front.number(WORD * kind.size))
    return front.emit("offset", ADDRESS, pool.part, front.compute("add", start, front.number(WORD * (HEAD + at))))


def tag_of(front: Builder, term: Term) -> Value:
    """Returns the number of the class of an object."""
    return front.emit("load", INT64, word_at(front, pool_of(front, term), term.part, 0))


def groups_of(term: Term, alike: Callable[[type], Any]) -> list[Placed]:
    """Returns the classes that an object may be of, those together that are alike."""
    assert isinstance(term.type, Placed)
    found: list[tuple[Any, list[type]]] = []
    for of in term.type.classes:
        key = alike(of)
        same = next((classes for one, classes in found if one == key), None)
        if same is None:
            found.append((key, [of]))
        else:
            same.append(of)
    return [Placed(term.type.root, tuple(classes)) for _, classes in found]


def each_group(front: Builder, term: Term, groups: Sequence[Placed], then: Callable[[Term], Term]) -> Term:
    """Returns what `then` returns for an object of the classes that it is of."""
    if len(groups) == 1:
        return then(Term(groups[0], term.parts))
    groups = sorted(groups, key=lambda one: len(one.classes))
    tag = tag_of(front, term)

    def chosen(k: int) -> Term:
        one = Term(groups[k], term.parts)
        if k == len(groups) - 1:
            return then(one)
        return front.branch(is_among(front, term, groups[k].classes, tag), lambda: then(one), lambda: chosen(k + 1))

    return chosen(0)


def is_among(front: Builder, term: Term, classes: Sequence[type], tag: Value | None = None) -> Value:
    """Returns whether an object is of one of some classes."""
    tag = tag_of(front, term) if tag is None else tag
    kind = kind_of(pool_of(front, term))
    truths = [front.compare("eq", tag, front.number(kind.tag(of))) for of in classes]
    found = truths[0]
    for one in truths[1:]:
        found = front.compute("or", found, one)
    return found


def each_class(front: Builder, term: Term, then: Callable[[Term], Term]) -> Term:
    """Returns what `then` returns for an object of the class that it is of."""
    return each_group(front, term, groups_of(term, lambda of: of), then)


def is_of_several(term: Term) -> bool:
    """Returns whether an object in a pool may be of several classes."""
    return isinstance(term.type, Placed) and len(term.type.classes) > 1
