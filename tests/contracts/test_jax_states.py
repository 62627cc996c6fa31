"""A moment under JAX is returned to exactly: of one environment, of a batch, and of one environment of a batch."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
from jax import numpy as jnp

from gymnasium.envs._jax.func_env import KeyedFuncEnv
from gymnasium.envs.functional_jax_env import FunctionalJaxEnv, FunctionalJaxVectorEnv
from gymnasium.envs.registration import make, make_vec, registry
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode
from tests.gymnasium.envs.jax.walker import Params, Walker

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.usefixtures("little_optimised"),
]

N = 5
OURS = [env_id for env_id in registry if env_id.startswith(("phys2d/", "tabular/"))]
TRACED = [*OURS, "Pendulum-v1", "Taxi-v4", "Walker", "OwnKey"]
BATCHES = [("phys2d/CartPole-v1", "NextStep"), ("tabular/CliffWalking-v0", "SameStep"), ("FrozenLake-v1", "Disabled")]
BATCHES += [("OwnKey", "NextStep"), ("OwnKey", "Disabled")]


class KeyState(NamedTuple):
    own_key: Any
    position: Any


class OwnKey(KeyedFuncEnv[Any, Any, Any, Any, Any, Any, Any]):
    """Keeps a key of its own in its state."""

    observation_space = Box(-100.0, 100.0, (), np.float32)
    action_space = Discrete(2)
    params_type = Params

    def initial(self, rng: Any, params: Any = None) -> Any:
        return KeyState(jax.random.split(rng)[0], jnp.float32(0))

    def transition(self, state: Any, action: Any, rng: Any, params: Any = None) -> Any:
        own, used = jax.random.split(state.own_key)
        return KeyState(own, state.position + jax.random.uniform(used) + jax.random.uniform(rng))

    def observation(self, state: Any, rng: Any, params: Any = None) -> Any:
        return state.position

    def reward(self, state: Any, action: Any, next_state: Any, rng: Any, params: Any = None) -> Any:
        return next_state.position

    def terminal(self, state: Any, rng: Any, params: Any = None) -> Any:
        return state.position > 4


def settled(value: Any) -> Any:
    """The value, its arrays as bytes."""
    return jax.tree.map(lambda leaf: (np.asarray(leaf).dtype.str, np.asarray(leaf).tobytes()), value)


def played(env: Any, actions: list[Any]) -> list[Any]:
    """What comes of the actions, with resets where episodes end."""
    seen = []
    for action in actions:
        result = env.step(action)
        seen.append(settled(result))
        if result[2]:
            seen.append(settled(env.reset()))
    return seen


def single(name: str) -> Any:
    if name in registry:
        env: Any = make(name).unwrapped
        return env if hasattr(env, "rng") else FunctionalJaxEnv(env.func_env)
    return FunctionalJaxEnv(OwnKey() if name == "OwnKey" else Walker())


def batch(name: str, n: int = N, mode: AutoresetMode = AutoresetMode.NEXT_STEP) -> Any:
    if name in registry and not name.startswith(("phys2d/", "tabular/")):
        return make_vec(name, n, vectorization_mode="jax", vector_kwargs={"autoreset_mode": mode})
    func_env = single(name).func_env
    return FunctionalJaxVectorEnv(func_env, n, 7, {"autoreset_mode": mode})


def actions_of(env: Any, count: int) -> list[Any]:
    env.action_space.seed(1)
    return [env.action_space.sample() for _ in range(count)]


def through_pickle(state: Any) -> Any:
    assert not any(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(state))
    return pickle.loads(pickle.dumps(state))


@pytest.mark.parametrize("name", TRACED)
def test_a_moment_is_returned_to_exactly(name: str) -> None:
    """In the same environment and in another, which was never reset; later resets included."""
    env, other = single(name), single(name)
    actions = actions_of(env, 30)
    env.reset(seed=3)
    played(env, actions[:8])

    moment = through_pickle(env.get_state())
    after = played(env, actions[8:])
    for one in (env, other):
        one.set_state(moment)
        assert played(one, actions[8:]) == after
    assert settled(other.reset()) == settled(env.reset())
    assert other.np_random.random() == env.np_random.random()
    assert other.np_random_seed == 3


@pytest.mark.parametrize(("name", "mode"), BATCHES)
def test_so_is_that_of_a_batch(name: str, mode: str) -> None:
    envs, other = batch(name, mode=AutoresetMode(mode)), batch(name, mode=AutoresetMode(mode))
    actions = actions_of(envs, 25)
    envs.reset(seed=3)

    def run(some: Any, moves: list[Any]) -> list[Any]:
        seen = []
        for action in moves:
            seen.append(settled(some.step(action)))
            if mode == "Disabled" and np.asarray(some.prev_done).any():
                seen.append(settled(some.reset(options={"reset_mask": np.asarray(some.prev_done)})))
        return seen

    run(envs, actions[:9])
    moment = through_pickle(envs.get_state())
    after = run(envs, actions[9:])
    for one in (envs, other):
        one.set_state(None, moment)
        assert run(one, actions[9:]) == after
    assert settled(envs.reset()) == settled(other.reset())


@pytest.mark.parametrize("name", ["phys2d/CartPole-v1", "Pendulum-v1"])
def test_one_environment_goes_on_in_another_batch_at_another_index(name: str) -> None:
    """Until its end where its dynamics draw nothing; its elapsed steps go with it, and the others do not notice."""
    mode = AutoresetMode.DISABLED
    envs, other, untouched = batch(name, mode=mode), batch(name, 3, mode), batch(name, 3, mode)
    for some in (envs, other, untouched):
        some.reset(seed=3)
    actions = actions_of(envs, 7)
    for action in actions[:4]:
        envs.step(action)
    moment = through_pickle(envs.get_state(4))
    assert (moment.steps, moment.finished) == (4, False)
    other.set_state(1, moment)

    for action in actions[4:]:
        few = np.array(action[:3])
        few[1] = action[4]
        here, there, beside = envs.step(action), other.step(few), untouched.step(few)
        for x, y, z in zip(here[:4], there[:4], beside[:4], strict=True):
            np.testing.assert_array_equal(np.asarray(x)[4], np.asarray(y)[1])
            np.testing.assert_array_equal(np.asarray(y)[[0, 2]], np.asarray(z)[[0, 2]])


def test_a_state_is_a_copy_and_plain() -> None:
    env = single("CartPole-v1")
    env.reset(seed=0)
    moment = env.get_state()
    assert all(isinstance(leaf, np.ndarray) for leaf in (*moment.state, moment.key))
    before = settled(env.state)

    for leaf in moment.state:
        leaf[...] = 7.0

    assert settled(env.state) == before
    env.set_state(moment)
    for leaf in moment.state:
        leaf[...] = 8.0
    assert [float(x) for x in env.state] == [7.0] * 4


def test_params_are_no_part_of_it() -> None:
    env = single("CartPole-v1")
    env.reset(seed=0)
    moment = env.get_state()
    env.params = env.params._replace(gravity=1.5)

    env.set_state(moment)

    assert env.params.gravity == 1.5


def test_there_is_no_moment_before_the_first_reset() -> None:
    for refused in (single("CartPole-v1").get_state, batch("CartPole-v1").get_state):
        with pytest.raises(ResetNeeded):
            refused()
    begun, envs = batch("CartPole-v1"), batch("CartPole-v1")
    begun.reset(seed=0)
    with pytest.raises(ResetNeeded):
        envs.set_state(0, begun.get_state(0))


def test_moments_that_are_none_are_refused_and_nothing_moves() -> None:
    env, stranger = single("CartPole-v1"), single("phys2d/CartPole-v1")
    env.reset(seed=0), stranger.reset(seed=1)
    moment = env.get_state()
    before = settled((env.state, env.rng)), env.np_random.bit_generator.state
    state = moment.state
    wrong = [
        (stranger.get_state(), ValueError),
        (3, TypeError),
        (tuple(moment), TypeError),
        (moment._replace(state=tuple(state)), ValueError),
        (moment._replace(state=state._replace(x=np.zeros(2, np.float32))), ValueError),
        (moment._replace(state=state._replace(x=np.zeros((), np.float64))), ValueError),
        (moment._replace(key=np.zeros(4, np.uint32)), ValueError),
        (moment._replace(generator=np.random.MT19937(1).state), ValueError),
    ]
    for given, kind in wrong:
        with pytest.raises(kind):
            env.set_state(given)
        assert (settled((env.state, env.rng)), env.np_random.bit_generator.state) == before


def test_so_are_those_of_batches() -> None:
    envs, wider, stranger = batch("CartPole-v1"), batch("CartPole-v1", N + 1), batch("phys2d/CartPole-v1")
    for some in (envs, wider, stranger):
        some.reset(seed=0)
    before = settled(envs.batch)
    wrong = [
        (None, wider.get_state(), ValueError),
        (None, stranger.get_state(), ValueError),
        (None, envs.get_state(0), TypeError),
        (0, envs.get_state(), TypeError),
        (0, stranger.get_state(0), ValueError),
        (N, envs.get_state(0), IndexError),
        (-1, envs.get_state(0), IndexError),
        (0, 3, TypeError),
    ]
    for place, given, kind in wrong:
        with pytest.raises(kind):
            envs.set_state(place, given)
        assert settled(envs.batch) == before
    envs.set_state(0, wider.get_state(N))
