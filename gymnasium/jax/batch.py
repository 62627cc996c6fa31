"""Many copies of an environment as one pure function, with time limit and autoreset."""

from __future__ import annotations

from typing import Any, NamedTuple

from gymnasium.functional.func_env import FuncEnv
from gymnasium.jax.dynamics import JaxDynamics
from gymnasium.jax.library import jax, jnp

NEXT_STEP, SAME_STEP, DISABLED = "NextStep", "SameStep", "Disabled"  # the values of `vector.AutoresetMode`


class Batch(NamedTuple):
    """All data that changes from step to step, a pytree.

    Attributes:
        state: The states of the dynamics, each array with a leading axis of n.
        steps: The steps of each episode so far, shape (n,).
        finished: Whether each episode is over, bool of shape (n,).
        key: The key of all future randomness.
    """

    state: Any
    steps: Any
    finished: Any
    key: Any


class BatchStep(NamedTuple):
    """The results of a step: arrays of n, or trees of such.

    Attributes:
        observations: The observations.
        rewards: The rewards, shape (n,).
        terminations: Whether each task is over, bool of shape (n,).
        truncations: Whether each episode was cut short, bool of shape (n,).
        infos: The infos by key, each with its mask `_key`.
    """

    observations: Any
    rewards: Any
    terminations: Any
    truncations: Any
    infos: dict[str, Any]


class BatchRunner:
    """Pure functions that reset and step `num_envs` copies of a `FuncEnv`; use them within `jax.jit` and `lax.scan`.

        runner = BatchRunner(CartPole(), 4096, max_episode_steps=500)
        batch, observations, infos = runner.reset(jax.random.key(0))
        batch, step = runner.step(batch, actions)

    The ends of episodes are handled as in a `VectorEnv` with this autoreset mode, except that infos have all their keys
    at every step: `infos["_key"]` marks the valid rows of `infos["key"]`.

    Args:
        func_env: The dynamics, an instance or a class.
        num_envs: The number of copies, n.
        max_episode_steps: The number of steps after which an episode is truncated; None for no limit.
        autoreset_mode: `"NextStep"`, `"SameStep"` or `"Disabled"`, or a member of `AutoresetMode`.
        params: Replaces the dynamics' default params.

    Raises:
        ValueError: If `num_envs` or `max_episode_steps` is not positive, or the mode is unknown.
    """

    def __init__(
        self,
        func_env: FuncEnv | type[FuncEnv],
        num_envs: int,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: object = NEXT_STEP,
        params: object = None,
    ) -> None:
        mode = getattr(autoreset_mode, "value", autoreset_mode)
        if mode not in (NEXT_STEP, SAME_STEP, DISABLED):
            raise ValueError(
                f"autoreset_mode must be 'NextStep', 'SameStep' or 'Disabled', but {autoreset_mode!r} came"
            )
        for name, count in (("num_envs", num_envs), ("max_episode_steps", max_episode_steps)):
            if count is not None and count < 1:
                raise ValueError(f"{name} must be positive, but {count!r} came")
        self.dynamics = JaxDynamics(func_env)
        self.num_envs = num_envs
        self.max_episode_steps = max_episode_steps
        self.autoreset_mode: str = mode
        self.params = self.dynamics.func_env.default_params if params is None else params

    def reset(self, key: Any, params: Any = None) -> tuple[Batch, Any, dict[str, Any]]:
        """Begin an episode in every environment; returns the batch, the observations and the infos."""
        key, rest = jax.random.split(key)
        state, observations, info = self._begin(key, params)
        everywhere = jnp.ones(self.num_envs, bool)
        steps = jnp.zeros(self.num_envs, jnp.int32)
        return Batch(state, steps, ~everywhere, rest), observations, _masked(info, everywhere)

    def reset_rows(self, batch: Batch, mask: Any, params: Any = None) -> tuple[Batch, Any, dict[str, Any]]:
        """Like `reset`, where `mask` (n bools) is True; the others stay, and their present observation is returned."""
        key, view, rest = jax.random.split(batch.key, 3)
        state, observations, info = self._begin(key, params)
        kept = self._map(self.dynamics.observe, params)(batch.state, jax.random.split(view, self.num_envs))
        steps = jnp.where(mask, 0, batch.steps)
        after = Batch(_chosen(mask, state, batch.state), steps, batch.finished & ~mask, rest)
        return after, _chosen(mask, observations, kept), _masked(info, mask)

    def step(self, batch: Batch, actions: Any, params: Any = None) -> tuple[Batch, BatchStep]:
        """Take one action in every environment; in the mode DISABLED, results of a finished one are meaningless."""
        key, start, rest = jax.random.split(batch.key, 3)
        keys = jax.random.split(key, self.num_envs)
        came = self._map(self.dynamics.advance, params)(batch.state, actions, keys)
        steps = batch.steps + 1
        limit = self.max_episode_steps
        truncated = jnp.zeros_like(batch.finished) if limit is None else steps >= limit
        outcome = BatchStep(came.observation, came.reward, came.terminated, truncated, {})
        after = Batch(came.state, steps, came.terminated | truncated, rest)
        if self.autoreset_mode == DISABLED:
            after = after._replace(finished=after.finished | batch.finished)
            return after, outcome._replace(infos=_masked(came.info, jnp.ones_like(truncated)))
        fresh = self._begin(start, params)
        if self.autoreset_mode == NEXT_STEP:
            return _reset_next(batch.finished, after, outcome, came.info, fresh)
        return _reset_now(after, outcome, came.info, fresh)

    def _begin(self, key: Any, params: Any) -> Any:
        return self._map(self.dynamics.begin, params)(jax.random.split(key, self.num_envs))

    def _map(self, function: Any, params: Any) -> Any:
        used = self.params if params is None else params
        return jax.vmap(lambda *arguments: function(*arguments, used))


