"""Rollouts: a policy acts in a vector environment for some steps, and the steps come as arrays.

`collecting.py` has the one entry, `rollout`; it chooses one of the ways in `collectors.py`. `record.py` has the result.
"""

from palaestra.rollouts.collecting import rollout
from palaestra.rollouts.record import FinalObservations, FinishedEpisodes, Rollout, Running, Transitions

__all__ = ["FinalObservations", "FinishedEpisodes", "Rollout", "Running", "Transitions", "rollout"]
