"""Teachers of all kinds of batches: what they are in_order, and when, and that it stays so."""

from __future__ import annotations

import pickle
import warnings
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import make_vec
from gymnasium.error import Error
from gymnasium.states.plain import equal, plain
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics, TransformReward
from palaestra.randomization.curricula import Beginnings, Teacher
from palaestra.randomization.vector import Curriculum
from tests.contracts.test_curricula import KINDS, LIMIT, MODES, SEED, STEPS, N, in_order, played, taught


@pytest.mark.parametrize("kind", KINDS)
def test_a_reset_with_options_that_one_environment_refuses_moves_none(kind: str) -> None:
    envs, undisturbed = (make_vec("CartPole-v1", N, vectorization_mode=kind) for _ in range(2))
    actions = np.ones(N, np.int64)
    for one in (envs, undisturbed):
        one.reset(seed=SEED)
        one.step(actions)
    mask = np.arange(N) % 2 == 1
    for options in ([None, None, None, {"low": "a"}], {"low": "a"}, {"reset_mask": mask, "low": "a"}):
        with pytest.raises((ValueError, TypeError)), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            envs.reset(options=options)
    assert (envs.step(actions)[0] == undisturbed.step(actions)[0]).all()
    envs.close()
    undisturbed.close()


class Reader(Teacher):
    """Notes what it is asked at once, or what it kept."""

    def __init__(self, at_once: bool) -> None:
        self.at_once, self.kept = at_once, []

    def begin(self, beginnings: Beginnings) -> None:
        """Look at the arrays, or keep them for later."""
        self.kept.append(tuple(beginnings) if self.at_once else beginnings)

    def read(self) -> Any:
        """Returns all that was noted, as plain data."""
        return plain([in_order(tuple(one)) for one in self.kept], "beginnings")


@pytest.mark.parametrize("n", [3, 20, 600])
@pytest.mark.parametrize("env_id", ["Pendulum-v1", "CartPole-v1"])
def test_compiled_counts_are_those_of_python(env_id: str, n: int) -> None:
    """In lanes and without, on one thread and several, for more episodes than a byte counts."""
    asked, limit = [], 1 if n < 600 else 7
    for kind in ("sync", "compiled") if n < 600 else ("wrapped", "compiled"):
        envs = make_vec(env_id, n, None if kind == "wrapped" else kind, max_episode_steps=limit)
        teacher = Reader(at_once=kind == "compiled")
        envs = Curriculum(TransformReward(envs, lambda rewards: rewards) if kind == "wrapped" else envs, teacher)
        envs.reset(seed=SEED)
        envs.action_space.seed(SEED)
        for step in range(540 if n == 3 else 40):
            envs.step(envs.action_space.sample())
            if step == 30:
                envs.reset(options={"reset_mask": np.arange(n) % 3 == 0})
        asked.append(teacher.read())
        envs.close()
    assert equal(*asked)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_teacher_keeps_stays_as_it_was(kind: str) -> None:
    asked = []
    for at_once in (True, False):
        envs = taught("CartPole-v1", kind, AutoresetMode.NEXT_STEP, teacher := Reader(at_once))
        envs = RecordEpisodeStatistics(envs)
        played(envs)
        envs.close()
        asked.append(teacher.read())
    assert equal(*asked)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_teacher_may_write_into_what_it_gets(kind: str, mode: AutoresetMode) -> None:
    class Scribbling(Reader):
        def begin(self, beginnings: Beginnings) -> None:
            super().begin(deepcopy(beginnings))
            for array in tuple(beginnings)[:4]:
                array[:] = 0

    seen = []
    for teacher in (Reader(at_once=True), Scribbling(at_once=True)):
        envs = taught("CartPole-v1", kind, mode, teacher)
        seen.append((plain(in_order(played(envs)), "results"), teacher.read()))
        envs.close()
    assert equal(*seen)


def test_actions_that_were_taken_are_checked_again_if_the_teacher_raises() -> None:
    class Failing(Teacher):
        def begin(self, beginnings: Beginnings) -> None:
            if (beginnings.episodes > 0).any():
                raise ZeroDivisionError

    envs = taught("CartPole-v1", "compiled", AutoresetMode.NEXT_STEP, Failing())
    envs.reset(seed=SEED)
    actions = np.zeros(N, np.int64)
    with pytest.raises(ZeroDivisionError):
        for _ in range(LIMIT + 1):
            envs.step(actions)
    actions[:] = 2**40
    with pytest.raises(Error):
        envs.unwrapped.step(actions)


def test_each_of_two_teachers_has_its_counts() -> None:
    inner, outer = Reader(at_once=True), Reader(at_once=True)
    envs = Curriculum(taught("CartPole-v1", "compiled", AutoresetMode.NEXT_STEP, inner), outer)
    played(envs)
    assert equal(inner.read(), outer.read())
    assert len(inner.kept) > N


@pytest.mark.parametrize("kind", ["sync", "compiled"])
def test_a_pickle_goes_on_with_its_counts(kind: str) -> None:
    envs = taught("CartPole-v1", kind, AutoresetMode.NEXT_STEP, Reader(at_once=False))
    played(envs, 20)
    again = pickle.loads(pickle.dumps(envs)) if kind == "compiled" else deepcopy(envs)
    for _ in range(STEPS):
        actions = envs.action_space.sample()
        for one in (envs, again):
            one.step(actions)
    assert equal(envs.teacher.read(), again.teacher.read())
    assert len(again.teacher.kept) > N
