"""phys2d and tabular: recorded numbers, physics, params, and the public functions."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import gymnasium as gym
from gymnasium.envs._jax.program import Program
from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.envs.classic_control.pendulum import Pendulum
from gymnasium.envs.classic_control.pendulum import State as PendulumState
from gymnasium.envs.phys2d.cartpole import CartPoleFunctional, CartPoleJaxVectorEnv, CartPoleParams
from gymnasium.envs.phys2d.pendulum import PendulumFunctional, PendulumJaxVectorEnv
from gymnasium.envs.tabular import blackjack, cliffwalking
from gymnasium.envs.tabular.blackjack import BlackjackFunctional
from gymnasium.envs.tabular.cliffwalking import CliffWalkingFunctional
from gymnasium.envs.toy_text.cliffwalking import CliffWalkingEnv
from gymnasium.vector import AutoresetMode
from palaestra.jax import JaxDynamics

KEY = jax.random.PRNGKey(0)

# From the specification; of CartPole the first observation alone, since the step was computed with another pole.
RECORDED = [
    ("phys2d/CartPole-v1", [0.03423141, -0.03176213, -0.02728219, -0.03792744], None, 1.0),
    (
        "phys2d/Pendulum-v0",
        [-0.54804635, 0.83644795, -0.6352427],
        [-0.5511488, 0.834407, 0.07427031],
        -4.66669225692749,
    ),
    ("tabular/Blackjack-v0", [11, 3, 0], [21, 3, 0], 0.0),
    ("tabular/CliffWalking-v0", [36], [36], -1.0),
]


@pytest.mark.parametrize(("env_id", "first", "second", "reward"), RECORDED)
def test_seed_0_gives_the_recorded_numbers(env_id: str, first: Any, second: Any, reward: float) -> None:
    env = gym.make(env_id)
    observation, _ = env.reset(seed=0)
    env.action_space.seed(0)
    after, came, *_ = env.step(env.action_space.sample())

    rounding = 1e-6 if jax.default_backend() == "cpu" else 1e-5
    np.testing.assert_allclose(observation, first, rtol=rounding)
    if second is not None:
        np.testing.assert_allclose(after, second, rtol=rounding)
    assert came == pytest.approx(reward, rel=1e-6)


SIZES = {
    "phys2d/CartPole-v1": (400, 600, 3),
    "phys2d/Pendulum-v0": (500, 500, 3),
    "tabular/Blackjack-v0": (376, 384, 3),
    "tabular/CliffWalking-v0": (256, 768, 3),
}


@pytest.mark.parametrize(("env_id", "shape"), SIZES.items())
def test_they_can_be_drawn(env_id: str, shape: tuple[int, ...]) -> None:
    env = gym.make(env_id, render_mode="rgb_array")
    env.reset(seed=0)
    picture: Any = env.render()
    env.step(env.action_space.sample())
    env.close()

    assert picture.shape == shape and picture.std() > 0


def test_specs_are_those_of_the_api() -> None:
    """A time limit around phys2d, none around tabular; no passive checker; `render_modes` spelled right."""
    assert str(gym.make("phys2d/CartPole-v1")) == "<TimeLimit<OrderEnforcing<CartPoleJaxEnv<phys2d/CartPole-v1>>>>"
    assert str(gym.make("tabular/Blackjack-v0")) == "<OrderEnforcing<BlackJackJaxEnv<tabular/Blackjack-v0>>>"
    for env_id in SIZES:
        metadata = gym.make(env_id).metadata
        assert metadata["render_modes"] == ["rgb_array"] and metadata["jax"] is True
    for kind in (CartPoleJaxVectorEnv, PendulumJaxVectorEnv):
        assert kind.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


@pytest.mark.parametrize("env_id", ["phys2d/CartPole-v1", "phys2d/Pendulum-v0"])
def test_make_vec_takes_their_own_vector_class(env_id: str) -> None:
    envs = gym.make_vec(env_id, 3)
    envs.reset(seed=0)

    assert type(envs).__name__ in ("CartPoleJaxVectorEnv", "PendulumJaxVectorEnv")
    assert envs.step(envs.action_space.sample())[0].shape[0] == 3


def test_cartpole_moves_as_cartpole_does() -> None:
    """With the pole's mass times its length, 0.05."""
    func_env, rng = CartPoleFunctional(), np.random.default_rng(0)
    for action in (0, 1):
        state = CartPole.initial(rng)
        came = func_env.transition(jnp.array(state), action, None)
        np.testing.assert_allclose(came, CartPole.transition(state, action, rng), rtol=1e-6)


