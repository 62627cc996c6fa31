"""Policies of `palaestra.rollout` as pure functions of arrays and keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from gymnasium.envs._jax.draws import Draws
from gymnasium.envs._jax.library import jax, jnp
from gymnasium.envs._jax.params import Tree, Values, joined, split_each
from gymnasium.envs._jax.tracing import traced_act
from palaestra.jax.network import Network, decided
from palaestra.policies import MLP, FuncPolicy, Tabular
from palaestra.policies import simple as ready
from palaestra.policies.base import params_of

Act: TypeAlias = Callable[[Any, Any, Any], tuple[Any, dict[str, Any]]]


class JaxPolicy(NamedTuple):
    """A policy for a batch.

    Attributes:
        act: Returns the actions and the extras by name, of params, observations and keys; all but the params have a
            leading axis of n.
        params: Returns the params of now of a policy in n environments, see `gymnasium.envs._jax.params`.
    """

    act: Act
    params: Callable[[Any, int], object]


def identity_of(policy: object) -> tuple[object, ...] | None:
    """Returns a key that distinguishes policies with programs of their own; None if it is not known to be traceable.

    Known are a `FuncPolicy`, an `MLP`, a function that `jax.jit` has returned, and a `functools.partial` of one.
    """
    if isinstance(policy, MLP):
        return MLP, policy
    if isinstance(policy, FuncPolicy):
        return type(policy), policy.act
    function = policy.func if isinstance(policy, partial) else policy
    return (partial, function) if isinstance(function, jax.stages.Wrapped) else None


def policy_of(policy: object) -> JaxPolicy:
    """Returns a policy, and all of the same identity, as a function that can be traced.

    Raises:
        TypeError: If a `FuncPolicy` uses files, clocks or random numbers of its own.
    """
    if isinstance(policy, MLP):
        return JaxPolicy(partial(decided, policy.action_space), _of_network)
    if isinstance(policy, FuncPolicy):
        return JaxPolicy(_pure(policy), _of_each)
    return JaxPolicy(_called(policy.func if isinstance(policy, partial) else policy), _of_function)


Arguments: TypeAlias = tuple[tuple[object, ...], dict[str, object]]


class Each(NamedTuple):
    """The params of each environment: values with a leading axis of n."""

    values: list[Values]
    tree: Tree


def _pure(policy: FuncPolicy) -> Act:
    counterpart = _COUNTERPARTS.get(policy.act)
    act, written_for_jax = traced_act(policy) if counterpart is None else (counterpart, False)

    def decide(params: object, observation: object, key: Any) -> tuple[jax.Array, dict[str, jax.Array]]:
        return _parts(act(params, observation, key if written_for_jax else Draws(key)))

    def batched(params: object, observations: object, keys: object) -> tuple[jax.Array, dict[str, jax.Array]]:
        if isinstance(params, Each):
            own = partial(joined, params.tree)
            return jax.vmap(lambda values, *each: decide(own(values), *each))(params.values, observations, keys)
        return jax.vmap(partial(decide, params))(observations, keys)

    return batched


def _of_each(policy: FuncPolicy, n: int) -> object:
    params = params_of(policy, n)
    return Each(*split_each(params)) if isinstance(policy.params, list) else params[0]


def _parts(result: object) -> tuple[jax.Array, dict[str, jax.Array]]:
    """Returns the action and the extras that a `FuncPolicy` returned for one environment."""
    extras: dict[str, jax.Array] = {}
    if type(result) is tuple and len(result) == 2 and hasattr(result[1], "_fields"):
        result, named = result
        extras = {name: jnp.asarray(value) for name, value in named._asdict().items()}
    if isinstance(result, (tuple, list)):
        result = jnp.stack([jnp.asarray(part) for part in result])
    return jnp.asarray(result), extras


def _of_network(policy: MLP, n: int) -> Network:
    policy.refresh()
    return Network(policy.actor, policy.critic, policy.normals, bool(policy.deterministic), bool(policy.clip))


def _called(function: Any) -> Act:
    def act(params: Arguments, observations: object, keys: object) -> tuple[Any, dict[str, Any]]:
        arguments, named = params
        result = function(*arguments, observations, **named)
        if type(result) is tuple and len(result) == 2 and isinstance(result[1], Mapping):
            return result[0], dict(result[1])
        return result, {}

    return act


def _of_function(policy: object, n: int) -> Arguments:
    return (policy.args, policy.keywords) if isinstance(policy, partial) else ((), {})


def _most(values: jax.Array) -> jax.Array:
    """Returns the first index of the highest value that is a number."""
    return jnp.argmax(jnp.where(jnp.isnan(values), -jnp.inf, values))


def _outputs(params: ready.Weights, observation: jax.Array) -> jax.Array:
    return jnp.dot(params.weights, observation, precision="highest") + params.bias


def _tabular(params: ready.Table, observation: jax.Array, rng: Draws) -> jax.Array:
    by_chance, action = rng.random() < params.epsilon, rng.integers(params.values.shape[1])
    return jnp.where(by_chance, action, _most(params.values[observation]))


# The ready policies that loop, branch or write in Python; others are traced as they are.
_COUNTERPARTS: dict[Callable[..., Any], Callable[..., Any]] = {
    ready.within: lambda params, observation, rng: (
        params.low + (params.high - params.low) * rng.random(size=params.low.shape)
    ),
    ready.best: lambda params, observation, rng: _most(_outputs(params, observation)),
    ready.clipped: lambda params, observation, rng: jnp.clip(_outputs(params, observation), params.low, params.high),
    Tabular.act: _tabular,
}
