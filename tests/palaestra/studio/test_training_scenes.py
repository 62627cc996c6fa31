"""Scenes: what environments show, drawn without them."""

from __future__ import annotations

import pickle
from math import cos, sin
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.box2d import LunarLander
from gymnasium.envs.box2d.drawing.lunar_lander import Scene
from gymnasium.envs.box2d.drawing.outlines import Pose
from gymnasium.rendering.canvas import Canvas
from gymnasium.rendering.pixels import reduced
from gymnasium.states.scenes import scene_of
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from gymnasium.wrappers import AddRenderObservation, RenderCollection, TimeLimit
from palaestra.studio.training.painting import of_scenes, painted
from palaestra.studio.training.tile_sources import scenes

TELLING = [
    "LunarLander-v3",
    "LunarLanderContinuous-v3",
    "LunarLander-v2",
    "BipedalWalker-v3",
    "BipedalWalkerHardcore-v3",
]


def sent(scene: Any) -> Any:
    """As another process gets it."""
    return pickle.loads(pickle.dumps(scene))


@pytest.mark.parametrize("env_id", TELLING)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_scene_is_drawn_to_the_pixels_of_its_environment(env_id: str) -> None:
    """In the order in which they come, also of several episodes, and in any order."""
    env = gymnasium.make(env_id, render_mode="rgb_array")
    env.action_space.seed(1)
    seen = []
    for seed in range(3):
        env.reset(seed=seed)
        for t in range(60):
            if t % 6 == 0:
                seen.append((sent(scene_of(env)), env.render()))
            if any(env.step(env.action_space.sample())[2:4]):
                break

    canvas = Canvas(600, 400)
    painter = type(seen[0][0]).painter([canvas])
    for k in [*range(len(seen)), *np.random.default_rng(1).permutation(len(seen))]:
        scene, picture = seen[k]
        painter.paint([scene])
        np.testing.assert_array_equal(canvas.pixels(), picture)
        assert scene.size() == picture.shape[1::-1]
    env.close()


@pytest.mark.parametrize("env_id", ["LunarLander-v3", "BipedalWalker-v3"])
@pytest.mark.parametrize("width", [320, 144])
def test_small_pictures_are_like_large_ones_made_small(env_id: str, width: int) -> None:
    env = gymnasium.make(env_id, render_mode="rgb_array")
    env.action_space.seed(3)
    draw = of_scenes().draw
    for seed in range(5):
        env.reset(seed=seed)
        for _ in range(12 * seed):
            env.step(env.action_space.sample())
        whole: Any = env.render()

        grid: Any = draw([sent(scene_of(env))], width)

        frame = grid.canvas.pixels()
        assert frame.shape[1] == width
        assert np.abs(frame.astype(int) - reduced(whole, frame.shape[1::-1])).mean() < 5
    layout, _ = painted(grid, width)
    assert layout["width"] == width
    env.close()


@pytest.mark.parametrize("env_id", ["LunarLander-v3", "BipedalWalker-v3"])
def test_the_smallest_pictures_are_drawn_too(env_id: str) -> None:
    env = gymnasium.make(env_id)
    env.reset(seed=1)
    grid: Any = of_scenes().draw([sent(scene_of(env))] * 16, 1)
    layout, _ = painted(grid, 1)
    assert layout["width"] * layout["columns"] == grid.canvas.size[0]
    env.close()


