"""Ray itself: the connection, the placement of actors, requests and answers. No other module imports it."""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from gymnasium.dependencies import not_installed
from gymnasium.utils._counts import cores
from palaestra.ray.own_cluster import own_address

PLACEMENTS = ("SPREAD", "PACK", "STRICT_SPREAD", "STRICT_PACK")
_LOOPBACK = "127.0.0.1"
_SETTLING = 5.0  # s, until Ray has told what an actor takes on its node


def library() -> Any:
    """Returns Ray.

    Raises:
        gymnasium.error.DependencyNotInstalled: If it cannot be imported.
    """
    try:
        import ray
        import ray.exceptions
        import ray.util.placement_group
        import ray.util.scheduling_strategies
    except ImportError as error:
        raise not_installed("ray", "RayVectorEnv", error, "ray") from error
    return ray


def this_node() -> tuple[str, str]:
    """Returns the id and the address of the node on which this actor runs."""
    ray = library()
    return ray.get_runtime_context().get_node_id(), ray.util.get_node_ip_address()


class Connection:
    """The connection of this process to a cluster, which its last user ends if it is ours; one made by others stays."""

    _present: ClassVar[Connection | None] = None

    def __init__(self, ours: bool) -> None:
        self._ours, self._users = ours, 0

    @classmethod
    def open(cls, address: str | None, cpus: float) -> Connection:
        """Connect, unless this process is connected.

        Args:
            address: The address of a cluster, or "local" for a Ray of our own; None for `RAY_ADDRESS`, else for this
                user's cluster on this machine, else for a Ray of our own.
            cpus: The number of processors that a Ray of our own has at least.

        Raises:
            ConnectionError: If nothing answers at the address.
        """
        ray = library()
        connected = ray.is_initialized()
        if not connected and not _joined(address or os.environ.get("RAY_ADDRESS")):
            ray.init(
                address="local",
                num_cpus=max(cores(), math.ceil(cpus)),
                include_dashboard=False,
                logging_level="ERROR",
                _node_ip_address=_LOOPBACK,
                _system_config={"worker_niceness": 0},  # of the actors, as of our worker processes; Ray's own is 15
            )
        present = cls._present if connected else None
        if present is None:
            present = cls._present = cls(ours=not connected)
        present._users += 1
        return present

    def release(self) -> None:
        """End the connection after its last user, if it is ours."""
        self._users -= 1
        if self._users == 0 and self._ours and Connection._present is self:
            Connection._present = None
            library().shutdown()


def _joined(address: str | None) -> bool:
    """Connect to the cluster at an address, for None to this user's on this machine. Returns False if there is none."""
    found = address or own_address()
    if found is None or found == "local":
        return False
    try:
        library().init(address=found, logging_level="ERROR")
    except ConnectionError:
        if address is not None:
            raise
        return False
    return True


class Placement:
    """The places of the actors: a placement group, with one bundle for each.

    Args:
        resources: The needs of one actor: `num_cpus`, `num_gpus`, `memory` and custom ones.
        count: The number of actors.
        strategy: One of `PLACEMENTS`.
        runtime_env: Ray's, for the actors.
    """

    def __init__(
        self, resources: Mapping[str, float], count: int, strategy: str, runtime_env: Mapping[str, object] | None
    ) -> None:
        ray = library()
        self._resources, self._count, self._strategy, self._runtime_env = resources, count, strategy, runtime_env
        self._moves: list[tuple[float, str]] = []  # of actors to other nodes than their own: when, and where to
        names = {"num_cpus": "CPU", "num_gpus": "GPU"}
        self._bundle = {names.get(name, name): amount for name, amount in resources.items() if amount}
        # A bundle cannot be empty; actors that need nothing are spread.
        self._group = ray.util.placement_group([self._bundle] * count, strategy=strategy) if self._bundle else None

    def wait(self, timeout: float | None) -> bool:
        """Wait until every actor has a place. Returns False if the time is over."""
        if self._group is None:
            return True
        return bool(self._group.wait(timeout_seconds=math.inf if timeout is None else timeout))

    def actor(self, kind: type, index: int, avoid: Collection[str]) -> Any:
        """Start an actor.

        Args:
            kind: Its class.
            index: Its place.
            avoid: Nodes, by their ids, on which it must not run, if another has room. Empty for its own place.
        """
        ray = library()
        strategies = ray.util.scheduling_strategies
        other = self._with_room(avoid) if avoid else None
        strategy: Any = "SPREAD"
        if other is not None:
            strategy = strategies.NodeAffinitySchedulingStrategy(other, soft=True)
        elif self._group is not None:
            strategy = strategies.PlacementGroupSchedulingStrategy(self._group, index)
        standard = {name: self._resources.get(name, 0) for name in ("num_cpus", "num_gpus", "memory")}
        options = {name: amount for name, amount in standard.items() if amount or name == "num_cpus"}
        custom = {name: amount for name, amount in self._resources.items() if name not in standard}
        remote = ray.remote(max_restarts=0, max_task_retries=0)(kind)
        return remote.options(
            **options, resources=custom or None, scheduling_strategy=strategy, runtime_env=self._runtime_env
        ).remote()

    def _with_room(self, avoid: Collection[str]) -> str | None:
        """Returns the node that has most room for an actor, without the nodes to avoid; None if none has."""
        now = time.monotonic()
        self._moves = [(when, node) for when, node in self._moves if now < when + _SETTLING]
        taken = Counter(node for _, node in self._moves)
        rooms = {
            node: min((room.get(name, 0.0) / amount for name, amount in self._bundle.items()), default=math.inf)
            for node, room in _rooms().items()
            if node not in avoid
        }
        best = max(rooms, key=lambda node: rooms[node] - taken[node], default=None)
        if best is None or rooms[best] - taken[best] < 1.0:
            return None
        self._moves.append((now, best))
        return best

    def account(self) -> str:
        """Returns a text about the needs of the actors and the resources of the cluster."""
        asked = f"{self._count} actors with {dict(self._resources)} each, placed {self._strategy}"
        return f"{asked}, were asked of a cluster with {_capacities()}"

    def remove(self) -> None:
        """Give the places back, and end the actors there."""
        ray = library()
        if self._group is not None and ray.is_initialized():
            with suppress(Exception):
                ray.util.remove_placement_group(self._group)