def test_pendulum_moves_as_pendulum_does() -> None:
    func_env = PendulumFunctional()
    state, torque = PendulumState(2.5, -0.5, 0.0), np.array([3.0], np.float32)  # beyond the bound
    after = Pendulum.transition(state, torque.tolist(), None)

    came = func_env.transition(jnp.array(state[:2]), torque, None)

    np.testing.assert_allclose(came, after[:2], rtol=1e-6)
    reward = func_env.reward(jnp.array(state[:2]), torque, came, None)
    assert float(reward) == pytest.approx(Pendulum.reward(state, torque.tolist(), after, None), rel=1e-6)


def test_physics_are_arguments() -> None:
    """And act; what derives from them follows; a name that there is not is refused."""
    env: Any = gym.make("phys2d/CartPole-v1", gravity=0.0, masspole=0.2).unwrapped
    assert (env.params.gravity, env.params.total_mass, env.params.polemass_length) == (0.0, 1.2, 0.1)
    still = CartPoleFunctional(gravity=0.0, force_mag=0.0).transition(jnp.array([0.0, 0, 0.1, 0]), 1, None)
    assert float(still[3]) == 0.0
    assert PendulumJaxVectorEnv(2, g=1.0).params.g == 1.0
    with pytest.raises(TypeError, match="unexpected keyword argument 'gravitas'"):
        gym.make("phys2d/CartPole-v1", gravitas=1.0)


def test_sutton_barto_reward_is_that_of_the_state_reached() -> None:
    func_env = CartPoleFunctional(sutton_barto_reward=True)
    inside, beyond = jnp.array([2.39, 1.0, 0.0, 0.0]), jnp.array([2.41, 1.0, 0.0, 0.0])

    assert float(func_env.reward(inside, 1, beyond, None)) == -1.0
    assert float(func_env.reward(inside, 1, inside, None)) == 0.0
    assert float(CartPoleFunctional().reward(inside, 1, beyond, None)) == 1.0


@pytest.mark.usefixtures("here_little_optimised")
def test_they_can_be_mapped_with_transform() -> None:
    func_env = CartPoleFunctional()
    func_env.transform(jax.vmap)

    def moved(keys: Any, _: None) -> Any:
        states = func_env.initial(keys)
        return func_env.transition(states, jnp.ones(5, int), None), func_env.terminal(states, None)

    after, terminal = Program(moved)(jax.random.split(KEY, 5), None)

    assert after.shape == (5, 4)
    assert terminal.tolist() == [False] * 5


def test_params_may_be_given_to_a_call() -> None:
    state = jnp.array([0.0, 0.0, 0.3, 0.0])

    assert bool(CartPoleFunctional().terminal(state, None))
    assert not bool(CartPoleFunctional().terminal(state, None, CartPoleParams(theta_threshold_radians=1.0)))


def _hand(*cards: int) -> Any:
    return np.array([*cards, *[0] * (21 - len(cards))], np.int32)


HANDS = [
    ((1, 10), 21, True, 21, True),
    ((1, 5), 16, True, 16, False),
    ((1, 5, 10), 16, False, 16, False),
    ((10, 10, 2), 22, False, 0, False),
    ((7, 7, 7), 21, False, 21, False),
]


COUNTS = "sum_hand", "usable_ace", "score", "is_natural", "is_bust"
COUNTED = jax.jit(lambda hand: [getattr(blackjack, name)(hand) for name in COUNTS])


@pytest.mark.parametrize(("cards", "total", "ace", "score", "natural"), HANDS)
def test_hands_are_counted(cards: tuple[int, ...], total: int, ace: bool, score: int, natural: bool) -> None:
    hand = _hand(*cards)

    *counted, bust = (part.item() for part in COUNTED(hand))

    assert counted == [total, ace, score, natural]
    assert bust == (total > 21)


