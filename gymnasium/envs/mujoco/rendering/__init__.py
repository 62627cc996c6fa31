"""Frames and windows of a simulation; the public names are in `gymnasium.envs.mujoco.mujoco_rendering`."""
