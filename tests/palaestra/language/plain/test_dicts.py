"""Dicts of a class are Python's: keys that come on some paths only, and changes under one name or another."""

from __future__ import annotations

from typing import Any

import pytest

from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.language.plain import PlainVectorEnv
from palaestra.language.plain.dynamics import PlainDynamics
from tests.palaestra.language.plain.samples import CLASS, env_of, with_code
from tests.palaestra.language.plain.test_translation import assert_same
from tests.plain_zoo.duel import assert_same_episodes

SOMETIMES = """\
class E(gymnasium.Env):
    def __init__(self):
        self.observation_space, self.action_space = Discrete(10), Discrete(3)
    def reset(self, **kwargs):
        super().reset(**kwargs)
        self.s = 0
        return self.s, {"v": 1} if self.np_random.random() < 0.5 else {"flag": np.bool_(True), "first": 0.5}
    def shape(self, action):
        return {"bonus": np.array([self.s, 0.5])} if action > 1 else {}
    def step(self, action):
        info = {"t": self.s, "TimeLimit.truncated": bool(self.s > 4), "p q": np.arange(2), **self.shape(action)}
        self.s = (self.s + action) % 10
        if action == 1:
            info["v"] = self.s * 0.5
        if "v" in info:
            info["flag"] = np.bool_(self.s > 3)
        for k in range(action):
            info["k"] = k
        if self.s == 9:
            info.update(won=True, score=np.float32(self.s))
            return self.s, info["t"] + 0.5, True, False, info
        return self.s, 0.0, False, False, info | {"late": -1}
"""


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("n", [2, 9])
def test_keys_of_infos_that_come_at_times(mode: str, n: int) -> None:
    """A batch has the keys that some environment reports, in the types of those that do."""
    kind = env_of(SOMETIMES)
    ours = PlainVectorEnv(kind, n, autoreset_mode=mode, trial="off")
    sync = SyncVectorEnv([kind] * n, autoreset_mode=mode)

    assert_same_episodes(ours, sync, 7, 60)


@pytest.mark.parametrize(
    "act",
    [
        "d = {'t': 1.0}\nif action:\n    d['u'] = 2.0\nself.x += d['t'] + ('u' in d) + ('w' in d)",
        "d = {'d': {'t': 1.0}, 'e': 2}\nd['d']['t'] += 9\nself.x += d['d']['t'] * d['e']",
        "self.cfg['v'] += 1\nd = self.cfg\nself.x += d['v']",
        "d = {**self.cfg, 'w': 1}\nself.cfg['v'] += 1\nself.x += d['v'] - d['w']",
    ],
)
def test_dicts_in_a_step(act: str) -> None:
    assert_same(with_code("self.cfg = {'v': 0}", act))


@pytest.mark.parametrize(
    "act",
    [
        "d = info\nd.update(x=1)",
        "d = info\nd |= {'x': 1}",
        "pair = (info, 2)\ninfo['x'] = 1",
        "outer = {'d': info}\nouter['d']['x'] = 1",
        "one, other = {'t': 1}, {'t': 2}\nd = one if action else other\nd['t'] += 5\nself.x = one['t'] + 0.5",
        "d = self.cfg\nself.cfg['v'] += 1\nself.x += d['v']",
        "pair = (self.cfg, 1)\nself.cfg['v'] += 1\nself.x += pair[0]['v']",
        "d = {'v': 0}\nself.cfg = d\nd['v'] = 5\nself.x += self.cfg['v']",
        "d = {'v': 0}\nself.cfg = d\nself.cfg['v'] = 5\nself.x += d['v']",
    ],
)
def test_a_dict_with_two_names_is_not_changed(act: str) -> None:
    """Python shows the change under both."""
    with pytest.raises(CannotCompile, match=r"two names|holds it"):
        PlainDynamics(with_code("self.cfg = {'v': 0}", act)())


def test_a_dict_that_a_method_keeps_is_not_changed() -> None:
    """Nor one that it was given, or that it reads while it changes it."""
    methods = """
    def keep(self, d):
        self.cfg = d
    def handed(self, d):
        self.keep(d)
    def both(self, d):
        self.cfg['v'] += 1
        return d['v']
    def filled(self, d):
        d.update(x=1)
"""
    for act in (
        "d = {'v': 0}\nself.handed(d)\nd['v'] = 5",
        "self.x += self.both(self.cfg)",
        "self.filled(info)",
    ):
        kind = env_of(_with(methods, act))
        with pytest.raises(CannotCompile, match=r"two names|holds it"):
            PlainDynamics(kind())


def _with(methods: str, act: str) -> str:
    lines = CLASS.replace("BEGIN", "self.cfg = {'v': 0}").replace("ACT", act.replace("\n", "\n        "))
    return lines + methods


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("if self.x < 1e6:\n    info['u'] = 1\nself.x += info['u']", "on some paths only"),
        ("if action:\n    info['u'] = 'text'", r"u \(str\)"),
        ("if action:\n    info['u'] = 1\nfor key in info:\n    self.x += 1", "a loop goes through a dict"),
    ],
)
def test_what_may_be_missing_is_not_read(act: str, reason: str) -> None:
    with pytest.raises(CannotCompile, match=reason):
        PlainDynamics(with_code("pass", act)())


def test_named_arguments_are_handed_on() -> None:
    """A method may take any, as long as it does no more with them."""
    counted = SOMETIMES.replace("self.s = 0", "self.s = len(kwargs)")

    with pytest.raises(CannotCompile, match=r"takes `\*\*kwargs`"):
        PlainDynamics(env_of(counted)())


def test_a_batch_without_such_keys_tells_none() -> None:
    kind: Any = with_code("pass", "if self.x > 1e8:\n    info['far'] = True")
    ours = PlainVectorEnv(kind, 2)

    assert ours.reset(seed=1)[1] == {}
    assert ours.step(ours.action_space.sample())[4] == {}
