"""One cluster for all tests of Ray: a head and two nodes on the loopback address."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.contracts.ray.cluster import Nodes, actors, cluster_of, groups
from tests.contracts.ray.making import MADE


@pytest.fixture(scope="session")
def nodes() -> Iterator[Nodes]:
    pytest.importorskip("ray")
    with cluster_of(2, 2) as nodes:
        yield nodes


@pytest.fixture(autouse=True)
def _nothing_is_left(nodes: Nodes) -> Iterator[None]:
    """After each test there is no actor and no placement group."""
    yield
    while MADE:
        MADE.pop().close(timeout=1)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and (groups() or actors()):
        time.sleep(0.1)
    assert groups() == []
    assert actors() == []
