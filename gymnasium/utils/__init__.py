"""Small tools; the larger ones (`env_checker`, `play`, ...) are submodules to import by name."""

from gymnasium.utils.colorize import colorize
from gymnasium.utils.ezpickle import EzPickle
from gymnasium.utils.record_constructor import RecordConstructorArgs

__all__ = ["EzPickle", "RecordConstructorArgs", "colorize"]
