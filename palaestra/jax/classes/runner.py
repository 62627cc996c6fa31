"""Many copies of a class as pure functions, with time limit and autoreset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gymnasium.core import Env
from gymnasium.envs._jax.batch import NEXT_STEP, Batch, BatchRunner, BatchStep, Begun, _masked
from gymnasium.envs._jax.dynamics import Step, sound
from gymnasium.envs._jax.library import jax, jnp, lax
from gymnasium.envs._jax.own_params import Own
from gymnasium.envs._jax.params import Mask
from gymnasium.functional.func_env import FuncEnv
from palaestra.jax.classes.dynamics import ABSENT, JaxClass, Moment
from palaestra.jax.classes.precision import in_double_precision
from palaestra.runner.classes.dynamics import ClassDynamics
from palaestra.runner.classes.single import PlainEnv
from palaestra.runner.kernels.infos import absent_name


class ClassRunner(BatchRunner):
    """Pure functions that reset and step copies of an ordinary environment class; see `BatchRunner`.

        runner = ClassRunner(MyEnv, 4096, max_episode_steps=500)
        batch, observations, infos = runner.reset(jax.random.key(0))
        batch, step = runner.step(batch, actions)

    The class stays as it is. Its attributes are the state, with the words of its generator: in a `Batch` they have 64
    bits where Python's have, whatever JAX is configured for; results have those for which it is. `batch.state.mark` is
    not 0 for an environment that raised, which stays as it was before that.

    Args:
        environment: The class, or a function, that makes one environment; or a `FuncEnv`, whose functions may then
            branch on the state, and draw from generators as in Python.
        num_envs: The number of copies.
        max_episode_steps: The number of steps after which an episode is truncated; None for no limit.
        autoreset_mode: `"NextStep"`, `"SameStep"` or `"Disabled"`, or a member of `AutoresetMode`.

    Raises:
        palaestra.error.CannotCompile: If the language does not take the class; it names all reasons.
        palaestra.language.jax.numbers.NotUnderJax: If something in it has no counterpart under JAX.
        ValueError: See `BatchRunner`.
    """

    def __init__(
        self,
        environment: Callable[..., Env[Any, Any]] | FuncEnv | type[FuncEnv],
        num_envs: int,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: object = NEXT_STEP,
    ) -> None:
        self._shape(num_envs, max_episode_steps, autoreset_mode)
        dynamics, made = _dynamics_of(environment, num_envs)
        self.functions = JaxClass(dynamics)
        self._beginnings = dynamics.beginnings(made) if isinstance(dynamics, ClassDynamics) and len(made) > 1 else {}
        self.is_wide: bool | None = None
        self.params = self._draws = None

    @in_double_precision
    def reset(self, key: jax.Array, params: object = None, own: Own | None = None) -> tuple[Batch, Any, dict[str, Any]]:
        """Begin an episode in every environment, as it is made; see `BatchRunner.reset`.

        Args:
            key: The key from which the environments' generators are made.
            params: None.
            own: None.
        """
        halves = jax.random.bits(key, (2, self.num_envs, 5), np.uint32).astype(np.uint64)
        words = halves[0] << np.uint64(32) | halves[1]
        words = words.at[:, 2].set(words[:, 2] | np.uint64(1)).at[:, 4].set(np.uint64(0))  # an odd increment, no half
        return self.begun(self.made(words), key)

    def made(self, streams: Any) -> Moment:
        """Returns the environments as they are made, with generators of these words, shape (n, 5)."""
        n, first = self.num_envs, self.functions.first()
        rows: Moment = jax.tree.map(lambda leaf: np.broadcast_to(leaf, (n, *np.shape(leaf))), first)
        fields = [
            np.resize(np.asarray(self._beginnings[k], row.dtype), row.shape) if k in self._beginnings else row
            for k, row in enumerate(rows.fields)
        ]
        return rows._replace(fields=tuple(fields), stream=streams)

    @in_double_precision
    def begun(self, moments: Moment, key: jax.Array) -> tuple[Batch, Any, dict[str, Any]]:
        """Begin an episode in environments that are in a state, each leaf of shape (n, ...); see `reset`."""
        state, observations, info = jax.vmap(self.functions.begin)(moments)
        everywhere = jnp.ones(self.num_envs, bool)
        batch = Batch(state, jnp.zeros(self.num_envs, jnp.int32), ~everywhere, key)
        return batch, observations, _reported(_masked(info, everywhere))

    @in_double_precision
    def reset_rows(self, batch: Batch, mask: Mask, params: object = None) -> tuple[Batch, Any, dict[str, Any]]:
        """See `BatchRunner.reset_rows`."""
        after, observations, infos = super().reset_rows(batch, mask)
        return after, observations, _reported(infos)

    @in_double_precision
    def step(self, batch: Batch, actions: object, params: object = None) -> tuple[Batch, BatchStep]:
        """See `BatchRunner.step`."""
        after, step = super().step(batch, actions)
        return after, step._replace(infos=_reported(step.infos))

    def _advance(
        self, batch: Batch, actions: object, key: jax.Array, params: object
    ) -> tuple[Step, jax.Array, jax.Array | bool]:
        """An environment that raised has not moved: no limit ends its episode."""
        after, truncated = jax.vmap(self.functions.advance)(batch.state, actions)
        return after, truncated, after.state.mark == 0

    def _observe(self, states: Any, key: jax.Array, params: object, own: Own | None) -> Any:
        return states.observation

    def _begin(
        self, key: jax.Array, params: object, own: Own | None, mask: Mask | None = None, states: Any = None
    ) -> Begun:
        """Nothing is done in a step in which none begins, if to find that out costs less."""
        begin = jax.vmap(self.functions.begin)
        begun: Begun = lax.cond(jnp.asarray(mask).any(), begin, self._none, states) if self._waits() else begin(states)
        return begun

    def _waits(self) -> bool:
        """Whether it pays to wait for a condition: elsewhere than on a CPU that takes longer than a short reset."""
        return jax.default_backend() == "cpu" or self.functions.loops

    def _none(self, states: Moment) -> Begun:
        info = self.functions.no_info()
        rows = {key: jnp.broadcast_to(value, (self.num_envs, *value.shape)) for key, value in info.items()}
        return states, states.observation, rows


def _dynamics_of(environment: Any, n: int) -> tuple[FuncEnv, list[Any]]:
    """Returns dynamics, and the copies of a class as they are made, if they differ."""
    if isinstance(environment, FuncEnv) or (isinstance(environment, type) and issubclass(environment, FuncEnv)):
        return sound(environment), []
    single = environment if isinstance(environment, PlainEnv) else PlainEnv(environment, n=n)
    return single.func_env, single.made


def _reported(infos: dict[str, Any]) -> dict[str, Any]:
    """Infos without the columns that say which keys are absent: their masks do."""
    found = {key: value for key, value in infos.items() if not key.lstrip("_").startswith(ABSENT.lstrip("_"))}
    for key in found:
        if absent_name(key) in infos:
            found[f"_{key}"] &= ~infos[absent_name(key)]
    if "final_info" in found:
        found["final_info"] = _reported(found["final_info"])
    return found
