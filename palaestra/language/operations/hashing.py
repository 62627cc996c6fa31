"""What keys of dicts and items of sets are compared by: those with other hashes are never equal there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.table import built
from palaestra.language.types import (
    CONTAINERS,
    Array,
    Bounded,
    Number,
    Placed,
    Reference,
    Term,
    Tuple,
    constant,
    tuple_of,
)

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def checked(front: FrontEnd, key: Term) -> Term:
    """Returns a key or an item of a set; it raises what Python raises for one that has no hash."""
    for one in key.items() if isinstance(key.type, Tuple) else (key,):
        of = one.type.of if isinstance(one.type, Reference | Placed) else None
        if isinstance(one.type, Array | Bounded) or (of in CONTAINERS and of is not frozenset):
            front.raise_("TypeError")
        if isinstance(one.type, Placed):
            raise Refused(f"{one.type} is a key, or in a set", "keep it in a list, or a number of it as the key")
        if one is not key:
            checked(front, one)
    return key


def keyed(item: Any) -> Any:
    """Returns what a key is compared by: numbers of NumPy count as those of Python, which have their hashes."""
    return item


@built(keyed, (hash, "key"), folds=False)
def key_of(front: FrontEnd, item: Term) -> Term:
    """Returns what a key is compared by, see `keyed`; it raises as `checked` does."""

    def as_python(one: Term) -> Term:
        if one.known:
            return constant(one.value.item()) if isinstance(one.value, np.generic) else one
        if isinstance(one.type, Number) and not one.type.python:
            return front.operate({"b": bool, "f": float}.get(one.type.dtype.kind, int), one)
        if isinstance(one.type, Tuple):
            return tuple_of([key_of(front, part) for part in one.items()], one.type.of)
        return one

    return front.split(checked(front, item), as_python)
