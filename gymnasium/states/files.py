"""Plain data as files: `.npz` archives with the data's form as JSON, and one array with the bytes of all others.

Reading one executes nothing: it contains no pickle, and the archive's checksums reveal a truncated file.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from gymnasium.states.plain import Record

_VERSION = 1
_LARGEST = 2**30  # bytes: a file that expands to more must not be much smaller
_EXPANSION = 100
_LARGEST_FORM = 2**28
_DTYPE = re.compile(r"[<>|][biufcSUmMV][0-9]{1,9}(\[[0-9a-zA-Z]+\])?")


def write(path: Path, kind: str, data: object, fresh: bool = False, flush: bool = True) -> None:
    """Write plain data; the file is complete, or absent.

    Args:
        path: The file.
        kind: The kind of data, such as "snapshot"; `read` expects the same.
        data: The data.
        fresh: Whether to leave an earlier file alone.
        flush: Whether to wait until the disk has them, which a power cut then leaves as they are.

    Raises:
        FileExistsError: If it has to be fresh, and there is a file.
        OSError: If the file cannot be written, with its name; an earlier file then stays unchanged.
    """
    blobs: list[bytes] = []
    form = form_of(data, blobs)
    header = json.dumps({"mark": _mark(kind), "form": form, "sizes": [len(blob) for blob in blobs]})
    body = np.frombuffer(b"".join(blobs), np.uint8)
    temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}.part")
    try:
        with open(temporary, "xb") as file:
            np.savez_compressed(file, header=np.array(header), body=body)
            if flush:
                file.flush()
                os.fsync(file.fileno())
        if fresh:
            os.link(temporary, path)
            os.unlink(temporary)
        else:
            os.replace(temporary, path)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.filename in (None, str(temporary)) and error.filename2 is None:
            error.filename = str(path)
        raise


def read(path: Path, kind: str) -> Any:
    """Returns the plain data of a file.

    Raises:
        OSError: If it cannot be read.
        ValueError: If its data are of another kind, or truncated.
    """
    content = path.read_bytes()
    try:
        if not content.startswith(b"PK"):
            raise ValueError("it is no archive" if content else "it is empty")
        _check_expansion(content)
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            header = json.loads(str(archive["header"]))
            body = archive["body"].tobytes()
        if header["mark"] != _mark(kind):
            raise ValueError(f"it is a {header['mark']}")
        return _whole(header["form"], _Blobs(body, header["sizes"]))
    except Exception as error:  # zipfile, zlib, NumPy and JSON may raise anything
        raise ValueError(f"{path} is no {kind}, or not a whole one: {error}") from error


def _check_expansion(content: bytes) -> None:
    """Refuse a small file that fills the memory."""
    with ZipFile(io.BytesIO(content)) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
    size = sum(sizes.values())
    if size > max(_LARGEST, _EXPANSION * len(content)) or sizes.get("header.npy", 0) > _LARGEST_FORM:
        raise ValueError(f"its {len(content)} bytes expand to {size}")


class _Blobs:
    """The bytes of arrays and numbers, each of which is used once, in their order: small files stay small."""

    def __init__(self, body: bytes, sizes: Sequence[int]) -> None:
        if any(type(size) is not int or size < 0 for size in sizes) or sum(sizes) != len(body):
            raise ValueError("cut off")
        self._body, self._sizes = body, sizes
        self._used = self._at = 0

    def take(self, k: object) -> bytes:
        """Returns number k, which is the next."""
        if k != self._used:
            raise ValueError(f"part {k} stands in the place of part {self._used}")
        first, self._at = self._at, self._at + self._sizes[self._used]
        self._used += 1
        return self._body[first : self._at]

    def is_used(self) -> bool:
        """Whether all have been taken."""
        return self._used == len(self._sizes)


def _whole(form: object, blobs: _Blobs) -> Any:
    data = _data(form, blobs)
    if not blobs.is_used():
        raise ValueError("some of its parts belong to nothing")
    return data


def _mark(kind: str) -> str:
    return f"gymnasium {kind} {_VERSION}"


def form_of(value: Any, blobs: list[bytes]) -> Any:
    """Returns data in a form for JSON: None, bools and strings unchanged, all else as a list that begins with a tag."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.generic):
        return ["number", value.dtype.str, _kept(value.tobytes(), blobs)]
    if isinstance(value, int):
        return ["int", str(value)]
    if isinstance(value, float):
        return ["float", value.hex()]
    if isinstance(value, bytes):
        return ["bytes", _kept(value, blobs)]
    if isinstance(value, np.ndarray):
        return ["array", value.dtype.str, list(value.shape), _kept(value.tobytes(), blobs)]
    if isinstance(value, Record):
        return ["record", value.name, form_of(value.fields, blobs)]
    if isinstance(value, dict):
        return ["dict", [[form_of(key, blobs), form_of(part, blobs)] for key, part in value.items()]]
    return ["list" if isinstance(value, list) else "tuple", [form_of(part, blobs) for part in value]]


def _kept(content: bytes, blobs: list[bytes]) -> int:
    blobs.append(content)
    return len(blobs) - 1


def _data(form: object, blobs: _Blobs) -> Any:
    if form is None or isinstance(form, (bool, str)):
        return form
    if not isinstance(form, list):
        raise ValueError(f"{form!r:.40} has no tag")
    tag, *rest = form
    if tag == "number":
        return _array(rest[0], [], blobs.take(rest[1]))[()]
    if tag == "int":
        return int(rest[0])
    if tag == "float":
        return float.fromhex(rest[0])
    if tag == "bytes":
        return blobs.take(rest[0])
    if tag == "array":
        return _array(rest[0], rest[1], blobs.take(rest[2])).copy()
    if tag == "record":
        return Record(str(rest[0]), _data(rest[1], blobs))
    if tag == "dict":
        return {_data(key, blobs): _data(part, blobs) for key, part in rest[0]}
    if tag in ("list", "tuple"):
        items = [_data(part, blobs) for part in rest[0]]
        return items if tag == "list" else tuple(items)
    raise ValueError(f"{tag!r} is unknown")


def _array(name: object, shape: list[int], content: bytes) -> np.ndarray:
    if not isinstance(name, str) or not _DTYPE.fullmatch(name):
        raise ValueError(f"{name!r:.40} is the type of no number and no string")
    if any(type(size) is not int or size < 0 for size in shape):
        raise ValueError(f"{shape!r:.40} is no shape")
    array = np.frombuffer(content, np.dtype(name)).reshape(shape)
    if array.dtype.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise ValueError("a bool is neither 0 nor 1")  # which compiled code would take for a number
    return array
