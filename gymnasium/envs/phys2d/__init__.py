"""Classic control under JAX, with the dynamics of `gymnasium.envs.classic_control`."""

from gymnasium.envs.phys2d.cartpole import CartPoleFunctional, CartPoleJaxEnv
from gymnasium.envs.phys2d.pendulum import PendulumFunctional, PendulumJaxEnv

__all__ = ["CartPoleFunctional", "CartPoleJaxEnv", "PendulumFunctional", "PendulumJaxEnv"]
