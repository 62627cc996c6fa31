"""The tests beside each module: quick ones, which run for each fault."""

from __future__ import annotations

from typing import Final

_DRAWINGS: Final = [f"tests/gymnasium/rendering/test_{name}.py" for name in ("moments", "drawings", "ansi")]
_DATA_SETS: Final = ["tests/palaestra/recording/data_sets"]
_REPLAYS: Final = ["tests/palaestra/recording/replays", "tests/contracts/test_replays.py"]
_PARAMS: Final = ["tests/contracts/test_randomized_params.py", "tests/contracts/test_params_survive.py"]
BESIDE: Final = {
    "transforms/": ["tests/gymnasium/transforms", "tests/gymnasium/wrappers"],
    "spaces/": ["tests/gymnasium/spaces", "tests/properties", "tests/gymnasium/vector/utils"],
    "utils/env_checker/": ["tests/checker_zoo"],
    "utils/passive_env_checker/": ["tests/gymnasium/utils", "tests/gymnasium/wrappers/test_passive_env_checker.py"],
    "utils/": ["tests/gymnasium/utils"],
    "core.py": ["tests/gymnasium/core"],
    "error.py": ["tests/gymnasium/core"],
    "specs/": ["tests/gymnasium/envs/registry"],
    "envs/_registry/": ["tests/gymnasium/envs/registry"],
    "envs/_registry/builtin.py": ["tests/gymnasium/envs/registry", "tests/golden/test_golden.py"],
    "envs/classic_control/": ["tests/gymnasium/envs/classic_control", "tests/golden/test_golden.py"],
    "envs/classic_control/drawing/": _DRAWINGS,
    "envs/toy_text/drawing/": _DRAWINGS,
    "envs/toy_text/": ["tests/gymnasium/envs/toy_text", "tests/golden/test_golden.py"],
    "rendering/": ["tests/gymnasium/rendering"],
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
    "wrappers/": ["tests/gymnasium/wrappers", "tests/contracts/test_wrapper_laws.py"],
}
"""By the beginning of the path of a module in the package; the longest one counts."""


def tests_of(path: str) -> list[str]:
    """Returns the tests beside a module; none if they take too long to run for each fault."""
    fitting = [beginning for beginning in BESIDE if path.startswith(beginning)]
    return BESIDE[max(fitting, key=len)] if fitting else []
