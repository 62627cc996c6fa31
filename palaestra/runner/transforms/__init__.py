"""The arithmetic of wrappers as machine code, with the bits of `gymnasium.transforms`.

`stages.py` has what a wrapper does at each step between a policy and the environments, `series.py` what it does to the
rewards of several steps. `stage_kernels.py`, `series_kernels.py` and `sums.py` are functions in the language, which
`loading.py` compiles; `layout.py` says what their memory holds.
"""
