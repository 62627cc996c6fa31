"""Plain environments whose methods call themselves, as deep as an episode needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.spaces import Box, Discrete, MultiDiscrete

SIZE = 7
HIDDEN, MINE = -1, 9


def distance(walls: Any, row: int, column: int, goal: tuple[int, int], left: int) -> int:
    """The steps of a shortest way, below `left`; it tries all ways."""
    if (row, column) == goal:
        return 0
    if left <= 0:
        return 99
    best = 99
    walls[row, column] = 2
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        if walls[row + dr, column + dc] == 0:
            best = min(best, 1 + distance(walls, row + dr, column + dc, goal, min(left, best) - 1))
    walls[row, column] = 0
    return best


class MinesEnv(Env[Any, Any]):
    """A field that opens around the place that is chosen, as far as no mine is near."""

    def __init__(self, mines: int = 6) -> None:
        self.mines = mines
        self.observation_space = Box(HIDDEN, MINE, (SIZE, SIZE), np.int64)
        self.action_space = MultiDiscrete([SIZE, SIZE])

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.seen = np.full((SIZE, SIZE), HIDDEN, np.int64)
        self.mined = np.zeros((SIZE, SIZE), dtype=bool)
        for _ in range(self.mines):
            self._lay()
        self.opened = self.deepest = 0
        return self.seen.copy(), {}

    def _lay(self) -> tuple[int, int]:
        row, column = int(self.np_random.integers(SIZE)), int(self.np_random.integers(SIZE))
        if self.mined[row, column]:
            return self._lay()
        self.mined[row, column] = True
        return row, column

    def _near(self, row: int, column: int) -> int:
        return int(self.mined[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2].sum())

    def _open(self, seen: Any, row: int, column: int, depth: int = 1) -> Any:
        self.opened += 1
        self.deepest = max(self.deepest, depth)
        seen[row, column] = self._near(row, column)
        if seen[row, column] > 0:
            return seen
        for r in range(row - 1, row + 2):
            for c in range(column - 1, column + 2):
                if (r, c) == (row, column) or not (0 <= r < SIZE and 0 <= c < SIZE):
                    continue
                if seen[r, c] == HIDDEN:
                    seen = self._open(seen, r, c, depth=depth + 1)
        return seen

    def step(self, action: Any) -> Any:
        row, column = int(action[0]), int(action[1])
        before = self.opened
        if self.mined[row, column]:
            self.seen[row, column] = MINE
            return self.seen.copy(), -1.0, True, False, {"deepest": self.deepest}
        if self.seen[row, column] == HIDDEN:
            self.seen = self._open(self.seen, row, column)
        is_won = self.opened == SIZE * SIZE - self.mines
        return self.seen.copy(), 0.1 * (self.opened - before), is_won, False, {"deepest": self.deepest}


class CaveEnv(Env[Any, Any]):
    """A maze that is dug at random, whose rooms are counted by a function in a method, and a goal that may move."""

    def __init__(self) -> None:
        self.observation_space = Box(-1, 99, (5,), np.float64)
        self.action_space = Discrete(4)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.walls = np.ones((SIZE, SIZE), np.int8)
        self.order: list[int] = []
        self._dig(1, 1)
        self.place = (1, 1)
        self.goal = (SIZE - 2, SIZE - 2)
        return self._seen(), {"dug": len(self.order)}

    def _dig(self, row: int, column: int) -> None:
        self.walls[row, column] = 0
        self.order.append(row * SIZE + column)
        ways = [(-2, 0), (2, 0), (0, -2), (0, 2)]
        self.np_random.shuffle(ways)
        for dr, dc in ways:
            r, c = row + dr, column + dc
            if 0 < r < SIZE - 1 and 0 < c < SIZE - 1 and self.walls[r, c] == 1:
                self.walls[row + dr // 2, column + dc // 2] = 0
                self._dig(r, c)

    def _rooms(self) -> tuple[int, int]:
        left = self.walls.copy()
        sizes = []

        def fill(row: int, column: int) -> int:
            if left[row, column] != 0:
                return 0
            left[row, column] = 1
            return 1 + sum([fill(row + dr, column + dc) for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1))])

        for row in range(SIZE):
            for column in range(SIZE):
                size = fill(row, column)
                if size > 0:
                    sizes.append(size)
        return len(sizes), max(sizes)

    def _seen(self) -> Any:
        way = distance(self.walls, self.place[0], self.place[1], self.goal, 12)
        return np.array([*self.place, way, *self._rooms()], np.float64)

    def _is_lucky(self, k: int) -> bool:
        return self.np_random.random() < 0.1 if k <= 0 else self._is_unlucky(k - 1)

    def _is_unlucky(self, k: int) -> bool:
        return not self._is_lucky(k - 2)

    def step(self, action: Any) -> Any:
        dr, dc = ((0, 1), (1, 0), (0, -1), (-1, 0))[action]
        row, column = self.place[0] + dr, self.place[1] + dc
        if self.walls[row, column] == 0:
            self.place = (row, column)
        elif 0 < row < SIZE - 1 and 0 < column < SIZE - 1 and self._is_lucky(int(self.np_random.integers(9))):
            self.walls[row, column] = 0
        terminated = self.place == self.goal
        return self._seen(), float(terminated), terminated, False, {}


class Leaf:
    """A node of a tree that is sorted by numbers."""

    def __init__(self, number: float) -> None:
        self.number = number
        self.low: Leaf | None = None
        self.high: Leaf | None = None

    def depth(self) -> int:
        low = self.low.depth() if self.low is not None else 0
        high = self.high.depth() if self.high is not None else 0
        return 1 + max(low, high)


class ThicketEnv(Env[Any, Any]):
    """A tree that grows, and is cut where it is too deep."""

    def __init__(self) -> None:
        self.observation_space = Box(0, 1e6, (3,), np.float64)
        self.action_space = Discrete(3)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.root = None
        self.count = 0
        for _ in range(3):
            self.root = self._put(self.root, float(self.np_random.random()))
        return self._seen(), {}

    def _put(self, leaf: Leaf | None, number: float) -> Leaf:
        if leaf is None:
            self.count += 1
            return Leaf(number)
        if number < leaf.number:
            leaf.low = self._put(leaf.low, number)
        else:
            leaf.high = self._put(leaf.high, number)
        return leaf

    def _total(self, leaf: Leaf | None, depth: int) -> float:
        if leaf is None:
            return 0.0
        if depth == 0:
            leaf.low = leaf.high = None
        return leaf.number * 0.5 + self._total(leaf.low, depth - 1) + self._total(leaf.high, depth - 1)

    def _seen(self) -> Any:
        return np.array([self._total(self.root, 6), self.root.depth(), self.count], np.float64)

    def step(self, action: Any) -> Any:
        for _ in range(int(action)):
            self.root = self._put(self.root, float(self.np_random.random()))
        return self._seen(), 0.0, self.count > 60, False, {}
