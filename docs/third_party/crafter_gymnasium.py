"""Crafter has Gym's interface of before 0.26: an environment around it."""

import crafter
import numpy as np

import gymnasium


class Crafter(gymnasium.Env):
    """Crafter, with today's interface."""

    observation_space = gymnasium.spaces.Box(0, 255, (64, 64, 3), np.uint8)
    action_space = gymnasium.spaces.Discrete(17)
    metadata = {"render_modes": []}
    render_mode = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._world = crafter.Env(seed=int(self.np_random.integers(2**31)))
        return self._world.reset(), {}

    def step(self, action):
        observation, reward, done, info = self._world.step(int(action))
        return observation, float(reward), bool(done and info["discount"] == 0), bool(done and info["discount"] > 0), {}


gymnasium.register("Crafter-v0", Crafter)
