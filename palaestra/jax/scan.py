"""Steps of a policy in a batch as one program, a `lax.scan`."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gymnasium.envs._jax.batch import DISABLED, NEXT_STEP, SAME_STEP, Batch, BatchRunner
from gymnasium.envs._jax.keys import key_of, policy_keys
from gymnasium.envs._jax.library import jax, jnp, lax
from gymnasium.envs._jax.params import Mask
from gymnasium.envs._jax.program import Program
from gymnasium.spaces import Box, Discrete, Space
from gymnasium.spaces.batching import batch_space
from palaestra.jax.policies import JaxPolicy


class Place(NamedTuple):
    """Where the steps begin, and where they end.

    Attributes:
        batch: The environments.
        observations: Their observations.
        over: Whether the next step only resets, bool of shape (n,).
        keys: The policy's keys, shape (n, ...); None if it draws nothing.
    """

    batch: Batch
    observations: Any
    over: jax.Array
    keys: jax.Array | None


class Steps(NamedTuple):
    """T steps, as arrays of shape (T, n, ...); the fields are those of `palaestra.Rollout`."""

    observations: Any
    actions: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    truncated: jax.Array
    valid: jax.Array
    extras: dict[str, jax.Array]


class Scanned(NamedTuple):
    """The results of the program.

    Attributes:
        place: Where the steps ended.
        steps: The steps.
        finals: The observation of each step before a reset; None if that is in the steps, too.
        sound: Whether all actions of each step were in their space, and no extra NaN; bool of shape (T,).
    """

    place: Place
    steps: Steps
    finals: Any
    sound: jax.Array


class Given(NamedTuple):
    """The params of the program: it is compiled for each number of steps."""

    steps: int
    dynamics: object
    policy: object


class Scan:
    """A policy in environments.

    Args:
        runner: The environments.
        space: The space of one action.
        policy: The policy.
    """

    def __init__(self, runner: BatchRunner, space: Space, policy: JaxPolicy) -> None:
        self._runner, self._space, self._policy = runner, space, policy
        self._low, self._high = _bounds(space)
        self._key, self._keys = key_of(0), jax.eval_shape(lambda: policy_keys(0, runner.num_envs))
        self._begin = Program(runner.reset)
        self._program = Program(self._scanned, donated=1)
        self._steps = Program(lambda place, given: self._scanned(place, None, given).steps)
        self._decide = Program(lambda observations, keys, params: policy.act(params, observations, keys))

    def given(self, steps: int, dynamics: object, policy: object) -> Given:
        """Returns the params of the program: those of the dynamics, and those of now of a policy."""
        return Given(steps, dynamics, self._policy.params(policy, self._runner.num_envs))

    def decisions(self, given: Given) -> tuple[Any, dict[str, Any]]:
        """Returns the actions and the extras of a step, as shapes and dtypes.

        Raises:
            Exception: Whatever the policy raises when it is traced.
        """
        decisions: tuple[Any, dict[str, Any]] = self._decide.shapes(*self._like(given), given.policy)
        return decisions

    def begun(self, batch: Batch, observations: object, over: Mask, keys: jax.Array | None, given: Given) -> Place:
        """Returns the place in which environments with these observations are."""
        like, _ = self._like(given)
        as_array = partial(jax.tree.map, lambda value, leaf: jnp.asarray(value, leaf.dtype))
        return Place(batch, as_array(observations, like), jnp.asarray(over), keys)

    def shapes(self, place: Place, given: Given) -> Steps:
        """Returns the steps as shapes and dtypes."""
        steps: Steps = self._steps.shapes(place, given)
        return steps

    def __call__(self, place: Place, out: Steps | None, given: Given) -> Scanned:
        """Returns the results; their memory may be that of `out`, which is then gone."""
        if out is None:  # one program will do for both
            out = jax.tree.map(lambda like: jnp.zeros(like.shape, like.dtype), self.shapes(place, given))
        scanned: Scanned = self._program(place, out, given)
        return scanned

    def _like(self, given: Given) -> tuple[Any, Any]:
        """Returns observations and keys of a batch, as shapes and dtypes."""
        _, observations, _ = self._begin.shapes(self._key, given.dynamics)
        return observations, self._keys

    def _scanned(self, place: Place, out: Steps | None, given: Given) -> Scanned:
        end, (rows, finals, sound) = lax.scan(lambda now, _: self._step(now, given), place, length=given.steps)
        steps = rows._replace(observations=_followed(rows.observations, end.observations))
        return Scanned(end, steps, finals, sound)

    def _step(self, place: Place, given: Given) -> tuple[Place, tuple[Steps, Any, jax.Array]]:
        keys, own = (None, None) if place.keys is None else _halves(place.keys)
        actions, extras = self._policy.act(given.policy, place.observations, own)
        within = (actions >= self._low) & (actions <= self._high)
        actions = actions.astype(jax.dtypes.canonicalize_dtype(self._space.dtype))
        nan = [jnp.isnan(extra).any() for extra in extras.values() if extra.dtype.kind in "fc"]
        sound = within.all() & jnp.isfinite(actions).all() & ~jnp.array(nan, bool).any()
        batch, came = self._runner.step(place.batch, actions, given.dynamics)
        ended = came.terminations | came.truncations
        observations, finals = came.observations, None
        if self._runner.autoreset_mode == SAME_STEP:
            finals = came.infos["final_obs"]
        elif self._runner.autoreset_mode == DISABLED:
            finals = observations
            reset = partial(self._reset, params=given.dynamics)  # not traced, as dynamics may branch on them
            batch, observations = lax.cond(ended.any(), reset, _kept, batch, observations, ended)
        over = ended & (self._runner.autoreset_mode == NEXT_STEP)
        results = came.rewards, came.terminations, came.truncations
        row = Steps(place.observations, actions, *results, ~place.over, extras)
        return Place(batch, observations, over, keys), (row, finals, sound)

    def _reset(self, batch: Batch, observations: object, mask: jax.Array, params: object) -> tuple[Batch, Any]:
        batch, observations, _ = self._runner.reset_rows(batch, mask, params)
        return batch, observations


def _halves(keys: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns two keys for each."""
    pairs = jax.vmap(jax.random.split)(keys)
    return pairs[:, 0], pairs[:, 1]


def _kept(batch: Batch, observations: object, mask: object) -> tuple[Batch, Any]:
    return batch, observations


def _bounds(space: Space) -> tuple[Any, Any]:
    """Returns the least and greatest discrete actions; a Box takes all finite numbers."""
    if isinstance(space, Box):
        return -np.inf, np.inf
    if isinstance(space, Discrete):
        return int(space.start), int(space.start) + int(space.n) - 1
    batched: Any = batch_space(space, 1)
    return batched.low[0], batched.high[0]


def _followed(rows: object, last: object) -> Any:
    """Returns the rows of a tree with one more."""
    return jax.tree.map(lambda each, more: jnp.concatenate([each, more[None]]), rows, last)
