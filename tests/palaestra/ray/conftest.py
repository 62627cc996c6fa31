"""One cluster for all tests of Ray: a head and two nodes on the loopback address, one for the few that always run.

They take minutes, mostly of waiting: `make test` runs a few of each kind, `make test THOROUGH=1` all.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.palaestra.ray.cluster import Nodes, actors, cluster_of, groups
from tests.palaestra.ray.making import MADE

QUICK = (
    "test_a_cluster_is_sync[CartPole-v1-3",
    "test_an_exception_names_its_place",
    "test_invalid_arguments",
    "test_a_death_is_told",
    "test_a_request_is_done_once",
    "test_resume_without_checkpoints",
    "test_a_rollout_is_that_of_one_machine[CartPole-v1-AutoresetMode.SAME_STEP",
)
"""How the names of the tests begin that always run."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the other tests in this folder, unless all are asked for."""
    if os.environ.get("THOROUGH"):
        return
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent) and not item.name.startswith(QUICK):
            item.add_marker(pytest.mark.skip(reason="runs with `make test THOROUGH=1`"))


@pytest.fixture(scope="session")
def nodes() -> Iterator[Nodes]:
    pytest.importorskip("ray")
    more = [2] if os.environ.get("THOROUGH") else []
    with cluster_of(2, *more) as nodes:
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
