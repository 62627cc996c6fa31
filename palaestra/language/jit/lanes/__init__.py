"""Lanes: the numbers of eight environments in one register of the processor.

Start with `types`. `memory` loads and stores lanes, `selection` chooses between them; `llvm` traces Python functions
into LLVM code, in which `trigonometry` and `squares` are written.
"""

WIDTH = 8  # rows that are stepped together: a register of AVX-512; LLVM uses several shorter ones otherwise
CACHE_LINE = 64  # bytes
