"""The drawings of the classic control environments: `size(params)` and `draw(canvas, state, params)`, a module each."""
