"""What classes derived from the Box2D environments read, assign and override."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.box2d import BipedalWalker, CarRacing, LunarLander
from gymnasium.envs.box2d._engine import bindings as engine
from gymnasium.envs.box2d._walker.terrain import TERRAIN_HEIGHT, TERRAIN_STEP
from gymnasium.spaces import Box, Discrete
from gymnasium.utils.ezpickle import EzPickle


class OwnLander(LunarLander):
    def __init__(self, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, render_mode)
        self.gravity, self.wind_power, self.turbulence_power, self.enable_wind = -9.0, 15.0, 1.5, False
        self.screen = self.clock = self.moon = self.lander = self.prev_reward = None
        self.isopen, self.particles, self.continuous, self.render_mode = True, [], False, render_mode
        self.world = engine.Box2D.b2World(gravity=(0, -9.0))
        self.observation_space, self.action_space = Box(-10.0, 10.0, (8,)), Discrete(4)


class OwnWalker(BipedalWalker):
    def __init__(self, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, render_mode)
        self.isopen, self.terrain, self.hull, self.prev_shaping, self.hardcore = True, [], None, None, False
        self.observation_space, self.action_space = Box(-10.0, 10.0, (24,)), Box(-1.0, 1.0, (4,))
        self.render_mode = render_mode


class OwnCar(CarRacing):
    def __init__(self, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, render_mode)
        self.continuous, self.domain_randomize, self.lap_complete_percent, self.verbose = True, False, 0.95, False
        self._init_colors()
        self.road, self.car, self.reward, self.prev_reward = None, None, 0.0, 0.0
        self.observation_space = Box(0, 255, (96, 96, 3), np.uint8)
        self.action_space = Box(np.array([-1, 0, 0], np.float32), np.ones(3, np.float32))
        self.render_mode = render_mode


@pytest.mark.parametrize(
    ("kind", "usual"), [(OwnLander, LunarLander(gravity=-9.0)), (OwnWalker, BipedalWalker()), (OwnCar, CarRacing())]
)
def test_a_constructor_that_does_not_call_the_inherited_one_is_enough(kind: Any, usual: Any) -> None:
    env = kind()
    np.testing.assert_array_equal(env.reset(seed=3)[0], usual.reset(seed=3)[0])
    env.action_space.seed(1)
    for _ in range(6):
        action = env.action_space.sample()
        np.testing.assert_equal(env.step(action), usual.step(action))
    snapshot = env.get_state()
    expected = env.step(action)
    env.set_state(snapshot)
    np.testing.assert_equal(env.step(action), expected)
    env.close()


def test_a_lander_lists_its_bodies_and_the_sky() -> None:
    env = LunarLander()
    env.reset(seed=1)
    assert env.drawlist == [env.lander, *env.legs] and env.lander.color1 == (128, 102, 230)
    assert len(env.sky_polys) == 10 and env.sky_polys[0][2:] == [(2.0, 400 / 30), (0.0, 400 / 30)]
    assert env.prev_reward is None
    env.sky_polys = []
    assert env.sky_polys == []
    env.reset()
    assert len(env.sky_polys) == 10


@pytest.mark.parametrize("hardcore", [False, True])
def test_a_walker_shows_its_terrain_and_its_rays(hardcore: bool) -> None:
    env = BipedalWalker(hardcore=hardcore)
    env.reset(seed=3)
    observation = env.step(np.array([0.3, -0.5, 0.2, 0.9], np.float32))[0]
    assert env.terrain_x[:3] == [0.0, TERRAIN_STEP, 2 * TERRAIN_STEP] and len(env.terrain_y) == 200
    assert len(env.terrain_poly) == 199
    assert env.terrain_poly[5][0][2:] == [(6 * TERRAIN_STEP, 0.0), (5 * TERRAIN_STEP, 0.0)]
    assert [ray.fraction for ray in env.lidar] == observation[14:].tolist()
    x, y = env.hull.position
    first = env.lidar[0]
    assert tuple(first.p1) == (x, y) and tuple(first.p2) == pytest.approx((x, TERRAIN_HEIGHT), abs=1e-5)
    assert all((min(corners)[0], max(corners)[0]) == (left, right) for corners, left, right in env.cloud_poly)
    assert len(env.drawlist) == len(env.terrain) + 5
    env.terrain_y = mine = [0.0]
    assert env.terrain_y is mine
    env.reset()
    assert len(env.terrain_y) == 200


class Step(BipedalWalker):
    """A level ground with one step, made of bodies of the engine."""

    def _generate_terrain(self, hardcore: bool) -> None:
        self.terrain, self.terrain_x, self.terrain_y = [], [0.0, 100.0], [TERRAIN_HEIGHT, TERRAIN_HEIGHT]
        self.fd_edge.shape.vertices = [(0.0, TERRAIN_HEIGHT), (100.0, TERRAIN_HEIGHT)]
        self.terrain.append(self.world.CreateStaticBody(fixtures=self.fd_edge))
        self.fd_polygon.shape.vertices = [(7.0, 3.0), (8.0, 3.0), (8.0, 6.0), (7.0, 6.0)]
        self.terrain.append(self.world.CreateStaticBody(fixtures=self.fd_polygon))


class Always(BipedalWalker):
    def _generate_terrain(self, hardcore: bool) -> None:
        super()._generate_terrain(True)


def test_the_range_finder_sees_a_ground_of_a_subclass() -> None:
    env = Step(render_mode="rgb_array")
    observation, _ = env.reset(seed=1)
    x, y = env.hull.position
    assert observation[14] * 160 / 30 == pytest.approx(y - TERRAIN_HEIGHT, abs=1e-4)
    reach = observation[14 + 9] * 160 / 30 * np.sin(1.5 * 9 / 10)
    assert x + reach == pytest.approx(7.0, abs=1e-4)
    assert env.render().shape == (400, 600, 3)
    env.step(np.zeros(4, np.float32))
    assert len(env.terrain) == 2
    snapshot = env.get_state()
    expected = env.step(np.ones(4, np.float32))
    env.set_state(snapshot)
    np.testing.assert_equal(env.step(np.ones(4, np.float32)), expected)


def test_a_ground_that_a_subclass_only_chooses_is_the_usual_one() -> None:
    env, usual = Always(), BipedalWalker(hardcore=True)
    np.testing.assert_array_equal(env.reset(seed=3)[0], usual.reset(seed=3)[0])
    for t in range(60):
        action = np.array([np.sin(t / 5), 0.5, -0.3, np.cos(t / 7)], np.float32)
        np.testing.assert_equal(env.step(action), usual.step(action))


@pytest.mark.parametrize("kind", [LunarLander, BipedalWalker, CarRacing])
def test_a_reset_calls_destroy_where_it_is_overridden(kind: Any) -> None:
    calls = []

    def _destroy(self: Any) -> None:
        kind._destroy(self)
        calls.append(len(self.world.bodies) if self.world is not None else None)

    env, usual = type("Mine", (kind,), {"_destroy": _destroy})(), kind()
    for seed in (1, 2):
        np.testing.assert_array_equal(env.reset(seed=seed)[0], usual.reset(seed=seed)[0])
    assert calls == [None, 0]


class Painted(CarRacing):
    def _reinit_colors(self, randomize: bool) -> None:
        self.asked = randomize
        self.road_color, self.bg_color, self.grass_color = (np.array([k, 20, 30]) for k in range(3))

    def _render(self, mode: str) -> Any:
        return super()._render(mode) // 2


class Circle(CarRacing):
    """A round track, at the second attempt."""

    attempts = 0

    def _create_track(self) -> bool:
        self.attempts += 1
        angles = np.linspace(0, 2 * np.pi, 180, endpoint=False).tolist()
        self.track = [(a, a, 100 * np.cos(a), 100 * np.sin(a)) for a in angles]
        return self.attempts % 2 == 0


def test_a_car_race_calls_what_subclasses_override() -> None:
    env = Painted(domain_randomize=True)
    observation, _ = env.reset(seed=2, options={"randomize": False})
    assert env.asked is False and env.road_color.tolist() == [0, 20, 30]
    assert env.state is observation and observation.max() <= 127
    circle = Circle(render_mode="rgb_array")
    for _ in range(2):
        circle.reset(seed=2)
        assert len(circle.road) == 180 and tuple(circle.car.hull.position) == pytest.approx((100.0, 0.0), abs=0.1)
        assert circle.step(np.array([0.0, 0.5, 0.0], np.float32))[0].shape == (96, 96, 3)
    assert circle.attempts == 4 and circle.render().shape == (400, 600, 3)


def test_a_car_race_shows_its_road() -> None:
    env = CarRacing()
    env.reset(seed=1)
    observation = env.step(np.array([0.0, 0.5, 0.0], np.float32))[0]
    assert env.state is observation
    assert len(env.road_poly) > len(env.road) == len(env.track)
    assert {tuple(color) for _, color in env.road_poly} >= {(255, 0, 0), (255, 255, 255), (102.0, 102.0, 102.0)}
    assert env.start_alpha == 2 * np.pi * -0.5 / 12 and env.contactListener_keepref is env.world.contactListener
    assert [part.dtype.kind for part in (env.road_color, env.bg_color, env.grass_color)] == ["i"] * 3


@pytest.mark.parametrize("env_id", ["CartPole-v1", "BipedalWalker-v3", "LunarLander-v3", "CarRacing-v3"])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_keeps_the_spec(env_id: str, copied: Any) -> None:
    env = gymnasium.make(env_id)
    assert copied(env).spec == env.spec and copied(env.unwrapped).spec == env.unwrapped.spec
