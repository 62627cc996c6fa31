from __future__ import annotations

from math import inf

import pytest

from gymnasium.envs.box2d import LunarLander
from gymnasium.envs.box2d._stepping import switch


@pytest.fixture(params=["bindings", "machine code"])
def each_code(request, monkeypatch) -> str:
    """Episodes run by the bindings only, or by machine code from their first step on."""
    if request.param == "machine code":
        monkeypatch.setattr(switch, "STEPS_BEFORE", 0)
        if switch.machine_code(LunarLander._program) is None:
            pytest.skip("the bindings' library does not name its symbols here")
    else:
        monkeypatch.setattr(switch, "STEPS_BEFORE", inf)
    return request.param
