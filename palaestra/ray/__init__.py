"""Vector environments on a Ray cluster; the one home of Ray.

The driver's side: `vector_env` is the class, `calls` checks the order of calls, `supervisor` asks actors and waits for
them, `worker` is the handle of one, `nodes` looks whether its node is there, `replacement` starts another in its place,
`journal` holds the requests that the new one repeats, `batches` joins their results, `cluster` calls Ray.
The actor's side: `host` is the actor, which holds an ordinary vector environment; `moments` makes checkpoints and goes
back to one; `lost` ends the episodes that were lost with another actor. `protocol` has the messages between both sides.
`collecting` runs rollouts where the environments are.
"""

from palaestra.ray.vector_env import RayVectorEnv

__all__ = ["RayVectorEnv"]
