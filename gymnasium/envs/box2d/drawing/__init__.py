"""The drawings of the Box2D environments: one module for each, named like it, whose `Painter` makes the pictures.

`outlines` has what lander and walker share; the others are backgrounds, and the view of the race.
"""
