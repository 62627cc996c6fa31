"""NumPy's PCG64 generators in machine code, with the same numbers.

`seeding` makes rows of generators from seeds, `pcg64` advances one row, `draws` draws from it, `lane_draws` from eight
rows at once.
"""
