"""The slow parts of a step as machine code, with the same bits. It knows functions, types and the engine only.

An environment hands over a `program`: its functions, the types of their arguments, and a trial. `switch` decides when
machine code pays, and runs the trial; `compilation` compiles. `stand_ins` are the engine's functions for machine code,
and `hinge` is the one that takes most of a step, for every environment with joints. `island` leaves out iterations that
would only repeat others, and `impacts` the search for impacts where there is surely none. Start with `program`.
"""
