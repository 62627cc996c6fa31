"""The step that resets takes no action: whatever outlives an episode is what the step before left."""

from __future__ import annotations

import pytest

from gymnasium.functional import FunctionalEnv
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from palaestra.runner import CompiledVectorEnv
from palaestra.runner.classes.vector_env import PlainVectorEnv
from tests.palaestra.runner.classes.samples import env_of
from tests.palaestra.runner.dynamics import Walk
from tests.plain_zoo.duel import assert_same_episodes

CURRICULUM = """\
class E(gymnasium.Env):
    observation_space, action_space = Box(-np.inf, np.inf, (4,), np.float64), Discrete(4)
    def __init__(self):
        self.bonus = 1
        self.score, self.level, self.best, self.steps = 0, 0, 0.0, 0
    def seen(self):
        return np.array([self.score, self.level, self.best, self.steps], dtype=np.float64)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if self.score >= 12:
            self.level += self.score
        self.score = 0
        return self.seen(), {"level": self.level}
    def step(self, action):
        self.steps += 1
        self.score += int(action) * self.bonus
        self.best = max(self.best, self.score * 1.0)
        DRAW
        return self.seen(), self.best, self.score >= 12, self.score == 7, {"steps": self.steps, "score": self.score}
"""
DRAWS = {"none": "pass", "each step": "self.best += self.np_random.random()"}
CURRICULA = {name: env_of(CURRICULUM.replace("DRAW", draw)) for name, draw in DRAWS.items()}


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("n", [3, 9])
@pytest.mark.parametrize("draws", DRAWS)
def test_what_outlives_an_episode(draws: str, n: int, mode: str) -> None:
    """Counters, best scores, curricula, draws, params and infos, with resets of some environments in between."""
    kind = CURRICULA[draws]
    ours = PlainVectorEnv(kind, n, autoreset_mode=mode, trial="off", max_episode_steps=9)
    sync = SyncVectorEnv([lambda: TimeLimit(kind(), 9)] * n, autoreset_mode=mode)

    for seed, bonus in enumerate((1, 2)):
        for envs in (ours, sync):
            envs.set_attr("bonus", bonus)
        assert_same_episodes(ours, sync, seed, 80)

    for name in ("level", "best", "steps"):
        assert ours.get_attr(name) == sync.get_attr(name)


@pytest.mark.parametrize("n", [3, 8])
def test_draws_of_dynamics_whose_episodes_end(n: int) -> None:
    ours = CompiledVectorEnv(Walk(), n, max_episode_steps=5)
    sync = SyncVectorEnv([lambda: TimeLimit(FunctionalEnv(Walk()), 5)] * n)

    assert_same_episodes(ours, sync, 1, 40)
