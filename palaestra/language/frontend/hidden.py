"""What an environment has of its own beside its attributes: generators in the place of the process's, and a flag.

Each is an attribute with a name of ours, which only environments have that need it: a program that looks for one that
is not there is written again with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from palaestra.language.frontend.refusals import Refused

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd
    from palaestra.language.types import Term

STREAM: Final = "_np_random"
"""The attribute that holds an environment's generator."""
RANDOM: Final = "_palaestra_random"
"""The generator of `random`."""
RANDOM_STATE: Final = "_palaestra_random_state"
"""The generator of the functions of `np.random`."""
SEEDED: Final = "_palaestra_seeded"
"""Whether the reset that comes next has a seed."""
SEED: Final = "_palaestra_seed"
"""That seed."""
ENTROPY: Final = "_palaestra_entropy"
"""A generator that the operating system has seeded, which begins those that get no seed."""
HIDDEN: Final = RANDOM, RANDOM_STATE, SEEDED, SEED, ENTROPY
GENERATORS: Final = {RANDOM: "random", RANDOM_STATE: "np.random"}
"""Maps the generators to the modules in whose place they draw."""


class Wanted(Exception):
    """An environment needs one of `HIDDEN`, which it has not yet.

    Args:
        name: Its name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def hidden(front: FrontEnd, name: str, otherwise: Refused) -> Term:
    """Returns what the environment has of its own.

    Raises:
        Refused: `otherwise`, where there is no environment.
        Wanted: If it has none yet.
    """
    if front.hidden is None:
        raise otherwise
    if name not in front.hidden:
        raise Wanted(name)
    return front.hidden[name]


def own(front: FrontEnd, name: str) -> Term:
    """Returns the environment's own generator, which is about to draw; see `hidden`."""
    shared = Refused("the global generator is shared by all copies", "draw from self.np_random")
    generator = hidden(front, name, shared)
    front.drawn.add(name)
    return generator