def _alive() -> list[dict[str, Any]]:
    return [node for node in library().nodes() if node["Alive"]]


def _rooms() -> dict[str, dict[str, float]]:
    """Returns the free resources of each node, as Ray knew it moments ago."""
    return dict(library()._private.state.available_resources_per_node())


def addresses() -> dict[str, tuple[str, int]]:
    """Returns where Ray's process on each node accepts connections, by the ids of the nodes."""
    return {node["NodeID"]: (node["NodeManagerAddress"], node["NodeManagerPort"]) for node in _alive()}


def _capacities() -> str:
    nodes = _alive()
    hidden = ("node:", "object_store_memory", "memory")
    texts = []
    for node in nodes:
        amounts = {name: amount for name, amount in node["Resources"].items() if not name.startswith(hidden)}
        texts.append(f"{node['NodeManagerAddress']}: {amounts}")
    free = {name: amount for name, amount in library().available_resources().items() if not name.startswith(hidden)}
    free = {name: amount for name, amount in free.items() if "_group_" not in name}
    return f"{len(nodes)} nodes ({'; '.join(texts)}), of which {free} is free"


def processors() -> float:
    """Returns the number of processors of the cluster."""
    return float(library().cluster_resources().get("CPU", 1.0))


def put(value: object) -> Any:
    """Returns a reference to a value in the object store."""
    return library().put(value)


def ready(refs: Sequence[object], count: int, timeout: float) -> list[Any]:
    """Returns references whose values have come, or failed; it waits for so many."""
    found, _ = library().wait(list(refs), num_returns=count, timeout=timeout)
    return list(found)


def values(refs: Sequence[object]) -> list[Any]:
    """Returns the values of references that are ready, or exceptions instead."""
    ray = library()
    try:
        return list(ray.get(list(refs)))
    except ray.exceptions.RayError:
        return [_value(ray, ref) for ref in refs]


def _value(ray: Any, ref: Any) -> Any:
    try:
        return ray.get(ref)
    except ray.exceptions.RayError as error:
        return error


def is_temporary(error: Exception) -> bool:
    """Whether the answer is missing, although the actor may be alive and may have done its work."""
    exceptions = library().exceptions
    return isinstance(error, (exceptions.ActorUnavailableError, exceptions.ObjectLostError, exceptions.GetTimeoutError))


def is_raised(error: Exception) -> bool:
    """Whether the actor is alive and raised an exception, such as one while its answer was pickled."""
    exceptions = library().exceptions
    return isinstance(error, exceptions.RayTaskError) and not isinstance(error, exceptions.RayActorError)


def kill(actor: object) -> None:
    """End an actor."""
    ray = library()
    if ray.is_initialized():
        with suppress(Exception):
            ray.kill(actor, no_restart=True)


def head() -> tuple[str, int]:
    """Returns the address and the port of the cluster's head."""
    address, _, port = library().get_runtime_context().gcs_address.rpartition(":")
    return address, int(port)
