"""Robots simulated by MuJoCo."""

from gymnasium.envs.mujoco.mujoco_env import MujocoEnv
from gymnasium.envs.mujoco.mujoco_rendering import MujocoRenderer

__all__ = ["MujocoEnv", "MujocoRenderer"]
