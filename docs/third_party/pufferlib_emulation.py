"""PufferLib: its emulation around flat and nested spaces, serially and in worker processes."""

import hashlib

import numpy as np
import pufferlib.emulation
import pufferlib.vector

import gymnasium
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete, Tuple


class Nested(gymnasium.Env):
    """A picture and a pair, for 20 steps; two numbers as an action."""

    observation_space = Dict(
        image=Box(0, 255, (4, 4, 3), np.uint8), pair=Tuple((Discrete(5), Box(-1, 1, (2,), np.float32)))
    )
    action_space = MultiDiscrete([3, 4])

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        return self.seen(), {}

    def seen(self):
        pair = (int(self.np_random.integers(5)), self.np_random.uniform(-1, 1, 2).astype(np.float32))
        return {"image": self.np_random.integers(0, 256, (4, 4, 3), dtype=np.uint8), "pair": pair}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.steps += 1
        return self.seen(), float(action[0]), self.steps == 20, False, {"steps": self.steps}


def maker(name):
    def make():
        env = Nested() if name == "Nested" else gymnasium.make(name)
        return pufferlib.emulation.GymnasiumPufferEnv(env=env)

    return make


def played(name, backend, **how):
    """Returns the observations of 100 steps as a digest, and the sum of their rewards."""
    envs = pufferlib.vector.make(maker(name), num_envs=2, backend=backend, **how)
    observations, _ = envs.reset(seed=7)
    seen, total = hashlib.sha256(np.ascontiguousarray(observations).tobytes()), 0.0
    envs.action_space.seed(3)
    for _ in range(100):
        observations, rewards, _, _, _ = envs.step(envs.action_space.sample())
        seen.update(np.ascontiguousarray(observations).tobytes())
        total += float(np.sum(rewards))
    envs.close()
    return seen.hexdigest()[:8], round(total, 3)


if __name__ == "__main__":
    said = []
    for name in ("CartPole-v1", "LunarLander-v3", "Hopper-v5", "Nested"):
        serial = played(name, pufferlib.vector.Serial)
        assert serial == played(name, pufferlib.vector.Multiprocessing, num_workers=2)
        said.append(f"{name} {serial[1]:g} ({serial[0]})")
    print(f"GymnasiumPufferEnv, 2 x 100 steps, serial and in workers, with the returns {', '.join(said)}")
