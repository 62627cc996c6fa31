"""Deep Q-learning (DQN) on Atari games, from pixels: Pong unless you name another.

    python examples/dqn_pong.py                       a million steps, which takes hours
    python examples/dqn_pong.py --steps 4000 --warmup 1000     a minute, to see that everything works
    python examples/dqn_pong.py --help                the settings

The games run as one batch on the emulator's threads, and the network chooses all their actions at once. Random actions
come first, thousands of steps a second; then nearly all the time goes into updates of the network, one in four steps.

Source: Mnih et al. (2015), "Human-level control through deep reinforcement learning", Nature 518, with the optimiser of
Kingma & Ba (2015), "Adam". It needs ale-py and PyTorch 2.4. From a clone: `pip install ".[atari,torch]"`.
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
from gymnasium.spaces import Box, Discrete
from gymnasium.wrappers.vector import RecordEpisodeStatistics

STACK = 4  # pictures that the network sees at once, so that it shows which way the ball flies
GAMMA = 0.99  # discount: a reward one step later is worth this much
BATCH = 32  # transitions in an update
EVERY = 4  # steps between two updates
SYNC = 1000  # updates between two copies of the network that the targets come from
LAST_EPSILON = 0.02  # of the moves are random in the end; in the beginning all are

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("env_id", nargs="?", default="ALE/Pong-v5", help="the game (ALE/Pong-v5)")
parser.add_argument("--steps", type=int, default=1_000_000, help="of the agent, each of four frames (1000000)")
parser.add_argument("--num-envs", type=int, default=8, help="games at once (8)")
parser.add_argument("--warmup", type=int, default=10_000, help="random steps before the first update (10000)")
parser.add_argument("--exploration", type=int, default=100_000, help="steps until few moves are random (100000)")
parser.add_argument("--memory", type=int, default=100_000, help="steps remembered, of 7 kB each (100000)")
parser.add_argument("--rate", type=float, default=1e-4, help="of learning (0.0001)")
parser.add_argument("--seed", type=int, default=1, help="seed of everything (1)")
parser.add_argument("--report", type=int, default=1000, help="steps between two lines of progress (1000)")
parser.add_argument("--out", type=Path, help="a folder for the trained network (none)")
parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="where the network is")


class Transitions(NamedTuple):
    """A batch of transitions; tensors of shape (BATCH, ...)."""

    observations: Tensor  # shape (BATCH, STACK, 84, 84), uint8
    actions: Tensor
    rewards: Tensor
    terminated: Tensor
    following: Tensor  # the observations after the actions


class Memory:
    """The last steps of each game, each picture of them once: observations are put together when they are asked for.

    A row holds a picture of every game, and the actions on them. An episode of T steps takes T + 1 rows, in the last of
    which nothing is done.
    """

    def __init__(self, capacity: int, num_envs: int, shape: tuple[int, ...], seed: int) -> None:
        size = capacity // num_envs, num_envs
        self.frames = np.zeros((*size, *shape), np.uint8)
        self.ages = np.zeros(size, np.int64)  # steps since the episode began
        self.acted = np.zeros(size, bool)
        self.actions = np.zeros(size, np.int64)
        self.rewards = np.zeros(size, np.float32)
        self.terminated = np.zeros(size, bool)
        self.count = 0  # of rows ever seen
        self.rng = np.random.default_rng(seed)

    def see(self, frames: NDArray[np.uint8], ages: NDArray[np.int64]) -> None:
        row = self.count % len(self.frames)
        self.frames[row], self.ages[row], self.acted[row] = frames, ages, False
        self.count += 1

    def act(
        self,
        actions: NDArray[np.int64],
        rewards: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        acted: NDArray[np.bool_],
    ) -> None:
        """The last actions and their results, in the games that were not just reset."""
        row = (self.count - 1) % len(self.frames)
        self.actions[row], self.rewards[row], self.terminated[row], self.acted[row] = (
            actions,
            rewards,
            terminated,
            acted,
        )

    def sample(self, device: str) -> Transitions:
        kept, num_envs = min(self.count, len(self.frames)), self.frames.shape[1]
        # Not the oldest, whose earlier pictures are overwritten, nor the newest, which nothing has followed yet.
        rows = (self.count - kept + self.rng.integers(STACK, kept - 1, BATCH)) % len(self.frames)
        games = self.rng.integers(num_envs, size=BATCH)
        # Nothing was done at the end of an episode: take the step before.
        rows = np.where(self.acted[rows, games], rows, rows - 1)
        columns = (self.actions[rows, games], self.rewards[rows, games], self.terminated[rows, games])
        arrays = (self.stacked(rows, games), *columns, self.stacked(rows + 1, games))
        return Transitions(*(torch.from_numpy(array).to(device) for array in arrays))

    def newest(self) -> NDArray[np.uint8]:
        """The observation of each game now."""
        games = np.arange(self.frames.shape[1])
        return self.stacked(np.full_like(games, self.count - 1), games)

    def stacked(self, rows: NDArray[np.int64], games: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The last pictures up to each row; an episode's first one stands for those before it."""
        back = np.minimum(np.arange(STACK - 1, -1, -1), self.ages[rows % len(self.frames), games][:, None])
        return self.frames[(rows[:, None] - back) % len(self.frames), games[:, None]]


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


