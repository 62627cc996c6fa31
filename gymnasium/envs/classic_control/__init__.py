"""Classic control: small mechanical systems with closed-form dynamics."""

from gymnasium.envs.classic_control.acrobot import AcrobotEnv
from gymnasium.envs.classic_control.cartpole import CartPoleEnv
from gymnasium.envs.classic_control.continuous_mountain_car import Continuous_MountainCarEnv
from gymnasium.envs.classic_control.mountain_car import MountainCarEnv
from gymnasium.envs.classic_control.pendulum import PendulumEnv

__all__ = ["AcrobotEnv", "CartPoleEnv", "Continuous_MountainCarEnv", "MountainCarEnv", "PendulumEnv"]
