"""What the classic control environments look like: `size(params)` and `draw(canvas, state, params)`, a module each."""
