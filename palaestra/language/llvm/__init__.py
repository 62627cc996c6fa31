"""Machine code of typed programs, by LLVM: for one row at a time (`rows`), or for eight (`lanes`)."""
