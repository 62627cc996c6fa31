"""What is left out of a quick run names tests that exist."""

from __future__ import annotations

import pytest

from tests.architecture.source import ROOT
from tests.thorough import _LONG, _SAMPLED


@pytest.mark.parametrize("name", sorted({one.partition("[")[0] for one in (*_LONG, *_SAMPLED)}))
def test_what_is_left_out_exists(name: str) -> None:
    file, _, test = name.partition("::")
    assert f"def {test}" in (ROOT / "tests" / file).read_text(encoding="utf-8")
