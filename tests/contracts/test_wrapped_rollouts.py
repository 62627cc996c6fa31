"""Rollouts in machine code through wrappers: the plain loop's bits, and the plain loop's wrappers afterwards."""

from __future__ import annotations

import time
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gymnasium
import palaestra
from gymnasium.error import ActionOutsideSpace
from gymnasium.functional import ops
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers import vector
from palaestra.policies import MLP, FuncPolicy, Layer, Linear, Tabular
from palaestra.rollouts import collecting, collectors
from tests.contracts.test_async_equality import same

LIMIT = 9  # steps of an episode, so that many end
MACHINE = "rollout: machine code\n"

REWARDS = [
    partial(vector.ClipReward, min_reward=-0.5, max_reward=0.75),
    partial(vector.ClipReward, max_reward=0),
    partial(vector.NormalizeReward, gamma=0.9),
    partial(vector.RecordEpisodeStatistics, buffer_length=7),
]
OBSERVATIONS = [
    vector.NormalizeObservation,
    partial(vector.FrameStackObservation, stack_size=3),
    partial(vector.FrameStackObservation, stack_size=2, padding_type="zero"),
    vector.FlattenObservation,
]
ACTIONS: list[list[Any]] = [
    [],
    [vector.ClipAction],
    [partial(vector.RescaleAction, min_action=-1.0, max_action=0.5)],
]
ACTIONS.append([*ACTIONS[2], vector.ClipAction])


class Extras(NamedTuple):
    share: float


class Stick(FuncPolicy[None]):
    """For Blackjack, whose observations are tuples."""

    @staticmethod
    def act(params, observation, rng):
        total, card, ace = observation
        return ops.where(total + 2 * ace + rng.integers(6) > 18, 0, 1), Extras(card / 3)


def network(envs: VectorEnv[Any, Any]) -> MLP:
    rng, space = np.random.default_rng(0), envs.single_action_space
    inputs = int(np.prod(envs.single_observation_space.shape))
    outputs = int(space.n) if isinstance(space, Discrete) else int(np.prod(space.shape))

    def layers(last: int) -> list[Layer]:
        return [Layer(rng.normal(size=(8, inputs)), None, "tanh"), Layer(rng.normal(size=(last, 8)))]

    options = {} if isinstance(space, Discrete) else {"log_std": np.zeros(outputs)}
    return MLP(layers(outputs), layers(1), action_space=space, **options)


def linear(envs: VectorEnv[Any, Any]) -> Linear:
    outputs = envs.single_action_space.n if isinstance(envs.single_action_space, Discrete) else 1
    rng = np.random.default_rng(0)
    return Linear(rng.normal(size=(outputs, *envs.single_observation_space.shape)), envs.single_action_space)


def tabular(envs: VectorEnv[Any, Any]) -> Tabular:
    return Tabular(np.arange(64.0).reshape(16, 4) % 3, 0.7)


@st.composite
def stacks(draw: Any, env_id: str) -> tuple[list[Any], Any]:
    """Wrappers from the innermost on, and what makes a policy that reads their observations."""
    others = draw(st.lists(st.sampled_from(REWARDS), max_size=3, unique=True))
    seen = draw(st.lists(st.sampled_from(OBSERVATIONS), max_size=3))
    acted = draw(st.sampled_from(ACTIONS)) if env_id == "Pendulum-v1" else []
    order = [*others, *seen, *acted]
    places = draw(st.permutations(range(len(order))))
    of_each = [iter(others), iter(seen), iter(acted)]  # each keeps its order
    which = [0] * len(others) + [1] * len(seen) + [2] * len(acted)
    wrappers = [next(of_each[which[k]]) for k in places]
    if env_id in ("CartPole-v1", "Pendulum-v1"):
        flat = not any(getattr(one, "func", None) is vector.FrameStackObservation for one in wrappers)
        return wrappers, draw(st.sampled_from([network, linear])) if flat else network
    if not seen:
        return wrappers, tabular if env_id == "FrozenLake-v1" else lambda envs: Stick()
    return [vector.FlattenObservation, vector.NormalizeObservation, *wrappers], network


