"""Steps of a Box2D environment, as Python or as machine code, with the same bits.

An environment passes a `program`: its functions, the types of their arguments, and a trial. `switch` decides when
machine code pays, has `palaestra.box2d` compile it where that is installed, and runs the trial. Start with `program`.
"""
