"""Wrappers that vary the params of a batch."""

from __future__ import annotations

from palaestra.randomization.vector.curriculum import Curriculum
from palaestra.randomization.vector.randomize_params import RandomizeParams

__all__ = ["Curriculum", "RandomizeParams"]
