"""examples/ppo.py with a loop over `step` in place of `palaestra.rollout`, which the reference does not have.

Networks, learning and settings are those of the example. The loop is as short as it can be here: PyTorch chooses the
actions, and all values and log-probabilities are computed at once when the steps are done.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

import gymnasium as gym

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
if not hasattr(gym, "rollout"):  # and so no policies for it either, which the example imports
    sys.modules["palaestra.policies"] = cast(Any, SimpleNamespace(MLP=None))
import ppo  # the example is found by the lines above


class Loop(ppo.Player):
    """Lets an agent act in environments that reset in a step of its own, AutoresetMode.NEXT_STEP."""

    def __init__(self, agent: ppo.Agent, envs: gym.vector.VectorEnv, options: argparse.Namespace) -> None:
        self.agent, self.envs, self.options = agent, envs, options
        self.bounds = None if agent.discrete else (envs.single_action_space.low, envs.single_action_space.high)
        self.observations: Any = [envs.reset(seed=options.seed)[0]]
        self.happened: Any = []
        self.over, self.returns = np.zeros(envs.num_envs, bool), np.zeros(envs.num_envs)

    @torch.no_grad()
    def collect(self) -> NDArray[np.float64]:
        """Play `horizon` steps; the returns of the episodes that ended."""
        self.observations, self.happened, ended = self.observations[-1:], [], []
        for _ in range(self.options.horizon):
            actions = self.chosen(ppo.flat(self.observations[-1])).numpy()
            taken = actions if self.bounds is None else np.clip(actions, *self.bounds)
            observations, rewards, terminated, truncated, _ = self.envs.step(taken)
            self.observations.append(observations)
            self.happened.append((actions, rewards, terminated, self.over))
            self.returns += rewards
            self.returns[self.over] = 0.0
            self.over = terminated | truncated
            ended.append(self.returns[self.over])
        return np.concatenate(ended)

    def chosen(self, observations: Tensor) -> Tensor:
        """Actions, drawn with the probabilities that the agent gives them."""
        outputs = self.agent.actor(self.agent.normalizer(observations))
        if self.agent.discrete:
            return outputs.softmax(-1).multinomial(1).squeeze(-1)
        return torch.normal(outputs, self.agent.log_std.exp().expand_as(outputs))

    @torch.no_grad()
    def batch(self) -> ppo.Batch:
        """What there is to learn from the steps."""
        actions, rewards, terminated, fresh = map(np.stack, zip(*self.happened, strict=True))
        observations, learned = np.stack(self.observations), ~fresh
        values = self.agent.value(observations.reshape(-1, *observations.shape[2:])).numpy()
        values = values.reshape(observations.shape[:2])
        advantages = self.advantages(rewards, values, terminated, fresh)
        seen, done = ppo.flat(observations[:-1][learned]), torch.from_numpy(actions[learned])
        log_prob = self.agent.judge(seen, done)[0]
        targets = (advantages + values[:-1])[learned]
        return ppo.Batch(seen, done, log_prob, *map(torch.from_numpy, (advantages[learned], targets)))

    def advantages(self, rewards: Any, values: Any, terminated: Any, fresh: Any) -> NDArray[np.float32]:
        """Generalized advantages; the step after an episode's end, which resets, is `fresh`, and ends the sum."""
        gamma, trace = self.options.gamma, self.options.trace
        errors = self.options.scale * rewards + gamma * values[1:] * ~terminated - values[:-1]
        over = np.concatenate([fresh[1:], self.over[None]])
        later = np.zeros(len(self.over))
        for t in reversed(range(len(errors))):
            errors[t] = later = errors[t] + gamma * trace * ~over[t] * later
        return errors.astype(np.float32)


if __name__ == "__main__":
    ppo.main(partial(ppo.train, player=Loop))
