"""Playing an environment by keyboard, in a window."""

from __future__ import annotations

from gymnasium.utils.play._game import PlayableGame, display_arr
from gymnasium.utils.play._keys import MissingKeysToAction
from gymnasium.utils.play._loop import play
from gymnasium.utils.play._plot import PlayPlot

__all__ = ["MissingKeysToAction", "PlayPlot", "PlayableGame", "display_arr", "play"]
