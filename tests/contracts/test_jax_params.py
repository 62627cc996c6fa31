"""Params that programs of JAX draw at each episode, or that are set for some environments."""

from __future__ import annotations

import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")

import jax
from jax import numpy as jnp

import palaestra
from gymnasium.envs._jax.program import Program
from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.envs.functional_jax_env import FunctionalJaxVectorEnv
from gymnasium.envs.registration import make, make_vec
from gymnasium.vector import AutoresetMode
from palaestra.jax import BatchRunner, JaxDynamics
from palaestra.policies import Random
from palaestra.randomization import Each, Uniform
from palaestra.randomization import RandomizeParams as RandomizeOne
from palaestra.randomization.curricula import Beginnings, Lesson, Teacher
from palaestra.randomization.vector import Curriculum, RandomizeParams
from tests.contracts.compiled_law import MODES
from tests.contracts.jax_params_law import DRAWN, N, assert_equal, batch, drift, played, told
from tests.contracts.params_law import IDS, distributions_for

pytestmark = pytest.mark.usefixtures("little_optimised")


@cache
def randomized(mode: AutoresetMode) -> Any:
    """The one of its mode, compiled once; whoever uses it resets it with a seed, and sets nothing."""
    return RandomizeParams(batch(mode), **DRAWN)


@cache
def drawn_params(mode: AutoresetMode = AutoresetMode.NEXT_STEP, n: int = N) -> list[dict[str, list[float]]]:
    """Returns for each environment the params of its episodes, by name."""
    if n == N:
        return told(played(randomized(mode), 80))
    drawn = {**DRAWN, "masscart": Each(np.linspace(0.9, 1.1, n))}
    return told(played(RandomizeParams(batch(mode, n), **drawn), 80), n)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_each_episode_of_each_environment_has_params_of_its_own(mode: AutoresetMode) -> None:
    for i, values in enumerate(drawn_params(mode)):
        count = len(values["gravity"])
        assert count > 2 and len(set(values["gravity"])) == count and all(8 <= g <= 12 for g in values["gravity"])
        assert set(values["length"]) <= {np.float32(x).item() for x in (0.4, 0.5, 0.6)}
        assert set(values["masscart"]) == {np.linspace(0.9, 1.1, N).astype(np.float32)[i].item()}
        assert set(values["x_threshold"]) == {2.0}
        assert all(0 <= tau - (0.02 + 0.001 * episode) < 1.1e-4 for episode, tau in enumerate(values["tau"]))


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_neither_the_mode_nor_the_number_of_environments_changes_what_is_drawn(mode: AutoresetMode) -> None:
    for one, other in zip(drawn_params(mode), drawn_params(n=2 * N), strict=False):
        for name in DRAWN.keys() - {"masscart"}:  # which differs between environments
            count = min(len(one[name]), len(other[name]))
            assert one[name][:count] == other[name][:count]


BRANCHED_ON = ("assigned", "sutton_barto_reward", "semi_implicit", "nips", "torque_noise_max")
"""The params on which dynamics branch, so that they are refused."""


@pytest.mark.parametrize("env_id", [one for one in IDS if one not in ("Blackjack-v1", "Taxi-v4")])
def test_the_dynamics_are_those_with_the_params_drawn(env_id: str) -> None:
    func_env: Any = make(env_id).unwrapped.func_env  # type: ignore[attr-defined]
    drawn = {name: one for name, one in distributions_for(env_id).items() if name not in BRANCHED_ON}
    envs = RandomizeParams(FunctionalJaxVectorEnv(func_env, N, 20), **drawn)
    dynamics = JaxDynamics(func_env)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    base: Any = envs.unwrapped
    advance = Program(dynamics.advance)
    for _ in range(40):
        now = base.batch.state, base.batch.finished, {name: base.batch.own.values[name] for name in drawn}
        states, finished, values = jax.tree.map(np.asarray, now)
        actions = envs.action_space.sample()
        observations, rewards, *_ = envs.step(actions)
        for i in np.flatnonzero(~finished):
            row, own = jax.tree.map(lambda column, i=i: column[i, ...], (states, values))
            step = advance(row, actions[i], None, func_env.default_params._replace(**own))
            np.testing.assert_allclose(observations[i], step.observation, rtol=2e-5, atol=2e-5)
            np.testing.assert_allclose(rewards[i], step.reward, rtol=2e-4, atol=1e-5)


