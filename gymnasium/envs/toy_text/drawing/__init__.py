"""The drawings of the toy text environments: one module each.

`size(params)` and `draw(canvas, state, params)` give the picture, `text(state, params)` the `ansi` mode.
"""
