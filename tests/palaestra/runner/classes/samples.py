"""Plain environments for the tests of their translation."""

from __future__ import annotations

from typing import Any

import numpy as np

import gymnasium
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import SyncVectorEnv
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.plain_zoo.duel import assert_same_episodes


class CounterEnv(gymnasium.Env[Any, Any]):
    """Numbers, an array, a table, a helper that draws and writes, and an error of its own."""

    def __init__(self, size: int = 5, render_mode: str | None = None) -> None:
        self.observation_space = Box(-100.0, 100.0, (3,), np.float32)
        self.action_space = Discrete(3)
        self.moves = {0: -1, 1: 0, 2: 1}
        self.size, self.bonus = size, 0.5
        self.last: int | None = None
        self.visits = np.zeros(size, np.int64)
        self.episodes = 0
        self.render_mode = render_mode
        self.metadata = {"render_modes": ["ansi"]}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Begins anywhere."""
        super().reset(seed=seed)
        self.place, self.last = int(self.np_random.integers(self.size)), None
        self.visits = np.zeros(self.size, np.int64)
        self.episodes += 1
        return self.seen(), {}

    def seen(self) -> Any:
        """The observation."""
        return np.array([self.place, self.visits[self.place], self.episodes])  # of int64, in a Box of float32

    def moved(self, step: int) -> bool:
        """Moves, and returns whether that was possible."""
        before, self.place = self.place, min(max(self.place + step, 0), self.size - 1)
        return before != self.place

    def step(self, action: Any) -> Any:
        """Walks, with a bonus for a change of mind."""
        reward = self.bonus if self.last is not None and self.last != action else 0.0
        if self.moved(self.moves[action]):
            self.visits[self.place] += 1
        self.last = int(action)
        if self.visits.max() > 6:
            raise RuntimeError(f"{self.place} was visited too often")
        return self.seen(), reward, bool(self.visits.sum() > 9), False, {"last": self.last}

    def render(self) -> Any:
        """The place as text."""
        return f"at {self.place}"


def env_of(text: str) -> Any:
    """Returns what a class statement in a file of its own makes, with NumPy and the spaces as names."""
    import linecache

    name = f"<plain {abs(hash(text))}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"np": np, "gymnasium": gymnasium, "Box": Box, "Discrete": Discrete, "__name__": "samples"}
    exec(compile(text, name, "exec"), names)
    return names["E"]


CLASS = """\
class E(gymnasium.Env):
    table = np.zeros(3)
    def __init__(self):
        self.observation_space = Box(-1e9, 1e9, (1,), np.float64)
        self.action_space = Discrete(3)
        self.cfg = {"v": 0}
        self.home = np.zeros(3)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x, self.a, self.b = 0.0, np.zeros(3), np.ones(3)
        BEGIN
        return np.array([self.x]), {}
    def step(self, action):
        info = {}
        ACT
        return np.array([self.x]), self.x, False, False, info
"""


def with_code(begin: str, act: str) -> Any:
    """Returns a class with these statements in reset and in step."""
    lines = []
    for line in CLASS.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        for mark, code in (("BEGIN", begin), ("ACT", act)):
            if line.strip() == mark:
                line = "\n".join(indent + one for one in code.splitlines())
        lines.append(line)
    return env_of("\n".join(lines) + "\n")


def assert_same(kind: Any, steps: int = 60, seed: int = 3, n: int = 2) -> None:
    """Run machine code beside the class, which no trial has compared."""
    ours = PlainVectorEnv(kind, n, trial="off")
    assert_same_episodes(ours, SyncVectorEnv([kind] * n), seed, steps)
    ours.close()
