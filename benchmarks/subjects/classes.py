"""Two environments as people write them."""

from __future__ import annotations

from typing import Any

import numpy as np

import gymnasium
from gymnasium.spaces import Box, Dict, Discrete


class PlainCartPole(gymnasium.Env[Any, Any]):
    """CartPole as people write it: the state a tuple, the ends after `step`."""

    def __init__(self) -> None:
        self.gravity, self.masscart, self.masspole, self.length = 9.8, 1.0, 0.1, 0.5
        self.force_mag, self.tau = 10.0, 0.02
        self.observation_space = Box(-np.inf, np.inf, (4,), np.float32)
        self.action_space = Discrete(2)
        self.state: Any = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Near rest."""
        super().reset(seed=seed)
        self.state = self.np_random.uniform(-0.05, 0.05, size=(4,))
        return np.array(self.state, dtype=np.float32), {}

    def step(self, action: Any) -> Any:
        """One Euler step."""
        x, x_dot, theta, theta_dot = self.state
        force = self.force_mag if action == 1 else -self.force_mag
        cos, sin = np.cos(theta), np.sin(theta)
        mass = self.masscart + self.masspole
        pull = (force + self.masspole * self.length * theta_dot**2 * sin) / mass
        theta_acc = (self.gravity * sin - cos * pull) / (self.length * (4.0 / 3.0 - self.masspole * cos**2 / mass))
        x_acc = pull - self.masspole * self.length * theta_acc * cos / mass
        x, x_dot = x + self.tau * x_dot, x_dot + self.tau * x_acc
        theta, theta_dot = theta + self.tau * theta_dot, theta_dot + self.tau * theta_acc
        self.state = (x, x_dot, theta, theta_dot)
        terminated = bool(x < -2.4 or x > 2.4 or theta < -0.2095 or theta > 0.2095)
        return np.array(self.state, dtype=np.float32), 1.0, terminated, False, {}


class PlainGridWorld(gymnasium.Env[Any, Any]):
    """A grid world with observations that are dicts."""

    def __init__(self, size: int = 5) -> None:
        self.size = size
        square = Box(0, size - 1, (2,), np.int64)
        self.observation_space = Dict({"agent": square, "target": square})
        self.action_space = Discrete(4)
        self.directions = {0: np.array([1, 0]), 1: np.array([0, 1]), 2: np.array([-1, 0]), 3: np.array([0, -1])}

    def _observation(self) -> Any:
        return {"agent": self.agent, "target": self.target}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Both anywhere, apart."""
        super().reset(seed=seed)
        self.agent = self.np_random.integers(0, self.size, size=2)
        self.target = self.agent
        while np.array_equal(self.target, self.agent):
            self.target = self.np_random.integers(0, self.size, size=2)
        return self._observation(), {}

    def step(self, action: Any) -> Any:
        """One step."""
        self.agent = np.clip(self.agent + self.directions[action], 0, self.size - 1)
        terminated = np.array_equal(self.agent, self.target)
        return self._observation(), 1.0 if terminated else 0.0, terminated, False, {}
