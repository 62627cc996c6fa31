from __future__ import annotations

import math

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.box2d import bipedal_walker
from gymnasium.envs.box2d._engine.bindings import Box2D
from gymnasium.envs.box2d._walker.lidar import RAYS
from gymnasium.envs.box2d._walker.terrain import (
    TERRAIN_HEIGHT,
    TERRAIN_LENGTH,
    TERRAIN_STEP,
    random_sky,
    random_terrain,
)
from gymnasium.envs.box2d.bipedal_walker import BipedalWalker


@pytest.mark.parametrize(
    ("env_id", "first", "rewards", "total"),
    [
        (
            "BipedalWalker-v3",
            [0.002745554316788912, 1.2205968232592568e-05, -0.0015916133997961879, -0.016000080853700638],
            [-0.14538982510566711, -0.06547094136476517],
            0.11298494227230549,
        ),
        (
            "BipedalWalkerHardcore-v3",
            [0.0027474479284137487, -1.0099786777573172e-05, 0.000785661453846842, -0.0159999318420887],
            [-0.14373405277729034, -0.0641617551445961],
            -2.941105318721384,
        ),
    ],
)
def test_the_recorded_trace(env_id, first, rewards, total) -> None:
    env = gymnasium.make(env_id)
    assert env.reset(seed=123)[0][:4].tolist() == first
    env.action_space.seed(123)
    steps = [env.step(env.action_space.sample()) for _ in range(100)]
    assert [reward for _, reward, *_ in steps[:2]] == rewards
    assert sum(reward for _, reward, *_ in steps) == total
    assert not any(terminated for _, _, terminated, _, _ in steps)


class _Nearest(Box2D.b2RayCastCallback):
    fraction = 1.0

    def ReportFixture(self, fixture, point, normal, fraction):  # noqa: N802  # the engine's name
        if not fixture.filterData.categoryBits & 1:
            return -1
        self.fraction = fraction
        return fraction


def _cast(env, x, y):
    """What the engine's own search finds."""
    found = []
    for i in range(RAYS):
        ray = _Nearest()
        angle = 1.5 * i / 10.0
        end = (x + math.sin(angle) * bipedal_walker.LIDAR_RANGE, y - math.cos(angle) * bipedal_walker.LIDAR_RANGE)
        env.world.RayCast(ray, (x, y), end)
        found.append(ray.fraction)
    return found


