"""Whether nodes are alive, known sooner than by Ray's reports."""

from __future__ import annotations

import socket
from collections.abc import Iterable

from palaestra.ray import cluster

_PATIENCE = 0.5  # s, for a node to accept a connection
_MISSES = 5  # looks in turn at a node that does not answer, after which it is gone


class Nodes:
    """Looks at nodes, by connecting to Ray's process on each.

    The system accepts connections for a process even while that is busy, or stopped. So a node is gone if it refuses
    one, or does not answer repeatedly. A node that has never accepted one, as behind a firewall, is not judged.

    Attributes:
        gone: The nodes, by their ids, that are gone.
    """

    def __init__(self) -> None:
        self.gone: set[str] = set()
        self._addresses: dict[str, tuple[str, int]] = {}
        self._misses: dict[str, int] = {}  # since it last accepted a connection; of nodes that ever did

    def add(self, nodes: Iterable[str]) -> None:
        """Look at nodes for the first time."""
        new = set(nodes) - self._addresses.keys()
        if not new:
            return
        addresses = cluster.addresses()
        self._addresses.update({node: addresses[node] for node in new & addresses.keys()})
        for node in new & addresses.keys():
            if _accepts(addresses[node]):
                self._misses[node] = 0

    def is_gone(self, node: str) -> bool:
        """Look at a node again."""
        if node not in self.gone and node in self._misses:
            accepts = _accepts(self._addresses[node])
            self._misses[node] = 0 if accepts else self._misses[node] + 1
            if accepts is False or self._misses[node] >= _MISSES:
                self.gone.add(node)
        return node in self.gone


def _accepts(address: tuple[str, int]) -> bool | None:
    """Whether a connection is accepted, or refused; None if there is no answer."""
    try:
        socket.create_connection(address, _PATIENCE).close()
    except ConnectionRefusedError:
        return False
    except OSError:
        return None
    return True
