"""Environments with something wrong with their spaces, or with the whole."""

from __future__ import annotations

import numpy as np

from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple
from tests.checker_zoo.sound import Sound, broken


@broken("G003")
class ConstructorRaises(Sound):
    def __init__(self, render_mode=None):
        raise RuntimeError("no licence")


@broken("G003")
class NoEnvironment:
    def __init__(self, render_mode=None):
        pass


@broken("G101")
class NoActionSpace(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        del self.action_space


@broken("G102")
class NoObservationSpace(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        del self.observation_space


@broken("G100")
class ActionSpaceNeedsReset(Sound):
    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.observation_space = Box(-1, 1, (2,), np.float32)

    @property
    def action_space(self):
        return Discrete({}["size"])


class _OtherActions(Sound):
    """The space is changed after it is made, where its class refuses what is wrong."""

    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.action_space = self.make_space()


@broken("G103")
class SpaceIsAList(_OtherActions):
    def make_space(self):
        return [0, 1]


@broken("G104")
class DiscreteOfNothing(_OtherActions):
    def make_space(self):
        space = Discrete(2)
        space.n = 0
        return space


@broken("G105")
class DiscreteWithAShape(_OtherActions):
    def make_space(self):
        space = Discrete(2)
        space._shape = (1,)
        return space


@broken("G106")
class MultiDiscreteOfAnotherShape(_OtherActions):
    def make_space(self):
        space = MultiDiscrete([2, 2])
        space._shape = (3,)
        return space


@broken("G107")
class MultiDiscreteOfNothing(_OtherActions):
    def make_space(self):
        space = MultiDiscrete([2, 2])
        space.nvec[0] = 0
        return space


@broken("G108")
class MultiBinaryOfNothing(_OtherActions):
    def make_space(self):
        space = MultiBinary(2)
        space._shape = (0,)
        return space


@broken("G109")
class EmptyTuple(_OtherActions):
    def make_space(self):
        return Tuple(())


@broken("G109")
class EmptyDictInside(_OtherActions):
    def make_space(self):
        return Tuple((Discrete(2), Dict({})))


@broken("G110")
class BoxBoundsOfAnotherShape(_OtherActions):
    def make_space(self):
        space = Box(-1, 1, (2,), np.float32)
        space.low = np.zeros(3, np.float32)
        return space


class _VectorAction(Sound):
    def step(self, action):
        self.t += 1
        self.position += 0.2 * float(action[0] > 0) - 0.1
        return self.observation(), self.reward(), self.terminated(), False, self.info()


@broken("G111")
class ConstantAction(_VectorAction):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.action_space = Box(np.float32([-1, 0]), np.float32([1, 0]))


@broken("G111")
class ConstantObservation(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.observation_space = Box(np.float32([-1, 0]), np.float32([1, 0]))


@broken("G112")
class ReversedObservation(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.observation_space = Box(-1, 1, (2,), np.float32)
        low, high = self.observation_space.low.copy(), self.observation_space.high.copy()
        self.observation_space.low, self.observation_space.high = high, low


@broken("G113")
class UnboundedBelow(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.observation_space = Box(-np.inf, 1, (2,), np.float32)


@broken("G114")
class UnboundedAbove(Sound):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.observation_space = Box(-1, np.inf, (2,), np.float32)


@broken("G115")
class ActionNotNormalised(_VectorAction):
    def __init__(self, render_mode=None):
        super().__init__(render_mode)
        self.action_space = Box(-5, 5, (1,), np.float32)
