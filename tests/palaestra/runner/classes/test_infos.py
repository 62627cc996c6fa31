"""Infos that are no numbers: texts, tuples, lists, dicts, None, and values of one type or another; as in sync."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.vector_env import PlainVectorEnv
from palaestra.runner.kernels.forms import add_values
from tests.palaestra.runner.classes.samples import env_of
from tests.plain_zoo.duel import assert_same_episodes

TELLER = """\
import enum
class Phase(enum.Enum):
    DAY = 1
    NIGHT = 2
class E(gymnasium.Env):
    names = ["left", "stay", "right"]
    def __init__(self):
        self.observation_space, self.action_space = Discrete(100), Discrete(3)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t, self.score, self.path, self.x = 0, [0, 0], [], float(self.np_random.random())
        info = {"stage": "start", "score": tuple(self.score), "who": None, "v": 1, "path": list(self.path)}
        return self.t, {**info, **self.more(0)}
    def more(self, action):
        return {"x": self.x if self.score[0] else np.float64(0.5), "y": self.x if self.t else np.float32(self.x)}
    def step(self, action):
        self.t += 1
        self.x += 0.1
        self.path.append(int(action))
        self.score[action % 2] += 1
        info = {
            "stage": "won" if self.t % 5 == 0 else "on",
            "score": tuple(self.score),
            "action": self.names[action],
            "message": f"day {self.t}: {self.x:.3f} {{}}, {self.names[action]!r:>8}",
            "v": 2 ** (self.t % 20) if self.t % 3 else 0.5,
            "path": list(self.path),
            "nested": {"t": self.t, "deep": {"late": self.t > 2, "x": self.x}},
            "phase": Phase.DAY if self.t % 2 else Phase.NIGHT,
            "list": [self.t, self.x, np.float32(self.x)],
            "text": str(self.t) + "/" + repr(self.x) + "{0:>4}|{a!r:5}".format(action, a=self.t),
            "joined": ", ".join([self.names[action], "!"]),
            "x": action > 1,
            "parts": (np.array([self.t, 2.0]), self.t),
        }
        if self.t % 4 == 0:
            info["extra"] = "x%d" % 3
        if self.t % 4 == 1:
            info["who"] = None if action else list(self.score)
        return self.t, 0.0, self.t >= END + action, False, info
"""


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("end", [7, 30])  # the lists of longer episodes need more room
def test_infos_of_all_kinds(mode: str, end: int) -> None:
    kind = env_of(TELLER.replace("END", str(end)))
    ours, sync = PlainVectorEnv(kind, 3, autoreset_mode=mode), SyncVectorEnv([kind] * 3, autoreset_mode=mode)
    assert_same_episodes(ours, sync, 1, 80)


def test_texts_that_an_attribute_keeps_are_refused() -> None:
    text = TELLER.replace("self.t += 1\n", "self.t += 1\n        self.message = f'day {self.t}'\n").replace("END", "9")
    with pytest.raises(CannotCompile, match=r"self\.message is a text"):
        PlainVectorEnv(env_of(text), 1).reset(seed=1)


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        [1, 2.5],
        ["a", None],
        [(1, 2), (3,)],
        [{"a": 1}, {"a": 2}],
        [{"a": 1}, {"b": 2}],
        [np.float32(1), np.float32(2)],
        [np.array([1, 2]), np.array([3, 4])],
        [True, False],
    ],
)
def test_values_are_added_as_one_by_one(values: list[Any]) -> None:
    from gymnasium.vector._batch.infos import add_info

    rows = np.array([0, 2])
    ours: dict[str, Any] = {}
    add_values(ours, "key", values, rows, 3)
    one_by_one: dict[str, Any] = {}
    for i, value in zip(rows.tolist(), values, strict=True):
        add_info(one_by_one, {"key": value}, i, 3)
    assert repr(ours) == repr(one_by_one)
