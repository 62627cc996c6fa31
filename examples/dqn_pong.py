"""Deep Q-learning (DQN) on Atari games, from pixels: Pong unless you name another.

    python examples/dqn_pong.py                       a million steps, which takes hours
    python examples/dqn_pong.py --steps 4000 --warmup 1000     a minute, to see that everything works
    python examples/dqn_pong.py --help                what can be changed

Source: Mnih et al. (2015), "Human-level control through deep reinforcement learning", Nature 518, with the optimiser of
Kingma & Ba (2015), "Adam". It needs ale-py, OpenCV and PyTorch. From a clone: `pip install ".[atari,torch]"`.
"""

from __future__ import annotations

import argparse
from collections import deque
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import ale_py
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import gymnasium as gym
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation, RecordEpisodeStatistics

STACK = 4  # pictures in one observation, so that it shows which way the ball flies
GAMMA = 0.99  # discount: a reward one step later is worth this much
BATCH = 32  # transitions in an update
EVERY = 4  # steps between two updates
SYNC = 1000  # updates between two copies of the network that the targets come from
LAST_EPSILON = 0.02  # of the moves are random in the end; in the beginning all are

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("env_id", nargs="?", default="ALE/Pong-v5", help="the game (ALE/Pong-v5)")
parser.add_argument("--steps", type=int, default=1_000_000, help="of the agent, each of four frames (1000000)")
parser.add_argument("--warmup", type=int, default=10_000, help="random steps before the first update (10000)")
parser.add_argument("--exploration", type=int, default=100_000, help="steps until few moves are random (100000)")
parser.add_argument("--memory", type=int, default=100_000, help="steps remembered, of 7 kB each (100000)")
parser.add_argument("--rate", type=float, default=1e-4, help="of learning (0.0001)")
parser.add_argument("--seed", type=int, default=1, help="seed of everything (1)")
parser.add_argument("--report", type=int, default=1000, help="steps between two lines of progress (1000)")
parser.add_argument("--out", type=Path, help="a folder for the trained network (none)")
parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="where the network is")


class Transitions(NamedTuple):
    """A batch of what happened; tensors of shape (BATCH, ...)."""

    observations: Tensor  # shape (BATCH, STACK, 84, 84), uint8
    actions: Tensor
    rewards: Tensor
    terminated: Tensor
    following: Tensor  # the observations after the actions


