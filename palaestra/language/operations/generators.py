"""Generators that a class makes itself: `default_rng(seed)`, `Random(seed)`, `RandomState(seed)`.

In a program each is an object with a state in its attributes, see `StandIn`. Its methods are the entries of
`Generator`, and those of the functions of `random` and `np.random`, which draw from it meanwhile.

A generator without a seed begins with words of the environment's own entropy, which the operating system has seeded.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

from gymnasium.core import Env
from gymnasium.functional.stream_rows import WORDS, generator_at, row_of
from gymnasium.utils import seeding
from palaestra.language.frontend.hidden import ENTROPY, RANDOM, RANDOM_STATE, SEED, SEEDED, STREAM, hidden
from palaestra.language.frontend.objects import held_by, set_attribute_of
from palaestra.language.frontend.refusals import Refused
from palaestra.language.frontend.stand_ins import StandIn
from palaestra.language.operations import arrays, random_module, random_state, seed_words, streams
from palaestra.language.operations.environments import seeded
from palaestra.language.operations.integers import integer
from palaestra.language.operations.random_module import OwnRandom
from palaestra.language.operations.random_state import OwnRandomState
from palaestra.language.operations.table import built
from palaestra.language.operations.twister import SIZE, UINT32, Twister, block_of, words_of
from palaestra.language.program import INT64, UINT64
from palaestra.language.types import NONE, PYTHON, Keys, Number, Reference, Seed, Stream, Term, Type, constant, tuple_of

if TYPE_CHECKING:
    from palaestra.language.frontend.front import FrontEnd

MISSING = Term(NONE)
Begin = Callable[["FrontEnd", Term, Term], Term]


class OwnedGenerator(StandIn):
    """What stands for a `np.random.Generator` of PCG64.

    Attributes:
        words: Its row, see `stream_rows`.
    """

    of = np.random.Generator

    def __init__(self, words: NDArray[np.uint64]) -> None:
        self.words = words

    @classmethod
    def like(cls, value: Any) -> Self:
        """See `StandIn`."""
        if type(value) is not cls.of:
            raise TypeError(f"a Generator is held here, not {value!r}")
        try:
            return cls(row_of(value.bit_generator))
        except ValueError as error:
            raise TypeError(str(error)) from None

    def original(self) -> np.random.Generator:
        """See `StandIn`."""
        return generator_at(self.words)


class _OwnedTwister(StandIn):
    """What stands for a generator whose words are those of a `Twister`."""

    kind: ClassVar[type[Twister]]

    def __init__(self, twister: Twister) -> None:
        self.twister = twister

    @classmethod
    def _with(cls, block: Any, drawn: int, spare: float | None) -> Self:
        made = cls(cls.kind())
        one = made.twister
        one.words, one.place, one.count = words_of(block), drawn % SIZE, drawn
        one.spare, one.has_spare = 0.0 if spare is None else spare, spare is not None
        return made


class OwnedRandom(_OwnedTwister):
    """What stands for a `random.Random`."""

    of, kind = random.Random, OwnRandom

    @classmethod
    def like(cls, value: Any) -> Self:
        """See `StandIn`."""
        if type(value) is not cls.of or not random_module.is_ours():
            raise TypeError(f"a Random is held here, not {value!r}")
        _, (*block, drawn), spare = value.getstate()
        return cls._with(block, drawn, spare)

    def original(self) -> random.Random:
        """See `StandIn`."""
        one, made = self.twister, random.Random(0)
        block, drawn = block_of(one.words, one.count)
        made.setstate((3, (*block.tolist(), drawn), one.spare if one.has_spare else None))
        return made


class OwnedRandomState(_OwnedTwister):
    """What stands for a `np.random.RandomState`."""

    of, kind = np.random.RandomState, OwnRandomState

    @classmethod
    def like(cls, value: Any) -> Self:
        """See `StandIn`."""
        state: Any = value.get_state() if type(value) is cls.of else [""]
        if state[0] != "MT19937":
            raise TypeError(f"a RandomState is held here, not {value!r}")
        _, block, drawn, has_spare, spare = state
        return cls._with(block, drawn, spare if has_spare else None)

    def original(self) -> np.random.RandomState:
        """See `StandIn`."""
        one, made = self.twister, np.random.RandomState(0)
        made.set_state(("MT19937", *block_of(one.words, one.count), int(one.has_spare), one.spare))
        return made


def stand_in_of(value: Any) -> StandIn | None:
    """Returns what stands for an object of `GENERATORS`; None if nothing does."""
    kinds = (OwnedGenerator, OwnedRandom, OwnedRandomState)
    try:
        return next(one for one in kinds if one.of is type(value)).like(value)
    except TypeError:
        return None


# Seeds.


@built(("seed", "value"), folds=False, takes_seed=True)
def _value_of(front: FrontEnd, seed: Term) -> Term:
    """The seed of a reset: an int, or None, where it is not known which."""
    otherwise = Refused("the seed of a reset is used", "draw from self.np_random")
    number = hidden(front, SEED, otherwise)
    assert isinstance(seed.type, Seed)
    if seed.type.given:
        return number
    is_given = hidden(front, SEEDED, otherwise)
    return front.branch(is_given.part, lambda: number, lambda: constant(None))


def _seed_with(front: FrontEnd, generator: Term, seed: Term, begin: Begin) -> None:
    """Seed a generator with an int, or with None by the environment's own entropy."""

    def of_option(one: Term) -> Term:
        if isinstance(one.type, Seed):
            return front.split(front.operate(("seed", "value"), one), of_option)
        if one.type == NONE:
            return begin(front, generator, _entropy(front))
        return begin(front, generator, _whole(front, one, generator.type))

    front.split(seed, of_option)


