"""`try` and `except`: what the body has done up to the exception stays done, and the handlers of its class run."""

from __future__ import annotations

import pytest

from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.samples import env_of
from tests.plain_zoo.duel import assert_same_episodes

TRY = """\
class IllegalMove(Exception):
    pass
class Worse(IllegalMove):
    pass
TABLE = {"a": 1, "b": 2}
class E(gymnasium.Env):
    names = ["a", "b", "c", "a", "b", "d"]
    def __init__(self):
        self.observation_space, self.action_space = Box(-1e9, 1e9, (5,), np.float64), Discrete(6)
        self.total = 0
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t, self.pile, self.score, self.a, self.errors = 0, [1, 2, 3], 0.0, np.zeros(4), 0
        return self.seen(), {}
    def seen(self):
        return np.array([self.t, len(self.pile), self.score, self.a.sum(), self.errors])
    def move(self, action):
        self.score += 0.5
        if action == 2:
            raise IllegalMove("no")
        if action == 3:
            raise Worse(f"bad {action}")
        self.score += 1
        return action * 2
    def step(self, action):
        self.t, self.total = self.t + 1, self.total + 1
        info = {}
        try:
            moved = self.move(action)
            self.a[action] += moved
        except Worse as error:
            self.errors += 10
            moved, info["worse"] = -1, True
        except IllegalMove:
            self.errors += 1
            moved = -2
        except IndexError:
            moved = -3
        try:
            self.score += 1 / (int(action) - 1)
        except ZeroDivisionError:
            self.score -= 7
        else:
            self.score += 0.25
        k = 0
        try:
            for i in range(6):
                k += self.pile.pop()
                if i == action:
                    break
        except IndexError:
            k += 100
        try:
            value = TABLE[self.names[action]]
        except KeyError:
            value = -5
        self.pile.append(int(action))
        try:
            value += float(self.pile.index(2))
        except ValueError:
            value += 0.125
        for j in range(3):
            try:
                if j == action:
                    raise ValueError
                value += self.names.index("z" if action == 5 else "c")
            except (ValueError, KeyError):
                try:
                    raise
                except ValueError:
                    value += 1000
                continue
            value += j
        try:
            int("x") if action == 4 else int("3")
        except Exception:
            value += 0.0625
        return self.seen(), float(moved + k + value), self.t > 12, False, info
"""


@pytest.mark.parametrize(("mode", "n"), [("NextStep", 1), ("SameStep", 5), ("Disabled", 9)])
def test_try(mode: str, n: int) -> None:
    kind = env_of(TRY)
    ours, sync = PlainVectorEnv(kind, n, autoreset_mode=mode), SyncVectorEnv([kind] * n, autoreset_mode=mode)
    assert_same_episodes(ours, sync, 1, 60)


def test_what_is_not_caught_is_raised() -> None:
    text = TRY.replace("except ValueError:\n            value += 0.125", "except KeyError:\n            value += 0.125")
    text = text.replace("self.pile.index(2)", "self.pile.index(2 if self.total > 600 else self.pile[-1])")
    ours = PlainVectorEnv(env_of(text), 2)
    ours.reset(seed=1)
    with pytest.raises(ValueError):  # the class's own, without a text
        for _ in range(650):
            ours.step(ours.action_space.sample())


def test_finally_is_refused() -> None:
    text = TRY.replace(
        "        else:\n            self.score += 0.25\n", "        finally:\n            self.score += 0.25\n"
    )
    with pytest.raises(CannotCompile, match="`finally` is not in the language"):
        PlainVectorEnv(env_of(text), 1).reset(seed=1)
