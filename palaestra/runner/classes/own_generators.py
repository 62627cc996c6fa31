"""Generators that an environment has of its own, in the place of those that the whole process has.

In columns they are a `Twister`. Where Python runs the class, the process's own are exchanged for them meanwhile.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gymnasium.core import Env, Wrapper
from gymnasium.functional.stream_rows import WORDS
from palaestra.language.frontend.hidden import ENTROPY, RANDOM, RANDOM_STATE, SEED, SEEDED
from palaestra.language.operations.twister import ARRAY_SEED, SIZE, UPPER, Twister, Words, block_of, words_of
from palaestra.runner.kernels.seeding import drawn_seeds, seeded_rows

RANDOMS = {RANDOM: "random", RANDOM_STATE: "np.random"}
"""The generators, with the modules whose functions draw from them."""
WORD = 0xFFFFFFFF
MANY = 64  # seeds, from which on it is faster to seed them together


def new(name: str) -> Any:
    """Returns one of `HIDDEN`, not seeded."""
    if name == RANDOM:
        from palaestra.language.operations.random_module import OwnRandom  # late, as it is rarely needed

        return OwnRandom()
    if name == RANDOM_STATE:
        from palaestra.language.operations.random_state import OwnRandomState

        return OwnRandomState()
    if name == ENTROPY:
        from palaestra.language.operations.generators import OwnedGenerator

        return OwnedGenerator(np.zeros(WORDS, np.uint64))
    return 0 if name == SEED else False


def waiting_seed(env: Env[Any, Any]) -> int | None:
    """Returns the seed of an environment's next reset, if it has one and reads it."""
    held = vars(env)
    return int(held[SEED]) if held.get(SEEDED) and SEED in held else None


# Of the process.


@contextmanager
def process_kept() -> Iterator[None]:
    """Let the process's generators be behind this as they were before it."""
    before = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])


def seed_process(seed: int) -> None:
    """Seed the process's generators."""
    random.seed(seed)
    np.random.seed(seed & WORD)


@contextmanager
def own_kept(env: Env[Any, Any]) -> Iterator[None]:
    """Let the process's generators be an environment's own meanwhile, if it has some; seeding with None is nothing."""
    held = {name: vars(env)[name] for name in RANDOMS if name in vars(env)}
    if not held:
        yield
        return
    with process_kept(), _going_on():
        for name, one in held.items():
            _use(name, one)
        try:
            yield
        finally:
            for name, one in held.items():
                _keep(name, one)


def _use(name: str, one: Twister) -> None:
    block, drawn = block_of(one.words, one.count)
    if name == RANDOM:
        random.setstate((3, (*block.tolist(), drawn), one.spare if one.has_spare else None))
    else:
        np.random.set_state(("MT19937", block, drawn, int(one.has_spare), one.spare))


def _keep(name: str, one: Twister) -> None:
    spare: Any
    if name == RANDOM:
        _, (*block, one.count), spare = random.getstate()
    else:
        state: Any = np.random.get_state()
        _, block, one.count, has_spare, spare = state
        spare = spare if has_spare else None
    one.words, one.place = words_of(block), one.count % SIZE
    one.spare, one.has_spare = 0.0 if spare is None else spare, spare is not None


@contextmanager
def _going_on() -> Iterator[None]:
    """Let seeding with None, which takes a seed from the operating system, be nothing."""
    modules: tuple[Any, ...] = random, np.random
    before = [one.seed for one in modules]
    for one, seed in zip(modules, before, strict=True):
        one.seed = _unless_none(seed)
    try:
        yield
    finally:
        for one, seed in zip(modules, before, strict=True):
            one.seed = seed


def _unless_none(seed: Any) -> Any:
    def seeded(value: Any = None, *rest: Any, **named: Any) -> None:
        if value is not None or named:
            seed(value, *rest, **named)

    return seeded


class _Alone(Wrapper[Any, Any, Any, Any]):
    """An environment in Python with generators of its own."""

    def __init__(self, env: Env[Any, Any], names: Collection[str]) -> None:
        super().__init__(env)
        self._own = {name: new(name) for name in names if name in RANDOMS}
        vars(self.env.unwrapped).update(self._own)
        for name, one in self._own.items():
            one.words = seeded_words(name, None)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """See `Env.reset`."""
        for name, one in self._own.items() if seed is not None else ():
            taken = seed if seed is None or name == RANDOM else seed & WORD
            vars(one).update(vars(new(name)), words=seeded_words(name, taken))
        with own_kept(self.env.unwrapped):
            return self.env.reset(seed=seed, options=options)

    def step(self, action: Any) -> Any:
        """See `Env.step`."""
        with own_kept(self.env.unwrapped):
            return self.env.step(action)

    def render(self) -> Any:
        """See `Env.render`."""
        with own_kept(self.env.unwrapped):
            return self.env.render()


