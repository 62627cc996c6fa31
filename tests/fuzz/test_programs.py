"""Some random programs in machine code and in Python; `make fuzz` runs as many as there is time for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.programs import FORMS, program
from tests.fuzz.verdicts import FINDINGS
from tests.fuzz.worker import Worker

SEED = 7_000_000
PROGRAMS = [
    (form, number) for form, count in (("function", 12), ("dynamics", 5), ("class", 5)) for number in range(count)
]


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """A process of its own: what goes wrong in machine code would end this one."""
    one = Worker()
    yield one
    one.close()


@pytest.mark.parametrize(("form", "number"), PROGRAMS)
def test_a_program_does_what_python_does(worker: Worker, form: str, number: int) -> None:
    verdict = worker.judge(program(SEED + number, form), SEED + number)

    assert verdict.kind not in (*FINDINGS, "broken"), f"{verdict.reason}\n{verdict.text}"


@pytest.mark.parametrize("form", FORMS)
def test_a_number_gives_one_program(form: str) -> None:
    """Whatever was made before it."""
    first = program(SEED, form)

    assert program(SEED + 1, form) != first
    assert program(SEED, form) == first
