"""PPO as one program of JAX: environments, networks, updates and the end of training, for many seeds at once.

    python examples/ppo_jax.py                                   CartPole with 64 seeds, until all have solved it
    python examples/ppo_jax.py --env-id Acrobot-v1 --goal -100   another environment with discrete actions
    python examples/ppo_jax.py --help                            the settings

`trained` is one function of arrays. In it, `jax.vmap` makes one training many, and `lax.while_loop` ends them when the
last one has reached the goal: the mean return of the last 100 episodes, and a few more, so that there are as many of
each environment. A training that has reached it stands still.

Source: Schulman, Wolski, Dhariwal, Radford & Klimov (2017), "Proximal policy optimization algorithms"; the optimiser is
that of Kingma & Ba (2015), "Adam".
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp

import gymnasium as gym
from gymnasium.spaces import Box, Discrete
from palaestra.jax import Batch, BatchRunner

Array = Any
Weights = dict[str, Any]

EPISODES = 100  # at least so many count


class Settings(NamedTuple):
    """The same for all trainings; these solve CartPole."""

    num_envs: int = 16
    steps: int = 64  # of each environment between two updates
    epochs: int = 4  # passes over these steps
    minibatches: int = 4  # of each pass
    hidden: int = 32  # units of a layer
    rate: float = 7e-3  # of learning, at first
    fall: int = 150  # updates in which the rate falls to a tenth
    gamma: float = 0.99  # discount: a reward one step later is worth this much
    lambda_: float = 0.99  # weight of longer estimates of the advantage
    clip: float = 0.2  # how far the probability of an action may move
    entropy: float = 0.0  # bonus for it
    goal: float = 475.0  # mean return to reach
    updates: int = 400  # at most


class Training(NamedTuple):
    """All that a training changes; it never leaves the device."""

    weights: Weights
    mean: Weights  # of the gradients, and of their squares, as Adam keeps them
    square: Weights
    count: Array  # of Adam's steps
    batch: Batch
    observations: Array  # shape (num_envs, inputs)
    running: Array  # return of each environment's episode so far
    returns: Array  # of its last episodes, shape (num_envs, episodes); NaN before there are so many
    updates: Array
    key: Array


class Steps(NamedTuple):
    """Transitions, arrays of shape (steps, num_envs, ...)."""

    observations: Array
    actions: Array
    log_probs: Array
    values: Array
    rewards: Array
    terminated: Array
    truncated: Array
    counts: Array  # False where the step only reset the environment


def first_weights(key: Array, inputs: int, actions: int, hidden: int) -> Weights:
    """Two layers that actor and critic share, and one with the logits of the actions and the value."""
    shapes = {"first": (inputs, hidden), "second": (hidden, hidden), "heads": (hidden, actions + 1)}
    scales = {"first": 1.0, "second": 1.0, "heads": 0.01}
    size = sum(rows * columns for rows, columns in shapes.values())
    numbers, weights, used = jax.random.normal(key, (size,)), {}, 0
    for name, (rows, columns) in shapes.items():
        part = numbers[used : used + rows * columns].reshape(rows, columns)
        weights[name] = scales[name] * part / rows**0.5
        weights[name + "_bias"] = jnp.zeros(columns)
        used += rows * columns
    return weights


def judged(weights: Weights, observations: Array) -> tuple[Array, Array]:
    """Returns the logarithms of the actions' probabilities, shape (..., actions), and the value, shape (...)."""
    layer = jnp.tanh(observations @ weights["first"] + weights["first_bias"])
    layer = jnp.tanh(layer @ weights["second"] + weights["second_bias"])
    out = layer @ weights["heads"] + weights["heads_bias"]
    return jax.nn.log_softmax(out[..., :-1]), out[..., -1]


def chosen(log_probs: Array, actions: Array) -> Array:
    """Returns the entries of the actions: a sum, as CPUs are slow at looking them up."""
    return jnp.where(actions[..., None] == jnp.arange(log_probs.shape[-1]), log_probs, 0.0).sum(-1)


