"""Small arcade games, some seen as pixels, as their authors wrote them."""

from __future__ import annotations

import enum

import numpy as np

import gymnasium as gym
from gymnasium import spaces


class SnakeEnv(gym.Env):
    """A snake; its body is a ring buffer of cells."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}

    def __init__(self, size=8, render_mode=None):
        self.size = size
        self.max_length = size * size
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(4)
        self.observation_space = spaces.Box(0, 3, (size, size), np.uint8)
        self._body = np.zeros((self.max_length, 2), dtype=np.int64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._body[:] = 0
        self._body[0] = [self.size // 2, self.size // 2]
        self._head = 0
        self._length = 1
        self._direction = (0, 1)
        self._starving = 0
        self._grid = np.zeros((self.size, self.size), np.uint8)
        self._grid[self.size // 2, self.size // 2] = 2
        self._place_food()
        return self._grid.copy(), {"length": self._length}

    def _place_food(self):
        rows, cols = np.where(self._grid == 0)
        k = self.np_random.integers(len(rows))
        self._food = int(rows[k]), int(cols[k])
        self._grid[self._food] = 3

    def step(self, action):
        turn = [(-1, 0), (0, 1), (1, 0), (0, -1)][action]
        if turn[0] != -self._direction[0] or turn[1] != -self._direction[1]:
            self._direction = turn
        row = self._body[self._head, 0] + self._direction[0]
        col = self._body[self._head, 1] + self._direction[1]
        self._starving += 1
        if not (0 <= row < self.size and 0 <= col < self.size) or self._grid[row, col] in (1, 2):
            return self._grid.copy(), -1.0, True, False, {"length": self._length}
        ate = (row, col) == self._food
        self._grid[self._body[self._head, 0], self._body[self._head, 1]] = 1
        if ate:
            self._length += 1
            self._starving = 0
        else:
            tail = (self._head - self._length + 1) % self.max_length
            self._grid[self._body[tail][0], self._body[tail][1]] = 0
        self._head = (self._head + 1) % self.max_length
        self._body[self._head] = row, col
        self._grid[row, col] = 2
        if ate:
            self._place_food()
        return self._grid.copy(), float(ate), False, self._starving > 100, {"length": self._length}

    def render(self):
        colors = np.array([[0, 0, 0], [0, 160, 0], [0, 255, 0], [255, 0, 0]], dtype=np.uint8)
        return np.kron(colors[self._grid].transpose(2, 0, 1), np.ones((4, 4), np.uint8)).transpose(1, 2, 0)


class CatchEnv(gym.Env):
    """A paddle and a ball that falls, drawn into an array."""

    def __init__(self, rows: int = 10, columns: int = 5, balls: int = 5):
        self._rows, self._columns, self._balls = rows, columns, balls
        self._board = np.zeros((rows, columns), dtype=np.float32)
        self.observation_space = spaces.Box(0.0, 1.0, (rows, columns), np.float32)
        self.action_space = spaces.Discrete(3)

    def _drop(self):
        self._ball_x = self.np_random.integers(self._columns)
        self._ball_y = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._drop()
        self._paddle_x = self._columns // 2
        self._caught = 0
        self._dropped = 0
        return self._observation(), {}

    def _observation(self):
        self._board.fill(0.0)
        self._board[self._ball_y, self._ball_x] = 1.0
        self._board[self._rows - 1, self._paddle_x] = 1.0
        return self._board.copy()

    def step(self, action):
        dx = action - 1
        self._paddle_x = np.clip(self._paddle_x + dx, 0, self._columns - 1)
        self._ball_y += 1
        reward = 0.0
        if self._ball_y == self._rows - 1:
            reward = 1.0 if self._paddle_x == self._ball_x else -1.0
            self._caught += reward > 0
            self._dropped += 1
            observation = self._observation()
            self._drop()
            return observation, reward, self._dropped == self._balls, False, {"caught": self._caught}
        return self._observation(), reward, False, False, {"caught": self._caught}


class Move(enum.IntEnum):
    """What a player can do."""

    STAY = 0
    LEFT = 1
    RIGHT = 2
    FIRE = 3


class InvadersEnv(gym.Env):
    """Rows of aliens as a boolean array; channels as an observation."""

    def __init__(self, size: int = 10):
        self.size = size
        self.action_space = spaces.Discrete(len(Move))
        self.observation_space = spaces.Box(0, 1, (size, size, 3), dtype=np.bool_)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.aliens = np.zeros((self.size, self.size), dtype=bool)
        self.aliens[0:3, 2:8] = True
        self.bullets = np.zeros((self.size, self.size), dtype=bool)
        self.x = self.size // 2
        self.dir = -1
        self.timer = 4
        self.cooldown = 0
        return self._get_obs(), {}

    def _get_obs(self):
        obs = np.zeros((self.size, self.size, 3), dtype=bool)
        obs[self.size - 1, self.x, 0] = True
        obs[:, :, 1] = self.aliens
        obs[..., 2] = self.bullets
        return obs

    def step(self, action):
        terminal, reward = False, 0
        if action == Move.FIRE and self.cooldown == 0:
            self.bullets[self.size - 1, self.x] = True
            self.cooldown = 3
        elif action == Move.LEFT:
            self.x = max(0, self.x - 1)
        elif action == Move.RIGHT:
            self.x = min(self.size - 1, self.x + 1)
        self.bullets = np.roll(self.bullets, -1, axis=0)
        self.bullets[-1, :] = False
        self.timer -= 1
        if self.timer == 0:
            self.timer = 4
            at_left = np.any(self.aliens[:, 0]) and self.dir < 0
            at_right = np.any(self.aliens[:, -1]) and self.dir > 0
            if at_left or at_right:
                self.dir = -self.dir
                if np.any(self.aliens[self.size - 2, :]):
                    terminal = True
                self.aliens = np.roll(self.aliens, 1, axis=0)
            else:
                self.aliens = np.roll(self.aliens, self.dir, axis=1)
        hits = np.logical_and(self.aliens, self.bullets)
        reward += int(np.sum(hits))
        self.aliens[hits] = False
        self.bullets[hits] = False
        if self.cooldown > 0:
            self.cooldown -= 1
        if np.count_nonzero(self.aliens) == 0:
            terminal = True
        return self._get_obs(), reward, terminal, False, {"aliens": int(np.count_nonzero(self.aliens))}


class FlapEnv(gym.Env):
    """A bird between pipes; positions are floats, pipes an array that scrolls."""

    GRAVITY, FLAP, SPEED, GAP = -0.08, 0.22, 0.1, 0.5

    def __init__(self):
        self.observation_space = spaces.Box(-5.0, 5.0, (5,), dtype=np.float32)
        self.action_space = spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.y, self.vy, self.score = 0.0, 0.0, 0
        self.pipes = np.zeros((3, 2))
        for i in range(3):
            self.pipes[i] = [1.5 + i, self.np_random.uniform(-0.4, 0.4)]
        return self._obs(), {"score": self.score}

    def _obs(self):
        nearest, following = self.pipes[0], self.pipes[1]
        return np.array([self.y, self.vy, nearest[0], nearest[1], following[1]], dtype=np.float32)

    def step(self, action):
        self.vy = self.FLAP if action else self.vy + self.GRAVITY
        self.y += self.vy
        self.pipes[:, 0] -= self.SPEED
        reward = 0.1
        if self.pipes[0, 0] < -0.2:
            self.pipes[:-1] = self.pipes[1:].copy()
            self.pipes[-1] = [self.pipes[-2, 0] + 1, self.np_random.uniform(-0.4, 0.4)]
            self.score += 1
            reward += 1
        hit = abs(self.pipes[0][0]) < 0.15 and abs(self.y - self.pipes[0][1]) > self.GAP / 2
        dead = abs(self.y) > 1 or hit
        return self._obs(), reward if not dead else -1.0, bool(dead), False, {"score": self.score}


class RallyEnv(gym.Env):
    """A ball, two paddles, and a picture of 24 by 32 pixels with three colours."""

    H, W = 24, 32
    PADDLE = 5
    BACKGROUND = (20, 20, 40)

    def __init__(self, points=3):
        self.points = points
        self.observation_space = spaces.Box(0, 255, (self.H, self.W, 3), np.uint8)
        self.action_space = spaces.Discrete(3)

    def _serve(self, direction):
        self.ball = [self.H / 2, self.W / 2]
        self.velocity = [self.np_random.uniform(-0.8, 0.8), float(direction)]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.left = self.right = (self.H - self.PADDLE) // 2
        self.score = [0, 0]
        self._serve(1 if self.np_random.random() > 0.5 else -1)
        return self._draw(), {"score": np.array(self.score)}

    def _draw(self):
        frame = np.empty((self.H, self.W, 3), dtype=np.uint8)
        frame[:] = self.BACKGROUND
        frame[self.left : self.left + self.PADDLE, 0:2] = [255, 80, 80]
        frame[self.right : self.right + self.PADDLE, self.W - 2 :] = [80, 255, 80]
        y, x = int(self.ball[0]), int(self.ball[1])
        frame[max(y, 0) : y + 2, max(x, 0) : x + 2, :] = 255
        return frame

    def step(self, action):
        self.left = int(np.clip(self.left + (0, -1, 1)[action], 0, self.H - self.PADDLE))
        middle = self.right + self.PADDLE / 2
        if abs(middle - self.ball[0]) > 1:
            self.right += 1 if self.ball[0] > middle else -1
        self.right = min(max(self.right, 0), self.H - self.PADDLE)
        self.ball[0] += self.velocity[0]
        self.ball[1] += self.velocity[1]
        if self.ball[0] < 0 or self.ball[0] > self.H - 2:
            self.velocity[0] *= -1
            self.ball[0] = min(max(self.ball[0], 0), self.H - 2)
        reward = 0
        if self.ball[1] <= 2:
            if self.left - 1 <= self.ball[0] <= self.left + self.PADDLE:
                self.velocity[1] = abs(self.velocity[1])
                self.velocity[0] += 0.3 * (self.ball[0] - self.left - self.PADDLE / 2) / self.PADDLE
            else:
                self.score[1] += 1
                reward = -1
                self._serve(1)
        elif self.ball[1] >= self.W - 3:
            if self.right - 1 <= self.ball[0] <= self.right + self.PADDLE:
                self.velocity[1] = -abs(self.velocity[1])
            else:
                self.score[0] += 1
                reward = 1
                self._serve(-1)
        done = max(self.score) >= self.points
        return self._draw(), reward, done, False, {"score": np.array(self.score)}


class DodgeEnv(gym.Env):
    """Rocks fall in eight columns; the columns are bits of a byte."""

    def __init__(self, depth=6):
        self.depth = depth
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Dict(
            {"rocks": spaces.Box(0, 255, (depth,), np.uint8), "ship": spaces.Discrete(8), "lives": spaces.Discrete(4)}
        )

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.rows = np.zeros(self.depth, dtype=np.uint8)
        self.ship = 3
        self.lives = 3
        self.age = 0
        return self.__obs(), {}

    def __obs(self):
        return {"rocks": self.rows.copy(), "ship": self.ship, "lives": self.lives}

    def step(self, action):
        self.ship = (self.ship + (action - 1)) & 7
        self.rows[1:] = self.rows[:-1].copy()
        new = 0
        for bit in range(8):
            if self.np_random.random() < 0.12:
                new |= 1 << bit
        self.rows[0] = new
        hit = bool((int(self.rows[-1]) >> self.ship) & 1)
        if hit:
            self.lives -= 1
            self.rows[-1] = 0
        self.age += 1
        return self.__obs(), 0.1 if not hit else -1.0, self.lives <= 0, self.age >= 300, {"hit": hit}
