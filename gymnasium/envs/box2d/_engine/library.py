"""The shared library of the engine: its symbols, and whether it is the one that `offsets` describes."""

from __future__ import annotations

import ctypes
from functools import cache
from types import ModuleType

from gymnasium.envs.box2d._engine import offsets
from gymnasium.envs.box2d._engine.builds import is_known_build
from gymnasium.logger import info, warn


def library_of(bindings: ModuleType) -> ctypes.CDLL:
    """Returns the library of an extension module; raises OSError if there is none."""
    return ctypes.PyDLL(bindings.__file__)


def address_of(library: ctypes.CDLL, symbol: str) -> int:
    """Returns the address of a symbol in a library; raises ValueError if there is none of this name."""
    return ctypes.addressof(ctypes.c_char.in_dll(library, symbol))


def version_of(library: ctypes.CDLL) -> tuple[int, ...]:
    """Returns the engine's version, its constant `b2_version`; raises ValueError if the library does not export it."""
    return tuple((ctypes.c_int32 * 3).from_address(address_of(library, "b2_version")))


@cache
def is_known(bindings: ModuleType) -> bool:
    """Returns whether the engine behind the bindings is the one of `offsets`; warns if it is another one.

    A library that does not export its symbols, as on Windows, is not known, which is no reason for a warning. Nor is
    another build of the same engine.
    """
    try:
        found = version_of(library_of(bindings)), 8 * ctypes.sizeof(ctypes.c_void_p)
        is_known = is_known_build(str(bindings.__file__))
    except (OSError, ValueError):
        return False
    if found == (offsets.VERSION, offsets.POINTER_BITS):
        if not is_known:
            info("%s is not one of the known builds of Box2D; it runs without machine code", bindings.__file__)
        return is_known
    warn(
        "This is version %s of Box2D's engine with pointers of %s bits; the machine code for its environments needs "
        "version %s with %s bits. They run without it: more slowly, with the same results.",
        ".".join(map(str, found[0])),
        found[1],
        ".".join(map(str, offsets.VERSION)),
        offsets.POINTER_BITS,
    )
    return False
