"""Machine code of typed programs, by LLVM: for one row at a time (`rows`), or for eight (`lanes`)."""

from gymnasium.dependencies import not_installed

try:
    import llvmlite.binding  # noqa: F401
except ImportError as error:
    raise not_installed("llvmlite", "compiled environments", error, "llvmlite") from error
