"""Box2D: environments simulated by a physics engine for rigid bodies in two dimensions.

Start with `lunar_lander`. `base` is the order of an episode, `legged` the common part of lander and walker; `_lander/`,
`_walker/` and `_racing/` are the parts of each environment, and `drawing/` their pixels. `_engine/` is the engine, and
`_fast/` runs the slow parts of a step as machine code, with the same bits.
"""

from gymnasium.envs.box2d.bipedal_walker import BipedalWalker, BipedalWalkerHardcore
from gymnasium.envs.box2d.car_racing import CarRacing
from gymnasium.envs.box2d.lunar_lander import LunarLander, LunarLanderContinuous

__all__ = ["BipedalWalker", "BipedalWalkerHardcore", "CarRacing", "LunarLander", "LunarLanderContinuous"]
