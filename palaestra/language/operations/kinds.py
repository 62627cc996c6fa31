"""What is said of types and shapes alone, and of constants: which dtype comes of others, `np.iinfo`, `ord`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from palaestra.language.frontend.iteration import items_of
from palaestra.language.frontend.refusals import NeedsConstant
from palaestra.language.operations import arrays
from palaestra.language.operations.drawing import any_array, any_number, one_of, some_dtype
from palaestra.language.operations.table import REFUSED, built
from palaestra.language.types import Reference, Term, Tuple, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def _example(front: FrontEnd, term: Term) -> Any:
    """An object of which NumPy says the same; of tuples and lists it must be known."""
    if isinstance(term.type, Tuple | Reference) and items_of(front, term) is not None:
        return arrays.lengths(front, term, "a shape")
    return arrays.example(front, term)


def _of_types(called: Any, *tries: Any) -> None:
    @built(called, tries=tries)
    def build(front: FrontEnd, *terms: Term, **named: Term) -> Term:
        given = [_example(front, one) for one in terms]
        options = {name: arrays.known(one, f"{name}=") for name, one in named.items()}
        return constant(arrays.answer(front, lambda: called(*given, **options)))


_of_types(np.isscalar, lambda rng: (any_number(rng),), lambda rng: (any_array(rng),))
_of_types(np.iscomplexobj, lambda rng: (any_number(rng),), lambda rng: (any_array(rng),))
_of_types(np.isrealobj, lambda rng: (any_number(rng),), lambda rng: (any_array(rng),))
_of_types(np.iterable, lambda rng: (any_number(rng),), lambda rng: (any_array(rng),))
_of_types(np.result_type, lambda rng: (any_array(rng), some_dtype(rng), 2.5))
_of_types(np.promote_types, lambda rng: (some_dtype(rng), some_dtype(rng)))
_of_types(np.can_cast, lambda rng: (some_dtype(rng), some_dtype(rng), one_of(rng, "safe", "same_kind")))
_of_types(np.issubdtype, lambda rng: (some_dtype(rng), one_of(rng, np.floating, np.integer, np.bool_)))
_of_types(np.broadcast_shapes, lambda rng: ((3, 1), one_of(rng, (4,), (3, 4), (2, 2))))


def _of_constants(remedy: str, *several: Any) -> None:
    """Functions of what is known, which Python itself computes."""
    for called in several:

        @built(called, note=REFUSED)
        def build(front: FrontEnd, *terms: Term, called: Any = called, **named: Term) -> Term:
            raise NeedsConstant(f"{called.__name__}() takes what is known when the program is compiled", remedy)


_of_constants("", np.iinfo, np.finfo, np.dtype, np.isdtype, np.min_scalar_type)
_of_constants("keep numbers", ord, chr)
_of_constants("compute with the number: x >> k & 1", bin, hex, oct, ascii)
_of_constants("keep the real and the imaginary part", complex)