def _reset_next(over: Any, after: Batch, outcome: BatchStep, info: Any, fresh: Any) -> tuple[Batch, BatchStep]:
    """Reset the environments that were over before this step: their actions have no effect."""
    state, observations, fresh_info = fresh
    terminations, truncations = outcome.terminations & ~over, outcome.truncations & ~over
    batch = Batch(
        _chosen(over, state, after.state),
        jnp.where(over, 0, after.steps),
        terminations | truncations,
        after.key,
    )
    infos = _merged(over, fresh_info, info)
    observations = _chosen(over, observations, outcome.observations)
    return batch, BatchStep(observations, jnp.where(over, 0.0, outcome.rewards), terminations, truncations, infos)


def _reset_now(after: Batch, outcome: BatchStep, info: Any, fresh: Any) -> tuple[Batch, BatchStep]:
    """Reset the environments that are over after this step; their last observations and infos go into the infos."""
    state, observations, fresh_info = fresh
    over = after.finished
    batch = Batch(
        _chosen(over, state, after.state),
        jnp.where(over, 0, after.steps),
        jnp.zeros_like(over),
        after.key,
    )
    final = {
        "final_obs": outcome.observations,
        "_final_obs": over,
        "final_info": _masked(info, over),
        "_final_info": over,
    }
    infos = {**_merged(over, fresh_info, info), **final}
    return batch, outcome._replace(observations=_chosen(over, observations, outcome.observations), infos=infos)


def _chosen(mask: Any, a: Any, b: Any) -> Any:
    """Returns the rows of the tree `a` where `mask` is True, and of `b` elsewhere."""

    def choose(x: Any, y: Any) -> Any:
        return jnp.where(mask.reshape(mask.shape + (1,) * (x.ndim - 1)), x, y)

    return jax.tree.map(choose, a, b)


def _masked(info: dict[str, Any], mask: object) -> dict[str, Any]:
    return {**info, **{f"_{key}": mask for key in info}}


def _merged(mask: Any, a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    """Returns infos with the rows of `a` where `mask` is True, and of `b` elsewhere."""
    infos: dict[str, Any] = {**_masked(a, mask), **_masked(b, ~mask)}
    for key in a.keys() & b.keys():
        infos[key], infos[f"_{key}"] = _chosen(mask, a[key], b[key]), jnp.ones_like(mask)
    return infos
