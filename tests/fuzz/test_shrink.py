"""Differences, crashes of the process, and what a finding is made of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.programs import HEADER
from tests.fuzz.shrink import minimised, sign
from tests.fuzz.verdicts import Verdict
from tests.fuzz.worker import Worker


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    one = Worker()
    yield one
    one.close()


def test_a_difference_is_found_and_made_small(worker: Worker) -> None:
    text = f"{HEADER}def f(rng, a, x):\n    z1 = a\n    if x > 0.0:\n        z2 = 3\n    return rng\n"

    found = worker.judge(text, 0)

    assert found.kind == "different"  # a generator is no result
    small = minimised(lambda text: worker.judge(text, 0), found)
    assert sign(small) == sign(found)
    assert small.text.endswith("def f(rng, a, x):\n    return rng\n")


def test_a_program_that_does_not_end_is_a_hang() -> None:
    worker = Worker(deadline=1)

    assert worker.judge("while True:\n    pass\n", 0).kind == "hang"


def test_the_end_of_the_process_is_a_verdict_and_another_one_goes_on(worker: Worker) -> None:
    text = "import os\nos.kill(os.getpid(), 11)\ndef f(rng):\n    return 1\n"

    assert worker.judge(text, 0) == Verdict("crash", "the process ended with SIGSEGV", text)
    assert worker.judge("def f(rng):\n    return 1\n", 0).kind == "same"
