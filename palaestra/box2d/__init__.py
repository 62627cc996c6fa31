"""The slow parts of a step of Box2D as machine code, with the same bits.

`compilation` compiles a `Program` of `gymnasium.envs.box2d`; `lander` and `walker` are the functions of these
environments. `stand_ins` are the engine's functions for machine code, and `hinge` is the one that takes most of a step,
for every environment with joints. `island` leaves out iterations that would only repeat others, and `impacts` the
search for impacts where there is surely none.
"""
