"""The kernels' addresses: loaded from the disk or compiled, and compared with NumPy before their first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from palaestra.language.jit import symbols  # noqa: F401  (which the machine code calls)
from palaestra.language.jit.cache import Stored, digest_of
from palaestra.language.jit.engine import Entry, entry
from palaestra.runner.frame.bridge import in_words

STAGES = "palaestra.runner.transforms.stage_kernels"
SERIES = "palaestra.runner.transforms.series_kernels"
_ARGUMENTS = {STAGES: 3, SERIES: 1}


def stage_address(name: str) -> int:
    """Returns the address of a kernel of `STAGES`, which takes words and returns one."""
    return in_words(address_of(STAGES, name), _ARGUMENTS[STAGES])


@cache
def address_of(module: str, name: str) -> int:
    """Returns the address of the kernel `name` of a module, `STAGES` or `SERIES`, under Numba's convention."""
    stored = Stored(digest_of(module, ""), name)
    address = stored.address()
    if address is None:
        # Numba takes a third of a second to import; machine code from the disk does without it.
        from palaestra.language.jit.progress import announced
        from palaestra.runner.kernels.compilation import COMPILING, machine_code

        with COMPILING, announced("wrappers"):
            made = machine_code(getattr(import_module(module), name), _ARGUMENTS[module])
        address = made.address
        stored.keep(made.code, made.function, made.symbols)
    return address


def series_kernel(name: str) -> Entry:
    """Returns a kernel of several steps, which takes a task."""
    return entry(address_of(SERIES, name), _ARGUMENTS[SERIES])
