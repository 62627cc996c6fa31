"""What an environment's class has from its base: the seed, the generator, spaces.

A batch seeds the generators of its environments before their `reset` runs. So the call that seeds one is nothing here,
as long as nothing is drawn before it, and every reset makes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces.box import Box
from gymnasium.spaces.discrete import Discrete
from gymnasium.spaces.multi_binary import MultiBinary
from gymnasium.spaces.multi_discrete import MultiDiscrete
from gymnasium.spaces.space import Space
from palaestra.language.frontend.hidden import STREAM
from palaestra.language.frontend.objects import held_by
from palaestra.language.frontend.refusals import Refused
from palaestra.language.operations.table import REFUSED, built
from palaestra.language.types import NONE, Array, Number, Seed, Term, constant

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

MISSING = Term(NONE)


def seeded(front: FrontEnd, seed: Term) -> None:
    """Note that the environment is seeded, if it is with the seed of the reset, before it draws."""
    if not front.resets:
        if seed != MISSING:
            raise Refused("a step seeds the environment", "leave the seed out")
        return
    if not isinstance(seed.type, Seed):
        reason = "the environment is not seeded with the seed that reset gets"
        raise Refused(reason, "call super().reset(seed=seed)")
    if front.draws:
        raise Refused("self.np_random draws before the environment is seeded", "call super().reset(seed=seed) first")
    depth, outside = front.entered
    if front.depth > depth or any(one.returns.ends for one in front.activations[outside:]):
        raise Refused("some resets do not seed the environment", "call super().reset(seed=seed) first, in each reset")
    front.is_seeded = True


@built(Env.reset, folds=False, takes_seed=True)
def _reset(front: FrontEnd, env: Term, *, seed: Term = MISSING, options: Term = MISSING) -> Term:
    seeded(front, seed)
    return constant(None)


@built(Env.np_random, folds=False)
def _generator(front: FrontEnd, env: Term) -> Term:
    return held_by(front, env)[STREAM]


@built(Env.unwrapped, folds=False)
def _unwrapped(front: FrontEnd, env: Term) -> Term:
    return env


@built(Env.np_random_seed, folds=False, note=REFUSED)
def _seed_of(front: FrontEnd, env: Term) -> Term:
    raise Refused("the seed of a generator is not in the language", "keep it in an attribute")


# Spaces: objects that exist, whose methods are functions of them.


@built(Discrete.contains, folds=False)
def _in_discrete(front: FrontEnd, space: Term, x: Term) -> Term:
    kind, of = x.type, space.value
    if not isinstance(kind, Number) or not (kind.python or np.can_cast(kind.dtype, of.dtype)):
        return constant(_contains(of, x) if x.known else isinstance(kind, Number) and kind.dtype.kind in "b")
    if kind.dtype.kind == "f" or (kind.dtype.kind == "b" and not kind.python):
        return constant(False)
    return front.call_function(_is_between, (x, constant(int(of.start)), constant(int(of.start) + int(of.n) - 1)), {})


def _contains(space: Any, x: Term) -> bool:
    return bool(space.contains(x.value))


def _is_between(x: Any, low: Any, high: Any) -> Any:
    return low <= x and x <= high


@built(Box.contains, folds=False)
def _in_box(front: FrontEnd, space: Term, x: Term) -> Term:
    return _array_in(front, space, x, lambda of: (of.low, of.high))


@built(MultiDiscrete.contains, folds=False)
def _in_counts(front: FrontEnd, space: Term, x: Term) -> Term:
    return _array_in(front, space, x, lambda of: (of.start, of.start + of.nvec - 1))


def _array_in(front: FrontEnd, space: Term, x: Term, bounds: Callable[[Any], tuple[Any, Any]]) -> Term:
    """Whether an array is in a space with bounds."""
    of = space.value
    if not isinstance(x.type, Array):
        raise Refused(f"whether {x.type} is in {of} is not in the language", "ask about np.array(...)")
    if x.type.shape != of.shape or not np.can_cast(x.type.dtype, of.dtype):
        return constant(False)
    return front.call_function(_are_between, (x, *map(constant, bounds(of))), {})


def _are_between(x: Any, low: Any, high: Any) -> Any:
    return bool(np.all(x >= low)) and bool(np.all(x <= high))


@built(MultiBinary.contains, folds=False)
def _in_flags(front: FrontEnd, space: Term, x: Term) -> Term:
    if not isinstance(x.type, Array) or x.type.shape != space.value.shape:
        return constant(False)
    return front.call_function(_are_flags, (x,), {})


def _are_flags(x: Any) -> Any:
    return bool(np.all((x == 0) | (x == 1)))


@built(Space.sample, Space.seed, folds=False, note=REFUSED)
def _of_own_generator(front: FrontEnd, *terms: Term, **named: Term) -> Term:
    raise Refused("a space draws from a generator of its own", "draw from self.np_random")
