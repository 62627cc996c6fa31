"""Reading HDF5 that may be a stranger's: no link leads out of the file, and small files stay small."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from gymnasium.dependencies import not_installed
from gymnasium.error import Error

_LARGEST: Final = 2**28  # bytes: values that take more must not be much larger than the file
_EXPANSION: Final = 100


def opened(path: Path, purpose: str, locking: bool | None) -> Any:
    """Returns an open file.

    Args:
        path: The file.
        purpose: What it is read for, for the error.
        locking: Whether nobody may write it meanwhile; None for what the system can do.

    Raises:
        OSError: If it is no HDF5 file, or torn.
        gymnasium.error.DependencyNotInstalled: If h5py is missing.
    """
    try:
        import h5py
    except ImportError as error:
        raise not_installed("h5py", purpose, error, "h5py") from error
    return h5py.File(path, "r", locking=locking)


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Within the block, the errors of a torn file, or of values of another form, are OSError or ValueError."""
    try:
        yield
    except (OSError, ValueError, Error, MemoryError):
        raise
    except Exception as error:  # of HDF5: RuntimeError, KeyError, TypeError and others
        raise ValueError(f"{what} is torn, or of another form: {error}") from error


def part(group: Any, name: str) -> Any:
    """Returns the group or the values with a name in a group.

    Raises:
        ValueError: If they are elsewhere, by a link, or in other files; or would fill the memory.
        KeyError: If there are none.
    """
    import h5py

    if "/" in name or name in ("", ".", ".."):
        raise ValueError(f"{name!r} is no name of a part")
    if not isinstance(group, h5py.Group):
        raise ValueError(f"{group.name} holds values, and so no {name!r}")
    if not isinstance(group.get(name, getlink=True), h5py.HardLink):
        raise ValueError(f"{name!r} in {group.name} is a link to somewhere else, which is not followed")
    found = group[name]
    if isinstance(found, h5py.Dataset):
        _check_values(found)
    return found


def address_of(object_: Any) -> int:
    """Returns the address of a group or of values in their file."""
    import h5py

    return int(h5py.h5o.get_info(object_.id).addr)


def _check_values(values: Any) -> None:
    if values.is_virtual or values.external:
        raise ValueError(f"The values of {values.name} are in other files, which are not read")
    most = max(_LARGEST, _EXPANSION * os.path.getsize(values.file.filename))
    if values.size is None or values.nbytes > most:
        raise ValueError(f"{values.name} has the shape {values.shape}, which is more than its file can hold")
