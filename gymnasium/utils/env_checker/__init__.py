"""Checks of an environment that act in it: does it implement the interface, and do seeds determine its episodes?

`check_env` stops at the first error, like an assertion in a test. `find_problems` reports all findings, each once, with
its id and a remedy; `palaestra check ID` prints them.
"""

from __future__ import annotations

from gymnasium.utils.env_checker._check_env import check_env
from gymnasium.utils.env_checker._findings import Finding
from gymnasium.utils.env_checker._linter import find_problems
from gymnasium.utils.env_checker._reset import (
    check_reset_options,
    check_reset_return_info_deprecation,
    check_reset_return_type,
    check_reset_seed_determinism,
    check_seed_deprecation,
)
from gymnasium.utils.env_checker._rules import RULES, Rule, Severity
from gymnasium.utils.env_checker._spaces import check_space_limit
from gymnasium.utils.env_checker._step import check_returned_data_not_reused, check_step_determinism
from gymnasium.utils.passive_env_checker._comparison import data_equivalence

__all__ = [
    "RULES",
    "Finding",
    "Rule",
    "Severity",
    "check_env",
    "check_reset_options",
    "check_reset_return_info_deprecation",
    "check_reset_return_type",
    "check_reset_seed_determinism",
    "check_returned_data_not_reused",
    "check_seed_deprecation",
    "check_space_limit",
    "check_step_determinism",
    "data_equivalence",
    "find_problems",
]
