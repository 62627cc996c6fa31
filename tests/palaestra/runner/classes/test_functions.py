"""Functions of all kinds: with `yield`, special methods of objects, partials, getters, and functions with a cache."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.plain_zoo.duel import assert_same_episodes


class Base(gymnasium.Env[Any, Any]):
    """A number that `move` adds to, and a place to draw from."""

    observation_space = Box(-np.inf, np.inf, (2,), np.float64)
    action_space = Discrete(3)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.t, self.x, self.waiting = 0, float(self.np_random.random()), [1]
        self.grid = np.zeros((4, 4), np.int64)
        self.begin()
        return np.array([self.x, self.t]), {}

    def step(self, action: Any) -> Any:
        self.t += 1
        reward = float(self.move(int(action)))
        return np.array([self.x, self.grid.sum()]), reward, self.t > 20, False, {}

    def begin(self) -> None:
        """Nothing more."""

    def move(self, action: int) -> Any:
        raise NotImplementedError

    def numbers(self, n: int) -> Iterator[int]:
        for k in range(n):
            yield k * self.t


class NeighboursEnv(Base):
    """The body of the loop changes what the generator reads, leaves it early, and goes on."""

    def near(self, row: int, column: int) -> Iterator[tuple[int, int]]:
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            r, c = row + down, column + right
            if 0 <= r < 4 and 0 <= c < 4 and self.grid[r, c] < 5:
                yield r, c

    def move(self, action: int) -> Any:
        n = 0
        for r, c in self.near(action, self.t % 4):
            if self.grid[r, c] > 2:
                break
            if (r + c) % 2:
                continue
            self.grid[r, c] += 1
            self.grid[(r + 1) % 4] += action
            n += self.grid[r, c]
        else:
            n += 100
        return n


class QueueEnv(Base):
    """What is behind the last `yield` runs if the loop gets there; draws of both sides alternate."""

    def drain(self) -> Iterator[int]:
        while self.waiting:
            self.x += self.np_random.random()
            yield self.waiting.pop()
        self.x += 1

    def move(self, action: int) -> Any:
        self.waiting.append(action)
        if action == 2:
            self.waiting.append(7)
        total = 0.0
        for k, v in enumerate(self.drain(), 1):
            total = total * 3 + v * k + self.np_random.random()
            if v == 7:
                self.waiting.append(1)
            if total > 60:
                break
        return total


class NestedEnv(Base):
    """Generators in generators, returns on both sides, and all that reads their items at once."""

    def outer(self, n: int) -> Iterator[int]:
        yield -1
        yield from self.numbers(n)
        for k in self.numbers(2):
            if k > 15:
                return
            yield k + 100

    def pairs(self, items: Any) -> Iterator[tuple[int, int]]:
        last = None
        for item in items:
            if last is not None:
                yield last, item
            last = item

    def first_above(self, least: int) -> int:
        for v in self.outer(least):
            for p, q in self.pairs((v, least, self.t)):
                if p + q > 50:
                    return p
        return -1

    def move(self, action: int) -> Any:
        total = sum(k * k for k in self.numbers(action + 2)) + max(self.outer(2)) + len([*self.outer(action)])
        total += any(self.visit(k) > 8 for k in self.numbers(4)) + {k: 1 for k in self.numbers(3)}[0]
        for k, v in enumerate(self.numbers(3), start=action):
            total += k * v + max(range(3), key=lambda i: (i - action) ** 2)
        return total + self.first_above(action) + sum([self.visit(k) for k in self.numbers(2)])

    def visit(self, k: int) -> int:
        self.x += k
        return k


class Span:
    """A row of numbers with most special methods."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, k: int) -> float:
        return (self.low, self.high)[k]

    def __setitem__(self, k: int, value: float) -> None:
        if k:
            self.high = value
        else:
            self.low = value

    def __contains__(self, x: float) -> int:
        return 1 if self.low <= x <= self.high else 0

    def __neg__(self) -> Span:
        return Span(-self.high, -self.low)

    def __abs__(self) -> float:
        return self.high - self.low

    def __float__(self) -> float:
        return self.low


