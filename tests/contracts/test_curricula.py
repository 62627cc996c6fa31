"""Teachers: what they are asked, what they change, and that one that changes nothing changes no bit."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from gymnasium.envs.registration import make_vec
from gymnasium.error import ClosedEnvironmentError, Error, ResetNeeded
from gymnasium.states.plain import equal, plain
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from palaestra import restore, snapshot
from palaestra.randomization import Uniform
from palaestra.randomization.curricula import Beginnings, DomainSchedule, FixedSchedule, Lesson, LevelSampler, Teacher
from palaestra.randomization.vector import Curriculum

N, SEED, STEPS, LIMIT = 4, 3, 60, 9
MODES = list(AutoresetMode)
KINDS = ("sync", "async", "compiled")


class Silent(Teacher):
    """Notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Beginnings] = []

    def begin(self, beginnings: Beginnings) -> None:
        """Choose nothing."""
        self.asked.append(beginnings)


def batch(env_id: str, kind: str, mode: AutoresetMode) -> VectorEnv:
    """Returns a batch of short episodes."""
    return make_vec(env_id, N, vectorization_mode=kind, max_episode_steps=LIMIT, vector_kwargs={"autoreset_mode": mode})


def taught(env_id: str, kind: str, mode: AutoresetMode, teacher: Teacher) -> VectorEnv:
    """Returns the batch with a teacher."""
    inner = AutoresetMode.DISABLED if mode is AutoresetMode.SAME_STEP else mode
    return Curriculum(batch(env_id, kind, inner), teacher, mode)


def played(envs: VectorEnv, steps: int = STEPS) -> list[Any]:
    """Returns all results of a number of steps of random actions."""
    results: list[Any] = [envs.reset(seed=SEED)]
    envs.action_space.seed(SEED)
    finished = np.zeros(N, bool)
    for _ in range(steps):
        if envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED and finished.any():
            results.append(envs.reset(options={"reset_mask": finished}))
        results.append(envs.step(envs.action_space.sample()))
        finished = results[-1][2] | results[-1][3]
    return results


