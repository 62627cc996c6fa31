"""Seeding an environment's own generators, in its `reset` and `step`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from palaestra.language.frontend.hidden import Wanted, own
from palaestra.language.frontend.objects import held_by
from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.writing import root_of
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
        number = checked()
        if root_of(held_by(front, generator)["words"].part).operation != "room":
            raise Wanted(name, apart=True)  # a step that does not happen must not have seeded it
        front.call_function(begin, (generator, number), {})
    return constant(None)
