"""Plain environments as tutorials and courses have them: tuples, sets and lists of moves, boards, decks, frames."""

from __future__ import annotations

import numpy as np

import gymnasium as gym
from gymnasium import spaces


class WalledGridEnv(gym.Env):
    """Walls in a set, the position a tuple."""

    def __init__(self):
        super().__init__()
        self.size = 6
        self.walls = {(1, 1), (2, 3), (4, 4), (3, 1)}
        self.goal = (5, 5)
        self.action_space = spaces.Discrete(4)
        self.observation_space = spaces.Discrete(self.size * self.size)
        self.moves = [(-1, 0), (1, 0), (0, -1), (0, 1)]
        self.pos = (0, 0)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.pos = (0, 0)
        while True:
            self.pos = (int(self.np_random.integers(self.size)), int(self.np_random.integers(self.size)))
            if self.pos not in self.walls and self.pos != self.goal:
                break
        return self._obs(), {}

    def _obs(self):
        return self.pos[0] * self.size + self.pos[1]

    def step(self, action):
        dr, dc = self.moves[action]
        r, c = self.pos[0] + dr, self.pos[1] + dc
        if 0 <= r < self.size and 0 <= c < self.size and (r, c) not in self.walls:
            self.pos = (r, c)
            reward = -1
        else:
            reward = -5
        done = self.pos == self.goal
        if done:
            reward += 100
        return self._obs(), reward, done, False, {"hit": reward == -5}


class NoughtsEnv(gym.Env):
    """A board written in place, an opponent that draws among the empty squares."""

    def __init__(self):
        self.action_space = spaces.Discrete(9)
        self.observation_space = spaces.Box(-1, 1, (3, 3), np.int8)
        self.board = np.zeros((3, 3), dtype=np.int8)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.board = np.zeros((3, 3), dtype=np.int8)
        self.player = 1
        return self.board.copy(), {}

    def _winner(self):
        for p in (1, -1):
            for i in range(3):
                if np.all(self.board[i, :] == p) or np.all(self.board[:, i] == p):
                    return p
            if all(self.board[i, i] == p for i in range(3)) or all(self.board[i, 2 - i] == p for i in range(3)):
                return p
        return 0

    def step(self, action):
        row, col = divmod(action, 3)
        if self.board[row, col] != 0:
            return self.board.copy(), -10.0, True, False, {"winner": 0}
        self.board[row, col] = self.player
        w = self._winner()
        done = w != 0 or not (self.board == 0).any()
        reward = float(w)
        if not done:
            empty = np.argwhere(self.board == 0)
            r, c = empty[self.np_random.integers(len(empty))]
            self.board[r, c] = -1
            w = self._winner()
            done = w != 0 or not np.any(self.board == 0)
            reward = float(w)
        return self.board.copy(), reward, done, False, {"winner": w}


