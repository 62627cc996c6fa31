"""Python functions as machine code: the only part of the package that imports Numba and llvmlite.

Start with `lowering`: it prepares a function, and all functions that it calls, for Numba. `exact` holds the accepted
language and the operations with Python's bits, `lanes` the numbers of eight environments in one register, `random` the
draws of NumPy's generators. `backend` imports Numba; `cache` keeps machine code on disk, `progress` tells that a
compilation runs, `savings` and `shortcuts` shorten it, `diagnosis` explains its errors. `words` compiles functions that
only count, copy and call. `engine` loads machine code without Numba, and calls it. `columns`, `addresses`, `symbols`
and `c_library` reach memory and functions that Numba does not know.
"""
