"""A training, live: `watch` looks on from the program, a process beside it serves the page.

In the program, `wrappers.py` look on, `run.py` writes what they note into a folder, `moments.py` tells what the tiles
show when somebody looks, and `helper.py` starts the other process. That is `serving.py`: `runs.py` reads folders,
`painting.py` draws tiles, `desk.py` has both ready for pages. The program never waits for the other process.
"""
