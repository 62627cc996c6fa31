"""Registers BlueSky-Gym's ids, which importing it does not."""

import bluesky_gym

bluesky_gym.register_envs()
