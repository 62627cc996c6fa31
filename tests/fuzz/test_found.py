"""What the fuzzer once found stays mended: the same bits, a refusal or an exception of the same type."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.cases import settings_in
from tests.fuzz.duel import Setting
from tests.fuzz.tally import FINDINGS
from tests.fuzz.worker import Worker

FILES = sorted((Path(__file__).parent / "found").glob("*.py"))
ALWAYS = Setting(2, "SameStep", 60, 5, 15)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """A process of its own: what goes wrong in machine code would end this one."""
    one = Worker(deadline=100.0)
    yield one
    one.close()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_finding_stays_mended(worker: Worker, path: Path) -> None:
    """The file says what it once was."""
    text = path.read_text(encoding="utf-8")

    verdict = worker.judge(text, [*settings_in(text), ALWAYS])

    assert verdict.kind not in FINDINGS, str(verdict)
