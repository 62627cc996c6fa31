"""The libraries for parts of the package, with the versions in its own metadata."""

from __future__ import annotations

import re
from typing import Final

from gymnasium.error import DependencyNotInstalled

_DISTRIBUTION: Final = "gymnasium"


def requirement(library: str) -> str:
    """Returns a library with its versions from the extras of the package, such as `av>=13`.

    If the package runs without being installed, it has no metadata, and the result is the library's bare name.
    """
    from importlib import metadata  # late, as it is rarely needed

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
    """Returns the command that installs some libraries, such as `pip install "av>=13"`.

    It never names this package: under this name an index has another project's distribution, which pip would fetch.
    """
    return " ".join(["pip install", *(f'"{requirement(library)}"' for library in libraries)])


def not_installed(name: str, purpose: str, reason: ImportError, *libraries: str) -> DependencyNotInstalled:
    """Returns the error for a module that cannot be imported.

    Args:
        name: The missing module.
        purpose: The feature that needs it.
        reason: The reason why the import failed.
        libraries: The distributions to install.
    """
    return DependencyNotInstalled(
        f"{name} is needed for {purpose} and cannot be imported ({reason}). Run: {install_command(*libraries)}"
    )
