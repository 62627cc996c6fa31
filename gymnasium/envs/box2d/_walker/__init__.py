"""The parts of the bipedal walker: its `terrain`, its `body`, its `motors` and observations, and its `lidar`.

`step` binds the functions of `motors` to one walker: as they are, or in the form of `machine_code`. Start
with `motors`.
"""
