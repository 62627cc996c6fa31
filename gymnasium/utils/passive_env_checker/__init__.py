"""Checks of an environment that only observe: its spaces, and the results of its first calls.

A fault that makes an environment unusable is an `AssertionError` (or the error named); a bad practice or a likely slip
is a warning. Each message begins with the id of its rule in `gymnasium.utils.env_checker.RULES`. These checks call the
environment no more often than its user does.
"""

from gymnasium.utils.passive_env_checker._calls import env_reset_passive_checker, env_step_passive_checker
from gymnasium.utils.passive_env_checker._observations import check_obs
from gymnasium.utils.passive_env_checker._rendering import (
    _check_render_return,  # noqa: F401  # POSGGym's checker calls it
    env_render_passive_checker,
)
from gymnasium.utils.passive_env_checker._reuse import data_shares_objects, env_data_reuse_passive_checker
from gymnasium.utils.passive_env_checker._spaces import (
    _check_box_action_space,  # noqa: F401  # like this one
    _check_box_observation_space,  # noqa: F401  # and this one
    check_action_space,
    check_observation_space,
    check_space,
)

__all__ = [
    "check_action_space",
    "check_obs",
    "check_observation_space",
    "check_space",
    "data_shares_objects",
    "env_data_reuse_passive_checker",
    "env_render_passive_checker",
    "env_reset_passive_checker",
    "env_step_passive_checker",
]
