"""The studio: see, play and rewind an environment in a browser, and watch a training.

`show` is for notebooks and programs, `watch` and `log` for trainings, `palaestra studio` for the command line.
`session.py` is an environment with its past, `player_thread.py` the thread in which it runs, `training/` a program
that is watched, `server.py` the only home of the web, `page/` the files for the browser.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from palaestra.studio.notebook import Studio, show

if TYPE_CHECKING:
    from palaestra.studio.training.watching import learning, log, watch

__all__ = ["Studio", "learning", "log", "show", "watch"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in ("learning", "log", "watch"):  # what else is here needs no batches
            return getattr(import_module("palaestra.studio.training.watching"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
