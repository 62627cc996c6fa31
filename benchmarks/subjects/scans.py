"""Batches under JAX: one jitted scan, with random actions or a network, ours and gymnax's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import count, pairwise
from time import perf_counter
from typing import Any

import jax
from jax import numpy as jnp

Program = Callable[[Any], Any]
Run = Callable[[int], float]


def ours(num_envs: int, steps: int) -> Program:
    """Returns a program that takes a key, and returns the mean reward."""
    from gymnasium.envs.classic_control.cartpole import CartPole
    from palaestra.jax import BatchRunner

    return _rewards(BatchRunner(CartPole(), num_envs, max_episode_steps=500), 2, steps)


def own_class(name: str, num_envs: int, steps: int) -> Program:
    """The same with an ordinary class of discrete actions, `module:Class`."""
    from palaestra.jax import ClassRunner

    module, _, kind = name.partition(":")
    runner = ClassRunner(getattr(import_module(module), kind), num_envs, max_episode_steps=500)
    space: Any = runner.functions.dynamics.action_space
    return _rewards(runner, int(space.n), steps)


def _rewards(runner: Any, actions: int, steps: int) -> Program:
    """Returns the program of so many random actions, which returns the mean reward."""
    num_envs = runner.num_envs

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        batch, total = carry
        batch, came = runner.step(batch, jax.random.randint(key, (num_envs,), 0, actions))
        seen = sum(0 * leaf.sum() for leaf in jax.tree.leaves(came.observations))
        return (batch, total + (came.rewards.sum() + seen).astype(jnp.float32)), None

    def program(key: Any) -> Any:
        first, rest = jax.random.split(key)
        batch, _, _ = runner.reset(first)
        (batch, total), _ = jax.lax.scan(act, (batch, jnp.float32(0)), jax.random.split(rest, steps))
        return total / (num_envs * steps), batch

    return program


def gymnax(num_envs: int, steps: int) -> Program:
    """The same with gymnax, in the way of its documentation."""
    import gymnax  # type: ignore[import-not-found]  # in an environment of its own

    env, params = gymnax.make("CartPole-v1")

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        state, total = carry
        choice, noise = jax.random.split(key)
        actions = jax.random.randint(choice, (num_envs,), 0, 2)
        keys = jax.random.split(noise, num_envs)
        observations, state, rewards, *_ = jax.vmap(env.step, in_axes=(0, 0, 0, None))(keys, state, actions, params)
        return (state, total + rewards.sum() + 0 * observations.sum()), None

    def program(key: Any) -> Any:
        first, rest = jax.random.split(key)
        _, state = jax.vmap(env.reset, in_axes=(0, None))(jax.random.split(first, num_envs), params)
        (state, total), _ = jax.lax.scan(act, (state, jnp.float32(0)), jax.random.split(rest, steps))
        return total / (num_envs * steps), state

    return program


def compiled(program: Program) -> Callable[[int], float]:
    """Returns a function from a seed to the seconds that the program takes with it."""
    ready = jax.jit(program).lower(jax.random.key(0)).compile()

    def seconds(seed: int) -> float:
        key = jax.block_until_ready(jax.random.key(seed))
        start = perf_counter()
        jax.block_until_ready(ready(key))
        return perf_counter() - start

    return seconds


@contextmanager
def scan(who: str, num_envs: int, steps: int) -> Iterator[Run]:
    """A step of one environment in the scan, without compilation."""
    programs: dict[str, Callable[[int, int], Program]] = {"ours": ours, "gymnax": gymnax}
    program = programs[who] if who in programs else partial(own_class, who)
    seconds = compiled(program(num_envs, steps))
    seeds = count()
    yield lambda times: sum(seconds(next(seeds)) for _ in range(times)) / times / num_envs / steps


def network(key: Any) -> Callable[[Any], Any]:
    """Returns the networks of CleanRL's PPO as a function from observations to logits and values."""
    sizes = {"actor": (4, 64, 64, 2), "critic": (4, 64, 64, 1)}
    layers = {
        name: [jax.random.normal(key, shape) / shape[0] for shape in pairwise(size)] for name, size in sizes.items()
    }

    def outputs(name: str, observations: Any) -> Any:
        *hidden, last = layers[name]
        for weights in hidden:
            observations = jnp.tanh(observations @ weights)
        return observations @ last

    return lambda observations: (outputs("actor", observations), outputs("critic", observations)[:, 0])


@contextmanager
def acting(num_envs: int, steps: int) -> Iterator[Run]:
    """A step of one of gymnax's environments in a scan with a network, all of whose results are kept."""
    import gymnax  # in an environment of its own

    env, params = gymnax.make("CartPole-v1")
    policy = network(jax.random.key(0))

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        observations, state = carry
        choice, noise = jax.random.split(key)
        logits, values = policy(observations)
        actions = jax.random.categorical(choice, logits)
        log_probs = jnp.take_along_axis(jax.nn.log_softmax(logits), actions[:, None], 1)[:, 0]
        keys = jax.random.split(noise, num_envs)
        came, state, rewards, *flags = jax.vmap(env.step, in_axes=(0, 0, 0, None))(keys, state, actions, params)
        return (came, state), (observations, actions, log_probs, values, rewards, flags[:-1])

    reset = jax.jit(jax.vmap(env.reset, in_axes=(0, None)))
    carry = reset(jax.random.split(jax.random.key(1), num_envs), params)
    rollout = jax.jit(lambda carry, key: jax.lax.scan(act, carry, jax.random.split(key, steps)))
    keys = map(jax.random.key, count())
    jax.block_until_ready(rollout(carry, next(keys)))

    def run(times: int) -> float:
        nonlocal carry
        start = perf_counter()
        for _ in range(times):
            carry, kept = rollout(carry, next(keys))
            jax.block_until_ready(kept)
        return (perf_counter() - start) / times / num_envs / steps

    yield run
