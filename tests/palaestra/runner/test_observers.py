"""A subclass that overrides the method of an environment's observations is heard."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.classic_control import AcrobotEnv, PendulumEnv
from gymnasium.envs.toy_text import BlackjackEnv
from gymnasium.functional import FunctionalEnv
from gymnasium.vector import SyncVectorEnv
from palaestra.runner import CompiledVectorEnv


class Shifted(PendulumEnv):
    def _get_obs(self) -> Any:
        return super()._get_obs() + np.float32(self.state[1] * 0.0 + 0.5)


class Halved(AcrobotEnv):
    def _get_ob(self) -> Any:
        return super()._get_ob() / 2


class Card(BlackjackEnv):
    def _get_obs(self) -> Any:
        total, _, ace = super()._get_obs()
        assert self.dealer is not None
        return total, self.dealer[1], ace


KINDS: list[tuple[type[FunctionalEnv], Any]] = [
    (Shifted, lambda own, env: own + np.float32(0.5)),
    (Halved, lambda own, env: own / 2),
    (Card, lambda own, env: (own[0], env.dealer[1], own[2])),
]


@pytest.mark.parametrize(("kind", "told"), KINDS)
@pytest.mark.parametrize("copied", [lambda env: env, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_it_observes_in_reset_and_step(kind: Any, told: Any, copied: Any) -> None:
    env, own = kind(), kind.__mro__[1]()
    found, expected = env.reset(seed=3)[0], own.reset(seed=3)[0]
    assert np.array_equal(found, told(expected, own))
    env = copied(env)
    env.action_space.seed(1)
    for _ in range(20):
        action = env.action_space.sample()
        found, reward, *ends, _ = env.step(action)
        expected, *others, _ = own.step(action)
        assert np.array_equal(found, told(expected, own))
        assert [reward, *ends] == others
        if ends[0]:
            assert np.array_equal(env.reset(seed=4)[0], told(own.reset(seed=4)[0], own))


@pytest.mark.parametrize("kind", [Shifted, Halved, Card])
def test_a_batch_of_python_obeys_and_a_compiled_one_refuses(kind: Any) -> None:
    env, envs = kind(), SyncVectorEnv([kind] * 2)
    alone, rows = env.reset(seed=5)[0], envs.reset(seed=5)[0]
    row = tuple(column[0] for column in rows) if isinstance(rows, tuple) else rows[0]
    assert np.array_equal(row, alone)
    with pytest.raises(TypeError, match=f"{kind.__name__} overrides `{kind.observer}`"):
        CompiledVectorEnv(kind, 2)
