"""What holds for every environment of the family."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.box2d import BipedalWalker, BipedalWalkerHardcore, CarRacing, LunarLander, LunarLanderContinuous
from gymnasium.error import ActionOutsideSpace, Error, InvalidAction, ResetNeeded, StepBeforeReset, UnsupportedMode

IDS = [
    "LunarLander-v3",
    "LunarLanderContinuous-v3",
    "BipedalWalker-v3",
    "BipedalWalkerHardcore-v3",
    "CarRacing-v3",
]
MAKERS = {
    "lander": LunarLander,
    "windy lander": lambda **kwargs: LunarLander(enable_wind=True, **kwargs),
    "continuous lander": lambda **kwargs: LunarLander(continuous=True, **kwargs),
    "walker": BipedalWalker,
    "hardcore walker": lambda **kwargs: BipedalWalker(hardcore=True, **kwargs),
    "car": CarRacing,
    "discrete car": lambda **kwargs: CarRacing(continuous=False, **kwargs),
    "random car": lambda **kwargs: CarRacing(domain_randomize=True, **kwargs),
}


def actions(env, count, seed=0):
    env.action_space.seed(seed)
    return [env.action_space.sample() for _ in range(count)]


def played(env, moves):
    """Everything that the steps return, each observation as its bytes."""
    return [(result[0].tobytes(), *result[1:]) for result in map(env.step, moves)]


@pytest.fixture(params=MAKERS)
def make_env(request, each_code):
    return MAKERS[request.param]


@pytest.mark.parametrize("env_id", IDS)
def test_an_episode_through_make(env_id) -> None:
    env = gymnasium.make(env_id)
    observation, info = env.reset(seed=123)
    assert env.observation_space.contains(observation)
    assert info == {}
    for action in actions(env, 30):
        observation, reward, terminated, truncated, info = env.step(action)
        assert observation.dtype == env.observation_space.dtype
        assert type(reward) is float
        assert (type(terminated), truncated) == (bool, False)
        if terminated:
            env.reset()
    env.close()


def test_equal_seeds_give_equal_episodes_whatever_came_before(make_env) -> None:
    fresh, used = make_env(), make_env()
    used.reset(seed=5)
    played(used, actions(used, 20, seed=1))
    first, second = (env.reset(seed=7)[0] for env in (fresh, used))
    assert (first == second).all()
    moves = actions(fresh, 40)
    assert played(fresh, moves) == played(used, moves)


def test_watching_changes_nothing(make_env) -> None:
    blind, seen = make_env(), make_env(render_mode="rgb_array")
    blind.reset(seed=3)
    seen.reset(seed=3)
    for action in actions(blind, 40):
        assert played(blind, [action]) == played(seen, [action])
        seen.render()


def test_a_state_is_returned_to_exactly(make_env) -> None:
    """In the same environment, in another one and after pickling; also after an episode that was not seeded."""
    env, other = make_env(), make_env()
    env.reset(seed=11)
    env.reset()
    moves = actions(env, 60)
    played(env, moves[:25])
    state = pickle.loads(pickle.dumps(env.get_state()))
    draws = env.np_random.bit_generator.state
    rest = played(env, moves[25:])
    for copied in (env, other):
        copied.set_state(state)
        assert copied.np_random.bit_generator.state == draws
        assert copied.np_random_seed == 11
        assert played(copied, moves[25:]) == rest


def test_after_a_return_the_next_episode_is_the_same(make_env) -> None:
    env = make_env()
    env.reset(seed=2)
    played(env, actions(env, 5))
    state = env.get_state()
    expected = env.reset()[0]
    env.set_state(state)
    assert (env.reset()[0] == expected).all()


def test_states_are_refused_where_there_are_none(make_env) -> None:
    env = make_env()
    with pytest.raises(ResetNeeded, match="reset"):
        env.get_state()
    with pytest.raises(TypeError, match="EpisodeState"):
        env.set_state({"actions": []})


def test_a_state_of_another_environment_is_refused_and_nothing_moves() -> None:
    env, other = LunarLander(), LunarLander(continuous=True)
    env.reset(seed=0)
    other.reset(seed=0)
    before = env.get_state()
    with pytest.raises(ValueError, match="expects a state of"):
        env.set_state(other.get_state())
    assert env.get_state() == before


def test_pickle_and_copy_rebuild_from_the_arguments(make_env) -> None:
    env = make_env()
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert (twin.reset(seed=123)[0] == env.reset(seed=123)[0]).all()
        moves = actions(env, 3)
        assert played(twin, moves) == played(env, moves)


def test_step_before_reset(make_env) -> None:
    env = make_env()
    with pytest.raises(StepBeforeReset, match="reset"):
        env.step(env.action_space.sample())


def test_what_is_no_action_is_refused_and_nothing_moves(make_env) -> None:
    env, twin = make_env(), make_env()
    env.reset(seed=0)
    twin.reset(seed=0)
    discrete = isinstance(env.action_space, gymnasium.spaces.Discrete)
    wrong = [env.action_space.n, -1, "up", None] if discrete else [np.zeros(7), np.full(env.action_space.shape, np.nan)]
    for action in wrong:
        with pytest.raises(ActionOutsideSpace) as refused:
            env.step(action)
        assert isinstance(refused.value, (InvalidAction, AssertionError))
    moves = actions(env, 5)
    assert played(env, moves) == played(twin, moves)


def test_components_beyond_the_bounds_are_clipped(make_env) -> None:
    env, twin = make_env(), make_env()
    if isinstance(env.action_space, gymnasium.spaces.Discrete):
        assert env.action_space.n in (4, 5)
        return
    env.reset(seed=0)
    twin.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(20):
        action = rng.uniform(-4, 4, env.action_space.shape).astype(np.float32)
        clipped = np.clip(action, env.action_space.low, env.action_space.high)
        assert played(env, [action]) == played(twin, [clipped])


def test_observations_do_not_share_memory(make_env) -> None:
    env = make_env()
    first, _ = env.reset(seed=0)
    kept = first.copy()
    second = env.step(env.action_space.sample())[0]
    assert (first == kept).all()
    assert not np.shares_memory(first, second)


def test_frames(make_env) -> None:
    env = make_env(render_mode="rgb_array")
    assert env.render() is None
    env.reset(seed=0)
    first = env.render()
    assert first.shape == (400, 600, 3)
    assert first.dtype == np.uint8
    played(env, actions(env, 5))
    assert (env.render() != first).any()


def test_a_picture_shows_the_moment_alone(make_env) -> None:
    """Whatever was drawn before it, and also of a moment that was returned to, in this environment or another."""
    env, other = make_env(render_mode="rgb_array"), make_env(render_mode="rgb_array")
    for seed in (4, 5):
        env.reset(seed=seed)
        for action in actions(env, 30):
            env.step(action)
            env.render()
        state, frame = env.get_state(), env.render()
        assert (env.render() == frame).all()
        played(env, actions(env, 5))
        for copied in (env, other):
            copied.set_state(state)
            assert (copied.render() == frame).all()


def test_frames_do_not_share_memory(make_env) -> None:
    env = make_env(render_mode="rgb_array")
    env.reset(seed=0)
    first, second = env.render(), env.render()
    first[:] = 0
    assert second.any()
    assert (env.render() == second).all()


def test_human_mode_shows_each_step(make_env) -> None:
    env = make_env(render_mode="human")
    env.reset(seed=0)
    env.step(env.action_space.sample())
    assert env._window is not None
    assert env.render() is None
    env.close()
    env.close()


def test_unknown_render_mode() -> None:
    env = LunarLander(render_mode="ansi")
    env.reset(seed=0)
    with pytest.raises(UnsupportedMode, match="rgb_array"):
        env.render()


def test_render_without_a_mode_says_how_to_choose_one() -> None:
    env = gymnasium.make("BipedalWalker-v3").unwrapped
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_assigned_generators_are_used() -> None:
    env, twin = LunarLander(), LunarLander()
    twin.reset(seed=4)
    env.np_random = np.random.default_rng(4)
    assert (env.reset()[0] == LunarLander().reset(seed=4)[0]).all()
    assert env.np_random_seed == -1


@pytest.mark.parametrize("cls", [LunarLanderContinuous, BipedalWalkerHardcore])
def test_classes_that_became_arguments_say_so(cls) -> None:
    with pytest.raises(Error, match=r"gymnasium\.make"):
        cls()


def test_without_the_engine_its_distribution_is_named() -> None:
    code = """
import sys
sys.modules["Box2D"] = None
import gymnasium
try:
    import gymnasium.envs.box2d.lunar_lander
except gymnasium.error.DependencyNotInstalled as error:
    print(error)
"""
    root = Path(__file__).parents[4]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True, timeout=60
    )
    assert 'pip install "box2d==' in done.stdout


def test_the_engine_can_be_imported_where_warnings_are_errors() -> None:
    """Its bindings warn while they are made, and crash the interpreter if that raises."""
    root = Path(__file__).parents[4]
    code = "import gymnasium.envs.box2d"
    subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=root, check=True, timeout=60)


def test_the_sound_is_never_touched() -> None:
    code = """
import gymnasium
for id in ("LunarLander-v3", "BipedalWalker-v3", "CarRacing-v3"):
    env = gymnasium.make(id, render_mode="rgb_array")
    env.reset(seed=0)
    env.render()
import pygame
assert not pygame.get_init() and pygame.mixer.get_init() is None and not pygame.display.get_init()
"""
    root = Path(__file__).parents[4]
    subprocess.run([sys.executable, "-c", code], cwd=root, check=True, timeout=60)
