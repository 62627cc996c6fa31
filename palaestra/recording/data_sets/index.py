"""The root group of an HDF5 file: a tree that finds an object's address by its name.

A change never touches a node that the file on disk uses: changed nodes go to free places, and one write of the
superblock makes the new tree the valid one.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from palaestra.recording.data_sets.encoding import UNDEFINED, header

SUPERBLOCK_SIZE = 96
SIGNATURE = b"\x89HDF\r\n\x1a\n"

_LEAF = 8  # symbols in a node of symbols
_INNER = 32  # children of a node of the tree
_LEAF_SIZE = 8 + 40 * _LEAF
_INNER_SIZE = 24 + 8 * _INNER + 8 * (_INNER + 1)
SLOT = max(_LEAF_SIZE, _INNER_SIZE)  # the size of the places of nodes
_NO_FREE_LIST = 1


@dataclass
class _Node:
    """Names in order; in a leaf, with the addresses of objects, else the greatest names of nodes below."""

    level: int  # 0 for a leaf
    names: list[bytes] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    children: list[_Node] = field(default_factory=list)
    address: int | None = None  # None: it is not on disk as it is


class Index:
    """Names with addresses, and the nodes that have to be written after a change."""

    def __init__(self) -> None:
        self._root = _Node(1, [b""], [], [_Node(0)])
        self._offsets: dict[bytes, int] = {b"": 0}
        self._heap = bytearray(8)
        self._unwritten = 0  # where the names begin that the heap on disk lacks
        self._heap_size = 0
        self._heap_address = 0
        self._heap_header = 0  # its own address
        self._written_nodes: list[_Node] = []
        self._root_place: int | None = None
        self._free: list[int] = []
        self._left: list[int] = []  # places that the file on disk still uses

    def insert(self, name: bytes, address: int) -> None:
        """Add a name that is not there yet."""
        self._offsets[name] = len(self._heap)
        self._heap += name + bytes(8 - len(name) % 8)
        right = self._insert(self._root, name, address)
        if right is not None:
            left = self._root
            self._root = _Node(left.level + 1, [left.names[-1], right.names[-1]], [], [left, right])

    def changes(self, end: int) -> tuple[list[tuple[int, bytes]], int, int]:
        """Returns the pieces to write, each with its place, a file's new end after `end`, and the root's address.

        The file does not use any of these places before its superblock points to the root.
        """
        writes: list[tuple[int, bytes]] = []
        if self._heap_size < len(self._heap):
            self._heap_size = max(1024, 2 * len(self._heap))
            self._heap_address, self._heap_header = end, end + self._heap_size
            head = struct.pack("<4sB3xQQQ", b"HEAP", 0, self._heap_size, _NO_FREE_LIST, self._heap_address)
            writes.append((end, bytes(self._heap).ljust(self._heap_size, b"\0") + head))
            end = self._heap_header + len(head)
        elif self._unwritten < len(self._heap):
            writes.append((self._heap_address + self._unwritten, bytes(self._heap[self._unwritten :])))
        self._unwritten = len(self._heap)
        self._written_nodes = list(self._changed(self._root))
        for node in self._written_nodes:
            node.address, end = self._place(end)
            writes.append((node.address, self._written(node)))
        place, end = self._place(end)
        root = header([(0x11, struct.pack("<QQ", self._root.address, self._heap_header))])
        writes.append((place, root.ljust(SLOT, b"\0")))
        self._root_place = place
        return writes, end, place

    def committed(self) -> None:
        """Note that the superblock points to the new root: the places of the former nodes are free."""
        self._free += self._left
        self._left = [] if self._root_place is None else [self._root_place]

    def failed(self) -> None:
        """Note that some of `changes` are not on disk: the next ones contain them again."""
        for node in self._written_nodes:
            node.address = None
        self._heap_size = 0

    def _place(self, end: int) -> tuple[int, int]:
        """Returns a place for a node, and the end of the file with it."""
        return (self._free.pop(), end) if self._free else (end, end + SLOT)

    def _insert(self, node: _Node, name: bytes, address: int) -> _Node | None:
        """Insert below a node; returns a new node at its right if it had to be split."""
        self._touch(node)
        if node.level == 0:
            at = bisect_left(node.names, name)
            node.names.insert(at, name)
            node.values.insert(at, address)
        else:
            at = min(bisect_left(node.names, name), len(node.names) - 1)
            child = node.children[at]
            right = self._insert(child, name, address)
            node.names[at] = child.names[-1]
            if right is not None:
                node.names.insert(at + 1, right.names[-1])
                node.children.insert(at + 1, right)
        if len(node.names) <= (_INNER if node.level else _LEAF):
            return None
        half = len(node.names) // 2
        right = _Node(node.level, node.names[half:], node.values[half:], node.children[half:])
        del node.names[half:], node.values[half:], node.children[half:]
        return right

    def _touch(self, node: _Node) -> None:
        if node.address is not None:
            self._left.append(node.address)
            node.address = None

    def _changed(self, node: _Node) -> Iterator[_Node]:
        """Yields the nodes that are not on disk, children first."""
        if node.address is None:
            for child in node.children:
                yield from self._changed(child)
            yield node

    def _written(self, node: _Node) -> bytes:
        offsets = [self._offsets[name] for name in node.names]
        if node.level == 0:
            body = b"".join(
                struct.pack("<QQII16x", offset, value, 0, 0) for offset, value in zip(offsets, node.values, strict=True)
            )
            return (struct.pack("<4sBxH", b"SNOD", 1, len(offsets)) + body).ljust(SLOT, b"\0")
        head = struct.pack("<4sBBHQQ", b"TREE", 0, node.level - 1, len(offsets), UNDEFINED, UNDEFINED)
        body = bytes(8) + b"".join(  # the empty name, which is before all
            struct.pack("<QQ", child.address, offset) for child, offset in zip(node.children, offsets, strict=True)
        )
        return (head + body).ljust(SLOT, b"\0")


def superblock(root: int, end: int) -> bytes:
    """Returns the beginning of a file: where its root group is, and its end."""
    versions = struct.pack("<8sBBBxBBBxHHI", SIGNATURE, 0, 0, 0, 0, 8, 8, _LEAF // 2, _INNER // 2, 0)
    addresses = struct.pack("<QQQQ", 0, UNDEFINED, end, UNDEFINED)
    return versions + addresses + struct.pack("<QQII16x", 0, root, 0, 0)
