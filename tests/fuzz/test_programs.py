"""A few random programs, compiled and as single environments: the same bits, a refusal or an exception.

`make fuzz` runs as many as there is time for.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.__main__ import MIXTURE
from tests.fuzz.generator import program
from tests.fuzz.tally import FINDINGS
from tests.fuzz.worker import Worker

SEED = 7
PROGRAMS = 4, 2, 0, 1, 3  # one in lanes first, which a quick run takes, and a wild one


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """A process of its own: what goes wrong in machine code would end this one."""
    one = Worker(deadline=100.0)
    yield one
    one.close()


@pytest.mark.parametrize("index", PROGRAMS)
def test_a_random_program_is_the_same_compiled(worker: Worker, index: int) -> None:
    """`python -m tests.fuzz --program NAME` shows one that is not."""
    report = worker.examine(MIXTURE[index % len(MIXTURE)], SEED, index)

    assert report.verdict.kind not in FINDINGS, f"{report.name}: {report.verdict}\n{report.source}"


@pytest.mark.parametrize("profile", sorted(set(MIXTURE)))
def test_a_program_is_made_again_from_its_name(profile: str) -> None:
    """Whatever was made before it."""
    first = program(profile, SEED, 3)
    program(profile, SEED, 4)

    assert program(profile, SEED, 3) == first
