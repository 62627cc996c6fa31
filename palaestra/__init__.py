"""Palaestra: what only this implementation adds to the Gymnasium API.

An environment runs as thousands of copies in machine code (`runner`, `language`), under JAX (`jax`) or on a cluster
(`ray`); a policy acts in it (`rollouts`, `policies`); its params vary (`randomization`); its moments and episodes are
kept (`snapshots`, `recording`); and the studio and the command line show them.

Programs that import only `gymnasium` run on any implementation of the API. Each name is imported on first access.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from palaestra import (
        adapters,
        error,
        jax,
        policies,
        randomization,
        ray,
        recording,
        rollouts,
        runner,
        snapshots,
        studio,
        testing,
    )
    from palaestra.recording.replays import Replay
    from palaestra.rollouts import Rollout, rollout
    from palaestra.runner.classes.report import explain
    from palaestra.snapshots import Snapshot, fork, restore, snapshot

__all__ = [
    "Replay",
    "Rollout",
    "Snapshot",
    "adapters",
    "error",
    "explain",
    "fork",
    "jax",
    "policies",
    "randomization",
    "ray",
    "recording",
    "restore",
    "rollout",
    "rollouts",
    "runner",
    "snapshot",
    "snapshots",
    "studio",
    "testing",
]

_HOMES = {
    "Replay": "recording.replays",
    "Rollout": "rollouts",
    "Snapshot": "snapshots",
    "explain": "runner.classes.report",
    "fork": "snapshots",
    "restore": "snapshots",
    "rollout": "rollouts",
    "snapshot": "snapshots",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _HOMES:
            return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        if name in __all__:
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
