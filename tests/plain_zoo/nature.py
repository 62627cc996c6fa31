"""Populations, forests and fields, as their authors wrote them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

import gymnasium as gym
from gymnasium.spaces import Box, Dict, Discrete, Tuple


class EpidemicEnv(gym.Env):
    """Susceptible, infected, recovered; the action is how strict the measures are."""

    BETA = [0.5, 0.3, 0.12]
    COST = [0.0, 0.02, 0.1]

    def __init__(self, population: int = 1000, gamma: float = 0.1):
        self.population = population
        self.gamma = gamma
        self.action_space = Discrete(3)
        self.observation_space = Box(0, population, (3,), np.int64)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        self.i = int(self.np_random.integers(5, 20))
        self.s, self.r = self.population - self.i, 0
        self.days = 0
        return np.array([self.s, self.i, self.r]), {"peak": self.i}

    def step(self, action: int):
        p_infect = 1 - math.exp(-self.BETA[action] * self.i / self.population)
        p_recover = self.gamma
        infected = round(self.s * p_infect + self.np_random.uniform(-0.5, 0.5))
        infected = min(max(infected, 0), self.s)
        recovered = math.ceil(self.i * p_recover)
        self.s -= infected
        self.i += infected - recovered
        self.r += recovered
        self.days += 1
        reward = -infected / self.population - self.COST[action]
        return np.array([self.s, self.i, self.r]), reward, self.i == 0, self.days >= 180, {"peak": self.i}


class PredatorPreyEnv(gym.Env):
    """Lotka and Volterra with harvest, several small Euler steps a step."""

    alpha, beta, delta, gamma = 1.1, 0.4, 0.1, 0.4

    def __init__(self, substeps=10, dt=0.02):
        self.substeps = substeps
        self.dt = dt
        self.action_space = Box(0.0, 1.0, shape=(2,), dtype=np.float32)
        self.observation_space = Box(0.0, np.inf, shape=(2,), dtype=np.float32)
        self.state = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.state = self.np_random.uniform([5, 2], [15, 8])
        return self.state.astype("float32"), {}

    def derivative(self, state, harvest):
        prey, predators = state
        return np.array(
            [
                self.alpha * prey - self.beta * prey * predators - harvest[0] * prey,
                self.delta * prey * predators - self.gamma * predators - harvest[1] * predators,
            ]
        )

    def step(self, action):
        harvest = np.clip(action, 0.0, 1.0).astype(np.float64) * 0.5
        for _ in range(self.substeps):
            self.state = self.state + self.dt * self.derivative(self.state, harvest)
        self.state = np.maximum(self.state, 0)
        extinct = bool((self.state < 0.05).any())
        reward = float(np.dot(harvest, self.state))
        return self.state.astype("float32"), reward, extinct, False, {"ratio": self.state[0] / (self.state[1] + 1e-9)}


class Stock(NamedTuple):
    """Fish in two ages."""

    young: float
    old: float


class FisheryEnv(gym.Env):
    """A stock with two ages, in a named tuple."""

    def __init__(self, capacity=100.0, noise=0.1):
        self.capacity = capacity
        self.noise = noise
        self.action_space = Discrete(5)
        self.observation_space = Tuple((Box(0, np.inf, (), np.float64), Box(0, np.inf, (), np.float64)))

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.stock = Stock(young=30.0, old=20.0 + 5 * self.np_random.random())
        self.year = 0
        return self._obs(), {}

    def _obs(self):
        return np.array(self.stock.young), np.array(self.stock.old)

    def step(self, action):
        effort = action / 5
        caught = effort * self.stock.old
        old = self.stock.old - caught
        shock = 1.0 + self.noise * self.np_random.uniform(-1, 1)
        born = 0.8 * old * (1 - old / self.capacity) * shock
        grown = 0.5 * self.stock.young
        self.stock = self.stock._replace(young=self.stock.young - grown + born, old=0.9 * old + grown)
        self.year += 1
        return self._obs(), caught, self.stock.old < 1.0, self.year >= 80, {"caught": caught}


class WildfireEnv(gym.Env):
    """A cellular automaton; the action sprays a cell."""

    EMPTY, TREE, FIRE = 0, 1, 2

    def __init__(self, size=8, spread=0.4):
        self.size = size
        self.spread = spread
        self.action_space = Discrete(size * size)
        self.observation_space = Box(0, 2, (size, size), dtype=np.uint8)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.forest = (self.np_random.random((self.size, self.size)) < 0.75).astype(np.uint8)
        r, c = self.np_random.integers(0, self.size, size=2)
        self.forest[r, c] = self.FIRE
        return self.forest.copy(), {"trees": np.sum(self.forest == self.TREE)}

    def _neighbours_on_fire(self, r, c):
        burning = 0
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if dr == 0 and dc == 0:
                    continue
                if 0 <= r + dr < self.size and 0 <= c + dc < self.size:
                    burning += self.forest[r + dr, c + dc] == self.FIRE
        return burning

    def step(self, action):
        r, c = divmod(action, self.size)
        sprayed = self.forest[r, c] == self.FIRE
        if sprayed:
            self.forest[r, c] = self.EMPTY
        new = self.forest.copy()
        for i in range(self.size):
            for j in range(self.size):
                if self.forest[i, j] == self.FIRE:
                    new[i, j] = self.EMPTY
                elif self.forest[i, j] == self.TREE:
                    chance = 1 - (1 - self.spread) ** int(self._neighbours_on_fire(i, j))
                    if self.np_random.random() < chance:
                        new[i, j] = self.FIRE
        self.forest = new
        trees = np.sum(self.forest == self.TREE)
        out = not np.any(self.forest == self.FIRE)
        return self.forest.copy(), float(trees) / self.size**2 + int(sprayed), out, False, {"trees": trees}


class LifeEnv(gym.Env):
    """Conway's life on a torus by rolls; toggle a cell, keep the number of the living near a target."""

    def __init__(self, shape=(6, 6), target=12):
        self.shape = shape
        self.target = target
        self.action_space = Discrete(shape[0] * shape[1] + 1)
        self.observation_space = Box(0, 1, shape, np.int8)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.cells = self.np_random.integers(0, 2, self.shape, dtype=np.int8)
        return self.cells, {}

    def step(self, action):
        if action > 0:
            row, col = np.unravel_index(action - 1, self.shape)
            self.cells[row, col] = 1 - self.cells[row, col]
        n = np.zeros(self.shape, dtype=np.int8)
        for dy in [-1, 0, 1]:
            for dx in [-1, 0, 1]:
                if dy or dx:
                    n += np.roll(np.roll(self.cells, dy, axis=0), dx, axis=1)
        self.cells = ((n == 3) | ((self.cells == 1) & (n == 2))).astype(np.int8)
        alive = int(self.cells.sum())
        return self.cells, -abs(alive - self.target), alive == 0, False, {"alive": alive}


