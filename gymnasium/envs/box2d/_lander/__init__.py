"""The parts of the lunar lander: the bodies in `world`, the engines and observations of a step in `motors`.

`trial` compares these functions with their machine code. Start with `motors`.
"""
