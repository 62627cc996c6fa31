"""Properties and methods of robots that a user's subclass may override, with effect on reward and end of a step.

Each calls the task, which has the formulas. A step of a robot without such overrides does not call them.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gymnasium.envs.mujoco.robot import RobotEnv
from gymnasium.envs.mujoco.tasks.ant import Ant
from gymnasium.envs.mujoco.tasks.humanoid import Humanoid
from gymnasium.envs.mujoco.tasks.task import CostlyTask, EffortTask, LivingTask, Outcome, Rewarded, Terms


class PaidRobot(RobotEnv):
    """A robot with a reward of several parts, which the info reports."""

    def _get_rew(self, *facts: Any) -> Rewarded:
        """Returns the reward of a step, and its parts by their names in the info."""
        raise NotImplementedError

    def _facts(self, outcome: Outcome, action: np.ndarray) -> tuple[Any, ...]:
        """Returns the arguments of `_get_rew` after a step."""
        return outcome.info["x_velocity"], action

    def _paid(self, outcome: Outcome, action: np.ndarray) -> Outcome:
        reward, parts = self._get_rew(*self._facts(outcome, action))
        others = {name: fact for name, fact in outcome.info.items() if not _is_part(name)}
        return Outcome(reward, outcome.terminated, {**others, **parts})


def _is_part(name: str) -> bool:
    return name.startswith("reward_") or name.endswith("_penalty")


class CostlyRobot(PaidRobot):
    """A robot with a cost of actions."""

    task: CostlyTask

    def control_cost(self, action: Any) -> float:
        """Returns the cost of an action."""
        return self.task.control_cost(self._read(), np.asarray(action))  # type: ignore[no-any-return]


class EffortRobot(CostlyRobot):
    """A robot that is rewarded for its speed, and cannot fall."""

    task: EffortTask

    def _hooked_outcome(self, before: Any, action: np.ndarray) -> Outcome:
        return self.task.total(before, self._read(), self, self.control_cost(action))

    def _get_rew(self, x_velocity: float, action: Any) -> Rewarded:
        return self.task.rewarded(x_velocity, self.control_cost(action))


class LivingRobot(CostlyRobot):
    """A robot that must stay healthy, and is rewarded for it."""

    task: LivingTask

    @property
    def is_healthy(self) -> bool:
        """Whether the robot is in good health."""
        return bool(self.task.healthy(self._read()))

    @property
    def healthy_reward(self) -> float:
        """The reward for health, if a step ended now."""
        return self.task.survival(self.is_healthy)  # type: ignore[no-any-return]

    def _hooked_outcome(self, before: Any, action: np.ndarray) -> Outcome:
        return self.task.total(before, self._read(), self, self._terms(action))

    def _get_rew(self, x_velocity: float, action: Any) -> Rewarded:
        return self.task.rewarded(x_velocity, self._terms(action))

    def _terms(self, action: Any) -> Terms:
        return Terms(self.control_cost(action), self.healthy_reward, self._contact_term(), self._is_over())

    def _contact_term(self) -> float:
        return 0.0

    def _is_over(self) -> bool:
        return bool(self.task.terminated(np.bool_(self.is_healthy)))


class LivingRobotV4(LivingRobot):
    """A robot of version 4, which reports whether its episode is over."""

    @property
    def terminated(self) -> bool:
        """Whether the robot's health ends the episode."""
        return super()._is_over()

    def _is_over(self) -> bool:
        return self.terminated


class AntRobot(LivingRobot):
    """An ant, which senses contacts."""

    task: Ant

    @property
    def contact_forces(self) -> NDArray[np.float64]:
        """The clipped contact forces and torques on each body, shape (nbody, 6)."""
        return self.task.contact_forces(self._read())

    @property
    def contact_cost(self) -> float:
        """The cost of hard contacts."""
        return self.task.contact_cost(self.contact_forces)  # type: ignore[no-any-return]

    def _contact_term(self) -> float:
        return self.contact_cost

    def _hooked_parts(self) -> tuple[np.ndarray, ...]:
        return self.task.sensed(self._read(), self.contact_forces if self.task.observe_contacts else None)


class HumanoidRobotV5(LivingRobot):
    """A humanoid of version 5, with a cost of contacts."""

    task: Humanoid

    @property
    def contact_cost(self) -> float:
        """The cost of hard contacts, within its range."""
        return self.task.contact_cost(self._read())  # type: ignore[no-any-return]

    def _contact_term(self) -> float:
        return self.contact_cost


class PlacingRobot(PaidRobot):
    """A robot whose resets place objects, and record their positions in attributes.

    Attributes:
        places: For each attribute its indices in `qpos`.
    """

    places: ClassVar[dict[str, slice]] = {}

    def reset_model(self) -> NDArray[np.float64]:
        """Place the robot and the objects, and return the observation."""
        observation = super().reset_model()
        for name, where in self.places.items():
            setattr(self, name, self.data.qpos[where].copy())
        return observation

    def __getstate__(self) -> dict[str, Any]:
        return {
            **super().__getstate__(),
            "_places": {name: vars(self)[name] for name in self.places if name in vars(self)},
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        vars(self).update(state["_places"])
