"""HDF5 objects as bytes: groups, datasets and attributes, by the public file format, version 0 of its superblock.

An object is written once and never changed, so all of it can be computed before a byte of it is on disk.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

UNDEFINED = 0xFFFF_FFFF_FFFF_FFFF
TEXT = np.dtype(object)  # marks strings of any length
REFERENCE_SIZE = 16  # of a string's place in a heap

_LINK_INFO = struct.pack("<BBQQ", 0, 0, UNDEFINED, UNDEFINED)
_GROUP_INFO = b"\0\0"
_NO_FILL = struct.pack("<BBBBI", 2, 2, 2, 1, 0)
_INT, _FLOAT = np.dtype("<i8"), np.dtype("<f8")
_HEAP_MINIMUM = 4096
_CHUNK_NODE = 64  # children of a node in a tree of chunks
_FLOATS = {2: (15, 10, 5, 15), 4: (31, 23, 8, 127), 8: (63, 52, 11, 1023)}  # sign, mantissa, exponent, bias


def storable(dtype: np.dtype) -> bool:
    """Whether HDF5 can hold values of this type."""
    return dtype == TEXT or dtype.kind in "biu" or (dtype.kind == "f" and dtype.itemsize in _FLOATS)


@lru_cache(64)
def datatype(dtype: np.dtype) -> bytes:
    """Returns the description of a type; `TEXT` is that of strings."""
    size = dtype.itemsize
    if dtype == TEXT:
        return struct.pack("<BBBBI", 0x19, 1, 1, 0, REFERENCE_SIZE) + struct.pack("<BBBBI", 0x13, 0x10, 0, 0, 1)
    if dtype.kind == "b":  # an enumeration, as h5py makes of bools
        names = b"FALSE\0\0\0TRUE\0\0\0\0"
        return struct.pack("<BBBBI", 0x18, 2, 0, 0, 1) + datatype(np.dtype(np.int8)) + names + b"\0\1"
    if dtype.kind in "iu":
        return struct.pack("<BBBBIHH", 0x10, 8 * (dtype.kind == "i"), 0, 0, size, 0, 8 * size)
    sign, mantissa, exponent, bias = _FLOATS[size]
    head = struct.pack("<BBBBIHH", 0x11, 0x20, sign, 0, size, 0, 8 * size)
    return head + struct.pack("<BBBBI", mantissa, exponent, 0, mantissa, bias)


def dataspace(shape: Sequence[int]) -> bytes:
    """Returns the description of a shape; `()` is that of one value."""
    return struct.pack(f"<BB6x{len(shape)}Q", 1, len(shape), *shape)


def header(messages: Sequence[tuple[int, bytes]]) -> bytes:
    """Returns an object: a header of these messages, each with the number of its kind."""
    parts = [b""]
    for kind, data in messages:
        padding = -len(data) % 8
        parts += struct.pack("<HHB3x", kind, len(data) + padding, 0), data, bytes(padding)
    parts[0] = struct.pack("<BxHII4x", 1, len(messages), 1, sum(map(len, parts)))
    return b"".join(parts)


def group(links: Mapping[str, int], attributes: Sequence[bytes] = ()) -> bytes:
    """Returns a group with links to objects at these addresses."""
    messages = [(0x02, _LINK_INFO), (0x0A, _GROUP_INFO), *((0x06, _link(*link)) for link in links.items())]
    return header([*messages, *((0x0C, one) for one in attributes)])


def attribute(name: str, dtype: np.dtype, shape: Sequence[int], data: bytes) -> bytes:
    """Returns an attribute, which goes into the header of its group."""
    return _attribute_head(name, dtype, tuple(shape)) + data


def number(name: str, value: float) -> bytes:
    """Returns an attribute of an integer of 64 bits, or of a float."""
    if isinstance(value, int):
        return _attribute_head(name, _INT, ()) + struct.pack("<q", value)
    return _attribute_head(name, _FLOAT, ()) + struct.pack("<d", value)


def dataset(dtype: np.dtype, shape: Sequence[int], address: int, size: int) -> bytes:
    """Returns a dataset whose values lie at `address`, without gaps, in `size` bytes."""
    head, middle, tail = _dataset_parts(dtype, tuple(shape[1:]))
    place = struct.pack("<QQ", address if size else UNDEFINED, size)
    return b"".join([head, struct.pack("<Q", shape[0]), middle, place, tail])


def chunked_dataset(dtype: np.dtype, shape: Sequence[int], chunk: int, tree: int) -> bytes:
    """Returns a dataset whose values lie in chunks of `chunk` steps, which the tree at this address lists."""
    sizes = [chunk, *shape[1:], _size(dtype)]
    return _dataset(dtype, shape, struct.pack(f"<BBBQ{len(sizes)}I", 3, 2, len(sizes), tree, *sizes))


def chunk_tree(chunks: Sequence[int], chunk: int, shape: Sequence[int], itemsize: int, start: int) -> tuple[bytes, int]:
    """Returns the tree of a dataset's chunks, which is to lie at `start`, and the address of its root.

    Args:
        chunks: The addresses of the chunks.
        chunk: The steps in each of them.
        shape: The shape of a step.
        itemsize: The bytes of an item.
        start: Where the tree will be.
    """
    size = chunk * int(np.prod(shape)) * itemsize
    width = _CHUNK_NODE * 8 + (_CHUNK_NODE + 1) * (8 + 8 * (len(shape) + 2))

    def key(at: int) -> bytes:
        return struct.pack(f"<IIQ{len(shape) + 1}Q", size, 0, at * chunk, *([0] * (len(shape) + 1)))

    written, level, span = b"", 0, 1
    children = list(chunks)
    while True:
        parents = []
        for first in range(0, len(children), _CHUNK_NODE):
            part = children[first : first + _CHUNK_NODE]
            body = b"".join(key((first + i) * span) + struct.pack("<Q", child) for i, child in enumerate(part))
            body += key(min((first + len(part)) * span, len(chunks)))
            parents.append(start + len(written))
            head = struct.pack("<4sBBHQQ", b"TREE", 1, level, len(part), UNDEFINED, UNDEFINED)
            written += head + body.ljust(width, b"\0")
        if len(parents) == 1:
            return written, parents[0]
        children, level, span = parents, level + 1, span * _CHUNK_NODE


def string_heap(texts: Sequence[str], address: int) -> tuple[bytes, NDArray[np.uint8]]:
    """Returns a heap of strings, at most 65,535, for the place `address` in the file, and a reference to each."""
    references, parts = bytearray(), []
    for i, text in enumerate(texts, 1):
        data = text.encode()
        if data:
            parts.append(struct.pack("<HH4xQ", i, 0, len(data)) + _padding(data))
        references += struct.pack("<IQI", len(data), address, i) if data else bytes(REFERENCE_SIZE)
    body = b"".join(parts)
    size = max(_HEAP_MINIMUM, 16 + len(body) + 16)
    free = size - 16 - len(body)
    heap = struct.pack("<4sB3xQ", b"GCOL", 1, size) + body + struct.pack("<HH4xQ", 0, 0, free)
    return heap.ljust(size, b"\0"), np.frombuffer(bytes(references), np.uint8).reshape(-1, REFERENCE_SIZE)


@lru_cache(1024)
def _attribute_head(name: str, dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    label, kind, space = name.encode() + b"\0", datatype(dtype), dataspace(shape)
    head = struct.pack("<BxHHH", 1, len(label), len(kind), len(space))
    return b"".join([head, _padding(label), _padding(kind), _padding(space)])


@lru_cache(1024)
def _dataset_parts(dtype: np.dtype, shape: tuple[int, ...]) -> tuple[bytes, bytes, bytes]:
    """Returns the bytes of a dataset before, between and after its length and its place."""
    whole = _dataset(dtype, (0, *shape), struct.pack("<BBQQ", 3, 1, 0, 0))
    length, place = 16 + 8 + 8, len(whole) - 24 + 2  # behind the headers; in the last message, of 24 bytes
    return whole[:length], whole[length + 8 : place], whole[place + 16 :]


def _size(dtype: np.dtype) -> int:
    return REFERENCE_SIZE if dtype == TEXT else dtype.itemsize


def _dataset(dtype: np.dtype, shape: Sequence[int], layout: bytes) -> bytes:
    return header([(0x01, dataspace(shape)), (0x03, datatype(dtype)), (0x05, _NO_FILL), (0x08, layout)])


def _link(name: str, address: int) -> bytes:
    return _link_head(name) + struct.pack("<Q", address)


@lru_cache(1024)
def _link_head(name: str) -> bytes:
    label = name.encode()
    if label.isascii():
        return struct.pack("<BBB", 1, 0, len(label)) + label
    return struct.pack("<BBBB", 1, 0x10, 1, len(label)) + label


def _padding(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


EMPTY_GROUP = group({})