def collected(runner: BatchRunner, seen: Any, settings: Settings, training: Training) -> tuple[Training, Steps]:
    """Returns the steps of the policy in its environments."""

    def act(carry: Any, chances: Array) -> tuple[Any, Steps]:
        batch, observations, running, returns = carry
        log_probs, values = judged(training.weights, observations)
        reached = jnp.cumsum(jnp.exp(log_probs[:, :-1]), axis=1)
        actions = (reached <= chances[:, None]).sum(1)  # each with its probability
        counts = ~batch.finished  # else this step only resets
        batch, came = runner.step(batch, actions)
        running = running + came.rewards
        own = chosen(log_probs, actions), values, came.rewards
        row = Steps(observations, actions, *own, came.terminations, came.truncations, counts)
        over = batch.finished
        later = jnp.concatenate([returns[:, 1:], running[:, None]], axis=1)
        returns = jnp.where(over[:, None], later, returns)
        return (batch, seen(came.observations), jnp.where(over, 0.0, running), returns), row

    key, rest = jax.random.split(training.key)
    carry = training.batch, training.observations, training.running, training.returns
    chances = jax.random.uniform(key, (settings.steps, settings.num_envs))
    (batch, observations, running, returns), steps = lax.scan(act, carry, chances)
    places = {"batch": batch, "observations": observations, "running": running, "returns": returns}
    return training._replace(**places, key=rest), steps


def advantages(steps: Steps, last: Array, settings: Settings) -> Array:
    """Returns the generalized advantages, Schulman et al. (2016), for rewards in units of 1 / (1 - gamma).

    The value after a step is that of the next row: a truncated episode's last observation stands there.
    """
    gamma = settings.gamma
    after = jnp.concatenate([steps.values[1:], last[None]])
    errors = (1 - gamma) * steps.rewards + gamma * after * ~steps.terminated - steps.values
    going_on = gamma * settings.lambda_ * ~(steps.terminated | steps.truncated)

    def add(later: Array, row: Any) -> tuple[Array, Array]:
        found = row[0] + row[1] * later
        return found, found

    return lax.scan(add, jnp.zeros_like(last), (errors, going_on), reverse=True)[1]


def loss(weights: Weights, steps: Steps, gains: Array, settings: Settings) -> Array:
    """Returns the clipped objective, negative, with the value's error and a bonus for entropy."""
    counts = steps.counts / steps.counts.sum()
    middle = (gains * counts).sum()
    scaled = (gains - middle) / (jnp.sqrt(((gains - middle) ** 2 * counts).sum()) + 1e-8)
    log_probs, values = judged(weights, steps.observations)
    ratio = jnp.exp(chosen(log_probs, steps.actions) - steps.log_probs)
    clipped = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    policy = -jnp.minimum(ratio * scaled, clipped * scaled)
    entropy = -(jnp.exp(log_probs) * log_probs).sum(-1)
    error = (values - steps.values - gains) ** 2
    return ((policy + 0.5 * error - settings.entropy * entropy) * counts).sum()


def adam(training: Training, gradient: Weights, rate: Array) -> Training:
    """One step."""
    n = training.count + 1
    norm = jnp.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda g: g * jnp.minimum(1.0, 0.5 / (norm + 1e-8)), gradient)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, training.mean, gradient)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, training.square, gradient)
    size = rate * jnp.sqrt(1 - 0.999**n) / (1 - 0.9**n)
    weights = jax.tree.map(lambda w, m, s: w - size * m / (jnp.sqrt(s) + 1e-5), training.weights, mean, square)
    return training._replace(weights=weights, mean=mean, square=square, count=n)


def updated(runner: BatchRunner, seen: Any, settings: Settings, training: Training) -> Training:
    """One rollout, and the epochs over it."""
    training, steps = collected(runner, seen, settings, training)
    gains = advantages(steps, judged(training.weights, training.observations)[1], settings)
    rate = settings.rate * jnp.maximum(1 - training.updates / settings.fall, 0.1)

    # Environments are alike and independent, so that each minibatch is some of them.
    def groups(array: Array) -> Array:
        return jnp.moveaxis(array.reshape(settings.steps, settings.minibatches, -1, *array.shape[2:]), 1, 0)

    def step(training: Training, rows: tuple[Steps, Array]) -> tuple[Training, None]:
        return adam(training, jax.grad(loss)(training.weights, *rows, settings), rate), None

    def epoch(training: Training, _: None) -> tuple[Training, None]:
        return lax.scan(step, training, minibatches)

    minibatches = jax.tree.map(groups, (steps, gains))
    training, _ = lax.scan(epoch, training, length=settings.epochs)
    return training._replace(updates=training.updates + 1)


