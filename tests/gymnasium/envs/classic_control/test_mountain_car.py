"""What is particular to the discrete car."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from gymnasium.envs.classic_control.continuous_mountain_car import Continuous_MountainCarEnv
from gymnasium.envs.classic_control.mountain_car import MountainCarEnv


def test_keys_are_those_of_pygame():
    """The arrow keys drive; none, or both together, do nothing."""
    left, right = pygame.K_LEFT, pygame.K_RIGHT
    keys = MountainCarEnv().get_keys_to_action()
    assert keys == {(): 1, (left,): 0, (right,): 2, (right, left): 1}
    assert all(combination == tuple(sorted(combination)) for combination in keys)


@pytest.mark.parametrize("make", [MountainCarEnv, Continuous_MountainCarEnv])
def test_height_of_the_track_for_potentials(make):
    """Between 0.1 in the valley and 1 on the hill."""
    env = make()
    assert env._height(np.array([-np.pi / 6, 0.0, np.pi / 6])) == pytest.approx([0.1, 0.55, 1.0])
    assert env._height(0.3) == pytest.approx(np.sin(0.9) * 0.45 + 0.55)


@pytest.mark.parametrize("make", [MountainCarEnv, Continuous_MountainCarEnv])
def test_wall_stops_the_car(make):
    env = make()
    env.reset(seed=0)
    env.state = [-1.19, -0.07]
    action = 0 if make is MountainCarEnv else np.array([-1.0], np.float32)
    assert env.step(action)[0].tolist() == [np.float32(-1.2), 0.0]


@pytest.mark.parametrize(("make", "goal"), [(MountainCarEnv, 0.5), (Continuous_MountainCarEnv, 0.45)])
@pytest.mark.parametrize(("velocity", "arrives"), [(0.05, True), (0.02, False)])
def test_goal_has_to_be_reached_at_the_goal_velocity(make, goal, velocity, arrives):
    env = make(goal_velocity=0.04)
    env.reset(seed=0)
    env.state = [goal - velocity / 2, velocity]
    action = 1 if make is MountainCarEnv else np.zeros(1, np.float32)
    assert env.step(action)[2] is arrives


def test_goal_is_rewarded_by_the_end_alone():
    """-1 a step, the last included."""
    env = MountainCarEnv()
    env.reset(seed=0)
    env.state = [0.48, 0.05]
    assert env.step(2)[1:3] == (-1.0, True)
    with pytest.warns(UserWarning, match=r"call reset\(\) first"):
        env.step(2)
