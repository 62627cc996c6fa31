from __future__ import annotations

import gc
import mmap
from pathlib import Path

import numpy as np
import pytest

import gymnasium
from gymnasium.envs.box2d._engine.bindings import ContactListener, advance, new_world
from gymnasium.envs.box2d._racing.track import (
    PLAYFIELD,
    TRACK_DETAIL_STEP,
    TRACK_WIDTH,
    kerbs,
    random_track,
    tile_outlines,
)
from gymnasium.envs.box2d.car_dynamics import MUD_COLOR, WHEEL_R, Car
from gymnasium.envs.box2d.car_racing import CarRacing

STATM = Path("/proc/self/statm")
GAS = np.array([0.0, 1.0, 0.0], np.float32)


def test_the_recorded_trace() -> None:
    env = gymnasium.make("CarRacing-v3")
    env.reset(seed=123)
    env.action_space.seed(123)
    rewards = [env.step(env.action_space.sample())[1] for _ in range(20)]
    assert rewards[:2] == [6.111180124223603, -0.09999999999999964]
    assert sum(rewards) == 4.21118012422361


def test_tracks_are_closed_and_even() -> None:
    for seed in range(10):
        track = random_track(np.random.default_rng(seed))
        points = np.array(track)[:, 2:]
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        assert steps == pytest.approx(TRACK_DETAIL_STEP)
        assert np.linalg.norm(points[0] - points[-1]) < 3 * TRACK_DETAIL_STEP
        assert len(track) > 200


def test_tiles_reach_across_the_road_and_join() -> None:
    track = random_track(np.random.default_rng(0))
    tiles = np.array(tile_outlines(track))
    left, right, right_before, left_before = tiles.transpose(1, 0, 2)
    assert np.linalg.norm(left - right, axis=1) == pytest.approx(2 * TRACK_WIDTH)
    assert (left + right) / 2 == pytest.approx(np.array(track)[:, 2:])
    assert (np.roll(left, 1, axis=0) == left_before).all()
    assert (np.roll(right, 1, axis=0) == right_before).all()


def test_kerbs_stand_in_sharp_turns_of_one_direction() -> None:
    track = random_track(np.random.default_rng(0))
    kerbed = kerbs(track)
    assert 0 < sum(kerbed) < len(track) / 2
    for i, marked in enumerate(kerbed):
        if marked:
            assert abs(track[i].beta - track[i - 1].beta) > 0.062


def test_the_car_starts_on_the_road_and_drives_off() -> None:
    env = CarRacing()
    env.reset(seed=0)
    assert tuple(env.car.hull.position) == pytest.approx(env.track[0][2:], abs=0.1)
    assert env.tile_visited_count > 0
    for _ in range(50):
        env.step(GAS)
    assert env.car.hull.linearVelocity.length > 20


def test_discrete_actions_steer_and_drive() -> None:
    env = CarRacing(continuous=False)
    moves = {}
    for action in range(5):
        env.reset(seed=0)
        for _ in range(20):
            env.step(3)
        for _ in range(10):
            env.step(action)
        moves[action] = (env.car.wheels[0].joint.angle, env.car.hull.linearVelocity.length)
    assert moves[2][0] > 0.1 > -0.1 > moves[1][0]
    assert moves[3][1] > moves[0][1] > moves[4][1]


def test_each_new_tile_is_rewarded_once() -> None:
    env = CarRacing()
    env.reset(seed=0)
    total = sum(env.step(GAS)[1] for _ in range(60))
    assert total == pytest.approx(1000 / len(env.track) * env.tile_visited_count - 0.1 * 60)


def test_leaving_the_field_ends_the_episode() -> None:
    env = CarRacing()
    env.reset(seed=0)
    for body in (env.car.hull, *(wheel.body for wheel in env.car.wheels)):
        body.position = (body.position.x + PLAYFIELD, body.position.y)
    _, reward, terminated, _, info = env.step(GAS)
    assert (reward, terminated, info) == (-100.0, True, {"lap_finished": False})


def _roll_over(env: CarRacing, tiles: range) -> None:
    """As if a wheel met these tiles, one after the other."""
    detector = env.world.contactListener
    for tile in tiles:
        detector.begin(tile, -1)
        detector.end(-1, tile)


def test_a_lap_is_finished_at_the_start_line() -> None:
    env = CarRacing(lap_complete_percent=0.5)
    env.reset(seed=0)
    _roll_over(env, range(10, 20))
    _roll_over(env, range(1))
    assert not env.step(GAS)[2]
    _roll_over(env, range(20, len(env.track) - 20))
    assert not env.step(GAS)[2]
    _roll_over(env, range(1))
    _, _, terminated, _, info = env.step(GAS)
    assert (terminated, info) == (True, {"lap_finished": True})


def test_all_tiles_end_the_episode() -> None:
    env = CarRacing(lap_complete_percent=2.0)
    env.reset(seed=0)
    _roll_over(env, range(len(env.track)))
    assert env.step(GAS)[2:] == (True, False, {"lap_finished": True})


def test_colors_are_drawn_for_each_episode_if_asked_to() -> None:
    env = CarRacing(domain_randomize=True)
    env.reset(seed=0)
    first = env.road_color, env.bg_color, env.grass_color
    env.reset(options={"randomize": False})
    assert [np.array_equal(*pair) for pair in zip(first, (env.road_color, env.bg_color, env.grass_color), strict=True)]
    assert np.array_equal(first[0], env.road_color)
    env.reset()
    assert not np.array_equal(first[0], env.road_color)
    assert sorted(env.grass_color - env.bg_color) == [0, 0, 20]


def test_verbose_tells_the_length_of_the_track(capsys) -> None:
    env = CarRacing(verbose=True)
    env.reset(seed=0)
    assert str(len(env.track)) in capsys.readouterr().out


