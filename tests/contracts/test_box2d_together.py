"""Box2D environments that step together, in one call of machine code: the same bits as one after the other."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._stepping import switch
from gymnasium.envs.box2d.lunar_lander import ContactDetector, LunarLander
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from gymnasium.vector._batch.together import Together
from gymnasium.wrappers import RecordEpisodeStatistics, TimeLimit, TransformReward, common

CASES = [
    ("LunarLander-v3", {}),
    ("LunarLander-v3", {"continuous": True, "max_episode_steps": 40}),
    ("LunarLander-v3", {"enable_wind": True, "max_episode_steps": 60}),
    ("BipedalWalker-v3", {"max_episode_steps": 50}),
    ("BipedalWalkerHardcore-v3", {}),
]
MODES = ["NextStep", "SameStep", "Disabled"]


def played(envs, steps, change=lambda envs, t: None, actions=lambda batch: batch):
    """All that a batch returns, and its state."""
    envs.action_space.seed(1)
    rows = [envs.reset(seed=5)[0].tobytes()]
    for t in range(steps):
        change(envs, t)
        observations, rewards, *flags, infos = envs.step(actions(envs.action_space.sample()))
        rows.append((observations.tobytes(), rewards.tobytes(), *[flag.tobytes() for flag in flags], repr(infos)))
        if envs.autoreset_mode.value == "Disabled" and np.any(flags):
            rows.append(envs.reset(options={"reset_mask": flags[0] | flags[1]})[0].tobytes())
    rows.append(repr(envs.get_state()))
    envs.close()
    return rows


@pytest.fixture
def one_by_one(monkeypatch):
    """Runs something in Python, and again with machine code from some early step on."""

    def run(play):
        with monkeypatch.context() as alone:
            alone.setattr(switch, "STEPS_BEFORE", inf)
            alone.setattr(Together, "of", lambda members, observations: None)
            expected = play()
        monkeypatch.setattr(switch, "STEPS_BEFORE", switch._steps + 30)
        return expected, play()

    return run


def make(env_id, kind, n=3, mode="NextStep", **options):
    return gymnasium.make_vec(env_id, n, kind, vector_kwargs={"autoreset_mode": mode}, **options)


@pytest.mark.parametrize(("env_id", "options"), CASES)
@pytest.mark.parametrize("mode", MODES)
def test_together_is_one_by_one(env_id, options, mode, one_by_one) -> None:
    expected, found = one_by_one(lambda: played(make(env_id, "sync", 3, mode, **options), 100))
    assert found == expected


@pytest.mark.parametrize(("env_id", "options"), CASES[1::2])
@pytest.mark.parametrize("mode", MODES[:2])
def test_workers_step_together(env_id, options, mode, one_by_one) -> None:
    expected, found = one_by_one(lambda: played(make(env_id, "async", 5, mode, **options), 70))
    assert found == expected


def counted_within_limits():
    return RecordEpisodeStatistics(TimeLimit(RecordEpisodeStatistics(LunarLander(), stats_key="inner"), 40))


@pytest.mark.parametrize(
    ("made", "together"),
    [
        (lambda: RecordEpisodeStatistics(gymnasium.make("LunarLander-v3", max_episode_steps=60)), True),
        (lambda: RecordEpisodeStatistics(RecordEpisodeStatistics(LunarLander(), stats_key="inner")), True),
        (counted_within_limits, False),  # the inner ones do not see that the limit ends an episode
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_statistics_of_episodes_are_counted_together(made, together, mode, one_by_one, monkeypatch) -> None:
    monkeypatch.setattr(common.time, "perf_counter", lambda: 0.0)
    seen = []

    def play():
        envs = SyncVectorEnv([made] * 3, autoreset_mode=mode)
        seen.append(envs._together is not None)
        return played(envs, 150)

    expected, found = one_by_one(play)
    assert found == expected and "'episode': {'r'" in repr(expected)
    assert seen == [False, together]


@pytest.mark.filterwarnings("ignore::UserWarning")  # a worker reports what failed
@pytest.mark.parametrize("name", ["episode_returns", "episode_lengths", "_max_episode_steps"])
@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
def test_a_count_that_fails_is_an_error_of_its_environment(name, kind, one_by_one) -> None:
    """As alone, where the wrapper's step raises it; no worker dies of it."""

    def play():
        envs = kind([lambda: RecordEpisodeStatistics(gymnasium.make("LunarLander-v3"))] * 3)
        envs.reset(seed=0)
        for _ in range(40):
            envs.step(np.zeros(3, np.int64))
        envs.set_attr(name, [0.0, "one", 2.0] if name != "_max_episode_steps" else [90, "one", 90])
        with pytest.raises(TypeError) as caught:
            envs.step(np.zeros(3, np.int64))
        envs.close()
        return str(caught.value)

    expected, found = one_by_one(play)
    assert found == expected


def changed(name, value):
    def change(envs, t) -> None:
        if t == 40:
            envs.set_attr(name, [value(i) for i in range(envs.num_envs)])

    return change