def made(env_id: str, wrappers: list[Any], n: int, mode: AutoresetMode) -> Any:
    envs = gymnasium.make_vec(env_id, n, max_episode_steps=LIMIT, vector_kwargs={"autoreset_mode": mode})
    for wrapper in wrappers:
        envs = wrapper(envs)
    return envs


def states(envs: Any) -> list[Any]:
    """What the wrappers keep, but the time."""
    found = []
    while hasattr(envs, "env"):
        if hasattr(envs, "get_state"):
            state = envs.get_state()
            found.append({key: value for key, value in state.items() if key not in ("episode_times", "time_queue")})
        envs = envs.env
    return found


def played(envs: Any, policy: Any, plain: bool = False) -> list[Any]:
    """Two rollouts, the second of which goes on, a step after them, and the wrappers after each."""
    with pytest.MonkeyPatch.context() as patch:
        if plain:
            patch.setattr(collecting, "COLLECTORS", collectors.COLLECTORS[-1:])
        first = palaestra.rollout(envs, policy, 22, start=envs.reset(seed=1)[0], explain=not plain)
        kept = [states(envs)]
        then = palaestra.rollout(envs, policy, 15, start=first)
    kept += [states(envs), envs.unwrapped.get_state()]
    return [first, kept, then, envs.step(then.actions[-1])[:4], states(envs)]


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Pendulum-v1", "FrozenLake-v1", "Blackjack-v1"])
@settings(max_examples=10)
@given(data=st.data())
def test_machine_code_goes_through_wrappers_as_python_does(env_id: str, data: Any) -> None:
    """In any order; observations, rewards, flags, last observations, episodes, and what the wrappers keep."""
    wrappers, policy_for = data.draw(stacks(env_id))
    n, mode = data.draw(st.sampled_from([1, 3, 20])), data.draw(st.sampled_from(list(AutoresetMode)))
    with redirect_stdout(StringIO()) as told:
        machine, python = (
            played(envs := made(env_id, wrappers, n, mode), policy_for(envs), plain) for plain in (False, True)
        )
    assert told.getvalue() == MACHINE
    assert same(machine, python)
    assert len(machine[0].episodes.steps)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_large_batches_are_normalized_alike(mode: AutoresetMode, capsys: pytest.CaptureFixture[str]) -> None:
    """From 16,384 numbers on, NumPy counts and normalizes in other steps."""
    found = []
    for plain in (False, True):
        envs = made("CartPole-v1", [vector.NormalizeObservation], 4100, mode)
        found.append(played(envs, network(envs), plain))
    assert capsys.readouterr().out == MACHINE
    assert same(*found)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_moments_may_be_frozen(mode: AutoresetMode, capsys: pytest.CaptureFixture[str]) -> None:
    """Then they stay, and scale as in Python."""
    found = []
    for plain in (False, True):
        envs = made("CartPole-v1", [vector.NormalizeObservation, vector.NormalizeReward], 5, mode)
        envs.reset(seed=3)
        palaestra.rollout(envs, network(envs), 30)
        envs.update_running_mean = envs.env.update_running_mean = False
        found.append(played(envs, network(envs), plain))
    assert capsys.readouterr().out == MACHINE
    assert same(*found)
    after_first, after_both, _ = found[0][1]
    assert same(after_first[1], after_both[1])


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Wrappers that treat each environment by itself are called by several threads."""
    monkeypatch.setattr("palaestra.runner.rollouts.deciding.Decider.steps_of_a_thread", 1)
    wrappers = [*ACTIONS[3], vector.FlattenObservation, partial(vector.FrameStackObservation, stack_size=1)]
    found = []
    for threads in (1, 4):
        options = {"num_threads": threads, "autoreset_mode": AutoresetMode.SAME_STEP}
        envs = gymnasium.make_vec("Pendulum-v1", 100, max_episode_steps=LIMIT, vector_kwargs=options)
        for wrapper in (*wrappers, vector.FlattenObservation):
            envs = wrapper(envs)
        found.append(played(envs, linear(envs)))
    assert capsys.readouterr().out == 2 * MACHINE
    assert same(*found)


def test_durations_are_within_the_rollout() -> None:
    """As if each step had taken as long."""
    envs = made("CartPole-v1", [vector.RecordEpisodeStatistics], 4, AutoresetMode.NEXT_STEP)
    start = time.perf_counter()
    rollout = palaestra.rollout(envs, network(envs), 100)
    palaestra.rollout(envs, network(envs), 100, start=rollout)
    elapsed = time.perf_counter() - start
    durations = np.array(envs.time_queue)
    assert len(durations) == envs.episode_count > 8
    assert durations.min() >= 0
    assert durations.sum() <= 4 * elapsed


class Loud(vector.ClipReward):
    """Somebody's own."""


