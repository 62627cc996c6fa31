"""The accepted language: programs whose machine code gives the bits that Python gives, or that are refused.

Numba compiles more than that: its integers wrap, its `bool + bool` is not NumPy's, its `exp` is neither Python's nor
NumPy's. `language` reads the types that Numba found, puts exact operations (`numbers`, `mathematics`, `reductions`) in
the place of those that differ, and refuses all that is on no list (`rules`), with line, reason and remedy.
"""