def made(env_id: str, num_envs: int) -> gym.vector.VectorEnv[Any, Any, Any]:
    """The games: four frames a step, small grey pictures; without the dice of -v5, as in the paper."""
    gym.register_envs(ale_py)
    envs = gym.make_vec(env_id, num_envs, repeat_action_probability=0.0, stack_num=1, reward_clipping=False)
    return RecordEpisodeStatistics(envs)


class Learner:
    """The network, and its older copy, which predicts the value after a step."""

    def __init__(self, actions: int, rate: float, device: str) -> None:
        self.device, self.updates = device, 0
        # Convolutions are a fifth faster where the channels of a pixel lie side by side.
        self.values, self.targets = (
            nn.utils.convert_conv2d_weight_memory_format(network(actions).to(device), torch.channels_last)
            for _ in range(2)
        )
        self.targets.load_state_dict(self.values.state_dict())
        self.optimizer = torch.optim.Adam(self.values.parameters(), lr=rate, fused=True)

    @torch.no_grad()
    def best(self, observations: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The action that is worth most in each game."""
        values: Tensor = self.values(scaled(torch.from_numpy(observations).to(self.device)))
        return values.argmax(dim=1).cpu().numpy()

    def update(self, batch: Transitions) -> float:
        """One step of Adam towards r + gamma max_a Q(s', a); returns the loss before it."""
        with torch.no_grad():
            best = self.targets(scaled(batch.following)).amax(dim=1)
            wanted = batch.rewards + GAMMA * best * ~batch.terminated
        values = self.values(scaled(batch.observations)).gather(1, batch.actions[:, None])[:, 0]
        loss = nn.functional.smooth_l1_loss(values, wanted)
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        self.optimizer.step()
        self.updates += 1
        if self.updates % SYNC == 0:
            self.targets.load_state_dict(self.values.state_dict())
        return float(loss.detach())


def train(options: argparse.Namespace) -> Learner:
    n = options.num_envs
    envs = made(options.env_id, n)
    assert isinstance(envs.single_observation_space, Box) and isinstance(envs.single_action_space, Discrete)
    choices = int(envs.single_action_space.n)
    learner = Learner(choices, options.rate, options.device)
    memory = Memory(options.memory, n, envs.single_observation_space.shape[1:], options.seed)
    rng = np.random.default_rng(options.seed)
    losses: deque[float] = deque([0.0], maxlen=100)
    returns: deque[float] = deque(maxlen=20)
    print(f"DQN on {n} of {options.env_id}, seed {options.seed}, on {options.device}")

    frames, _ = envs.reset(seed=options.seed)
    ages, over = np.zeros(n, np.int64), np.zeros(n, bool)
    memory.see(frames[:, 0], ages)
    step, told, start = 0, 0, perf_counter()
    while step < options.steps:
        left = 1 - (step - options.warmup) / options.exploration
        epsilon = 1.0 if step < options.warmup else max(LAST_EPSILON, left)
        actions, greedy = rng.integers(choices, size=n), rng.random(n) >= epsilon
        if greedy.any():
            actions[greedy] = learner.best(memory.newest()[greedy])
        frames, rewards, terminated, truncated, infos = envs.step(actions)
        memory.act(actions, np.sign(rewards), terminated, ~over)  # all games on one scale
        ages = np.where(over, 0, ages + 1)  # the step after the end only resets
        memory.see(frames[:, 0], ages)
        over = terminated | truncated
        if over.any():
            returns.extend(infos["episode"]["r"][over])
        step += n
        while learner.updates < (step - options.warmup) // EVERY:
            losses.append(learner.update(memory.sample(options.device)))
        if step - told >= options.report or step >= options.steps:
            mean = f"{np.mean(returns):6.1f}" if returns else "   ..."
            print(
                f"{step:>10,} steps   random {epsilon:4.0%}   mean return {mean}   loss {np.mean(losses):.5f}   "
                f"{(step - told) / (perf_counter() - start):>6,.0f} steps/s",
                flush=True,
            )
            told, start = step, perf_counter()
    envs.close()
    return learner


def main() -> None:
    options = parser.parse_args()
    if min(options.num_envs, options.steps, options.exploration, options.report) < 1:
        parser.error("--num-envs, --steps, --exploration and --report have to be at least 1")
    least = (STACK + 2) * options.num_envs
    if not least <= options.warmup <= options.memory:
        parser.error(f"--warmup has to be between {least}, for {options.num_envs} games, and --memory")
    torch.manual_seed(options.seed)
    learner = train(options)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        torch.save(learner.values.state_dict(), options.out / "network.pt")


if __name__ == "__main__":
    main()
