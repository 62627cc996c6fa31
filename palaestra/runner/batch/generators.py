"""The random streams of a batch, seeded like those of single environments, and their seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palaestra.runner.kernels.seeding import drawn_seeds, generator_at, row_of, seeded_rows


class Streams:
    """The streams in `rows`, shape (n, 5), seeded by the operating system unless they are seeded first."""

    def __init__(self, rows: NDArray[np.uint64]) -> None:
        self._rows = rows
        self._seeds: Sequence[int | None] = [None] * len(rows)
        self._unseeded = True  # whether any may be

    def seed(self, seeds: Sequence[int | None], mask: NDArray[np.bool_]) -> None:
        """Seed the rows of `mask` that are given a seed."""
        if isinstance(seeds, range) and mask.all():  # as a list it would take as much memory as the rows
            self._rows[:], self._seeds, self._unseeded = seeded_rows(seeds), seeds, False
            return
        rows = [i for i in np.flatnonzero(mask).tolist() if seeds[i] is not None]
        self._write(rows, [seed for i in rows if (seed := seeds[i]) is not None])

    def ready(self) -> None:
        """Seed the rows that were never seeded."""
        if self._unseeded:
            rows = [i for i, seed in enumerate(self._seeds) if seed is None]
            self._write(rows, drawn_seeds(len(rows)))
            self._unseeded = False

    def seeds(self) -> tuple[int | None, ...]:
        """Returns each row's seed; -1 for a generator that was assigned without one."""
        self.ready()
        return tuple(self._seeds)

    def seed_of(self, i: int) -> int | None:
        """Returns the seed of row i."""
        self.ready()
        return self._seeds[i]

    def generator(self, i: int) -> np.random.Generator:
        """Returns a generator for the row's next numbers; the row itself does not advance."""
        self.ready()
        return generator_at(self._rows[i])

    def assign(self, i: int, generator: Any, seed: int | None = -1) -> None:
        """Let row i continue from a generator, with its seed if known.

        Raises:
            ValueError: If it is not a PCG64 generator.
        """
        self._rows[i] = row_of(generator.bit_generator)
        self._each_seed()[i] = seed

    def copy(self, source: int, rows: NDArray[np.int64] | slice) -> None:
        """Let some rows, or all, go on where another is, and have its seed."""
        self.ready()
        self._rows[rows] = self._rows[source].copy()
        seed = self._seeds[source]
        if isinstance(rows, slice):
            self._seeds = [seed] * len(self._rows)
            return
        known = self._each_seed()
        for i in rows.tolist():
            known[i] = seed

    def reseed(self, rows: list[int], seeds: list[int]) -> None:
        """Seed some rows."""
        self._write(rows, seeds)

    def put(self, rows: NDArray[np.uint64], seeds: list[int | None]) -> None:
        """Let all rows go on where others of these seeds are."""
        self._rows[:] = rows
        self._seeds, self._unseeded = list(seeds), False

    def _write(self, rows: list[int], seeds: list[int]) -> None:
        if rows:
            self._rows[rows] = seeded_rows(seeds)
            known = self._each_seed()
            for i, seed in zip(rows, seeds, strict=True):
                known[i] = seed

    def _each_seed(self) -> list[int | None]:
        """Returns the seeds as a list that may be modified."""
        if not isinstance(self._seeds, list):
            self._seeds = list(self._seeds)
        return self._seeds
