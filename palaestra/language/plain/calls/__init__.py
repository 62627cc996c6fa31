"""The translation of calls: start with `calling`.

`builtin`, `reflection` and `sequences` are Python's functions. `numpy_functions` lists those of NumPy, by what they do:
`arrays` makes, `elementwise` computes, `reductions` sums up, `shaping` chooses and joins. `methods` looks at the owner
of a method, `array_methods` has those of arrays, `drawing` those of `self.np_random`.
"""
