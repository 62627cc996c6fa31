"""Ready policies as machine code.

`network.py` has `Network`, an `MLP` for a number of environments. `kernel.py` computes it, in the language, with the
loops over registers in `tiles.py`; `layout.py` describes their memory.
"""
