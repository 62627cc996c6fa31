"""Worlds of cells, as their authors wrote them."""

# ruff: noqa: RUF059, SIM103, UP045

from __future__ import annotations

from typing import Any, Optional

import numpy as np

import gymnasium as gym
from gymnasium import spaces


class RoomEnv(gym.Env):
    """A square room; the observation is a dict."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}

    def __init__(self, render_mode: Optional[str] = None, size: int = 5):
        self.size = size
        self.window_size = 64
        self.observation_space = spaces.Dict(
            {
                "agent": spaces.Box(0, size - 1, shape=(2,), dtype=int),
                "target": spaces.Box(0, size - 1, shape=(2,), dtype=int),
            }
        )
        self._agent_location = np.array([-1, -1], dtype=int)
        self._target_location = np.array([-1, -1], dtype=int)
        self.action_space = spaces.Discrete(4)
        self._action_to_direction = {
            0: np.array([1, 0]),
            1: np.array([0, 1]),
            2: np.array([-1, 0]),
            3: np.array([0, -1]),
        }
        assert render_mode is None or render_mode in self.metadata["render_modes"]
        self.render_mode = render_mode

    def _get_obs(self):
        return {"agent": self._agent_location, "target": self._target_location.copy()}

    def _get_info(self):
        return {"distance": np.linalg.norm(self._agent_location - self._target_location, ord=1)}

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None):
        super().reset(seed=seed)
        self._agent_location = self.np_random.integers(0, self.size, size=2, dtype=int)
        self._target_location = self._agent_location
        while np.array_equal(self._target_location, self._agent_location):
            self._target_location = self.np_random.integers(0, self.size, size=2, dtype=int)
        return self._get_obs(), self._get_info()

    def step(self, action):
        direction = self._action_to_direction[int(action)]
        self._agent_location = np.clip(self._agent_location + direction, 0, self.size - 1)
        terminated = np.array_equal(self._agent_location, self._target_location)
        reward = 1 if terminated else 0
        return self._get_obs(), reward, terminated, False, self._get_info()

    def render(self):
        canvas = np.full((self.window_size, self.window_size, 3), 255, np.uint8)
        cell = self.window_size // self.size
        row, column = self._agent_location * cell
        canvas[row : row + cell, column : column + cell] = (0, 0, 255)
        return canvas


MAZE = [
    "##########",
    "#S...#...#",
    "#.##.#.#.#",
    "#.#....#.#",
    "#.#.####.#",
    "#........#",
    "####.###.#",
    "#....#..G#",
    "##########",
]


class MazeEnv(gym.Env):
    """A map of text, made into an array once."""

    UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3

    def __init__(self, layout=MAZE):
        super().__init__()
        self.walls = np.array([[char == "#" for char in row] for row in layout])
        self.start = next((r, row.index("S")) for r, row in enumerate(layout) if "S" in row)
        self.goal = next((r, row.index("G")) for r, row in enumerate(layout) if "G" in row)
        self.n_rows, self.n_cols = self.walls.shape
        self.action_space = spaces.Discrete(4)
        self.observation_space = spaces.MultiDiscrete([self.n_rows, self.n_cols])
        self.pos = None
        self.bumps = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed, options=options)
        self.pos = self.start
        self.bumps = 0
        return np.array(self.pos), {}

    def is_free(self, row, col):
        if row < 0 or row >= self.n_rows or col < 0 or col >= self.n_cols:
            return False
        if self.walls[row, col]:
            return False
        return True

    def step(self, action):
        row, col = self.pos
        if action == self.UP:
            row -= 1
        elif action == self.DOWN:
            row += 1
        elif action == self.LEFT:
            col -= 1
        elif action == self.RIGHT:
            col += 1
        else:
            raise ValueError(f"unknown action {action}")

        reward = -0.01
        if self.is_free(row, col):
            self.pos = (row, col)
        else:
            self.bumps += 1
            reward -= 0.1
        terminated = self.pos == self.goal
        if terminated:
            reward += 10
        return np.array(self.pos), reward, terminated, self.bumps >= 40, {"bumps": self.bumps}


class PondEnv(gym.Env):
    """Slippery ice on a flat index; holes are a set of the class."""

    metadata = {"render_modes": []}
    HOLES = (5, 7, 11, 12)

    def __init__(self, slip=0.2, n=4):
        self.slip = slip
        self.n = n
        self.observation_space = spaces.Discrete(n * n)
        self.action_space = spaces.Discrete(4)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.s = 0
        return self.s, {"prob": 1.0}

    def step(self, a):
        if self.np_random.random() < self.slip:
            a = (a + self.np_random.choice([-1, 1])) % 4
        x, y = self.s % self.n, self.s // self.n
        x = min(max(x + [-1, 0, 1, 0][a], 0), self.n - 1)
        y = min(max(y + [0, 1, 0, -1][a], 0), self.n - 1)
        self.s = int(y * self.n + x)
        done = self.s in self.HOLES or self.s == self.n * self.n - 1
        reward = float(self.s == self.n * self.n - 1)
        return self.s, reward, done, False, {"prob": 1.0 - self.slip}


class WalkEnv(gym.Env):
    """The base class of two walks along a cliff."""

    shape = (4, 12)
    moves = [(-1, 0), (0, 1), (1, 0), (0, -1)]

    def __init__(self):
        self.action_space = spaces.Discrete(len(self.moves))
        self.observation_space = spaces.Box(0, 11, (2,), np.int64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.row, self.col = self.initial_cell()
        self.total = 0.0
        return self.observe(), {}

    def initial_cell(self):
        return 3, 0

    def observe(self):
        return np.array([self.row, self.col], dtype=np.int64)

    def fell(self):
        return self.row == 3 and 0 < self.col < 11

    def wind(self):
        return 0

    def step(self, action):
        dr, dc = self.moves[action]
        self.row = max(0, min(self.shape[0] - 1, self.row + dr + self.wind()))
        self.col = max(0, min(self.shape[1] - 1, self.col + dc))
        reward = -100.0 if self.fell() else -1.0
        self.total += reward
        if self.fell():
            self.row, self.col = 3, 0
        finished = (self.row, self.col) == (3, 11)
        return self.observe(), reward, finished, self.total < -500, {"return": self.total}


class WindyWalkEnv(WalkEnv):
    """Overrides two helpers of its base."""

    def __init__(self, strength=0.3):
        super().__init__()
        self.strength = strength

    def initial_cell(self):
        return 3, int(self.np_random.integers(0, 2)) * 11

    def wind(self):
        return -1 if self.np_random.uniform() < self.strength else super().wind()


class CabEnv(gym.Env):
    """Fetch and deliver; the observation is one encoded number, the mask is in the info."""

    def __init__(self):
        self.locs = [(0, 0), (0, 4), (4, 0), (4, 3)]
        self.observation_space = spaces.Discrete(500)
        self.action_space = spaces.Discrete(6)
        self.state = None
        self.lastaction = None

    def encode(self, row, col, passenger, destination):
        i = row
        i *= 5
        i += col
        i *= 5
        i += passenger
        i *= 4
        i += destination
        return i

    def decode(self, i):
        destination = i % 4
        i = i // 4
        passenger = i % 5
        i = i // 5
        return i // 5, i % 5, passenger, destination

    def action_mask(self):
        mask = np.zeros(6, dtype=np.int8)
        row, col, passenger, destination = self.decode(self.state)
        if row < 4:
            mask[0] = 1
        if row > 0:
            mask[1] = 1
        if col < 4:
            mask[2] = 1
        if col > 0:
            mask[3] = 1
        if passenger < 4 and (row, col) == self.locs[passenger]:
            mask[4] = 1
        if passenger == 4 and (row, col) in self.locs:
            mask[5] = 1
        return mask

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        passenger = int(self.np_random.integers(4))
        destination = int(self.np_random.integers(4))
        if destination == passenger:
            destination = (destination + 1) % 4
        self.state = self.encode(
            int(self.np_random.integers(5)), int(self.np_random.integers(5)), passenger, destination
        )
        return self.state, {"action_mask": self.action_mask()}

    def step(self, a):
        row, col, passenger, destination = self.decode(self.state)
        reward, done = -1, False
        if a == 0:
            row = min(row + 1, 4)
        elif a == 1:
            row = max(row - 1, 0)
        elif a == 2:
            col = min(col + 1, 4)
        elif a == 3:
            col = max(col - 1, 0)
        elif a == 4:
            if passenger < 4 and (row, col) == self.locs[passenger]:
                passenger = 4
            else:
                reward = -10
        elif a == 5:
            if passenger == 4 and (row, col) == self.locs[destination]:
                passenger, done, reward = destination, True, 20
            elif passenger == 4 and (row, col) in self.locs:
                passenger = self.locs.index((row, col))
            else:
                reward = -10
        self.state = self.encode(row, col, passenger, destination)
        return self.state, reward, done, False, {"action_mask": self.action_mask()}


class KeyDoorEnv(gym.Env):
    """A key opens a door; a tuple observation; `options` chooses the start."""

    def __init__(self, width: int = 6, height: int = 5) -> None:
        self.width, self.height = width, height
        self.action_space = spaces.Discrete(5)
        self.observation_space = spaces.Tuple(
            (spaces.Discrete(width), spaces.Discrete(height), spaces.MultiBinary(2), spaces.Discrete(width, start=-2))
        )

    @property
    def at_door(self) -> bool:
        return self.x == self.width // 2 and self.y == self.door_y

    def _obs(self) -> tuple[int, int, np.ndarray, int]:
        flags = np.array([self.has_key, self.open], dtype=np.int8)
        return self.x, self.y, flags, self.key_x - 2

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        options = options or {}
        self.x = options.get("x", 0)
        self.y = options.get("y", 0)
        self.has_key = False
        self.open = False
        self.key_x = int(self.np_random.integers(0, self.width // 2))
        self.key_y = int(self.np_random.integers(1, self.height))
        self.door_y = int(self.np_random.integers(self.height))
        return self._obs(), {}

    def _blocked(self, x: int, y: int) -> bool:
        if not (0 <= x < self.width and 0 <= y < self.height):
            return True
        return x == self.width // 2 and not (y == self.door_y and self.open)

    def step(self, action):
        dx, dy = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)][action]
        x, y = self.x + dx, self.y + dy
        near_door = abs(self.x - self.width // 2) <= 1 and self.y == self.door_y
        if action == 0 and self.has_key and near_door:
            self.open = not self.open or self.at_door
        if not self._blocked(x, y):
            self.x, self.y = x, y
        if (self.x, self.y) == (self.key_x, self.key_y):
            self.has_key = True
        done = self.x == self.width - 1
        return self._obs(), 1.0 if done else -0.01, done, False, {"door": self.door_y}
