"""Seeding an environment's own generators, in its `reset` and `step`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.hidden import own
from palaestra.language.frontend.objects import set_attribute_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations import arrays
from palaestra.language.operations.twister import SIZE, UINT32
from palaestra.language.types import NONE, Seed, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd


def seeded_with(front: FrontEnd, name: str, seed: Term, checked: Callable[[], Term], begin: Any) -> Term:
    """Seed one of the generators.

    A batch seeds them before the reset that gets a seed, so that seeding with that one is nothing; and one that is not
    seeded goes on.

    Args:
        front: The front end.
        name: Its name, see `hidden`.
        seed: The seed, or None.
        checked: Returns another seed as an int.
        begin: A function in the language that seeds a generator with an int.
    """
    has_drawn = name in front.drawn
    generator = own(front, name)
    if isinstance(seed.type, Seed):
        if has_drawn:
            raise Refused("a generator draws before the reset seeds it", "seed it first")
        front.drawn.discard(name)
    elif seed.type != NONE:
        number = checked()  # words anew: a step that does not happen must not have seeded it
        set_attribute_of(front, generator, "words", arrays.new_plain(front, UINT32, (SIZE + 2,)))
        front.call_function(begin, (generator, number), {})
    return constant(None)
