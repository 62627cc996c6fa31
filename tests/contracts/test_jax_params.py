"""Params that programs of JAX draw at each episode, or that are set for some environments."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("jax")

import jax
from jax import numpy as jnp

import gymnasium
from gymnasium.curricula import Beginnings, Lesson, Teacher
from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.envs.functional_jax_env import FunctionalJaxVectorEnv
from gymnasium.envs.registration import make, make_vec
from gymnasium.functional import FuncEnv
from gymnasium.functional.policies import Random
from gymnasium.jax import BatchRunner, JaxDynamics
from gymnasium.jax.program import Program
from gymnasium.params import Choice, Constant, Each, LogNormal, Scale, Uniform
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers import RandomizeParams as RandomizeOne
from gymnasium.wrappers.vector import Curriculum, RandomizeParams
from tests.contracts.compiled_law import MODES
from tests.contracts.params_law import IDS, distributions_for

N = 6


def drift(rng: Any, episode: Any) -> Any:
    """A param that changes from episode to episode."""
    return 0.02 + 0.001 * episode + 1e-4 * rng.random()


DRAWN: dict[str, Any] = {
    "gravity": Uniform(8, 12),
    "length": Choice([0.4, 0.5, 0.6], p=[0.2, 0.3, 0.5]),
    "masspole": Scale(LogNormal(0, 0.1)),
    "tau": drift,
    "masscart": Each(np.linspace(0.9, 1.1, N)),
    "x_threshold": Constant(2),
}


def batch(mode: AutoresetMode = AutoresetMode.NEXT_STEP, n: int = N, limit: int = 25) -> FunctionalJaxVectorEnv:
    """CartPoles under JAX."""
    return FunctionalJaxVectorEnv(CartPole(), n, limit, {"autoreset_mode": mode})


def played(envs: VectorEnv[Any, Any, Any], steps: int, seed: int | None = 3) -> list[Any]:
    """Returns the results of a reset and of steps; in the mode DISABLED of resets too."""
    results: list[Any] = [envs.reset(seed=seed)]
    rng = np.random.default_rng(1)
    for _ in range(steps):
        results.append(envs.step(rng.integers(0, 2, envs.num_envs)))
        over = np.asarray(results[-1][2] | results[-1][3])
        if envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED and over.any():
            results.append(envs.reset(options={"reset_mask": over}))
    return results


def told(results: list[Any], n: int = N) -> list[dict[str, list[float]]]:
    """Returns for each environment the values that its infos tell, by name."""
    values: list[dict[str, list[float]]] = [{} for _ in range(n)]
    for *_, infos in results:
        for name in infos.get("params", {}):
            for i in np.flatnonzero(infos["params"][f"_{name}"]) if name[0] != "_" else ():
                values[i].setdefault(name, []).append(float(infos["params"][name][i]))
    return values


def assert_equal(one: Any, other: Any) -> None:
    """Equal to the bit."""
    assert all(map(np.array_equal, jax.tree.leaves(one), jax.tree.leaves(other)))


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_each_episode_of_each_environment_has_params_of_its_own(mode: AutoresetMode) -> None:
    results = played(RandomizeParams(batch(mode), **DRAWN), 80)
    for i, values in enumerate(told(results)):
        count = len(values["gravity"])
        assert count > 2 and len(set(values["gravity"])) == count and all(8 <= g <= 12 for g in values["gravity"])
        assert set(values["length"]) <= {np.float32(x).item() for x in (0.4, 0.5, 0.6)}
        assert set(values["masscart"]) == {np.linspace(0.9, 1.1, N).astype(np.float32)[i].item()}
        assert set(values["x_threshold"]) == {2.0}
        assert all(0 <= tau - (0.02 + 0.001 * episode) < 1.1e-4 for episode, tau in enumerate(values["tau"]))


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_neither_the_mode_nor_the_number_of_environments_changes_what_is_drawn(mode: AutoresetMode) -> None:
    drawn = {name: DRAWN[name] for name in DRAWN if name != "masscart"}
    few = told(played(RandomizeParams(batch(mode), **drawn), 80))
    many = told(played(RandomizeParams(batch(n=2 * N), **drawn), 80), 2 * N)
    for one, other in zip(few, many, strict=False):
        for name in drawn:
            count = min(len(one[name]), len(other[name]))
            assert one[name][:count] == other[name][:count]


BRANCHED_ON = ("sutton_barto_reward", "semi_implicit", "nips", "torque_noise_max")
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
        before, actions = base.batch, envs.action_space.sample()
        observations, rewards, *_ = envs.step(actions)
        for i in np.flatnonzero(~np.asarray(before.finished)):
            row = jax.tree.map(lambda column, i=i: column[i], before.state)
            own = {name: before.own.values[name][i] for name in drawn}
            step = advance(row, actions[i], None, func_env.default_params._replace(**own))
            np.testing.assert_allclose(observations[i], step.observation, rtol=2e-5, atol=2e-5)
            np.testing.assert_allclose(rewards[i], step.reward, rtol=2e-4, atol=1e-5)


def test_streams_begin_with_a_seed_and_go_on_without_one() -> None:
    envs = RandomizeParams(batch(), gravity=Uniform(8, 12))

    def gravities(**reset: Any) -> Any:
        return envs.reset(**reset)[1]["params"]["gravity"]

    first, second = gravities(seed=3), gravities()
    assert not np.array_equal(first, second)
    assert_equal([gravities(seed=3), gravities()], [first, second])
    some = np.arange(N) < 2
    own = gravities(seed=3, options={"reset_mask": some})
    assert_equal(own, jnp.where(some, first, second))
    late = batch()
    late.reset(seed=3)
    assert_equal(RandomizeParams(late, gravity=Uniform(8, 12)).reset()[1]["params"]["gravity"], first)


def test_a_program_draws_within_a_scan() -> None:
    runner = BatchRunner(CartPole(), N, max_episode_steps=10, randomize=DRAWN)
    first, _, infos = runner.reset(jax.random.key(0))
    last, (gravities, begun) = jax.lax.scan(
        lambda now, _: (lambda step: (step[0], (step[1].infos["params"]["gravity"], step[1].infos["_params"])))(
            runner.step(now, jnp.ones(N, int))
        ),
        first,
        length=30,
    )
    assert begun.sum() >= 2 * N and (last.own.episodes >= 3).all()
    assert_equal(gravities[-1], last.own.values["gravity"])
    assert not np.array_equal(infos["params"]["gravity"], gravities[-1])


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_a_rollout_is_one_program_with_the_same_episodes(
    mode: AutoresetMode, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, other = (RandomizeParams(batch(mode), gravity=Uniform(8, 12)) for _ in range(2))
    policy = Random(ours.single_action_space, seed=2)
    started = ours.reset(seed=3)[0]
    rollout = gymnasium.rollout(ours, policy, 40, start=started, explain=True)
    assert "JAX scan" in capsys.readouterr().out.splitlines()[0]
    actions = iter(np.asarray(rollout.actions))
    plain = gymnasium.rollout(other, lambda seen: next(actions), 40, start=other.reset(seed=3)[0])
    np.testing.assert_allclose(plain.observations, rollout.observations, rtol=1e-4, atol=1e-5)
    base: Any = ours.unwrapped
    assert (base.batch.own.episodes >= 2).all()
    assert_equal(base.batch.own, other.unwrapped.batch.own)  # type: ignore[attr-defined]


def test_params_are_observed() -> None:
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        envs = RandomizeParams(batch(mode), observe=["gravity", "length"], gravity=Uniform(8, 12), length=Uniform(1, 2))
        results = played(envs, 60)
        now = np.zeros((N, 2))
        for observations, *_, infos in results:
            assert isinstance(observations, jax.Array) and observations.shape == (N, 6)
            last = now.copy()
            mask = np.asarray(infos["_params"])
            now[mask] = np.stack([infos["params"][name] for name in ("gravity", "length")], 1)[mask]
            assert_equal(observations[:, 4:], now.astype(np.float32))
            if mode is AutoresetMode.SAME_STEP and "final_obs" in infos:
                ended = np.asarray(infos["_final_obs"])
                assert_equal(infos["final_obs"][ended, 4:], last[ended].astype(np.float32))


def test_params_are_set_for_some_and_kept() -> None:
    envs = batch()
    envs.set_params([1, 4], {"gravity": [1.0, 2.0], "length": 0.7})
    _, infos = envs.reset(seed=0)
    assert infos["params"]["_gravity"].tolist() == [False, True, False, False, True, False]
    assert infos["_params"].tolist() == [False, True, False, False, True, False]
    assert infos["params"]["gravity"][np.array([1, 4])].tolist() == [1.0, 2.0]
    envs.set_params(np.arange(N) == 0, {"gravity": 5.0})
    for *_, infos in played(envs, 60, seed=None)[1:]:
        assert np.asarray(infos["params"]["gravity"])[[0, 1, 4]].tolist() == [5.0, 1.0, 2.0]
    plain = batch()
    assert_equal(envs.reset(seed=9)[0], plain.reset(seed=9)[0])
    ours, usual = (each.step(np.ones(N, np.int64))[0] for each in (envs, plain))
    ours, usual = (each.step(np.ones(N, np.int64))[0] for each in (envs, plain))
    assert [bool((a == b).all()) for a, b in zip(ours, usual, strict=True)] == [False, False, True, True, False, True]


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
    def randomized() -> Any:
        return RandomizeParams(batch(mode), **{name: DRAWN[name] for name in DRAWN if name != "tau"})

    ours, others = randomized(), randomized()
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


class Params(NamedTuple):
    """Params that dynamics branch on, and that are whole numbers."""

    goal: int = 5
    fast: bool = False


class Count(FuncEnv):
    """Counts up to a goal."""

    observation_space = Box(-np.inf, np.inf, (1,), np.float32)
    action_space = Discrete(2)

    def get_default_params(self, **kwargs: Any) -> Params:
        """Returns params."""
        return Params(**kwargs)

    def initial(self, rng: Any, params: Params) -> Any:
        """Begin at 0."""
        return 0

    def transition(self, state: Any, action: Any, rng: Any, params: Params) -> Any:
        """Count."""
        return state + (2 if params.fast else 1)

    def observation(self, state: Any, rng: Any, params: Params) -> Any:
        """Show the number."""
        return (state,)

    def reward(self, state: Any, action: Any, next_state: Any, rng: Any, params: Params) -> Any:
        """One each step."""
        return 1.0

    def terminal(self, state: Any, rng: Any, params: Params) -> Any:
        """End at the goal."""
        return state >= params.goal


def test_whole_numbers_stay_whole() -> None:
    envs = RandomizeParams(FunctionalJaxVectorEnv(Count(), 50), goal=Choice([2, 3, 7]))
    envs.reset(seed=0)
    goals = np.asarray(envs.unwrapped.own.values["goal"])  # type: ignore[attr-defined]
    assert goals.dtype.kind == "i" and set(goals.tolist()) == {2, 3, 7}
    over = np.zeros(50, int)
    for t in range(1, 8):
        over += np.where(np.asarray(envs.step(np.zeros(50, np.int64))[2]) & (over == 0), t, 0)
    assert over.tolist() == goals.tolist()


REFUSED: dict[str, tuple[Callable[[Any], object], type[Exception], str]] = {
    "unknown": (lambda envs: RandomizeParams(envs, goall=Choice([2])), ValueError, "no param 'goall'.*'goal'"),
    "branch": (lambda envs: RandomizeParams(envs, fast=Choice([True])), TypeError, "'fast' cannot be.*`.*params.fast"),
    "kind": (lambda envs: RandomizeParams(envs, goal=Uniform(1, 2)), TypeError, "'goal' is of the type int"),
    "draws a float": (lambda envs: RandomizeParams(envs, goal=lambda rng, e: 2.5 + e), TypeError, "'goal'"),
    "too large": (lambda envs: RandomizeParams(envs, goal=Choice([2**40])), ValueError, "'goal' cannot be 1099511"),
    "if": (
        lambda envs: RandomizeParams(envs, goal=lambda rng, e: 2 if rng.random() < 0.5 else 3),
        TypeError,
        "the draw of 'goal' cannot run under JAX",
    ),
    "count": (lambda envs: RandomizeParams(envs, goal=[1, 2]), ValueError, "2 values, but there are 3"),
    "attribute": (lambda envs: RandomizeParams(envs, params=Choice([2])), TypeError, "'params' is none"),
    "set unknown": (lambda envs: envs.set_params([0], {"goall": 2}), ValueError, "no param 'goall'"),
    "set half": (lambda envs: envs.set_params([0, 1, 2], {"goal": [1, 1.5, 2]}), TypeError, "1.5"),
    "set whom": (lambda envs: envs.set_params([7], {"goal": 2}), ValueError, "0 to 2"),
    "options": (lambda envs: envs.set_reset_options([0], {"low": 0.0}), TypeError, 'options.*without "phys2d/"'),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_and_nothing_changes(case: str) -> None:
    attempt, kind, words = REFUSED[case]
    envs, plain = (FunctionalJaxVectorEnv(Count(), 3) for _ in range(2))
    for each in (envs, plain):
        each.reset(seed=0)
    with pytest.raises(kind, match=words):
        attempt(envs)
    assert envs.own is None
    for _ in range(7):
        assert_equal(envs.step(np.zeros(3, np.int64)), plain.step(np.zeros(3, np.int64)))


def test_a_param_that_is_drawn_is_not_set() -> None:
    envs: Any = RandomizeParams(FunctionalJaxVectorEnv(Count(), 3), goal=Choice([2, 3]))
    with pytest.raises(ValueError, match="'goal' is drawn"):
        envs.set_params([0], {"goal": 2})
    with pytest.raises(ValueError, match="drawn already"):
        RandomizeParams(envs, goal=Choice([4]))
    assert set(np.asarray(envs.reset(seed=0)[1]["params"]["goal"]).tolist()) <= {2, 3}


def test_values_belong_to_the_environments_as_they_are_named() -> None:
    for ids in ([4, 1], np.array([4, 1]), jnp.array([4, 1])):
        envs = batch()
        envs.set_params(ids, {"gravity": jnp.array([2.0, 1.0])})
        values = envs.reset(seed=0)[1]["params"]["gravity"]
        assert (float(values[4]), float(values[1])) == (2.0, 1.0)
    envs = batch()
    envs.set_params(jnp.arange(N) == 3, {"gravity": 2.0})
    assert envs.reset(seed=0)[1]["params"]["_gravity"].tolist() == [False, False, False, True, False, False]
    with pytest.raises(ValueError, match="2 values for 3"):
        envs.set_params([0, 1, 2], {"gravity": jnp.array([2.0, 1.0])})


def test_no_params_are_none() -> None:
    plain, empty, none = batch(), batch(), RandomizeParams(batch())
    empty.set_params([0], {})
    for envs in (empty, none):
        assert_equal(played(envs, 30), played(plain, 30))


def test_a_picture_shows_the_params_of_its_environment() -> None:
    envs, plain = (FunctionalJaxVectorEnv(CartPole(), 2, render_mode="rgb_array") for _ in range(2))
    envs.set_params([1], {"length": 1.5})
    longer = FunctionalJaxVectorEnv(
        CartPole(), 2, render_mode="rgb_array", params=CartPole().default_params._replace(length=1.5)
    )
    shown = []
    for each in (envs, plain, longer):
        each.reset(seed=0)
        shown.append(each.render())
    assert np.array_equal(shown[0][0], shown[1][0]) and np.array_equal(shown[0][1], shown[2][1])
    assert not np.array_equal(shown[1][1], shown[2][1])


def test_what_was_rendered_is_pickled_and_copied() -> None:
    env = RandomizeOne(make("phys2d/CartPole-v1", render_mode="rgb_array"), length=Uniform(1, 2))
    env.reset(seed=0)
    env.render()
    again = pickle.loads(pickle.dumps(env))
    assert np.array_equal(again.render(), env.render())
    env.close()
    assert pickle.loads(pickle.dumps(env)).unwrapped.render_state is None


def test_new_params_reach_whoever_has_none_of_its_own() -> None:
    envs, heavier = batch(), batch()
    envs.set_params([1], {"gravity": 5.0})
    envs.reset(seed=0)
    heavier.reset(seed=0)
    envs.params = heavier.params = envs.params._replace(gravity=20.0)
    for _ in range(3):
        ours, theirs = (each.step(np.ones(N, np.int64))[0] for each in (envs, heavier))
    assert [bool(np.allclose(a, b)) for a, b in zip(ours, theirs, strict=True)] == [True, False, *[True] * 4]
    assert np.asarray(envs._params_now("gravity")).tolist() == [20.0, 5.0, *[20.0] * 4]


def test_a_scale_multiplies_the_value_of_its_beginning() -> None:
    envs: Any = RandomizeParams(batch(), gravity=Scale(Uniform(0.9, 1.1)))
    envs.unwrapped.params = envs.unwrapped.params._replace(gravity=20.0)
    again = pickle.loads(pickle.dumps(envs))
    first = envs.reset(seed=0)[1]["params"]["gravity"]
    assert_equal(again.reset(seed=0)[1]["params"]["gravity"], first)
    assert (first < 11).all()


def test_snapshots_with_and_without_own_params() -> None:
    def some(**params: Any) -> Any:
        envs = batch()
        if params:
            envs.set_params([1], params)
        return envs

    for taken in ({}, {"gravity": 1.0}, {"length": 1.0}):
        for held in ({}, {"gravity": 2.0}):
            ours, others = some(**taken), some(**held)
            played(ours, 5)
            others.reset(seed=8)
            gymnasium.restore(others, pickle.loads(pickle.dumps(gymnasium.snapshot(ours))))
            for _ in range(40):
                assert_equal(*[each.step(np.ones(N, np.int64))[:4] for each in (ours, others)])


def test_a_snapshot_without_streams_begins_those_of_its_seed() -> None:
    plain, late = batch(), batch()
    for each in (plain, late):
        each.reset(seed=3)
    expected = RandomizeParams(late, gravity=Uniform(8, 12)).reset()[1]["params"]["gravity"]
    for seed in (1, 2):
        envs = RandomizeParams(batch(), gravity=Uniform(8, 12))
        envs.reset(seed=seed)
        gymnasium.restore(envs, gymnasium.snapshot(plain))
        assert_equal(envs.reset()[1]["params"]["gravity"], expected)


def test_one_environment_names_its_params_while_they_are_drawn() -> None:
    env: Any = make("phys2d/CartPole-v1")
    names = env.unwrapped.param_names()
    RandomizeOne(env, gravity=Uniform(8, 12)).reset(seed=0)
    assert env.unwrapped.param_names() == names


@pytest.mark.parametrize("attempt", ["set", "draw"])
@pytest.mark.parametrize(
    ("goal", "words"), [(2**40, "too large for int32"), (np.arange(3), "no number, but a ndarray")], ids=str
)
def test_a_value_that_the_dtype_cannot_hold_is_refused(goal: Any, words: str, attempt: str) -> None:
    envs = FunctionalJaxVectorEnv(Constantly(), 3, params=Params(goal=goal))
    with pytest.raises((ValueError, TypeError), match=words):
        if attempt == "set":
            envs.set_params([1], {"goal": 2})
        else:
            RandomizeParams(envs, goal=Choice([2]))
    assert envs.own is None


class Constantly(Count):
    """Takes any goal."""

    def terminal(self, state: Any, rng: Any, params: Params) -> Any:
        """Never end."""
        return state < 0