def test_state_pixels_are_the_observation() -> None:
    env = CarRacing(render_mode="state_pixels")
    observation, _ = env.reset(seed=0)
    assert (env.render() == observation).all()


def _car() -> Car:
    return Car(new_world((0, 0), ContactListener()), 0.0, 0.0, 0.0)


def test_gas_opens_slowly_and_closes_at_once() -> None:
    car = _car()
    car.gas(1.0)
    assert [wheel.gas for wheel in car.wheels] == [0.0, 0.0, 0.1, 0.1]
    car.gas(-1.0)
    assert car.wheels[2].gas == 0.0


def test_brakes_slow_the_wheels_and_block_them() -> None:
    car = _car()
    for wheel in car.wheels:
        wheel.omega = 20.0
    car.brake(0.5)
    car.step(0.02)
    assert all(0 < wheel.omega < 20.0 for wheel in car.wheels)
    car.brake(1.0)
    car.step(0.02)
    assert all(wheel.omega <= 0.0 for wheel in car.wheels)


def test_a_car_without_road_skids_and_leaves_mud() -> None:
    car = _car()
    car.hull.linearVelocity = (60.0, 0.0)
    for wheel in car.wheels:
        wheel.body.linearVelocity = (60.0, 0.0)
    for _ in range(40):
        car.step(0.02)
        advance(car.world)
    assert car.particles
    assert {mark.color for mark in car.particles} == {MUD_COLOR}
    assert all(len(mark.poly) <= 30 for mark in car.particles)


def test_a_car_is_taken_out_of_its_world() -> None:
    car = _car()
    assert car.world.bodyCount == 5
    car.destroy()
    assert car.world.bodyCount == 0


def test_wheels_have_the_attributes_of_their_bodies() -> None:
    wheel = _car().wheels[0]
    assert tuple(wheel.position) == pytest.approx((-1.1, 1.6))
    assert wheel.wheel_rad == WHEEL_R * 0.02
    with pytest.raises(AttributeError):
        wheel.colour  # noqa: B018


def test_the_view_comes_near_and_keeps_the_car_at_its_place() -> None:
    """Half way across, and a quarter of the height above the bottom: red in the observation."""
    env = CarRacing()
    observation, _ = env.reset(seed=0)
    widths = []
    for _ in range(60):
        reds = (observation[:, :, 0] > 150) & (observation[:, :, 1] < 90)
        rows, columns = np.nonzero(reds[60:84, 40:56])
        if rows.size:
            widths.append(int(columns.max() - columns.min()))
            assert 40 + columns.mean() == pytest.approx(47.5, abs=2.0)
        observation = env.step(GAS)[0]
    assert widths[-1] > widths[0]


def test_visited_tiles_are_painted_plainly() -> None:
    env = CarRacing()
    env.reset(seed=0)
    assert {tuple(tile.color) for tile in env.road if tile.road_visited} == {(102.0, 102.0, 102.0)}
    assert len({tuple(tile.color) for tile in env.road}) == 3


def test_bars_tell_the_speed() -> None:
    """White, to the right of the score, growing."""
    env = CarRacing()
    slow, _ = env.reset(seed=0)
    for _ in range(60):
        fast = env.step(GAS)[0]
    white = [(frame[84:, 12:14].min(axis=2) > 100).sum() for frame in (slow, fast)]
    assert white[1] > white[0]


def test_flat_areas_look_as_in_the_reference() -> None:
    """Two of 255 darker than painted, as the scaling of its frames from 1000 x 800 to 96 x 96 makes them."""
    env = CarRacing()
    env.reset(seed=0)
    for _ in range(60):
        observation = env.step(GAS)[0]
    seen = {tuple(color) for color in observation[:84].reshape(-1, 3).tolist()}
    assert {(100, 100, 100), (100, 202, 100), (100, 228, 100)} <= seen


def test_what_is_seen_does_not_depend_on_what_was_seen_before() -> None:
    """What is near the car is remembered from frame to frame: another episode's end shows the same."""
    env, again = CarRacing(), CarRacing()
    env.reset(seed=0)
    for _ in range(70):
        env.step(GAS)
    again.reset(seed=3)
    again.set_state(env.get_state())
    assert (again.step(GAS)[0] == env.step(GAS)[0]).all()


def test_bands_on_the_tyres_roll_forwards() -> None:
    """From the rear to the front of what is seen of a tyre, and then, below it, unseen."""
    env = CarRacing(render_mode="rgb_array")
    env.reset(seed=0)
    for _ in range(55):
        env.step(np.zeros(3, np.float32))
    places = []
    for phase in np.arange(0.0, 2 * np.pi, 0.1):
        env.car.wheels[1].phase = phase
        frame = env.render()
        grey = (abs(frame[276:294, 308:312].astype(int) - 76) < 3).all(axis=(1, 2))
        places.append(grey.nonzero()[0].mean() if grey.any() else None)
    seen = [place for place in places if place is not None]
    assert places[10] is None
    assert 0.4 < len(seen) / len(places) < 0.8
    assert seen == sorted(seen, reverse=True)
    assert seen[0] - seen[-1] > 4


@pytest.mark.skipif(not STATM.exists(), reason="needs Linux's /proc")
def test_memory_is_flat_over_episodes() -> None:
    """Ten kilobytes kept in each episode would be seen; 200 whole episodes once grew by 1 MiB, at their beginning."""
    env = CarRacing()

    def play(episodes: int) -> int:
        for _ in range(episodes):
            env.reset()
            for _ in range(20):
                env.step(GAS)
        gc.collect()
        return int(STATM.read_text().split()[1]) * mmap.PAGESIZE

    env.reset(seed=0)
    before = play(60)
    assert play(150) - before < 1 << 20
