"""Actor-critic on CartPole, wholly on the device: environment, policy and optimiser are one jitted program.

    python examples/train_on_device.py

Source: Mnih et al. (2016), "Asynchronous methods for deep reinforcement learning", without the asynchrony; the
optimiser is that of Kingma & Ba (2015), "Adam".
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any, NamedTuple

import jax
from jax import lax
from jax import numpy as jnp

from gymnasium.envs.classic_control.cartpole import CartPole
from palaestra.jax import Batch, BatchRunner

NUM_ENVS = 256
STEPS = 32  # of each environment between two updates
LIMIT = 500  # steps of an episode, as in CartPole-v1
GAMMA = 0.99  # discount: a reward one step later is worth this much
RATE = 3e-3  # of learning, at first; it falls to zero
HIDDEN = 64
ENTROPY_BONUS = 0.001

Weights = dict[str, Any]


class Trainee(NamedTuple):
    """All that training changes; it never leaves the device."""

    weights: Weights
    mean: Weights  # of the gradients, and of their squares, as Adam keeps them
    square: Weights
    updates: Any
    batch: Batch
    observations: Any  # shape (NUM_ENVS, 4)
    key: Any


def first_weights(key: Any) -> Weights:
    a, b = jax.random.split(key)
    return {
        "in": jax.random.normal(a, (4, HIDDEN)) / 2,
        "bias": jnp.zeros(HIDDEN),
        "out": jax.random.normal(b, (HIDDEN, 3)) * 0.01,
    }


def judged(weights: Weights, observations: Any) -> tuple[Any, Any]:
    """The logits of both actions, shape (..., 2), and the value of the state, in hundreds, shape (...)."""
    out = jnp.tanh(observations @ weights["in"] + weights["bias"]) @ weights["out"]
    return out[..., :2], out[..., 2]


def rollout(runner: BatchRunner, trainee: Trainee) -> tuple[Trainee, Any]:
    """Acts for STEPS steps; returns the transitions, arrays of shape (STEPS, NUM_ENVS, ...)."""

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        batch, seen = carry
        actions = jax.random.categorical(key, judged(trainee.weights, seen)[0])
        fresh = batch.finished  # this step only resets them
        batch, came = runner.step(batch, actions)
        return (batch, came.observations), (seen, actions, came.rewards, came.terminations, came.truncations, fresh)

    key, rest = jax.random.split(trainee.key)
    carry = trainee.batch, trainee.observations
    (batch, observations), happened = lax.scan(act, carry, jax.random.split(key, STEPS))
    return trainee._replace(batch=batch, observations=observations, key=rest), happened


def loss(weights: Weights, happened: Any, last: Any) -> Any:
    """Policy gradient with the state's value as baseline, the value's own error, and a bonus for entropy."""
    seen, actions, rewards, terminations, truncations, fresh = happened
    logits, values = judged(weights, seen)

    def target(after: Any, step: Any) -> tuple[Any, Any]:
        reward, terminated, truncated, is_fresh, value = step
        # A truncated episode would have gone on: its last value is the best estimate of the remaining return.
        returned = jnp.where(truncated & ~terminated, value, reward / 100 + GAMMA * after * ~terminated)
        return jnp.where(is_fresh, value, returned), returned

    start = judged(weights, last)[1]
    targets = lax.scan(target, start, (rewards, terminations, truncations, fresh, values), reverse=True)[1]
    counts = ~fresh
    advantages = lax.stop_gradient(targets) - values
    chances = jax.nn.log_softmax(logits)
    chosen = jnp.take_along_axis(chances, actions[..., None], -1)[..., 0]
    entropy = -(jnp.exp(chances) * chances).sum(-1)
    # When little is left to learn, small advantages must not be scaled up to the usual size.
    scale = lax.stop_gradient(jnp.maximum(jnp.sqrt((advantages**2 * counts).sum() / counts.sum()), 0.1))
    terms = -chosen * lax.stop_gradient(advantages) / scale + advantages**2 - ENTROPY_BONUS * entropy
    return (terms * counts).sum() / counts.sum()


def update(runner: BatchRunner, trainee: Trainee, updates: int) -> tuple[Trainee, tuple[Any, Any]]:
    """One rollout and one of `updates` steps of Adam; returns how many episodes ended, and the number of steps."""
    trainee, happened = rollout(runner, trainee)
    gradient = jax.grad(loss)(trainee.weights, happened, trainee.observations)
    n = trainee.updates + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, trainee.mean, gradient)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, trainee.square, gradient)
    size = RATE * (1 - n / updates) * jnp.sqrt(1 - 0.999**n) / (1 - 0.9**n)
    weights = jax.tree.map(lambda w, m, s: w - size * m / (jnp.sqrt(s) + 1e-8), trainee.weights, mean, square)
    _, _, _, terminations, truncations, fresh = happened
    counted = (terminations | truncations).sum(), (~fresh).sum()
    return trainee._replace(weights=weights, mean=mean, square=square, updates=n), counted


def begun(runner: BatchRunner, seed: int) -> Trainee:
    start, weights, rest = jax.random.split(jax.random.key(seed), 3)
    batch, observations, _ = runner.reset(start)
    first = first_weights(weights)
    zeros = jax.tree.map(jnp.zeros_like, first)
    return Trainee(first, zeros, zeros, jnp.int32(0), batch, observations, rest)


def mean_return(weights: Weights, seed: int, episodes: int = 256) -> Any:
    """The mean return of that many episodes."""
    runner = BatchRunner(CartPole(), episodes, max_episode_steps=LIMIT, autoreset_mode="Disabled")

    def act(carry: Any, key: Any) -> tuple[Any, Any]:
        batch, seen = carry
        playing = ~batch.finished
        after, came = runner.step(batch, jax.random.categorical(key, judged(weights, seen)[0]))
        return (after, came.observations), playing

    start, rest = jax.random.split(jax.random.key(seed))
    batch, observations, _ = runner.reset(start)
    _, playing = lax.scan(act, (batch, observations), jax.random.split(rest, LIMIT))
    return playing.sum(0).mean()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.updates < 1:
        parser.error("there must be at least one update")

    runner = BatchRunner(CartPole(), NUM_ENVS, max_episode_steps=LIMIT)
    train = jax.jit(lambda t: lax.scan(lambda t, _: update(runner, t, options.updates), t, length=options.updates))
    evaluate = jax.jit(mean_return, static_argnums=(1, 2))
    trainee = begun(runner, options.seed)
    compiled = train.lower(trainee).compile()
    print(f"mean return of 256 episodes before: {float(evaluate(trainee.weights, 1)):6.1f}")

    start = perf_counter()
    trainee, (ends, steps) = compiled(trainee)
    ends.block_until_ready()
    seconds = perf_counter() - start
    print(f"mean return of 256 episodes after:  {float(evaluate(trainee.weights, 1)):6.1f}")
    print(f"{int(steps.sum()):,} steps and {int(ends.sum()):,} episodes in {seconds:.1f} s on {jax.devices()[0]}")


if __name__ == "__main__":
    main()