PAYMENTS = [
    ((10, 9), (10, 8), {}, 1.0),
    ((10, 8), (10, 8), {}, 0.0),
    ((10, 7), (10, 8), {}, -1.0),
    ((10, 2), (10, 5, 8), {}, 1.0),
    ((1, 10), (10, 4, 7), {}, 1.0),
    ((1, 10), (1, 10), {}, 0.0),
    ((1, 10), (10, 9), {"natural": True, "sutton_and_barto": False}, 1.5),
    ((1, 10), (10, 4, 7), {"natural": True, "sutton_and_barto": False}, 0.0),
]


@cache
def _paid(**rules: bool) -> Any:
    """What sticking pays by these rules, compiled once."""
    func_env = BlackjackFunctional(**rules)
    return jax.jit(lambda state: func_env.reward(state, 0, state, None))


@pytest.mark.parametrize(("player", "dealer", "rules", "expected"), PAYMENTS)
def test_sticking_is_paid(player: Any, dealer: Any, rules: dict[str, bool], expected: float) -> None:
    state = blackjack.EnvState(_hand(*dealer), _hand(*player), len(dealer), len(player), jnp.bool_(True))

    assert float(_paid(**rules)(state)) == expected


@pytest.mark.usefixtures("here_little_optimised")
def test_the_dealer_draws_to_17_and_a_bust_ends_the_game() -> None:
    """Over many games, in one program."""
    dynamics, keys = JaxDynamics(BlackjackFunctional()), jax.random.split(KEY, 300)
    begin = Program(lambda keys, params: jax.vmap(lambda key: dynamics.begin(key, params))(keys))
    one = jax.vmap(dynamics.advance, (0, None, 0, None))
    act, totals = Program(one), Program(lambda hands, _: jax.vmap(blackjack.sum_hand)(hands))
    params = dynamics.func_env.default_params
    state, *_ = begin(keys, params)

    stuck, hit = (jax.tree.map(np.asarray, act(state, action, keys, params)) for action in (0, 1))

    assert bool(stuck.terminated.all())
    assert int(totals(stuck.state.dealer_hand, None).min()) >= 17
    assert set(np.unique(stuck.reward)) == {-1.0, 0.0, 1.0}
    assert (hit.reward == -1.0).tolist() == hit.terminated.tolist()
    assert 0 < int(hit.terminated.sum()) < 300
    assert hit.state.player_cards.tolist() == [3] * 300


@pytest.mark.usefixtures("here_little_optimised")
def test_cliffwalking_moves_by_the_table_of_cliffwalking() -> None:
    """From every field but the cliff and the goal, by every move."""
    func_env, table = CliffWalkingFunctional(), CliffWalkingEnv().P
    fell_off = Program(lambda place, _: cliffwalking.fell_off(place))

    def moved(state: Any, move: Any, _: None) -> Any:
        after = func_env.transition(state, move, KEY)
        return func_env.observation(after), func_env.reward(state, move[0], after), func_env.terminal(after)

    move_by = Program(moved)
    places = {s: np.array([s // 12, s % 12]) for s in range(47)}
    fields = [s for s, place in places.items() if not bool(fell_off(place, None))]
    assert len(fields) == 37
    for s in fields:
        for move in range(4):
            state = cliffwalking.EnvState(places[s], np.int32(-1), np.bool_(False))
            seen, reward, ended = move_by(state, np.array([move]), None)
            ((_, landing, *expected),) = table[s][move]
            assert seen.tolist() == [landing]
            assert [float(reward), bool(ended)] == expected


@pytest.mark.usefixtures("here_little_optimised")
def test_slippery_cliffs_need_a_key() -> None:
    func_env = CliffWalkingFunctional(is_slippery=True)
    state = func_env.initial(KEY)._replace(player_position=jnp.array([1, 5], jnp.int32))
    keys = jax.random.split(KEY, 200)

    moved = jax.vmap(lambda key: func_env.observation(func_env.transition(state, jnp.array([0]), key)))
    after = Program(lambda keys, _: moved(keys))(keys, None)

    assert set(np.asarray(after)[:, 0].tolist()) == {5, 16, 18}
    with pytest.raises(TypeError, match="give a key"):
        func_env.transition(state, jnp.array([0]), None)  # type: ignore[arg-type]  # on purpose
