"""The types of final observations and of infos are those that the class returns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.trial import _differences
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.samples import env_of
from tests.plain_zoo.duel import assert_same_episodes

TEXT = """\
from gymnasium.spaces import Dict, MultiBinary, MultiDiscrete, Tuple
class E(gymnasium.Env):
    observation_space, action_space = SPACE, Discrete(4)
    def __init__(self):
        self.n, self.a = 0, np.int64(0)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.n, self.a = 1, np.int64(0)
        return SEEN, {"k": INFO}
    def step(self, action):
        self.n += int(action)
        self.a = action
        return SEEN, 0.5, self.n > 12, False, {"k": INFO}
"""
DEEP = "Dict({'b': Tuple((Discrete(50), Dict({'c': Box(-9, 99, (), np.float64)})))})"
SEEN = {
    "numbers of NumPy": (
        "Tuple((Discrete(50), Discrete(2), Discrete(50), Box(-9, 99, (), np.float64)))",
        "(self.a, np.int64(self.n) > 3, np.int32(self.n), np.float32(self.n))",
    ),
    "numbers of Python": (
        "Tuple((Discrete(50), Discrete(2), Box(-9, 99, (), np.float64), Box(-9, 99, (), np.float64)))",
        "(self.n, self.n > 3, 0.5 * self.n, self.n)",
    ),
    "sequences": (
        "Tuple((Box(-9, 99, (2,), np.float64), MultiBinary(2), MultiDiscrete([3, 3])))",
        "[[0.5 * self.n, 0.5], (1, self.n % 2), np.array([1, self.n % 3])]",
    ),
    "dicts in another order": (
        "Dict({'b': Discrete(50), 'a': Box(-9, 99, (1,), np.float64)})",
        "{'b': self.a, 'a': np.array([self.n], np.float32)}",
    ),
    "one in another": (DEEP, "{'b': (self.a, {'c': 0.5 * self.n})}"),
    "now of Python, now of NumPy": ("Discrete(50)", "self.a if self.n % 2 else 7"),
    "both, and rounded": (
        "Dict({'b': Discrete(50), 'a': Tuple((Discrete(50), Box(-9, 99, (), np.float32)))})",
        "{'a': (self.n, np.float64(self.n) / 3 if self.n % 2 else self.n / 7), 'b': self.a if self.n % 3 else 1}",
    ),
}
INFOS = "self.n", "self.a", "np.float32(self.n)", "self.n > 3", "np.int64(self.n) > 3", "np.array([self.n > 3, True])"


def class_of(space: str, seen: str, info: str = "self.n") -> Any:
    return env_of(TEXT.replace("SPACE", space).replace("SEEN", seen).replace("INFO", info))


def assert_same_types(kind: Any, mode: str) -> None:
    ours, sync = PlainVectorEnv(kind, 3, autoreset_mode=mode), SyncVectorEnv([kind] * 3, autoreset_mode=mode)
    assert_same_episodes(ours, sync, 1, 40)
    ours.close()


@pytest.mark.parametrize("name", SEEN)
def test_final_observations(name: str) -> None:
    assert_same_types(class_of(*SEEN[name]), "SameStep")


@pytest.mark.parametrize("info", INFOS)
def test_infos(info: str) -> None:
    assert_same_types(class_of("Discrete(50)", "self.n", info), "SameStep")


def test_a_type_that_changes_is_refused() -> None:
    space = "Box(-9, 99, (), np.float64)"
    with pytest.raises(CannotCompile, match="of which `final_obs` keeps no type"):
        PlainVectorEnv(class_of(space, "0.5 if self.n > 3 else self.n"), 3, autoreset_mode="SameStep")
    assert_same_types(class_of(space, "0.5 if self.n > 3 else float(self.n)"), "SameStep")


@pytest.mark.parametrize(
    ("python", "compiled", "remedy"),
    [
        (np.array([1.0]), np.array([1.0 + 1e-12]), "rtol=1e-09"),
        (np.array([0.0]), np.array([-0.0]), "write it with numbers"),
        (np.array([1.0]), np.array([2.0]), "write it with numbers"),
        (True, 1, "bool(...)"),
        (np.int64(1), 1, "int(...)"),
        ({"a": 1}, {"b": 1}, "the same keys"),
    ],
)
def test_a_tolerance_is_offered_for_rounding_only(python: Any, compiled: Any, remedy: str) -> None:
    ((_, instead),) = _differences("value", python, compiled, None)
    assert remedy in instead


SAYING = {
    "warnings.warn('late')": "a warning is given",
    "gymnasium.logger.warn('late')": "a warning is given",
    "gymnasium.logger.error('late')": "a warning is given",
    "LOG.warning('late')": "a message is logged",
    "logging.warning('late')": "a message is logged",
    "logging.getLogger('late').error('late')": "a message is logged",
    "print('late')": "reaches outside",
    "self.say()": "a warning is given",
}


@pytest.mark.parametrize("code", SAYING)
def test_what_a_late_step_says_is_refused_with_its_line(code: str) -> None:
    kind = env_of(
        "import logging, warnings\n"
        "LOG = logging.getLogger('test')\n"
        "class E(gymnasium.Env):\n"
        "    observation_space, action_space = Discrete(5), Discrete(4)\n"
        "    def reset(self, *, seed=None, options=None):\n"
        "        super().reset(seed=seed)\n"
        "        self.t = 0\n"
        "        return 0, {}\n"
        "    def say(self):\n"
        "        warnings.warn('late')\n"
        "    def step(self, action):\n"
        "        self.t += 1\n"
        "        if self.t > 250:\n"
        f"            {code}\n"
        "        return 0, 0.0, False, False, {}\n"
    )
    with pytest.raises(CannotCompile, match=SAYING[code]) as raised:
        PlainVectorEnv(kind, 2)
    (reason,) = raised.value.reasons
    assert (reason.file, reason.line) == (kind.step.__code__.co_filename, 10 if "say" in code else 14)
    assert "leave it out of reset and step" in reason.instead


@pytest.mark.parametrize("n", [2, 8])
def test_a_late_step_that_only_python_can_take_has_a_reason(n: int) -> None:
    kind = env_of(
        "class E(gymnasium.Env):\n"
        "    observation_space, action_space = Box(-np.inf, np.inf, (1,), np.float64), Discrete(2)\n"
        "    def reset(self, *, seed=None, options=None):\n"
        "        super().reset(seed=seed)\n"
        "        self.t, self.x = 0, 0.0\n"
        "        return np.zeros(1), {}\n"
        "    def step(self, action):\n"
        "        self.t += 1\n"
        "        if self.t > 250:\n"
        "            self.t = self.t ** 9\n"
        "        return np.array([self.x]), 0.0, False, False, {}\n"
    )
    envs = PlainVectorEnv(kind, n)
    envs.reset(seed=1)
    with pytest.raises(OverflowError, match="Environment 0: a number is beyond machine code"):
        for _ in range(255):
            envs.step(np.zeros(n, np.int64))


MIXED = """\
class E(gymnasium.Env):
    observation_space, action_space = Box(-99, 99, (2,), np.float64), Box(0, 1, (2,), np.float32)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x, self.marks = np.zeros(2), [0, 0]
        return self.x.copy(), {}
    def step(self, action):
        first, second = action
        self.x = np.array([self.x[0] + 1.0, first + second])
        return self.x.copy(), 0.0, False, False, {}
"""
LISTED = """\
class E(gymnasium.Env):
    observation_space, action_space = Box(0, 4, (2,), np.float64), Discrete(4)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.last = [0, 0]
        return np.array(self.last, dtype=np.float64), {}
    def step(self, action):
        self.last[0] = action
        return np.array(self.last, dtype=np.float64), 0.0, False, False, {}
"""
SINGLE = """\
class E(gymnasium.Env):
    observation_space, action_space = Box(-9, 9, (4,), np.float32), Discrete(2)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.y = self.np_random.normal(size=4).astype(np.float32)
        return self.y.copy(), {}
    def step(self, action):
        d = np.diff(self.y)
        return self.y.copy(), float(np.sum((d * d).astype(np.float64))), False, False, {}
"""


def test_floats_of_two_sizes_make_an_array() -> None:
    assert_same_types(env_of(MIXED), "NextStep")


@pytest.mark.parametrize("text", [LISTED, SINGLE])
def test_lists_and_arrays_of_other_types(text: str) -> None:
    assert_same_types(env_of(text), "NextStep")