class Memory:
    """The last steps, each picture of them once: observations are put together when they are asked for.

    An episode of T steps takes T + 1 places, the last of which has a picture and no action.
    """

    def __init__(self, capacity: int, shape: tuple[int, ...], seed: int) -> None:
        self.frames = np.zeros((capacity, *shape), np.uint8)
        self.ages = np.zeros(capacity, np.int64)  # steps since the episode began
        self.acted = np.zeros(capacity, bool)
        self.actions = np.zeros(capacity, np.int64)
        self.rewards = np.zeros(capacity, np.float32)
        self.terminated = np.zeros(capacity, bool)
        self.count = 0  # of pictures ever seen
        self.rng = np.random.default_rng(seed)

    def see(self, frame: NDArray[np.uint8], age: int) -> None:
        i = self.count % len(self.frames)
        self.frames[i], self.ages[i], self.acted[i] = frame, age, False
        self.count += 1

    def act(self, action: int, reward: float, terminated: bool) -> None:
        """What was done on the picture seen last, and what came of it."""
        i = (self.count - 1) % len(self.frames)
        self.actions[i], self.rewards[i], self.terminated[i], self.acted[i] = action, reward, terminated, True

    def sample(self, device: str) -> Transitions:
        kept = min(self.count, len(self.frames))
        # Not the oldest, whose earlier pictures are overwritten, nor the newest, which nothing has followed yet.
        places = (self.count - kept + self.rng.integers(STACK, kept - 1, BATCH)) % len(self.frames)
        # Nothing was done at the end of an episode: take the step before.
        places = np.where(self.acted[places], places, places - 1)
        columns = (self.actions[places], self.rewards[places], self.terminated[places])
        arrays = (self.stacked(places), *columns, self.stacked(places + 1))
        return Transitions(*(torch.from_numpy(array).to(device) for array in arrays))

    def stacked(self, places: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The observations as `FrameStackObservation` had them: an episode's first picture stands for earlier ones."""
        back = np.minimum(np.arange(STACK - 1, -1, -1), self.ages[places % len(self.frames)][:, None])
        return self.frames[(places[:, None] - back) % len(self.frames)]


def network(actions: int) -> nn.Sequential:
    """From observations to the value of each action."""
    return nn.Sequential(
        nn.Conv2d(STACK, 32, 8, stride=4),
        nn.ReLU(),
        nn.Conv2d(32, 64, 4, stride=2),
        nn.ReLU(),
        nn.Conv2d(64, 64, 3),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(64 * 7 * 7, 512),
        nn.ReLU(),
        nn.Linear(512, actions),
    )


def scaled(observations: Tensor) -> Tensor:
    return observations.float() / 255


def made(env_id: str) -> gym.Env[Any, Any]:
    """The game: four frames a step, small grey pictures, four of them in an observation."""
    gym.register_envs(ale_py)
    env = gym.make(env_id, frameskip=1, repeat_action_probability=0.0)  # without the dice of -v5, as in the paper
    env = RecordEpisodeStatistics(AtariPreprocessing(env, frame_skip=4, terminal_on_life_loss=False))
    return FrameStackObservation(env, STACK)


class Learner:
    """The network, and the older copy of it that says what to expect after a step."""

    def __init__(self, actions: int, rate: float, device: str) -> None:
        self.device, self.updates = device, 0
        self.values, self.targets = network(actions).to(device), network(actions).to(device)
        self.targets.load_state_dict(self.values.state_dict())
        self.optimizer = torch.optim.Adam(self.values.parameters(), lr=rate)

    @torch.no_grad()
    def best(self, observation: NDArray[np.uint8]) -> int:
        """The action that is worth most."""
        return int(self.values(scaled(torch.from_numpy(observation).to(self.device)[None])).argmax())

    def update(self, batch: Transitions) -> float:
        """One step of Adam towards r + gamma max_a Q(s', a); returns the loss before it."""
        with torch.no_grad():
            best = self.targets(scaled(batch.following)).amax(dim=1)
            wanted = batch.rewards + GAMMA * best * ~batch.terminated
        values = self.values(scaled(batch.observations)).gather(1, batch.actions[:, None])[:, 0]
        loss = nn.functional.smooth_l1_loss(values, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.updates += 1
        if self.updates % SYNC == 0:
            self.targets.load_state_dict(self.values.state_dict())
        return float(loss.detach())


def train(options: argparse.Namespace) -> Learner:
    env = made(options.env_id)
    learner = Learner(int(env.action_space.n), options.rate, options.device)
    memory = Memory(options.memory, env.observation_space.shape[1:], options.seed)
    rng = np.random.default_rng(options.seed)
    losses, returns, start = deque([0.0], maxlen=100), deque(maxlen=20), perf_counter()
    print(f"DQN on {options.env_id}, seed {options.seed}, on {options.device}")

    observation, _ = env.reset(seed=options.seed)
    age = 0
    memory.see(observation[-1], age)
    for step in range(1, options.steps + 1):
        left = 1 - (step - options.warmup) / options.exploration
        epsilon = 1.0 if step <= options.warmup else max(LAST_EPSILON, left)
        action = int(rng.integers(env.action_space.n)) if rng.random() < epsilon else learner.best(observation)
        observation, reward, terminated, truncated, info = env.step(action)
        age += 1
        memory.act(action, float(np.sign(reward)), terminated)  # all games on one scale
        memory.see(observation[-1], age)
        if terminated or truncated:
            returns.append(info["episode"]["r"])
            observation, _ = env.reset()
            age = 0
            memory.see(observation[-1], age)
        if step > options.warmup and step % EVERY == 0:
            losses.append(learner.update(memory.sample(options.device)))
        if step % options.report == 0 or step == options.steps:
            mean = f"{np.mean(returns):6.1f}" if returns else "   ..."
            print(
                f"{step:>10,} steps   random {epsilon:4.0%}   mean return {mean}   loss {np.mean(losses):.5f}   "
                f"{step / (perf_counter() - start):>6,.0f} steps/s",
                flush=True,
            )
    env.close()
    return learner


def main() -> None:
    options = parser.parse_args()
    if not STACK + 2 <= options.warmup <= options.memory or min(options.steps, options.exploration, options.report) < 1:
        parser.error(
            f"--steps, --exploration and --report have to be at least 1, and --warmup between {STACK + 2} and --memory"
        )
    torch.manual_seed(options.seed)
    learner = train(options)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        torch.save(learner.values.state_dict(), options.out / "network.pt")


if __name__ == "__main__":
    main()