class IrrigationEnv(gym.Env):
    """Water fields in turn; rain falls in spells; a dict of arrays."""

    def __init__(self, fields=3, tank=10.0):
        self.fields = fields
        self.tank = tank
        self.action_space = Discrete(fields + 1)
        self.observation_space = Dict(
            moisture=Box(0, 1, (fields,), np.float32), water=Box(0, tank, (1,), np.float32), raining=Discrete(2)
        )

    def _get_obs(self):
        return dict(
            moisture=self.moisture.astype(np.float32),
            water=np.array([self.water], dtype=np.float32),
            raining=int(self.raining),
        )

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.moisture = np.ones(self.fields) * 0.5
        self.water = self.tank
        self.raining = False
        self.growth = np.zeros(self.fields)
        self.day = 0
        return self._get_obs(), {}

    def step(self, action):
        if self.raining:
            self.raining = bool(self.np_random.random() < 0.6)
        else:
            self.raining = bool(self.np_random.random() < 0.1)
        if action < self.fields and self.water >= 1:
            self.water -= 1
            self.moisture[action] += 0.3
        if self.raining:
            self.moisture += 0.1
            self.water = min(self.water + 0.5, self.tank)
        self.moisture -= self.np_random.uniform(0.01, 0.08, size=self.fields)
        self.moisture = self.moisture.clip(0, 1)
        ideal = np.abs(self.moisture - 0.6) < 0.2
        self.growth[ideal] += 1
        self.day += 1
        withered = bool(np.all(self.moisture < 1e-3))
        return self._get_obs(), float(ideal.mean()), withered, self.day >= 90, {"growth": self.growth.copy()}
