from __future__ import annotations

import pytest

from docs._tools.atari import register


@pytest.fixture(autouse=True)
def _games() -> None:
    """Registered for each test anew, since every other test is to be without."""
    register()
