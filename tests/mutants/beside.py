"""The tests beside each module: quick ones, which run for each fault."""

from __future__ import annotations

from typing import Final

_DRAWINGS: Final = [f"tests/unit/rendering/test_{name}.py" for name in ("moments", "drawings", "ansi")]
_DATA_SETS: Final = ["tests/unit/recording"]
_REPLAYS: Final = ["tests/unit/replays", "tests/contracts/test_replays.py"]
_PARAMS: Final = ["tests/contracts/test_randomized_params.py", "tests/contracts/test_params_survive.py"]
BESIDE: Final = {
    "transforms/": ["tests/unit/transforms", "tests/unit/wrappers"],
    "spaces/": ["tests/unit/spaces", "tests/properties", "tests/unit/vector_utils"],
    "utils/env_checker/": ["tests/checker_zoo"],
    "utils/passive_env_checker/": ["tests/unit/utils", "tests/unit/wrappers/test_passive_env_checker.py"],
    "utils/": ["tests/unit/utils"],
    "core.py": ["tests/unit/core"],
    "error.py": ["tests/unit/core"],
    "specs/": ["tests/unit/registry"],
    "envs/_registry/": ["tests/unit/registry"],
    "envs/_registry/builtin.py": ["tests/unit/registry", "tests/golden/test_golden.py"],
    "envs/classic_control/": ["tests/unit/classic_control", "tests/golden/test_golden.py"],
    "envs/classic_control/drawing/": _DRAWINGS,
    "envs/toy_text/drawing/": _DRAWINGS,
    "envs/toy_text/": ["tests/unit/toy_text", "tests/golden/test_golden.py"],
    "rendering/": ["tests/unit/rendering"],
    "recording/": _DATA_SETS,
    "replays/": _REPLAYS,
    "snapshots/": ["tests/contracts/test_snapshots.py", "tests/contracts/test_forks.py"],
    "wrappers/_data_sets.py": _DATA_SETS,
    "wrappers/record_trajectories.py": _DATA_SETS,
    "wrappers/vector/record_trajectories.py": _DATA_SETS,
    "wrappers/_replays.py": _REPLAYS,
    "wrappers/record_replays.py": _REPLAYS,
    "wrappers/vector/record_replays.py": _REPLAYS,
    "wrappers/randomize_params.py": _PARAMS,
    "wrappers/vector/randomize_params.py": _PARAMS,
    "wrappers/vector/curriculum.py": ["tests/contracts/test_curricula.py", "tests/contracts/test_teachers.py"],
    "wrappers/": ["tests/unit/wrappers", "tests/contracts/test_wrapper_laws.py"],
}
"""By the beginning of the path of a module in the package; the longest one counts."""


def tests_of(path: str) -> list[str]:
    """Returns the tests beside a module; none if they take too long to run for each fault."""
    fitting = [beginning for beginning in BESIDE if path.startswith(beginning)]
    return BESIDE[max(fitting, key=len)] if fitting else []
