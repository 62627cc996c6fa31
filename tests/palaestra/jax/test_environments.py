"""The shells: one environment under JAX, and many."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import gymnasium as gym
from gymnasium.envs._jax.program import Program
from gymnasium.envs.classic_control.cartpole import CartPole
from gymnasium.envs.functional_jax_env import FunctionalJaxEnv, FunctionalJaxVectorEnv
from gymnasium.envs.toy_text.blackjack import Blackjack
from gymnasium.error import ActionOutsideSpace, Error, StepBeforeReset
from gymnasium.vector import AutoresetMode
from palaestra.error import CannotCompile
from palaestra.jax import JaxDynamics
from palaestra.randomization.curricula import Beginnings, Teacher
from palaestra.randomization.vector import Curriculum
from tests.gymnasium.envs.jax.walker import Countdown, Walker

pytestmark = pytest.mark.usefixtures("little_optimised")

ROOT = Path(__file__).parents[3]
TRACED = ["CartPole-v1", "MountainCar-v0", "MountainCarContinuous-v0", "Pendulum-v1", "Acrobot-v1"]
TRACED += ["CliffWalking-v1", "CliffWalkingSlippery-v1", "FrozenLake-v1", "FrozenLake8x8-v1", "Taxi-v4"]
TRACED += ["phys2d/CartPole-v1", "phys2d/Pendulum-v0", "tabular/Blackjack-v0", "tabular/CliffWalking-v0"]


@cache
def _vector(mode: AutoresetMode = AutoresetMode.NEXT_STEP, limit: int = 0) -> FunctionalJaxVectorEnv:
    """The one of its kind, compiled once."""
    return FunctionalJaxVectorEnv(Countdown(), 3, limit, {"autoreset_mode": mode})


@cache
def _cartpole() -> FunctionalJaxEnv[Any, Any]:
    """The only one, compiled once; nobody changes its params."""
    return FunctionalJaxEnv(CartPole())


@cache
def _two() -> FunctionalJaxVectorEnv:
    return FunctionalJaxVectorEnv(CartPole(), 2)


ACTIONS = np.zeros((3, 1), np.float32)


def test_one_environment_gives_arrays_floats_and_bools() -> None:
    env: FunctionalJaxEnv[Any, Any] = FunctionalJaxEnv(Walker())
    assert env.metadata == {"render_modes": [], "jax": True}

    observation, info = env.reset(seed=1)
    after, reward, terminated, truncated, _ = env.step(2)

    assert isinstance(observation, jax.Array) and observation.dtype == np.float32 and observation.shape == (2,)
    assert float(after[0]) < float(observation[0]) + 0.2
    assert (type(reward), type(terminated), truncated) == (float, bool, False)
    assert (int(info["count"]), bool(info["new"])) == (0, True)


def test_a_seed_gives_the_same_again_and_no_seed_goes_on() -> None:
    env = _cartpole()
    first, second = env.reset(seed=7)[0], env.reset()[0]

    assert env.reset(seed=7)[0].tolist() == first.tolist() != second.tolist()
    assert env.reset()[0].tolist() == second.tolist()
    assert env.reset(seed=7 + 2**32)[0].tolist() != first.tolist()


def test_params_of_one_environment_may_be_changed() -> None:
    env: FunctionalJaxEnv[Any, Any] = FunctionalJaxEnv(CartPole())
    env.reset(seed=0)
    env.params = env.params._replace(force_mag=0.0, gravity=0.0)
    x_dot = float(env.state.x_dot)

    env.step(1)

    assert float(env.state.x_dot) == pytest.approx(x_dot, abs=1e-4)


@pytest.mark.parametrize("action", [2, -1, 0.5, None, np.array([0, 1]), jnp.int32(3)])
def test_one_environment_refuses_what_is_no_action(action: Any) -> None:
    """Before anything has moved."""
    env = _cartpole()
    env.reset(seed=0)
    before = env.state

    with pytest.raises(ActionOutsideSpace):
        env.step(action)
    assert env.state is before


def test_an_action_may_be_an_array_of_jax() -> None:
    env = _cartpole()
    env.reset(seed=0)

    assert env.step(jnp.int32(1))[1] == 1.0


def test_step_before_reset_is_refused() -> None:
    with pytest.raises(StepBeforeReset):
        FunctionalJaxEnv(CartPole()).step(0)
    with pytest.raises(StepBeforeReset):
        FunctionalJaxVectorEnv(Countdown(), 3).step(ACTIONS)


def test_only_pictures_are_rendered() -> None:
    env: FunctionalJaxEnv[Any, Any] = FunctionalJaxEnv(CartPole(), CartPole.metadata, "rgb_array")
    assert env.render() is None
    env.reset(seed=0)
    picture = env.render()
    env.close()
    env.close()
    assert isinstance(picture, np.ndarray) and picture.shape == (400, 600, 3) and picture.dtype == np.uint8
    for unseen in (FunctionalJaxEnv(CartPole()), _vector()):
        with pytest.raises(NotImplementedError, match="'rgb_array' only, but its mode is None"):
            unseen.render()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_as_the_original(copied: Any) -> None:
    env = _cartpole()
    env.reset(seed=0)
    again = copied(env)

    assert env.step(1)[0].tolist() == again.step(1)[0].tolist()
    assert env.reset()[0].tolist() == again.reset()[0].tolist()


def test_a_batch_stays_on_the_device() -> None:
    envs = _vector(limit=5)
    observations, _ = envs.reset(seed=0)

    came = envs.step(jnp.asarray(ACTIONS))

    assert all(isinstance(part, jax.Array) for part in [observations, *came[:4], *came[4].values()])
    assert [part.shape for part in came[:4]] == [(3, 1), (3,), (3,), (3,)]
    assert (envs.steps.tolist(), envs.prev_done.tolist()) == ([1, 1, 1], [False] * 3)
    assert envs.state.steps.tolist() == [1, 1, 1]


@pytest.mark.parametrize("mode", AutoresetMode)
def test_each_autoreset_mode_is_followed(mode: AutoresetMode) -> None:
    """An episode has two steps; what the third does tells the modes apart."""
    envs = _vector(mode)
    envs.reset(seed=0)
    envs.step(ACTIONS)
    observations, _, terminations, _, infos = envs.step(ACTIONS)
    assert terminations.tolist() == [True] * 3
    assert ("final_obs" in infos) == (mode is AutoresetMode.SAME_STEP)
    assert observations[0, 0] == (0 if mode is AutoresetMode.SAME_STEP else 2)

    if mode is AutoresetMode.DISABLED:
        with pytest.raises(AssertionError, match="Finished environments were stepped"):
            envs.step(ACTIONS)
        envs.reset(options={"reset_mask": np.array([True, True, True])})
    observations, rewards, *_ = envs.step(ACTIONS)
    expected = (0, 0.0) if mode is AutoresetMode.NEXT_STEP else (1, 1.0)
    assert (int(observations[0, 0]), float(rewards[0])) == expected


def test_a_reset_forgets_who_was_finished() -> None:
    envs = _vector()
    envs.reset(seed=0)
    for _ in range(2):
        envs.step(ACTIONS)
    envs.reset()

    assert envs.step(ACTIONS)[0].tolist() == [[1]] * 3


def test_a_mask_resets_its_rows_alone() -> None:
    envs = _vector()
    envs.reset(seed=0)
    envs.step(ACTIONS)

    observations, _ = envs.reset(options={"reset_mask": np.array([True, False, False])})

    assert observations.tolist() == [[0], [1], [1]]
    assert envs.steps.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("mask", "kind"),
    [(np.zeros(3, bool), ValueError), (np.ones(2, bool), ValueError), ([True] * 3, TypeError), (np.ones(3), TypeError)],
)
def test_a_wrong_mask_is_refused(mask: Any, kind: type[Exception]) -> None:
    envs = _vector()
    envs.reset(seed=0)

    with pytest.raises(kind, match="reset_mask"):
        envs.reset(options={"reset_mask": mask})


def test_the_first_reset_needs_all() -> None:
    with pytest.raises(Error, match="first reset needs all"):
        FunctionalJaxVectorEnv(Countdown(), 3).reset(options={"reset_mask": np.ones(3, bool)})


def test_a_batch_has_one_seed() -> None:
    envs = _two()
    first = envs.reset(seed=3)[0].tolist()

    assert envs.reset(seed=3)[0].tolist() == first != envs.reset()[0].tolist()
    assert first[0] != first[1]
    with pytest.raises(Error, match="must be one int"):
        envs.reset(seed=[1, 2])  # type: ignore[arg-type]  # on purpose
    with pytest.raises(Error, match="negative"):
        envs.reset(seed=-1)


BAD = [
    ([0, 2], ActionOutsideSpace),
    (np.array([0.0, 1.0]), ActionOutsideSpace),
    (np.array([0, 1, 1]), ValueError),
    (jnp.array([0, 1, 1]), ValueError),
    (jnp.array([0.0, 1.0]), ActionOutsideSpace),
    (1, TypeError),
]


@pytest.mark.parametrize(("actions", "kind"), BAD)
def test_a_batch_of_something_else_is_refused(actions: Any, kind: type[Exception]) -> None:
    """Before anything has moved."""
    envs = _two()
    envs.reset(seed=0)
    before = envs.batch

    with pytest.raises(kind):
        envs.step(actions)
    assert envs.batch is before


def test_each_environment_of_a_batch_is_drawn() -> None:
    envs = gym.make_vec("CartPole-v1", 2, vectorization_mode="jax", render_mode="rgb_array")
    assert envs.render() is None
    envs.reset(seed=0)
    pictures = envs.render()
    envs.close()

    assert pictures is not None and [picture.shape for picture in pictures] == [(400, 600, 3)] * 2  # type: ignore[union-attr]


@pytest.mark.parametrize("env_id", TRACED)
def test_make_vec_runs_it_under_jax(env_id: str) -> None:
    """From the source that runs in Python; every observation is in the space, and episodes go on."""
    envs = gym.make_vec(env_id, 3, vectorization_mode="jax")
    envs.action_space.seed(0)
    observations, _ = envs.reset(seed=0)

    for _ in range(12):
        observations, rewards, *_ = envs.step(envs.action_space.sample())

    assert isinstance(envs, FunctionalJaxVectorEnv)
    assert isinstance(observations, jax.Array) and bool(jnp.isfinite(rewards).all())
    assert envs.observation_space.contains(np.asarray(observations, envs.observation_space.dtype))
    assert gym.make_vec(envs.spec, num_envs=1).spec == envs.spec  # type: ignore[arg-type]  # it has one


def test_make_vec_passes_on_what_it_is_told() -> None:
    """Arguments of the environment, its limit, and the mode."""
    envs = gym.make_vec(
        "Pendulum-v1",
        2,
        vectorization_mode="jax",
        vector_kwargs={"autoreset_mode": "SameStep"},
        max_episode_steps=3,
        g=3.7,
    )
    assert isinstance(envs, FunctionalJaxVectorEnv)
    assert envs.params.g == 3.7
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    envs.reset(seed=0)
    ends = [envs.step(np.zeros((2, 1), np.float32))[3].tolist() for _ in range(4)]
    assert ends == [[False] * 2, [False] * 2, [True] * 2, [False] * 2]


def test_make_vec_says_why_an_environment_does_not_trace() -> None:
    with pytest.raises(TypeError, match=r"Blackjack\.initial cannot run under JAX: .*line \d+"):
        gym.make_vec("Blackjack-v1", 2, vectorization_mode="jax")
    with pytest.raises(TypeError, match=r"Blackjack\.initial cannot run under JAX"):
        FunctionalJaxEnv(Blackjack()).reset(seed=0)


def test_make_vec_leaves_out_the_checker_under_jax() -> None:
    assert gym.make_vec("CartPole-v1", 2, vectorization_mode="jax", disable_env_checker=True).num_envs == 2


class Plain(gym.Env):
    """An ordinary class."""

    observation_space, action_space = gym.spaces.Discrete(2), gym.spaces.Discrete(2)


def test_make_vec_of_an_ordinary_class_under_jax_says_what_to_do() -> None:
    """Those of the user's own are read; see `classes/test_classes.py`."""
    spec = gym.envs.registration.EnvSpec("Plain-v0", entry_point=Plain)
    with pytest.raises(CannotCompile, match="Plain must define step"):
        gym.make_vec(spec, 2, vectorization_mode="jax")
    with pytest.raises(gym.error.Error, match=r"leave vectorization_mode out$"):
        gym.make_vec("LunarLander-v3", 2, vectorization_mode="jax")