@pytest.mark.parametrize("hardcore", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_lidar_is_the_engines_to_the_bit(hardcore, seed, each_code) -> None:
    """Anywhere along the terrain: above it, in pits and stumps, a little below it, and beyond both ends."""
    env = BipedalWalker(hardcore=hardcore)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    xs, ys = zip(*env.landscape.points, strict=True)
    corners = [corner for quad in env.landscape.obstacles for corner in quad] or [(40 * TERRAIN_STEP, 4.0)]
    places = [(x, np.interp(x, xs, ys) + rng.uniform(-0.3, 3.0)) for x in rng.uniform(-3, 97, 150)]
    places += [(x - rng.uniform(0, 2), y + rng.uniform(-1.5, 1.5)) for x, y in corners]
    places += [(k * TERRAIN_STEP, ys[k] + 1.0) for k in (0, 17, 50, 100, 199)]  # right above the joints
    for x, y in places:
        env.hull.position = (float(x), float(y))
        env._stepper.after()
        assert env._observation()[14:].tolist() == _cast(env, *env.hull.position)


def test_the_observed_lidar_is_the_engines(each_code) -> None:
    env = BipedalWalker(hardcore=True)
    env.reset(seed=2)
    env.action_space.seed(0)
    for _ in range(50):
        observation = env.step(env.action_space.sample())[0]
        assert observation[14:].tolist() == _cast(env, *env.hull.position)


def test_terrain_is_rough_grass_after_a_level_start() -> None:
    rng = np.random.default_rng(0)
    terrain = random_terrain(rng, hardcore=False)._replace(sky=random_sky(rng))
    xs, ys = zip(*terrain.points, strict=True)
    assert len(xs) == TERRAIN_LENGTH
    assert set(np.round(np.diff(xs), 9)) == {round(TERRAIN_STEP, 9)}
    assert set(ys[:21]) == {TERRAIN_HEIGHT}
    assert np.std(ys[21:]) > 0
    assert terrain.obstacles == []
    assert [len(cloud) for cloud in terrain.clouds] == [5] * 10


def test_hardcore_terrain_has_stumps_stairs_and_pits() -> None:
    terrain = random_terrain(np.random.default_rng(0), hardcore=True)
    step = TERRAIN_STEP
    sizes = {(round((q[1][0] - q[0][0]) / step), round(abs(q[2][1] - q[1][1]) / step)) for q in terrain.obstacles}
    assert sizes == {(1, 1), (2, 2), (4, 1), (1, 4)}


def test_actions_are_clipped_sign_and_size_apart(each_code) -> None:
    env = BipedalWalker()
    env.reset(seed=0)
    env.step(np.array([0.5, -0.25, 0.0, 9.0], np.float32))
    assert [joint.motorSpeed for joint in env.joints] == [4.0, -6.0, 0.0, 6.0]


def test_a_fall_ends_the_episode(each_code) -> None:
    env = BipedalWalker()
    env.reset(seed=0)
    for _ in range(400):
        _, reward, terminated, _, _ = env.step(np.array([1.0, 1.0, -1.0, -1.0], np.float32))
        if terminated:
            break
    assert (terminated, reward, env.game_over) == (True, -100.0, True)


def test_the_far_end_ends_the_episode_without_a_loss(each_code) -> None:
    env = BipedalWalker()
    env.reset(seed=0)
    for body in (env.hull, *env.legs):
        body.position = (body.position.x + 190 * TERRAIN_STEP, body.position.y + 2.0)
    _, reward, terminated, _, _ = env.step(np.zeros(4, np.float32))
    assert terminated
    assert reward > 0


def test_behind_the_start_is_a_fall(each_code) -> None:
    env = BipedalWalker()
    env.reset(seed=0)
    for body in (env.hull, *env.legs):
        body.position = (body.position.x - 12.0, body.position.y + 2.0)
    assert env.step(np.zeros(4, np.float32))[1:3] == (-100.0, True)


def test_public_attributes(each_code) -> None:
    env = BipedalWalker()
    env.reset(seed=0)
    assert len(env.terrain) == TERRAIN_LENGTH - 1
    assert env.terrain[0].fixtures[0].shape.vertices[0][0] == pytest.approx(198 * TERRAIN_STEP)
    assert (len(env.legs), len(env.joints)) == (4, 4)
    assert env.legs[1].ground_contact and env.legs[3].ground_contact


def test_the_view_follows_the_walker(each_code) -> None:
    """The hull stays at a fifth of the view."""
    env = BipedalWalker(render_mode="rgb_array")
    env.reset(seed=0)
    for _ in range(3):
        env.step(np.zeros(4, np.float32))
    _, columns = np.nonzero((env.render() == (127, 51, 229)).all(axis=2))
    assert columns.mean() == pytest.approx(120, abs=10)


@pytest.mark.parametrize("hardcore", [False, True])
def test_the_ground_is_drawn_the_same_from_either_side(hardcore) -> None:
    """Its strips are made as they are seen, in any order, and fit together."""
    there, back = (BipedalWalker(render_mode="rgb_array", hardcore=hardcore) for _ in range(2))
    frames = {}
    for env, pixels in ((there, range(-60, 2700, 230)), (back, reversed(range(-60, 2700, 230)))):
        env.reset(seed=1)
        for left in pixels:
            env.scroll = left / bipedal_walker.SCALE
            frames.setdefault(left, []).append(env.render())
    assert all((one == other).all() for one, other in frames.values())


@pytest.mark.parametrize("hardcore", [False, True])
def test_the_ground_is_drawn_where_the_walker_walks(hardcore) -> None:
    """Sky above the surface, and no sky below it: what is neither is grass, stumps, pits' walls and the walker."""
    env = BipedalWalker(render_mode="rgb_array", hardcore=hardcore)
    env.reset(seed=2)
    sky, scale = (215, 215, 255), bipedal_walker.SCALE
    xs, ys = zip(*env.landscape.points, strict=True)
    for left in (0, 601, 1500):
        env.scroll = left / scale
        frame = env.render()
        for column in range(5, 600, 7):
            surface = 400 - np.interp((left + column + 0.5) / scale, xs, ys) * scale
            assert not (frame[min(int(surface) + 4, 400) :, column] == sky).all(axis=1).any()
            above = frame[int(surface) - 80 : int(surface) - 62, column]
            assert column < 180 or (above == sky).all(axis=1).any()


def test_the_ground_is_one_body(each_code) -> None:
    """The engine visits every body in every step, be it still or not: hull and legs, and one for all the terrain."""
    env = BipedalWalker(hardcore=True)
    env.reset(seed=0)
    assert env.world.bodyCount == 1 + len(env.legs) + 1
    assert len(env.terrain) == TERRAIN_LENGTH - 1 + len(env.landscape.obstacles)
    assert len({piece.fixtures[0].body for piece in env.terrain}) == 1


def test_the_pieces_of_the_ground_have_colours() -> None:
    """Blades of grass in turn, from right to left, and then the obstacles."""
    env = BipedalWalker(hardcore=True)
    env.reset(seed=0)
    colors = [(piece.color1, piece.color2) for piece in env.terrain]
    light, dark = ((76, 255, 76),) * 2, ((76, 204, 76),) * 2
    assert colors[: TERRAIN_LENGTH - 1] == [light, *[dark, light] * (TERRAIN_LENGTH // 2 - 1)]
    assert set(colors[TERRAIN_LENGTH - 1 :]) == {((255, 255, 255), (153, 153, 153))}
    left = [piece.fixtures[0].shape.vertices[0][0] for piece in env.terrain[: TERRAIN_LENGTH - 1]]
    assert left == sorted(left, reverse=True)
