"""A training, live: `watch` observes it in the program, and a second process serves the page.

In the program, `wrappers.py` look on, `run.py` writes what they note into a folder, `moments.py` tells what the tiles
show when somebody looks, and `helper.py` starts the other process. That is `serving.py`: `runs.py` reads folders,
`painting.py` draws tiles, `dashboard.py` has both ready for pages. The program never waits for the other process.
"""
