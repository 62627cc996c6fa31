"""What is refused by an `AssertionError` is refused by `python -O` too, which runs no `assert`."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.architecture.source import ROOT
from tests.contracts.refusals import ASSERTED, outcomes


@pytest.mark.filterwarnings("ignore")
def test_each_is_an_assertion_error() -> None:
    assert outcomes() == dict.fromkeys(ASSERTED, "AssertionError")


def test_optimised_python_refuses_the_same() -> None:
    command = [sys.executable, "-O", "-W", "ignore", "-m", "tests.contracts.refusals"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [False, dict.fromkeys(ASSERTED, "AssertionError")]
