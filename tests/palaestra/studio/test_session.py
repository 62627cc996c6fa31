"""Going back in time: whatever is seen again is what it was, and what is gone on from it is a branch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gymnasium.core import Env
from gymnasium.envs.registration import make
from gymnasium.spaces import Box, Discrete
from gymnasium.wrappers import NormalizeObservation
from palaestra.studio import session as sessions
from palaestra.studio.session import EVERY, MAX_BRANCHES, Session, StudioError

IDS = ["CartPole-v1", "FrozenLake-v1", "Taxi-v4", "LunarLander-v3", "Pendulum-v1", "InvertedPendulum-v5"]


class Silent(Env[int, int]):
    """An environment whose class cannot return its state; 13 as an action fails."""

    observation_space = Discrete(10**6)
    action_space = Discrete(20)
    resets = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self.resets += 1
        self.total = int(self.np_random.integers(100))
        return self.total, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        if action == 13:
            raise RuntimeError("thirteen")
        self.total += int(action) + int(self.np_random.integers(100))
        return self.total, float(self.total), False, False, {}


class Careless(Silent):
    """Its randomness does not come from its seed."""

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        self.total += int(np.random.default_rng().integers(1, 10**6 - 10**4)) - self.total
        return self.total, 0.0, False, False, {}


def played(env: Env, steps: int, seed: int = 1) -> Session:
    session = Session(env, seed)
    env.action_space.seed(seed)
    while session.cursor < steps and not session.branch.steps[-1].over:
        session.step(env.action_space.sample())
    return session


@pytest.mark.parametrize("env_id", IDS)
def test_what_is_gone_on_from_any_step_with_the_same_actions_is_the_same(env_id: str) -> None:
    """Rewards, observations, flags and infos, from moments and between them."""
    with make(env_id) as env:
        session = played(env, 2 * EVERY + 3)
        original = session.branch

        for start in {0, min(7, original.last - 1), original.last // 2, original.last - 1}:
            session.choose(original.number, start)
            for step in original.steps[start + 1 :]:
                session.step(step.action)
            assert [step.row for step in session.branch.steps] == [step.row for step in original.steps]
        assert not session.drifted


def test_a_class_that_cannot_tell_its_state_is_played_again_from_its_seed() -> None:
    session = played(Silent(), 5)
    rows = [step.row for step in session.branch.steps]

    session.seek(2)
    session.settle(session.branch, 2)
    for step in session.found(1).steps[3:]:
        session.step(step.action)

    assert [step.row for step in session.branch.steps] == rows
    assert session.branch.parent == 1


def test_looking_back_moves_nothing_before_it_is_needed() -> None:
    env = Silent()
    session = played(env, 5)

    session.seek(1)
    session.seek(5)
    session.step(0)

    assert (env.resets, session.cursor, len(session.branches)) == (1, 6, 1)


def test_a_step_in_the_past_opens_a_branch_and_keeps_the_other() -> None:
    session = played(Silent(), 5)
    before = list(session.branch.steps)

    session.seek(3)
    session.step(7)

    assert (session.branch.number, session.branch.parent, session.branch.fork, session.cursor) == (2, 1, 3, 4)
    assert session.found(1).steps == before
    assert session.branch.steps[:4] == before[:4]


def test_an_exception_leaves_the_past_as_it_is() -> None:
    """The next step is taken as if nothing had happened."""
    session, other = played(Silent(), 4), played(Silent(), 4)

    session.seek(2)
    with pytest.raises(RuntimeError, match="thirteen"):
        session.step(13)
    assert (len(session.branches), session.cursor) == (1, 2)
    other.seek(2)

    assert session.step(1).row == other.step(1).row


def test_what_does_not_repeat_itself_is_reported() -> None:
    session = played(Careless(), 4)
    assert not session.drifted

    session.seek(2)
    session.step(1)

    assert session.drifted


def test_after_the_end_nothing_follows() -> None:
    with make("CartPole-v1") as env:
        session = played(env, 500)
        with pytest.raises(StudioError, match="over"):
            session.step(0)


def test_branches_steps_and_pictures_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest go first, and the one looked at stays."""
    session = played(Silent(), 2)
    for seed in range(MAX_BRANCHES + 5):
        session.reset(seed)
    assert len(session.branches) == MAX_BRANCHES
    assert session.branch.number in session.branches

    monkeypatch.setattr(sessions, "MAX_STEPS", 3)
    with pytest.raises(StudioError, match="keeps 3 steps"):
        for _ in range(4):
            session.step(0)

    monkeypatch.setattr(sessions, "_PICTURE_BYTES", 25)
    for cursor in range(4):
        session.picture(session.branch, cursor, lambda env: bytes(10))
    assert [step.picture is not None for step in session.branch.steps] == [False, False, True, True]


def test_a_picture_is_that_of_its_step() -> None:
    """Drawn at once or later, in any order."""
    with make("CartPole-v1", render_mode="rgb_array") as env:

        def draw(env: Env) -> bytes:
            return np.asarray(env.render()).tobytes()

        session = Session(env, 1)
        drawn = [session.picture(session.branch, 0, draw)]
        for k in range(6):
            session.step(k % 2)
            drawn.append(session.picture(session.branch, k + 1, draw))
        for step in session.branch.steps:
            step.picture = None

        again = [session.picture(session.branch, t, draw) for t in (6, 0, 3, 2, 5, 1, 4)]

        assert again == [drawn[t] for t in (6, 0, 3, 2, 5, 1, 4)]


def test_wrappers_with_a_memory_go_back_too() -> None:
    env = NormalizeObservation(make("Pendulum-v1"))
    assert isinstance(env.observation_space, Box)
    session = played(env, 20)

    session.choose(1, 10)
    for step in session.found(1).steps[11:]:
        session.step(step.action)

    assert [step.row for step in session.branch.steps] == [step.row for step in session.found(1).steps]
