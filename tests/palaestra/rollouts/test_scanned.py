"""Rollouts under JAX: one scan gives what a loop over the same functions gives, step by step."""

from __future__ import annotations

from functools import cache, partial
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import gymnasium
import palaestra
from gymnasium.envs._jax.keys import policy_keys
from gymnasium.envs._jax.program import Program
from gymnasium.error import ActionOutsideSpace, StepBeforeReset
from gymnasium.functional import ops
from gymnasium.vector import AutoresetMode
from palaestra.jax.policies import policy_of
from palaestra.policies import FuncPolicy, Linear, Random, Tabular
from palaestra.rollouts import collecting, collectors
from tests.double_precision import enable_x64
from tests.palaestra.rollouts.networks import network

pytestmark = pytest.mark.usefixtures("little_optimised")

STEPS, SOME, N = 60, 30, 5  # few numbers of steps, for each of which a scan is compiled
EXACT = "tabular/Blackjack-v0", "FrozenLake-v1"  # without arithmetic of floats that could be rounded


class Gains(NamedTuple):
    speed: Any = 0.5
    noise: Any = 0.1


class Push(NamedTuple):
    push: Any


class Lean(FuncPolicy[Gains]):
    @staticmethod
    def act(params, observation, rng):
        _, _, theta, theta_dot = observation
        push = theta + params.speed * theta_dot + params.noise * rng.standard_normal()
        return ops.where(push > 0, 1, 0), Push(push)


class Keyed(FuncPolicy[Any]):
    """Written for JAX: `rng` is a key."""

    @staticmethod
    def act(params, observation, rng):
        return jax.random.categorical(rng, jnp.dot(observation, params["weights"]))


class Branching(FuncPolicy[Any]):
    @staticmethod
    def act(params, observation, rng):
        return 1 if observation[2] > 0 else 0


@cache
def batch(made: str, mode: Any = AutoresetMode.NEXT_STEP, n: int = N) -> Any:
    """The one of its kind, whose programs are compiled once."""
    return new_batch(made, mode, n)


def new_batch(made: str, mode: Any = AutoresetMode.NEXT_STEP, n: int = N) -> Any:
    return gymnasium.make_vec(made, n, vectorization_mode="jax", vector_kwargs={"autoreset_mode": mode})


def policy_for(made: str) -> Any:
    """A policy of each kind, one for each environment."""
    spaces: Any = gymnasium.make(made).unwrapped
    space = spaces.action_space
    return {
        "CartPole-v1": lambda: network(4, 2, space, seed=7),
        "Pendulum-v1": lambda: network(3, 1, space, log_std=np.zeros(1), seed=2**40),
        "Acrobot-v1": lambda: Linear(np.eye(3, 6), space),
        "MountainCarContinuous-v0": lambda: Random(space, seed=1),
        "FrozenLake-v1": lambda: Tabular(np.arange(64.0).reshape(16, 4) % 3, 0.7),
        "tabular/Blackjack-v0": lambda: Random(space),
        "phys2d/CartPole-v1": lambda: Lean(Gains()),
    }[made]()


NEXT, SAME, OFF = AutoresetMode
CASES = [(made, mode) for made in ("CartPole-v1", "FrozenLake-v1") for mode in AutoresetMode]
CASES += [("Pendulum-v1", NEXT), ("Acrobot-v1", SAME), ("MountainCarContinuous-v0", OFF)]
CASES += [("tabular/Blackjack-v0", SAME), ("phys2d/CartPole-v1", OFF)]


def stepped(envs: Any, policy: Any, steps: int) -> dict[str, Any]:
    """The arrays of a rollout after `reset(seed=1)`, from a loop over `step`."""
    known = policy_of(policy)
    decide = Program(lambda observations, keys, params: known.act(params, observations, keys))
    keys, rows = policy_keys(policy.seed, envs.num_envs), []
    observations = envs.reset(seed=1)[0]
    for _ in range(steps):
        keys, own = jnp.moveaxis(jax.vmap(jax.random.split)(keys), 1, 0)
        actions, extras = decide(observations, own, known.params(policy, envs.num_envs))
        before = observations
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        finals, over = infos.get("final_obs", observations), np.asarray(terminated | truncated)
        if envs.autoreset_mode is AutoresetMode.DISABLED and over.any():
            observations = envs.reset(options={"reset_mask": over})[0]
        rows.append((before, actions, rewards, terminated, truncated, extras, finals))
    stacked = jax.tree.map(lambda *each: np.stack(each), *rows)
    names = "observations", "actions", "rewards", "terminated", "truncated", "extras", "finals"
    return {**dict(zip(names, stacked, strict=True)), "last": jax.tree.map(np.asarray, observations)}


