"""Dynamics under JAX: the source that runs in Python and compiled, traced for accelerators and derivatives.

`JaxDynamics` is one copy, `BatchRunner` many with time limit and autoreset, `ClassRunner` many of an ordinary class;
all are pure functions. The environments around them are in `gymnasium.envs.functional_jax_env` and in `classes`.
"""

from gymnasium.envs._jax.batch import Batch, BatchRunner, BatchStep
from gymnasium.envs._jax.draws import Draws
from gymnasium.envs._jax.dynamics import JaxDynamics, Step
from palaestra.jax.classes.runner import ClassRunner

__all__ = ["Batch", "BatchRunner", "BatchStep", "ClassRunner", "Draws", "JaxDynamics", "Step"]
