"""A training, live: `watch` observes it in the program, and a second process serves the page.

In the program, `wrappers.py` observe it, `monitor.py` counts, `run.py` writes the counts into a folder,
`tile_sources.py` reads what tiles show when somebody looks, and `helper.py` starts the other process. That is
`serving.py`: `runs.py` reads folders, `tile_drawer.py` and `painting.py` draw tiles, `dashboard.py` has both ready for
pages. The program never waits for the other process.
"""
