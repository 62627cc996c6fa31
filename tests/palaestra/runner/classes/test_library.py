"""Functions of NumPy and Python in classes give the same results."""

from __future__ import annotations

from typing import Any

import pytest

from gymnasium.vector import SyncVectorEnv
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.samples import env_of
from tests.plain_zoo.duel import assert_same_episodes

HEAD = """\
import math
from enum import IntEnum
class Side(IntEnum):
    LEFT = 0
    RIGHT = 3
class E(gymnasium.Env):
    observation_space = Box(-np.inf, np.inf, (SIZE,), np.float64)
    action_space = Discrete(4)
    table, words, places, halls = {0: 5, 1: 7}, {3: 1.5, 8: 2.5}, [(0, 1), (2, 3), (1, 0)], [4, 6, 9, 6]
    box = Box(-1.0, 9.0, (3,), np.float64)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.k, self.last, self.other = 0, None, None
        self.f, self.n = np.array([0.5, -1.5, 2.5]), np.array([3, 1, 2])
        self.g, self.m = np.array([[0.5, 1.5, 2.5], [3.5, 4.5, 5.5]]), np.array([[1, 2, 3], [4, 5, 6]])
        self.s = np.array([0.25, 0.5, 3.0], np.float32)
        self.marks = [0, 0, 0]
        return np.zeros(SIZE), {}
    def step(self, action):
        a = int(action)
        self.k += a
        f, n, g, m, s, k, rng = self.f, self.n, self.g, self.m, self.s, self.k, self.np_random
        out = np.zeros(SIZE)
        ACT
        self.marks[a % 3] += 1
        self.other = a if a > 1 else None
        self.last = a
        return out, 0.0, k > 20, False, {}
"""
SHAPES = """\
out[#] = float(np.roll(g, -1, axis=0)[0, 1])
out[#] = float(np.roll(g, a, axis=1)[1, 0])
out[#] = float(np.rot90(g, 0)[0, 0])
out[#] = float(np.rot90(g)[0, 0])
out[#] = float(np.rot90(g, 2)[0, 0])
out[#] = float(np.rot90(g, 3)[0, 0])
out[#] = float(np.sum(np.pad(f, 1, constant_values=2.0)))
out[#] = float(np.pad(g, ((1, 0), (2, 1)))[1, 2])
out[#] = float(np.repeat(n, 2)[3])
out[#] = float(np.tile(f, 2)[4])
out[#] = float(np.argwhere(m > 2)[0, 1])
h = f.copy()
h[h > 0.0] = a
out[#] = float(h[0])
h[h > 5.0] = f[h > 5.0]
out[#] = float(np.sum(h))
w = g.copy()
w[w > 2.0] = -1.0
out[#] = float(w[1, 1])
""".splitlines()
NUMBERS = """\
out[#] = float(np.sum(s))
out[#] = float(np.mean(s))
out[#] = float(round(a * 0.37, 1))
out[#] = float(sorted([a, 2, 1])[0])
out[#] = float(math.isclose(a * 1.0, 2.0))
out[#] = float(np.isclose(a * 0.5, 1.0))
out[#] = float(np.allclose(f, g[0]))
out[#] = float(Side(3 if a else 0))
out[#] = float(a**3 + 2**a)
out[#] = float(np.sign(a - 2))
out[#] = float(np.sum(n > a))
for i in range(k, 0, -2):
    out[#] = float(i)
""".splitlines()
LISTS = """\
out[#] = float(self.table[a % 2])
out[#] = float(self.words[3 if a else 8])
out[#] = float(a in self.halls)
out[#] = float(self.halls.index(6 if a else 9))
out[#] = float(self.marks.count(a))
out[#] = float((a, 1) in self.places)
out[#] = float(self.places.index((2, 3) if a else (0, 1)))
out[#] = float(self.marks == [1, 0, 0])
out[#] = float(self.box.contains(f))
out[#] = float(self.last == self.other)
if self.last is not None:
    out[#] = float(self.last + 1)
values = [1, 2, 3] if a else [0.5, 1.5, 2.5]
out[#] = float(values[1])
""".splitlines()
TYPES = """\
out[#] = float(f.astype(np.int64)[2])
out[#] = float(n.astype(np.int8)[1])
out[#] = float(n.astype(np.int16)[1])
out[#] = float(n.astype(np.int32)[1])
out[#] = float(n.astype(np.uint8)[1])
out[#] = float(n.astype(np.uint16)[1])
out[#] = float(n.astype(np.uint32)[1])
out[#] = float(np.any(s.reshape(1, 3) > a, axis=0)[1])
out[#] = float(np.all(m.astype(np.int32) > a, axis=1)[1])
out[#] = float(np.sum(m > a, axis=0)[2])
out[#] = float(np.sum(np.array([f[0], s[1]])))
out[#] = float(np.sum(np.array([s[0], s[1]])))
out[#] = float(np.sum(np.array([a, k])))
out[#] = float(np.where(a > 1, a, 0.5))
""".splitlines()
DRAWS = """\
out[#] = float(rng.choice(5, p=[0.1, 0.2, 0.3, 0.2, 0.2]))
out[#] = float(rng.choice(9, 3, replace=False)[1])
out[#] = float(rng.permutation(4)[0])
out[#] = float(rng.permutation(f)[0])
out[#] = float(rng.integers(0, 9, 5, dtype=np.int8)[4])
out[#] = float(rng.random(dtype=np.float32))
out[#] = float(rng.random(3, dtype=np.float32)[1])
out[#] = float(rng.choice(n, 2)[0])
h = f.copy()
rng.shuffle(h)
out[#] = float(h[0])
w = g.copy()
rng.shuffle(w)
out[#] = float(w[0, 0])
""".splitlines()


def class_of(lines: list[str]) -> Any:
    """A class whose observation has the result of each line."""
    numbered, size = [], 0
    for line in lines:
        numbered.append(line.replace("#", str(size)))
        size += "#" in line
    return env_of(HEAD.replace("ACT", "\n        ".join(numbered)).replace("SIZE", str(size)))


CLASSES = {
    "shapes": class_of(SHAPES),
    "numbers": class_of(NUMBERS),
    "lists": class_of(LISTS),
    "types": class_of(TYPES),
    "draws": class_of(DRAWS),
}


@pytest.mark.parametrize("name", CLASSES)
def test_each_function_gives_the_results_of_numpy(name: str) -> None:
    ours, sync = PlainVectorEnv(CLASSES[name], 3, trial="off"), SyncVectorEnv([CLASSES[name]] * 3)
    assert_same_episodes(ours, sync, 5, 40)
    ours.close()
