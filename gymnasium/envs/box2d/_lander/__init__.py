"""The parts of the lunar lander: the bodies in `world`, the engines and observations of a step in `motors`.

The functions of `motors` also run as machine code. Start there.
"""
