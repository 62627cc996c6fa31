"""What the toy text environments look like: one module each.

`size(params)` and `draw(canvas, state, params)` give the picture, `text(state, params)` the `ansi` mode.
"""