def with_own_method(envs: Any) -> Any:
    wrapper = vector.ClipReward(envs, max_reward=1.0)
    wrapper.rewards = lambda rewards: -rewards  # type: ignore[method-assign]
    return wrapper


def with_own_function(envs: Any) -> Any:
    wrapper = vector.ClipReward(envs, max_reward=1.0)
    wrapper.wrapper.func = lambda reward: -reward
    return wrapper


@pytest.mark.parametrize(
    "wrap, reason",
    [
        (partial(Loud, max_reward=1.0), "Loud runs in Python only"),
        (partial(vector.TransformReward, func=lambda rewards: -rewards), "TransformReward runs in Python only"),
        (with_own_method, "ClipReward has methods or metadata of its own"),
        (with_own_function, "ClipReward has another function"),
        (partial(vector.ClipReward, max_reward=np.ones(3)), "ClipReward has bounds of another form"),
        (partial(vector.NormalizeReward, gamma=np.float64(0.9)), "NormalizeReward has settings"),
        (lambda envs: vector.RecordEpisodeStatistics(vector.RecordEpisodeStatistics(envs)), "filled twice"),
    ],
)
def test_python_does_what_machine_code_cannot(wrap: Any, reason: str, capsys: Any) -> None:
    """And the explanation names the wrapper."""
    envs = made("CartPole-v1", [wrap], 3, AutoresetMode.NEXT_STEP)
    palaestra.rollout(envs, network(envs), 2, explain=True)
    told = capsys.readouterr().out
    assert told.startswith("rollout: plain loop; not machine code, since ")
    assert reason in told


@pytest.mark.parametrize("wrappers", ACTIONS)
@pytest.mark.parametrize("plain", [False, True])
def test_actions_that_are_not_finite_are_refused(wrappers: list[Any], plain: bool) -> None:
    """Before a wrapper could make them finite."""
    envs = made("Pendulum-v1", wrappers, 9, AutoresetMode.NEXT_STEP)
    policy = Linear(np.array([[np.inf, 0.0, 0.0]]), Box(-2.0, 2.0, (1,), np.float32))
    policy.params = policy.params._replace(low=np.array([-np.inf]), high=np.array([np.inf]))
    with pytest.raises(ActionOutsideSpace, match="must be finite"):
        played(envs, policy, plain)


@pytest.mark.parametrize("plain", [False, True])
def test_a_finished_environment_is_no_start(plain: bool) -> None:
    """In the mode DISABLED."""
    envs = made("CartPole-v1", [], 3, AutoresetMode.DISABLED)
    observations, _ = envs.reset(seed=1)
    for _ in range(LIMIT):
        observations, _, terminated, truncated, _ = envs.step(np.zeros(3, int))
        if (terminated | truncated).any():
            break
    with pytest.MonkeyPatch.context() as patch:
        if plain:
            patch.setattr(collecting, "COLLECTORS", collectors.COLLECTORS[-1:])
        with pytest.raises(AssertionError, match="Finished environments were stepped"):
            palaestra.rollout(envs, network(envs), 3, start=observations)


def test_a_start_of_another_dtype_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """The rollout then has that dtype, by the plain loop."""
    envs = made("CartPole-v1", [], 3, AutoresetMode.NEXT_STEP)
    start = envs.reset(seed=1)[0].astype(np.float64)
    rollout = palaestra.rollout(envs, network(envs), 5, start=start, explain=True)
    assert rollout.observations.dtype == np.float64
    assert np.array_equal(rollout.observations[0], start)
    assert "`start` or the space has other dtypes than float32" in capsys.readouterr().out