def _whole(front: FrontEnd, seed: Term, kind: Type) -> Term:
    """A seed that is a number, as an int."""
    if seed.known and isinstance(seed.value, int) and not -(2**63) <= seed.value < 2**63:
        raise Refused("a seed of more than 63 bits is not in the language", "seed it with a smaller int")
    number = front.materialized(seed)
    is_whole = isinstance(number.type, Number) and number.type.dtype.kind in "iu" and number.type.dtype != UINT64
    if not is_whole or (number.type != PYTHON[int] and isinstance(kind, Reference) and kind.of is OwnedRandom):
        raise Refused(f"a generator is seeded with {seed.type}", "seed it with an int, or with nothing")
    return integer(front.convert(number.part, INT64))


def _entropy(front: FrontEnd) -> Term:
    """The stream that the operating system has seeded."""
    shared = Refused("a generator without a seed begins anywhere", "seed it with an int")
    return Term(Stream(), (held_by(front, hidden(front, ENTROPY, shared))["words"].part,))


def _begin_stream(front: FrontEnd, generator: Term, seed: Term) -> Term:
    words = held_by(front, generator)["words"]
    front.writes(words)
    draws = front.draws
    if isinstance(seed.type, Stream):
        front.writes(held_by(front, hidden(front, ENTROPY, Refused("")))["words"])
        drawn = [streams.next64(front, seed.part) for _ in range(WORDS - 1)]
        drawn[2] = front.compute("or", drawn[2], streams.word(front, 1))
        seed_words.put(front, words.part, [*drawn, streams.word(front, 0)])
    else:
        front.raise_if(front.compare("lt", seed.part, front.number(0)), "ValueError")
        seed_words.start(front, words.part, seed.part)
    front.draws = draws
    return constant(None)


def _begin_twister(begin: Callable[[Any, int], None]) -> Begin:
    """What seeds a generator whose words are those of a `Twister`; it gets words anew, and the old ones stay."""

    def write(front: FrontEnd, generator: Term, seed: Term) -> Term:
        one = held_by(front, generator)["twister"]
        set_attribute_of(front, one, "words", arrays.new_plain(front, UINT32, (SIZE + 2,)))
        if not isinstance(seed.type, Stream):
            return front.call_function(begin, (one, seed), {})
        draws = front.draws
        front.writes(held_by(front, hidden(front, ENTROPY, Refused("")))["words"])
        front.call_function(_begin_anywhere, (one, seed), {})
        front.draws = draws
        return constant(None)

    return write


def _begin_anywhere(one: Twister, rng: np.random.Generator) -> None:
    one.begin(0)
    for k in range(SIZE):
        one.words[k] = int(rng.random() * 4294967296.0)


# Making.


def _made(front: FrontEnd, of: type[StandIn]) -> Term:
    """A generator that is not seeded."""
    if not issubclass(of, _OwnedTwister):
        words = arrays.new_plain(front, UINT64, (WORDS,))
        return front.allocate([constant(Keys(("words",))), words], of)
    begin = [constant(value) for value in vars(Twister()).values()]
    begin[0] = arrays.new_plain(front, UINT32, (SIZE + 2,))
    one = front.allocate([constant(Keys(vars(Twister()))), *begin], of.kind)
    return front.allocate([constant(Keys(("twister",))), one], of)


BEGINS: dict[type[StandIn], Begin] = {
    OwnedGenerator: _begin_stream,
    OwnedRandom: _begin_twister(random_module.begin),
    OwnedRandomState: _begin_twister(random_state.begin),
}