def test_many_are_drawn_as_each_alone() -> None:
    """Also of several kinds, beside each other."""
    told = []
    for k, env_id in enumerate(["LunarLander-v3", "BipedalWalker-v3", "LunarLander-v3", "LunarLander-v3"]):
        env = gymnasium.make(env_id)
        env.reset(seed=k)
        for _ in range(15 * k):
            env.step(np.zeros(4, np.float32) if "Walker" in env_id else 2)
        told.append(sent(scene_of(env)))
        env.close()
    draw = of_scenes().draw
    grid: Any = draw(told, 160)
    whole = grid.canvas.pixels()
    high = whole.shape[0] // 2
    for k, scene in enumerate(told):
        alone: Any = of_scenes().draw([scene], 160)
        tile = whole[k // 2 * high :, k % 2 * 160 :][:high, :160]
        np.testing.assert_array_equal(tile, alone.canvas.pixels())
    np.testing.assert_array_equal(draw(told[::-1], 160).canvas.pixels()[:high, 160:], whole[high:, :160])  # type: ignore[union-attr]


def test_nothing_of_a_picture_is_left_in_the_next_one() -> None:
    """Neither a lander in front of its moon, nor the moon of an episode that is over."""
    env = gymnasium.make("LunarLander-v3")
    draw = of_scenes().draw
    for seed in range(3):
        env.reset(seed=seed)
        for _ in range(3):
            for _ in range(9):
                env.step(2)
            scene = sent(scene_of(env))
            together, alone = (each([scene], 160) for each in (draw, of_scenes().draw))
            np.testing.assert_array_equal(together.canvas.pixels(), alone.canvas.pixels())  # type: ignore[union-attr]
    env.close()


def made(**options: Any) -> gymnasium.Env:
    """A lander that tells its scene."""
    return gymnasium.make("LunarLander-v3", **options)


def told(packed: list[bytes] | None) -> list[Any]:
    """Scenes on their way out of a program."""
    return [scene for part in packed or () for scene in pickle.loads(part)]


def test_workers_tell_what_their_environments_show() -> None:
    """Of the first ones only, with the answers to the next step, while all go on as they would without."""
    envs: Any = AsyncVectorEnv([made] * 5, num_workers=2)
    others = SyncVectorEnv([made] * 5)
    for each in (envs, others):
        each.action_space.seed(1)
        each.reset(seed=1)
    for _ in range(120):
        actions = others.action_space.sample()
        assert scenes(envs, 3) == []
        expected = told(scenes(others, 3))
        for one, other in zip(envs.step(actions)[:4], others.step(actions)[:4], strict=True):
            np.testing.assert_array_equal(one, other)
        envs.call("spec")  # both workers have answered by now
        assert told(scenes(envs, 3)) == expected
    envs.step_async(actions)
    assert scenes(envs, 3) is None  # in the middle of a call
    envs.step_wait()
    envs.close()
    others.close()


@pytest.mark.parametrize("angle", [0.0, 0.4, -1.1, 3.0])
def test_a_small_lander_is_where_the_large_one_is(angle: float) -> None:
    """Its parts are drawn in advance; they turn and move as one."""
    env = LunarLander()
    env.reset(seed=1)
    ground = env._scene().ground
    shown: list[Any] = []
    for scale in (1.0, 0.25):
        canvas = Canvas(600, 400, scale=scale)
        painter = Scene.painter([canvas])
        hull = Pose((10.3, 9.1), angle)
        legs = [Pose((10.3 + side * cos(angle) + 0.6 * sin(angle), 9.1 + side * sin(angle) - 0.6 * cos(angle)), angle)
                for side in (-0.67, 0.67)]  # fmt: skip
        nothing = Pose((-9.0, -9.0), 0.0)
        painter.paint([Scene(ground, nothing, [nothing] * 2, [])])
        empty = canvas.pixels()
        painter.paint([Scene(ground, hull, legs, [])])
        lander = canvas.pixels()
        shown.append(np.abs(lander.astype(float) - empty).sum(2))
    large = shown[0].reshape(100, 4, 150, 4).mean((1, 3))

    assert np.abs(large - shown[1]).sum() < 0.35 * large.sum()
    ys, xs = np.indices(large.shape)
    middles = [[(each * axis).sum() / each.sum() for axis in (xs, ys)] for each in (large, shown[1])]
    assert np.abs(np.subtract(*middles)).max() < 0.5  # pixels


class Ours(LunarLander):
    """A subclass may draw something else."""


def test_what_is_shown_differently_is_not_told() -> None:
    """By subclasses, wrappers that change pictures, and environments without scenes."""
    plain = TimeLimit(LunarLander(), 10)
    plain.reset(seed=1)
    assert scene_of(plain) is not None
    ours = Ours()
    ours.reset(seed=1)
    assert scene_of(ours) is None
    for wrapper in (RenderCollection, AddRenderObservation):
        shown: Any = wrapper(LunarLander(render_mode="rgb_array"))
        shown.reset(seed=1)
        assert (scene_of(shown) is None) == (wrapper is RenderCollection)
    cartpole = gymnasium.make_vec("CartPole-v1", 2, vectorization_mode="sync")
    cartpole.reset(seed=1)
    assert scenes(cartpole, 2) is None
    assert scenes(TimeLimit(LunarLander(), 10), 1) is None  # before the first reset


class Theirs(gymnasium.Env[Any, Any]):
    """Has a method of the same name, which draws random numbers."""

    observation_space = action_space = gymnasium.spaces.Discrete(1000)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        return 0, {}

    def step(self, action: Any) -> tuple[int, float, bool, bool, dict[str, Any]]:
        return int(self.np_random.integers(1000)), 0.0, False, False, {}

    def _scene(self) -> float:
        return self.np_random.random()


def test_methods_of_other_classes_are_not_called() -> None:
    envs, others = (AsyncVectorEnv([Theirs] * 2) for _ in range(2))
    for each in (envs, others):
        each.reset(seed=1)
    for _ in range(5):
        assert not scenes(envs, 2)
        for one, other in zip(envs.step([0, 0])[:4], others.step([0, 0])[:4], strict=True):
            np.testing.assert_array_equal(one, other)
    envs.close()
    others.close()


def test_scenes_that_cannot_be_pickled_are_not_told() -> None:
    """The worker goes on."""
    envs: Any = AsyncVectorEnv([made] * 2, num_workers=1)
    envs.reset(seed=1)
    envs.set_attr("ground", lambda: None)
    assert told(scenes(envs, 2)) == []
    envs.call("spec")
    envs.close()


@pytest.mark.filterwarnings("ignore:.*was killed by the signal:UserWarning")
def test_asking_is_no_part_of_what_a_worker_repeats() -> None:
    """After its death, the new one goes on to the same bits."""
    envs: Any = AsyncVectorEnv([made] * 2, num_workers=1, on_failure="resume", snapshot_every=7)
    others = SyncVectorEnv([made] * 2)
    for each in (envs, others):
        each.reset(seed=1)
    actions = np.array([2, 1])
    came, asked = 0, {}
    for t in range(60):
        if t in (20, 41):
            envs._supervisor.workers[0].process.kill()
        number = envs._showing[0]
        packed = scenes(envs, 2)
        if packed:
            assert told(packed) == asked[number]
            came += 1
        asked.setdefault(envs._showing[0], told(scenes(others, 2)))
        expected = others.step(actions)[0]
        np.testing.assert_array_equal(envs.step(actions)[0], expected)
    assert came > 20
    envs.close()
    others.close()
