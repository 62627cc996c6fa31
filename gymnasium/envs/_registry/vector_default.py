"""Requests to `make_vec` that a vector class of this package cannot fulfil, so that `SyncVectorEnv` takes over.

A class declares its abilities by two optional attributes: `vector_kwargs`, the keys of that argument of `make_vec` that
it takes, and `unavailable()`, which returns the reason why it cannot run here, or "".
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from gymnasium.envs._registry.dynamics import batch_creator, runs_dynamics
from gymnasium.specs import EnvSpec, load_env_creator

_FILLED: Final = ("num_envs", "max_episode_steps")  # by `make_vec`
_LIMIT: Final = "gymnasium.wrappers.common:TimeLimit"


def is_ours(spec: EnvSpec) -> bool:
    """Returns whether the spec's vector class is one of this package."""
    name = spec.vector_entry_point
    return (isinstance(name, str) and name.startswith(("gymnasium.envs.", "palaestra."))) or runs_dynamics(spec)


def checked_wrappers(wrappers: Any) -> tuple[Callable[..., Any], ...]:
    """Returns the wrappers of single environments that `make_vec` was given.

    Raises:
        TypeError: If they are no sequence of functions or classes.
    """
    found = (wrappers,) if isinstance(wrappers, str) or not isinstance(wrappers, Iterable) else tuple(wrappers)
    if found and (callable(wrappers) or not all(callable(one) for one in found)):
        raise TypeError(
            "make_vec expects as wrappers a sequence of functions or classes that take an environment, but "
            f"{wrappers!r} came"
        )
    return found


def taken(vector_class: object, vector_kwargs: Mapping[str, object]) -> dict[str, Any]:
    """Returns those of `vector_kwargs` that the class takes."""
    names = getattr(vector_class, "vector_kwargs", ())
    return {name: value for name, value in vector_kwargs.items() if name in names}


def check_taken(vector_class: Any, vector_kwargs: Mapping[str, object], name: str, instead_of: Any = None) -> None:
    """Raises `TypeError` if the signature of the class lacks some of the `vector_kwargs`.

    Args:
        vector_class: The constructor of the vector environment. It fills its first argument itself.
        vector_kwargs: The requested ones.
        name: The name of the class.
        instead_of: The environment's own vector class, if it does not take them all.
    """
    _, *parameters = inspect.signature(vector_class).parameters
    known = [parameter for parameter in parameters if parameter not in _FILLED]
    who, verb = name, "it takes"
    if instead_of is not None:
        known += [name for name in getattr(instead_of, "vector_kwargs", ()) if name not in known]
        who, verb = f"{instead_of.__name__} and {name}", "they take"
    for unknown in vector_kwargs.keys() - set(known):
        from difflib import get_close_matches  # late, as it is rarely needed

        meant = get_close_matches(unknown, known, n=1)
        advice = f"did you mean {meant[0]!r}?" if meant else f"{verb} {', '.join(known)}"
        raise TypeError(f"{who} got an unexpected keyword argument {unknown!r} in vector_kwargs; {advice}")


def own_vector_class(spec: EnvSpec) -> Any:
    """Returns the constructor of the spec's own batches, if it is one of this package."""
    return batch_creator(spec) if runs_dynamics(spec) else load_env_creator(str(spec.vector_entry_point))


def reason_for_sync(
    spec: EnvSpec, vector_kwargs: Mapping[str, object], wrappers: object, kwargs: Mapping[str, object]
) -> str:
    """Returns why the spec's own vector class cannot do this; "" if it can, or if it belongs to another package."""
    if not is_ours(spec):
        return ""
    dynamics = runs_dynamics(spec)
    who = "the compiled runner" if dynamics else "its own vector class"
    if wrappers or spec.additional_wrappers:
        return f"{who} takes no wrappers of single environments (gymnasium.wrappers.vector has others)"
    if kwargs.get("render_mode") == "human":
        return f"{who} has no window"
    vector_class = own_vector_class(spec)
    unknown = vector_kwargs.keys() - taken(vector_class, vector_kwargs).keys()
    if unknown:
        return f"{who} takes no {', '.join(sorted(unknown))}"
    reason: str = getattr(vector_class, "unavailable", str)()
    return reason


def collects_frames(spec: EnvSpec, kwargs: Mapping[str, object]) -> bool:
    """Returns whether each frame is to be kept, which requires wrappers of single environments.

    A vector class of this package renders only the present frames. Drawing at each step costs far more than its speed
    saves.
    """
    return is_ours(spec) and str(kwargs.get("render_mode")).endswith("_list")


def with_one_limit(spec: EnvSpec) -> EnvSpec:
    """Returns the spec with adjacent limits merged into one, the smallest, which a vector class can handle."""
    listed = list(takewhile(lambda wrapper: wrapper.entry_point == _LIMIT and wrapper.kwargs, spec.additional_wrappers))
    limits = [wrapper.kwargs["max_episode_steps"] for wrapper in listed if wrapper.kwargs]
    if spec.max_episode_steps is not None:
        limits.append(spec.max_episode_steps)
    rest = spec.additional_wrappers[len(listed) :]
    return replace(spec, max_episode_steps=min(limits, default=None), additional_wrappers=rest)
