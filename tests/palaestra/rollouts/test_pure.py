"""Policies as pure functions: machine code and Python give the same rollout, and the same errors."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import gymnasium
import palaestra
from gymnasium.error import ActionOutsideSpace, ResetNeeded
from gymnasium.functional import FuncEnv, ops
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode
from palaestra.policies import MLP, FuncPolicy, Layer, Linear, Random, Tabular
from palaestra.rollouts import collecting, collectors
from palaestra.runner import CompiledVectorEnv
from tests.contracts.test_async_equality import same

FLAT = Box(-2.0, 2.0, (1,), np.float32)
MODES = list(AutoresetMode)


class Extras(NamedTuple):
    push: float
    draw: int
    right: bool


class Params(NamedTuple):
    damping: float = 0.2


class Lean(FuncPolicy[Params]):
    """In lanes: it does not branch."""

    @staticmethod
    def act(params, observation, rng):
        _, _, theta, theta_dot = observation
        push = theta + params.damping * theta_dot + 0.5 * rng.standard_normal()
        return ops.where(push > 0.0, 1, 0), Extras(push, rng.integers(5), push > 0.0)


class Drifting(NamedTuple):
    x: float
    y: float


class Drift(FuncEnv[Any, Any, Any, Any, Any, Any, Any]):
    """Raises where x is beyond 3, in lanes too."""

    observation_space = Box(-np.inf, np.inf, (2,), np.float64)
    action_space = Box(-1.0, 1.0, (2,), np.float32)

    @staticmethod
    def initial(rng, params):
        return Drifting(rng.uniform(-1.0, 1.0), 0.0)

    @staticmethod
    def transition(state, action, rng, params):
        return Drifting(state.x + action[0], state.y + 1.0 / int(state.x < 3.0) + action[1])

    @staticmethod
    def observation(state, rng, params):
        return state.x, state.y

    @staticmethod
    def reward(state, action, next_state, rng, params):
        return next_state.x

    @staticmethod
    def terminal(state, rng, params):
        return abs(state.y) > 12.0


class Gain(NamedTuple):
    gain: float


class Steer(FuncPolicy[Gain]):
    """Actions of several numbers, as a tuple."""

    @staticmethod
    def act(params, observation, rng):
        return (params.gain * observation[0], rng.uniform(-1.0, 1.0))


class Odd(FuncPolicy[Gain]):
    """What it does depends on the gain: an action outside the space, or an exception."""

    @staticmethod
    def act(params, observation, rng):
        if observation[0] > 0.0 and params.gain > 0.0:
            return int(1.0 / (params.gain - 1.0))
        return 0


class Doubting(FuncPolicy[Gain]):
    """Its value is NaN where the cart is beyond the gain."""

    @staticmethod
    def act(params, observation, rng):
        return 1, Value(math.nan if observation[0] > params.gain else 0.0)


class Leaning(FuncPolicy[None]):
    @staticmethod
    def act(params, observation, rng):
        return observation[2] > 0.0


class Wary(FuncPolicy[None]):
    @staticmethod
    def act(params, observation, rng):
        assert abs(observation[0]) < 0.1
        return 1


def batch(made: Any, n: int, mode: AutoresetMode = AutoresetMode.NEXT_STEP, **options: Any) -> Any:
    if isinstance(made, str):
        return gymnasium.make_vec(made, n, vector_kwargs={"autoreset_mode": mode, **options})
    return palaestra.runner.CompiledVectorEnv(made, n, autoreset_mode=mode, **options)


def rollouts(envs: Any, policy: Any, monkeypatch: pytest.MonkeyPatch, plain: bool) -> tuple[Any, ...]:
    """Two rollouts, the second of which goes on, and a step after them."""
    with monkeypatch.context() as patch:
        if plain:
            patch.setattr(collecting, "COLLECTORS", collectors.COLLECTORS[-1:])
        first = palaestra.rollout(envs, policy, 25, start=envs.reset(seed=1)[0])
        then = palaestra.rollout(envs, policy, 15, start=first)
    return first, then, envs.step(then.actions[-1])[:4]


def network(inputs: int, outputs: int, space: Any, critic: bool = False, **options: Any) -> MLP:
    rng = np.random.default_rng(0)

    def layers(last: int) -> list[Layer]:
        shapes = ((8, inputs, "tanh"), (last, 8, "none"))
        return [Layer(rng.normal(size=(rows, columns)), rng.normal(size=rows), name) for rows, columns, name in shapes]

    return MLP(layers(outputs), layers(1) if critic else None, action_space=space, **options)


CASES = [
    ("CartPole-v1", Lean(Params())),
    ("CartPole-v1", Random(Discrete(2), seed=3)),
    ("Pendulum-v1", Linear(np.array([[0.5, -1.0, 0.25]]), FLAT, np.array([0.125]))),
    ("MountainCar-v0", Linear(np.eye(3, 2), Discrete(3))),
    ("FrozenLake-v1", Tabular(np.arange(64.0).reshape(16, 4) % 3, 0.7)),
    ("Taxi-v4", Tabular(np.zeros((500, 6)), 0.5, seed=2**64 - 1)),
    (Drift(), Steer(Gain(-0.1))),
    ("CartPole-v1", network(4, 2, Discrete(2), critic=True)),
    ("Pendulum-v1", network(3, 1, FLAT, log_std=np.zeros(1))),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", [3, 20])
@pytest.mark.parametrize(("made", "policy"), CASES, ids=lambda value: getattr(value, "id", type(value).__name__))
def test_machine_code_gives_the_rollout_of_python(made, policy, n, mode, monkeypatch, capsys):
    machine, python = (rollouts(batch(made, n, mode), policy, monkeypatch, plain) for plain in (False, True))
    assert same(machine, python)
    palaestra.rollout(batch(made, n, mode), policy, 1, explain=True)
    assert capsys.readouterr().out == "rollout: machine code\n"


def test_threads_and_memory_change_no_bit(monkeypatch):
    monkeypatch.setattr("palaestra.runner.rollouts.deciding.Decider.steps_of_a_thread", 1)
    found = []
    for threads in (1, 2, 5):
        envs = batch("CartPole-v1", 50, num_threads=threads)
        out = palaestra.rollout(envs, Lean(Params()), 40)
        found.append(palaestra.rollout(envs, Lean(Params()), 40, start=envs.reset(seed=1)[0], out=out))
        assert found[-1].observations is out.observations
    assert same(found[0], found[1])
    assert same(found[0], found[2])


def test_another_function_takes_effect(capsys):
    envs, policy = batch("CartPole-v1", 9), Odd(Gain(-1.0))
    assert not palaestra.rollout(envs, policy, 3).actions.any()
    vars(policy)["act"] = lambda params, observation, rng: 1
    assert palaestra.rollout(envs, policy, 3, explain=True).actions.all()
    assert capsys.readouterr().out == "rollout: machine code\n"


def test_each_environment_draws_for_itself():
    few, many = (palaestra.rollout(batch("CartPole-v1", n), Lean(Params()), 20) for n in (9, 40))
    assert np.array_equal(few.extras["draw"], many.extras["draw"][:, :9])
    assert not np.array_equal(many.extras["draw"][:, 0], many.extras["draw"][:, 1])
    other = palaestra.rollout(batch("CartPole-v1", 9), Lean(Params(), seed=1), 20)
    assert not np.array_equal(few.extras["draw"], other.extras["draw"])


def test_params_may_be_replaced():
    envs, policy = batch("CartPole-v1", 9), Linear(np.zeros((2, 4)), Discrete(2))
    assert not palaestra.rollout(envs, policy, 5).actions.any()
    policy.params = policy.params._replace(bias=np.array([0.0, 1.0]))
    assert palaestra.rollout(envs, policy, 5).actions.all()


def each(policy: Any, params: Any) -> Any:
    policy.params = params
    return policy


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", [3, 20])
@pytest.mark.parametrize("made", ["CartPole-v1", "Pendulum-v1"])
def test_each_environment_may_have_params_of_its_own(made, n, mode, monkeypatch, capsys):
    rng = np.random.default_rng(2)
    envs = batch(made, n, mode)
    policies = [
        Linear(rng.normal(size=(outputs, inputs)), envs.single_action_space)
        for (inputs,), outputs in [(envs.single_observation_space.shape, 2 if made == "CartPole-v1" else 1)] * n
    ]
    policy = each(policies[-1], [one.params for one in policies])
    machine, python = (rollouts(batch(made, n, mode), policy, monkeypatch, plain) for plain in (False, True))
    assert same(machine, python)
    palaestra.rollout(envs, policy, 1, explain=True)
    assert capsys.readouterr().out == "rollout: machine code\n"
    for i in (0, n - 2):
        alone = palaestra.rollout(envs, policies[i], 25, start=envs.reset(seed=1)[0])
        assert np.array_equal(alone.actions[:, i], machine[0].actions[:, i])
        assert not np.array_equal(alone.actions, machine[0].actions)


def test_equal_params_of_each_are_those_of_all():
    """Also one after the other: with params of each, rows are not stepped in lanes."""
    envs, policy = batch("CartPole-v1", 20), Lean(Params(0.3))
    found = []
    for params in (Params(0.3), [Params(0.3)] * 20, [Params(0.3)] * 19 + [Params(0.5)], Params(0.3)):
        policy.params = params
        found.append(palaestra.rollout(envs, policy, 40, start=envs.reset(seed=1)[0]))
    assert same(found[0], found[1])
    assert np.array_equal(found[0].observations[:, :19], found[2].observations[:, :19])
    assert not np.array_equal(found[0].extras["push"], found[2].extras["push"])
    assert same(found[0], found[3])


@pytest.mark.parametrize("plain", [False, True])
def test_params_of_each_raise_for_their_environment(plain, monkeypatch):
    for gain, error in ((1.0, ZeroDivisionError), (1.25, ActionOutsideSpace)):
        policy = each(Odd(Gain(0.0)), [Gain(0.0)] * 8 + [Gain(gain)])
        with pytest.raises(error):
            rollouts(batch("CartPole-v1", 9), policy, monkeypatch, plain)


@pytest.mark.parametrize("made", ["CartPole-v1", "Blackjack-v1"])
@pytest.mark.parametrize("count", [0, 1, 8])
def test_params_of_another_number_of_environments_are_refused(made, count):
    envs = batch(made, 3)
    envs.reset(seed=1)
    before = envs.get_state()
    policy = each(Lean(Params()), [Params()] * count)
    with pytest.raises(ValueError, match=f"`params` of Lean is a list of {count}, but there are 3 environments"):
        palaestra.rollout(envs, policy, 5)
    assert same(before, envs.get_state())


def test_params_of_each_value_nothing():
    class Critic(Lean):
        @staticmethod
        def act(params, observation, rng):
            return 0, Value(observation[0])

    rollout = palaestra.rollout(batch("CartPole-v1", 9), Critic(Params()), 20)
    with pytest.raises(ValueError, match="`params` is a list of those of each"):
        rollout.gae(0.99, 0.95, each(Critic(Params()), [Params()] * 9))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("n", [3, 20])
def test_an_action_outside_the_space_is_refused(n, plain, monkeypatch):
    with pytest.raises(ActionOutsideSpace):
        rollouts(batch("CartPole-v1", n), Odd(Gain(1.25)), monkeypatch, plain)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("gain", [np.nan, 1e300])
def test_an_action_that_is_not_finite_is_refused(gain, plain, monkeypatch):
    """1e300 is infinite as float32."""
    with pytest.raises(ActionOutsideSpace):
        rollouts(batch(Drift(), 9), Steer(Gain(gain)), monkeypatch, plain)


@pytest.mark.parametrize("plain", [False, True])
def test_an_extra_that_is_nan_is_refused(plain, monkeypatch):
    envs, policy = batch("CartPole-v1", 20), Doubting(Gain(0.02))
    with pytest.raises(ValueError, match=r"extra 'value' is NaN in the rows \[3, 4, 8, 9"):
        rollouts(envs, policy, monkeypatch, plain)
    policy.params = Gain(9.0)
    palaestra.rollout(envs, policy, 5)


@pytest.mark.parametrize("plain", [False, True])
def test_a_bool_is_no_discrete_action(plain, monkeypatch):
    with pytest.raises(ActionOutsideSpace, match="dtype bool"):
        rollouts(batch("CartPole-v1", 9), Leaning(), monkeypatch, plain)


def test_a_policy_that_refuses_a_sample_of_the_space_acts_in_python(capsys):
    palaestra.rollout(batch("CartPole-v1", 9), Wary(), 5, explain=True)
    assert "not machine code, since Wary.act raised AssertionError" in capsys.readouterr().out


def test_a_batch_that_resets_in_its_own_way_steps_in_python(monkeypatch):
    class Shifted(CompiledVectorEnv):
        def reset(self, **options):
            observations, infos = super().reset(**options)
            return observations + 1.0, infos

    machine, python = (rollouts(Shifted(Drift(), 9), Steer(Gain(0.1)), monkeypatch, plain) for plain in (False, True))
    assert same(machine, python)


@pytest.mark.parametrize("plain", [False, True])
def test_values_of_a_network_that_are_nan_are_refused(plain, monkeypatch):
    policy = MLP([Layer(np.zeros((2, 4)))], [Layer(np.array([[3e38, -3e38, 3e38, -3e38]]))], action_space=Discrete(2))
    envs = batch("CartPole-v1", 9)
    start = envs.reset(seed=1)[0] + np.float32(np.inf)
    with monkeypatch.context() as patch:
        if plain:
            patch.setattr(collecting, "COLLECTORS", collectors.COLLECTORS[-1:])
        else:
            envs._runner.memory.columns["observation0"][:] = start
        with pytest.raises(ValueError, match=r"extra '(log_prob|value)' is NaN"), np.errstate(invalid="ignore"):
            palaestra.rollout(envs, policy, 2, start=start)


@pytest.mark.parametrize("n", [3, 20])
def test_exceptions_of_a_policy_are_those_of_python(n, monkeypatch):
    envs = batch("CartPole-v1", n)
    for plain in (False, True):
        with pytest.raises(ZeroDivisionError, match="division by zero"):
            rollouts(envs, Odd(Gain(1.0)), monkeypatch, plain)


@pytest.mark.parametrize("n", [3, 20])
def test_exceptions_of_the_dynamics_are_those_of_python(n, monkeypatch):
    for plain in (False, True):
        envs = batch(Drift(), n)
        with pytest.raises(ZeroDivisionError) as raised:
            rollouts(envs, Steer(Gain(5.0)), monkeypatch, plain)
        assert any("Environment" in note for note in getattr(raised.value, "__notes__", ["Environment"]))
        with pytest.raises(ResetNeeded):
            envs.step(np.zeros((n, 2), np.float32))


def test_the_policy_may_be_the_critic():
    class Critic(Lean):
        @staticmethod
        def act(params, observation, rng):
            return 0, Value(observation[0])

    rollout = palaestra.rollout(batch("CartPole-v1", 9), Critic(Params()), 20)
    advantages, targets = rollout.gae(0.99, 0.95, Critic(Params()))
    given = rollout.gae(0.99, 0.95, values=rollout.observations[..., 0].astype(np.float64))
    assert np.array_equal(advantages, given[0])
    assert np.array_equal(targets, given[1])


class Value(NamedTuple):
    value: float


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="sync"), "is not compiled"),
        (
            lambda: gymnasium.wrappers.vector.TransformReward(batch("CartPole-v1", 2), lambda rewards: -rewards),
            "TransformReward runs in Python only",
        ),
    ],
)
def test_python_does_what_machine_code_cannot(made, reason, capsys):
    rollout = palaestra.rollout(made(), Random(Discrete(2)), 8, explain=True)
    told = capsys.readouterr().out
    assert told.startswith("rollout: plain loop; not machine code, since ")
    assert reason in told
    assert set(np.unique(rollout.actions)) <= {0, 1}


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "1"])
def test_other_seeds_are_refused(seed):
    with pytest.raises(ValueError, match="`seed` must be an integer from 0 on"):
        Lean(Params(), seed=seed)