def in_order(value: Any) -> Any:
    """Returns results in an order that does not depend on that of the infos."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    if isinstance(value, (tuple, list)):
        return [in_order(part) for part in value]
    return [in_order(row) for row in value] if isinstance(value, np.ndarray) and value.dtype.hasobject else value


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("env_id", ["CartPole-v1", "Taxi-v4", "FrozenLake-v1", "Blackjack-v1"])
def test_a_teacher_that_says_nothing_changes_no_bit(env_id: str, kind: str, mode: AutoresetMode) -> None:
    one, other = batch(env_id, kind, mode), taught(env_id, kind, mode, Silent())
    assert equal(plain(in_order(played(one)), "results"), plain(in_order(played(other)), "results"))
    one.close()
    other.close()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_asked_once_for_all_that_begin(kind: str, mode: AutoresetMode) -> None:
    teacher = Silent()
    envs = taught("CartPole-v1", kind, mode, teacher)
    played(envs)
    first, *others = teacher.asked
    assert first.env_ids.tolist() == list(range(N))
    assert np.isnan(first.returns).all()
    counts = np.ones(N, np.int64)
    for beginnings in others:
        assert len(set(beginnings.env_ids)) == len(beginnings.env_ids) > 0
        assert (beginnings.episodes == counts[beginnings.env_ids]).all()
        assert (beginnings.returns == beginnings.lengths).all()  # a reward of 1 each
        assert (beginnings.lengths > 0).all()
        assert (beginnings.lengths <= LIMIT).all()
        counts[beginnings.env_ids] += 1
    assert len(others) > N
    envs.close()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_params_and_options_count_for_the_episodes_that_begin(kind: str, mode: AutoresetMode) -> None:
    class Numbering(Teacher):
        def __init__(self) -> None:
            self.count = 0

        def begin(self, beginnings: Beginnings) -> Lesson:
            k = len(beginnings.env_ids)
            numbers = self.count + np.arange(k)
            self.count += k
            return Lesson([{"low": 1e-4 * x, "high": 1e-4 * x + 1e-9} for x in numbers], {"gravity": 10.0 + numbers})

    envs = taught("CartPole-v1", kind, mode, Numbering())
    seen = []
    for observations, *_, infos in played(envs):
        for i in np.flatnonzero(infos.get("_params", np.zeros(N, bool))):
            number = infos["params"]["gravity"][i] - 10
            assert np.allclose(observations[i], 1e-4 * number, atol=1e-6)
            seen.append(number)
    assert sorted(seen) == list(range(len(seen)))
    envs.close()


@pytest.mark.parametrize("mode", MODES[:1])
@pytest.mark.parametrize(
    "make",
    [
        lambda: FixedSchedule({0: {"params": {"length": 0.4}}, 8: {"params": {"length": Uniform(0.5, 0.6)}}}),
        lambda: LevelSampler([{"length": 0.3}, {"length": 0.5}, {"length": 0.9}]),
        lambda: DomainSchedule({"length": (0.5, 0.2, 1.0, 0.1)}, success=5.0, episodes=2),
    ],
)
def test_moments_hold_the_teacher(make: Any, mode: AutoresetMode) -> None:
    envs = taught("CartPole-v1", "sync", mode, make())
    played(envs, 20)
    moment = snapshot(envs)
    actions = [envs.action_space.sample() for _ in range(STEPS)]
    first = [envs.step(action) for action in actions]
    other = taught("CartPole-v1", "sync", mode, make())
    for again in (envs, other):
        restore(again, moment)
        after = [again.step(action) for action in actions]
        assert equal(plain(in_order(first), "results"), plain(in_order(after), "results"))


def beginnings(returns: Any, n: int) -> Beginnings:
    """Returns n beginnings after episodes with these returns."""
    values = np.broadcast_to(np.asarray(returns, float), (n,))
    return Beginnings(np.arange(n), np.ones(n, np.int64), values, np.ones(n, np.int64), {})


def test_a_schedule_goes_through_its_stages() -> None:
    schedule = FixedSchedule({0: {"params": {"x": 1.0}}, 3: {"params": {"x": Uniform(5, 6)}, "options": {"a": 1}}})
    assert schedule.begin(beginnings(np.nan, 3)) == Lesson(None, {"x": 1.0})
    lesson = schedule.begin(beginnings(0.0, 2))
    assert lesson.options == {"a": 1}
    assert ((lesson.params["x"] >= 5) & (lesson.params["x"] < 6)).all()


def test_levels_with_more_to_learn_come_more_often() -> None:
    sampler = LevelSampler([{"x": float(k)} for k in range(10)], staleness=0.1)
    for _ in range(60):
        sampler.begin(beginnings(np.nan, 1))
    assert (sampler.probabilities() > 0).all()
    sampler.rate([4], [9.0])
    sampler.rate([2], [5.0])
    share = sampler.probabilities()
    assert np.isclose(share.sum(), 1)
    assert share.argmax() == 4
    drawn = np.bincount([int(sampler.begin(beginnings(np.nan, 1)).params["x"][0]) for _ in range(2000)], minlength=10)
    assert drawn.argmax() == 4
    assert (drawn > 0).all()  # what is stale comes again


def test_ranges_widen_with_success_and_narrow_without() -> None:
    schedule = DomainSchedule({"x": (1.0, 0.0, 3.0, 0.5)}, success=10.0, episodes=4)
    for _ in range(200):
        lesson = schedule.begin(beginnings(20.0, 4))
        low, high = schedule.ranges["x"]
        assert ((lesson.params["x"] >= low) & (lesson.params["x"] <= high)).all()
    assert schedule.ranges["x"] == (0.0, 3.0)
    for _ in range(200):
        schedule.begin(beginnings(0.0, 4))
    assert schedule.ranges["x"] == (1.0, 1.0)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda envs: Curriculum(envs, object()), TypeError),
        (lambda envs: Curriculum(envs, Silent(), "SameStep"), ValueError),
        (lambda envs: Curriculum(batch("CartPole-v1", "sync", AutoresetMode.SAME_STEP), Silent()), ValueError),
        (lambda envs: FixedSchedule({1: {}}), ValueError),
        (lambda envs: Curriculum(envs, Silent), TypeError),
        (lambda envs: FixedSchedule([(0, {})]), TypeError),
        (lambda envs: FixedSchedule({0: [1.0]}), TypeError),
        (lambda envs: FixedSchedule({0: {"params": ["length"]}}), TypeError),
        (lambda envs: LevelSampler([{"x": 1.0}]).rate([1], [1.0]), ValueError),
        (lambda envs: LevelSampler([{"x": 1.0}]).rate([-1], [1.0]), ValueError),
        (lambda envs: LevelSampler([{"x": 1.0}]).rate([0], [np.nan]), ValueError),
        (lambda envs: DomainSchedule({"x": (1, 0, 3, 1)}, "often"), ValueError),
        (lambda envs: LevelSampler([]), ValueError),
        (lambda envs: LevelSampler([0.5, 1.0]), TypeError),
        (lambda envs: DomainSchedule({"x": (0.5, 0.2, 1.0)}, 1.0), TypeError),
        (lambda envs: DomainSchedule({"x": (1, 2, 3, 1)}, 1.0), ValueError),
        (lambda envs: Curriculum(envs, FixedSchedule({0: {"params": {"gravty": 1.0}}})).reset(), ValueError),
    ],
)
def test_what_does_not_fit_is_refused(make: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make(batch("CartPole-v1", "sync", AutoresetMode.NEXT_STEP))


class Counting(Teacher):
    """Sets a param by the number of times that it was asked."""

    def __init__(self, options: Any = None) -> None:
        self.count, self.infos, self.options = 0, [], options

    def begin(self, beginnings: Beginnings) -> Lesson:
        """Count."""
        self.count += 1
        self.infos.append(sorted(beginnings.infos))
        return Lesson(self.options, {"gravity": float(self.count)})

    def get_state(self) -> dict[str, Any]:
        """Returns the count."""
        return {"count": self.count}

    def set_state(self, state: Any) -> None:
        """Continue."""
        self.count = state["count"]


@pytest.mark.filterwarnings("ignore::UserWarning")  # a worker reports what is refused
@pytest.mark.parametrize("kind", KINDS)
def test_a_refused_call_does_not_ask(kind: str) -> None:
    envs = Curriculum(batch("CartPole-v1", kind, AutoresetMode.NEXT_STEP), teacher := Counting())
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(N, int))
    envs.reset(seed=SEED)
    while not np.logical_or(*envs.step(np.zeros(N, int))[2:4]).any():
        pass
    wrong = [lambda: envs.step(np.zeros(N + 1, int)), lambda: envs.step(np.full(N, 7))]
    wrong += [lambda: envs.reset(seed=[1]), lambda: envs.reset(options=3)]
    wrong += [lambda: envs.reset(options={"low": "a"})]
    for refused in wrong:
        with pytest.raises((ValueError, TypeError, Error)):
            refused()
    assert teacher.count == 1
    envs.step(np.zeros(N, int))
    assert teacher.count == 2
    envs.close()
    with pytest.raises(ClosedEnvironmentError):
        envs.reset()
    assert teacher.count == 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [["x"], {"low": "a"}, {"low": 0.01, "high": 0.02}])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_lesson_counts_as_a_whole_or_not(kind: str, options: Any) -> None:
    envs = Curriculum(batch("CartPole-v1", kind, AutoresetMode.NEXT_STEP), teacher := Counting(options))
    if options == {"low": 0.01, "high": 0.02}:
        teacher.begin = lambda beginnings: Lesson(options, {"gravty": 1.0})  # type: ignore[method-assign]
    with pytest.raises((ValueError, TypeError)):
        envs.reset(seed=SEED)
    assert [params.gravity for params in envs.unwrapped.get_attr("params")] == [9.8] * N
    observations, _ = envs.unwrapped.reset(seed=SEED)
    assert (observations < 0.01).any()
    envs.close()


def test_a_moment_holds_the_infos_of_the_last_step() -> None:
    envs = Curriculum(
        RecordEpisodeStatistics(batch("CartPole-v1", "sync", AutoresetMode.NEXT_STEP)), teacher := Counting()
    )
    envs.reset(seed=SEED)
    while not np.logical_or(*envs.step(np.zeros(N, int))[2:4]).any():
        pass
    moment = snapshot(envs)
    envs.step(np.zeros(N, int))
    restore(envs, moment)
    envs.step(np.zeros(N, int))
    assert teacher.infos[-1] == teacher.infos[-2]
    assert "episode" in teacher.infos[-1]


def test_success_is_asked_of_episodes_that_ended() -> None:
    def success(returns: Any, lengths: Any, infos: Any) -> Any:
        assert not np.isnan(infos["episode"]["r"]).any()
        return infos["episode"]["r"] >= 5

    schedule = DomainSchedule({"gravity": (9.8, 8, 12, 0.1)}, success, episodes=1)
    envs = Curriculum(RecordEpisodeStatistics(batch("CartPole-v1", "sync", AutoresetMode.NEXT_STEP)), schedule)
    envs.reset(seed=SEED)
    for _ in range(STEPS):
        envs.step(envs.action_space.sample())
    assert schedule.ranges["gravity"] != (9.8, 9.8)


@pytest.mark.parametrize("kind", KINDS)
def test_options_without_a_hash_wait_too_and_wrong_ones_are_refused_at_once(kind: str) -> None:
    envs = make_vec("MountainCar-v0", N, vectorization_mode=kind)
    envs.reset(seed=SEED)
    with pytest.raises((ValueError, TypeError)), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        envs.set_reset_options([0], {"low": "a"})
    envs.set_reset_options([0, 2], {"low": np.array(-0.3), "high": -0.2, "level": [1, 2]})
    observations, _ = envs.reset()
    assert (observations[:, 0] >= -0.3).tolist() == [True, False, True, False]
    envs.close()