def test_streams_begin_with_a_seed_and_go_on_without_one() -> None:
    envs = randomized(AutoresetMode.DISABLED)

    def gravities(**reset: Any) -> Any:
        return envs.reset(**reset)[1]["params"]["gravity"]

    first, second = gravities(seed=3), gravities()
    assert not np.array_equal(first, second)
    assert_equal([gravities(seed=3), gravities()], [first, second])
    some = np.arange(N) < 2
    own = gravities(seed=3, options={"reset_mask": some})
    assert_equal(own, np.where(some, first, second))
    late = batch(AutoresetMode.DISABLED)
    late.reset(seed=3)
    assert_equal(RandomizeParams(late, **DRAWN).reset()[1]["params"]["gravity"], first)


def test_a_program_draws_within_a_scan() -> None:
    runner = BatchRunner(CartPole(), N, max_episode_steps=10, randomize=DRAWN)

    def step(now: Any, _: Any) -> Any:
        after, came = runner.step(now, jnp.ones(N, int))
        return after, (came.infos["params"]["gravity"], came.infos["_params"])

    first, _, infos = Program(runner.reset)(jax.random.key(0), runner.params)
    scan = Program(lambda first, _: jax.lax.scan(step, first, length=30))
    last, told_each_step = scan(first, None)
    gravities, begun = map(np.asarray, told_each_step)
    assert begun.sum() >= 2 * N and (last.own.episodes >= 3).all()
    assert_equal(gravities[-1], last.own.values["gravity"])
    assert not np.array_equal(infos["params"]["gravity"], gravities[-1])


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_a_rollout_is_one_program_with_the_same_episodes(
    mode: AutoresetMode, capsys: pytest.CaptureFixture[str]
) -> None:
    envs = randomized(mode)
    policy = Random(envs.single_action_space, seed=2)
    rollout = palaestra.rollout(envs, policy, 40, start=envs.reset(seed=3)[0], explain=True)
    assert "JAX scan" in capsys.readouterr().out.splitlines()[0]
    actions = iter(np.asarray(rollout.actions))
    own = jax.tree.map(np.array, envs.unwrapped.batch.own)
    plain = palaestra.rollout(envs, lambda seen: next(actions), 40, start=envs.reset(seed=3)[0])
    np.testing.assert_allclose(plain.observations, rollout.observations, rtol=1e-4, atol=1e-5)
    assert (own.episodes >= 2).all()
    assert_equal(own, envs.unwrapped.batch.own)


def test_params_are_observed() -> None:
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        envs = RandomizeParams(batch(mode), observe=["gravity", "length"], **DRAWN)
        results = played(envs, 60)
        now = np.zeros((N, 2))
        for observations, *_, infos in results:
            assert isinstance(observations, jax.Array) and observations.shape == (N, 6)
            observations, infos = jax.tree.map(np.asarray, (observations, infos))
            last = now.copy()
            mask = infos["_params"]
            now[mask] = np.stack([infos["params"][name] for name in ("gravity", "length")], 1)[mask]
            assert_equal(observations[:, 4:], now.astype(np.float32))
            if mode is AutoresetMode.SAME_STEP and "final_obs" in infos:
                ended = infos["_final_obs"]
                assert_equal(infos["final_obs"][ended, 4:], last[ended].astype(np.float32))


