from __future__ import annotations

import pytest

from gymnasium.envs.registration import registry


@pytest.fixture(autouse=True)
def _games() -> None:
    """Registered for each test anew, since every other test is to be without: so ale-py is not imported above."""
    import ale_py

    if "ALE/Pong-v5" not in registry:  # the first import in a process registers them, and no later one
        ale_py.registration.register_v5_envs()
