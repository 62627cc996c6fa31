"""The drawings of the Box2D environments: one module for each, named like it, whose `Painter` makes the pictures.

`outlines` has the common part of lander and walker; the others are backgrounds, and the view of the race.
"""
