"""A Ray cluster of several nodes on the loopback address."""

from __future__ import annotations

import logging
import os
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LOOPBACK = "127.0.0.1"
# Ray reads these when it is imported.
os.environ.update(
    RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0",  # keeps everything on the loopback address
    RAY_USAGE_STATS_ENABLED="0",
    RAY_TQDM_PATCH_PRINT="0",  # `print` remains Python's, for the tests after these
    RAY_raylet_start_wait_time_s="120",
    RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0",
)


class Nodes:
    """The nodes of a cluster, to which this process is connected."""

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster
        self._added: dict[str, Any] = {}

    def add(self, cpus: int = 2, **resources: float) -> str:
        """Start a node, and return its id."""
        node = self._cluster.add_node(
            num_cpus=cpus, node_ip_address=LOOPBACK, object_store_memory=100 * 2**20, resources=resources
        )
        self._added[node.node_id] = node
        return str(node.node_id)

    def kill(self, node_id: str) -> None:
        """Kill a node with all that runs there."""
        self._cluster.remove_node(self._added.pop(node_id), allow_graceful=False)

    def freeze(self, node_id: str) -> None:
        """Stop Ray's process on a node."""
        (raylet,) = self._added[node_id].all_processes["raylet"]
        os.kill(raylet.process.pid, signal.SIGSTOP)

    def kill_head(self) -> None:
        """Kill the process that makes the head the head, which is what the other nodes see if its machine fails."""
        self._cluster.head_node.kill_gcs_server(check_alive=False)

    def __contains__(self, node_id: str) -> bool:
        return node_id in self._added


@contextmanager
def cluster_of(*cpus: int) -> Iterator[Nodes]:
    """A cluster of a head with one processor and further nodes, which ends with the block."""
    import ray
    from ray.cluster_utils import Cluster

    head = {
        "num_cpus": 1,
        "node_ip_address": LOOPBACK,
        "include_dashboard": False,
        "object_store_memory": 100 * 2**20,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = Cluster(initialize_head=True, head_node_args=head)
        try:
            nodes = Nodes(cluster)
            for number in cpus:
                nodes.add(number)
            ray.init(
                address=cluster.address, _node_ip_address=LOOPBACK, log_to_driver=False, logging_level=logging.ERROR
            )
            yield nodes
        finally:
            ray.shutdown()
            cluster.shutdown()


def groups() -> list[str]:
    """The placement groups that are there."""
    import ray

    return [name for name, group in ray.util.placement_group_table().items() if group["state"] != "REMOVED"]


def actors() -> list[str]:
    """The actors that are there."""
    from ray._private.state import actors

    return [name for name, actor in actors().items() if actor["State"] != "DEAD"]
