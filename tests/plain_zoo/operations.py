"""Shops, machines and markets, as their authors wrote them."""

# ruff: noqa: RUF005

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import gymnasium as gym
from gymnasium import spaces


class InventoryEnv(gym.Env):
    """Order up to a capacity; demand is random; a config dict holds the costs."""

    def __init__(self, config=None):
        config = config or {}
        self.capacity = config.get("capacity", 20)
        self.price = config.get("price", 5.0)
        self.cost = config.get("cost", 3.0)
        self.holding = config.get("holding", 0.1)
        self.lead_time = config.get("lead_time", 3)
        self.horizon = config.get("horizon", 40)
        self.action_space = spaces.Discrete(self.capacity // 2)
        self.observation_space = spaces.Box(0, 10 * self.capacity, (1 + self.lead_time,), dtype=np.float32)

    def _state(self):
        return np.array([self.stock] + list(self.pipeline), dtype=np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.stock = self.capacity // 2
        self.pipeline = np.zeros(self.lead_time)
        self.day = 0
        return self._state(), {"sold": 0.0, "lost": 0.0}

    def step(self, action):
        self.stock = min(self.stock + self.pipeline[0], self.capacity)
        self.pipeline[:-1] = self.pipeline[1:]
        self.pipeline[-1] = action
        demand = self.np_random.integers(0, 8)
        sold = min(self.stock, demand)
        self.stock -= sold
        self.day += 1
        reward = sold * self.price - action * self.cost - self.stock * self.holding
        return self._state(), reward, False, self.day >= self.horizon, {"sold": sold, "lost": float(demand - sold)}


class QueueEnv(gym.Env):
    """Admit or reject customers; services take exponential times; the clock jumps."""

    def __init__(self, servers: int = 3, rate: float = 1.0):
        self.servers, self.rate = servers, rate
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Box(0.0, np.inf, (servers,), dtype=np.float64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.free_at = np.zeros(self.servers)
        self.clock = 0.0
        return self._waits(), {}

    def _waits(self):
        return np.maximum(self.free_at - self.clock, 0.0)

    def step(self, action):
        if action == 1:
            k = int(np.argmin(self.free_at))
            begin = max(self.clock, self.free_at[k])
            self.free_at[k] = begin + self.np_random.exponential(1.0 / self.rate)
            reward = 2.0 - (begin - self.clock)
        else:
            reward = -0.5
        self.clock += self.np_random.exponential(0.5)
        busy = int((self.free_at > self.clock).sum())
        overloaded = bool(self._waits().min() > 8)
        return self._waits(), reward, overloaded, self.clock > 60, {"busy": busy, "clock": self.clock}


PRICES = 100 * np.exp(np.cumsum(np.random.RandomState(0).randn(300) * 0.01))


class TradingEnv(gym.Env):
    """Long, flat or short on a fixed array of prices, with a window of returns."""

    def __init__(self, prices=PRICES, window=5, fee=0.001):
        self.prices = np.asarray(prices)
        self.returns = np.diff(self.prices) / self.prices[:-1]
        self.window = window
        self.fee = fee
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(-np.inf, np.inf, (window + 2,), np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if options and "start" in options:
            self.t = options["start"]
        else:
            self.t = int(self.np_random.integers(self.window, len(self.returns) - 60))
        self.position = 0
        self.equity = 1.0
        self.trades = 0
        return self._observation(), self._info()

    def _observation(self):
        window = self.returns[self.t - self.window : self.t]
        return np.append(window, [self.position, self.equity]).astype(np.float32)

    def _info(self):
        return dict(equity=self.equity, trades=self.trades, price=self.prices[self.t])

    def step(self, action):
        target = action - 1
        cost = self.fee * abs(target - self.position)
        if target != self.position:
            self.trades += 1
        self.position = target
        gain = self.position * self.returns[self.t] - cost
        self.equity *= 1 + gain
        self.t += 1
        bankrupt = self.equity < 0.9
        truncated = self.t >= len(self.returns) - 1
        return self._observation(), gain, bankrupt, truncated, self._info()


class ElevatorEnv(gym.Env):
    """One car; calls arrive; counts of waiting people per floor."""

    def __init__(self, floors=6, capacity=4):
        self.floors = floors
        self.capacity = capacity
        self.action_space = spaces.Discrete(3, start=-1)
        self.observation_space = spaces.Dict(
            {
                "floor": spaces.Discrete(floors),
                "waiting": spaces.Box(0, 9, (floors,), np.int32),
                "inside": spaces.MultiDiscrete(np.full(floors, capacity + 1)),
            }
        )

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.floor = 0
        self.waiting = np.zeros(self.floors, np.int32)
        self.inside = np.zeros(self.floors, np.int64)
        self.delivered = 0
        self.time = 0
        for _ in range(3):
            self._call()
        return self._obs(), {}

    def _call(self):
        floor = self.np_random.integers(self.floors)
        self.waiting[floor] = min(self.waiting[floor] + 1, 9)

    def _obs(self):
        return {"floor": self.floor, "waiting": self.waiting.copy(), "inside": self.inside.copy()}

    def step(self, action):
        self.time += 1
        moving = action != 0
        if moving:
            self.floor = int(np.clip(self.floor + action, 0, self.floors - 1))
            out = 0
        else:
            out = int(self.inside[self.floor])
            self.inside[self.floor] = 0
            self.delivered += out
            while self.waiting[self.floor] > 0 and self.inside.sum() < self.capacity:
                self.waiting[self.floor] -= 1
                where = self.np_random.integers(self.floors - 1)
                self.inside[where if where < self.floor else where + 1] += 1
        if self.np_random.random() < 0.3:
            self._call()
        reward = out - 0.02 * float(self.waiting.sum() + self.inside.sum())
        return self._obs(), reward, self.delivered >= 15, self.time >= 200, {"delivered": self.delivered}


@dataclass
class Lane:
    """Cars before a light."""

    cars: int = 0
    arrival: float = 0.3

    def arrive(self, rng):
        if rng.random() < self.arrival:
            self.cars += 1


class CrossingEnv(gym.Env):
    """Two lanes, small objects of the author's own."""

    def __init__(self, yellow=2):
        self.yellow = yellow
        self.north = Lane(0, 0.3)
        self.east = Lane(0, 0.45)
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Box(0, 100, (4,), np.int64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.north.cars = int(self.np_random.integers(5))
        self.east.cars = int(self.np_random.integers(5))
        self.phase = 0
        self.timer = 0
        return self._obs(), {}

    def _obs(self):
        return np.array([self.north.cars, self.east.cars, self.phase, self.timer])

    def step(self, action):
        if action != self.phase and self.timer == 0:
            self.phase, self.timer = int(action), self.yellow
        elif self.timer > 0:
            self.timer -= 1
        if self.timer == 0:
            lane = self.north if self.phase == 0 else self.east
            if lane.cars > 0:
                lane.cars -= 1
        self.north.arrive(self.np_random)
        self.east.arrive(self.np_random)
        jam = self.north.cars + self.east.cars
        return self._obs(), -jam / 10, jam > 25, False, {}


class ThermostatEnv(gym.Env):
    """Heat a house; the weather is a sine with noise."""

    dt = 0.25

    def __init__(self, target=20.0, tolerance=2.5):
        self.target = target
        self.tolerance = tolerance
        self.action_space = spaces.Box(0.0, 1.0, (1,), np.float32)
        self.observation_space = spaces.Box(-50, 60, (3,), np.float32)
        self.temperature = None
        self.hour = None

    @property
    def outside(self):
        return 5 + 8 * math.sin(2 * math.pi * (self.hour - 9) / 24)

    def _get_obs(self):
        return np.array([self.temperature, self.outside, self.hour], dtype=np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.temperature = self.target + self.np_random.normal()
        self.hour = self.np_random.uniform(0, 24)
        self.used = 0.0
        return self._get_obs(), {"used": self.used}

    def step(self, action):
        power = float(np.clip(action[0], 0, 1))
        loss = 0.1 * (self.temperature - self.outside)
        self.temperature += self.dt * (6 * power - loss) + self.np_random.normal(0, 0.05)
        self.hour = (self.hour + self.dt) % 24
        self.used += power * self.dt
        error = abs(self.temperature - self.target)
        return self._get_obs(), -error - 0.1 * power, error > 4 * self.tolerance, self.used > 12, {"used": self.used}


class ScalingEnv(gym.Env):
    """Start and stop servers under a daily load; a history rolls."""

    MAX_SERVERS = 10
    HISTORY = 4

    def __init__(self):
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(0, 20, (self.HISTORY, 2), np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.servers = self.MAX_SERVERS // 2
        self.history = np.zeros((self.HISTORY, 2), np.float32)
        self.tick = 0
        self.violations = 0
        return self.history.copy(), {}

    def _load(self):
        base = 4 + 3 * np.sin(self.tick / 12 * np.pi)
        return max(0.0, base + self.np_random.normal(scale=0.5))

    def step(self, action):
        change = {0: -1, 1: 0, 2: 1}[int(action)]
        self.servers = max(1, min(self.MAX_SERVERS, self.servers + change))
        load = self._load()
        self.tick += 1
        self.history = np.roll(self.history, -1, axis=0)
        self.history[-1] = [self.servers, load]
        served = min(load, self.servers)
        if load > self.servers:
            self.violations += 1
        reward = served - 0.3 * self.servers
        return self.history.copy(), float(reward), self.violations >= 10, self.tick >= 150, {"load": load}