def begun(runner: BatchRunner, seen: Any, inputs: int, actions: int, settings: Settings, key: Array) -> Training:
    """Returns a training before its first step."""
    start, own, rest = jax.random.split(key, 3)
    batch, observations, _ = runner.reset(start)
    weights = first_weights(own, inputs, actions, settings.hidden)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    n, none = settings.num_envs, jnp.int32(0)
    running, returns = jnp.zeros(n), jnp.full((n, -(-EPISODES // n)), jnp.nan)
    return Training(weights, zeros, zeros, none, batch, seen(observations), running, returns, none, rest)


def trained(begin: Any, update: Any, settings: Settings, keys: Array) -> tuple[Training, Array]:
    """Returns the trainings, and their mean returns after each update, shape (updates, seeds)."""

    def unfinished(carry: Any) -> Array:
        _, curves, n = carry
        return (n < settings.updates) & ~jnp.all(jnp.nanmax(curves, 0) >= settings.goal)

    def body(carry: Any) -> Any:
        trainings, curves, n = carry
        solved = jnp.nanmax(curves, 0) >= settings.goal
        after = jax.vmap(update)(trainings)
        kept: Callable[..., Training] = jax.vmap(
            lambda done, old, new: jax.tree.map(partial(jnp.where, done), old, new)
        )
        trainings = kept(solved, trainings, after)
        return trainings, curves.at[n].set(trainings.returns.mean((1, 2))), n + 1

    curves = jnp.full((settings.updates, len(keys)), jnp.nan)
    trainings, curves, _ = lax.while_loop(unfinished, body, (jax.vmap(begin)(keys), curves, 0))
    return trainings, curves


def encoder(space: Any) -> tuple[Any, int]:
    """Returns the function from a batch of observations to inputs of the network, and their number."""
    if isinstance(space, Discrete):
        return lambda batch: jax.nn.one_hot(batch - int(space.start), int(space.n)), int(space.n)
    if isinstance(space, Box):
        return lambda batch: batch.reshape(len(batch), -1).astype(jnp.float32), int(np.prod(space.shape))
    raise SystemExit(f"The network takes observations of a Box or Discrete space, not of {space}")


def written(curves: Array, settings: Settings, file: Path) -> None:
    """Writes the mean returns as a table: a line for each seed and update."""
    with file.open("w", encoding="utf-8") as lines:
        print("seed,steps,mean_return", file=lines)
        for (update, seed), mean in np.ndenumerate(curves):
            if np.isfinite(mean):
                print(f"{seed},{(update + 1) * settings.num_envs * settings.steps},{mean:.1f}", file=lines)


def parsed() -> tuple[argparse.Namespace, Settings]:
    """Returns the options, and those of them that are settings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--env-id", default="CartPole-v1", help="that runs under JAX, with discrete actions")
    parser.add_argument("--seeds", type=int, default=64, help="trainings (64)")
    parser.add_argument("--out", type=Path, help="a file for the curves, in CSV: seed, steps, mean return")
    for name, value in Settings()._asdict().items():
        option = "--" + name.strip("_").replace("_", "-")
        parser.add_argument(option, dest=name, type=type(value), default=value, help=f"({value})")
    options = parser.parse_args()
    settings = Settings(*(getattr(options, name) for name in Settings._fields))
    if min(options.seeds, *(count for count in settings if isinstance(count, int))) < 1:
        parser.error("every count must be at least 1")
    if settings.num_envs % settings.minibatches:
        parser.error("--minibatches must divide --num-envs")
    return options, settings


def main() -> None:
    options, settings = parsed()
    envs: Any = gym.make_vec(options.env_id, 1, vectorization_mode="jax")
    if not isinstance(envs.single_action_space, Discrete):
        raise SystemExit(f"The actions must be discrete, but those of {options.env_id} are {envs.single_action_space}")
    limit = gym.spec(options.env_id).max_episode_steps
    runner = BatchRunner(envs.func_env, settings.num_envs, max_episode_steps=limit, params=envs.params)
    seen, inputs = encoder(envs.single_observation_space)
    begin = partial(begun, runner, seen, inputs, int(envs.single_action_space.n), settings)
    update = partial(updated, runner, seen, settings)
    keys = jax.vmap(jax.random.PRNGKey)(jnp.arange(options.seeds))

    start = perf_counter()
    lowered = jax.jit(partial(trained, begin, update, settings)).lower(keys)
    # Optimised less, it is compiled in half the time, and as fast.
    program = lowered.compile({"xla_backend_optimization_level": "1"})
    compiled = perf_counter()
    trainings, curves = program(keys)
    curves = np.asarray(curves)  # waits for the program
    end = perf_counter()

    if options.out:
        written(curves, settings, options.out)
    reached = (curves >= settings.goal).any(0)
    steps = np.asarray(trainings.updates) * settings.num_envs * settings.steps
    print(f"{reached.sum()} of {options.seeds} seeds reached a mean return of {settings.goal:g} in {options.env_id}")
    print(f"steps of each: {int(np.median(steps)):,} (median), {steps.max():,} (most); {steps.sum():,} together")
    print(f"{compiled - start:.1f} s of compilation, {end - compiled:.1f} s of training on {jax.devices()[0]}")


if __name__ == "__main__":
    main()
