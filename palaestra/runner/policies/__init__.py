"""Ready policies as machine code.

`network.py` has `Network`, an `MLP` for a number of environments. `kernel.py` computes it, with the loops over
registers in `registers.py`; `layout.py` describes their memory.
"""
