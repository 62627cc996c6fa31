"""Steps of one environment: as Python, or as machine code. Either can continue from the other at any step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any, Protocol

import numpy as np

from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._stepping.layout import AFTER, BEFORE, ENDED, PHASES, SKIPPED, WHOLE, address
from gymnasium.envs.box2d._stepping.program import Kernel


class Stepper(Protocol):
    """Steps an environment, whole or in parts, between which the caller steps the world."""

    def whole(self, *move: float) -> tuple[float, bool]:
        """Act, and simulate; returns the reward, and whether the task is over."""

    def before(self, *move: float) -> None:
        """Act."""

    def after(self) -> tuple[float, bool]:
        """Observe; returns the reward, and whether the task is over."""


class PythonStepper:
    """Steps by the bindings.

    Args:
        world: The world.
        before: Acts.
        after: Observes.
    """

    def __init__(
        self, world: engine.World, before: Callable[..., None], after: Callable[[], tuple[float, bool]]
    ) -> None:
        self._world, self.before, self.after = world, before, after

    def whole(self, *move: float) -> tuple[float, bool]:
        """Act, and simulate."""
        self.before(*move)
        engine.advance(self._world)
        return self.after()


class Call:
    """A call of a kernel for n environments, with the memory of their rows.

    Args:
        kernel: The kernel, None if it is not known yet.
        n: The number of environments.
        width: How many numbers an action has.
        size: How many numbers an observation has; 0 if it is not wanted here.

    Attributes:
        words: The argument of the kernel.
        table: Addresses of the environments' words; 0 for one that is to be left out. Shape (n,).
        moves: Their actions, float64, shape (n, width).
        observations: float32, shape (n, size).
        rewards: float64, shape (n,).
        results: One of those of `layout` each; uint8, shape (n,).
    """

    def __init__(self, kernel: Kernel | None, n: int, width: int, size: int) -> None:
        self.kernel = kernel
        self.table = np.zeros(n, np.int64)
        self.moves = np.zeros((n, width))
        self.observations = np.zeros((n, size), np.float32)
        self.rewards = np.zeros(n)
        self.results = np.zeros(n, np.uint8)
        rows: list[np.ndarray] = [self.table, self.moves, self.observations, self.rewards, self.results]
        addresses = [address(row) if row.size else 0 for row in rows]
        self.words = np.array([n, WHOLE, *addresses], np.int64)


class MachineStepper:
    """Steps by a kernel, and the world by the bindings if somebody replaced its listener or filter.

    Args:
        kernel: The kernel.
        width: How many numbers an action has.
        words: How many words it has.
    """

    def __init__(self, kernel: Kernel, width: int, words: int) -> None:
        call = self._call = Call(kernel, 1, width, 0)
        self.kernel, self._run_kernel, self._arguments = kernel, kernel.call, call.words
        self._moves, self._pack = call.moves.data.cast("B"), Struct(f"{width}d").pack_into
        self._phases, self._rewards, self._results = call.words.data[PHASES:], call.rewards.data, call.results.data
        self._words, self._pack_words = np.zeros(words, np.int64), Struct(f"{words}q").pack_into
        self.address = call.table[0] = address(self._words)
        self.world: engine.World = None
        self._kept: Any = None

    def board(self, world: engine.World, words: Sequence[int], kept: Any) -> None:
        """Step this world from now on.

        Args:
            world: The world.
            words: The environment's words.
            kept: The memory at these addresses.
        """
        self._pack_words(self._words.data, 0, *words)
        self.world, self._kept = world, kept

    def whole(self, *move: float) -> tuple[float, bool]:
        """Act, and simulate."""
        self._pack(self._moves, 0, *move)
        self._run(WHOLE)
        result = self._results[0]
        if result != SKIPPED:
            return self._rewards[0], result == ENDED
        self._run(BEFORE)
        engine.advance(self.world)
        return self.after()

    def before(self, *move: float) -> None:
        """Act."""
        self._pack(self._moves, 0, *move)
        self._run(BEFORE)

    def after(self) -> tuple[float, bool]:
        """Observe."""
        self._run(AFTER)
        return self._rewards[0], self._results[0] == ENDED

    def _run(self, phases: int) -> None:
        self._phases[0] = phases
        failure = self._run_kernel(self._arguments)
        if failure:
            raise self.kernel.error(failure)