def made_with_own(make: Callable[[], Env[Any, Any]]) -> Env[Any, Any]:
    """Make an environment that has generators of its own in the place of all that the process has."""
    return with_own(make(), RANDOMS)


def with_own(env: Env[Any, Any], names: Collection[str]) -> Env[Any, Any]:
    """Returns an environment with generators of its own, of these names."""
    return _Alone(env, names) if {*names} & RANDOMS.keys() else env


# Of a batch.


def seed_rows(name: str, columns: Sequence[NDArray[Any]], seeds: Sequence[int | None], mask: NDArray[np.bool_]) -> None:
    """Seed one of `HIDDEN` in the rows of a mask that are given a seed, and in those that were never seeded.

    Args:
        name: Its name.
        columns: Those of its attributes, in their order.
        seeds: The seed of each row.
        mask: The rows that are reset.

    Raises:
        ValueError: If NumPy does not take a seed: it is below 2**32; or if a class reads one that has 64 bits.
    """
    asked = [i for i in np.flatnonzero(mask).tolist() if seeds[i] is not None]
    if name == ENTROPY:
        begin_anywhere(columns)
        return
    if name == SEED:
        columns[0][asked] = [_fitting(seeds[i]) for i in asked]
        return
    if name not in RANDOMS:
        columns[0][:] = False
        columns[0][asked] = True
        return
    given = [seed for i in asked if (seed := seeds[i]) is not None]
    drawn = [seeded_words(name, seed) for seed in given] if len(given) < MANY else words_of_many(name, given)
    words, *others = columns
    begin = [*vars(new(name)).values()][1:]
    if asked:
        words[asked] = drawn
        for column, value in zip(others, begin, strict=True):
            column[asked] = value
    left = np.flatnonzero(~words[:, :2].any(axis=1))
    words[left, :SIZE] = _drawn(len(left), SIZE)
    fill_unused(columns)


def fill_unused(columns: Sequence[NDArray[Any]]) -> None:
    """Let unused lanes have a generator: they draw, too."""
    for column in columns:
        whole: Any = column.base
        whole[len(column) :] = whole[0]


def begin_anywhere(columns: Sequence[NDArray[Any]]) -> None:
    """Let generators that were never seeded begin from the operating system; the first column has their words."""
    words = columns[0]
    if words.dtype == np.uint64:
        left = np.flatnonzero(~words.any(axis=1))
        words[left] = seeded_rows(drawn_seeds(len(left))) if len(left) else 0
    else:
        words[:, :SIZE] = _drawn(len(words), SIZE)
    fill_unused(columns)


def _fitting(seed: int | None) -> int:
    if seed is None or seed >= 2**63:
        raise ValueError(f"a class that reads its seed takes seeds below 2**63 in a compiled batch, not {seed}")
    return seed


def seeded_words(name: str, seed: int | None) -> Words:
    """Returns the words of a generator that is seeded, by the operating system if the seed is None."""
    if seed is None:
        return words_of(_drawn(SIZE))
    if name == RANDOM:
        return words_of(random.Random(seed).getstate()[1][:SIZE])
    generator = _seeding()
    generator.seed(seed)
    state: Any = generator.get_state()
    return words_of(state[1])


def words_of_many(name: str, seeds: Sequence[int]) -> Words:
    """Returns the words of many generators that are seeded together, shape (n, 626)."""
    if max(seeds) > WORD:
        return np.stack([seeded_words(name, seed) for seed in seeds])
    each = np.array(seeds, np.uint64)
    value: Any = each if name == RANDOM_STATE else np.full_like(each, ARRAY_SEED)
    words = np.zeros((SIZE + 2, len(each)), np.uint64)
    for k in range(SIZE):
        words[k] = value
        value = (value ^ value >> 30) * 1812433253 + (k + 1) & WORD
    if name == RANDOM:
        before = words[0]
        for turn in range(2 * SIZE - 1):
            i = turn % (SIZE - 1) + 1
            factor, more = (1664525, each) if turn < SIZE else (1566083941, np.uint64(-i & WORD))
            before = (words[i] ^ (before ^ before >> 30) * factor) + more & WORD
            words[i] = before
        words[0] = UPPER
    words[SIZE] = SIZE
    return np.ascontiguousarray(words.T, np.uint32)


def _drawn(*shape: int) -> Words:
    """Returns words from the operating system."""
    return np.random.default_rng().integers(WORD, size=shape, dtype=np.uint32, endpoint=True)


@cache
def _seeding() -> np.random.RandomState:
    """A generator to be seeded, which is made once, since making one is slow."""
    return np.random.RandomState(0)