def by_place(observations: Any) -> Any:
    return observations[:, 0]


def equal(a: Any, b: Any, exactly: bool = True) -> bool:
    pairs = list(zip(jax.tree.leaves(a), jax.tree.leaves(b), strict=True))
    if exactly:
        return all(np.array_equal(x, y) for x, y in pairs)
    return all(np.allclose(x, y, 1e-4, 1e-5) for x, y in pairs)


@pytest.mark.parametrize(("made", "mode"), CASES)
def test_a_scan_gives_what_steps_give(made: str, mode: Any, capsys: Any) -> None:
    """To the bit without floats; these JAX may round in another way where it compiles more at once."""
    envs, policy = batch(made, mode), policy_for(made)
    wanted = stepped(envs, policy, STEPS)

    found = palaestra.rollout(envs, policy, STEPS, start=envs.reset(seed=1)[0], explain=True)

    assert capsys.readouterr().out.startswith("rollout: JAX scan; ")
    observations = jax.tree.map(lambda array: array[:-1], found.observations)
    exactly = made in EXACT
    for name in ("actions", "rewards", "terminated", "truncated", "extras"):
        assert equal(getattr(found, name), wanted[name], exactly), name
    assert equal(observations, wanted["observations"], exactly)
    assert equal(jax.tree.map(lambda array: array[-1], found.observations), wanted["last"], exactly)
    over = wanted["terminated"] | wanted["truncated"]
    steps, ids = over.nonzero()
    assert (found.episodes.steps.tolist(), found.episodes.envs.tolist()) == (steps.tolist(), ids.tolist())
    resets = np.zeros_like(over)
    if mode is AutoresetMode.NEXT_STEP:
        resets[1:] = over[:-1]
        steps, ids = steps[:0], ids[:0]
    assert np.array_equal(found.valid, ~resets)
    finals = jax.tree.map(lambda array: array[steps, ids], wanted["finals"])
    assert equal(found.final_observations.observations, finals, exactly)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_episodes_are_those_of_the_plain_loop(mode: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a jitted function both collectors give one rollout, apart from dtypes; returns are summed in float64."""
    policy = jax.jit(lambda observations: (observations[:, 2] > 0).astype(int))
    found = []
    for kept in (collectors.COLLECTORS, collectors.COLLECTORS[-1:]):
        monkeypatch.setattr(collecting, "COLLECTORS", kept)
        envs = batch("CartPole-v1", mode)
        first = palaestra.rollout(envs, policy, STEPS, start=envs.reset(seed=1)[0])
        found.append((first, palaestra.rollout(envs, policy, STEPS, start=first)))

    for scanned, plain in zip(*found, strict=True):
        assert isinstance(scanned.rewards, jax.Array) and isinstance(plain.rewards, np.ndarray)
        assert len(scanned.episodes.steps) > 2
        for name in ("actions", "rewards", "terminated", "truncated", "valid", "episodes", "running"):
            assert equal(getattr(scanned, name), getattr(plain, name)), name
        assert equal(scanned.flat(), plain.flat(), exactly=False)
        assert equal(scanned.gae(0.9, 0.9, by_place), plain.gae(0.9, 0.9, by_place), exactly=False)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_two_rollouts_are_one(mode: Any) -> None:
    envs, policy = batch("CartPole-v1", mode), Lean(Gains(), seed=2)
    whole = palaestra.rollout(envs, policy, STEPS, start=envs.reset(seed=1)[0])
    first = palaestra.rollout(envs, policy, SOME, start=envs.reset(seed=1)[0])
    head = jax.tree.map(np.array, first)
    then = palaestra.rollout(envs, policy, STEPS - SOME, start=first, out=first)

    for name in ("actions", "rewards", "terminated", "truncated", "valid", "extras"):
        both = jax.tree.map(lambda *parts: np.concatenate(parts), getattr(head, name), getattr(then, name))
        assert equal(both, getattr(whole, name)), name
    assert equal(then.observations[-1], whole.observations[-1])
    assert equal(then.running, whole.running)
    returns = np.concatenate([head.episodes.returns, then.episodes.returns])
    assert returns.tolist() == whole.episodes.returns.tolist()


def test_out_lends_its_memory_and_numpy_keeps_its_own() -> None:
    envs, policy = batch("CartPole-v1"), Lean(Gains())
    first = palaestra.rollout(envs, policy, SOME)
    places = {leaf.unsafe_buffer_pointer() for leaf in jax.tree.leaves(first[:7])}  # of the arrays of T steps

    second = palaestra.rollout(envs, policy, SOME, start=first, out=first)
    again = {leaf.unsafe_buffer_pointer() for leaf in jax.tree.leaves(second[:7])}
    view = np.asarray(second.observations)
    before = view.copy()
    third = palaestra.rollout(envs, policy, SOME, start=second, out=second)

    assert again == places
    assert first.rewards.is_deleted()
    assert np.array_equal(view, before)
    assert not np.array_equal(third.observations, before)


@pytest.mark.parametrize("change", [{"steps": SOME - 1}, {"policy": Random(gymnasium.spaces.Discrete(2))}])
def test_other_memory_is_refused_before_anything_moves(change: dict[str, Any]) -> None:
    envs, policy = batch("CartPole-v1"), Lean(Gains())
    out = palaestra.rollout(envs, policy, SOME)
    moment = envs.get_state()

    with pytest.raises(ValueError, match="leave out `out`"):
        palaestra.rollout(envs, **{"policy": policy, "steps": SOME, "start": out, "out": out, **change})
    assert equal(envs.get_state().batch, moment.batch)
    assert not out.rewards.is_deleted()


def test_arrays_stay_on_the_device() -> None:
    found = palaestra.rollout(batch("CartPole-v1"), Lean(Gains()), SOME)
    given = found.to_jax()

    for array, shared in zip(jax.tree.leaves(found[:7]), jax.tree.leaves(given[:7]), strict=True):
        assert isinstance(array, jax.Array) and not array.is_deleted()
        assert shared.unsafe_buffer_pointer() == array.unsafe_buffer_pointer()


def test_new_weights_are_traced_only_once() -> None:
    """Of a function with weights, of a network, and of params."""
    traced = []

    @jax.jit
    def act(weights: Any, observations: Any, *, offset: Any) -> Any:
        traced.append(None)
        scores = observations @ weights + offset
        return scores.argmax(1), {"scores": scores}

    envs = batch("CartPole-v1")
    for column in (0, 1):
        weights = jnp.zeros((4, 2)).at[:, column].set(1.0)
        offset = 9.0 * jnp.eye(2)[column]
        found = palaestra.rollout(envs, partial(act, weights, offset=offset), 9)
        assert np.all(np.asarray(found.actions) == column)
        assert found.extras["scores"].shape == (9, N, 2)
    assert len(traced) < 3

    policy = network(4, 2, envs.single_action_space, deterministic=True)
    policy._sources[1].bias[:] = 99.0, 0.0
    assert not np.asarray(palaestra.rollout(envs, policy, 9).actions).any()
    policy._sources[1].bias[:] = 0.0, 99.0
    assert np.asarray(palaestra.rollout(envs, policy, 9).actions).all()


def test_a_function_of_jax_gets_a_key() -> None:
    envs = batch("CartPole-v1", n=64)
    policy = Keyed({"weights": jnp.zeros((4, 2))}, seed=1)

    actions = np.asarray(palaestra.rollout(envs, policy, 50).actions)

    assert 0.45 < actions.mean() < 0.55
    assert len({column.tobytes() for column in actions.T}) == 64
    assert len({row.tobytes() for row in actions}) == 50


def test_each_environment_draws_for_itself() -> None:
    space = gymnasium.spaces.Discrete(2)
    few, many = (palaestra.rollout(batch("CartPole-v1", n=n), Random(space), 40) for n in (3, N))
    other = palaestra.rollout(batch("CartPole-v1", n=3), Random(space, seed=1), 40)

    assert np.array_equal(few.actions, many.actions[:, :3])
    assert not np.array_equal(few.actions, other.actions)


def test_each_environment_may_have_params_of_its_own() -> None:
    envs, policy = batch("CartPole-v1"), Lean(Gains())
    start = envs.reset(seed=1)[0]
    moment = envs.get_state()
    alone = palaestra.rollout(envs, policy, SOME, start=start)
    envs.set_state(None, moment)
    policy.params = [Gains()] * (N - 1) + [Gains(speed=9.0)]

    found = palaestra.rollout(envs, policy, SOME, start=start)

    assert np.allclose(found.extras["push"][:9, : N - 1], alone.extras["push"][:9, : N - 1], 1e-4, 1e-5)
    assert not np.array_equal(found.extras["push"][0, N - 1], alone.extras["push"][0, N - 1])


REFUSED = [
    (lambda observations: np.zeros(N, int), "the policy is no FuncPolicy, no MLP and no function of jax.jit"),
    (Branching(), "branches on a value that is known only when the environment runs"),
    (jax.jit(lambda observations: (observations[:, 0] > 0).astype(int) + np.zeros(N)), None),
    (jax.jit(lambda observations: jnp.zeros(N - 1, int)), None),
    (jax.jit(lambda observations: (jnp.zeros(N, int), {"value": observations[:-1]})), None),
    (jax.jit(lambda observations: observations.missing), None),
]


@pytest.mark.parametrize(("policy", "reason"), REFUSED)
def test_other_policies_take_the_plain_loop(policy: Any, reason: str | None, capsys: Any) -> None:
    """Whose errors they get."""
    envs = batch("CartPole-v1")
    if reason is None:
        with pytest.raises((TypeError, ValueError, AttributeError, ActionOutsideSpace)):
            palaestra.rollout(envs, policy, 9, explain=True)
    else:
        palaestra.rollout(envs, policy, 9, explain=True)
    told = capsys.readouterr().out
    assert told.startswith("rollout: plain loop; ")
    assert (reason or "not JAX scan, since ") in told


def test_wrapped_and_altered_batches_take_the_plain_loop(capsys: Any) -> None:
    envs = gymnasium.wrappers.vector.ClipReward(batch("CartPole-v1"), 0.0, 0.5)
    found = palaestra.rollout(envs, Lean(Gains()), 9, explain=True)

    assert "is not a batch under JAX" in capsys.readouterr().out
    assert np.asarray(found.rewards).max() == 0.5


@jax.jit
def nothing(observations: Any) -> Any:
    return observations[:, :1] * np.nan


@jax.jit
def doubting(observations: Any) -> Any:
    return jnp.zeros((N, 1)), {"value": jnp.log(observations[:, 0] + 1.5 - 2.0 * (jnp.arange(N) == 3))}


@pytest.mark.parametrize(
    ("made", "policy", "error"),
    [
        ("Pendulum-v1", nothing, ActionOutsideSpace),
        ("Pendulum-v1", doubting, ValueError),
        ("CartPole-v1", jax.jit(lambda observations: jnp.full(N, 2)), ActionOutsideSpace),
        ("CartPole-v1", jax.jit(lambda observations: jnp.full(N, 2**32 - 1, jnp.uint32)), ActionOutsideSpace),
    ],
)
def test_what_a_policy_may_not_return_is_refused(made: str, policy: Any, error: type[Exception]) -> None:
    """The environments are then where they were."""
    envs = batch(made)
    start = envs.reset(seed=1)[0]
    moment = envs.get_state()

    with pytest.raises(error, match=r"rows|must be finite|are not in"):
        palaestra.rollout(envs, policy, 9, start=start)
    assert equal(envs.get_state().batch, moment.batch)


def test_errors_of_the_batch_are_those_of_the_plain_loop() -> None:
    envs, policy = new_batch("CartPole-v1", AutoresetMode.DISABLED), Random(gymnasium.spaces.Discrete(2))
    with pytest.raises(StepBeforeReset):
        palaestra.rollout(envs, policy, 9, start=np.zeros((N, 4), np.float32))
    observations = envs.reset(seed=1)[0]
    while not envs.prev_done.any():
        observations = envs.step(np.zeros(N, int))[0]
    with pytest.raises(AssertionError, match="Finished environments were stepped"):
        palaestra.rollout(envs, policy, 9, start=observations)


def test_another_policy_goes_on_with_streams_of_its_own() -> None:
    """From keys of JAX to streams of NumPy and back."""
    envs = batch("CartPole-v1")
    policies = [Lean(Gains()), Branching(), Lean(Gains())]
    last = None
    for policy in policies:
        last = palaestra.rollout(envs, policy, SOME, start=last)
    assert isinstance(last.running.streams, jax.Array)
    assert last.running.lengths.tolist() == envs.steps.tolist()


def test_numbers_may_have_64_bits() -> None:
    with enable_x64(True):
        envs = new_batch("CartPole-v1")
        found = palaestra.rollout(envs, Lean(Gains()), SOME)
        assert found.rewards.dtype == np.float64 and found.actions.dtype == np.int64
        assert found.extras["push"].dtype == np.float64
        again = palaestra.rollout(envs, Lean(Gains()), SOME, out=found)
        assert again.episodes.returns.dtype == np.float64
