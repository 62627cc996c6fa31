"""The libraries that parts of the package need, with the versions that its own metadata names."""

from __future__ import annotations

import re
from importlib import metadata
from typing import Final

from gymnasium.error import DependencyNotInstalled

_DISTRIBUTION: Final = "gymnasium"


def requirement(library: str) -> str:
    """Returns a library and its versions as an extra of the package names them, such as `av>=13`.

    A package that runs without being installed has no metadata; then it is the library's bare name.
    """
    try:
        lines = metadata.requires(_DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        lines = []
    for line in lines:
        wanted = line.partition(";")[0].strip()
        if re.match(r"[\w.-]+", wanted).group() == library:  # type: ignore[union-attr]  # each begins with a name
            return wanted
    return library


def install_command(*libraries: str) -> str:
    """Returns the line to type for some libraries, such as `pip install "av>=13"`.

    The line never names this package: an index has another project's under its name, and pip would fetch that.
    """
    return " ".join(["pip install", *(f'"{requirement(library)}"' for library in libraries)])


def not_installed(name: str, purpose: str, reason: ImportError, *libraries: str) -> DependencyNotInstalled:
    """Returns the error for a module that cannot be imported.

    Args:
        name: What cannot be imported.
        purpose: What needs it.
        reason: Why importing it failed.
        libraries: The distributions to install.
    """
    return DependencyNotInstalled(
        f"{name} is needed for {purpose} and cannot be imported ({reason}). Run: {install_command(*libraries)}"
    )
