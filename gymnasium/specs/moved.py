"""Entry points in files that were written before `palaestra` became a package of its own."""

from __future__ import annotations

import re
from typing import Final

SAFE_WRAPPERS: Final = frozenset(
    {
        "palaestra.randomization.randomize_params:RandomizeParams",
        "palaestra.recording.record_actions:RecordActions",
    }
)
"""Those wrappers of `palaestra` that a file may name, as `gymnasium.wrappers.IN_FILES` lists those of the API."""

_MOVED: Final = {
    r"gymnasium\.wrappers(?:\.randomize_params)?:(RandomizeParams)": r"palaestra.randomization.randomize_params:\1",
    r"gymnasium\.wrappers(?:\.record_actions)?:(RecordActions)": r"palaestra.recording.record_actions:\1",
    r"gymnasium\.wrappers(?:\.record_replays)?:(RecordReplays)": r"palaestra.recording.record_replays:\1",
    r"gymnasium\.wrappers(?:\.record_trajectories)?:(RecordTrajectories)": (
        r"palaestra.recording.record_trajectories:\1"
    ),
    r"gymnasium\.envs\.(classic_control|toy_text)\.vector:(\w+)": r"palaestra.runner.\1:\2",
    r"gymnasium\.envs\.mujoco\.\w+_v(\d):(\w+)VectorEnv": r"palaestra.mujoco.robots:\2V\1VectorEnv",
}


def present(entry_point: str) -> str:
    """Returns where an entry point of a file is now."""
    for pattern, place in _MOVED.items():
        if re.fullmatch(pattern, entry_point):
            return re.sub(pattern, place, entry_point)
    return entry_point