def with_a_wind_from_outside(envs, t) -> None:
    if t >= 40:
        envs.envs[1].unwrapped.enable_wind = t % 3 > 0


def with_another_generator(envs, t) -> None:
    if t % 40 == 20:
        envs.envs[0].unwrapped.np_random = np.random.Generator(np.random.MT19937(t))


def with_somebodys_listener(envs, t) -> None:
    env = envs.envs[2].unwrapped
    if t % 30 == 7:
        env.world.contactListener = ContactDetector(env)
    if t % 30 == 11:
        env.world.contactListener = None


def with_steps_of_their_own(envs, t) -> None:
    if t % 20 == 0:
        envs.envs[0].step(np.zeros(2, np.float32) if envs.single_action_space.shape else 0)
        envs.envs[1].reset(seed=t)
    if t == 70:
        envs.envs[2].unwrapped.set_state(envs.envs[1].unwrapped.get_state())


def with_snapshots(envs, t) -> None:
    if t % 25 == 24:
        envs.set_state(None, envs.get_state())
        envs.set_state(0, envs.get_state(1), seed=t)


def with_other_limits(envs, t) -> None:
    if t == 30:
        envs.envs[1]._max_episode_steps = 35


def with_another_layer(envs, t) -> None:
    if t == 33:
        inner = envs.envs[0].env
        envs.envs[0].env = TransformReward(inner, lambda reward: reward + 1)
        envs.envs[1].unwrapped.step = lambda action, step=envs.envs[1].unwrapped.step: step(action)
    if t == 66:
        envs.envs[0].env = envs.envs[0].env.env
        del envs.envs[1].unwrapped.step


CHANGES = [
    changed("enable_wind", lambda i: i == 0),
    changed("gravity", lambda i: -3.0 - i),
    changed("prev_shaping", lambda i: None),
    changed("game_over", lambda i: i == 1),
    with_a_wind_from_outside,
    with_another_generator,
    with_somebodys_listener,
    with_steps_of_their_own,
    with_snapshots,
    with_other_limits,
    with_another_layer,
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("continuous", [False, True])
def test_whoever_uses_them_between_the_steps(change, continuous, one_by_one) -> None:
    expected, found = one_by_one(
        lambda: played(make("LunarLander-v3", "sync", continuous=continuous, max_episode_steps=200), 100, change)
    )
    assert found == expected


@pytest.mark.parametrize("change", [CHANGES[0], CHANGES[2], with_snapshots])
def test_whoever_uses_those_of_workers(change, one_by_one) -> None:
    expected, found = one_by_one(lambda: played(make("LunarLander-v3", "async", 4), 70, change))
    assert found == expected


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int32])
def test_actions_of_other_types_are_rounded_alike(dtype, one_by_one) -> None:
    expected, found = one_by_one(
        lambda: played(make("BipedalWalker-v3", "sync"), 60, actions=lambda batch: (batch * 1.7).astype(dtype))
    )
    assert found == expected


class Louder(LunarLander):
    """Steps otherwise than its base."""

    def step(self, action):
        observation, reward, *rest = super().step(action)
        return observation, 2 * reward, *rest


def test_who_cannot_step_together_steps_alone(monkeypatch) -> None:
    """A subclass, another wrapper, two classes in one batch."""
    monkeypatch.setattr(switch, "STEPS_BEFORE", 0)
    for makers in (
        [Louder, Louder],
        [LunarLander, Louder],
        [lambda: TransformReward(LunarLander(), abs), LunarLander],
    ):
        envs = SyncVectorEnv(makers)
        assert envs._together is None
        envs.close()
    assert SyncVectorEnv([LunarLander, lambda: TimeLimit(LunarLander(), 5)])._together is not None


def test_they_do_step_together(monkeypatch) -> None:
    """Once machine code is there and the first steps have been checked."""
    monkeypatch.setattr(switch, "STEPS_BEFORE", 0)
    if switch.machine_code(LunarLander._program) is None:
        pytest.skip("the bindings' library does not name its symbols here")
    envs = make("LunarLander-v3", "sync", 4, max_episode_steps=12)
    envs.reset(seed=0)
    monkeypatch.setattr(engine, "advance", None)
    for t in range(40):
        if t == 10:  # all further episodes, from their first step on
            monkeypatch.setattr(LunarLander, "step", None)
        envs.step(envs.action_space.sample())


def test_an_exception_leaves_the_batch_in_need_of_a_reset(monkeypatch) -> None:
    class Broken(engine.ContactListener):
        def begin(self, one, other) -> None:
            raise ZeroDivisionError("in the middle of a step")

    monkeypatch.setattr(switch, "STEPS_BEFORE", 0)
    envs = make("LunarLander-v3", "sync")
    envs.reset(seed=0)
    with pytest.raises(ZeroDivisionError, match="middle"):
        for t in range(200):
            if t == 20:
                envs.envs[1].unwrapped.world.contactListener = Broken()
            envs.step(np.zeros(3, np.int64))
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.zeros(3, np.int64))
    envs.reset(seed=1)
    envs.step(np.zeros(3, np.int64))