class Count:
    """An iterable whose method yields."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __iter__(self) -> Iterator[int]:
        for k in range(self.n):
            yield 2 * k


class SpecialEnv(Base):
    """Objects that are read, written, measured and run over as their classes say."""

    def begin(self) -> None:
        self.span, self.count = Span(self.x, 2.0), Count(3)

    def move(self, action: int) -> Any:
        low, high = self.span
        self.span[action % 2] = low + action
        total = high + self.span[-1] + len(self.span) + sum(self.span) + abs(-self.span) + float(self.span)
        for x in self.span:
            total = total * 0.5 + x
        self.count.n = action + 1
        for k in self.count:
            total += k
        return total + (1.5 in self.span) * 10 + list(self.count)[-1]


raised = functools.partial(pow, 2)


@functools.cache
def distance(r: int, c: int) -> tuple[int, float]:
    return r + c, (r * r + c * c) ** 0.5


class MadeOfOthersEnv(Base):
    """Partials, getters, names of attributes, and a function with a cache."""

    swapped = staticmethod(operator.itemgetter(1, 0))

    def weighed(self, x: int, y: int, k: int = 0) -> int:
        return x * 10 + y + k * self.t

    def move(self, action: int) -> Any:
        weigh = functools.partial(self.weighed, 3, k=action)
        best = max([(1, 3), (action, 4), (2, action)], key=operator.itemgetter(1))
        for name in ("x", "t"):
            setattr(self, name, getattr(self, name) + 1)
        far = distance(action, self.t % 4)[1]
        return weigh(2) + raised(action) + best[0] + self.swapped((4, action))[0] + operator.attrgetter("t")(self) + far


@pytest.mark.parametrize("kind", [NeighboursEnv, QueueEnv, NestedEnv, SpecialEnv, MadeOfOthersEnv])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_functions_do_what_they_do_in_python(kind: type[Base], mode: Any) -> None:
    ours, theirs = PlainVectorEnv(kind, 3, autoreset_mode=mode), SyncVectorEnv([kind] * 3, autoreset_mode=mode)
    assert_same_episodes(ours, theirs, 5, 60)


class KeptEnv(Base):
    """A generator with a name."""

    def move(self, action: int) -> Any:
        numbers = self.numbers(3)
        return next(numbers) + next(numbers)


class TriedEnv(Base):
    """A generator would catch what the body of the loop does not raise in it."""

    def careful(self, n: int) -> Iterator[float]:
        try:
            yield 1 / n
        except ZeroDivisionError:
            yield 0.0

    def move(self, action: int) -> Any:
        return sum(self.careful(action))


class LateEnv(Base):
    """Not all items are read."""

    def move(self, action: int) -> Any:
        return any(self.numbers(action)) + sum(a * b for a, b in zip(self.numbers(2), self.numbers(3), strict=False))


@functools.cache
def drawn(k: int) -> float:
    return float(np.random.random()) + k


@functools.cache
def pair(k: int) -> list[int]:
    return [k, k]


@functools.cache
def doubled(x: float) -> float:
    return 2 * x


class DrawnOnceEnv(Base):
    """A function with a cache that draws."""

    def move(self, action: int) -> Any:
        return drawn(action)


class SharedListEnv(Base):
    """A function with a cache whose list is changed."""

    def move(self, action: int) -> Any:
        pair(action)[0] += 1
        return pair(action)[0]


class AlikeEnv(Base):
    """To the cache, 1 and 1.0 are one."""

    def move(self, action: int) -> Any:
        return doubled(action) + doubled(self.x)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (KeptEnv, "a generator is kept, whose items can be read only once"),
        (TriedEnv, "a `yield` within a `try`"),
        (LateEnv, "a generator computes its items one by one, when they are read"),
        (DrawnOnceEnv, "a function with a cache changes, draws or returns what may be changed"),
        (SharedListEnv, "a function with a cache changes, draws or returns what may be changed"),
        (AlikeEnv, "a function with a cache is called with arguments of several types"),
    ],
)
def test_what_would_differ_is_refused(kind: type[Base], reason: str) -> None:
    with pytest.raises(CannotCompile, match=reason):
        PlainVectorEnv(kind, 1)