def test_make_vec_refuses_wrappers_under_jax() -> None:
    with pytest.raises(Error, match="allows no wrappers"):
        gym.make_vec("CartPole-v1", 2, vectorization_mode="jax", wrappers=[gym.Wrapper])


def test_tensors_share_the_memory_of_batches() -> None:
    """DLPack copies nothing, in either direction."""
    torch = pytest.importorskip("torch")
    envs = gym.make_vec("CartPole-v1", 64, vectorization_mode="jax")
    observations, _ = envs.reset(seed=0)

    tensor = torch.from_dlpack(observations)

    assert tensor.data_ptr() == observations.unsafe_buffer_pointer()
    assert tensor.shape == (64, 4)
    after, *_ = envs.step(torch.ones(64, dtype=torch.int32))
    assert isinstance(after, jax.Array)
    with pytest.raises(ActionOutsideSpace):
        envs.step(torch.full((64,), 0.5))


def test_without_jax_the_error_names_its_distribution() -> None:
    """All that needs it raises the same; all else works."""
    code = """
import sys
sys.modules["jax"] = None
import gymnasium
from gymnasium.error import DependencyNotInstalled

def error_of(call):
    try:
        call()
    except DependencyNotInstalled as error:
        assert 'pip install "jax>=' in str(error), error
    except gymnasium.error.Error as error:  # the registry's, around it
        assert 'pip install "jax>=' in str(error), error
    else:
        raise SystemExit("nothing was raised")

envs = (f"gymnasium.envs.{name}" for name in ("functional_jax_env", "phys2d", "tabular"))
for module in ("palaestra.jax", *envs):
    error_of(lambda: __import__(module))
error_of(lambda: gymnasium.make("phys2d/CartPole-v1"))
error_of(lambda: gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="jax"))
gymnasium.make("CartPole-v1").reset(seed=0)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr


def test_a_teacher_that_says_nothing_changes_no_bit() -> None:
    def played(envs: Any) -> list[Any]:
        observations, _ = envs.reset(seed=3)
        return [observations, *(envs.step(np.ones(4, np.int64))[0] for _ in range(30))]

    class Silent(Teacher):
        def begin(self, beginnings: Beginnings) -> None:
            episodes.append(beginnings.episodes.sum())

    episodes: list[int] = []
    ours = played(Curriculum(gym.make_vec("phys2d/CartPole-v1", 4), Silent()))
    assert all(map(np.array_equal, ours, played(gym.make_vec("phys2d/CartPole-v1", 4))))
    assert max(episodes) >= 1


def test_params_are_mapped_over() -> None:
    """As the refusal advises: each result is that of its own params."""
    dynamics, key = JaxDynamics(CartPole), jax.random.key(0)

    def observed(gravity: Any) -> Any:
        params = CartPole().get_default_params(gravity=gravity)
        return dynamics.advance(dynamics.begin(key, params)[0], 1, key, params).observation

    mapped, alone = (Program(lambda gravity, _, each=each: each(gravity)) for each in (jax.vmap(observed), observed))
    both = np.asarray(mapped(np.array([1.0, 50.0], np.float32), None))
    assert np.allclose(both[1], alone(np.float32(50.0), None), atol=1e-6)
    assert both[0, 3] != both[1, 3]
