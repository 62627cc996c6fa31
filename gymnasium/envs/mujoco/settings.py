"""The settings of a robot as attributes, by the names that subclasses use, such as `_ctrl_cost_weight`."""

from __future__ import annotations

from functools import reduce
from typing import Any


class Setting:
    """An attribute that is a field of the robot's task, as far as there is a task and it has the field.

    A subclass that makes its simulation without a task keeps the attribute itself.

    Args:
        *fields: The field, with a dot for one of a part; several where tasks have it in other places.
    """

    def __init__(self, *fields: str) -> None:
        self._fields = [field.split(".") for field in fields]

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, env: Any, owner: type) -> Any:
        if env is None:
            return self
        for *path, field in self._fields:
            part = _part(env, path)
            if hasattr(part, field):
                return getattr(part, field)
        try:
            return vars(env)[self._name]
        except KeyError:
            raise AttributeError(f"A {type(env).__name__} has no setting {self._name}") from None

    def __set__(self, env: Any, value: Any) -> None:
        for *path, field in self._fields:
            part = _part(env, path)
            if hasattr(part, field):
                setattr(part, field, value)
                return
        vars(env)[self._name] = value


def _part(env: object, path: list[str]) -> Any:
    """Returns the robot's task, or a part of it; None if there is none."""
    return reduce(lambda part, name: getattr(part, name, None), path, vars(env).get("task"))


class Settings:
    """All of them; an environment has those of its task."""

    _forward_reward_weight = Setting("forward_reward_weight")
    _ctrl_cost_weight = Setting("ctrl_cost_weight")
    _contact_cost_weight = Setting("contact_cost_weight")
    _contact_cost_range = Setting("contact_cost_range")
    _contact_force_range = Setting("contact_force_range")
    _healthy_reward = Setting("healthy_reward")
    _healthy_z_range = Setting("healthy_z_range")
    _healthy_angle_range = Setting("healthy_angle_range")
    _healthy_state_range = Setting("healthy_state_range")
    _terminate_when_unhealthy = Setting("terminate_when_unhealthy")
    _reset_noise_scale = Setting("reset_noise_scale")
    _uph_cost_weight = Setting("uph_cost_weight")
    _reward_near_weight = Setting("reward_near_weight")
    _reward_dist_weight = Setting("reward_dist_weight")
    _reward_control_weight = Setting("reward_control_weight")
    _main_body = Setting("body")
    _impact_cost_weight = Setting("contact_cost_weight")
    _impact_cost_range = Setting("contact_cost_range")
    _use_contact_forces = Setting("observe_contacts")
    _exclude_current_positions_from_observation = Setting(
        "exclude_current_positions", "senses.exclude_current_positions"
    )
    _include_cinert_in_observation = Setting("senses.cinert")
    _include_cvel_in_observation = Setting("senses.cvel")
    _include_qfrc_actuator_in_observation = Setting("senses.qfrc_actuator")
    _include_cfrc_ext_in_observation = Setting("observe_contacts", "senses.cfrc_ext")
