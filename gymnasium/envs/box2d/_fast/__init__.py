"""The slow parts of a step as machine code, with the same bits.

`switch` decides when an environment uses it, `machine_code` compiles it, `stand_ins` are the engine's functions for it,
`hinge` is the engine's joint, and `trial` compares it with the engine before its first use.
"""
