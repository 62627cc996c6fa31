"""Steps of CartPoles with params of their own for each environment, in several ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, cycle
from time import perf_counter
from typing import Any

import numpy as np

LENGTHS, GRAVITIES = (0.4, 0.6), (8.0, 12.0)
Run = Callable[[int], float]


@contextmanager
def steps(how: str, num_envs: int) -> Iterator[Run]:
    """A step of one environment.

    `how` is `"shared"`, with the same params for all; `"drawn"`, drawn at each episode; `"set"`, where each
    environment has its own from the start; or `"loop"`, in which a loop in Python sets them at each reset.
    """
    import gymnasium

    envs: Any = gymnasium.make_vec("CartPole-v1", num_envs, "sync" if how == "loop" else None)
    rng = np.random.default_rng(0)
    if how == "drawn":
        from palaestra.randomization import Uniform
        from palaestra.randomization.vector import RandomizeParams

        envs = RandomizeParams(envs, gravity=Uniform(*GRAVITIES), length=Uniform(*LENGTHS))
    elif how == "set":
        envs.set_params(
            range(num_envs), {"gravity": rng.uniform(*GRAVITIES, num_envs), "length": rng.uniform(*LENGTHS, num_envs)}
        )
    actions = cycle([rng.integers(0, 2, num_envs) for _ in range(8)])
    envs.reset(seed=0)

    def run(times: int) -> float:
        start = perf_counter()
        for _ in range(times):
            _, _, terminations, truncations, _ = envs.step(next(actions))
            if how == "loop":
                for i in np.flatnonzero(terminations | truncations):
                    base = envs.envs[i].unwrapped
                    base.gravity, base.length = rng.uniform(*GRAVITIES), rng.uniform(*LENGTHS)
        return (perf_counter() - start) / times / num_envs

    yield run
    envs.close()


@contextmanager
def set_all(num_envs: int) -> Iterator[Run]:
    """The same with `set_attr` after each step in which an episode ended, one list of values for the batch."""
    import gymnasium

    envs: Any = gymnasium.make_vec("CartPole-v1", num_envs)
    rng = np.random.default_rng(0)
    values = {"gravity": rng.uniform(*GRAVITIES, num_envs), "length": rng.uniform(*LENGTHS, num_envs)}
    actions = cycle([rng.integers(0, 2, num_envs) for _ in range(8)])
    envs.reset(seed=0)

    def run(times: int) -> float:
        start = perf_counter()
        for _ in range(times):
            _, _, terminations, truncations, _ = envs.step(next(actions))
            ended = np.flatnonzero(terminations | truncations)
            if len(ended):
                for name, (low, high) in (("gravity", GRAVITIES), ("length", LENGTHS)):
                    values[name][ended] = rng.uniform(low, high, len(ended))
                    envs.set_attr(name, values[name].tolist())
        return (perf_counter() - start) / times / num_envs

    yield run
    envs.close()


@contextmanager
def taught(how: str, num_envs: int, mode: str) -> Iterator[Run]:
    """A step of one environment, with a teacher that says nothing, or without any (`"none"`).

    One looks at nothing (`"silent"`), another reads all returns and lengths (`"reader"`).
    """
    import gymnasium
    from palaestra.randomization.vector import Curriculum

    class Silent:
        def begin(self, beginnings: Any) -> None:
            """Return nothing."""

    class Reader:
        total = 0.0

        def begin(self, beginnings: Any) -> None:
            """Read."""
            self.total += beginnings.returns.sum() + beginnings.lengths.sum()

    envs: Any = gymnasium.make_vec("CartPole-v1", num_envs, mode)
    if how != "none":
        teacher: Any = Silent() if how == "silent" else Reader()
        envs = Curriculum(envs, teacher)
    rng = np.random.default_rng(0)
    actions = cycle([rng.integers(0, 2, num_envs) for _ in range(8)])
    envs.reset(seed=0)

    def run(times: int) -> float:
        start = perf_counter()
        for _ in range(times):
            envs.step(next(actions))
        return (perf_counter() - start) / times / num_envs

    yield run
    envs.close()


@contextmanager
def gymnax(how: str, num_envs: int, length: int) -> Iterator[Run]:
    """A step of one of gymnax's environments in a jitted scan, with params `"shared"` or `"drawn"` at each episode."""
    import gymnax  # type: ignore[import-not-found]  # in an environment of its own
    import jax
    from jax import numpy as jnp

    env, params = gymnax.make("CartPole-v1")
    batched = params.replace(gravity=jnp.full(num_envs, 9.8), length=jnp.full(num_envs, 0.5))
    axes = jax.tree.map(lambda _: None, params).replace(gravity=0, length=0)

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        state, own, total = carry
        choice, noise, first, second = jax.random.split(key, 4)
        actions = jax.random.randint(choice, (num_envs,), 0, 2)
        keys = jax.random.split(noise, num_envs)
        if how == "shared":
            came, state, rewards, *flags = jax.vmap(env.step, in_axes=(0, 0, 0, None))(keys, state, actions, params)
            return (state, own, total + rewards.sum() + 0 * came.sum()), None
        came, state, rewards, *flags = jax.vmap(env.step, in_axes=(0, 0, 0, axes))(keys, state, actions, own)
        ended = jnp.any(jnp.stack(flags[:-1]), axis=0)  # the last one is the info
        gravity = jax.random.uniform(first, (num_envs,), minval=GRAVITIES[0], maxval=GRAVITIES[1])
        pole = jax.random.uniform(second, (num_envs,), minval=LENGTHS[0], maxval=LENGTHS[1])
        own = own.replace(gravity=jnp.where(ended, gravity, own.gravity), length=jnp.where(ended, pole, own.length))
        return (state, own, total + rewards.sum() + 0 * came.sum()), None

    def program(key: Any) -> Any:
        first, rest = jax.random.split(key)
        _, state = jax.vmap(env.reset, in_axes=(0, None))(jax.random.split(first, num_envs), params)
        (_, _, total), _ = jax.lax.scan(act, (state, batched, jnp.float32(0)), jax.random.split(rest, length))
        return total

    ready = jax.jit(program).lower(jax.random.key(0)).compile()
    seeds = map(jax.random.key, count())

    def run(times: int) -> float:
        start = perf_counter()
        for _ in range(times):
            jax.block_until_ready(ready(next(seeds)))
        return (perf_counter() - start) / times / num_envs / length

    yield run
