"""The parts of the bipedal walker: its `terrain`, its `body`, its `motors` and senses, and its range finder `lidar`.

`binding` connects these functions to one walker in its world.
"""