@built(np.random.default_rng, folds=False, takes_seed=True, takes_options=True)
def _default_rng(front: FrontEnd, seed: Term = MISSING) -> Term:
    if isinstance(seed.type, Stream) or (isinstance(seed.type, Reference) and seed.type.of is OwnedGenerator):
        return seed
    return _new(front, OwnedGenerator, seed)


def _new(front: FrontEnd, of: type[StandIn], seed: Term) -> Term:
    made = _made(front, of)
    _seed_with(front, made, seed, BEGINS[of])
    return made


@built(random.Random, folds=False, takes_seed=True, takes_options=True)
def _random(front: FrontEnd, x: Term = MISSING) -> Term:
    if not random_module.is_ours():
        raise Refused("the draws of `random` in this Python are not known to the bit", "draw from self.np_random")
    return _new(front, OwnedRandom, x)


@built(np.random.RandomState, folds=False, takes_seed=True, takes_options=True)
def _random_state(front: FrontEnd, seed: Term = MISSING) -> Term:
    return _new(front, OwnedRandomState, seed)


@built(seeding.np_random, folds=False, takes_seed=True, takes_options=True)
def _np_random(front: FrontEnd, seed: Term = MISSING) -> Term:
    """A generator and its seed; with that of the reset, it is seeded once it is known not to be the environment's."""
    if not isinstance(seed.type, Seed):
        made = _new(front, OwnedGenerator, seed)
    else:
        made = front.allocate([constant(Keys(("words",))), seed], OwnedGenerator)
    return tuple_of([made, constant(_Unread("the seed of a generator"))])


class _Unread:
    """What machine code has no use for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


def _ready(front: FrontEnd, generator: Term) -> Term:
    """A generator, seeded."""
    seed = held_by(front, generator)["words"] if generator.type.of is OwnedGenerator else MISSING  # type: ignore[attr-defined]
    if isinstance(seed.type, Seed):
        set_attribute_of(front, generator, "words", arrays.new_plain(front, UINT64, (WORDS,)))
        _seed_with(front, generator, seed, _begin_stream)
    return generator


for _of in BEGINS:
    built((_of, "kept"), folds=False)(_ready)


@built((Env.np_random, "set"), folds=False)
def _set_generator(front: FrontEnd, env: Term, value: Term) -> Term:
    own = held_by(front, env)[STREAM]
    if value == own and isinstance(value.type, Stream):
        return constant(None)
    held = held_by(front, value) if isinstance(value.type, Reference) and value.type.of is OwnedGenerator else {}
    seed = held.get("words", MISSING)
    if not isinstance(seed.type, Seed):
        raise Refused("another generator is assigned", "draw from self.np_random")
    seeded(front, seed)
    set_attribute_of(front, value, "words", constant(_Unread("a generator that is self.np_random")))
    return constant(None)


# Methods.


@contextmanager
def _drawing_from(front: FrontEnd, generator: Term) -> Iterator[Term]:
    """Let draws be from a generator; yields it as its methods take it."""
    _ready(front, generator)
    held = held_by(front, generator)
    before = front.hidden, set(front.drawn), front.draws
    front.writes(generator)
    try:
        if "words" not in held:
            name = RANDOM if generator.type.of is OwnedRandom else RANDOM_STATE  # type: ignore[attr-defined]
            front.hidden = {**(front.hidden or {}), name: held["twister"]}
            yield held["twister"]
        elif held["words"].known:
            raise Refused("a generator is used that is self.np_random", "draw from self.np_random")
        else:
            front.writes(held["words"])
            yield Term(Stream(), held["words"].parts)
    finally:
        front.hidden, front.drawn, front.draws = before


def _as_method(of: type[StandIn], name: str, called: Any) -> None:
    @built((of, name), folds=False)
    def build(front: FrontEnd, generator: Term, *terms: Term, **named: Term) -> Term:
        with _drawing_from(front, generator) as one:
            first = (one,) if of is OwnedGenerator else ()
            return front.operate(called, *first, *terms, **named)


for _name in dir(np.random.Generator):
    if not _name.startswith("_") and callable(getattr(np.random.Generator, _name)):
        _as_method(OwnedGenerator, _name, getattr(np.random.Generator, _name))
for _owned, _module in ((OwnedRandom, random), (OwnedRandomState, np.random)):
    for _name in dir(_owned.of):
        if not _name.startswith("_") and _name != "seed" and hasattr(_module, _name):
            _as_method(_owned, _name, getattr(_module, _name))


def _seeding(of: type[StandIn]) -> None:
    @built((of, "seed"), folds=False, takes_seed=True, takes_options=True)
    def build(front: FrontEnd, generator: Term, seed: Term = MISSING) -> Term:
        front.writes(generator)
        _seed_with(front, generator, seed, BEGINS[of])
        return constant(None)


_seeding(OwnedRandom)
_seeding(OwnedRandomState)
