"""Dicts of a class are Python's: keys that come on some paths only, and changes under one name or another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.vector import SyncVectorEnv
from palaestra.error import CannotCompile
from palaestra.runner.classes.copies import Copies
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.samples import CLASS, assert_same, env_of, with_code
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


def test_an_info_that_an_attribute_of_all_resets_decides_is_refused() -> None:
    """Before the first reset the attribute is another, which the reset reads."""
    text = CLASS.replace('{"v": 0}', "2.5").replace("BEGIN", "self.x += self.cfg; self.cfg = 9.0")
    kind = env_of(text.replace("ACT", "if self.cfg > 5.0: info['u'] = 1"))

    with pytest.raises(CannotCompile, match="whether there is an info depends on an attribute"):
        PlainVectorEnv(kind, 2, trial="off").reset(seed=0)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize(
    ("first", "later"),
    [
        ("np.array([1.0, 2.0, 3.0])", "0.5"),
        ("1.5", "np.array([[1.0, 2.0]])"),
        ("True", "0.5"),
        ("True", "np.bool_(False)"),
        ("np.uint64(3)", "np.int8(-1)"),
        ("np.int64(2) ** 60", "0.5"),
    ],
)
def test_infos_of_one_type_after_a_reset_and_of_another_after_a_step(mode: str, first: str, later: str) -> None:
    kind = env_of(SOMETIMES.replace('"v": 1', f'"v": {first}').replace("self.s * 0.5", later))
    ours = PlainVectorEnv(kind, 9, autoreset_mode=mode, trial="off")

    assert_same_episodes(ours, SyncVectorEnv([kind] * 9, autoreset_mode=mode), 7, 60)


@pytest.mark.parametrize(
    "act",
    [
        "d = {'t': 1.0}\nif action:\n    d['u'] = 2.0\nself.x += d['t'] + ('u' in d) + ('w' in d)",
        "d = {'d': {'t': 1.0}, 'e': 2}\nd['d']['t'] += 9\nself.x += d['d']['t'] * d['e']",
        "self.cfg['v'] += 1\nd = self.cfg\nself.x += d['v']",
        "d = {**self.cfg, 'w': 1}\nself.cfg['v'] += 1\nself.x += d['v'] - d['w']",
        "d = {'a': 1.0, 'b': 2.0}\nfor v in d.values():\n    d['b'] += 10.0\n    self.x = self.x * 0.5 + v",
        "d = {'a': 1.0, 'b': 2.0}\nv, k = d.values(), d.keys()\nd['a'] = 7.0\nd['c'] = 1.0\nself.x = sum(v) + len(k)",
        "d = {'a': 1.0, 'b': 2.0}\nfor k, v in d.items():\n    d[k] = v * 2 + self.x\nself.x = d['a'] % 7 + d['b'] % 3",
        "d = {0: 3.0, 1: 2.0}\nself.x += d[action % 2]\nd[action % 2] = 5.0\nself.x += d[0] - d[1]",
        "d = {'a': 1.0}\ne = d\ne |= {'b': 2.0}\nf = d | {'a': 3.0}\nself.x = len(d) + f['a'] + d['a'] + f['b']",
        "d = {0: 3.0}\nself.x = d.setdefault(1, 2.0) + d.setdefault(0, 7.0)\nself.x += d.pop(1) + d.pop(9, 5) + len(d)",
        "d = {k: k * 2.0 for k in range(3) if k != 1}\ne = d.copy()\ne[0] = 1.0\nself.x = d.get(action, 0.25) + e[0]",
        "d = dict(zip(('a', 'b'), self.b), c=4.0)\nself.x = sum(d.values())\nfor k in d:\n    self.x += k in 'ac'",
        "d = {}\nfor k in range(action):\n    d['k'] = k\nself.x = d.get('k', 0.5) + ('k' in d)",
    ],
)
def test_dicts_in_a_step(act: str) -> None:
    assert_same(with_code("self.cfg = {'v': 0}", act))


def test_a_dict_of_the_state_that_gets_keys_is_read_in_its_order() -> None:
    read = "for v in self.d.values():\n    self.x = self.x * 0.5 + v\n"
    assert_same(with_code("self.d = {'b': 1.0}", f"{read}self.d['a'] = 5.0\n{read}self.d = {{'a': self.x, 'b': 1.0}}"))


@pytest.mark.parametrize(
    ("begin", "act"),
    [
        ("pass", "d = {}\nif action:\n    d['a'] = 2.0\nd['b'] = 1.0\nd['a'] = 3.0"),
        ("pass", "d = {'a': 1.0} if action else {'b': 2.0, 'a': 3.0}\nd['b'] = 5.0"),
        ("pass", "d = {'a': 1.0, 'b': 2.0} if action else {'b': 2.0, 'a': 3.0}"),
        ("self.d = {'a': 1.0, 'b': 2.0}", "d = self.d\nself.d = {'b': self.x, 'a': 1.0}"),
    ],
)
def test_a_dict_whose_order_depends_on_the_path_is_not_read_as_a_whole(begin: str, act: str) -> None:
    run = "\nfor v in d.values():\n    self.x = self.x * 0.5 + v"
    with pytest.raises(
        CannotCompile, match="missing, or at another place, on some paths: give it the same keys in the"
    ):
        ClassDynamics(Copies(with_code(begin, act + run)()))
    assert_same(with_code(begin, f"{act}\nself.x = self.x * 0.5 + d['a'] + 2 * d['b']\ninfo |= d"))


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
def test_a_dict_with_two_names_is_one(act: str) -> None:
    assert_same(with_code("self.cfg = {'v': 0}", act))


def test_a_dict_that_a_method_keeps_is_one() -> None:
    """And one that it was given, or that it reads while it changes it."""
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
        assert_same(env_of(_with(methods, act)))


def _with(methods: str, act: str) -> str:
    lines = CLASS.replace("BEGIN", "self.cfg = {'v': 0}").replace("ACT", act.replace("\n", "\n        "))
    return lines + methods


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("if action:\n    info['u'] = 1\nfor key in info:\n    self.x += 1", "whose key 'u' is missing"),
        ("d = {}\nfor k in range(action):\n    d['k'] = k\nself.x += sum(d.values())", "whose key 'k' is missing"),
    ],
)
def test_what_may_be_missing_is_not_read_as_a_whole(act: str, reason: str) -> None:
    with pytest.raises(CannotCompile, match=reason):
        ClassDynamics(Copies(with_code("pass", act)()))


def test_a_key_that_is_missing_raises() -> None:
    assert_same(with_code("pass", "if self.x < 1e6:\n    info['u'] = 1\nself.x += info['u']"))
    _assert_raises(with_code("pass", "if self.x < 50:\n    info['u'] = 1\nself.x += info['u']"), KeyError)


@pytest.mark.parametrize("act", ["d[self.b] = 1.0", "self.x = {0: 1.0}[self.b]", "self.x = float([1.0] in d)"])
def test_a_key_without_a_hash_raises(act: str) -> None:
    _assert_raises(with_code("pass", f"d = {{0: 0.5}}\nif self.x >= 50:\n    {act}\nself.x += 1.0"), TypeError)


def _assert_raises(kind: Any, *errors: type[Exception]) -> None:
    """Its step 51 raises in Python, which is behind the sample."""
    for envs in (PlainVectorEnv(kind, 2, trial="off"), SyncVectorEnv([kind] * 2)):
        envs.reset(seed=1)
        for _ in range(50):
            envs.step(np.array([0, 1]))
        with pytest.raises(errors):
            envs.step(np.array([0, 1]))


def test_named_arguments_are_handed_on() -> None:
    """A method may take any; they are a dict."""
    assert_same(env_of(SOMETIMES.replace("self.s = 0", "self.s = len(kwargs)")))
    twice = "d = {'a': 1.0}\nself.x = self.summed(**d, b=action)"
    method = "\n    def summed(self, **named):\n        return named['a'] + 2 * named['b']\n"
    assert_same(env_of(_with(method, twice)))


def test_an_argument_that_is_there_twice_raises() -> None:
    method = "\n    def taken(self, **named):\n        return named['a']\n"
    act = "if self.x >= 50:\n    self.x = self.taken(a=1.0, **{'a': 2.0})\nself.x += 1.0"
    _assert_raises(env_of(_with(method, act)), TypeError, KeyError)  # Python 3.11 forgets what it means to say


def test_a_batch_without_such_keys_tells_none() -> None:
    kind: Any = with_code("pass", "if self.x > 1e8:\n    info['far'] = True")
    ours = PlainVectorEnv(kind, 2)

    assert ours.reset(seed=1)[1] == {}
    assert ours.step(ours.action_space.sample())[4] == {}
