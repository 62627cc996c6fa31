"""Teachers, which choose the params, seeds and options of episodes; the vector wrapper `Curriculum` asks one."""

from palaestra.randomization.curricula.domain_schedule import DomainSchedule, Widening
from palaestra.randomization.curricula.fixed_schedule import FixedSchedule
from palaestra.randomization.curricula.level_sampler import LevelSampler
from palaestra.randomization.curricula.teacher import Beginnings, Lesson, Teacher

__all__ = ["Beginnings", "DomainSchedule", "FixedSchedule", "Lesson", "LevelSampler", "Teacher", "Widening"]
