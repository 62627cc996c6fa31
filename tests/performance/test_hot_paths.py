"""No step costs more than it did: counted, so that it shows on a busy machine as well."""

from __future__ import annotations

import json
import sys
import time

import numpy as np
import pytest

from tests.performance.counting import Count, counted
from tests.performance.paths import PATHS, SIZE
from tests.performance.record import BOUNDS

RECORDED = json.loads(BOUNDS.read_text(encoding="utf-8"))
# Other versions of Python divide a program into other lines and calls.
SLACK = 1.0 if list(sys.version_info[:2]) == RECORDED["python"] else 1.15
WORDS = 64  # bytes by which one run may differ from another


@pytest.mark.parametrize("name", PATHS)
def test_a_step_does_no_more_than_it_did(name: str) -> None:
    """Neither lines, nor calls, nor memory; a change that has to cost more records new bounds, and says why."""
    lines, calls, peak = (SLACK * most for most in RECORDED["paths"][name].values())

    found = PATHS[name]()

    assert found.beyond(Count(int(lines), int(calls), int(peak) + WORDS)) == {}, "see tests/performance/record.py"


def test_a_sleep_is_counted() -> None:
    """It is a call, however short."""
    array = np.zeros(4)
    before = counted(lambda: array.sum())

    assert counted(lambda: (array.sum(), time.sleep(0))).calls == before.calls + 1


def test_a_copy_is_counted() -> None:
    """By what it holds, also where no call shows it."""
    array = np.zeros(SIZE, np.uint8)
    before = counted(lambda: array)

    found = counted(lambda: array + 1)

    assert found.calls == before.calls
    assert found.peak >= before.peak + SIZE