class PricesEnv(gym.Env):
    """Prices in an array, of which the observation is a window."""

    def __init__(self, window=5, initial_balance=1000.0):
        rng = np.random.default_rng(3)
        self.prices = (100 + np.cumsum(rng.normal(0, 1, 200))).astype(np.float64)
        self.window = window
        self.initial_balance = initial_balance
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(-np.inf, np.inf, (window + 2,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.t = int(self.np_random.integers(self.window, 100))
        self.balance = self.initial_balance
        self.shares = 0
        self.net_worth = self.initial_balance
        self.max_net_worth = self.initial_balance
        return self._next_observation(), {}

    def _next_observation(self):
        frame = self.prices[self.t - self.window : self.t] / self.prices[self.t]
        return np.append(frame, [self.balance / self.initial_balance, self.shares / 10]).astype(np.float32)

    def step(self, action):
        price = self.prices[self.t]
        if action == 1:
            n = int(self.balance // price)
            self.shares += n
            self.balance -= n * price
        elif action == 2 and self.shares > 0:
            self.balance += self.shares * price
            self.shares = 0
        self.t += 1
        prev = self.net_worth
        self.net_worth = self.balance + self.shares * self.prices[self.t]
        self.max_net_worth = max(self.max_net_worth, self.net_worth)
        reward = np.log(self.net_worth / prev)
        terminated = self.net_worth <= 0
        truncated = self.t >= len(self.prices) - 2
        return self._next_observation(), reward, terminated, truncated, {"net_worth": self.net_worth}


class KnapsackEnv(gym.Env):
    """What is taken is a row of flags, by which weights and values are multiplied."""

    def __init__(self, n_items=8, capacity=20):
        self.n_items, self.capacity = n_items, capacity
        self.action_space = spaces.Discrete(n_items)
        self.observation_space = spaces.Box(0, 100, (2, n_items + 1), np.int32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.weights = self.np_random.integers(1, 10, size=self.n_items)
        self.values = self.np_random.integers(1, 30, size=self.n_items)
        self.taken = np.zeros(self.n_items, dtype=bool)
        self.load = 0
        return self._state(), {}

    def _state(self):
        top = np.append(self.weights * ~self.taken, self.load)
        bottom = np.append(self.values * ~self.taken, self.capacity)
        return np.vstack([top, bottom]).astype(np.int32)

    def step(self, item):
        if self.taken[item] or self.load + self.weights[item] > self.capacity:
            return self._state(), 0, True, False, {}
        self.taken[item] = True
        self.load += self.weights[item]
        reward = self.values[item]
        return self._state(), float(reward), bool(self.taken.all()), False, {}


class TwentyOneEnv(gym.Env):
    """A deck shuffled in place, a pointer, hands as sums."""

    def __init__(self):
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Tuple((spaces.Discrete(32), spaces.Discrete(11), spaces.Discrete(2)))
        self.full_deck = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10] * 4)

    def draw(self):
        card = self.deck[self.top]
        self.top += 1
        return card

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.deck = self.full_deck.copy()
        self.np_random.shuffle(self.deck)
        self.top = 0
        self.player, self.ace = 0, False
        for _ in range(2):
            self._take()
        self.dealer = self.draw()
        return self._get_obs(), {}

    def _take(self):
        card = self.draw()
        self.player += card
        if card == 1:
            self.ace = True

    def _get_obs(self):
        usable = self.ace and self.player + 10 <= 21
        return (self.player + 10 * usable, self.dealer, int(usable))

    def step(self, action):
        if action:
            self._take()
            if self.player > 21:
                return (31, self.dealer, 0), -1.0, True, False, {}
            return self._get_obs(), 0.0, False, False, {}
        total = self.dealer
        while total < 17:
            total += self.draw()
        score = self.player + (10 if self.ace and self.player + 10 <= 21 else 0)
        reward = 1.0 if total > 21 or score > total else (0.0 if score == total else -1.0)
        return self._get_obs(), reward, True, False, {}


class BatEnv(gym.Env):
    """A frame drawn into an array; position and velocity change in place."""

    def __init__(self, h=12, w=10):
        self.h, self.w = h, w
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(0, 255, (h, w, 1), np.uint8)

    def _draw(self):
        frame = np.zeros((self.h, self.w, 1), dtype=np.uint8)
        by, bx = round(self.ball[0]), round(self.ball[1])
        frame[by, bx, 0] = 255
        frame[self.h - 1, self.paddle - 1 : self.paddle + 2, 0] = 128
        return frame

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.ball = np.array([1.0, self.np_random.integers(1, self.w - 1)])
        self.vel = np.array([1.0, self.np_random.choice([-1.0, 1.0])])
        self.paddle = self.w // 2
        return self._draw(), {}

    def step(self, action):
        self.paddle = int(np.clip(self.paddle + action - 1, 1, self.w - 2))
        self.ball += self.vel
        if self.ball[1] <= 0 or self.ball[1] >= self.w - 1:
            self.vel[1] *= -1
            self.ball[1] = np.clip(self.ball[1], 0, self.w - 1)
        reward, done = 0.0, False
        if self.ball[0] >= self.h - 1:
            self.ball[0] = self.h - 1
            if abs(self.ball[1] - self.paddle) <= 1:
                self.vel[0] = -abs(self.vel[0])
                reward = 1.0
            else:
                reward, done = -1.0, True
        if self.ball[0] <= 0:
            self.vel[0] = abs(self.vel[0])
        return self._draw(), reward, done, False, {}


class CartInPlaceEnv(gym.Env):
    """The state is an array of float32, written in place."""

    def __init__(self):
        self.action_space = spaces.Box(-1, 1, (1,), np.float32)
        self.observation_space = spaces.Box(-np.inf, np.inf, (2,), np.float32)
        self.state = np.array([0.0, 0.0], dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.state = np.array([self.np_random.uniform(-1, 1), 0.0], dtype=np.float32)
        return self.state.copy(), {}

    def step(self, action):
        self.state[1] += action[0] * 0.1
        self.state[0] += self.state[1]
        reward = -float(np.sum(self.state**2))
        done = bool(np.abs(self.state[0]) > 2)
        return self.state.copy(), reward, done, False, {}


class RepeatEnv(gym.Env):
    """Counters over episodes, and attributes that are None at first."""

    def __init__(self):
        self.episodes = 0
        self.best = None
        self.last = None
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(-100, 100, (3,), np.float64)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.episodes += 1
        self.score = 0
        self.last = None
        return self._o(), {"episodes": self.episodes}

    def _o(self):
        return np.array([self.score, -1 if self.last is None else self.last, self.best or 0], dtype=np.float64)

    def step(self, action):
        bonus = 1 if self.last is not None and action == self.last else 0
        self.last = action
        self.score += action + bonus
        if self.best is None or self.score > self.best:
            self.best = self.score
        return self._o(), bonus, self.score > 12, False, {"best": self.best}


class DriftingArmsEnv(gym.Env):
    """where, argmax, random choice with p, class attribute array."""

    P = np.array([0.2, 0.5, 0.3])

    def __init__(self, k=3):
        self.k = k
        self.action_space = spaces.Discrete(k)
        self.observation_space = spaces.Box(-np.inf, np.inf, (k,), np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.means = self.np_random.normal(0, 1, self.k)
        self.counts = np.zeros(self.k, dtype=int)
        self.est = np.zeros(self.k)
        return self.est.astype(np.float32), {"best": int(np.argmax(self.means))}

    def step(self, a):
        shift = self.np_random.choice(self.k, p=self.P)
        self.means[shift] += 0.01
        r = self.np_random.normal(self.means[a], 1.0)
        self.counts[a] += 1
        self.est[a] += (r - self.est[a]) / self.counts[a]
        regret = self.means.max() - self.means[a]
        best = np.where(self.means == np.max(self.means))[0][0]
        return self.est.astype(np.float32), r, False, False, {"regret": regret, "best": int(best)}


class CountdownEnv(gym.Env):
    """Helper static and class methods, ternaries, walrus, f-string exceptions, while-else."""

    LIMIT = 5

    def __init__(self):
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.MultiDiscrete([10, 10])

    @staticmethod
    def wrap(v, n=10):
        return v % n

    @classmethod
    def limit(cls):
        return cls.LIMIT * 2

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.a, self.b = (int(v) for v in self.np_random.integers(0, 10, 2))
        self.tries = 0
        return np.array([self.a, self.b]), {}

    def step(self, action):
        if not 0 <= action < 3:
            raise ValueError(f"bad action {action}")
        self.tries += 1
        if (d := abs(self.a - self.b)) > 5:
            self.a = self.wrap(self.a + 3)
        else:
            self.b = self.wrap(self.b + action * (1 if d % 2 else 2))
        k = 0
        while k < d:
            if k * k > self.a:
                break
            k += 1
        else:
            self.a = self.wrap(v=self.a + 1, n=10)
        return np.array([self.a, self.b]), float(k), self.a == self.b, self.tries >= self.limit(), {"d": d}
