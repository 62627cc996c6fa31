"""The studio: see, play and rewind an environment in a browser.

`show` is for notebooks and programs, `gymnasium studio` for the command line. `session.py` is an environment with its
past, `stage.py` the thread in which it runs, `server.py` the only home of the web, `page/` what the browser gets.
"""

from gymnasium.studio.notebook import Studio, show

__all__ = ["Studio", "show"]
