"""Planning without learning: try many futures of this moment, take the first action of a good one, and try again.

    python examples/planning.py                    plays CartPole, Taxi and HalfCheetah
    python examples/planning.py --episodes 10      plays each ten times

Two planners share one batch. Environment 0 is the one that is played; `palaestra.fork` copies its moment into all
others, which try out what could come next.

- Random shooting tries random sequences of actions, and follows the best one found so far.
- Monte-Carlo tree search grows a tree of moments, most where returns are high; random play tells what its leaves are
  worth.

Source: Kocsis & Szepesvari (2006), "Bandit based Monte-Carlo planning", ECML, for the choice within the tree.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, log, sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

import gymnasium as gym
import palaestra
from palaestra.runner import CompiledVectorEnv

if TYPE_CHECKING:
    from palaestra.mujoco.vector import MujocoVectorEnv

Batch: TypeAlias = "CompiledVectorEnv | MujocoVectorEnv"  # those whose environments have their states in arrays


class Planner(Protocol):
    """Plays environment 0 of a batch."""

    def action(self) -> Any:
        """Returns the action for environment 0, which is left as it is."""


def returns_of(envs: Batch, plans: NDArray[Any]) -> NDArray[np.float64]:
    """Returns what each environment earns with its plan until its episode ends, shape (n,).

    Args:
        envs: n environments.
        plans: Actions, shape (steps, n, ...).
    """
    total, running = np.zeros(envs.num_envs), np.ones(envs.num_envs, np.bool_)
    for actions in plans:
        _, rewards, terminations, truncations, _ = envs.step(actions)
        total += np.where(running, rewards, 0.0)
        running &= ~(terminations | truncations)
        if not running.any():
            break
    return total


class RandomShooting:
    """Follows the best of many random plans; at each step new ones compete with what is left of it.

    Args:
        steps: The length of a plan.
        repeats: How often an action is repeated within a plan, on average.
    """

    def __init__(self, envs: Batch, steps: int, repeats: float, seed: int) -> None:
        self._envs, self._steps, self._keep = envs, steps, 1.0 - 1.0 / repeats
        self._rng = np.random.default_rng(seed)
        envs.single_action_space.seed(seed)
        self._best: NDArray[Any] | None = None

    def action(self) -> Any:
        """Returns the action for environment 0, which is left as it is."""
        plans = self._random_plans()
        if self._best is not None:
            plans[:-1, 0] = self._best[1:]
        moment: Any = self._envs.get_state(0)
        palaestra.fork(self._envs, 0)
        best = int(np.argmax(returns_of(self._envs, plans)))
        self._envs.set_state(0, moment)
        self._best = plans[:, best].copy()
        return self._best[0]

    def _random_plans(self) -> NDArray[Any]:
        space, shape = self._envs.single_action_space, (self._steps, self._envs.num_envs)
        if isinstance(space, gym.spaces.Discrete):
            plans: NDArray[Any] = self._rng.integers(space.n, size=shape) + space.start
        else:
            assert isinstance(space, gym.spaces.Box)
            plans = self._rng.uniform(space.low, space.high, (*shape, *space.low.shape)).astype(space.dtype)
        for t in range(1, self._steps):
            again = self._rng.random(shape[1]) < self._keep
            plans[t, again] = plans[t - 1, again]
        return plans


@dataclass
class Node:
    """A moment in the tree."""

    moment: Any
    reward: float = 0.0  # of the step that led here
    final: bool = False
    visits: int = 0
    value: float = 0.0  # the return from here: of a leaf the mean of random play, else that of the best child
    children: list[Node] = field(default_factory=list)  # by action


def told(node: Node) -> float:
    """Returns the return from before the step that leads to a node."""
    return node.reward + node.value


class TreeSearch:
    """Monte-Carlo tree search by upper confidence bounds.

    Args:
        expansions: How many moments a search adds children to.
        steps: How many random steps tell the value of a leaf.
        exploration: The weight of the confidence bound, in units of the spread of the returns seen.
    """

    def __init__(self, envs: Batch, expansions: int, steps: int, exploration: float, seed: int) -> None:
        space = envs.single_action_space
        assert isinstance(space, gym.spaces.Discrete)
        self._envs, self._actions = envs, int(space.n)
        self._expansions, self._steps, self._exploration = expansions, steps, exploration
        self._rng = np.random.default_rng(seed)

    def action(self) -> int:
        """Returns the action for environment 0, which is left as it is."""
        root = Node(self._envs.get_state(0))
        self._low, self._high = inf, -inf
        for _ in range(self._expansions):
            path = [root]
            while path[-1].children:
                path.append(self._chosen(path[-1]))
            if not path[-1].final:
                self._expand(path[-1])
            for node in reversed(path):
                node.visits += 1
                if node.children:
                    node.value = max(map(told, node.children))
        self._envs.set_state(0, root.moment)
        return max(range(self._actions), key=lambda action: told(root.children[action]))

    def _chosen(self, node: Node) -> Node:
        spread = max(self._high - self._low, 1e-9)

        def bound(child: Node) -> float:
            return told(child) + self._exploration * spread * sqrt(log(node.visits + 1) / child.visits)

        return max(node.children, key=bound)

    def _expand(self, node: Node) -> None:
        """Add a child for each action; all environments play on from them, and tell what they are worth."""
        envs, n = self._envs, self._envs.num_envs
        envs.set_state(0, node.moment)
        palaestra.fork(envs, 0)
        first = np.arange(n) % self._actions
        _, rewards, terminations, truncations, _ = envs.step(first)
        ended = terminations | truncations
        moments = [envs.get_state(action) for action in range(self._actions)]
        later = np.where(ended, 0.0, returns_of(envs, self._rng.integers(self._actions, size=(self._steps, n))))
        for action, moment in enumerate(moments):
            values = later[action :: self._actions]
            child = Node(moment, float(rewards[action]), bool(ended[action]), 1, float(values.mean()))
            node.children.append(child)
            self._low, self._high = min(self._low, told(child)), max(self._high, told(child))


def played(envs: Batch, planner: Planner, seed: int, steps: int) -> tuple[float, int]:
    """Returns the return and the length of an episode of environment 0."""
    envs.reset(seed=[seed] * envs.num_envs)
    total, length = 0.0, 0
    while length < steps:
        action = planner.action()
        _, rewards, terminations, truncations, _ = envs.step(np.array([action] * envs.num_envs))
        total, length = total + float(rewards[0]), length + 1
        if terminations[0] or truncations[0]:
            break
    return total, length


TASKS: dict[str, tuple[int, int, Callable[[Batch, int], Planner]]] = {
    "CartPole-v1": (1024, 500, lambda envs, seed: TreeSearch(envs, 4, 60, 0.5, seed)),
    "Taxi-v4": (16_384, 200, lambda envs, seed: RandomShooting(envs, 30, 1.5, seed)),
    "HalfCheetah-v5": (128, 100, lambda envs, seed: RandomShooting(envs, 15, 3.0, seed)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--episodes", type=int, default=1)
    parser.add_argument("--env", choices=list(TASKS), action="append")
    arguments = parser.parse_args()
    for env_id in arguments.env or TASKS:
        n, steps, make_planner = TASKS[env_id]
        envs: Any = gym.make_vec(env_id, n)
        for seed in range(arguments.episodes):
            begun = perf_counter()
            total, length = played(envs, make_planner(envs, seed), seed, steps)
            pace = (perf_counter() - begun) / length * 1e3
            print(f"{env_id}, seed {seed}: return {total:.1f} in {length} steps, {pace:.0f} ms each")
        envs.close()


if __name__ == "__main__":
    main()
