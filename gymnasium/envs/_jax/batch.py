"""Many copies of an environment as one pure function, with time limit and autoreset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from gymnasium._extensions import extension
from gymnasium.envs._jax.dynamics import JaxDynamics, Step
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.own_params import Own, ParamDraws, SharedParams, begun, info_of, own_params, values_of
from gymnasium.envs._jax.params import Mask
from gymnasium.functional.func_env import FuncEnv
from gymnasium.params.randomization import Randomization

NEXT_STEP, SAME_STEP, DISABLED = "NextStep", "SameStep", "Disabled"  # the values of `vector.AutoresetMode`

Begun: TypeAlias = tuple[Any, Any, dict[str, Any]]  # states, observations and infos of new episodes


class Batch(NamedTuple):
    """All data that changes from step to step, a pytree.

    Attributes:
        state: The states of the dynamics, each array with a leading axis of n.
        steps: The steps of each episode so far, shape (n,).
        finished: Whether each episode is over, bool of shape (n,).
        key: The key of all future randomness.
        own: The params that environments have of their own; None if all have the same.
    """

    state: Any
    steps: jax.Array
    finished: jax.Array
    key: jax.Array
    own: Own | None = None


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
    rewards: jax.Array
    terminations: jax.Array
    truncations: jax.Array
    infos: dict[str, Any]


class BatchRunner:
    """Pure functions that reset and step `num_envs` copies of a `FuncEnv`; use them within `jax.jit` and `lax.scan`.

        runner = BatchRunner(CartPole(), 4096, max_episode_steps=500)
        batch, observations, infos = runner.reset(jax.random.key(0))
        batch, step = runner.step(batch, actions)

    The ends of episodes are handled as in a `VectorEnv` with this autoreset mode, except that infos have all their keys
    at every step: `infos["_key"]` marks the valid rows of `infos["key"]`.

        runner = BatchRunner(CartPole(), 4096, randomize={"gravity": Uniform(8, 12)})

    draws params for each environment at the beginning of each episode, as
    `palaestra.randomization.vector.RandomizeParams` does. Its stream depends on the key and on its place, but not on n.
    `infos["params"]` holds the values.

    Args:
        func_env: The dynamics, an instance or a class.
        num_envs: The number of copies, n.
        max_episode_steps: The number of steps after which an episode is truncated; None for no limit.
        autoreset_mode: `"NextStep"`, `"SameStep"` or `"Disabled"`, or a member of `AutoresetMode`.
        params: Replaces the dynamics' default params.
        randomize: By name, distributions of params, or what else the vector wrapper `RandomizeParams` takes.

    Raises:
        ValueError: If `num_envs` or `max_episode_steps` is not positive, or the mode is unknown.
        TypeError, ValueError: If the dynamics have no such param, or refuse a value that may be drawn.
    """

    def __init__(
        self,
        func_env: FuncEnv | type[FuncEnv],
        num_envs: int,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: object = NEXT_STEP,
        params: object = None,
        randomize: Mapping[str, object] | Randomization | None = None,
    ) -> None:
        self._shape(num_envs, max_episode_steps, autoreset_mode)
        self.dynamics = JaxDynamics(func_env)
        self.params = self.dynamics.func_env.default_params if params is None else params
        self.usual = SharedParams(self.dynamics, self.params)
        self._draws: ParamDraws | None = None
        if randomize:
            randomization = (
                randomize if isinstance(randomize, Randomization) else extension("randomization_of")(randomize)
            )
            self._draws = ParamDraws(self.usual, randomization, num_envs)

    def _shape(self, num_envs: int, max_episode_steps: int | None, autoreset_mode: object) -> None:
        mode = getattr(autoreset_mode, "value", autoreset_mode)
        if mode not in (NEXT_STEP, SAME_STEP, DISABLED):
            raise ValueError(
                f"autoreset_mode must be 'NextStep', 'SameStep' or 'Disabled', but {autoreset_mode!r} came"
            )
        for name, count in (("num_envs", num_envs), ("max_episode_steps", max_episode_steps)):
            if count is not None and count < 1:
                raise ValueError(f"{name} must be positive, but {count!r} came")
        self.num_envs = num_envs
        self.max_episode_steps = max_episode_steps
        self.autoreset_mode: str = mode

    def reset(self, key: jax.Array, params: object = None, own: Own | None = None) -> tuple[Batch, Any, dict[str, Any]]:
        """Begin an episode in every environment; returns the batch, the observations and the infos.

        Args:
            key: The key of all randomness.
            params: Replaces the params of the runner.
            own: The params of the environments until now, whose streams go on; None to begin new streams.
        """
        if own is None and self._draws is not None:
            own = own_params(self.usual, key, self.num_envs, self._draws.names)
        key, rest = jax.random.split(key)
        everywhere = jnp.ones(self.num_envs, bool)
        own = self._drawn(own, everywhere)
        state, observations, info = self._begin(key, params, own)
        steps = jnp.zeros(self.num_envs, jnp.int32)
        infos = _with_params(_masked(info, everywhere), own, everywhere)
        return Batch(state, steps, ~everywhere, rest, own), observations, infos

    def reset_rows(self, batch: Batch, mask: Mask, params: object = None) -> tuple[Batch, Any, dict[str, Any]]:
        """Like `reset`, where `mask` (n bools) is True; the others stay, and their present observation is returned."""
        key, view, rest = jax.random.split(batch.key, 3)
        own = self._drawn(batch.own, mask)
        state, observations, info = self._begin(key, params, own, mask, batch.state)
        kept = self._observe(batch.state, view, params, own)
        steps = jnp.where(mask, 0, batch.steps)
        after = Batch(_chosen(mask, state, batch.state), steps, batch.finished & ~mask, rest, own)
        return after, _chosen(mask, observations, kept), _with_params(_masked(info, mask), own, mask)

    def step(self, batch: Batch, actions: object, params: object = None) -> tuple[Batch, BatchStep]:
        """Take one action in every environment; in the mode DISABLED, results of a finished one are meaningless."""
        key, start, rest = jax.random.split(batch.key, 3)
        came, truncated, moved = self._advance(batch, actions, key, params)
        steps = batch.steps + jnp.asarray(moved, batch.steps.dtype)
        limit = self.max_episode_steps
        truncated = truncated if limit is None else truncated | ((steps >= limit) & moved)
        outcome = BatchStep(came.observation, came.reward, came.terminated, truncated, {})
        after = Batch(came.state, steps, came.terminated | truncated, rest, batch.own)
        if self.autoreset_mode == DISABLED:
            after = after._replace(finished=after.finished | batch.finished)
            return after, outcome._replace(infos=_masked(came.info, jnp.ones_like(truncated)))
        begin = batch.finished if self.autoreset_mode == NEXT_STEP else after.finished
        after = after._replace(own=self._drawn(batch.own, begin))
        rests = self.autoreset_mode == NEXT_STEP  # what a step would leave of those that begin does not count
        fresh = self._begin(start, params, after.own, begin, batch.state if rests else after.state)
        reset = _reset_next if self.autoreset_mode == NEXT_STEP else _reset_now
        after, results = reset(begin, after, outcome, came.info, fresh)
        return after, results._replace(infos=_with_params(results.infos, after.own, begin))

    def _advance(
        self, batch: Batch, actions: object, key: jax.Array, params: object
    ) -> tuple[Step, jax.Array, jax.Array | bool]:
        """Returns what actions lead to, whether the dynamics cut each episode short, and whether each has moved."""
        keys = jax.random.split(key, self.num_envs)
        came = self._map(self.dynamics.advance, params, batch.own)(batch.state, actions, keys)
        return came, jnp.zeros_like(batch.finished), True

    def _observe(self, states: object, key: jax.Array, params: object, own: Own | None) -> Any:
        return self._map(self.dynamics.observe, params, own)(states, jax.random.split(key, self.num_envs))

    def _drawn(self, own: Own | None, mask: Mask) -> Own | None:
        """Returns the params after new episodes have begun where `mask` is True."""
        return None if own is None else begun(own, mask, self._draws)

    def _begin(
        self, key: jax.Array, params: object, own: Own | None, mask: Mask | None = None, states: object = None
    ) -> Begun:
        """Returns new episodes: at least where `mask` is True, of environments that have been in `states`."""
        begun: Begun = self._map(self.dynamics.begin, params, own)(jax.random.split(key, self.num_envs))
        return begun

    def _map(self, function: Callable[..., Any], params: object, own: Own | None) -> Callable[..., Any]:
        used: Any = self.params if params is None else params
        if own is None or not own.values:
            return jax.vmap(lambda *arguments: function(*arguments, used))
        mapped: Any = jax.vmap(lambda values, *arguments: function(*arguments, used._replace(**values)))
        return lambda *arguments: mapped(values_of(own, used), *arguments)


def _reset_next(
    over: jax.Array, after: Batch, outcome: BatchStep, info: dict[str, Any], fresh: Begun
) -> tuple[Batch, BatchStep]:
    """Reset the environments that were over before this step: their actions have no effect."""
    state, observations, fresh_info = fresh
    terminations, truncations = outcome.terminations & ~over, outcome.truncations & ~over
    batch = after._replace(
        state=_chosen(over, state, after.state),
        steps=jnp.where(over, 0, after.steps),
        finished=terminations | truncations,
    )
    infos = _merged(over, fresh_info, info)
    observations = _chosen(over, observations, outcome.observations)
    return batch, BatchStep(observations, jnp.where(over, 0.0, outcome.rewards), terminations, truncations, infos)


def _reset_now(
    over: jax.Array, after: Batch, outcome: BatchStep, info: dict[str, Any], fresh: Begun
) -> tuple[Batch, BatchStep]:
    """Reset the environments that are over after this step; their last observations and infos go into the infos."""
    state, observations, fresh_info = fresh
    batch = after._replace(
        state=_chosen(over, state, after.state),
        steps=jnp.where(over, 0, after.steps),
        finished=jnp.zeros_like(over),
    )
    final = {
        "final_obs": outcome.observations,
        "_final_obs": over,
        "final_info": _masked(info, over),
        "_final_info": over,
    }
    infos = {**_merged(over, fresh_info, info), **final}
    return batch, outcome._replace(observations=_chosen(over, observations, outcome.observations), infos=infos)


def _chosen(mask: Mask, a: object, b: object) -> Any:
    """Returns the rows of the tree `a` where `mask` is True, and of `b` elsewhere."""

    def choose(x: jax.Array, y: jax.Array) -> jax.Array:
        return jnp.where(mask.reshape(mask.shape + (1,) * (x.ndim - 1)), x, y)

    return jax.tree.map(choose, a, b)


def _with_params(infos: dict[str, Any], own: Own | None, begun: Mask) -> dict[str, Any]:
    return infos if own is None else {**infos, **info_of(own, begun)}


def _masked(info: dict[str, Any], mask: Mask) -> dict[str, Any]:
    return {**info, **{f"_{key}": mask for key in info}}


def _merged(mask: jax.Array, a: dict[str, Any], b: dict[str, Any]) -> dict[str, Any]:
    """Returns infos with the rows of `a` where `mask` is True, and of `b` elsewhere."""
    infos: dict[str, Any] = {**_masked(a, mask), **_masked(b, ~mask)}
    for key in a.keys() & b.keys():
        infos[key], infos[f"_{key}"] = _chosen(mask, a[key], b[key]), jnp.ones_like(mask)
    return infos
