"""A mark for tests of the API that also try what `palaestra` adds to it."""

from __future__ import annotations

import pytest

from gymnasium._extensions import has_extensions

with_palaestra = pytest.mark.skipif(not has_extensions(), reason="what `palaestra` adds is tried, which is absent")
