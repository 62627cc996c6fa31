"""NumPy's PCG64 generators in machine code, with the same numbers.

`seeding` makes rows of generators from seeds, `draws` draws from one row, `lane_draws` from eight rows at once.
"""
