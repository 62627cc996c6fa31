"""The accepted language: programs for which machine code gives the bits of Python; all others are refused.

Numba compiles more than that: its integers wrap, its `bool + bool` is not NumPy's, its `exp` is neither Python's nor
NumPy's. Start with `language`: it reads the types that Numba found, replaces differing operations with exact ones
(`numbers`, `mathematics`, `arrays`), and refuses everything that is on no list, with line, reason and remedy.
"""
