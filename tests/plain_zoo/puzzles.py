"""Puzzles on boards, as their authors wrote them."""

import numpy as np

import gymnasium
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete


class LightsOutEnv(gymnasium.Env):
    """Press a lamp: it and its neighbours toggle."""

    def __init__(self, size=4, presses=5):
        self.size = size
        self.presses = presses
        self.action_space = Discrete(size * size)
        self.observation_space = MultiBinary([size, size])

    def _toggle(self, r, c):
        for dr, dc in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            rr, cc = r + dr, c + dc
            if 0 <= rr < self.size and 0 <= cc < self.size:
                self.grid[rr, cc] ^= 1

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.grid = np.zeros((self.size, self.size), dtype=np.int8)
        for _ in range(self.presses):
            self._toggle(*divmod(int(self.np_random.integers(self.size**2)), self.size))
        self.moves = 0
        return self.grid.copy(), {"lit": int(self.grid.sum())}

    def step(self, action):
        self._toggle(action // self.size, action % self.size)
        self.moves += 1
        solved = not self.grid.any()
        reward = 10.0 if solved else -float(self.grid.sum()) / self.grid.size
        return self.grid.copy(), reward, solved, self.moves >= 30, {"lit": int(self.grid.sum())}


class MinesEnv(gymnasium.Env):
    """Minesweeper without the flood."""

    HIDDEN = -1

    def __init__(self, rows=5, cols=6, mines=5):
        self.rows = rows
        self.cols = cols
        self.mines = mines
        self.action_space = MultiDiscrete([rows, cols])
        self.observation_space = Box(-1, 8, (rows, cols), np.int8)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        cells = self.np_random.permutation(self.rows * self.cols)
        self.board = np.zeros(self.rows * self.cols, dtype=bool)
        self.board[cells[: self.mines]] = True
        self.board = self.board.reshape(self.rows, self.cols)
        self.view = np.full((self.rows, self.cols), self.HIDDEN, dtype=np.int8)
        return self.view.copy(), {}

    def count(self, r, c):
        n = 0
        for i in range(max(0, r - 1), min(self.rows, r + 2)):
            for j in range(max(0, c - 1), min(self.cols, c + 2)):
                n += int(self.board[i, j])
        return n

    def step(self, action):
        r, c = action
        if self.view[r, c] != self.HIDDEN:
            return self.view.copy(), -0.5, False, False, {"wasted": True}
        if self.board[r, c]:
            return self.view.copy(), -1.0, True, False, {"wasted": False}
        self.view[r, c] = self.count(r, c)
        left = np.count_nonzero(self.view == self.HIDDEN)
        won = left == self.mines
        return self.view.copy(), 1.0 if won else 0.1, bool(won), False, {"wasted": False}


class CratesEnv(gymnasium.Env):
    """Push crates onto targets."""

    WALL, FLOOR, TARGET = 1, 0, 2
    LEVEL = np.array(
        [
            [1, 1, 1, 1, 1, 1, 1],
            [1, 0, 0, 0, 0, 0, 1],
            [1, 0, 0, 0, 2, 0, 1],
            [1, 0, 0, 1, 0, 0, 1],
            [1, 0, 2, 0, 0, 0, 1],
            [1, 1, 1, 1, 1, 1, 1],
        ],
        dtype=np.uint8,
    )

    def __init__(self, time_limit=60):
        self.time_limit = time_limit
        self.action_space = Discrete(4)
        self.observation_space = Dict(
            {"room": Box(0, 4, self.LEVEL.shape, np.uint8), "steps": Box(0, time_limit, (1,), np.int32)}
        )
        self.player = None
        self.crates = None

    def _observation(self):
        room = self.LEVEL.copy()
        for r, c in self.crates:
            room[r, c] = 3
        room[self.player[0], self.player[1]] = 4
        return {"room": room, "steps": np.array([self.steps], dtype=np.int32)}

    def _crate_at(self, cell):
        for k in range(len(self.crates)):
            if self.crates[k, 0] == cell[0] and self.crates[k, 1] == cell[1]:
                return k
        return -1

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.player = np.array([1, 1 + self.np_random.integers(0, 4)])
        self.crates = np.array([[2, 2], [3, 4]])
        if self.np_random.random() < 0.5:
            self.crates[0] = (2, 3)
        self.steps = 0
        return self._observation(), {}

    def step(self, action):
        delta = np.array([(-1, 0), (1, 0), (0, -1), (0, 1)][action])
        self.steps += 1
        new = self.player + delta
        if self.LEVEL[tuple(new)] != self.WALL:
            k = self._crate_at(new)
            if k < 0:
                self.player = new
            else:
                beyond = new + delta
                if self.LEVEL[beyond[0], beyond[1]] != self.WALL and self._crate_at(beyond) == -1:
                    self.crates[k] = beyond
                    self.player = new
        on_target = sum(int(self.LEVEL[r, c] == self.TARGET) for r, c in self.crates)
        done = on_target == len(self.crates)
        reward = on_target * 0.1 + (10 if done else 0)
        return self._observation(), reward, done, self.steps >= self.time_limit, {"on_target": on_target}


class TwentyFortyEightEnv(gymnasium.Env):
    """2048: slide, merge, spawn."""

    def __init__(self):
        self.action_space = Discrete(4)
        self.observation_space = Box(0, 17, (4, 4), dtype=np.uint8)
        self.board = np.zeros((4, 4), dtype=np.uint8)

    def _spawn(self):
        empty = np.flatnonzero(self.board == 0)
        if len(empty) == 0:
            return
        cell = empty[self.np_random.integers(len(empty))]
        self.board[cell // 4, cell % 4] = 1 if self.np_random.random() < 0.9 else 2

    def _merge_row(self, row):
        out = np.zeros(4, dtype=np.uint8)
        gained, k, last = 0, 0, 0
        for value in row:
            if value == 0:
                continue
            if value == last:
                out[k - 1] = value + 1
                gained += 2 ** (int(value) + 1)
                last = 0
            else:
                out[k] = value
                last = value
                k += 1
        return out, gained

    def _slide(self, action):
        board = np.rot90(self.board, action)
        result = np.zeros((4, 4), dtype=np.uint8)
        total = 0
        for i in range(4):
            row, gained = self._merge_row(board[i])
            result[i] = row
            total += gained
        return np.rot90(result, -action), total

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.board[:] = 0
        self._spawn()
        self._spawn()
        self.score = 0
        return self.board.copy(), {"score": 0}

    def step(self, action):
        board, gained = self._slide(action)
        moved = not np.array_equal(board, self.board)
        if moved:
            self.board = board
            self._spawn()
        self.score += gained
        done = True
        for a in range(4):
            if not np.array_equal(self._slide(a)[0], self.board):
                done = False
                break
        return self.board.copy(), float(gained) if moved else -1.0, done, False, {"score": self.score}


class CodeBreakerEnv(gymnasium.Env):
    """Guess a hidden code; the answer counts exact and misplaced pegs."""

    def __init__(self, pegs=3, colors=4, tries=8):
        self.pegs, self.colors, self.tries = pegs, colors, tries
        self.action_space = MultiDiscrete([colors] * pegs)
        self.observation_space = Box(-1, max(pegs, colors), (tries, pegs + 2), dtype=np.int32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.code = self.np_random.integers(0, self.colors, size=self.pegs)
        self.history = -np.ones((self.tries, self.pegs + 2), dtype=np.int32)
        self.turn = 0
        return self.history.copy(), {"code": self.code.copy()}

    def feedback(self, guess):
        exact = int(np.sum(guess == self.code))
        common = 0
        for color in range(self.colors):
            common += min(np.count_nonzero(guess == color), np.count_nonzero(self.code == color))
        return exact, int(common) - exact

    def step(self, guess):
        exact, misplaced = self.feedback(guess)
        self.history[self.turn, : self.pegs] = guess
        self.history[self.turn, self.pegs] = exact
        self.history[self.turn, -1] = misplaced
        self.turn += 1
        solved = exact == self.pegs
        return self.history.copy(), float(solved), solved, self.turn == self.tries, {"code": self.code.copy()}


class SlidingTilesEnv(gymnasium.Env):
    """The eight puzzle on a flat list."""

    def __init__(self, scramble=12):
        self.scramble = scramble
        self.action_space = Discrete(4)
        self.observation_space = Box(0, 8, (9,), np.int64)
        self.tiles = [1, 2, 3, 4, 5, 6, 7, 8, 0]
        self.blank = 8

    def _move(self, action):
        row, col = divmod(self.blank, 3)
        if action == 0 and row > 0:
            other = self.blank - 3
        elif action == 1 and row < 2:
            other = self.blank + 3
        elif action == 2 and col > 0:
            other = self.blank - 1
        elif action == 3 and col < 2:
            other = self.blank + 1
        else:
            return False
        self.tiles[self.blank], self.tiles[other] = self.tiles[other], self.tiles[self.blank]
        self.blank = other
        return True

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.tiles = [1, 2, 3, 4, 5, 6, 7, 8, 0]
        self.blank = 8
        for _ in range(self.scramble):
            self._move(int(self.np_random.integers(4)))
        return np.array(self.tiles), {}

    def step(self, action):
        moved = self._move(action)
        misplaced = 0
        for i, tile in enumerate(self.tiles):
            if tile != 0 and tile != i + 1:
                misplaced += 1
        return np.array(self.tiles), -misplaced - (0 if moved else 1), misplaced == 0, False, {"blank": self.blank}
