"""Teachers, which choose the params, seeds and options of episodes; `wrappers.vector.Curriculum` asks one."""

from gymnasium.curricula.domain_schedule import DomainSchedule, Widening
from gymnasium.curricula.fixed_schedule import FixedSchedule
from gymnasium.curricula.level_sampler import LevelSampler
from gymnasium.curricula.teacher import Beginnings, Lesson, Teacher

__all__ = ["Beginnings", "DomainSchedule", "FixedSchedule", "Lesson", "LevelSampler", "Teacher", "Widening"]
