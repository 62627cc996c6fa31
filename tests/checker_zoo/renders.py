"""Environments with something wrong with rendering or closing."""

from __future__ import annotations

import numpy as np

from tests.checker_zoo.sound import Sound, broken


class _Text(Sound):
    metadata = {"render_modes": ["ansi"], "render_fps": 10}


class _Pixels(Sound):
    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}


@broken("G501")
class RenderRaises(_Text):
    def render(self):
        raise ZeroDivisionError("no scale")


@broken("G501")
class RenderNeedsAStep(_Text):
    def render(self):
        return str(self.last_action)


@broken("G502")
class NoRenderModes(Sound):
    metadata = {}


@broken("G503")
class RenderModesAreASet(Sound):
    metadata = {"render_modes": {"ansi"}, "render_fps": 10}


@broken("G504")
class RenderModesAreNumbers(Sound):
    metadata = {"render_modes": [1], "render_fps": 10}


@broken("G505")
class NoFps(Sound):
    metadata = {"render_modes": ["ansi"]}


@broken("G506")
class FpsIsAString(Sound):
    metadata = {"render_modes": ["ansi"], "render_fps": "10"}


@broken("G507")
class FpsIsZero(Sound):
    metadata = {"render_modes": ["ansi"], "render_fps": 0}


@broken("G508")
class ModeThatIsNone(_Text):
    def __init__(self, render_mode=None):
        super().__init__("pixels")


@broken("G509")
class HumanReturnsAFrame(Sound):
    metadata = {"render_modes": ["human"], "render_fps": 10}


@broken("G510")
class TextIsBytes(_Text):
    def render(self):
        return b"0.5"


@broken("G511")
class ListIsAFrame(Sound):
    metadata = {"render_modes": ["rgb_array_list"], "render_fps": 10}


@broken("G512")
class FrameIsAList(_Pixels):
    def render(self):
        return super().render().tolist()


@broken("G513")
class DepthOfThreeAxes(Sound):
    metadata = {"render_modes": ["depth_array"], "render_fps": 10}


@broken("G514")
class FrameOfFloats(_Pixels):
    def render(self):
        return super().render() / 255


@broken("G515")
class GrayFrame(_Pixels):
    def render(self):
        return super().render()[:, :, 0]


@broken("G517")
class TakesNoMode(_Text):
    def __init__(self):
        super().__init__()


@broken("G601")
class CloseRaises(Sound):
    def close(self):
        raise OSError("no window")


@broken("G602")
class CannotCloseTwice(Sound):
    closed = False

    def close(self):
        if self.closed:
            raise OSError("closed already")
        self.closed = True


@broken("G520", deep=True)
class LookingDraws(_Pixels):
    def render(self):
        frame = super().render()
        frame[0, 0] = self.np_random.integers(255)
        return frame


@broken("G521", deep=True)
class FramesGrow(_Pixels):
    def render(self):
        return np.zeros((4 + self.t, 6, 3), np.uint8)