def test_params_are_set_for_some_and_kept() -> None:
    envs = batch()
    envs.set_params([1, 4], {"gravity": [1.0, 2.0], "length": 0.7})
    _, infos = envs.reset(seed=0)
    assert infos["params"]["_gravity"].tolist() == [False, True, False, False, True, False]
    assert infos["_params"].tolist() == [False, True, False, False, True, False]
    assert np.asarray(infos["params"]["gravity"])[[1, 4]].tolist() == [1.0, 2.0]
    envs.set_params(np.arange(N) == 0, {"gravity": 5.0})
    for *_, infos in played(envs, 60, seed=None)[1:]:
        assert np.asarray(infos["params"]["gravity"])[[0, 1, 4]].tolist() == [5.0, 1.0, 2.0]
    plain = batch()
    assert_equal(envs.reset(seed=9)[0], plain.reset(seed=9)[0])
    ours, usual = (each.step(np.ones(N, np.int64))[0] for each in (envs, plain))
    ours, usual = (each.step(np.ones(N, np.int64))[0] for each in (envs, plain))
    assert (np.asarray(ours) == np.asarray(usual)).all(1).tolist() == [False, False, True, True, False, True]


def test_a_sweep_is_one_batch() -> None:
    envs = make_vec("phys2d/CartPole-v1", 3, params={"gravity": [1.0, 10.0, 100.0]})
    _, infos = envs.reset(seed=0)
    assert infos["params"]["gravity"].tolist() == [1.0, 10.0, 100.0]


def test_a_teacher_sets_params() -> None:
    class Harder(Teacher):
        def begin(self, beginnings: Beginnings) -> Lesson:
            return Lesson(None, {"gravity": 9.0 + beginnings.episodes})

    for wrapped in (batch(), batch(AutoresetMode.DISABLED)):
        mode = "SameStep" if wrapped.autoreset_mode is AutoresetMode.DISABLED else None
        envs = Curriculum(wrapped, Harder(), autoreset_mode=mode)
        values = told(played(envs, 60))
        for each in values:
            assert each["gravity"] == [9.0 + k for k in range(len(each["gravity"]))] and len(each["gravity"]) > 2


@pytest.mark.parametrize("mode", MODES[:2], ids=lambda mode: mode.name)
def test_a_moment_holds_params_and_streams(mode: AutoresetMode) -> None:
    ours, others = (RandomizeParams(batch(mode), **DRAWN) for _ in range(2))
    ours.reset(seed=1)
    ours.unwrapped.set_params([2], {"force_mag": 11.0})
    rng = np.random.default_rng(0)
    actions = [rng.integers(0, 2, N) for _ in range(60)]
    for action in actions[:15]:
        ours.step(action)
    moment, one = ours.unwrapped.get_state(), ours.unwrapped.get_state(2)
    expected = [ours.step(action) for action in actions]
    others.reset(seed=8)
    others.unwrapped.set_params([0], {"theta_threshold_radians": 0.1})
    others.unwrapped.set_state(None, pickle.loads(pickle.dumps(moment)))
    again = [others.step(action) for action in actions]
    assert_equal([result[:4] for result in again], [result[:4] for result in expected])

    others.unwrapped.set_state(2, pickle.loads(pickle.dumps(one)))
    own = others.unwrapped.batch.own
    assert float(own.values["force_mag"][2]) == 11.0 and bool(own.held["force_mag"][2])
    assert_equal(own.values["gravity"][2], moment.batch.own["values"]["gravity"][2])
    assert_equal(pickle.loads(pickle.dumps(ours)).step(actions[0])[0], ours.step(actions[0])[0])
    with pytest.raises(ValueError, match="draw"):
        batch(mode).set_state(None, moment)


def test_one_environment_draws_the_same_as_in_python() -> None:
    env = RandomizeOne(make("phys2d/CartPole-v1"), gravity=Uniform(8, 12), tau=drift)
    python = RandomizeOne(make("CartPole-v1"), gravity=Uniform(8, 12), tau=drift)
    base: Any = env.unwrapped
    for seed in (1, None, None):
        (_, ours), (_, theirs) = env.reset(seed=seed), python.reset(seed=seed)
        assert ours["params"] == theirs["params"]
        assert base.params.gravity == np.float32(ours["params"]["gravity"])
        env.step(1)
    assert base._begin._jitted._cache_size() == 1  # other values need no other program
