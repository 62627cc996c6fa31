"""The tests beside each module: quick ones, which run for each fault."""

from __future__ import annotations

from typing import Final

_DRAWINGS: Final = [f"tests/gymnasium/rendering/test_{name}.py" for name in ("moments", "drawings", "ansi")]
_DATA_SETS: Final = ["tests/palaestra/recording/data_sets"]
_REPLAYS: Final = ["tests/palaestra/recording/replays", "tests/contracts/test_replays.py"]
_PARAMS: Final = ["tests/contracts/test_randomized_params.py", "tests/contracts/test_params_survive.py"]
BESIDE: Final = {
    "gymnasium/transforms/": ["tests/gymnasium/transforms", "tests/gymnasium/wrappers"],
    "gymnasium/spaces/": ["tests/gymnasium/spaces", "tests/properties", "tests/gymnasium/vector/utils"],
    "gymnasium/utils/env_checker/": ["tests/checker_zoo"],
    "gymnasium/utils/passive_env_checker/": [
        "tests/gymnasium/utils",
        "tests/gymnasium/wrappers/test_passive_env_checker.py",
    ],
    "gymnasium/utils/": ["tests/gymnasium/utils"],
    "gymnasium/core.py": ["tests/gymnasium/core"],
    "gymnasium/error.py": ["tests/gymnasium/core"],
    "gymnasium/specs/": ["tests/gymnasium/envs/registry"],
    "gymnasium/envs/_registry/": ["tests/gymnasium/envs/registry"],
    "gymnasium/envs/_registry/builtin.py": ["tests/gymnasium/envs/registry", "tests/golden/test_golden.py"],
    "gymnasium/envs/classic_control/": ["tests/gymnasium/envs/classic_control", "tests/golden/test_golden.py"],
    "gymnasium/envs/classic_control/drawing/": _DRAWINGS,
    "gymnasium/envs/toy_text/drawing/": _DRAWINGS,
    "gymnasium/envs/toy_text/": ["tests/gymnasium/envs/toy_text", "tests/golden/test_golden.py"],
    "gymnasium/rendering/": ["tests/gymnasium/rendering"],
    "palaestra/recording/data_sets/": _DATA_SETS,
    "palaestra/recording/replays/": _REPLAYS,
    "palaestra/snapshots/": ["tests/contracts/test_snapshots.py", "tests/contracts/test_forks.py"],
    "palaestra/recording/_data_sets.py": _DATA_SETS,
    "palaestra/recording/record_trajectories.py": _DATA_SETS,
    "palaestra/recording/vector/record_trajectories.py": _DATA_SETS,
    "palaestra/recording/_replays.py": _REPLAYS,
    "palaestra/recording/record_replays.py": _REPLAYS,
    "palaestra/recording/vector/record_replays.py": _REPLAYS,
    "palaestra/randomization/randomize_params.py": _PARAMS,
    "palaestra/randomization/vector/randomize_params.py": _PARAMS,
    "palaestra/randomization/vector/curriculum.py": [
        "tests/contracts/test_curricula.py",
        "tests/contracts/test_teachers.py",
    ],
    "gymnasium/wrappers/": ["tests/gymnasium/wrappers", "tests/contracts/test_wrapper_laws.py"],
}
"""By the beginning of the path of a module; the longest one counts."""


def tests_of(path: str) -> list[str]:
    """Returns the tests beside a module; none if they take too long to run for each fault."""
    fitting = [beginning for beginning in BESIDE if path.startswith(beginning)]
    return BESIDE[max(fitting, key=len)] if fitting else []
