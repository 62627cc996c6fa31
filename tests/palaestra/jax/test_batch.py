"""Many copies as one pure function: the three autoreset modes, and all of it within jit and scan."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from jax import numpy as jnp

from gymnasium.envs._jax.program import Program
from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.envs.classic_control.pendulum import Pendulum, State
from palaestra.jax import BatchRunner, JaxDynamics
from tests.double_precision import enable_x64
from tests.gymnasium.envs.jax.walker import Countdown, Length, Walker

pytestmark = pytest.mark.usefixtures("little_optimised")

KEY = jax.random.key(0)
NOTHING = jnp.zeros((2, 1))


class Compiled:
    """Copies whose functions are programs, each compiled once."""

    def __init__(self, dynamics: Any, n: int, **arguments: Any) -> None:
        self.runner = BatchRunner(dynamics, n, **arguments)
        self.params = self.runner.params
        self._programs = [Program(each) for each in (self.runner.reset, self.runner.reset_rows, self.runner.step)]

    def reset(self) -> Any:
        return self._programs[0](KEY, self.params)

    def reset_rows(self, batch: Any, mask: Any) -> Any:
        return self._programs[1](batch, mask, self.params)

    def step(self, batch: Any, actions: Any) -> Any:
        return self._programs[2](batch, actions, self.params)


def _rows(mode: str, steps: int, **arguments: Any) -> list[list[Any]]:
    """What environment 0 of two returns: observation, reward, terminated, truncated, info."""
    runner = Compiled(Countdown(), 2, autoreset_mode=mode, **arguments)
    batch, observations, infos = runner.reset()
    assert infos == {} and observations.tolist() == [[0], [0]]
    rows = []
    for _ in range(steps):
        batch, came = runner.step(batch, NOTHING)
        rows.append([*(np.asarray(part)[0].item() for part in came[:4]), int(came.infos["steps"][0])])
    return rows


def test_next_step_resets_in_the_step_after_the_end() -> None:
    """Which takes no action: reward 0, no flags, the first observation."""
    assert [row[:4] for row in _rows("NextStep", 4)] == [
        [1, 1.0, False, False],
        [2, 1.0, True, False],
        [0, 0.0, False, False],
        [1, 1.0, False, False],
    ]


def test_same_step_resets_in_the_step_of_the_end() -> None:
    assert [row[:4] for row in _rows("SameStep", 3)] == [
        [1, 1.0, False, False],
        [0, 1.0, True, False],
        [1, 1.0, False, False],
    ]


def test_same_step_keeps_the_last_observation_and_info() -> None:
    runner = Compiled(Countdown(), 2, autoreset_mode="SameStep", params=Length(1))
    batch, *_ = runner.reset()

    _, came = runner.step(batch, NOTHING)

    assert came.infos["final_obs"].tolist() == [[1], [1]]
    assert came.infos["_final_obs"].tolist() == [True, True]
    assert came.infos["final_info"]["steps"].tolist() == [1, 1]
    assert came.infos["_steps"].tolist() == [False, False]  # a reset has no such info


def test_disabled_goes_on_and_remembers_who_is_finished() -> None:
    runner = Compiled(Countdown(), 2, autoreset_mode="Disabled")
    batch, *_ = runner.reset()
    for _ in range(2):
        batch, _ = runner.step(batch, NOTHING)
    assert batch.finished.tolist() == [True, True]
    batch, _ = runner.step(batch._replace(state=batch.state._replace(steps=jnp.zeros(2, int))), NOTHING)
    assert batch.finished.tolist() == [True, True]  # until they are reset

    batch, observations, _ = runner.reset_rows(batch, jnp.array([False, True]))

    assert observations.tolist() == [[1], [0]]
    assert batch.finished.tolist() == [True, False]
    assert batch.steps.tolist() == [3, 0]


def test_the_time_limit_truncates() -> None:
    rows = _rows("NextStep", 4, max_episode_steps=1)

    assert [row[2:4] for row in rows] == [[False, True], [False, False]] * 2


def test_an_end_and_the_limit_may_coincide() -> None:
    assert _rows("NextStep", 2, max_episode_steps=2)[1][2:4] == [True, True]


def test_rows_end_each_at_their_own_time() -> None:
    """No environment loses a transition when another is reset."""
    runner = Compiled(Countdown(), 32, params=Length(2, spread=4))
    batch, *_ = runner.reset()
    expected = np.zeros(32, int)
    over = np.zeros(32, bool)
    for _ in range(12):
        batch, came = runner.step(batch, jnp.zeros((32, 1)))
        expected = np.where(over, 0, expected + 1)
        over = np.asarray(came.terminations)
        assert came.observations[:, 0].tolist() == expected.tolist()
    assert len(set(np.asarray(batch.state.length).tolist())) > 1


def test_a_row_is_what_the_dynamics_alone_give() -> None:
    """vmap changes nothing: each row continues as that state would by itself."""
    runner, advance = Compiled(CartPole(), 5), Program(JaxDynamics(CartPole()).advance)
    batch, *_ = runner.reset()
    actions = jnp.array([0, 1, 1, 0, 1])

    _, came = runner.step(batch, actions)

    for i in range(5):
        state = jax.tree.map(lambda rows, i=i: np.asarray(rows)[i], batch.state)
        step = advance(state, actions[i], KEY, runner.params)
        np.testing.assert_allclose(step.observation, came.observations[i], rtol=1e-6)


def test_infos_of_resets_and_steps_are_merged() -> None:
    """A key of both counts everywhere; a key of resets in rows that were reset."""
    runner = Compiled(Walker(), 2, params=Walker().get_default_params(goal=-1.0))  # over at once
    batch, _, infos = runner.reset()
    assert infos["new"].tolist() == [True] * 2 and infos["_new"].tolist() == [True] * 2

    batch, first = runner.step(batch, jnp.zeros(2, int))
    batch, second = runner.step(batch, jnp.zeros(2, int))

    assert first.infos["_new"].tolist() == [False] * 2
    assert second.infos["_new"].tolist() == [True] * 2
    assert (first.infos["count"].tolist(), second.infos["count"].tolist()) == ([1] * 2, [0] * 2)
    assert second.infos["_count"].tolist() == [True] * 2


def test_a_scan_gives_the_steps_one_by_one() -> None:
    runner = Compiled(CartPole(), 5, max_episode_steps=20)
    actions = jax.random.randint(KEY, (50, 5), 0, 2)
    batch, *_ = runner.reset()

    scan = Program(lambda batch, actions, _: jax.lax.scan(runner.runner.step, batch, actions))
    _, scanned = scan(batch, actions, None)

    for t in range(50):
        batch, came = runner.step(batch, actions[t])
        assert came.rewards.tolist() == scanned.rewards[t].tolist()
        np.testing.assert_allclose(came.observations, scanned.observations[t], rtol=1e-5, atol=1e-6)
    assert scanned.terminations.any()


def test_the_return_of_pendulum_has_a_slope_in_its_torque() -> None:
    """The gradient by the torques of an episode, against differences, in double precision."""
    with enable_x64(True):
        runner = Compiled(Pendulum(), 1)
        start, *_ = runner.reset()
        start = start._replace(state=State(jnp.array([2.0]), jnp.array([0.5]), jnp.array([0.0])))

        def returned(torques: Any) -> Any:
            _, came = jax.lax.scan(runner.runner.step, start, torques.astype(jnp.float32)[:, None, None])
            return came.rewards.sum()

        def smooth(torques: Any) -> float:
            """The same in Python, without rounding torques to single precision."""
            theta, speed, total = 2.0, 0.5, 0.0
            for u in torques:
                total -= ((theta + np.pi) % (2 * np.pi) - np.pi) ** 2 + 0.1 * speed**2 + 0.001 * u**2
                speed += (15.0 * np.sin(theta) + 3.0 * u) * 0.05
                theta += speed * 0.05
            return total

        torques = np.linspace(-1.0, 1.0, 10)
        slope = Program(lambda torques, _: jax.grad(returned)(torques))(torques, None)
        differences = [(smooth(torques + d) - smooth(torques - d)) / 2e-5 for d in np.eye(10) * 1e-5]

    assert np.abs(slope).max() > 0.1
    np.testing.assert_allclose(slope, differences, rtol=1e-5, atol=1e-6)


def test_params_can_be_differentiated_by_and_mapped_over() -> None:
    """An array in place of a number."""
    runner = Compiled(Pendulum(), 1)
    batch, *_ = runner.reset()

    def speed(g: Any) -> Any:
        after, _ = runner.runner.step(batch, jnp.zeros((1, 1)), runner.params._replace(g=g))
        return after.state.theta_dot[0]

    slope, speeds = (Program(lambda g, _, of=of: of(speed)(g)) for of in (jax.grad, jax.vmap))
    sine = np.sin(np.asarray(batch.state.theta)[0])
    assert float(slope(10.0, None)) == pytest.approx(1.5 * sine * 0.05, rel=1e-4)
    assert speeds(jnp.array([1.0, 2.0]), None).shape == (2,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs must be positive, but 0 came"),
        ({"num_envs": 1, "max_episode_steps": 0}, "max_episode_steps must be positive, but 0 came"),
        ({"num_envs": 1, "autoreset_mode": "now"}, "autoreset_mode must be .* but 'now' came"),
    ],
)
def test_bad_arguments_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BatchRunner(CartPole(), **arguments)


class Widens(Countdown):
    @staticmethod
    def transition(state: Any, action: Any, rng: Any, params: Any) -> Any:
        return state._replace(steps=state.steps + 0.5)


def test_a_field_that_changes_its_kind_is_refused() -> None:
    """Rather than rounded."""
    runner = Compiled(Widens(), 2)
    batch, *_ = runner.reset()

    with pytest.raises(TypeError, match=r"(?s)`state.steps` was int.* and became float.*: begin with a float"):
        runner.step(batch, NOTHING)


class Named(Countdown):
    @staticmethod
    def initial(rng: Any, params: Any) -> Any:
        return Countdown.initial(rng, params)._replace(steps="ten")


class Pairs(Countdown):
    @staticmethod
    def transition(state: Any, action: Any, rng: Any, params: Any) -> Any:
        return tuple(state)


def test_a_state_of_another_form_is_refused_in_words() -> None:
    with pytest.raises(TypeError, match=r"must be a number or an array of numbers, but `state\.steps` is 'ten'"):
        Compiled(Named(), 2).reset()
    runner = Compiled(Pairs(), 2)
    batch, *_ = runner.reset()
    with pytest.raises(TypeError, match=r"A state must keep its fields, but after a .* came a tuple"):
        runner.step(batch, NOTHING)
