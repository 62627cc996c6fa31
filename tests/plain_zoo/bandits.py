"""Bandits, memories and signals, as their authors wrote them."""

from __future__ import annotations

import numpy as np

import gymnasium as gym
from gymnasium import spaces


class BernoulliBanditEnv(gym.Env):
    """Arms that pay or not; new ones for each episode."""

    def __init__(self, arms=5, pulls=40):
        self.arms = arms
        self.pulls = pulls
        self.action_space = spaces.Discrete(arms)
        self.observation_space = spaces.Box(0, pulls, (arms, 2), np.int32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.p = self.np_random.uniform(size=self.arms)
        self.counts = np.zeros((self.arms, 2), dtype=np.int32)
        self.regret = 0.0
        return self.counts.copy(), {"best": np.argmax(self.p)}

    def step(self, arm):
        won = self.np_random.uniform() < self.p[arm]
        self.counts[arm, int(won)] += 1
        self.regret += self.p.max() - self.p[arm]
        done = self.counts.sum() == self.pulls
        return self.counts.copy(), float(won), False, bool(done), {"best": np.argmax(self.p), "regret": self.regret}


class DriftingBanditEnv(gym.Env):
    """Gaussian arms whose means walk at random."""

    def __init__(self, k=4, sigma=0.1):
        self.k, self.sigma = k, sigma
        self.action_space = spaces.Discrete(k)
        self.observation_space = spaces.Box(-np.inf, np.inf, (2 * k,), np.float64)
        self.means = np.zeros(k)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.means = self.np_random.normal(0, 1, self.k)
        self.last_reward = np.zeros(self.k)
        self.age = np.zeros(self.k)
        self.t = 0
        return self._context(), {}

    def _context(self):
        return np.hstack([self.last_reward, np.tanh(self.age / 10)])

    def step(self, action):
        reward = self.np_random.normal(loc=self.means[action], scale=0.5)
        self.means += self.np_random.normal(scale=self.sigma, size=self.k)
        self.age += 1
        self.age[action] = 0
        self.last_reward[action] = reward
        self.t += 1
        return self._context(), reward, False, self.t >= 75, {"means": self.means.copy()}


class LinearBanditEnv(gym.Env):
    """The context is drawn each step; the reward is linear in it."""

    def __init__(self, arms: int = 3, features: int = 4):
        rng = np.random.default_rng(12)
        self.theta = rng.normal(size=(arms, features))
        self.features = features
        self.action_space = spaces.Discrete(arms)
        self.observation_space = spaces.Box(-1, 1, (features,), np.float32)

    def _next(self):
        x = self.np_random.normal(size=self.features)
        self.x = x / np.sqrt((x**2).sum())
        return self.x.astype(np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self._next(), {}

    def step(self, action):
        values = self.theta @ self.x
        best = int(values.argmax())
        reward = values[action] + 0.01 * self.np_random.standard_normal()
        done = bool(self.np_random.random() < 0.02)
        return self._next(), float(reward), done, False, {"optimal": best == action}


class RecallEnv(gym.Env):
    """See symbols, then repeat them; `phase` is a string that only names two constants."""

    def __init__(self, length=4, symbols=3):
        self.length = length
        self.symbols = symbols
        self.action_space = spaces.Discrete(symbols)
        self.observation_space = spaces.Discrete(symbols + 1)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.sequence = [int(self.np_random.integers(self.symbols)) for _ in range(self.length)]
        self.index = 0
        self.showing = True
        return self.sequence[0], {"showing": self.showing}

    def step(self, action):
        reward = 0.0
        if self.showing:
            self.index += 1
            if self.index == self.length:
                self.showing = False
                self.index = 0
        else:
            reward = 1.0 if action == self.sequence[self.index] else -1.0
            self.index += 1
        over = not self.showing and self.index >= self.length
        symbol = self.sequence[self.index] if self.showing else self.symbols
        return symbol, reward, over, False, {"showing": self.showing}


class NBackEnv(gym.Env):
    """Was this letter the same as `n` ago? A window that shifts; default arguments."""

    n = 2

    def __init__(self, letters=4, trials=30, match=0.4):
        self.letters, self.trials, self.match = letters, trials, match
        self.action_space = spaces.MultiBinary(1)
        self.observation_space = spaces.MultiBinary(letters)

    def one_hot(self, letter, dtype=np.int8):
        v = np.zeros(self.letters, dtype=dtype)
        v[letter] = 1
        return v

    def draw(self):
        if self.trial >= self.n and self.np_random.random() < self.match:
            return self.window[-self.n]
        return self.np_random.integers(self.letters)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.trial = 0
        self.window = np.full(self.n + 1, -1)
        self.window[-1] = self.draw()
        return self.one_hot(self.window[-1]), {}

    def step(self, action):
        truth = self.window[0] == self.window[-1]
        reward = 1 if bool(action[0]) == truth else -1
        self.window = np.roll(self.window, -1)
        self.trial += 1
        self.window[-1] = self.draw()
        return self.one_hot(self.window[-1]), reward, False, self.trial >= self.trials, {"match": bool(truth)}


class TrackingEnv(gym.Env):
    """Follow a hidden walker with a noisy sensor; subclass hooks and `super()`."""

    def __init__(self, **kwargs):
        self.noise = kwargs.get("noise", 0.5)
        self.speed = kwargs.get("speed", 0.2)
        self.action_space = spaces.Box(-1.0, 1.0, (), np.float64)
        self.observation_space = spaces.Box(-np.inf, np.inf, (), np.float64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.hidden = 0.0
        self.estimate = 0.0
        self.drift = 1 if self.np_random.integers(2) else -1
        return self._sense(), {}

    def _sense(self):
        return np.array(self.hidden + self.noise * self.np_random.standard_normal())

    def _walk(self):
        if self.np_random.random() < 0.05:
            self.drift *= -1
        self.hidden += self.speed * self.drift * self.np_random.random()

    def step(self, action):
        self._walk()
        self.estimate += float(action)
        error = abs(self.estimate - self.hidden)
        lost = error > 6
        return self._sense(), -error, bool(lost), False, {"error": error}


class BiasedTrackingEnv(TrackingEnv):
    """Calls the base's hook, then adds to it."""

    def reset(self, *, seed=None, options=None):
        self.bias = 0.1
        observation, info = super().reset(seed=seed, options=options)
        info["bias"] = self.bias
        return observation + self.bias, info

    def _walk(self):
        super()._walk()
        self.bias = -self.bias if self.hidden > 3 else self.bias * 0.99

    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        info.update(bias=self.bias)
        return observation + self.bias, reward - abs(self.bias), terminated, truncated, info
