from __future__ import annotations

from math import inf

import pytest

from gymnasium.envs.box2d._fast import switch as quickening


@pytest.fixture(params=["bindings", "machine code"])
def each_code(request, monkeypatch) -> str:
    """Episodes run by the bindings only, or by machine code from their first step on."""
    if request.param == "machine code":
        monkeypatch.setattr(quickening, "PATIENCE", 0)
        if quickening.machine_code() is None:
            pytest.skip("the bindings' library does not name its symbols here")
    else:
        monkeypatch.setattr(quickening, "PATIENCE", inf)
    return request.param
