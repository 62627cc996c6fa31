"""The versions and the machine by which an episode was made."""

from __future__ import annotations

import platform
import sys
from importlib import metadata

import numpy as np

from gymnasium._extensions import is_own_module

_OURS = {"mujoco": "mujoco", "box2d": "box2d", "atari": "ale-py", "phys2d": "jax", "tabular": "jax"}


def module_of(entry_point: object) -> str:
    """Returns the name of the module of an entry point."""
    name = entry_point if isinstance(entry_point, str) else getattr(entry_point, "__module__", "")
    return str(name).partition(":")[0]


def versions(entry_point: object) -> dict[str, str]:
    """Returns versions and machine, for an environment of this entry point."""
    found = {
        "gymnasium": str(sys.modules["gymnasium"].__version__),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    parts = module_of(entry_point).split(".")
    own = is_own_module(parts[0])
    library = _OURS.get(parts[2]) if own and len(parts) > 2 else None if own else parts[0]
    if library:
        try:
            found[library] = metadata.version(library)
        except metadata.PackageNotFoundError:  # a module beside the program, or a distribution of another name
            found[library] = "unknown"
    found["platform"] = platform.platform()
    found["machine"] = platform.machine()
    return found
