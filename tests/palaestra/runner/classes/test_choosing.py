"""Objects that exist already, of which a number chooses one: texts, nested tables, members of Enums, levels."""

from __future__ import annotations

import pytest

from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv
from palaestra.snapshots import restore, snapshot
from tests.palaestra.runner.classes.samples import env_of
from tests.plain_zoo.duel import assert_same_episodes

TABLES = """\
import enum
Suit = enum.Enum("Suit", "A B C D E F G H I J")
WORDS = "crane slate apple grape lemon mango peach berry melon olive onion chili basil thyme cumin clove anise".split()
LEVELS = [["#.#", "..."], ["###", "#.#"], ["...", "..."], [".#.", "###"], ["#..", "..#"]]
MAP = np.asarray(["+--+", "|R:|", "+--+"], dtype="c")
class E(gymnasium.Env):
    def __init__(self):
        self.observation_space, self.action_space = Box(-1e9, 1e9, (8,), np.float64), Discrete(17)
        self.P = {
            s: {
                a: [(0.5, (s + a) % 20, 0.5 * s, False), (0.5, s * a % 20, -1.0, s == 3)][s % 3 == 0 :]
                for a in range(4)
            }
            for s in range(20)
        }
        self.graph = {i: [j for j in range(20) if i * j % 7 == 1] for i in range(20)}
        self.cost = {(i, j): i * 10.5 + j for i in range(4) for j in range(5)}
        self.word, self.total = None, 0
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.word = WORDS[self.np_random.integers(len(WORDS))]
        self.s, self.t = int(self.np_random.integers(20)), 0
        self.suit, self.level = list(Suit)[self.np_random.integers(10)], LEVELS[self.np_random.integers(5)]
        return self.seen(0, 0, 0), {"word": self.word, "suit": self.suit}
    def seen(self, a, b, c):
        found = [self.s, len(self.graph[self.s]), self.word.count("e"), self.t, self.suit.value]
        return np.array([a, b, c, *found], np.float64)
    def step(self, action):
        self.t, self.total = self.t + 1, self.total + 1
        guess, hits, total, near = WORDS[action], 0, 0.0, 0
        for g, w in zip(guess, self.word):
            if g == w:
                hits += 1
            elif g in self.word:
                hits += 0.1
        for p, _, reward, _ in self.P[self.s][action % 4]:
            total += p * reward
        transitions = self.P[self.s][action % 4]
        _, self.s, reward, done = transitions[int(self.np_random.integers(len(transitions)))]
        for j in self.graph[self.s]:
            near += j
        cost = self.cost.get((self.s % 5, action % 5), -1.0)
        if (self.s % 6, 2) in self.cost:
            cost += self.cost[(self.s % 4, 2)]
        cost += sum(row.count("#") for row in self.level) + (MAP[1, self.t % 4] == b":")
        cell = self.level[action % 2][self.t % 3]
        if self.suit is Suit.A:
            cost += 100
        if guess == self.word:
            self.word = WORDS[action * 7 % 17]
        info = {"word": self.word, "cell": cell, "upper": self.word.upper(), "message": f"{guess} -> {self.word}"}
        return self.seen(hits, total, near), cost + (cell == "#") * 0.5, done or self.t > 20, False, info
"""


@pytest.mark.parametrize(("mode", "n"), [("NextStep", 1), ("SameStep", 5), ("Disabled", 9)])
def test_chosen_objects(mode: str, n: int) -> None:
    kind = env_of(TABLES)
    ours, sync = PlainVectorEnv(kind, n, autoreset_mode=mode), SyncVectorEnv([kind] * n, autoreset_mode=mode)
    assert_same_episodes(ours, sync, 1, 60)


def test_they_are_part_of_the_state() -> None:
    ours = PlainVectorEnv(env_of(TABLES), 3)
    ours.reset(seed=4)
    taken, before = snapshot(ours), ours.get_attr("word")
    for _ in range(30):
        ours.step(ours.action_space.sample())
    assert ours.get_attr("word") != before
    restore(ours, taken)
    assert ours.get_attr("word") == before
    ours.set_attr("word", "apple")
    assert ours.get_attr("word") == ("apple",) * 3
    with pytest.raises(TypeError, match="is held here"):
        ours.set_attr("word", "unheard")


@pytest.mark.parametrize(
    ("item", "error"),
    [
        ("self.graph[self.t * 30]", KeyError),
        ("WORDS[self.t * 9]", IndexError),
        ("self.cost[self.t, self.t]", KeyError),
    ],
)
def test_what_is_not_there_raises(item: str, error: type[Exception]) -> None:
    late = f"        if self.total > 600:\n            {item}\n"
    text = TABLES.replace("        guess, hits", f"{late}        guess, hits")
    ours = PlainVectorEnv(env_of(text), 2)
    ours.reset(seed=1)
    with pytest.raises(error):
        for _ in range(650):
            ours.step(ours.action_space.sample())


def test_a_chosen_list_is_not_changed() -> None:
    text = TABLES.replace("        guess, hits", "        WORDS[action].nothing = 1\n        guess, hits")
    with pytest.raises(CannotCompile):
        PlainVectorEnv(env_of(text), 1).reset(seed=1)


def test_a_part_of_a_constant_list_is_a_list() -> None:
    text = """\
NUMBERS, MORE, GOAL = [1, 2, 3], [7, 8], [1, 2, 3, 0]
class E(gymnasium.Env):
    observation_space, action_space = Discrete(1000), Discrete(3)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.tiles, self.t = GOAL[:], 0
        return 0, {}
    def step(self, action):
        self.t += 1
        self.tiles[0], self.tiles[action] = self.tiles[action], self.tiles[0]
        return sum(NUMBERS[1:] + MORE), float(self.tiles[0]), self.t > 9, False, {"same": NUMBERS[:2] == [1, 2]}
"""
    kind = env_of(text)
    assert_same_episodes(PlainVectorEnv(kind, 3), SyncVectorEnv([kind] * 3), 1, 30)
