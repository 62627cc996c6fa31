"""Proximal policy optimisation (PPO) on Pong, from pixels; the algorithm is that of `ppo.py`.

    python examples/ppo_pong.py --out out/pong        two million steps, or fewer if the mean return reaches 19
    python examples/ppo_pong.py --steps 20000         a minute, to see that everything works
    python examples/ppo_pong.py --help                the settings

The network sees two small pictures, the last one and the one before it: the playing field only, at half the resolution.
That is enough to tell where the ball flies, for a twentieth of the arithmetic of the network in the DQN paper.

Source: Schulman et al. (2017), "Proximal policy optimization algorithms". It needs ale-py and PyTorch. From a clone:
`pip install ".[atari,torch]"`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter
from typing import Any

import ale_py
import numpy as np
import ppo
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import gymnasium as gym

ROWS = slice(14, 78)  # of the 84, the playing field: no score, no walls
SHAPE = (2, 32, 42)  # of an observation: pictures, rows, columns
ACTIONS = np.array([0, 2, 3])  # stay, up, down; the other three also press the button, which does nothing in play

# The settings that differ from those of `ppo.py`.
DEFAULTS = {
    "env_id": "ALE/Pong-v5",
    "num_envs": 16,
    "steps": 2_000_000,
    "threshold": 19.0,
    "rate": 7e-4,
    "epochs": 3,
    "scale": 1.0,
}


class PongPictures(gym.vector.VectorWrapper):
    """Two small pictures of the playing field as the observation, and three actions."""

    def __init__(self, env: gym.vector.VectorEnv) -> None:
        super().__init__(env)
        self.single_observation_space = gym.spaces.Box(0, 255, SHAPE, np.uint8)
        self.single_action_space = gym.spaces.Discrete(len(ACTIONS))
        self.pictures = np.zeros((env.num_envs, *SHAPE), np.uint8)
        self.over = np.zeros(env.num_envs, bool)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        observations, infos = self.env.reset(seed=seed, options=options)
        self.over[:] = False
        self.pictures[:] = small(observations)[:, None]
        return self.pictures.copy(), infos

    def step(self, actions: NDArray[np.int64]) -> tuple[Any, ...]:
        observations, rewards, terminated, truncated, infos = self.env.step(ACTIONS[actions])
        self.pictures[:, 0] = self.pictures[:, 1]
        self.pictures[:, 1] = small(observations)
        self.pictures[self.over, 0] = self.pictures[self.over, 1]  # nothing comes before a reset
        self.over = terminated | truncated
        return self.pictures.copy(), rewards, terminated, truncated, infos


def small(observations: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The playing field of each game at half the resolution; the brightest of four pixels stays, so the ball does."""
    field = observations[:, -1, ROWS]
    n, rows, columns = field.shape
    brightest: NDArray[np.uint8] = field.reshape(n, rows // 2, 2, columns // 2, 2).max(axis=(2, 4))
    return brightest


class PixelAgent(nn.Module):
    """One network with two ends: the probability of each action, and the expected return."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(SHAPE[0], 16, 4, stride=2), nn.ReLU(),
            nn.Conv2d(16, 16, 4, stride=2), nn.ReLU(),
            nn.Flatten(), nn.Linear(16 * 6 * 9, 128), nn.ReLU(),
        )  # fmt: skip
        self.actor, self.critic = nn.Linear(128, len(ACTIONS)), nn.Linear(128, 1)
        for layer in self.features:
            if isinstance(layer, nn.Conv2d | nn.Linear):
                nn.init.orthogonal_(layer.weight, 2**0.5)
                assert layer.bias is not None
                nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.actor.weight, 0.01)
        nn.init.orthogonal_(self.critic.weight, 1.0)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """The log-probabilities of the actions, and the expected return."""
        # Most of a picture has the colour of the background, which becomes 0.
        features = self.features((observations.reshape(-1, *SHAPE).float() - 87.0) / 128.0)
        return self.actor(features).log_softmax(-1), self.critic(features).squeeze(-1)

    def policy(self, action_space: gym.Space[Any], seed: int) -> Callable[[NDArray[np.uint8]], tuple[Tensor, Any]]:
        """The network as a policy of `rollout`."""

        def act(observations: NDArray[np.uint8]) -> tuple[Tensor, dict[str, Tensor]]:
            log_probs, values = self(torch.from_numpy(observations))
            actions = log_probs.exp().multinomial(1)
            return actions.squeeze(-1), {"log_prob": log_probs.gather(-1, actions).squeeze(-1), "value": values}

        return act

    def judge(self, observations: Tensor, actions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        log_probs, values = self(observations)
        chosen = log_probs.gather(-1, actions[:, None]).squeeze(-1)
        return chosen, -(log_probs.exp() * log_probs).sum(-1).mean(), values

    @torch.no_grad()
    def value(self, observations: NDArray[np.uint8]) -> Tensor:
        _, values = self.forward(torch.from_numpy(observations))
        return values

    def adapt(self, observations: Tensor) -> None:
        """Nothing: pictures always look alike."""


def made(options: argparse.Namespace) -> PongPictures:
    """The games: four frames a step, without the dice of -v5, which repeat an action now and then."""
    gym.register_envs(ale_py)
    return PongPictures(gym.make_vec(options.env_id, options.num_envs, repeat_action_probability=0.0, stack_num=1))


def train(options: argparse.Namespace) -> tuple[PixelAgent, list[ppo.Progress]]:
    start = perf_counter()
    torch.manual_seed(options.seed)
    agent = PixelAgent()
    return agent, ppo.improve(agent, ppo.Player(agent, made(options), options), start)


if __name__ == "__main__":
    ppo.parser.description = __doc__
    ppo.parser.set_defaults(**DEFAULTS)
    ppo.main(train)
